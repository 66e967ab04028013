//! What actions do to the state.

use super::super::game::PlayedGame;
use super::super::keys::Action;
use super::super::move_history::Obstacle;
use super::super::number_entry::NumberEntry;
use super::super::play_level::PlayLevel;
use super::super::save::save;
use super::super::stride::Way;
use super::{PlayMode, Player};
use crate::complaint::with_causes;
use crate::wording::{count, harmless};

impl Player<'_> {
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Help => self.help_from = Some(0),
            Action::Path => self.path_of = if self.path_of.is_some() { None } else { self.playback().pushed_box() },
            Action::NextBox => {
                let n_boxes = self.playback().boxes().len();
                self.path_of = Some(self.path_of.map_or(0, |idx| (idx + 1) % n_boxes));
            }
            Action::Level(way) => match self.neighbor_level(way) {
                Some(level_idx) => self.open_level(level_idx),
                None => self.message = "there is no other level this way".to_owned(),
            },
            _ if self.shown == PlayMode::Game => self.act_on_game(action),
            _ => self.act_on_replay(action),
        }
    }

    fn act_on_game(&mut self, action: Action) {
        let has_moved = match action {
            Action::Walk(dir) => {
                match self.game.walk(dir) {
                    Err(Obstacle::Wall) => self.message = "a wall".to_owned(),
                    Err(Obstacle::BlockedBox) => self.message = "the box is blocked".to_owned(),
                    Ok(()) => self.tell_if_solved(),
                }
                return;
            }
            Action::Undo => self.game.undo(),
            Action::Redo => self.game.redo(),
            Action::UndoPush => self.game.undo_push(),
            Action::RedoPush => self.game.redo_push(),
            Action::End(Way::Back) => self.game.undo_all(),
            Action::End(Way::Forward) => self.game.redo_all(),
            Action::Save => return self.save(),
            Action::Watch => {
                match self.replay {
                    Some(_) => self.shown = PlayMode::Replay,
                    None => self.message = "the level has no solution or snapshot to watch".to_owned(),
                }
                return;
            }
            _ => return,
        };
        match (has_moved, action) {
            (true, _) => self.tell_if_solved(),
            (false, Action::Undo | Action::UndoPush | Action::End(Way::Back)) => {
                self.message = "there is nothing to take back".to_owned();
            }
            (false, _) => self.message = "there is nothing to make again".to_owned(),
        }
    }

    fn act_on_replay(&mut self, action: Action) {
        let Some(replay) = &mut self.replay else { return };
        if matches!(action, Action::Step(_) | Action::LargeStep(_) | Action::End(_) | Action::Jump) {
            replay.pause();
        }
        match action {
            Action::PlayOrPause => replay.play_or_pause(),
            Action::Step(way) => replay.step(way),
            Action::LargeStep(way) => replay.large_step(way),
            Action::End(Way::Back) => replay.go_to_start(),
            Action::End(Way::Forward) => replay.go_to_end(),
            Action::Faster => replay.faster(),
            Action::Slower => replay.slower(),
            Action::Stride(stride) => replay.set_stride(stride),
            Action::Jump => self.number = Some(NumberEntry::default()),
            Action::InStep => match replay.in_step() {
                Some(in_step) => replay.keep_in_step(in_step.next()),
                None => self.message = "there is only one; c shows another one beside it".to_owned(),
            },
            Action::OtherSide => match replay.in_step() {
                Some(_) => replay.focus_other(),
                None => self.message = "there is only one; c shows another one beside it".to_owned(),
            },
            Action::TakeOver => {
                replay.pause();
                self.game = PlayedGame::take_over(&replay.focused().playback);
                self.shown = PlayMode::Game;
            }
            Action::Recording(way) => self.next_recording(way),
            Action::Compare => self.compare(),
            _ => {}
        }
    }

    fn tell_if_solved(&mut self) {
        let playback = self.game.playback();
        if playback.is_solved() {
            let metrics = playback.metrics();
            let (moves, pushes) = (count(metrics.moves, "move"), count(metrics.pushes, "push"));
            self.message = format!("solved in {moves} and {pushes}; s saves the solution");
        }
    }

    fn save(&mut self) {
        let PlayLevel { at, level, into } = &self.levels[self.level_idx];
        let Some(path) = into else {
            self.message = "the level is of no file beside which games are saved: name one by --into".to_owned();
            return;
        };
        self.message = match save(path, at.entry, level, &self.game.playback().moves_so_far()) {
            Ok(saved) => {
                self.game.keep();
                let done = if saved.is_new { "saved" } else { "there already" };
                format!("{done}: {} in {}", saved.what, harmless(&saved.path.display().to_string()))
            }
            Err(error) => format!("not saved: {}", harmless(&with_causes(error))),
        };
    }
}
