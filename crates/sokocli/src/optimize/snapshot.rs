//! Snapshots: games that end somewhere, not in a solved position, made shorter to exactly the same state.
//!
//! A snapshot is optimized as a level whose goals are where its boxes end, and the player has to end where its last
//! push leaves it. The walk after that push, if there is one, is replaced by a shortest one and not searched.

use sokocore::{Level, Lurd, Position, Step, Walker, pushes_of, replay_snapshot};
use sokoio::GameKind;
use sokomethods::{CutError, Finish, SubLevel, UnpushedBoxes};

use crate::complaint::{Complaints, with_causes};
use crate::inputs::InputLevel;
use crate::work_list::{Warnings, WorkLevel};

/// A snapshot as a level.
#[derive(Debug)]
pub(super) struct SnapshotLevel {
    /// Number of its level among those of all files.
    pub(super) number: usize,
    /// Index among the games of its level.
    pub(super) game: usize,
    pub(super) sub: SubLevel,
    /// The walk after the last push.
    tail: Vec<Step>,
}

impl SnapshotLevel {
    /// Makes levels of all snapshots of the chosen levels, and says which ones cannot be.
    pub(super) fn all(list: &[WorkLevel<'_>], warnings: Warnings, complaints: &Complaints) -> Vec<Self> {
        let mut snapshots = Vec::new();
        for work in list {
            let at = &work.at;
            let Ok(level) = at.entry.level() else { continue };
            let games = at.entry.games().iter().enumerate();
            for (game, recorded) in games.filter(|(_, game)| game.kind() == GameKind::Snapshot) {
                let made = recorded.moves().map_err(with_causes).and_then(|moves| Self::of(at, game, level, moves));
                match made {
                    Ok(snapshot) => snapshots.push(snapshot),
                    Err(why) if warnings == Warnings::Shown => {
                        complaints
                            .warning(&format!("{}: {why}; the snapshot is left as it is", at.place(recorded.line())));
                    }
                    Err(_) => {}
                }
            }
        }
        snapshots
    }

    fn of(at: &InputLevel<'_>, game: usize, level: &Level, moves: &Lurd) -> Result<Self, String> {
        let moves = replay_snapshot(level, moves).map_err(with_causes)?.lurd().clone();
        let n_pushes = moves.steps().iter().filter(|step| step.is_push()).count();
        let sub = SubLevel::cut(level, &moves, 0..n_pushes, Finish::Exact, UnpushedBoxes::Free);
        let sub = sub.map_err(|error| match error {
            CutError::NoPushes => "no box is pushed".to_owned(),
            error => with_causes(error),
        })?;
        let tail = shortest_tail(level, &moves).unwrap_or_default();
        Ok(Self { number: at.number, game, sub, tail })
    }

    /// Returns the whole game with these moves up to the last push.
    pub(super) fn game(&self, moves: &Lurd) -> Lurd {
        moves.steps().iter().chain(&self.tail).copied().collect()
    }
}

/// A shortest walk from where the last push leaves the player to where the moves end.
fn shortest_tail(level: &Level, moves: &Lurd) -> Option<Vec<Step>> {
    let board = level.board();
    let mut position: Position = level.start().clone();
    for push in pushes_of(level, moves) {
        position.push(board, push);
    }
    let last_push = moves.steps().iter().rposition(|step| step.is_push())?;
    let tail = &moves.steps()[last_push + 1..];
    let end = tail.iter().try_fold(position.player, |sq, step| board.step(sq, step.dir()))?;
    let mut walk = Vec::new();
    let before = moves.steps()[last_push].dir();
    Walker::new(board).walk(board, &position, end, Some(before), None, &mut walk).then_some(walk)
}
