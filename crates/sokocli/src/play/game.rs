//! A game that is played: moves, undo and redo without end, and whether it is worth saving.

use sokocore::{Direction, Level, Lurd};

use super::move_history::{MoveHistory, Obstacle};

/// A game in progress.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame<'a> {
    playback: MoveHistory<'a>,
    /// The moves that are kept elsewhere: in a file, or as the recording that was taken over.
    kept: Lurd,
}

impl<'a> PlayedGame<'a> {
    /// A game at the start of its level.
    pub(super) fn start(level: &'a Level) -> Self {
        Self { playback: MoveHistory::start(level), kept: Lurd::default() }
    }

    /// Takes over moves that are recorded, at the point where they were watched.
    pub(super) fn take_over(playback: &MoveHistory<'a>) -> Self {
        Self { playback: playback.clone(), kept: playback.moves() }
    }

    /// Makes a move.
    pub(super) fn walk(&mut self, dir: Direction) -> Result<(), Obstacle> {
        self.playback.play(dir)
    }

    /// Takes back a move. Returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        self.go_to(self.playback.at().saturating_sub(1))
    }

    /// Makes a move again that was taken back. Returns whether there was one.
    pub(super) fn redo(&mut self) -> bool {
        self.go_to(self.playback.at() + 1)
    }

    /// Takes back the last push and the walk after it. Returns whether there was a move.
    pub(super) fn undo_push(&mut self) -> bool {
        let (all, n) = (self.playback.all_metrics(), self.playback.metrics().pushes);
        self.go_to(all.partition_point(|metrics| metrics.pushes < n).saturating_sub(1))
    }

    /// Makes moves again up to the next push. Returns whether there was a move.
    pub(super) fn redo_push(&mut self) -> bool {
        let (all, n) = (self.playback.all_metrics(), self.playback.metrics().pushes);
        self.go_to(all.partition_point(|metrics| metrics.pushes <= n))
    }

    /// Takes back all moves. Returns whether there was one.
    pub(super) fn undo_all(&mut self) -> bool {
        self.go_to(0)
    }

    /// Makes all moves again. Returns whether there was one.
    pub(super) fn redo_all(&mut self) -> bool {
        self.go_to(usize::MAX)
    }

    fn go_to(&mut self, at: usize) -> bool {
        let before = self.playback.at();
        self.playback.seek(at);
        self.playback.at() != before
    }

    /// Notes that the moves up to this point are in a file.
    pub(super) fn keep(&mut self) {
        self.kept = self.playback.moves_so_far();
    }

    /// Returns whether the moves up to this point are kept nowhere else.
    pub(super) fn is_unsaved(&self) -> bool {
        let so_far = self.playback.moves_so_far();
        !self.kept.steps().starts_with(so_far.steps())
    }

    /// Returns the moves and the position.
    pub(super) const fn playback(&self) -> &MoveHistory<'a> {
        &self.playback
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Direction::{Down, Right, Up};

    #[test]
    fn everything_is_undone_and_redone() {
        let level: Level = "#######\n#     #\n#@$ . #\n#######".parse().unwrap();
        let mut game = PlayedGame::start(&level);
        assert!(!game.undo() && !game.redo() && !game.undo_push() && !game.undo_all());
        for dir in [Right, Up, Down, Right] {
            game.walk(dir).unwrap();
        }
        assert!(game.playback().is_solved() && game.is_unsaved());
        assert!(game.undo_push());
        assert_eq!(game.playback().at(), 3);
        assert!(game.undo_push());
        assert_eq!(game.playback().at(), 0);
        assert!(!game.is_unsaved());
        assert!(game.redo_push());
        assert_eq!(game.playback().at(), 1);
        assert!(game.redo_all() && !game.redo_all());
        game.keep();
        assert!(game.undo() && game.undo_all() && !game.is_unsaved());
        assert_eq!(game.walk(Down), Err(Obstacle::Wall));
        game.walk(Up).unwrap();
        assert!(game.is_unsaved());
    }
}
