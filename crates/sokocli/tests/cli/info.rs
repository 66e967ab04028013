//! What `info` says.

use crate::cmd::{Desk, T2};

#[test]
fn the_facts_of_a_level() {
    let desk = Desk::with(format!("{T2}\nSolution 2\nRurrDLulDrdL\n"));
    let lines = desk.soko("info levels.sok --json").expect(0).lines("info");
    let [line] = &lines[..] else { panic!("one line in {lines:?}") };
    for (key, number) in [("width", 6), ("height", 5), ("boxes", 2), ("goals", 2), ("floor_squares", 11)] {
        assert_eq!(line[key].as_u64(), Some(number), "{key}");
    }
    assert_eq!(line["push_parity"], "odd");
    assert_eq!(line["push_lower_bound"].as_u64(), Some(3));
    assert_eq!(line["solutions"].as_u64(), Some(2));
    assert_eq!((line["best_moves"]["moves"].as_u64(), line["best_pushes"]["pushes"].as_u64()), (Some(12), Some(3)));
    let table = desk.soko("info levels.sok").expect(0).stdout;
    assert!(table.contains("12/5") && table.contains("16/3"), "{table}");
}

#[test]
fn faults_and_csv() {
    let levels = [
        "T2|######|##   #|#@$ $#|#.  .#|######",
        "Open|#####|#@$.|#####",
        "Sealed|########|#@$.#$.#|########",
        "Circle|######|# *@ #|#    #|######",
    ];
    let desk = Desk::with(levels.map(|level| level.replace('|', "\n") + "\n").join("\n"));
    let done = desk.soko("info levels.sok --csv").expect(1);
    let lines: Vec<_> = done.stdout.lines().collect();
    assert!(
        lines[0].starts_with("file,level,title,width,height,boxes,goals,") && lines[0].contains(",push_lower_bound,"),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("levels.sok,1,T2,6,5,2,2,11,"), "{}", lines[1]);
    assert!(
        lines[2].ends_with(",\"bad board: the border is open at row 2, column 5; close it with #\""),
        "{}",
        lines[2]
    );
    assert!(lines[3].contains("unsolvable: the box at row 2, column 6"), "{}", lines[3]);
    assert!(lines[4].ends_with(",solved at the start"), "{}", lines[4]);
    let json = desk.soko("info levels.sok --json").expect(1).lines("info");
    assert_eq!((&json[1]["fault"], &json[2]["fault"]), (&"bad board".into(), &"unsolvable".into()));
    assert_eq!(json[3]["solved_at_start"], true);
}
