//! A server with a fleet, and levels for it.

use std::io::Write as _;
use std::time::Duration;

use sokofleet::testing::NatsServer;
use sokofleet::{Fleet, FleetName, Submission, Submitted, Wishes, WorkEvent, WorkKnobs, WorkOutcome};
use sokoio::Collection;
use sokonight::NightControl;

/// A slice is given to another worker after so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

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

/// Starts a server; `None`, said on the way, where there is no program for it.
pub(crate) fn server() -> Option<NatsServer> {
    let server = NatsServer::start(&[]).unwrap();
    if server.is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no nats-server (apt install nats-server)");
    }
    server
}

pub(crate) fn fleet(server: &NatsServer) -> Fleet {
    Fleet::create_with(&server.address(), &FleetName::default(), PATIENCE, None).unwrap()
}

pub(crate) fn submit(fleet: &Fleet, text: &str) -> Submitted {
    let collection = Collection::parse(text.as_bytes());
    fleet.submit(&[Submission::new("small", &collection)], &Wishes::default(), &|_, _| {}).unwrap()
}

/// Works until nothing is left.
pub(crate) fn work(fleet: &Fleet, name: &str) -> WorkOutcome {
    let knobs = WorkKnobs::default().with_name(Some(name.to_owned())).with_memory(64 << 20).until_empty(true);
    fleet.work(&knobs, &NightControl::default(), &|_: WorkEvent<'_>| {}).unwrap()
}
