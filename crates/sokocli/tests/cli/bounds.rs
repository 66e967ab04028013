//! Lower bounds and gaps: what `info` and `optimize` say, and what is noted in files.

use crate::cmd::{Desk, T2, hard_level};

/// The best of this level are 12 moves and 3 pushes.
#[test]
fn info_tells_bounds_gaps_and_notes() {
    let desk = Desk::with(T2);
    let line = desk.soko("info levels.sok --json").expect(0).lines("info").remove(0);
    let bound = line["move_lower_bound"].as_u64().unwrap();
    assert!((4..=12).contains(&bound), "{line}");
    assert_eq!(line["pushes_gap_percent"], 0.0);
    assert!(line["moves_gap_percent"].as_f64() > Some(33.0) && line["proofs"].as_array().unwrap().is_empty(), "{line}");
    desk.write("noted.sok", format!("{T2}Proved: at least 11 moves, Soko 0.1.0\nProved: at least 17 moves\n"));
    let line = desk.soko("info noted.sok --json").expect(0).lines("info").remove(0);
    assert_eq!(line["move_lower_bound"], 11);
    assert_eq!(line["proofs"], serde_json::json!(["Proved: at least 11 moves, Soko 0.1.0"]));
    let table = desk.soko("info noted.sok").expect(0).stdout;
    assert!(table.contains("moves gap") && table.contains("45.5 %"), "{table}");
}

/// A note that another solution of the level contradicts is void.
#[test]
fn a_wrong_note_is_not_believed() {
    let desk = Desk::with(format!("{T2}Proved: at least 14 moves\n\nSolution 12/5\nRurrDLulDrdL\n"));
    let line = desk.soko("info levels.sok --json").expect(0).lines("info").remove(0);
    assert!(line["move_lower_bound"].as_u64() <= Some(12), "{line}");
}

#[test]
fn optimize_raises_bounds_and_notes_them() {
    let desk = Desk::with(hard_level());
    let line = "optimize levels.sok -o out.sok --bound=50% --work 400000 --threads 1 --json";
    let done = desk.soko(line).expect(0);
    let results = done.results();
    for (result, metric) in results.iter().zip(["moves", "pushes"]) {
        let (bound, best) = (result["lower_bound"].as_u64().unwrap(), result["after"][metric].as_u64().unwrap());
        assert!(0 < bound && bound <= best, "{result}");
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let gap = (best - bound) as f64 * 100.0 / bound as f64;
        assert!((result["gap_percent"].as_f64().unwrap() - gap).abs() < 1e-9, "{result}");
    }
    let out = desk.read("out.sok");
    let notes: Vec<_> = out.lines().filter(|line| line.starts_with("Proved: ")).collect();
    assert_eq!(notes.len(), 2, "{out}");
    desk.soko("verify out.sok").expect(0);
    let info = desk.soko("info out.sok --json").expect(0).lines("info").remove(0);
    assert!(info["move_lower_bound"].as_u64() >= results[0]["lower_bound"].as_u64(), "{info}");
    assert!(info["push_lower_bound"].as_u64() >= results[1]["lower_bound"].as_u64(), "{info}");
}

/// With `--bound` people see bounds; without it programs alone do.
#[test]
fn columns_of_bounds_are_there_when_asked_for() {
    let desk = Desk::with(T2);
    let plain = desk.soko("optimize levels.sok --no-output --threads 1").expect(0).stdout;
    assert!(!plain.contains("at least"), "{plain}");
    let table = desk.soko("optimize levels.sok --no-output --threads 1 --bound").expect(0).stdout;
    assert!(table.contains("at least") && table.contains("0.0 %"), "{table}");
    let csv = desk.soko("optimize levels.sok --no-output --threads 1 --csv").expect(0).stdout;
    assert!(csv.contains(",lower_bound,gap_percent,") && csv.contains(",12,0.000,"), "{csv}");
    desk.soko("optimize levels.sok --no-output --bound=0%").expect(2).says(&["no share"]);
    desk.soko("optimize levels.sok --no-output --bound --keep-end").expect(2);
}
