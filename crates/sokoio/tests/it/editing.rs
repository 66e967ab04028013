//! Edits, byte for byte: where a solution goes, what it looks like there, and that nothing else moves.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sokocore::{Direction, Lurd, Metrics, Step, replay};
use sokoio::{Collection, EditError, SolutionKind, SolutionTitle};

const BOARD: &str = "######\n#@$ .#\n######\n";

fn title(kind: SolutionKind) -> SolutionTitle {
    SolutionTitle::new(kind, Metrics::count(&[Step::Push(Direction::Right); 2])).with_first_metrics(2)
}

fn lurd(text: &str) -> Lurd {
    text.parse().unwrap()
}

/// `[+]` in the expected text is where the solution was inserted into the text without it.
fn check(marked: &str, level: usize, inserted: &str) {
    let marked = marked.replace("[B]\n", BOARD);
    let mut collection = Collection::parse(marked.replace("[+]", "").as_bytes());
    collection.add_solution(level, &title(SolutionKind::Best), &lurd("RR"), &[]).unwrap();
    let text = String::from_utf8(collection.to_bytes().to_vec()).unwrap();
    assert_eq!(text, marked.replace("[+]", inserted));
}

#[test]
fn a_solution_goes_below_the_last_game() {
    let inserted = "\nBest Solution 2/2\nRR\n";
    check("[B]\n[+]", 0, inserted);
    check("[B]\n[+]\n[B]\n", 0, inserted);
    check("[B]\nTitle: A\n[+]\n[B]\nTitle: B\n", 0, inserted);
    check("[B]\nTitle: A\n\n[B]\nTitle: B\n[+]\n", 1, inserted);
    check("[B]\n\nSolution 3/2\nlrRR\nSolver: X\n[+]\nName\n\n[B]\n", 0, inserted);
    check("[B]\n\nSolution 3/2\nlrRR\n[+]\n\nTitle: B\nAuthor: X\n[B]\n", 0, inserted);
}

#[test]
fn blank_lines_and_line_breaks_are_added_where_missing() {
    check("[B]\nnote\nnote\n[+][B]\n", 0, "\nBest Solution 2/2\nRR\n\n");
    check("[B]\n[+]Name\n[B]\n", 0, "\nBest Solution 2/2\nRR\n\n");
    check("[B]\nSolution\nlrRR[+]", 0, "\n\nBest Solution 2/2\nRR\n");
    let quoted: String = BOARD.lines().map(|line| format!("> {line}\n")).collect();
    check(&format!("{quoted}[+]"), 0, ">\n> Best Solution 2/2\n> RR\n");
    let crlf = BOARD.replace('\n', "\r\n");
    check(&format!("{crlf}[+]\r\nEnd\r\n{crlf}"), 0, "\r\nBest Solution 2/2\r\nRR\r\n");
}

/// Two rows with a player and, below floor alone, a board with one are text and a level; without one of the rows all of
/// it is one board. A game must not go between them.
#[test]
fn rows_that_would_join_a_board_refuse_an_edit() {
    let text = format!("{BOARD}note\n#@$ .#\n######\n- _\n{BOARD}");
    let collection = Collection::parse(text.as_bytes());
    assert_eq!(collection.levels().len(), 2);
    let mut edited = collection.clone();
    let added = edited.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]);
    assert_eq!(added, Err(EditError::Ambiguous { level: 1 }));
    assert_eq!(edited.to_bytes(), text.as_bytes());
    let mut edited = collection;
    edited.add_solution(1, &title(SolutionKind::Best), &lurd("RR"), &[]).unwrap();
    assert_eq!(edited.to_string(), format!("{text}\nBest Solution 2/2\nRR\n"));
}

#[test]
fn long_moves_are_wrapped_and_notes_follow() {
    let mut collection = Collection::parse(BOARD.as_bytes());
    let moves = lurd(&format!("{}RR", "lr".repeat(40)));
    let notes = ["Solver: Soko", "Title: x", "free text\nin two lines", "lurD"].map(String::from);
    collection.add_solution(0, &title(SolutionKind::Plain), &moves, &notes).unwrap();
    let text = String::from_utf8(collection.to_bytes().to_vec()).unwrap();
    let expect = format!(
        "{BOARD}\nSolution 2/2\n{}\n{}RR\nSolver: Soko\n; Title: x\n; free text\n; in two lines\n; lurD\n",
        "lr".repeat(35),
        "lr".repeat(5)
    );
    assert_eq!(text, expect);
}

#[test]
fn equal_titles_get_numbers() {
    let mut collection = Collection::parse(BOARD.as_bytes());
    for expect in ["Best Solution 2/2", "Best Solution 2/2 (2)", "Best Solution 2/2 (3)"] {
        let game = collection.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]).unwrap();
        assert_eq!(collection.levels()[0].games()[game].title(), Some(expect));
    }
    collection.retitle(0, 1, &title(SolutionKind::Plain)).unwrap();
    collection.retitle(0, 2, &title(SolutionKind::Plain)).unwrap();
    collection.retitle(0, 2, &title(SolutionKind::Plain)).unwrap();
    let titles: Vec<_> = collection.levels()[0].games().iter().filter_map(|game| game.title()).collect();
    assert_eq!(titles, ["Best Solution 2/2", "Solution 2/2", "Solution 2/2 (2)"]);
}

#[test]
fn a_best_solution_is_dethroned() {
    for (old, new) in [
        ("\n  Best Solution 4/2 (X)  \nlrRR\n", "\n  Solution 4/2 (X)  \nlrRR\n"),
        ("\nBest Solution: lrRR\n", "\nSolution\nlrRR\n"),
        ("\r\nBest Solution\r\n\r\nlrRR", "\r\nSolution\r\n\r\nlrRR"),
    ] {
        let mut collection = Collection::parse(format!("{BOARD}{old}").as_bytes());
        let found = collection.levels()[0].games()[0].title().and_then(SolutionTitle::parse).unwrap();
        assert_eq!(found.kind(), SolutionKind::Best);
        collection.retitle(0, 0, &found.with_kind(SolutionKind::Plain)).unwrap();
        assert_eq!(String::from_utf8_lossy(&collection.to_bytes()), format!("{BOARD}{new}"));
    }
    let mut bare = Collection::parse(format!("{BOARD}\n lrRR\nRR\n").as_bytes());
    bare.retitle(0, 0, &title(SolutionKind::Plain)).unwrap();
    assert_eq!(String::from_utf8_lossy(&bare.to_bytes()), format!("{BOARD}\n Solution 2/2\nlrRR\nRR\n"));
}

#[test]
fn impossible_edits_change_nothing() {
    let text = format!("{BOARD}\nSolution\nRR\n");
    let mut collection = Collection::parse(text.as_bytes());
    let best = title(SolutionKind::Best);
    let added = |collection: &mut Collection, level, moves| collection.add_solution(level, &best, &lurd(moves), &[]);
    assert_eq!(added(&mut collection, 1, "RR"), Err(EditError::NoLevel { number: 2, n_levels: 1 }));
    assert_eq!(added(&mut collection, 0, ""), Err(EditError::NoMoves));
    assert_eq!(collection.retitle(0, 1, &best), Err(EditError::NoGame { level: 1, number: 2, n_games: 1 }));
    assert_eq!(collection.to_bytes(), text.as_bytes());
}

#[test]
fn an_ambiguous_edit_is_refused() {
    let text = format!("{BOARD}Solution #1\\nRR\n");
    let mut collection = Collection::parse(text.as_bytes());
    assert_eq!(collection.levels()[0].games().len(), 1);
    let refused = collection.retitle(0, 0, &title(SolutionKind::Best));
    assert_eq!(refused, Err(EditError::Ambiguous { level: 1 }));
    assert_eq!(collection.to_bytes(), text.as_bytes());
    assert!(collection.levels()[0].level().is_ok());
}

proptest! {
    /// Whatever is added to well-formed files is there when they are read again, and replays.
    #[test]
    fn planted_solutions_are_found(
        titles in vec(select(vec!["", "Name\n\n", "Title: T\n"]), 1..6),
        ending in select(vec!["\n", "\r\n", "\r"]),
        planted in vec((any::<prop::sample::Index>(), 0_usize..80), 1..8),
    ) {
        let text: String = titles.iter().map(|title| format!("\n{title}{BOARD}\n")).collect();
        let mut collection = Collection::parse(text.replace('\n', ending).as_bytes());
        prop_assert_eq!(collection.levels().len(), titles.len());
        let mut expect = vec![Vec::new(); titles.len()];
        for (level, walks) in planted {
            let level = level.index(titles.len());
            let moves = lurd(&format!("R{}R", "lr".repeat(walks)));
            let solution = replay(collection.levels()[level].level().unwrap(), &moves).unwrap();
            let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics()).with_program("Soko");
            collection.add_solution(level, &title, &moves, &[String::from("Solver: Soko")]).unwrap();
            expect[level].push(moves);
        }
        let again = Collection::parse(&collection.to_bytes());
        for (entry, expect) in again.levels().iter().zip(expect) {
            let found: Vec<_> = entry.solutions().map(|(_, solution)| solution.unwrap().lurd().clone()).collect();
            prop_assert_eq!(found, expect);
        }
    }
}
