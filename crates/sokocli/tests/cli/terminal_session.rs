//! The program in a terminal of its own: keys in, screens out.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::cmd::Desk;

/// The longest time until the screen shows what is expected.
const PATIENCE: Duration = Duration::from_secs(20);
pub(crate) const SIZE: PtySize = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };

pub(crate) fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// The program in a terminal.
pub(crate) struct TerminalSession {
    pub(crate) master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
}

impl TerminalSession {
    /// Starts `soko`; `None`, and a word about it, where there are no terminals.
    pub(crate) fn start(desk: &Desk, line: &str) -> Option<Self> {
        Self::start_program(desk, env!("CARGO_BIN_EXE_soko"), line)
    }

    /// Starts another program in the same way.
    pub(crate) fn start_program(desk: &Desk, program: &str, line: &str) -> Option<Self> {
        let pty = match native_pty_system().openpty(SIZE) {
            Ok(pty) => pty,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "skipped: no terminal can be made here: {error}");
                return None;
            }
        };
        let mut command = CommandBuilder::new(program);
        command.args(line.split_whitespace());
        command.cwd(desk.path(""));
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_LOG"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm");
        command.env("LC_ALL", "C.UTF-8");
        desk.home().into_iter().for_each(|(name, value)| command.env(name, value));
        let child = pty.slave.spawn_command(command).unwrap();
        let mut reader = pty.master.try_clone_reader().unwrap();
        let keyboard = pty.master.take_writer().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n) = reader.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(cells(SIZE.rows), cells(SIZE.cols), 0);
        Some(Self { master: pty.master, keyboard, child, output, screen })
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Waits until the screen shows all of this.
    #[track_caller]
    pub(crate) fn expect(&mut self, texts: &[&str]) {
        while !texts.iter().all(|text| self.screen.screen().contents().contains(text)) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => {
                    panic!("{error}; {texts:?} is not on the screen:\n{}", self.screen.screen().contents())
                }
            }
        }
    }

    /// Waits for the end, and returns the exit code.
    pub(crate) fn end(mut self) -> (u32, vt100::Parser) {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.screen.process(&bytes);
        }
        (self.child.wait().unwrap().exit_code(), self.screen)
    }
}
