//! Which level is shown, and which of its recorded games.

use super::super::game::PlayedGame;
use super::super::play_level::PlayLevel;
use super::super::replay::{Replay, Side};
use super::super::stride::Way;
use super::{PlayMode, Player};
use crate::recorded_games::RecordedGames;
use crate::wording::count;

impl Player<'_> {
    /// Shows the `n`-th recording, from 1, and beside it another one.
    pub(in crate::play) fn open_recordings(&mut self, n: usize, beside: Option<usize>) {
        self.show_recordings(n - 1, beside.map(|n| n - 1));
        self.shown = PlayMode::Replay;
    }

    pub(super) fn neighbor_level(&self, way: Way) -> Option<usize> {
        let next = match way {
            Way::Forward => self.level_idx.checked_add(1),
            Way::Back => self.level_idx.checked_sub(1),
        };
        next.filter(|&idx| idx < self.levels.len())
    }

    pub(super) fn open_level(&mut self, level_idx: usize) {
        self.level_idx = level_idx;
        let PlayLevel { at, level, .. } = &self.levels[level_idx];
        self.recordings = RecordedGames::of(at.entry, level);
        self.game = PlayedGame::start(level);
        (self.path_of, self.replay) = (None, None);
        let n_left_out = self.recordings.n_left_out;
        if n_left_out > 0 {
            self.message = format!("{} cannot be replayed: see soko verify", count(n_left_out, "recorded game"));
        }
        if !self.recordings.list.is_empty() {
            self.show_recordings(0, None);
        }
        // Snapshots alone are a game to be played on.
        self.shown = if self.recordings.n_solutions() > 0 { PlayMode::Replay } else { PlayMode::Game };
    }

    fn show_recordings(&mut self, left: usize, right: Option<usize>) {
        let level = self.levels[self.level_idx].level;
        let side = |idx: usize| Some(Side::of(level, self.recordings.list.get(idx)?, idx));
        let Some(left) = side(left) else { return };
        let replay = Replay::new(left, right.and_then(side));
        self.replay = Some(match &self.replay {
            Some(old) => replay.in_manner_of(old),
            None => replay,
        });
    }

    /// Places of the recordings that are shown.
    fn shown_recordings(&self) -> (usize, Option<usize>) {
        let sides = self.replay.as_ref().map_or(&[][..], Replay::sides);
        (sides.first().map_or(0, |side| side.recording_idx), sides.get(1).map(|side| side.recording_idx))
    }

    /// Shows another recording: in the place of the one that is there, or of the right one of two.
    pub(super) fn next_recording(&mut self, way: Way) {
        let n = self.recordings.list.len();
        let (left, right) = self.shown_recordings();
        let after = |idx: usize| match way {
            Way::Forward => (idx + 1) % n,
            Way::Back => (idx + n - 1) % n,
        };
        match right {
            _ if n < 2 => self.message = "there is no other recording".to_owned(),
            None => self.show_recordings(after(left), None),
            Some(right) => self.show_recordings(left, Some(after(right))),
        }
    }

    pub(super) fn compare(&mut self) {
        let n = self.recordings.list.len();
        match self.shown_recordings() {
            (left, Some(_)) => self.show_recordings(left, None),
            _ if n < 2 => self.message = "there is no other recording to compare with".to_owned(),
            (left, None) => self.show_recordings(left, Some((left + 1) % n)),
        }
    }
}
