//! The commands about the program itself: `help`, `completions` and the manual pages.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use clap_complete::{Shell, generate};

use crate::args::Args;
use crate::exit::{Exit, UsageError};
use crate::output;

/// Explains a command, or the whole program.
pub(crate) fn help(name: Option<&str>, is_expert: bool) -> anyhow::Result<Exit> {
    let mut program = if is_expert { Args::expert_command() } else { Args::user_command() };
    program.build();
    let command = match name {
        None => &mut program,
        Some(name) => program.find_subcommand_mut(name).ok_or_else(|| unknown(name))?,
    };
    let text = if is_expert { command.render_long_help() } else { command.render_help() };
    output::forgive_broken_pipe(output::print(&text.to_string()))?;
    Ok(Exit::Done)
}

fn unknown(name: &str) -> UsageError {
    let command = Args::user_command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<_> = shown.map(clap::Command::get_name).collect();
    UsageError(format!("there is no command '{name}'; the commands are {}", names.join(", ")))
}

/// Writes `soko.1`, `soko-solve.1` and so on.
pub(crate) fn manual(folder: &Path) -> anyhow::Result<Exit> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut program = Args::expert_command();
    program.build();
    let mut commands = vec![(String::from("soko"), program.clone())];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        commands.push((format!("soko-{}", command.get_name()), command.clone()));
    }
    for (name, command) in commands {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).title(name.clone()).render(&mut page)?;
        sokoio::write_file(&folder.join(format!("{name}.1")), &page)?;
    }
    Ok(Exit::Done)
}

/// Prints the script that completes commands and options in a shell.
pub(crate) fn completions(shell: Shell) -> io::Result<Exit> {
    let mut script = Vec::new();
    generate(shell, &mut Args::user_command(), "soko", &mut script);
    output::forgive_broken_pipe(output::print_bytes(&script))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: (usize, usize) = (50, 100);

    fn text(program: clap::Command, name: &str, is_long: bool) -> String {
        let mut program = program.term_width(SCREEN.1);
        program.build();
        let command = program.find_subcommand_mut(name).unwrap();
        if is_long { command.render_long_help().to_string() } else { command.render_help().to_string() }
    }

    #[test]
    fn help_of_every_command_fits_a_screen() {
        for command in Args::user_command().get_subcommands() {
            let text = text(Args::user_command(), command.get_name(), false);
            assert!(text.lines().count() <= SCREEN.0, "{} lines:\n{text}", text.lines().count());
            assert!(text.lines().all(|line| line.chars().count() <= SCREEN.1), "{text}");
        }
        let text = Args::user_command().term_width(SCREEN.1).render_help().to_string();
        assert!(text.lines().count() <= SCREEN.0, "{text}");
    }

    #[test]
    fn experts_see_each_strategy_and_technique_once() {
        let text = text(Args::expert_command(), "solve", true);
        let words: Vec<_> = text.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
        for strategy in sokosolver::STRATEGIES.iter().filter(|strategy| strategy.name != "systematic") {
            let n_lines = text.lines().filter(|line| line.trim().starts_with(&format!("- {}:", strategy.name))).count();
            assert_eq!(n_lines, 1, "{}:\n{text}", strategy.name);
        }
        for technique in sokosolver::Technique::ALL.into_iter().map(sokosolver::Technique::name) {
            // Names that are words of their own right occur in sentences, too.
            let n = words.iter().filter(|word| **word == technique).count();
            assert!(n == 1 || (n > 1 && !technique.contains('-')), "{technique} {n} times:\n{text}");
        }
    }

    #[test]
    fn every_technique_is_in_the_page_of_the_solver() {
        let page = include_str!("../../../docs/solver.md");
        for technique in sokosolver::Technique::ALL {
            let name = technique.name().strip_prefix("advisor").unwrap_or(technique.name());
            let is_there = page.contains(&format!("`{name}`")) || page.contains(&format!("`{technique}`"));
            assert!(is_there, "docs/solver.md does not name {technique}");
        }
    }

    #[test]
    fn only_experts_see_options_for_experts() {
        for (command, option) in [("solve", "--algorithm"), ("optimize", "--vicinity"), ("optimize", "--unordered")] {
            assert!(!text(Args::user_command(), command, false).contains(option));
            assert!(text(Args::expert_command(), command, true).contains(option));
        }
    }

    #[test]
    fn every_option_is_in_a_table_of_the_manual() {
        let manual = include_str!("../README.md");
        let tables: String = manual.lines().filter(|line| line.starts_with('|')).collect();
        for command in Args::expert_command().get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(tables.contains(&format!("`soko {}", command.get_name())), "soko {}", command.get_name());
            for option in command.get_arguments().filter_map(clap::Arg::get_long) {
                let is_there = ["`", " "].iter().any(|end| tables.contains(&format!("--{option}{end}")));
                assert!(is_there, "soko {} --{option}", command.get_name());
            }
        }
    }

    #[test]
    fn an_unknown_command_is_told_the_visible_ones() {
        let text = unknown("optimise").0;
        assert!(text.contains("'optimise'") && text.contains("optimize, merge") && !text.contains(", man"), "{text}");
    }

    #[test]
    fn every_command_has_a_manual_page() {
        let folder = tempfile::tempdir().unwrap();
        manual(folder.path()).unwrap();
        for command in Args::expert_command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let page = fs::read_to_string(folder.path().join(format!("soko-{}.1", command.get_name()))).unwrap();
            assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{page}");
        }
        assert!(fs::read_to_string(folder.path().join("soko.1")).unwrap().contains("analyze"));
    }
}
