//! What stdout or stderr is: how wide, with or without color, and whether it shows more than ASCII.
//!
//! A value that is looked up once and passed around; a stream that is no terminal has no width, so nothing is cut.
//!
//! | color | by |
//! |---|---|
//! | `--color always`, `--color never` | the option has the last word |
//! | none | `NO_COLOR` is set and not empty (no-color.org) |
//! | yes | `CLICOLOR_FORCE` is set and not `0` (bixense.com/clicolors) |
//! | none | `TERM=dumb`, or `CLICOLOR=0` |
//! | yes | the stream is a terminal |

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::ValueEnum;

/// The width assumed where a terminal does not tell its own.
const USUAL_WIDTH: usize = 80;

/// Whether to use color, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless the environment says otherwise
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How a text is painted, by what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Improved, solved, right: green.
    Good,
    /// Proved: bold cyan.
    Proved,
    /// Wrong: bold red.
    Wrong,
    /// Odd: yellow.
    Warning,
    /// Of little weight, such as rules and walls.
    Dim,
    /// Bold, without a color.
    Strong,
}

impl Paint {
    /// Returns the parameters of the escape sequence (ECMA-48, SGR).
    const fn code(self) -> &'static str {
        match self {
            Self::Good => "32",
            Self::Proved => "1;36",
            Self::Wrong => "1;31",
            Self::Warning => "33",
            Self::Dim => "2",
            Self::Strong => "1",
        }
    }
}

/// What a stream can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terminal {
    width: Option<usize>,
    has_color: bool,
    is_unicode: bool,
}

impl Terminal {
    /// A file or a pipe: nothing is cut or colored.
    #[cfg(test)]
    pub(crate) const FILE: Self = Self { width: None, has_color: false, is_unicode: true };

    /// Looks where stdout goes.
    pub(crate) fn stdout(color: ColorChoice) -> Self {
        let stream = Stream { is_terminal: io::stdout().is_terminal(), size: columns_of(io::stdout()) };
        Self::of(stream, color, |name| std::env::var_os(name))
    }

    /// Looks where stderr goes.
    pub(crate) fn stderr(color: ColorChoice) -> Self {
        let stream = Stream { is_terminal: io::stderr().is_terminal(), size: columns_of(io::stderr()) };
        Self::of(stream, color, |name| std::env::var_os(name))
    }

    /// A terminal of this width, without color.
    #[cfg(test)]
    pub(crate) const fn of_width(width: usize) -> Self {
        Self { width: Some(width), has_color: false, is_unicode: true }
    }

    /// The same with color.
    #[cfg(test)]
    pub(crate) const fn colored(self) -> Self {
        Self { has_color: true, ..self }
    }

    /// The same without anything but ASCII.
    #[cfg(test)]
    pub(crate) const fn ascii(self) -> Self {
        Self { is_unicode: false, ..self }
    }

    /// The same with the width that stderr has now: a window can be resized while the program runs.
    pub(crate) fn measured_again(self) -> Self {
        let now = |_: usize| width(columns_of(io::stderr()), std::env::var_os("COLUMNS"));
        Self { width: self.width.map(now), ..self }
    }

    fn of(stream: Stream, color: ColorChoice, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        Self {
            width: stream.is_terminal.then(|| width(stream.size, variable("COLUMNS"))),
            has_color: has_color(stream.is_terminal, color, &variable),
            is_unicode: is_unicode(&variable),
        }
    }

    /// Returns the number of columns, or `None` where nothing is to be cut.
    pub(crate) const fn width(&self) -> Option<usize> {
        self.width
    }

    /// Returns whether it shows more than ASCII.
    pub(crate) const fn is_unicode(&self) -> bool {
        self.is_unicode
    }

    /// Returns whether texts are painted.
    pub(crate) const fn has_color(&self) -> bool {
        self.has_color
    }

    /// Returns whether lines can be drawn over: a terminal that understands escape sequences.
    pub(crate) fn can_redraw(&self) -> bool {
        self.width.is_some() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    /// Paints a text, if this terminal has color.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if self.has_color && !text.is_empty() {
            format!("\x1b[{}m{text}\x1b[0m", paint.code())
        } else {
            text.to_owned()
        }
    }

    /// Returns what stands for a part left out.
    pub(crate) const fn ellipsis(&self) -> &'static str {
        if self.is_unicode { "…" } else { "..." }
    }

    /// Returns a rule of so many columns.
    pub(crate) fn rule(&self, n_columns: usize) -> String {
        if self.is_unicode { "─" } else { "-" }.repeat(n_columns)
    }

    /// Returns a bar of so many columns that is full up to `share`, from 0 to 1.
    pub(crate) fn bar(&self, share: f64, n_columns: usize) -> String {
        let (full, empty) = if self.is_unicode { ("█", "░") } else { ("#", ".") };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bar")]
        #[expect(clippy::cast_precision_loss, reason = "a bar has some dozens of columns")]
        let n_full = ((share.clamp(0.0, 1.0) * n_columns as f64) as usize).min(n_columns);
        format!("{}{}", full.repeat(n_full), empty.repeat(n_columns - n_full))
    }

    /// Returns a column of a curve, as high as `share`, from 0 to 1.
    pub(crate) fn level(&self, share: f64) -> char {
        const UNICODE: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        const ASCII: [char; 8] = ['_', '.', ',', '-', '~', '=', '+', '#'];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the levels")]
        let level = (share.clamp(0.0, 1.0) * 8.0) as usize;
        (if self.is_unicode { UNICODE } else { ASCII })[level.min(7)]
    }

    /// Returns what stands between the parts of a line.
    pub(crate) const fn dot(&self) -> &'static str {
        if self.is_unicode { " · " } else { ", " }
    }
}

/// What the system says about a stream.
#[derive(Clone, Copy, Debug)]
struct Stream {
    is_terminal: bool,
    size: Option<usize>,
}

#[cfg(any(unix, windows))]
fn columns_of(stream: impl AsStream) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0))
}

#[cfg(unix)]
use std::os::fd::AsFd as AsStream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as AsStream;

#[cfg(not(any(unix, windows)))]
fn columns_of<T>(_stream: T) -> Option<usize> {
    None
}

/// `COLUMNS` has the last word: a user who exports it means it.
fn width(size: Option<usize>, columns: Option<OsString>) -> usize {
    let asked = columns.and_then(|columns| columns.to_str()?.trim().parse().ok());
    asked.or(size).filter(|&columns| columns > 0).unwrap_or(USUAL_WIDTH)
}

fn has_color(is_terminal: bool, color: ColorChoice, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, text: &str| variable(name).is_some_and(|value| value == text);
    match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
        ColorChoice::Auto => is_terminal && !is("TERM", "dumb") && !is("CLICOLOR", "0"),
    }
}

/// The first of the three variables that is set names the character set (POSIX, 8.2).
fn is_unicode(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    if cfg!(windows) {
        return true;
    }
    let mut locales = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = locales.find(|locale| !locale.is_empty()).unwrap_or_default();
    let locale = locale.to_string_lossy().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Stream = Stream { is_terminal: true, size: Some(100) };
    const FILE: Stream = Stream { is_terminal: false, size: None };

    fn of(stream: Stream, color: ColorChoice, variables: &[(&str, &str)]) -> Terminal {
        let value = |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| value.into());
        Terminal::of(stream, color, value)
    }

    #[track_caller]
    fn check_color(stream: Stream, color: ColorChoice, variables: &[(&str, &str)], expect: bool) {
        assert_eq!(of(stream, color, variables).has_color(), expect, "{stream:?} {color:?} {variables:?}");
    }

    #[test]
    fn the_option_has_the_last_word_about_color() {
        use ColorChoice::{Always, Auto, Never};
        check_color(SCREEN, Auto, &[], true);
        check_color(FILE, Auto, &[], false);
        check_color(FILE, Auto, &[("CLICOLOR_FORCE", "1")], true);
        check_color(FILE, Auto, &[("CLICOLOR_FORCE", "0")], false);
        check_color(SCREEN, Auto, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false);
        check_color(SCREEN, Auto, &[("NO_COLOR", "")], true);
        check_color(SCREEN, Auto, &[("TERM", "dumb")], false);
        check_color(SCREEN, Auto, &[("CLICOLOR", "0")], false);
        check_color(FILE, Always, &[("NO_COLOR", "1")], true);
        check_color(SCREEN, Never, &[("CLICOLOR_FORCE", "1")], false);
    }

    #[test]
    fn only_a_terminal_has_a_width() {
        assert_eq!(of(FILE, ColorChoice::Auto, &[("COLUMNS", "50")]).width(), None);
        assert_eq!(of(SCREEN, ColorChoice::Auto, &[]).width(), Some(100));
        assert_eq!(of(SCREEN, ColorChoice::Auto, &[("COLUMNS", "50")]).width(), Some(50));
        assert_eq!(of(SCREEN, ColorChoice::Auto, &[("COLUMNS", "wide")]).width(), Some(100));
        let mute = Stream { is_terminal: true, size: None };
        assert_eq!(of(mute, ColorChoice::Auto, &[("COLUMNS", "0")]).width(), Some(80));
    }

    #[cfg(not(windows))]
    #[test]
    fn the_locale_decides_about_characters() {
        let dots = |variables: &[(&str, &str)]| of(SCREEN, ColorChoice::Auto, variables).ellipsis();
        assert_eq!(dots(&[("LANG", "en_US.UTF-8")]), "…");
        assert_eq!(dots(&[("LANG", "C.utf8")]), "…");
        assert_eq!(dots(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]), "...");
        assert_eq!(dots(&[("LC_ALL", ""), ("LC_CTYPE", "UTF-8")]), "…");
        assert_eq!(dots(&[]), "...");
    }

    #[test]
    fn paint_and_bars() {
        let terminal = Terminal::of_width(80);
        assert_eq!(terminal.paint(Paint::Good, "12"), "12");
        assert_eq!(terminal.colored().paint(Paint::Good, "12"), "\x1b[32m12\x1b[0m");
        assert_eq!(terminal.colored().paint(Paint::Good, ""), "");
        assert_eq!(terminal.ascii().bar(0.5, 4), "##..");
        assert_eq!(terminal.bar(7.0, 2), "██");
        assert_eq!(terminal.ascii().bar(f64::NAN, 2), "..");
        let levels = |terminal: Terminal| [0.0, 0.2, 0.5, 1.0, f64::NAN].map(|share| terminal.level(share));
        assert_eq!(levels(terminal), ['▁', '▂', '▅', '█', '▁']);
        assert_eq!(levels(terminal.ascii()), ['_', '.', '~', '#', '_']);
    }
}
