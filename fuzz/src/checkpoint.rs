//! Checkpoints with a right checksum and any contents.

use std::sync::LazyLock;

use sokocore::{Level, Solution, WEYL_STEP, mix64, replay};
use sokomethods::{Checkpoint, Optimizer};

/// A level, a solution of it, and a checkpoint of a short run.
static RUN: LazyLock<(Level, Solution, Vec<u8>)> = LazyLock::new(|| {
    let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######").expect("it is a level");
    let moves = "lUruLdrdrUluRdldlDrdLururDldR".parse().expect("these are moves");
    let start = replay(&level, &moves).expect("they solve it");
    let outcome = Optimizer::new(&level).work(20_000).run(&start).expect("they solve it");
    let checkpoint = outcome.results[0].checkpoint.as_ref().expect("there is no scope");
    (level, start, checkpoint.to_bytes())
});

/// Changes bytes of a checkpoint, mends its checksum, reads it, and continues the run for a short time.
pub fn check(changes: &[(u16, u8)], cut: Option<u16>, mends: bool) {
    let (level, start, whole) = &*RUN;
    let mut bytes = whole[..whole.len() - 8].to_vec();
    for &(at, mask) in changes.iter().take(20) {
        let at = usize::from(at) % bytes.len();
        bytes[at] ^= mask;
    }
    if let Some(end) = cut {
        bytes.truncate(usize::from(end));
    }
    if mends {
        let sum = bytes.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        let mix = |seed: u64, number: u64| mix64((seed ^ number).wrapping_add(WEYL_STEP));
        let sum = sum.fold(bytes.len() as u64, mix);
        bytes.extend(sum.to_le_bytes());
    }
    let Ok(checkpoint) = Checkpoint::from_bytes(&bytes) else { return };
    assert_eq!(Checkpoint::from_bytes(&checkpoint.to_bytes()).as_ref(), Ok(&checkpoint));
    let outcome = Optimizer::new(level).work(2_000).resume(&checkpoint).run(start).expect("the start is a solution");
    assert!(replay(level, outcome.solution().lurd()).is_ok());
}
