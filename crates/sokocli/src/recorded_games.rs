//! The games of a level that can be watched and drawn: its solutions, then its snapshots and saved games. They are
//! numbered in this order.

use sokocore::{Level, Lurd, Metrics, replay_snapshot};
use sokoio::{GameKind, LevelEntry};

/// A game that was replayed.
#[derive(Clone, Debug)]
pub(crate) struct RecordedGame {
    /// As its file has it, or what it is.
    pub(crate) title: String,
    pub(crate) is_solution: bool,
    pub(crate) moves: Lurd,
    pub(crate) metrics: Metrics,
}

/// All games of a level that replay, and how many do not.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedGames {
    pub(crate) list: Vec<RecordedGame>,
    pub(crate) n_left_out: usize,
}

impl RecordedGames {
    /// Replays the games of a level. A game that ends without a solution, whatever its title, comes after the solutions.
    pub(crate) fn of(entry: &LevelEntry, level: &Level) -> Self {
        let mut list: Vec<RecordedGame> = Vec::new();
        for (game, solution) in entry.solutions() {
            let Ok(solution) = solution else { continue };
            let title = entry.games()[game].title().unwrap_or("Solution").to_owned();
            let (moves, metrics) = (solution.lurd().clone(), solution.metrics());
            list.push(RecordedGame { title, is_solution: true, moves, metrics });
        }
        for game in entry.games().iter().filter(|game| game.kind() != GameKind::Solution) {
            let Some(snapshot) = game.moves().ok().and_then(|moves| replay_snapshot(level, moves).ok()) else {
                continue;
            };
            let title = game.title().map_or_else(|| game.kind().to_string(), str::to_owned);
            let (moves, metrics) = (snapshot.lurd().clone(), snapshot.metrics());
            list.push(RecordedGame { title, is_solution: false, moves, metrics });
        }
        Self { n_left_out: entry.games().len() - list.len(), list }
    }

    /// Returns how many of them are solutions, which come first.
    pub(crate) fn n_solutions(&self) -> usize {
        self.list.iter().filter(|recording| recording.is_solution).count()
    }
}
