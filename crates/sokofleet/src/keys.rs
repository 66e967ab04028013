//! The names of things on the server: streams, buckets, subjects and keys.
//!
//! | name, of the fleet `soko` | what | key or subject |
//! |---|---|---|
//! | stream `soko-work` | the messages that deal out slices | `soko.work.CLASS` |
//! | stream `soko-windows` | which windows islands search and have searched | `soko.windows.LEVEL.PURPOSE.ISLAND` |
//! | stream `soko-gains` | what became better, in the order of time | `soko.gain.WORKER` |
//! | bucket `soko-fleet` | what all have to agree on | `settings`, `drained` |
//! | bucket `soko-collections` | files of levels | name |
//! | bucket `soko-levels` | boards | `LEVEL` |
//! | bucket `soko-items` | what slices of an item have gained | `LEVEL.PURPOSE.ISLAND` |
//! | bucket `soko-finds` | best solutions, and what is proved | `LEVEL.PURPOSE.WORKER`, `LEVEL.proofs.WORKER` |
//! | bucket `soko-checkpoints` | where searches resume | `LEVEL.PURPOSE.ISLAND` |
//! | bucket `soko-workers` | who is there | `WORKER` |
//! | object store `soko-large` | checkpoints and files that no message can hold | as in their buckets |
//!
//! A level is named by its identity, 32 digits. Every worker writes finds under its own name alone, so none can spoil what
//! another one has found.

use std::fmt;
use std::str::FromStr;

use sokocore::{Metric, Objective};
use sokoio::LevelId;
use sokonight::Purpose;
use thiserror::Error;

/// The name of the streams and buckets of a fleet: a prefix for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetName(String);

/// Why a text names no fleet and no worker.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no name: use letters, digits, '-' and '_', at most 40")]
pub struct ParseNameError(String);

/// The most letters of a name.
const MAX_NAME: usize = 40;

impl Default for FleetName {
    fn default() -> Self {
        Self("soko".to_owned())
    }
}

impl fmt::Display for FleetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for FleetName {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        checked_name(text).map(Self)
    }
}

/// Returns a text that can be a part of a subject.
pub(crate) fn checked_name(text: &str) -> Result<String, ParseNameError> {
    let is_right = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let is_name = !text.is_empty() && text.len() <= MAX_NAME && text.chars().all(is_right);
    if is_name { Ok(text.to_owned()) } else { Err(ParseNameError(text.to_owned())) }
}

impl FleetName {
    /// Returns the name of a stream or a bucket of the fleet.
    pub(crate) fn of(&self, part: &str) -> String {
        format!("{}-{part}", self.0)
    }

    /// Returns the subject of the messages of a class.
    pub(crate) fn work_subject(&self, class: usize) -> String {
        format!("{}.work.{class:02}", self.0)
    }

    /// Returns the subject of all messages that deal out slices.
    pub(crate) fn all_work(&self) -> String {
        format!("{}.work.*", self.0)
    }

    /// Returns the subject under which a worker tells its gains.
    pub(crate) fn gain_subject(&self, worker: &str) -> String {
        format!("{}.gain.{worker}", self.0)
    }

    /// Returns the subject of all gains.
    pub(crate) fn all_gains(&self) -> String {
        format!("{}.gain.*", self.0)
    }

    /// Returns the subject under which an island tells of its windows.
    pub(crate) fn windows_subject(&self, island: &ItemKey) -> String {
        format!("{}.windows.{island}", self.0)
    }

    /// Returns the subject of what all islands of an item's level and purpose tell of their windows.
    pub(crate) fn windows_of_all_islands(&self, item: &ItemKey) -> String {
        format!("{}.windows.{}", self.0, item.all_islands())
    }

    /// Returns the subject of what all islands of all levels tell.
    pub(crate) fn all_windows(&self) -> String {
        format!("{}.windows.>", self.0)
    }

    /// Returns the subject of a key of a bucket.
    pub(crate) fn bucket_subject(&self, bucket: &str, key: &str) -> String {
        format!("$KV.{}.{key}", self.of(bucket))
    }
}

/// The name of an item: a level, what its slices are for, and which of its islands it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemKey {
    pub(crate) level: LevelId,
    pub(crate) purpose: Purpose,
    /// From 0.
    pub(crate) island: u64,
}

impl fmt::Display for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.level, purpose_token(self.purpose), self.island)
    }
}

impl ItemKey {
    /// Returns the filter of all islands of its level and purpose.
    pub(crate) fn all_islands(&self) -> String {
        format!("{}.{}.*", self.level, purpose_token(self.purpose))
    }

    /// Reads a key; `None` if it is none of ours.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (level, purpose, island) = (parts.next()?, parts.next()?, parts.next()?);
        let key = Self { level: level.parse().ok()?, purpose: purpose_of(purpose)?, island: island.parse().ok()? };
        parts.next().is_none().then_some(key)
    }
}

/// What a find is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FindKey {
    pub(crate) level: LevelId,
    /// The objective of a best solution; `None` of proofs.
    pub(crate) objective: Option<Objective>,
    pub(crate) worker: String,
}

/// The part of a key that says that it is about proofs.
const PROOFS: &str = "proofs";

impl fmt::Display for FindKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.objective.map_or_else(|| PROOFS.to_owned(), objective_token);
        write!(f, "{}.{kind}.{}", self.level, self.worker)
    }
}

impl FindKey {
    /// Reads a key; `None` if it is none of ours.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (level, kind, worker) = (parts.next()?, parts.next()?, parts.next()?);
        let objective = if kind == PROOFS { None } else { Some(kind.parse().ok()?) };
        let key = Self { level: level.parse().ok()?, objective, worker: worker.to_owned() };
        parts.next().is_none().then_some(key)
    }
}

/// Writes an objective as a part of a key: only names and slashes, which keys may have.
fn objective_token(objective: Objective) -> String {
    objective.to_string()
}

fn purpose_token(purpose: Purpose) -> String {
    match purpose {
        Purpose::Improve(objective) => objective_token(objective),
        // "bound moves": keys have no spaces.
        other => other.to_string().replace(' ', "-"),
    }
}

fn purpose_of(token: &str) -> Option<Purpose> {
    Some(match token {
        "solve" => Purpose::Solve,
        "bound-moves" => Purpose::Bound(Metric::Moves),
        "bound-pushes" => Purpose::Bound(Metric::Pushes),
        objective => Purpose::Improve(objective.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn keys_are_read_as_they_are_written() {
        let level = LEVEL.parse().unwrap();
        let purposes = [
            Purpose::Solve,
            Purpose::Improve(Objective::MOVES),
            Purpose::Improve("boxlines/pushes".parse().unwrap()),
            Purpose::Bound(Metric::Pushes),
        ];
        for purpose in purposes {
            let key = ItemKey { level, purpose, island: 12 };
            assert_eq!(ItemKey::parse(&key.to_string()), Some(key));
        }
        for objective in [None, Some(Objective::PUSHES)] {
            let key = FindKey { level, objective, worker: "attic-2".to_owned() };
            assert_eq!(FindKey::parse(&key.to_string()), Some(key));
        }
        assert_eq!(ItemKey::parse(&format!("{LEVEL}.moves")), None);
        assert_eq!(ItemKey::parse(&format!("{LEVEL}.moves.0.1")), None);
        assert_eq!(FindKey::parse("x.moves.attic"), None);
    }

    #[test]
    fn a_name_is_a_part_of_a_subject() {
        assert_eq!("club-2".parse::<FleetName>().map(|name| name.work_subject(3)), Ok("club-2.work.03".to_owned()));
        for wrong in ["", "a.b", "a b", ">", "*", &"x".repeat(41)] {
            assert!(wrong.parse::<FleetName>().is_err(), "{wrong}");
        }
    }
}
