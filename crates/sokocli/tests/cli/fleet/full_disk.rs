//! A server whose disk is full while workers find things.

use std::fs;

use sokofleet::testing::ServerKnobs;

use crate::cmd::{Desk, hard_level, room_levels};
use crate::fleet::desk::FleetDesk;
use crate::fleet::name_space::NameSpace;
use crate::fleet::skipped;

#[test]
fn what_is_found_while_the_servers_disk_is_full_waits_and_is_delivered() {
    let desk = Desk::new();
    let disk = desk.path("disk").display().to_string();
    let place = match NameSpace::mounts(&format!("mkdir {disk} && mount -t tmpfs -o size=4m none {disk}")) {
        Ok(place) => place,
        Err(why) => return skipped(&format!("no file system can be mounted here: {why}")),
    };
    let Some(mut at) = FleetDesk::with(ServerKnobs::default().with_files(&disk).within(place.enter())) else { return };
    at.desk = desk;
    at.desk.write("long.sok", hard_level());
    at.desk.write("rooms.sok", room_levels(100));
    at.fleet("submit rooms.sok long.sok --patience 2s").expect(0);
    // Several threads: what some of them are finding at that moment cannot be delivered.
    let worker = at.worker("attic", "--threads 4");
    worker.wait_for(4, "slice");
    place.run(&format!("dd if=/dev/zero of={disk}/filler bs=4096 2>/dev/null || true")).unwrap();
    worker.wait_for(1, "trouble");
    at.fleet("status").expect(1).says(&["does not answer", "its disk is full"]);
    at.servers[0].kill();
    place.run(&format!("mount -o remount,size=64m {disk}")).unwrap();
    at.servers[0].start_again().unwrap();
    worker.wait_for(1, "recovered");
    worker.wait_for(4, "slice");
    assert_eq!(worker.end()["waiting"], 0);
    let left = fs::read_dir(at.desk.path("spool-attic")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "what waited on the disk of the worker was delivered");
    at.expect_nothing_lost(&[&worker]);
    at.fleet("collect -o found.sok").expect(0);
    at.desk.soko("verify found.sok").expect(0);
}
