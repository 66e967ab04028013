//! Several processes on one library at a time.

use std::process::Child;

use crate::cmd::{Desk, Done, T2, room_levels};

#[test]
fn several_processes_use_one_library() {
    let desk = Desk::with(room_levels(40));
    for part in 0..4 {
        desk.write(&format!("part{part}.sok"), room_levels(10 * (part + 1)));
    }
    desk.write("solved.sok", T2);
    desk.soko("library --library my.sqlite add solved.sok").expect(0);
    let lines = [
        "library --library my.sqlite add part0.sok part1.sok",
        "library --library my.sqlite add part2.sok part3.sok",
        "library --library my.sqlite add levels.sok",
        "solve levels.sok --library my.sqlite --time 5s --total-time 10s --no-output",
        "optimize solved.sok --library my.sqlite --time 5s -o out.sok",
        "night solved.sok --library my.sqlite --for 2s",
        "library --library my.sqlite compact",
        "library --library my.sqlite export solved -o export.sok",
        "library --library my.sqlite check",
        "library --library my.sqlite list",
    ];
    let children: Vec<Child> = lines.iter().map(|line| desk.start(line)).collect();
    for (line, child) in lines.iter().zip(children) {
        let done = Done::of(child.wait_with_output().unwrap());
        assert_eq!(done.code, 0, "{line}\n{}{}", done.stdout, done.stderr);
    }
    desk.soko("library --library my.sqlite check").expect(0);
    let list = desk.soko("library --library my.sqlite list --json").expect(0);
    let summary = list.summary();
    // The last part and the whole are the same text.
    assert_eq!((&summary["levels"], &summary["collections"]), (&41.into(), &5.into()), "{summary}");
    let solved = list.lines("collection").into_iter().find(|line| line["collection"] == "solved").unwrap();
    assert_eq!((&solved["moves"], &solved["pushes"]), (&12.into(), &3.into()));
    desk.soko("verify export.sok out.sok").expect(0);
}
