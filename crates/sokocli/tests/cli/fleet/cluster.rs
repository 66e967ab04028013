//! Three servers, of which one after the other is killed.

use crate::cmd::{hard_level, room_levels};
use crate::fleet::desk::{FleetDesk, wait_until};

#[test]
fn servers_are_killed_and_started_again_one_after_the_other_and_the_work_continues() {
    let Some(mut at) = FleetDesk::of_cluster() else { return };
    at.desk.write("rooms.sok", room_levels(4));
    at.desk.write("long.sok", hard_level());
    at.fleet("submit rooms.sok long.sok --patience 2s").expect(0);
    let names = ["attic", "cellar"];
    let workers = names.map(|name| at.worker(name, ""));
    let work_on = || workers.iter().for_each(|worker| worker.wait_for(2, "slice"));
    work_on();
    at.servers[0].kill();
    work_on();
    at.servers[0].start_again().unwrap();
    work_on();
    at.servers[1].kill();
    work_on();
    for (name, worker) in names.iter().zip(&workers) {
        let worked = worker.end();
        assert_eq!(worked["failed"], 0);
        if worked["waiting"] != 0 {
            // The servers were electing.
            wait_until("the next worker delivers it", || {
                at.worker("next", &format!("--spool spool-{name} --for 1s")).wait()["waiting"] == 0
            });
        }
    }
    // One server has just been killed: the others elect, which takes longer on a computer that is busy.
    wait_until("a collection is answered", || at.fleet("collect --json").code == 0);
    at.expect_collected(5);
    // A server that was started again may answer before it has caught up with the others.
    wait_until("nothing is lost", || {
        at.missing(&workers.each_ref()).inspect(|gain| eprintln!("not there yet: {gain}")).is_none()
    });
}
