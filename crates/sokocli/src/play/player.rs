//! The state of the program between keys: which level, what is shown of it, what is said.
//!
//! ```text
//!   key ──▶ action ──▶ Replay (recordings)  ◀──▶  Game (moves of the player) ──▶ file
//! ```
//!
//! * [`actions`]: what each action does. [`choosing`]: which level is shown, and which of its recorded games.
//!
//! Nothing here knows the terminal or draws.

mod actions;
mod choosing;

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use super::game::PlayedGame;
use super::keys::{Action, GAME_KEYS, KeyRow, REPLAY_KEYS, action_of};
use super::move_history::MoveHistory;
use super::number_entry::{NumberEntry, Typed};
use super::play_level::PlayLevel;
use super::replay::Replay;
use crate::recorded_games::RecordedGames;
use crate::show::heading;

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
    /// The program stops by Ctrl-Z until it is told to continue.
    Suspended,
}

/// Everything.
#[derive(Debug)]
pub(super) struct Player<'a> {
    levels: Vec<PlayLevel<'a>>,
    level_idx: usize,
    recordings: RecordedGames,
    /// `None` if the level has no recording.
    replay: Option<Replay<'a>>,
    game: PlayedGame<'a>,
    shown: PlayMode,
    /// The box whose path is shown.
    path_of: Option<usize>,
    /// The first row of the list of keys that is shown.
    help_from: Option<usize>,
    /// The number that is being typed.
    number: Option<NumberEntry>,
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
            recordings: RecordedGames::default(),
            replay: None,
            shown: PlayMode::Game,
            path_of: None,
            help_from: None,
            number: None,
            message: String::new(),
            doubted: None,
        };
        player.open_level(0);
        Some(player)
    }

    /// Does what a key asks for.
    pub(super) fn press(&mut self, key: KeyEvent) -> KeyEffect {
        if key.kind == KeyEventKind::Release {
            return KeyEffect::Same;
        }
        let action = action_of(key, self.keys());
        match action {
            Some(Action::Interrupt) => return KeyEffect::Interrupted,
            Some(Action::Suspend) => return KeyEffect::Suspended,
            _ => {}
        }
        if let Some(number) = &mut self.number {
            let typed = number.press(key);
            if let (Typed::Number(n), Some(replay)) = (typed, &mut self.replay) {
                replay.jump(n);
            }
            if typed != Typed::Digits {
                self.number = None;
            }
            return KeyEffect::Changed;
        }
        if let Some(from) = self.help_from {
            self.help_from = match key.code {
                KeyCode::Down => Some((from + 1).min(self.keys().len())),
                KeyCode::Up => Some(from.saturating_sub(1)),
                _ => None,
            };
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
        self.shown_replay().map_or_else(|| self.game.playback(), |replay| &replay.focused().playback)
    }

    /// Returns the box whose path is shown.
    pub(super) const fn path_of(&self) -> Option<usize> {
        self.path_of
    }

    /// Returns the recordings of the level.
    pub(super) const fn recordings(&self) -> &RecordedGames {
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

    /// Returns from which row on the list of keys is shown, if it is.
    pub(super) const fn help_from(&self) -> Option<usize> {
        self.help_from
    }

    /// Returns the number that is being typed.
    pub(super) fn number(&self) -> Option<&str> {
        self.number.as_ref().map(NumberEntry::digits)
    }

    /// Returns what is said.
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}
