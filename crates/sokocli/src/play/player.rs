//! The state of the program between keys: which level, what is shown of it, what is said.
//!
//! ```text
//!   key ──▶ action ──▶ Replay (recordings)  ◀──▶  Game (moves of the player) ──▶ file
//! ```
//!
//! Nothing here knows the terminal or draws.

use std::path::PathBuf;
use std::time::Duration;

use ratatui::crossterm::event::{KeyEvent, KeyEventKind};
use sokocore::Level;

use super::game::PlayedGame;
use super::keys::{Action, GAME_KEYS, KeyRow, NumberKey, REPLAY_KEYS, action_of};
use super::move_history::{MoveHistory, Obstacle};
use super::recording::Recordings;
use super::replay::{Replay, Side, Way};
use super::save::save;
use crate::complaint::with_causes;
use crate::inputs::InputLevel;
use crate::inputs::sources::{is_dash, results_beside};
use crate::show::heading;
use crate::wording::{count, harmless};

/// The most digits of a number to go to.
const MAX_DIGITS: usize = 9;

/// A level that can be played, and where its games are saved.
#[derive(Clone, Debug)]
pub(super) struct PlayLevel<'a> {
    pub(super) at: InputLevel<'a>,
    pub(super) level: &'a Level,
    /// `None` for a level from standard input without a place that was named.
    pub(super) into: Option<PathBuf>,
}

/// What is shown of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayMode {
    Replay,
    Game,
}

/// What a key has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyEffect {
    /// Nothing that is seen.
    Same,
    /// The screen is another one.
    Changed,
    /// The program ends.
    Quit,
    /// The program ends by Ctrl-C.
    Interrupted,
}

/// Everything.
#[derive(Debug)]
pub(super) struct Player<'a> {
    levels: Vec<PlayLevel<'a>>,
    level_idx: usize,
    recordings: Recordings,
    /// `None` if the level has no recording.
    replay: Option<Replay<'a>>,
    game: PlayedGame<'a>,
    shown: PlayMode,
    /// The box whose path is shown.
    path_of: Option<usize>,
    has_help: bool,
    /// The number that is being typed.
    number: Option<String>,
    message: String,
    /// The action that was not done because the game would be lost.
    doubted: Option<Action>,
}

impl<'a> Player<'a> {
    /// Begins with the first of these levels; `None` if there is none.
    pub(super) fn new(levels: Vec<PlayLevel<'a>>) -> Option<Self> {
        let first = levels.first()?;
        let mut player = Self {
            game: PlayedGame::start(first.level),
            levels,
            level_idx: 0,
            recordings: Recordings::default(),
            replay: None,
            shown: PlayMode::Game,
            path_of: None,
            has_help: false,
            number: None,
            message: String::new(),
            doubted: None,
        };
        player.open_level(0);
        Some(player)
    }

    /// Shows the `n`-th recording, from 1, and beside it another one.
    pub(super) fn open_recordings(&mut self, n: usize, beside: Option<usize>) {
        self.show_recordings(n - 1, beside.map(|n| n - 1));
        self.shown = PlayMode::Replay;
    }

    /// Does what a key asks for.
    pub(super) fn press(&mut self, key: KeyEvent) -> KeyEffect {
        if key.kind == KeyEventKind::Release {
            return KeyEffect::Same;
        }
        let action = action_of(key, self.keys());
        if action == Some(Action::Interrupt) {
            return KeyEffect::Interrupted;
        }
        if self.number.is_some() {
            self.type_number(NumberKey::of(key));
            return KeyEffect::Changed;
        }
        if std::mem::take(&mut self.has_help) {
            return KeyEffect::Changed;
        }
        let has_message = !std::mem::take(&mut self.message).is_empty();
        let Some(action) = action else {
            self.doubted = None;
            return if has_message { KeyEffect::Changed } else { KeyEffect::Same };
        };
        if self.would_lose_game(action) {
            self.doubted = Some(action);
            self.message = "the game is not saved: s saves it, the same key again gives it up".to_owned();
            return KeyEffect::Changed;
        }
        self.doubted = None;
        if action == Action::Quit {
            return KeyEffect::Quit;
        }
        self.act(action);
        KeyEffect::Changed
    }

    /// Lets time pass. Returns whether something has moved.
    pub(super) fn pass(&mut self, time: Duration) -> bool {
        self.shown == PlayMode::Replay && self.replay.as_mut().is_some_and(|replay| replay.pass(time))
    }

    fn would_lose_game(&self, action: Action) -> bool {
        let leaves = match action {
            Action::Quit => true,
            Action::Level(way) => self.neighbor_level(way).is_some(),
            Action::TakeOver => self.shown == PlayMode::Replay,
            _ => false,
        };
        leaves && self.doubted != Some(action) && self.game.is_unsaved()
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Help => self.has_help = true,
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
            Action::Jump => self.number = Some(String::new()),
            Action::InStep => match replay.in_step() {
                Some(in_step) => replay.keep_in_step(in_step.next()),
                None => self.message = "there is only one; c shows another one beside it".to_owned(),
            },
            Action::TakeOver => {
                replay.pause();
                self.game = PlayedGame::take_over(&replay.sides()[0].playback);
                self.shown = PlayMode::Game;
            }
            Action::Recording(way) => self.next_recording(way),
            Action::Compare => self.compare(),
            _ => {}
        }
    }

    fn type_number(&mut self, key: NumberKey) {
        let Some(digits) = &mut self.number else { return };
        match key {
            NumberKey::Digit(digit) if digits.len() < MAX_DIGITS => digits.push(char::from(b'0' + digit)),
            NumberKey::Digit(_) => {}
            NumberKey::Rubout => {
                digits.pop();
            }
            NumberKey::Dismissed => self.number = None,
            NumberKey::Done => {
                if let (Ok(n), Some(replay)) = (digits.parse(), &mut self.replay) {
                    replay.jump(n);
                }
                self.number = None;
            }
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
            self.message = "the level comes from standard input: name a file by --into to save games".to_owned();
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

    fn neighbor_level(&self, way: Way) -> Option<usize> {
        let next = match way {
            Way::Forward => self.level_idx.checked_add(1),
            Way::Back => self.level_idx.checked_sub(1),
        };
        next.filter(|&idx| idx < self.levels.len())
    }

    fn open_level(&mut self, level_idx: usize) {
        self.level_idx = level_idx;
        let PlayLevel { at, level, .. } = &self.levels[level_idx];
        self.recordings = Recordings::of(at.entry, level);
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
    fn next_recording(&mut self, way: Way) {
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

    fn compare(&mut self) {
        let n = self.recordings.list.len();
        match self.shown_recordings() {
            (left, Some(_)) => self.show_recordings(left, None),
            _ if n < 2 => self.message = "there is no other recording to compare with".to_owned(),
            (left, None) => self.show_recordings(left, Some((left + 1) % n)),
        }
    }

    /// Returns what keys mean at the moment.
    pub(super) fn keys(&self) -> &'static [KeyRow] {
        match self.shown {
            PlayMode::Replay => REPLAY_KEYS,
            PlayMode::Game => GAME_KEYS,
        }
    }

    /// Returns what is shown.
    pub(super) const fn shown(&self) -> PlayMode {
        self.shown
    }

    /// Returns the replay, if it is shown.
    pub(super) fn shown_replay(&self) -> Option<&Replay<'a>> {
        self.replay.as_ref().filter(|_| self.shown == PlayMode::Replay)
    }

    /// Returns whether something moves by itself.
    pub(super) fn is_playing(&self) -> bool {
        self.shown_replay().is_some_and(Replay::is_playing)
    }

    /// Returns the game.
    pub(super) const fn game(&self) -> &PlayedGame<'a> {
        &self.game
    }

    /// Returns what is shown, two of them if they are beside each other.
    pub(super) fn playbacks(&self) -> Vec<&MoveHistory<'a>> {
        match self.shown_replay() {
            Some(replay) => replay.sides().iter().map(|side| &side.playback).collect(),
            None => vec![self.game.playback()],
        }
    }

    fn playback(&self) -> &MoveHistory<'a> {
        self.shown_replay().map_or_else(|| self.game.playback(), |replay| &replay.sides()[0].playback)
    }

    /// Returns the box whose path is shown.
    pub(super) const fn path_of(&self) -> Option<usize> {
        self.path_of
    }

    /// Returns the recordings of the level.
    pub(super) const fn recordings(&self) -> &Recordings {
        &self.recordings
    }

    /// Returns the number and the title of the level.
    pub(super) fn level_title(&self) -> String {
        heading(&self.levels[self.level_idx].at)
    }

    /// Returns which level of how many this is, from 1.
    pub(super) fn level_place(&self) -> (usize, usize) {
        (self.level_idx + 1, self.levels.len())
    }

    /// Returns whether the list of keys is shown.
    pub(super) const fn has_help(&self) -> bool {
        self.has_help
    }

    /// Returns the number that is being typed.
    pub(super) fn number(&self) -> Option<&str> {
        self.number.as_deref()
    }

    /// Returns what is said.
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

/// Where the games of a level are saved: into the file that was named, or beside the level's own.
pub(super) fn place_of(at: &InputLevel<'_>, into: Option<&PathBuf>) -> Option<PathBuf> {
    into.cloned().or_else(|| (!is_dash(at.path)).then(|| results_beside(at.path)))
}
