//! The games of a level that can be watched: its solutions, then its snapshots and saved games.

use sokocore::{Level, Lurd, Metrics, replay_snapshot};
use sokoio::{GameKind, LevelEntry};

/// A game that was replayed.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    /// As its file has it, or what it is.
    pub(super) title: String,
    pub(super) is_solution: bool,
    pub(super) moves: Lurd,
    pub(super) metrics: Metrics,
}

/// All games of a level that replay, and how many do not.
#[derive(Clone, Debug, Default)]
pub(super) struct Recordings {
    pub(super) list: Vec<Recording>,
    pub(super) n_left_out: usize,
}

impl Recordings {
    /// Replays the games of a level. A game that ends without a solution, whatever its title, comes after the solutions.
    pub(super) fn of(entry: &LevelEntry, level: &Level) -> Self {
        let mut list: Vec<Recording> = Vec::new();
        for (game, solution) in entry.solutions() {
            let Ok(solution) = solution else { continue };
            let title = entry.games()[game].title().unwrap_or("Solution").to_owned();
            let (moves, metrics) = (solution.lurd().clone(), solution.metrics());
            list.push(Recording { title, is_solution: true, moves, metrics });
        }
        for game in entry.games().iter().filter(|game| game.kind() != GameKind::Solution) {
            let Some(snapshot) = game.moves().ok().and_then(|moves| replay_snapshot(level, moves).ok()) else {
                continue;
            };
            let title = game.title().map_or_else(|| game.kind().to_string(), str::to_owned);
            let (moves, metrics) = (snapshot.lurd().clone(), snapshot.metrics());
            list.push(Recording { title, is_solution: false, moves, metrics });
        }
        Self { n_left_out: entry.games().len() - list.len(), list }
    }

    /// Returns how many of them are solutions, which come first.
    pub(super) fn n_solutions(&self) -> usize {
        self.list.iter().filter(|recording| recording.is_solution).count()
    }
}
