//! Values that any member may have written.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sokocore::{Level, Objective, Solution, replay};
use sokoio::LevelId;
use sokomethods::{IslandWindows, Knobs, WindowNews};
use sokonight::{Item, ItemHistory, SliceEnding, SliceGain};
use sokosearch::MemoryAccount;

use crate::class::class_of;
use crate::keys::{FindKey, ItemKey, checked_name};
use crate::packing::{of_json, to_json, unpack};
use crate::record::{
    CollectionRecord, DealRecord, FindRecord, GainRecord, ItemRecord, LevelRecord, ProofsRecord, SettingsRecord,
    WorkerRecord,
};

/// Reads bytes as each kind of value and key that a server keeps, and does with them what a worker does. For tests with
/// made-up input.
///
/// # Panics
/// A value is read that cannot be used or written again, or a solution that is none.
pub fn read_values(level: &Level, bytes: &[u8]) {
    read_again::<CollectionRecord>(bytes);
    read_again::<DealRecord>(bytes);
    read_again::<GainRecord>(bytes);
    read_again::<SettingsRecord>(bytes);
    read_again::<WorkerRecord>(bytes);
    if let Some(record) = read_again::<ItemRecord>(bytes) {
        account(record);
    }
    if let Some(record) = read_again::<ProofsRecord>(bytes) {
        let mut all = ProofsRecord::default();
        all.merge(record.clone());
        all.merge(record);
        assert!(all.proved().count() <= all.proofs.len(), "a proof is read once");
    }
    if let Some(record) = read_again::<LevelRecord>(bytes) {
        let read = record.level(LevelId::of(level));
        assert!(read.is_none_or(|read| LevelId::of(&read.level) == LevelId::of(level)), "a level is what its key says");
    }
    if let Some((_, solution)) = FindRecord::replayed(bytes, level) {
        assert_eq!(replay(level, solution.lurd()).as_ref().map(Solution::metrics), Ok(solution.metrics()));
    }
    let _ = FindRecord::head(bytes).map(|head| Objective::MOVES.score(&head.metrics.metrics()));
    let _ = unpack(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        keys(text);
    }
    if let Ok(news) = WindowNews::from_bytes(bytes) {
        assert_eq!(WindowNews::from_bytes(&news.to_bytes()).as_ref(), Ok(&news));
        let key = Knobs::default().exchange_key(level, Objective::MOVES);
        let windows = Arc::new(IslandWindows::new(key, MemoryAccount::new(1 << 20)));
        windows.absorb("other", &news);
        windows.forget("other");
    }
}

/// Reads a record, and what is written of it.
fn read_again<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let record: T = of_json(bytes)?;
    let written = to_json(&record);
    let again: T = of_json(&written).expect("what was read can be written and read");
    assert_eq!(to_json(&again), written, "and is the same");
    Some(record)
}

/// Ends a slice of an item that has this record.
fn account(record: ItemRecord) {
    record.objectives();
    record.left(1_700_000_000);
    let before = record.history();
    for item in [Item::improving(100, 30), Item::solving(), Item::bounding(100)] {
        let mut item = item.with_history(&before);
        assert!(item.rate() >= 0.0 && class_of(item.rate()) < crate::class::N_CLASSES, "{record:?}: {item:?}");
        item.end(&SliceGain::new(item.slice(), 7.0, SliceEnding::Open).with_work(1, 1_000));
        item.update(93, 20);
        assert!(item.slice() > Duration::ZERO, "{record:?}: {item:?}");
        let ItemHistory { gained, exposure, spent, .. } = item.history();
        assert!([gained, exposure, spent].iter().all(|number| number.is_finite()), "{record:?}: {item:?}");
        let after = to_json(&record.clone().with_history(&item.history()));
        assert!(of_json::<ItemRecord>(&after).is_some(), "the next worker can read what this one writes");
    }
}

/// Reads a text as each kind of key.
fn keys(text: &str) {
    if let Some(key) = ItemKey::parse(text) {
        assert_eq!(ItemKey::parse(&key.to_string()).as_ref(), Some(&key));
    }
    if let Some(key) = FindKey::parse(text) {
        assert_eq!(FindKey::parse(&key.to_string()).as_ref(), Some(&key));
    }
    let _ = checked_name(text);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// What a fuzzer would take long to make of nothing.
    #[test]
    fn numbers_that_no_slice_can_have_gained_are_read() {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        let record = ItemRecord::new(&[Objective::MOVES]);
        let history = |gained: f64, spent: f64| ItemHistory { gained, exposure: gained, spent, ..record.history() };
        for (gained, spent) in [(1e308, 1e308), (-1.0, -0.05), (0.0, -1e300), (1e-308, 1e12), (5.0, 1e13)] {
            let record = ItemRecord { n_slices: u64::MAX, slice: u64::MAX, until: Some(i64::MIN), ..record.clone() };
            read_values(&level, &to_json(&record.with_history(&history(gained, spent))));
        }
        let proofs = (0..10_000).map(|number| number.to_string()).collect();
        read_values(&level, &to_json(&ProofsRecord { proofs, ..ProofsRecord::default() }));
    }

    /// Each value of the corpus of the fuzz target is of a kind of its own; each of their parts is read, too.
    #[test]
    fn the_corpus_is_read() {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus/fleet");
        let mut n_files = 0;
        for file in fs::read_dir(corpus).unwrap() {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            (0..=bytes.len()).for_each(|end| read_values(&level, &bytes[..end]));
            n_files += 1;
        }
        assert!(n_files >= 10, "{n_files}");
        let find = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus/fleet/find.bin"));
        assert!(FindRecord::replayed(&find.unwrap(), &level).is_some(), "it is a solution");
    }
}
