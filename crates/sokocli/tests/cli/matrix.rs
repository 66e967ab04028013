//! `--algorithm`, `--direction` and `--optimal` in every combination: the right answer, or a refusal that says why.

use crate::cmd::Desk;

/// Two small levels: fewest pushes, moves of those with fewest pushes, fewest moves, pushes of those with fewest moves.
const LEVELS: [(&str, [u64; 4]); 2] = [
    ("######\n##   #\n#@$ $#\n#.  .#\n######", [3, 14, 12, 5]),
    ("#######\n#     #\n# * # #\n# @$  #\n# # * #\n#.   ##\n#######", [4, 20, 18, 6]),
];

/// Each algorithm, and whether it proves without being asked to.
const ALGORITHMS: [(&str, bool); 9] = [
    ("portfolio", false),
    ("compact", false),
    ("a-star-both", true),
    ("bfs", true),
    ("iddfs", true),
    ("a-star", true),
    ("ida-star", true),
    ("greedy", false),
    ("dfs", false),
];

const DIRECTIONS: [Option<&str>; 4] = [None, Some("forward"), Some("backward"), Some("both")];
const METRICS: [Option<&str>; 5] = [None, Some("pushes"), Some("moves"), Some("pushes/moves"), Some("moves/pushes")];

/// What the refusal says; `None` if the combination is fine.
fn refusal((algorithm, proves): (&str, bool), direction: Option<&str>, optimal: Option<&str>) -> Option<&'static str> {
    if ["portfolio", "compact", "a-star-both"].contains(&algorithm) && direction.is_some() {
        return Some("--direction goes with --algorithm bfs");
    }
    let can_prove = match algorithm {
        "portfolio" => true,
        "compact" => optimal.is_none_or(|optimal| !optimal.contains('/')),
        _ => proves || optimal.is_none(),
    };
    (!can_prove).then_some("leave --algorithm out, or use one of bfs, iddfs, a-star, ida-star")
}

/// What is wrong with one line of the answer.
fn wrong(line: &serde_json::Value, best: [u64; 4], optimal: Option<&str>, is_proof: bool) -> Option<String> {
    let [moves, pushes] = ["moves", "pushes"].map(|name| line["metrics"][name].as_u64().unwrap_or(0));
    let [least_pushes, then_moves, least_moves, then_pushes] = best;
    let is_right = match optimal.filter(|_| is_proof) {
        Some("moves") => moves == least_moves,
        Some("pushes/moves") => (pushes, moves) == (least_pushes, then_moves),
        Some("moves/pushes") => (moves, pushes) == (least_moves, then_pushes),
        Some(_) => pushes == least_pushes,
        None => pushes >= least_pushes && moves >= least_moves,
    };
    (!is_right || line["proved"] != is_proof).then(|| format!("{moves}/{pushes}, proved: {}", line["proved"]))
}

#[test]
fn every_combination_is_right_or_refused() {
    let desk = Desk::with(LEVELS.map(|(rows, _)| format!("A level\n\n{rows}\n")).join("\n"));
    let mut failures = Vec::new();
    for algorithm in ALGORITHMS {
        for (direction, optimal) in DIRECTIONS.iter().flat_map(|&direction| METRICS.map(|optimal| (direction, optimal)))
        {
            let option =
                |name: &str, value: Option<&str>| value.map_or_else(String::new, |value| format!(" --{name} {value}"));
            let options =
                format!("--algorithm {}{}{}", algorithm.0, option("direction", direction), option("optimal", optimal));
            let done = desk.soko(&format!("solve levels.sok -o out.sok --force --raw --json --threads 1 {options}"));
            if let Some(reason) = refusal(algorithm, direction, optimal) {
                if done.code != 2 || !done.stderr.contains(reason) {
                    failures.push(format!("{options}: {} {}", done.code, done.stderr));
                }
                continue;
            }
            let is_proof = algorithm.1 || optimal.is_some();
            let metrics = if is_proof { optimal.or(Some("pushes")) } else { None };
            for (line, (_, best)) in done.expect(0).results().iter().zip(LEVELS) {
                failures.extend(wrong(line, best, metrics, is_proof).map(|wrong| format!("{options}: {wrong}")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
