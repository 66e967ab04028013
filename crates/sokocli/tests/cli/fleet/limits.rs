//! Limits of the server: its storage, and the size of its messages.

use sokofleet::testing::ServerKnobs;

use super::desk::FleetDesk;
use crate::cmd::{T2, room_levels};

fn at(settings: &str) -> Option<FleetDesk> {
    let at = FleetDesk::with(ServerKnobs::default().with_settings(settings))?;
    at.desk.write("rooms.sok", room_levels(60));
    at.desk.write("t2.sok", T2);
    Some(at)
}

#[test]
fn storage_that_is_full_is_said_and_what_is_there_is_shown() {
    let Some(mut at) = at("jetstream { max_file: 20KB }") else { return };
    let full = ["the server's storage is full (", "raise max_file_store in its settings"];
    at.fleet("submit rooms.sok").expect(1).says(&full);
    at.fleet("status").expect(0);
    at.fleet("submit t2.sok").expect(1).says(&full);
    // With more of it the same command does the rest.
    at.servers[0].start_again_with("jetstream { max_file: 20MB }").unwrap();
    let rest = at.fleet("submit rooms.sok").expect(0).stdout;
    assert!(rest.starts_with("fleet soko: 60 levels, ") && !rest.contains("all new"), "{rest}");
    let again = at.fleet("submit rooms.sok").expect(0).stdout;
    assert_eq!(again, "fleet soko: 60 levels, 0 new; 0 items opened\n");
}

#[test]
fn a_server_without_files_or_without_jetstream_is_told_what_it_needs() {
    let Some(memory) = at("jetstream { max_mem: 64MB, max_file: 0 }") else { return };
    memory.fleet("submit t2.sok").expect(1).says(&["cannot make a stream: the server's storage is full"]);
    let Some(none) = FleetDesk::with(ServerKnobs::default().with_jetstream(false)) else { return };
    none.fleet("status").expect(1).says(&["has no JetStream for this account", "start it with `nats-server -js`"]);
}

#[test]
fn small_messages_are_enough() {
    let Some(at) = at("max_payload: 4000") else { return };
    at.fleet("submit rooms.sok t2.sok").expect(0);
    let worked = at.worker("attic", "--for 2s").wait();
    assert!(worked["slices"].as_u64().unwrap() > 0 && worked["waiting"] == 0, "{worked}");
    at.fleet("collect -o found.sok").expect(0);
    let verified = at.desk.soko("verify found.sok").expect(0).stdout;
    assert!(verified.contains("61 levels") && verified.contains("nothing wrong"), "{verified}");
}
