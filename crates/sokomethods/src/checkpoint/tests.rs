//! Checkpoints survive the way to bytes and back; other bytes are errors.

use std::sync::LazyLock;

use proptest::prelude::*;
use sokocore::{Solution, replay};

use super::*;
use crate::{Knobs, Optimizer, Technique};

/// Four boxes, with many solutions of equal worth.
fn solved() -> (Level, Solution) {
    let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######").unwrap();
    let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse().unwrap()).unwrap();
    (level, start)
}

/// The checkpoint of a run that has come to lineages and to the plateau.
static CHECKPOINT: LazyLock<Checkpoint> = LazyLock::new(|| {
    let (level, start) = solved();
    let mut knobs = Knobs::default().with_others([start.clone()]);
    knobs.techniques = knobs.techniques.without(Technique::Exhaustive);
    let outcome = Optimizer::new(&level).knobs(knobs).work(10_000_000).run(&start).unwrap();
    outcome.results[0].checkpoint.clone().unwrap()
});

/// Puts a checksum below fields that may be damaged.
fn with_checksum(fields: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    VERSION.write(&mut bytes);
    bytes.extend(fields);
    checksum(&bytes).write(&mut bytes);
    bytes
}

#[test]
fn bytes_round_trip_and_cut_ones_are_errors() {
    let checkpoint = &*CHECKPOINT;
    let names: Vec<_> = checkpoint.arms().map(|(name, _)| name).collect();
    for name in ["10", "20/10", "delay", "plateau", "lineages", "multi-start"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(checkpoint.n_windows() > 0 && checkpoint.arms().any(|(name, ticks)| name == "lineages" && ticks > 0));
    let bytes = checkpoint.to_bytes();
    assert!(Checkpoint::from_bytes(&bytes).as_ref() == Ok(checkpoint), "they are too long to be shown");
    for n in (0..bytes.len()).step_by(bytes.len() / 200) {
        assert!(Checkpoint::from_bytes(&bytes[..n]).is_err());
    }
    let mut fields = Vec::new();
    checkpoint.write(&mut fields);
    assert!(with_checksum(&fields) == bytes);
    for n in (0..fields.len()).step_by(fields.len() / 200) {
        assert_eq!(Checkpoint::from_bytes(&with_checksum(&fields[..n])), Err(ReadCheckpointError::Damaged));
    }
    fields.push(0);
    assert_eq!(Checkpoint::from_bytes(&with_checksum(&fields)), Err(ReadCheckpointError::Damaged));
}

#[test]
fn another_version_is_told() {
    let mut bytes = MAGIC.to_vec();
    (VERSION + 1).write(&mut bytes);
    let error = Checkpoint::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, ReadCheckpointError::Version { found: VERSION + 1, expected: VERSION });
    assert!(error.to_string().contains("start without it"));
    assert_eq!(Checkpoint::from_bytes(b""), Err(ReadCheckpointError::NoCheckpoint));
}

#[test]
fn every_changed_byte_is_found() {
    let bytes = CHECKPOINT.to_bytes();
    for at in (0..bytes.len()).step_by(bytes.len() / 200) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(Checkpoint::from_bytes(&changed).is_err(), "byte {at}");
    }
}

proptest! {
    /// Neither random bytes nor random changes below a right checksum are a reason to panic.
    #[test]
    fn no_bytes_panic(bytes: Vec<u8>) {
        prop_assert!(Checkpoint::from_bytes(&bytes).is_err());
        let _: Result<Checkpoint, ReadCheckpointError> = Checkpoint::from_bytes(&with_checksum(&bytes));
    }
}

/// Whatever is read can be taken up: a run that resumes from damaged fields below a right checksum ends, and ends well.
#[test]
fn changed_fields_do_no_harm_to_a_run() {
    let (level, start) = solved();
    let mut fields = Vec::new();
    CHECKPOINT.write(&mut fields);
    let mut knobs = Knobs::default();
    knobs.techniques = knobs.techniques.without(Technique::Exhaustive);
    let mut n_read = 0;
    for at in (0..fields.len()).step_by(fields.len() / 80) {
        for change in [0x01, 0x40, 0xff] {
            let mut changed = fields.clone();
            changed[at] ^= change;
            let Ok(read) = Checkpoint::from_bytes(&with_checksum(&changed)) else { continue };
            n_read += 1;
            let optimizer = Optimizer::new(&level).knobs(knobs.clone()).resume(&read).work(20_000);
            let outcome = optimizer.run(&start).unwrap();
            assert!(outcome.solution().metrics().moves <= start.metrics().moves);
        }
    }
    assert!(n_read > 10, "most changes of a number give another number");
}
