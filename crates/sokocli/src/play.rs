//! The command `play`: recorded solutions watched on the whole terminal, and levels played.
//!
//! ```text
//!   keys ──▶ Player ──▶ Replay ──▶ MoveHistory (moves, metrics of each point, boxes)
//!              │  └───▶ Game   ──▶ MoveHistory ──▶ save
//!              └──────▶ view ──▶ terminal
//! ```
//!
//! # Contents, in reading order
//! * [`move_history`]: moves up to a point, forward and back. [`game`]: one that is played. [`timeline`], [`stride`],
//!   [`replay`]: one or two that are watched.
//! * [`player`]: the state between keys. [`keys`], [`number_entry`]: what keys do. [`play_level`], [`save`]: games into
//!   files.
//! * [`view`], [`looks`]: what is drawn. [`full_screen`]: the terminal.

mod full_screen;
mod game;
mod keys;
mod looks;
mod move_history;
mod number_entry;
mod play_level;
mod player;
mod replay;
mod save;
mod stride;
mod timeline;
mod view;

use anyhow::{Context, ensure};

use self::looks::Looks;
use self::play_level::PlayLevel;
use self::player::{KeyEffect, Player};

use crate::args::PlayArgs;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::Inputs;
use crate::output;
use crate::recorded_games::RecordedGames;
use crate::show::complain;
use crate::wording::{count, is_are};

/// Runs the command.
pub(crate) fn run(args: &PlayArgs, console: &Console) -> anyhow::Result<Exit> {
    let no_terminal = UsageError(
        "play needs the whole terminal, and standard output is none; soko show and soko draw write to files".to_owned(),
    );
    ensure!(console.stdout.can_redraw(), no_terminal);
    let inputs = Inputs::read_named(&args.level, &console.complaints)?;
    let selection = args.level.selection();
    selection.check(inputs.levels())?;
    let mut levels = Vec::new();
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        match at.entry.level() {
            Ok(level) => levels.push(PlayLevel::new(&inputs, at, level, args.into.as_ref())),
            Err(error) => {
                complain(&at, error, &console.complaints);
            }
        }
    }
    let first = levels.first().context("there is no level to play; name a file with levels")?;
    let n_recordings = RecordedGames::of(first.at.entry, first.level).list.len();
    for &n in &args.solution {
        let name = first.at.name();
        let there = format!("there {} only {} for {name}", is_are(n_recordings), count(n_recordings, "recorded game"));
        ensure!((1..=n_recordings).contains(&n), UsageError(format!("--solution asks for number {n}, but {there}")));
    }
    let mut player = Player::new(levels).context("there is no level to play; name a file with levels")?;
    match args.solution[..] {
        [] => {}
        [n] => player.open_recordings(n, None),
        [n, beside, ..] => player.open_recordings(n, Some(beside)),
    }
    let outcome = full_screen::run(&mut player, &Looks::new(console.stdout, args.plain))?;
    if outcome != KeyEffect::Interrupted {
        return Ok(Exit::Done);
    }
    if player.game().is_unsaved() {
        output::print_line(&format!("The game was not saved. Its moves: {}", player.game().playback().moves_so_far()))?;
    }
    Ok(Exit::Interrupted)
}
