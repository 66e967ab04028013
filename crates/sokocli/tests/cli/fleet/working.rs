//! Submitting, working, collecting.

use super::desk::FleetDesk;
use crate::cmd::room_levels;

#[test]
fn levels_go_to_the_fleet_and_solutions_come_back() {
    let Some(at) = FleetDesk::new() else { return };
    at.desk.write("rooms.sok", room_levels(2));
    let submitted = at.fleet("submit rooms.sok").expect(0).stdout;
    assert!(submitted.starts_with("fleet soko: 2 levels, all new; "), "{submitted}");
    let again = at.fleet("submit rooms.sok").expect(0).stdout;
    assert_eq!(again, "fleet soko: 2 levels, 0 new; 0 items opened\n");

    let worked = at.fleet("work --threads 2 --name attic --until-empty --spool spool --json").expect(0);
    let last = &worked.lines("worked")[0];
    assert_eq!(
        (&last["worker"], &last["ended"], &last["waiting"]),
        (&"attic".into(), &"nothing left to do".into(), &0.into())
    );
    assert!(!worked.lines("gain").is_empty() && !worked.lines("slice").is_empty());
    let status = at.fleet("status").expect(0).stdout;
    assert!(status.contains("no worker is there") && status.contains("0 items open"), "{status}");
    assert!(status.contains("moves: ") && status.contains("2 solved"), "{status}");

    at.fleet("collect -o found.sok").expect(0);
    let verified = at.desk.soko("verify found.sok").expect(0).stdout;
    assert!(verified.contains("2 levels") && verified.contains("nothing wrong"), "{verified}");
    at.fleet("collect --library found.sqlite --proofs").expect(0);
    let listed = at.desk.soko("library list --library found.sqlite").expect(0).stdout;
    assert!(listed.contains("rooms") && listed.contains("2 solved"), "{listed}");
    // The library is a start for another fleet.
    let other = at.fleet("submit rooms --library found.sqlite --fleet other").expect(0).stdout;
    assert!(other.starts_with("fleet other: 2 levels, all new; "), "{other}");
    let found = at.fleet("collect --json --fleet other").expect(0).lines("level");
    assert!(found.iter().all(|level| level["solutions"][0]["worker"] == "files"), "{found:?}");

    let drained = at.fleet("drain --remove").expect(0).stdout;
    assert_eq!(drained, "fleet soko is removed from the server\n");
    let gone = at.fleet("status").expect(1).stderr;
    assert!(gone.contains("there is no fleet 'soko' on this server; `soko fleet submit` makes one"), "{gone}");
}
