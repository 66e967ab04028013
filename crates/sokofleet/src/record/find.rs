//! Finds: solutions, what workers say is proved, and what became better when.

use serde::{Deserialize, Serialize};
use sokocore::{Level, Lurd, Metrics, Solution, replay};
use sokoio::{ProofNote, Proved};

use crate::packing::{of_json, pack, to_json, unpack};

/// The most proofs of a level: there is one for each objective, and a broken worker may write more.
const MAX_PROOFS: usize = 256;

/// The six metrics, as a worker tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MetricsRecord {
    moves: u64,
    pushes: u64,
    box_lines: u64,
    box_changes: u64,
    pushing_sessions: u64,
    player_lines: u64,
}

impl From<Metrics> for MetricsRecord {
    fn from(of: Metrics) -> Self {
        Self {
            moves: of.moves,
            pushes: of.pushes,
            box_lines: of.box_lines,
            box_changes: of.box_changes,
            pushing_sessions: of.pushing_sessions,
            player_lines: of.player_lines,
        }
    }
}

impl MetricsRecord {
    /// Returns the metrics as they are told. They are true only after a replay.
    pub(crate) fn metrics(&self) -> Metrics {
        let mut metrics = Metrics::default();
        (metrics.moves, metrics.pushes) = (self.moves, self.pushes);
        (metrics.box_lines, metrics.box_changes) = (self.box_lines, self.box_changes);
        (metrics.pushing_sessions, metrics.player_lines) = (self.pushing_sessions, self.player_lines);
        metrics
    }
}

/// What stands before the moves of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FindRecord {
    pub(crate) metrics: MetricsRecord,
    /// The method or strategy that found it.
    pub(crate) method: String,
}

impl FindRecord {
    /// Writes a solution: a line of JSON, then its moves, packed.
    pub(crate) fn with_moves(&self, moves: &Lurd) -> Vec<u8> {
        let mut bytes = to_json(self);
        bytes.push(b'\n');
        bytes.extend(pack(moves.to_string().as_bytes()));
        bytes
    }

    /// Reads what stands before the moves.
    pub(crate) fn head(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        of_json(&bytes[..end])
    }

    /// Reads a solution, and replays it; `None` if it solves nothing, whatever is told of it.
    pub(crate) fn replayed(bytes: &[u8], level: &Level) -> Option<(Self, Solution)> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let head: Self = of_json(&bytes[..end])?;
        let moves: Lurd = String::from_utf8(unpack(&bytes[end + 1..])?).ok()?.parse().ok()?;
        Some((head, replay(level, &moves).ok()?))
    }
}

/// What a worker says is proved of a level. No replay can show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProofsRecord {
    /// The least moves and pushes of a solution.
    pub(crate) bounds: (u64, u64),
    /// Proofs, as notes in files have them.
    pub(crate) proofs: Vec<String>,
    /// Whether there is no solution.
    pub(crate) is_unsolvable: bool,
}

impl ProofsRecord {
    /// Returns the proofs that can be read.
    pub(crate) fn proved(&self) -> impl Iterator<Item = Proved> {
        self.proofs.iter().filter_map(|note| Some(note.parse::<ProofNote>().ok()?.proved()))
    }

    /// Returns whether another one says less.
    pub(crate) fn says_more_than(&self, other: &Self) -> bool {
        let has_news = self.proofs.iter().any(|note| !other.proofs.contains(note));
        let is_higher = self.bounds.0 > other.bounds.0 || self.bounds.1 > other.bounds.1;
        has_news || is_higher || self.is_unsolvable && !other.is_unsolvable
    }

    /// Adds what another worker says.
    pub(crate) fn merge(&mut self, other: Self) {
        self.bounds = (self.bounds.0.max(other.bounds.0), self.bounds.1.max(other.bounds.1));
        self.is_unsolvable |= other.is_unsolvable;
        for note in other.proofs.into_iter().take(MAX_PROOFS) {
            if !self.proofs.contains(&note) && self.proofs.len() < MAX_PROOFS {
                self.proofs.push(note);
            }
        }
    }
}

/// A solution that is better than the best that was known where it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GainRecord {
    /// The identity of the level.
    pub(crate) level: String,
    /// What a person calls it.
    pub(crate) name: String,
    pub(crate) objective: String,
    /// What the best measured before; `None` of a first solution.
    pub(crate) before: Option<MetricsRecord>,
    pub(crate) after: MetricsRecord,
    pub(crate) method: String,
    pub(crate) worker: String,
}
