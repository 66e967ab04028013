//! A desk with a server, and workers that are started, signalled, and listened to.

use std::cell::RefCell;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use sokofleet::testing::{NatsServer, ServerKnobs};
use sokosearch::Clock;

use super::skipped;
use crate::cmd::{Desk, Done};

/// The longest time for anything.
const LONGEST: Duration = Duration::from_secs(100);

/// A desk with a server, or with several.
pub(super) struct FleetDesk {
    pub(super) desk: Desk,
    pub(super) servers: Vec<NatsServer>,
    /// The addresses of the servers, joined by commas.
    pub(super) nats: String,
    /// The command that starts the program, such as one that enters a name space.
    pub(super) within: Vec<String>,
}

impl FleetDesk {
    /// Starts a server; `None`, said on the way, without a program for it.
    pub(super) fn new() -> Option<Self> {
        Self::with(ServerKnobs::default())
    }

    pub(super) fn with(knobs: ServerKnobs) -> Option<Self> {
        Self::of(NatsServer::start_with(knobs).unwrap().map(|server| vec![server]))
    }

    /// Starts three servers.
    pub(super) fn of_cluster() -> Option<Self> {
        Self::of(NatsServer::cluster().unwrap())
    }

    fn of(servers: Option<Vec<NatsServer>>) -> Option<Self> {
        let Some(servers) = servers else {
            skipped("there is no nats-server (apt install nats-server)");
            return None;
        };
        let nats = servers.iter().map(NatsServer::url).collect::<Vec<_>>().join(",");
        Some(Self { desk: Desk::new(), servers, nats, within: Vec::new() })
    }

    /// The words of a command of `fleet`.
    pub(super) fn line(&self, command: &str) -> String {
        format!("fleet {command} --nats {}", self.nats)
    }

    /// Prepares a command of `fleet`.
    pub(super) fn command(&self, command: &str) -> Command {
        within(&self.within, self.desk.command(&self.line(command)))
    }

    /// Runs a command of `fleet`.
    pub(super) fn fleet(&self, command: &str) -> Done {
        Done::of(self.command(command).output().unwrap())
    }

    /// Starts a worker.
    pub(super) fn worker(&self, name: &str, options: &str) -> FleetWorker {
        self.worker_of(name, self.command(&Self::work(name, options)))
    }

    /// The words of a worker.
    pub(super) fn work(name: &str, options: &str) -> String {
        let unless_given = |option: &str, value: &str| {
            if options.contains(option) { String::new() } else { format!("{option} {value}") }
        };
        let (threads, spool) = (unless_given("--threads", "1"), unless_given("--spool", &format!("spool-{name}")));
        format!("work {threads} --memory 200MiB {spool} --json --name {name} {options}")
    }

    /// Starts a worker that was prepared.
    pub(super) fn worker_of(&self, name: &str, mut command: Command) -> FleetWorker {
        let (said, complained) = (self.desk.path(&format!("{name}.jsonl")), self.desk.path(&format!("{name}.err")));
        command.stdout(File::create(&said).unwrap()).stderr(File::create(&complained).unwrap());
        FleetWorker { process: RefCell::new(command.spawn().unwrap()), said, complained }
    }

    /// The lines of `fleet status` of a type.
    pub(super) fn status(&self, kind: &str) -> Vec<Value> {
        self.fleet("status --json").expect(0).lines(kind)
    }

    /// Slices that have ended, as the server knows.
    pub(super) fn n_slices(&self) -> u64 {
        self.status("item").iter().map(|item| item["slices"].as_u64().unwrap()).sum()
    }

    /// Collects, and asserts that what was found is right: so many levels with a solution.
    #[track_caller]
    pub(super) fn expect_collected(&self, n_levels: usize) {
        self.fleet("collect -o found.sok --force").expect(0);
        let verified = self.desk.soko("verify found.sok").expect(0).stdout;
        assert!(verified.contains("nothing wrong"), "{verified}");
        let solved = self.fleet("collect --json").expect(0).lines("level");
        let n_solved = solved.iter().filter(|level| !level["solutions"].as_array().unwrap().is_empty()).count();
        assert_eq!(n_solved, n_levels, "{verified}");
    }

    /// Asserts that what the workers have found is on the server, or something better.
    #[track_caller]
    pub(super) fn expect_nothing_lost(&self, workers: &[&FleetWorker]) {
        assert_eq!(self.missing(workers), None);
    }

    /// Returns a gain of the workers of which the server has neither the solution nor a better one, with what it has.
    pub(super) fn missing(&self, workers: &[&FleetWorker]) -> Option<String> {
        let collected = self.fleet("collect --json").expect(0).lines("level");
        let best = |level: &Value, objective: &str| {
            let level = collected.iter().find(|collected| collected["level"] == *level)?;
            let solutions = level["solutions"].as_array()?;
            solutions.iter().find(|found| found["objective"] == objective)?["metrics"][objective].as_u64()
        };
        workers.iter().flat_map(|worker| worker.lines("gain")).find_map(|gain| {
            let objective = ["moves", "pushes"].into_iter().find(|&objective| gain["objective"] == objective)?;
            let best = best(&gain["level"], objective);
            let is_there = best.is_some_and(|best| best <= gain["after"][objective].as_u64().unwrap());
            (!is_there).then(|| format!("{gain}: {best:?}"))
        })
    }
}

/// Returns a command that is started by another one, such as one that enters a name space.
pub(super) fn within(starter: &[String], command: Command) -> Command {
    let Some((program, arguments)) = starter.split_first() else { return command };
    let mut started = Command::new(program);
    started.args(arguments).arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        started.current_dir(folder);
    }
    started
}

/// Waits until something is so.
#[track_caller]
pub(super) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let clock = Clock::start();
    while !is_so() {
        assert!(clock.elapsed() < LONGEST, "waited too long until {what}");
        sleep(Duration::from_millis(50));
    }
}

/// A worker; it is killed when the value is dropped.
pub(super) struct FleetWorker {
    process: RefCell<Child>,
    said: PathBuf,
    complained: PathBuf,
}

impl FleetWorker {
    /// Sends it a signal, such as `-STOP`.
    pub(super) fn signal(&self, name: &str) {
        let of = self.process.borrow().id().to_string();
        assert!(Command::new("kill").args([name, &of]).status().unwrap().success());
    }

    /// Kills it: it has no time for anything.
    pub(super) fn kill(&self) {
        self.process.borrow_mut().kill().unwrap();
        self.process.borrow_mut().wait().unwrap();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.process.borrow_mut().try_wait().unwrap().is_some()
    }

    /// Waits for its end, and returns its last line.
    #[track_caller]
    pub(super) fn wait(&self) -> Value {
        let code = self.process.borrow_mut().wait().unwrap().code();
        assert_eq!(code, Some(0), "{}", self.complaints());
        self.lines("worked").remove(0)
    }

    /// Tells it to end, and returns its last line.
    #[track_caller]
    pub(super) fn end(&self) -> Value {
        self.signal("-INT");
        self.wait()
    }

    /// The lines of a type that it has said.
    pub(super) fn lines(&self, kind: &str) -> Vec<Value> {
        let text = fs::read_to_string(&self.said).unwrap();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter(|line| line["type"] == kind).collect()
    }

    /// What it has complained of.
    pub(super) fn complaints(&self) -> String {
        fs::read_to_string(&self.complained).unwrap()
    }

    /// Waits for so many more lines of a type.
    #[track_caller]
    pub(super) fn wait_for(&self, n_more: usize, kind: &str) {
        let n_before = self.lines(kind).len();
        wait_until(&format!("{n_more} lines '{kind}'"), || {
            assert!(!self.has_ended(), "{}", self.complaints());
            self.lines(kind).len() >= n_before + n_more
        });
    }
}

impl Drop for FleetWorker {
    fn drop(&mut self) {
        self.process.get_mut().kill().ok();
        self.process.get_mut().wait().ok();
    }
}
