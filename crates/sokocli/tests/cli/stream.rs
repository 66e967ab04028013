//! `solve --results`: files read as they are reached, a line for each level.

use serde_json::Value;

use crate::cmd::Desk;

const LEVELS: [&str; 3] = ["######\n#@$ .#\n######", "######\n##   #\n#@$ $#\n#.  .#\n######", "#####\n#.$@#\n#####"];

/// Three files in a folder: solvable levels, a dead one, a board that is no level; and one without levels.
fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("set")).unwrap();
    let boxoban = |levels: &[&str]| {
        levels.iter().enumerate().map(|(number, rows)| format!("; {number}\n{rows}\n\n")).collect::<String>()
    };
    desk.write("set/000.txt", boxoban(&LEVELS));
    desk.write("set/001.txt", boxoban(&["######\n#$@ .#\n######", "#####\n#@$.\n#####", LEVELS[0]]));
    desk.write("set/002.txt", boxoban(&LEVELS));
    desk
}

/// What the results are, by file and number in it.
fn results(text: &str) -> Vec<(String, u64, String)> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    let result = |line: Value| (text(&line, "file"), line["number_in_file"].as_u64().unwrap(), text(&line, "result"));
    lines.filter(|line| line["type"] == "result").map(result).collect()
}

#[test]
fn every_level_of_a_folder_has_a_line_in_its_place() {
    let desk = desk();
    let done = desk.soko("solve set missing.txt --optimal pushes --results all.jsonl --threads 2").expect(1);
    let done = done.says(&["missing.txt", "border is open", "7 of 9 levels solved, 7 proved optimal, 1 unsolvable"]);
    assert_eq!(done.stdout, "");
    let text = desk.read("all.jsonl");
    let proved = "proved optimal";
    let words = [proved, proved, proved, "unsolvable", "bad board", proved, proved, proved, proved];
    let expect: Vec<_> = words
        .iter()
        .enumerate()
        .map(|(at, word)| (format!("set/00{}.txt", at / 3), at as u64 % 3 + 1, (*word).to_owned()))
        .collect();
    assert_eq!(results(&text), expect);
    let summary: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!([&summary["levels"], &summary["solved"], &summary["bad_boards"]], [9, 7, 1]);
    let run: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&run["levels"], run["files"].as_array().unwrap().len()), (&Value::Null, 4));
    assert_eq!(desk.files().iter().filter(|name| name.ends_with(".sok")).count(), 0, "nothing else is written");
}

#[test]
fn a_run_is_resumed_where_its_file_ends() {
    let desk = desk();
    desk.soko("solve set --results all.jsonl --quiet").expect(1);
    let whole = desk.read("all.jsonl");
    // A run that was killed: five results, and a part of the next one.
    let cut: usize = whole.split_inclusive('\n').take(6).map(str::len).sum();
    desk.write("part.jsonl", &whole[..cut + 20]);
    desk.soko("solve set --results part.jsonl --resume").expect(0).says(&["5 levels in the file before"]);
    assert_eq!(results(&desk.read("part.jsonl")), results(&whole));
    desk.soko("solve set --results part.jsonl").expect(2).says(&["--resume continues it"]);
    desk.soko("solve set --results part.sok").expect(2).says(&[".jsonl or .csv"]);
}

#[test]
fn results_are_csv_by_name_or_on_standard_output() {
    let desk = desk();
    desk.soko("solve set --results all.csv --unordered --levels 1-4").expect(0);
    let text = desk.read("all.csv");
    let mut rows: Vec<_> = text.lines().skip(1).map(|row| row.split(',').take(3).collect::<Vec<_>>()).collect();
    rows.sort();
    let file = "set/000.txt";
    assert_eq!(rows, [[file, "1", "1"], [file, "2", "2"], [file, "3", "3"], ["set/001.txt", "4", "1"]]);
    desk.soko("solve set --results all.csv --resume --levels 1-5 --quiet").expect(1);
    assert_eq!(desk.read("all.csv").lines().count(), 6);
    let done = desk.soko("solve set/000.txt --results - --csv").expect(0);
    assert_eq!(done.stdout.lines().count(), 4);
    assert!(done.stdout.starts_with("file,level,number_in_file,"));
}

/// With one thread for each level all counts are those of any other run.
#[test]
fn counts_are_the_same_in_every_run() {
    let desk = desk();
    let counts = |threads: usize| {
        let done = desk.soko(&format!("solve set --optimal moves --results - --threads {threads}")).expect(1);
        let counts = |line: Value| (line["work"].clone(), line["statistics"].clone(), line["solution"].clone());
        done.results().into_iter().map(counts).collect::<Vec<_>>()
    };
    let one = counts(1);
    assert_eq!(one, counts(2));
    let deadlocks: Vec<_> = one.iter().filter_map(|(_, statistics, _)| statistics["deadlocks"].as_object()).collect();
    assert!(!deadlocks.is_empty() && deadlocks.iter().all(|kinds| kinds.contains_key("dead_squares")), "{one:?}");
}

/// Levels that take a while, one after the other.
#[cfg(unix)]
#[test]
fn a_terminal_shows_how_far_it_is() {
    let desk = desk();
    let hall = "################\n#      #       #\n# $ $  #  $ $  #\n#  $ $   $ $   #\n#      #   $   #\n\
                ### ####### ####\n#      #       #\n# ...    ...   #\n# ...  #    @  #\n################";
    desk.write("set/003.txt", format!("; 0\n{hall}\n"));
    let line = "solve set --optimal moves --time 2 --threads 1 --results all.jsonl";
    let Some(mut session) = crate::terminal_session::TerminalSession::start(&desk, line) else { return };
    session.expect(&["9 of 10 levels · 7 solved · ", " a second · ", " left"]);
    let (code, screen) = session.end();
    let shown = screen.screen().contents();
    assert!(code == 1 && shown.contains(" of 10 levels solved") && !shown.contains(" a second"), "{code} {shown}");
    assert_eq!(results(&desk.read("all.jsonl")).len(), 10);
}
