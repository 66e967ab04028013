//! What must be true after a run, however the system has failed it.
//!
//! | promise | looked at |
//! |---|---|
//! | the program ends by itself, with an exit code of the manual | the exit status |
//! | it does not panic | standard error |
//! | a message says what to do | each error has a clause after a semicolon; a run with exit code 1 has one |
//! | files that are not written stay as they are | their bytes |
//! | files that are written are the old ones, or whole | `soko verify` |
//! | the library is whole | `soko library check` |
//! | nothing that was reported is lost | solutions in lines of JSON are in the output, the library or the rescued file, unless an error says that they could not be saved |
//! | nothing is left over | temporary files |

use std::fs;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::Value;

use super::injector::{Call, Fault};
use crate::campaign::soko::{Desk, Ended, SMALL, lines_of};

/// The library of a desk.
pub(super) const LIBRARY: &str = "my.sqlite";
/// The level file of a desk, which no command changes.
pub(super) const LEVELS: &str = "levels.sok";
/// The output of a command that has one.
pub(super) const OUTPUT: &str = "out.sok";
/// Most time for a look at the results.
const LOOK_TIME: Duration = Duration::from_secs(120);

/// Returns what is wrong after a run with a fault.
pub(super) fn broken(desk: &Desk, line: &str, fault: Option<Fault>, ended: &Ended) -> anyhow::Result<Vec<String>> {
    let mut broken = Vec::new();
    let call = fault.map(|fault| fault.call);
    // Memory that the system does not give ends a program of Rust at once, as a kill would.
    let may_die = call == Some(Call::Map);
    match ended.code() {
        Some(0 | 1) => {}
        _ if may_die && ended.status.is_some() => {}
        _ => broken.push("it does not end with an exit code of the manual".to_owned()),
    }
    if ended.stderr.contains("panicked at") && !may_die {
        broken.push("it panics".to_owned());
    }
    if call != Some(Call::Print) {
        broken.extend(messages(ended));
    }
    let levels = fs::read_to_string(desk.path(LEVELS)).context("the levels are gone")?;
    if levels != SMALL {
        broken.push(format!("{LEVELS} has changed"));
    }
    let files = desk.files()?;
    let is_left = |name: &&String| name.starts_with(".soko-") || name.ends_with(".soko-lock");
    if ended.code().is_some() && call != Some(Call::Unlink) {
        broken.extend(files.iter().filter(is_left).map(|name| format!("{name} is left over")));
    }
    for name in files.iter().filter(|name| name.ends_with(".sok") && !name.starts_with('.') && *name != LEVELS) {
        let verified = desk.soko(&format!("verify {name}"), LOOK_TIME)?;
        if verified.code() != Some(0) {
            broken.push(format!("{name} is broken: {}", verified.shown()));
        }
    }
    if desk.path(LIBRARY).exists() {
        let checked = desk.soko(&format!("library --library {LIBRARY} check"), LOOK_TIME)?;
        if checked.code() != Some(0) {
            broken.push(format!("the library is broken: {}", checked.shown()));
        }
    }
    // A solution that was found is kept within a second: what is ended at once may lose the last one.
    if ended.code().is_some() {
        broken.extend(lost(desk, line, ended)?);
    }
    Ok(broken)
}

/// Errors that do not say what to do.
fn messages(ended: &Ended) -> Vec<String> {
    let errors = || ended.stderr.lines().filter_map(|line| line.strip_prefix("error: "));
    let mut broken: Vec<_> =
        errors().filter(|error| !error.contains(';')).map(|error| format!("no word of what to do: {error}")).collect();
    if ended.code() == Some(1) && ended.stderr.trim().is_empty() {
        broken.push("exit code 1, and no word why".to_owned());
    }
    broken
}

/// Whether what a run has reported is nowhere, without a word about that.
fn lost(desk: &Desk, line: &str, ended: &Ended) -> anyhow::Result<Option<String>> {
    let says_so = ["could not be saved", "is not in the library", "does without", "what was found is"];
    if says_so.iter().any(|words| ended.stderr.contains(words)) {
        return Ok(None);
    }
    let results = ended.lines("result");
    let found = results.iter().chain(&ended.lines("improved")).filter_map(least_moves).min();
    let Some(found) = found.filter(|_| line.starts_with("optimize")) else { return Ok(None) };
    let mut kept = Vec::new();
    if line.contains("--library") {
        let known = desk.soko(&format!("library --library {LIBRARY} show t2 --json"), LOOK_TIME)?;
        let known = known.lines("known");
        let solutions = known.iter().filter_map(|known| known["solutions"].as_array()).flatten();
        kept.extend(solutions.filter_map(least_moves));
    }
    let rescued = fs::read_dir(desk.rescued())?.flatten().map(|entry| entry.path());
    let output = if line.contains("--into") { "in.sok" } else { OUTPUT };
    for file in rescued.chain([desk.path(output)]).filter(|file| file.exists()) {
        let mut command = desk.command("verify --json");
        command.arg(&file);
        kept.extend(lines_of(&desk.run(command, LOOK_TIME)?.stdout, "game").iter().filter_map(least_moves));
    }
    let is_kept = kept.iter().any(|&kept| kept <= found);
    Ok((!is_kept).then(|| format!("a solution of {found} moves was reported, and only {kept:?} are kept")))
}

/// The moves of a solution, or of the best one of a result.
fn least_moves(line: &Value) -> Option<u64> {
    [&line["after"], &line["metrics"]].into_iter().find_map(|metrics| metrics["moves"].as_u64())
}
