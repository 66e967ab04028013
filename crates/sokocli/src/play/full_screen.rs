//! The whole terminal, taken and given back: at the end, after a panic, when the program is told to end, and while it
//! is stopped.

use std::io;
use std::time::Duration;

use anyhow::Context;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEvent};
use ratatui::crossterm::style::force_color_output;
use sokosearch::{Cancel, Clock};

use super::looks::Looks;
use super::player::{KeyEffect, Player};
use super::view;
use crate::interrupt::cancel_quietly;

/// How often it is looked whether the program is to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The time between two pictures while something moves.
const FRAME: Duration = Duration::from_millis(20);
/// Keys that are taken before the screen is drawn again.
const KEYS_AT_ONCE: usize = 64;

/// The terminal while it shows nothing but the screen.
#[derive(Debug)]
struct FullScreen(DefaultTerminal);

/// What came from the terminal.
#[derive(Debug)]
enum TerminalInput {
    Key(KeyEvent),
    Resized,
}

impl FullScreen {
    /// Takes the terminal. A panic gives it back before it is told.
    fn open(has_color: bool) -> anyhow::Result<Self> {
        force_color_output(has_color);
        ratatui::try_init().map(Self).context("cannot take the whole terminal")
    }

    /// Waits for what the terminal says.
    fn wait(time: Duration) -> io::Result<Option<TerminalInput>> {
        if !event::poll(time)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) => Some(TerminalInput::Key(key)),
            Event::Resize(..) => Some(TerminalInput::Resized),
            _ => None,
        })
    }
}

#[cfg(unix)]
impl FullScreen {
    /// Gives the terminal back and stops all processes of the job, as Ctrl-Z does elsewhere; takes it again when the job
    /// is told to continue.
    fn suspend(&mut self) -> anyhow::Result<()> {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;

        ratatui::try_restore().context("cannot give back the terminal")?;
        // Process 0 is the group of this process. Where no shell could continue it, the system ignores the signal.
        kill(Pid::from_raw(0), Signal::SIGTSTP).context("cannot stop the program")?;
        self.0 = ratatui::try_init().context("cannot take the whole terminal again")?;
        Ok(())
    }
}

#[cfg(not(unix))]
impl FullScreen {
    /// Does nothing: this system does not stop programs.
    fn suspend(&mut self) -> anyhow::Result<()> {
        self.0.clear().context("cannot draw the screen")
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = ratatui::try_restore();
    }
}

/// Shows the state and obeys keys until the user quits or the program is told to end; says which.
pub(super) fn run(player: &mut Player<'_>, looks: &Looks) -> anyhow::Result<KeyEffect> {
    let cancel = Cancel::default();
    cancel_quietly(cancel.clone())?;
    let mut screen = FullScreen::open(looks.terminal().has_color())?;
    let mut clock = Clock::start();
    let mut is_old = true;
    let mut drawn_size = None;
    loop {
        // A window that changes before the first look at the keyboard is not told.
        let size = screen.0.size().ok();
        is_old |= std::mem::replace(&mut drawn_size, size) != size;
        if std::mem::take(&mut is_old) {
            screen.0.draw(|frame| view::draw(frame, player, looks)).context("cannot draw the screen")?;
        }
        if cancel.is_cancelled() {
            return Ok(KeyEffect::Interrupted);
        }
        let mut wait = if player.is_playing() { FRAME } else { LOOK_EVERY };
        for _ in 0..KEYS_AT_ONCE {
            let Some(input) = FullScreen::wait(wait).context("cannot read the keyboard")? else { break };
            wait = Duration::ZERO;
            match input {
                TerminalInput::Resized => is_old = true,
                TerminalInput::Key(key) => match player.press(key) {
                    KeyEffect::Same => {}
                    KeyEffect::Changed => is_old = true,
                    KeyEffect::Suspended => {
                        screen.suspend()?;
                        is_old = true;
                        clock = Clock::start();
                    }
                    outcome @ (KeyEffect::Quit | KeyEffect::Interrupted) => return Ok(outcome),
                },
            }
        }
        let passed = std::mem::replace(&mut clock, Clock::start()).elapsed();
        is_old |= player.pass(passed);
    }
}
