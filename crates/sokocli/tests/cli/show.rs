//! What `show` draws.

use crate::cmd::{Desk, T2};

/// Two players; then a hole in the border.
const BAD: &str = "A\n\n######\n#@$ .#\n#  @ #\n######\n\nB\n\n######\n#@$ . \n#    #\n######\n";

#[test]
fn a_board_with_coordinates_and_dead_squares() {
    let done = Desk::with(T2).soko("show levels.sok").expect(0);
    let picture = "1. T2\n  123456\n1 ######\n2 ##xxx#\n3 #@$ $#\n4 #.  .#\n5 ######\n";
    assert!(done.stdout.starts_with(picture), "{}", done.stdout);
    for text in ["6 x 5, 2 boxes, 2 goals", "11 squares, 4 dead", "3 pushes or more, odd", "1 solution, best 16/3"] {
        assert!(done.stdout.contains(text), "'{text}' is missing in:\n{}", done.stdout);
    }
}

#[test]
fn other_marks() {
    let desk = Desk::with("#########\n#   #   #\n#@$    .#\n#   #   #\n#########\n");
    let shown = |mark: &str| desk.soko(&format!("show levels.sok --mark {mark}")).expect(0).stdout;
    let rooms = shown("rooms");
    assert!(rooms.contains("2 #aaa#ccc#\n3 #@$a cc.#\n4 #aaa#ccc#") && rooms.contains("2 rooms"), "{rooms}");
    assert!(shown("reach").contains("2 #---#---#\n3 #@$----.#"), "{}", shown("reach"));
    assert!(shown("none").contains("2 #   #   #\n3 #@$    .#"));
    assert!(shown("numbers").contains("2 #   #   #\n3 #@1    .#"), "{}", shown("numbers"));
    assert!(shown("region,numbers").contains("2 #---#---#\n3 #@1----.#"), "{}", shown("region,numbers"));
    let colored = desk.soko("show levels.sok --mark goals --color always").expect(0).stdout;
    assert!(colored.contains("\u{1b}[1;36m.\u{1b}[0m"), "{colored}");
    assert_eq!(desk.soko("show levels.sok --mark walls").code, 2);
    assert_eq!(desk.soko("show levels.sok --levels 2").code, 2);
}

#[test]
fn faults_are_pointed_at() {
    let done = Desk::with(BAD).soko("show levels.sok").expect(1).says(&["level 1 \"A\"", "keep one", "border is open"]);
    assert!(done.stdout.contains("2 #@$ .#\n   ^\n3 #  @ #\n     ^\n"), "{}", done.stdout);
    assert!(done.stdout.contains("2 #@$ .\n       ^\n"), "{}", done.stdout);
}

#[test]
fn one_json_line_a_level() {
    let lines = Desk::with(format!("{T2}\n{BAD}")).soko("show levels.sok --json").expect(1).lines("show");
    assert_eq!(lines.len(), 3);
    let first = &lines[0];
    assert_eq!((&first["type"], &first["level"], &first["title"]), (&"show".into(), &1.into(), &"T2".into()));
    assert_eq!(first["board"][2], "#@$ $#");
    assert_eq!(first["dead_squares"], serde_json::json!([[2, 3], [2, 4], [2, 5], [3, 2]]));
    assert_eq!(first["push_lower_bound"], 3);
    assert_eq!(first["push_parity"], "odd");
    assert_eq!(first["best_pushes"]["moves"], 16);
    assert_eq!(lines[1]["marked"], serde_json::json!([[2, 2], [3, 4]]));
    assert!(lines[2]["error"].as_str().unwrap().contains("border is open"));
}
