//! A checkpoint: what the search for one objective on one level has done, so that a later run continues there.
//!
//! ```text
//!   run 1 ──▶ Checkpoint ── to_bytes ──▶ "soko checkpoint" | version | fields | checksum
//!                                                                       │
//!   run 2 ◀── Checkpoint ◀─ from_bytes ◀────────────────────────────────┘
//! ```
//!
//! | what | bound | holds in the next run |
//! |---|---|---|
//! | the best solution | one | offered to it, after a replay |
//! | windows searched without a gain, by their content | 65,536 | for any solution: a window that has changed has another content |
//! | arms: worth, ticks, place and length of windows, pieces without a gain | 16,384 pieces an arm | if the settings are the same; revived if the solution is another one |
//! | plateau: solutions seen, place of the walk | 16,384 | as arms |
//! | lineages: solutions, arms, windows; the archive | 4,096 windows each, 48 solutions | as arms, each after a replay |
//! | starts that were compared, by their metrics; place in the source | 4,096 | as arms |
//! | given solutions that were relinked, by their moves | 1,024 | always |
//! | what did not fit into memory | | unless the next run may use more |
//! | proofs, and that nothing is left to try | | for the solution that they are about |
//!
//! Arms are told apart by their names; a name that the next run does not know is left out. Fingerprints depend on how
//! squares are numbered and windows are named, so whatever changes that raises [`VERSION`], and earlier checkpoints are
//! no longer read.
//!
//! Invariant: reading never panics; bytes that were changed are an error, but for one chance in 2^64.

pub(crate) mod field;

use std::time::Duration;

use sokocore::{Level, Lurd, Objective};
use thiserror::Error;

use crate::fingerprints::mix;
use crate::schedule::SavedArm;
use field::{Bits, Field, FieldReader, fields};

/// The first bytes of every checkpoint.
const MAGIC: &[u8] = b"soko checkpoint";
/// Raised whenever the fields or the meaning of a fingerprint change.
pub(crate) const VERSION: u64 = 4;
/// The most bytes that are read. Those of a run are some ten thousand, and ten million within all bounds.
const MAX_BYTES: usize = 64 << 20;

/// What the search for one objective on one level has done, for a later run to continue.
///
/// A run makes one at its end; [`Optimizer::resume`](crate::Optimizer::resume) takes it up. It is kept as bytes.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::{Checkpoint, Optimizer, ReadCheckpointError};
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
/// let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
/// let outcome = Optimizer::new(&level).work(100_000).run(&start)?;
/// let checkpoint = outcome.results[0].checkpoint.as_ref().expect("the whole solution was searched");
/// assert_eq!((checkpoint.objective(), checkpoint.n_runs()), (Objective::MOVES, 1));
///
/// let bytes = checkpoint.to_bytes();
/// assert_eq!(Checkpoint::from_bytes(&bytes).as_ref(), Ok(checkpoint));
/// assert_eq!(Checkpoint::from_bytes(&bytes[1..]), Err(ReadCheckpointError::NoCheckpoint));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Fingerprint of the level's picture.
    pub(crate) level: Bits,
    pub(crate) objective: Objective,
    /// Fingerprint of the settings that decide what an arm searches.
    pub(crate) settings: Bits,
    /// Number of the square on which solutions must leave the player.
    pub(crate) kept_end: Option<usize>,
    /// The best solution.
    pub(crate) solution: Lurd,
    pub(crate) n_runs: u64,
    pub(crate) elapsed: Duration,
    /// Limit of memory of the last run, in bytes.
    pub(crate) memory: u64,
    pub(crate) is_short_of_memory: bool,
    pub(crate) is_exhausted: bool,
    pub(crate) is_proved: bool,
    /// Ticks of runs whose arms were not taken up.
    pub(crate) ticks_before: u64,
    /// Ticks of the arms, and of what comes before them.
    pub(crate) ticks_of_arms: u64,
    /// Ticks of searches of the whole space.
    pub(crate) ticks_of_proofs: u64,
    /// Whether a search of the whole space ended without a proof.
    pub(crate) has_failed_proof: bool,
    /// Fingerprint of the moves of the last solution that the run had when its arms began.
    pub(crate) led_in: Option<Bits>,
    /// Fingerprints of the moves of given solutions that were relinked, and not cut off.
    pub(crate) relinked: Vec<Bits>,
    /// Fingerprints of windows that were searched without a gain.
    pub(crate) searched: Vec<Bits>,
    /// The arms; none if the run ended before it had any.
    pub(crate) arms: Vec<SavedArm>,
}

fields!(Checkpoint {
    level,
    objective,
    settings,
    kept_end,
    solution,
    n_runs,
    elapsed,
    memory,
    is_short_of_memory,
    is_exhausted,
    is_proved,
    ticks_before,
    ticks_of_arms,
    ticks_of_proofs,
    has_failed_proof,
    led_in,
    relinked,
    searched,
    arms,
});

/// Why bytes are not read as a checkpoint. A run without it starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadCheckpointError {
    /// They do not start as one.
    #[error("these bytes are no checkpoint")]
    NoCheckpoint,
    /// It is one of another version of this crate.
    #[error("the checkpoint has version {found} and not {expected}; start without it")]
    Version {
        /// Its version.
        found: u64,
        /// The version that is read.
        expected: u64,
    },
    /// Its checksum or one of its fields is wrong.
    #[error("the checkpoint is damaged; start without it")]
    Damaged,
}

impl Checkpoint {
    /// Returns whether it is about a level. Solutions of a level turned around have checkpoints of their own.
    #[must_use]
    pub fn is_of(&self, level: &Level) -> bool {
        self.level == level_fingerprint(level)
    }

    /// Returns the objective of the search.
    #[must_use]
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// Returns the moves of the best solution. They solve the level of the run; [replay](sokocore::replay()) them on it
    /// if they come from elsewhere.
    #[must_use]
    pub const fn solution(&self) -> &Lurd {
        &self.solution
    }

    /// Returns the number of runs that have led to it.
    #[must_use]
    pub const fn n_runs(&self) -> u64 {
        self.n_runs
    }

    /// Returns the time of all these runs, without the work of other objectives.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Returns the units of work of all these runs.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks_before + self.ticks_of_arms + self.ticks_of_proofs
    }

    /// Returns the limit of memory of the last run, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns whether nothing is left to try with the same settings and memory, so that a run that resumes from it ends at
    /// once.
    #[must_use]
    pub const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns whether its solution is proved optimal in all six metrics.
    #[must_use]
    pub const fn is_proved(&self) -> bool {
        self.is_proved
    }

    /// Returns the number of windows that are not searched again while they stay the same.
    #[must_use]
    pub const fn n_windows(&self) -> usize {
        self.searched.len()
    }

    /// Visits the arms of the schedule: their names, as logs have them, and the ticks of each.
    pub fn arms(&self) -> impl Iterator<Item = (&str, u64)> {
        self.arms.iter().map(|arm| (arm.name(), arm.ticks()))
    }

    /// Writes it as bytes, which [`from_bytes`](Self::from_bytes) of this version of the crate reads, on any machine.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        VERSION.write(&mut bytes);
        self.write(&mut bytes);
        checksum(&bytes).write(&mut bytes);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written. Its solutions are replayed when a run takes it up.
    ///
    /// # Errors
    /// The bytes are something else, of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadCheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadCheckpointError::NoCheckpoint)?;
        let found = u64::read(&mut FieldReader::new(rest)).ok_or(ReadCheckpointError::Damaged)?;
        if found != VERSION {
            return Err(ReadCheckpointError::Version { found, expected: VERSION });
        }
        Self::from_checked(bytes, rest).ok_or(ReadCheckpointError::Damaged)
    }

    /// Reads `rest`, which follows the first bytes of `bytes`.
    fn from_checked(bytes: &[u8], rest: &[u8]) -> Option<Self> {
        let end = bytes.len().checked_sub(size_of::<u64>()).filter(|_| bytes.len() <= MAX_BYTES)?;
        let (checked, sum) = bytes.split_at(end);
        if Bits::read(&mut FieldReader::new(sum))? != checksum(checked) {
            return None;
        }
        let fields = rest.get(..rest.len().checked_sub(size_of::<u64>())?)?;
        let mut input = FieldReader::new(fields);
        u64::read(&mut input)?;
        Self::read(&mut input).filter(|_| input.is_at_end())
    }
}

/// Returns a number that tells damaged bytes: a hash of all of them and of their number.
fn checksum(bytes: &[u8]) -> Bits {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    Bits(bytes.chunks(size_of::<u64>()).map(word).fold(bytes.len() as u64, mix))
}

/// Returns the fingerprint of a level: its picture, without what the player cannot reach.
pub(crate) fn level_fingerprint(level: &Level) -> Bits {
    Bits(level.play_grid().to_string().bytes().map(u64::from).fold(0, mix))
}

#[cfg(test)]
mod tests;
