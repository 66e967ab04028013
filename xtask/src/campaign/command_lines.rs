//! The campaign `command-lines`: options as people and scripts write them, well and badly, in any number and order.
//!
//! The options are those that the program's help names, so that a new one is tried without a change here. Half of the values
//! are such as options take, the others are any text. Levels are solved in no time, so every command ends soon.
//!
//! After each run: an exit code of the manual, no signal, no panic, and a message if something is wrong.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use sokocore::mix64;

use super::run::CampaignRun;
use super::soko::{Desk, Ended, SMALL};
use crate::dataset::SplitMix64;

/// Most time for a run; all levels are small.
const LIMIT: Duration = Duration::from_secs(60);
/// Most options of a line.
const MAX_OPTIONS: usize = 6;

/// The commands that end by themselves, with their files.
const COMMANDS: [(&str, &str); 20] = [
    ("solve", "levels.sok"),
    ("optimize", "solved.sok"),
    ("merge", "levels.sok solved.sok"),
    ("verify", "solved.sok"),
    ("info", "levels.sok solved.sok"),
    ("show", "levels.sok"),
    ("draw", "solved.sok -o drawn.svg"),
    ("analyze", "levels.sok"),
    ("library add", "solved.sok --library library.sqlite"),
    ("library list", "--library library.sqlite"),
    ("library show", "solved:1 --library library.sqlite"),
    ("library export", "-o exported.sok --library library.sqlite"),
    ("library check", "--library library.sqlite"),
    ("library compact", "--library library.sqlite"),
    ("night", "--library library.sqlite --for 1s"),
    ("report", "--library library.sqlite"),
    ("completions", "bash"),
    ("help", "solve"),
    ("fleet submit", "solved.sok --nats nats://127.0.0.1:1"),
    ("fleet status", "--nats nats://127.0.0.1:1"),
];

/// Values of options.
const VALUES: [&str; 48] = [
    "1",
    "2",
    "0",
    "7",
    "-1",
    "1..2",
    "2..1",
    "1..",
    "..",
    "1,2",
    "1s",
    "200ms",
    "0s",
    "2h",
    "1e3",
    "64MiB",
    "1GiB",
    "1",
    "moves",
    "pushes",
    "moves/pushes",
    "boxlines",
    "any",
    "levels.sok",
    "solved.sok",
    "empty.sok",
    "folder",
    "out.sok",
    "none/out.sok",
    "-",
    "all",
    "compact",
    "greedy",
    "csv",
    "never",
    "always",
    "small",
    "1:1",
    "",
    " ",
    "NaN",
    "-0",
    "1e400",
    "99999999999999999999",
    "é\u{202e}\u{301}",
    "--",
    "\u{1b}[2J",
    "=",
];

/// Tries command lines until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let soko = run.soko()?;
    let commands: Vec<_> = COMMANDS
        .iter()
        .map(|&(name, rest)| Ok(TriedCommand { name, rest, options: options(&soko, name)? }))
        .collect::<anyhow::Result<_>>()?;
    // How many were right, went wrong, and were refused.
    let mut n_ended = [0_u64; 3];
    for number in run.seed().. {
        if !run.has_time() {
            break;
        }
        let mut chance = SplitMix64(mix64(number));
        let line = commands[chance.below(commands.len())].line(&mut chance);
        let desk = Desk::new(&soko)?;
        desk.write("levels.sok", "Small\n\n#####\n#@$.#\n#####\n\nNone\n\n#####\n#$@.#\n#####\n")?;
        desk.write("solved.sok", SMALL)?;
        desk.write("empty.sok", "")?;
        std::fs::create_dir(desk.path("folder")).context("cannot make a folder")?;
        // Most lines ask for a library that is there.
        desk.soko("library add solved.sok --library library.sqlite", LIMIT)?;
        let mut command = desk.command("");
        command.args(&line);
        let ended = desk.run(command, LIMIT)?;
        if let Some(fault) = fault_of(&ended) {
            let repeat = format!("command-lines --seed {number} --for 1s");
            run.defect(fault, &repeat, &format!("soko {line:?}\n{}", ended.shown()))?;
        }
        if let Some(n) = ended.code().and_then(|code| n_ended.get_mut(usize::try_from(code).ok()?)) {
            *n += 1;
        }
        run.tried(1)?;
    }
    run.log(&format_args!("exit codes 0, 1, 2: {n_ended:?}"))
}

/// A command and the options that its help names.
#[derive(Debug)]
struct TriedCommand {
    name: &'static str,
    /// What it needs.
    rest: &'static str,
    options: Vec<NamedOption>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedOption {
    name: String,
    takes_value: bool,
}

impl TriedCommand {
    /// Makes a line of the command.
    fn line(&self, chance: &mut SplitMix64) -> Vec<OsString> {
        let mut line: Vec<OsString> = self.name.split(' ').map(OsString::from).collect();
        let mut rest: Vec<OsString> = self.rest.split(' ').map(OsString::from).collect();
        if chance.below(8) == 0 {
            rest.remove(chance.below(rest.len()));
        }
        for _ in 0..chance.below(MAX_OPTIONS + 1) {
            let Some(option) = self.options.get(chance.below(self.options.len().max(1))) else { break };
            let at = chance.below(rest.len() + 1);
            // A flag with a value, and an option without one, are mistakes that people make.
            let is_mistaken = chance.below(16) == 0;
            if option.takes_value == is_mistaken {
                rest.insert(at, option.name.clone().into());
            } else if chance.below(4) == 0 {
                rest.insert(at, format!("{}={}", option.name, value(chance)).into());
            } else {
                rest.splice(at..at, [option.name.clone().into(), value(chance).into()]);
            }
        }
        line.append(&mut rest);
        line
    }
}

/// A value of an option: one or two of the usual ones, or a very long one.
fn value(chance: &mut SplitMix64) -> String {
    let mut any = || VALUES[chance.below(VALUES.len())];
    let (one, other) = (any(), any());
    match chance.below(12) {
        0 => [one, other].concat(),
        1 => one.repeat(1 + chance.below(5_000)),
        _ => one.to_owned(),
    }
}

/// The options that the help of a command names.
fn options(soko: &Path, name: &str) -> anyhow::Result<Vec<NamedOption>> {
    let desk = Desk::new(soko)?;
    let expert = desk.soko(&format!("help {name} --expert"), LIMIT)?;
    let help = if expert.code() == Some(0) { expert } else { desk.soko(&format!("{name} --help"), LIMIT)? };
    ensure!(help.code() == Some(0), "soko {name} --help fails: {}", help.shown());
    let options: Vec<_> = help.stdout.lines().filter_map(option_of).collect();
    ensure!(!options.is_empty(), "soko {name} --help names no option: {}", help.stdout);
    Ok(options)
}

/// The option that a line of a help text names, as in `-o, --output <OUT>  Write to`.
fn option_of(line: &str) -> Option<NamedOption> {
    let line = line.trim_start();
    let long = match line.split_once(", ") {
        Some((short, long)) if short.len() == 2 && short.starts_with('-') => long,
        _ => line,
    };
    let name = long.split([' ', '[', '=', '.']).next().filter(|name| name.len() > 2 && name.starts_with("--"))?;
    // What ends by itself is tried, and what waits for changes does not.
    let waits = ["--watch", "--help", "--version"].contains(&name);
    let takes_value = long[name.len()..].trim_start_matches(['[', '=', ' ']).starts_with('<');
    (!waits).then(|| NamedOption { name: name.to_owned(), takes_value })
}

/// What is wrong with an end, if anything is.
fn fault_of(ended: &Ended) -> Option<&'static str> {
    let said = [&*ended.stdout, &*ended.stderr].concat();
    if said.contains("panicked") || said.contains("invariant:") {
        return Some("a panic");
    }
    match (ended.status, ended.code()) {
        (None, _) => Some("it does not end"),
        (Some(_), None) => Some("a signal ended it"),
        (_, Some(0)) => None,
        (_, Some(1 | 2)) => ended.stderr.is_empty().then_some("it fails without a message"),
        (_, Some(_)) => Some("an exit code that the manual does not name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, takes_value: bool) -> Option<NamedOption> {
        Some(NamedOption { name: name.to_owned(), takes_value })
    }

    #[test]
    fn options_are_read_from_help() {
        assert_eq!(option_of("  -o, --output <OUT>  Write to OUT, or --into"), option("--output", true));
        assert_eq!(option_of("      --color[=<WHEN>]  Colors"), option("--color", true));
        assert_eq!(option_of("  -v, --verbose...  Say more"), option("--verbose", false));
        assert_eq!(option_of("      --force"), option("--force", false));
        assert_eq!(
            [option_of("  -h, --help  Print"), option_of("  solve  Find -- and more"), option_of("")],
            [None, None, None]
        );
    }

    #[test]
    fn a_line_has_its_command_first_and_differs_by_chance() {
        let options = vec![NamedOption { name: "--time".to_owned(), takes_value: true }];
        let tried = TriedCommand { name: "library add", rest: "a.sok", options };
        let lines: Vec<_> = (0..50).map(|seed| tried.line(&mut SplitMix64(seed))).collect();
        assert!(lines.iter().all(|line| line[..2] == ["library", "add"]));
        assert!(lines.iter().any(|line| line.iter().filter(|part| *part == "--time").count() > 1));
        assert!(lines.iter().any(|line| line.iter().any(|part| part.len() > 100)));
    }
}
