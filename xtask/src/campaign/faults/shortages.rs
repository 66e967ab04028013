//! Runs in a system that is short of something from the start: files, memory, room, rights, a terminal. What cannot be
//! made here, such as a control group without the rights for it, is skipped with a line in the log.

use std::time::Duration;

use super::promises::broken;
use super::{FaultRun, LIMIT, lay_out};
use crate::campaign::soko::{Desk, Ended, hard_level};

/// A shortage, made by a line for a shell that runs before the program.
struct Shortage {
    name: &'static str,
    /// Makes it; `$$` is the process that becomes the program.
    set_up: &'static str,
    /// What follows the arguments, such as a redirection.
    after: &'static str,
    line: &'static str,
    /// How the program may end: exit codes, and [`KILLED`] where a signal may end it.
    ends: &'static [i32],
}

const HARD: &str = "optimize hard.sok --library my.sqlite -o out.sok --threads 2 --time 2s --json";
const SMALL_RUN: &str = "optimize levels.sok --library my.sqlite -o out.sok --threads 2 --json";
const GROUP: &str = "G=/sys/fs/cgroup/memory/soko-campaign-$$ && mkdir $G && echo 50331648 >$G/memory.limit_in_bytes && \
                     echo $$ >$G/cgroup.procs";
/// Everything below the folder can be read alone, for this process.
const READ_ONLY: &str = "exec unshare --map-root-user --mount sh -c 'mount --bind . . && mount -o remount,bind,ro . && cd . && \
                         cd \"$PWD\" && exec $SOKO \"$@\"' sh";

const fn shortage(name: &'static str, set_up: &'static str, line: &'static str, ends: &'static [i32]) -> Shortage {
    Shortage { name, set_up, after: "", line, ends }
}

const SHORTAGES: &[Shortage] = &[
    shortage("256 files", "ulimit -n 256", HARD, &[0]),
    shortage("16 files", "ulimit -n 16", SMALL_RUN, &[0]),
    shortage("8 files", "ulimit -n 8", SMALL_RUN, &[0, 1]),
    shortage("5 files", "ulimit -n 5", SMALL_RUN, &[1]),
    shortage("4 files", "ulimit -n 4", SMALL_RUN, &[1]),
    shortage("512 MiB of addresses", "ulimit -v 524288", HARD, &[0]),
    shortage("256 MiB of addresses", "ulimit -v 262144", HARD, &[0]),
    shortage("128 MiB of addresses", "ulimit -v 131072", HARD, &[0]),
    // Less than a program and its threads map before the first search.
    shortage("64 MiB of addresses", "ulimit -v 65536", HARD, &[0, 1, KILLED]),
    shortage("files of 4 KiB", "trap '' XFSZ; ulimit -f 8", SMALL_RUN, &[1]),
    shortage("a control group of 48 MiB", GROUP, HARD, &[0]),
    shortage(
        "a control group of 48 MiB, and more asked for",
        GROUP,
        "optimize hard.sok --library my.sqlite -o out.sok --threads 2 --time 3s --memory 1GiB --json",
        &[0, KILLED],
    ),
    shortage("a folder to be read alone", READ_ONLY, SMALL_RUN, &[1]),
    shortage("a folder to be read alone", READ_ONLY, "night --library my.sqlite --for 1s --json", &[1]),
    shortage("a folder to be read alone", READ_ONLY, "library --library my.sqlite add levels.sok", &[1]),
    shortage("a folder to be read alone", READ_ONLY, "library --library my.sqlite list", &[0]),
    Shortage { after: ">&-", ..shortage("no standard output", "true", SMALL_RUN, &[0, 1]) },
    Shortage { after: "2>&-", ..shortage("no standard error", "true", SMALL_RUN, &[0, 1]) },
    Shortage { after: ">&- 2>&- <&-", ..shortage("no standard files", "true", SMALL_RUN, &[0, 1]) },
    Shortage { after: ">/dev/full", ..shortage("a full device for the output", "true", SMALL_RUN, &[1]) },
    Shortage { after: "2>/dev/full", ..shortage("a full device for the errors", "true", SMALL_RUN, &[0, 1]) },
];

/// An end by a signal: the system kills it, or it has no memory.
const KILLED: i32 = -1;

/// Signals that end a terminal, a session or a service.
const SIGNALS: [&str; 3] = ["HUP", "TERM", "INT"];

/// Tries every shortage once.
pub(super) fn run(faults: &mut FaultRun<'_>) -> anyhow::Result<()> {
    for shortage in SHORTAGES {
        let Shortage { name, set_up, after, line, ends } = shortage;
        let desk = &faults.desk;
        lay_out(desk)?;
        desk.write("hard.sok", hard_level())?;
        let exec = if set_up.starts_with("exec") { String::new() } else { "&& exec $SOKO".to_owned() };
        let ended = desk.run(desk.shell(&format!("{set_up} {exec} {line} {after}")), LIMIT)?;
        if is_impossible(&ended) {
            faults.run.log(&format_args!("skipped: {name} cannot be had here: {}", ended.stderr.trim()))?;
            continue;
        }
        faults.run.tried(1)?;
        let wrong = wrong(desk, line, ends, &ended)?;
        faults.report(line, name, &wrong, &ended)?;
    }
    for signal in SIGNALS {
        let desk = &faults.desk;
        lay_out(desk)?;
        desk.write("hard.sok", hard_level())?;
        let script = format!("$SOKO {HARD} & sleep 0.5; kill -{signal} $!; wait $!");
        let ended = desk.run(desk.shell(&script.replace("--time 2s", "--time 10m")), Duration::from_secs(60))?;
        faults.run.tried(1)?;
        let wrong = wrong(desk, HARD, &[130], &ended)?;
        faults.report(HARD, &format!("SIG{signal}"), &wrong, &ended)?;
    }
    Ok(())
}

/// Whether the shell could not make the shortage.
fn is_impossible(ended: &Ended) -> bool {
    let programs = ["sh: ", "mkdir: ", "unshare: ", "mount: "];
    ended.code() != Some(0) && ended.stderr.lines().any(|line| programs.iter().any(|name| line.starts_with(name)))
}

fn wrong(desk: &Desk, line: &str, ends: &[i32], ended: &Ended) -> anyhow::Result<Vec<String>> {
    let code = ended.code();
    let is_killed = ended.status.is_some() && code.is_none() && ends.contains(&KILLED);
    let mut wrong = broken(desk, line, None, ended)?;
    if is_killed || code.is_some_and(|code| ends.contains(&code)) {
        wrong.retain(|what| !what.starts_with("it does not end with"));
    } else {
        wrong.push(format!("it ends with {code:?} instead of {ends:?}"));
    }
    Ok(wrong)
}
