//! Runs over many levels: which levels, how many at a time, how long.

use std::time::Duration;

use sokosearch::Clock;

use crate::cmd::{Desk, T2, hard_level, room_levels};

/// Small levels of which all differ.
fn small_levels(n: usize) -> String {
    let level = |n: usize| format!("Level {n}\n\n{0}\n#@{1}$ .#\n{0}\n", "#".repeat(n + 6), " ".repeat(n));
    (1..=n).map(level).collect::<Vec<_>>().join("\n")
}

#[test]
fn levels_are_chosen_by_number_title_and_identity() {
    let desk = Desk::with(format!("{T2}\n{}", small_levels(12)));
    let chosen = |options: &str| -> Vec<String> {
        let lines = desk.soko(&format!("solve levels.sok --json {options}")).expect(0).json();
        let results = lines.iter().filter(|line| line["type"] == "result");
        results.map(|line| line["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(chosen("--levels 1,3"), ["T2", "Level 2"]);
    assert_eq!(chosen("--title t2"), ["T2"]);
    assert_eq!(chosen("--title level?1*"), ["Level 1", "Level 10", "Level 11", "Level 12"]);
    assert_eq!(chosen("--title T2 --levels 2"), ["T2", "Level 1"]);
    let id = desk.soko("info levels.sok --json").expect(0).json()[1]["id"].as_str().unwrap().to_owned();
    assert_eq!(chosen(&format!("--id {}", &id[..8])), ["T2"]);
    for (option, text) in [
        ("--levels 14", "there are only 13 levels"),
        ("--title nothing", "no level of the input is called"),
        ("--id 000000", "begins with 000000"),
        ("--id xyz", "hexadecimal"),
    ] {
        desk.soko(&format!("solve levels.sok {option}")).expect(2).says(&[text]);
    }
}

/// Results with one thread a level do not depend on how many levels run side by side, and come in order.
#[test]
fn jobs_change_nothing_but_the_time() {
    let desk = Desk::with(small_levels(30));
    let results = |options: &str| -> Vec<(u64, String)> {
        let lines = desk.soko(&format!("solve levels.sok --json --work 100000 {options}")).expect(0).json();
        let results = lines.iter().filter(|line| line["type"] == "result");
        results
            .map(|line| (line["level"].as_u64().unwrap(), line["solution"].to_string() + &line["work"].to_string()))
            .collect()
    };
    let one = results("--threads 1 --jobs 1");
    assert_eq!(one.len(), 30);
    assert!(one.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert_eq!(results("--threads 3 --jobs 3"), one);
    let mut unordered = results("--threads 3 --jobs 3 --unordered");
    unordered.sort();
    let mut sorted = one;
    sorted.sort();
    assert_eq!(unordered, sorted);
}

/// A level that is much larger than the others is begun again with all threads; everything is reported once, in order.
#[test]
fn a_large_level_among_small_ones() {
    let desk =
        Desk::with(format!("{}\n{}\n{}", small_levels(5), hard_level(), small_levels(7).replace("Level", "More")));
    let lines = desk.soko("solve levels.sok --json --time 2s --threads 2 --optimal moves").expect(0).json();
    let levels: Vec<_> =
        lines.iter().filter(|line| line["type"] == "result").map(|line| line["level"].as_u64()).collect();
    assert_eq!(levels, (1..=13).map(Some).collect::<Vec<_>>());
}

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    /// Review A10: small levels run side by side, so two threads are faster than one. How much faster depends on what
    /// else the machine does, but not that the levels' times add up to more than that of the run. The system may still
    /// give all of its processors to others for a moment, so the first of five tries that shows it will do. By this
    /// objective a level has no compact search, which would take less time than a thread to start.
    #[test]
    fn two_threads_run_small_levels_side_by_side() {
        let desk = Desk::with(room_levels(15));
        let overlap = |n_threads: usize| {
            let options = format!("solve levels.sok --json --optimal pushes/moves --threads {n_threads}");
            let lines = desk.soko(&options).expect(0).json();
            let seconds = |kind: &str| -> f64 {
                lines.iter().filter(|line| line["type"] == *kind).map(|line| line["seconds"].as_f64().unwrap()).sum()
            };
            seconds("result") / seconds("summary")
        };
        assert!(overlap(1) <= 1.0, "one after the other");
        let mut overlaps = Vec::new();
        let is_side_by_side = (0..5).any(|_| {
            overlaps.push(overlap(2));
            overlaps.last().is_some_and(|&overlap| overlap > 1.25)
        });
        assert!(is_side_by_side, "{overlaps:?}");
    }

    #[test]
    fn a_total_time_is_kept_and_used() {
        let desk = Desk::with(format!("{}\n{}", hard_level(), small_levels(10)));
        let clock = Clock::start();
        let done = desk.soko("optimize levels.sok -o out.sok --total-time 2s --threads 1 -vv").expect(0);
        let elapsed = clock.elapsed();
        assert!((Duration::from_millis(1500)..Duration::from_secs(6)).contains(&elapsed), "{elapsed:?}");
        assert!(done.stdout.contains("11 levels optimized"), "{}", done.stdout);
        // A later pass continues where the one before has ended.
        done.says(&["resuming"]);
        desk.soko("solve levels.sok --no-output --total-time 1s --optimal moves").expect(0);
        desk.soko("solve levels.sok --until 25:00").expect(2).says(&["07:00"]);
        desk.soko("solve levels.sok --until 07:00 --total-time 1h").expect(2);
    }
}

/// Review A5: a proof that takes too long still leaves a solution and a bound.
#[test]
fn optimal_is_anytime() {
    let desk = Desk::with(hard_level());
    let lines = desk.soko("solve levels.sok --json --optimal pushes --time 1s").expect(0).json();
    let result = lines.iter().find(|line| line["type"] == "result").unwrap();
    assert_eq!((&result["result"], &result["proved"]), (&"solved".into(), &false.into()), "{result}");
    let (bound, pushes) = (result["lower_bound"].as_u64().unwrap(), result["metrics"]["pushes"].as_u64().unwrap());
    assert!(bound > 0 && bound <= pushes && result["gap_percent"].as_f64().is_some(), "{result}");
    desk.soko("solve levels.sok -o out.sok --optimal pushes --time 500ms").expect(0);
    assert!(desk.read("out.sok").contains("Proved: at least "), "{}", desk.read("out.sok"));
}

/// What was proved is written with the solution, and not proved again.
#[test]
fn proofs_are_remembered() {
    let desk = Desk::with(T2);
    desk.soko("solve levels.sok --optimal pushes --into best.sok").expect(0);
    assert!(desk.read("best.sok").contains("Proved: fewest pushes (3)"), "{}", desk.read("best.sok"));
    let result = |line: &str| {
        let lines = desk.soko(line).expect(0).json();
        lines.into_iter().find(|line| line["type"] == "result").unwrap()
    };
    let again = result("solve best.sok --optimal pushes --json");
    assert_eq!(
        (&again["result"], &again["proved"], &again["work"]),
        (&"proved optimal".into(), &true.into(), &().into())
    );
    assert!(result("solve best.sok --optimal pushes --json --recheck")["work"].is_u64());
    assert!(result("solve best.sok --optimal moves --json")["work"].is_u64());
    desk.soko("optimize best.sok --objective moves --into best.sok").expect(1).says(&["is an input"]);
    desk.soko("optimize levels.sok --objective moves --into best.sok").expect(0);
    assert!(desk.read("best.sok").contains("Proved: best by moves"), "{}", desk.read("best.sok"));
    assert_eq!(result("optimize best.sok --objective moves --json")["ended_by"], "proved before");
    assert_eq!(result("optimize best.sok --objective moves --json --recheck")["ended_by"], "proved optimal");
    // A claim that does not fit its solution is void.
    desk.write("false.sok", desk.read("best.sok").replace("fewest pushes (3)", "fewest pushes (2)"));
    assert!(result("solve false.sok --optimal pushes --json")["work"].is_u64());
}

/// Review A9, A11, A12.
#[test]
fn nonsense_is_refused_before_anything_runs() {
    let desk = Desk::with(T2);
    for (options, text) in [
        ("--threads 100000", "1 to 256"),
        ("--jobs 0", "1 to 256"),
        ("--memory 1", "16MiB"),
        ("--memory 900TiB", "this machine has"),
        ("--pushes 100..400", "the solution has 3 pushes"),
        ("--avoid 100,100", "columns go from 1 to 6, rows from 1 to 5"),
        ("--time 0", "50ms"),
    ] {
        desk.soko(&format!("optimize levels.sok {options}")).expect(2).says(&[text]);
    }
    assert_eq!(desk.files(), ["levels.sok"]);
}
