//! A server with a fleet, and levels for it.

use std::io::Write as _;
use std::thread::sleep;
use std::time::Duration;

use async_nats::jetstream;
use sokocore::{Objective, hard_level};
use sokofleet::testing::NatsServer;
use sokofleet::{Fleet, FleetName, Submission, Submitted, Wishes, WorkEvent, WorkKnobs, WorkOutcome};
use sokoio::Collection;
use sokonight::NightControl;
use sokosearch::Clock;

/// A slice is given to another worker after so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// The longest time for anything.
const LONGEST: Duration = Duration::from_secs(100);

/// Levels that are done within seconds.
pub(crate) const LEVELS: &str = "\
First
######
##   #
#@$ $#
#.  .#
######

Second
#######
#@ $ .#
#######

Third
########
#  #   #
# $  . #
# #$#  #
#@   . #
########

No solution
#####
#@$.#
#  $#
#. ##
#####
";

/// A level that is not done within a minute, with a solution that is far from the best.
pub(crate) fn long_level() -> String {
    let (level, moves) = hard_level();
    format!("Long\n{}\nSolution\n{moves}\n", level.grid())
}

/// Starts a server; `None`, said on the way, where there is no program for it.
pub(crate) fn server() -> Option<NatsServer> {
    let server = NatsServer::start().unwrap();
    if server.is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no nats-server (apt install nats-server)");
    }
    server
}

pub(crate) fn fleet(server: &NatsServer) -> Fleet {
    Fleet::create_with(&server.address(), &FleetName::default(), PATIENCE, None).unwrap()
}

pub(crate) fn submit(fleet: &Fleet, text: &str) -> Submitted {
    submit_with(fleet, text, &Wishes::default())
}

pub(crate) fn submit_with(fleet: &Fleet, text: &str, wishes: &Wishes) -> Submitted {
    let collection = Collection::parse(text.as_bytes());
    fleet.submit(&[Submission::new("small", &collection)], wishes, &|_, _| {}).unwrap()
}

pub(crate) fn knobs(name: &str) -> WorkKnobs {
    WorkKnobs::default().with_name(Some(name.to_owned())).with_memory(64 << 20)
}

/// Works until nothing is left.
pub(crate) fn work(fleet: &Fleet, name: &str) -> WorkOutcome {
    let quiet = |_: WorkEvent<'_>| {};
    fleet.work(&knobs(name).until_empty(true), &NightControl::default(), &quiet).unwrap()
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let clock = Clock::start();
    while !is_so() {
        assert!(clock.elapsed() < LONGEST, "waited too long until {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Returns the best moves of each level that has a solution, and who found it.
pub(crate) fn best_moves(fleet: &Fleet) -> Vec<(String, u64, String)> {
    let best = |level: sokofleet::CollectedLevel| {
        let found = level.solutions.into_iter().find(|found| found.objective == Objective::MOVES)?;
        Some((level.name, found.solution.metrics().moves, found.worker))
    };
    let mut all: Vec<_> = fleet.collect().unwrap().into_iter().filter_map(best).collect();
    all.sort();
    all
}

/// Speaks to the server as anybody may.
pub(crate) fn as_anybody<T>(server: &NatsServer, speak: impl AsyncFnOnce(jetstream::Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        speak(jetstream::new(client)).await
    })
}
