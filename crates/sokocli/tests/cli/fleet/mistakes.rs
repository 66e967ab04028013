//! What is asked for wrongly is answered with what to do.

use super::desk::FleetDesk;
use crate::cmd::room_levels;

#[test]
fn a_wrong_command_line_says_what_to_do() {
    let Some(at) = FleetDesk::new() else { return };
    let nothing = at.fleet("submit nothing.sok --library none.sqlite").expect(2).stderr;
    assert!(nothing.contains("there is no file nothing.sok, and no library with such a collection"), "{nothing}");
    let nowhere = at.desk.soko("fleet status --nats nats://127.0.0.1:1").expect(1).stderr;
    assert!(nowhere.contains("cannot reach the server at 127.0.0.1:1"), "{nowhere}");
    let name = at.desk.soko("fleet status --fleet a.b").expect(2).stderr;
    assert!(name.contains("'a.b' is no name: use letters, digits, '-' and '_', at most 40"), "{name}");
    at.desk.write("one.sok", room_levels(1));
    at.fleet("submit one.sok").expect(0);
    let place = at.fleet("collect").expect(2).stderr;
    assert!(place.contains("say where to: -o FILE, --library, or --json"), "{place}");
}
