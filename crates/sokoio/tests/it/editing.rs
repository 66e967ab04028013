//! Edits, byte for byte: where a solution goes, what it looks like there, and that nothing else moves.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sokocore::{Direction, Lurd, Metrics, Step, replay};
use sokoio::{Collection, EditError, Game, SolutionKind, SolutionTitle};

const BOARD: &str = "######\n#@$ .#\n######\n";

/// A board in one line, with the two characters `\\n` between its rows: all of the file is read again for each edit.
const ESCAPED: &str = "######\\n#@$ .#\\n######\n";

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

/// What a collection says of itself and its levels, but for lines.
fn summary(collection: &Collection) -> String {
    let game = |game: &Game| format!("{:?}={:?}{:?}", game.title(), game.moves().ok(), game.notes());
    let levels = collection.levels().iter().map(|level| {
        let games: Vec<_> = level.games().iter().map(game).collect();
        format!("{:?}", (level.title(), level.author(), level.notes(), level.board_rows(), games))
    });
    let levels: Vec<_> = levels.collect();
    format!("{:?} {:?} {:?} {levels:?}", collection.title(), collection.author(), collection.notes())
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

/// Line breaks of all kinds: a second solution with a note, which is no heading of the board below.
#[test]
fn solutions_with_notes_follow_one_another() {
    for line_break in ["\n", "\r\n", "\r"] {
        let text = format!("Name\n\n{BOARD}\nName\n\n{BOARD}").replace('\n', line_break);
        let mut collection = Collection::parse(text.as_bytes());
        for notes in [["A note."], [";;;;"], [";;;;"]] {
            collection.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &notes.map(String::from)).unwrap();
        }
        let games = Collection::parse(&collection.to_bytes()).levels()[0].games().to_vec();
        let notes: Vec<_> = games.iter().map(|game| game.notes().join(" ")).collect();
        assert_eq!(notes, ["; A note.", "; ;;;;", "; ;;;;"], "{line_break:?}");
    }
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

/// The title of the game that is about to change does not count.
#[test]
fn titles_that_the_file_has_are_taken() {
    let best = title(SolutionKind::Best);
    let text = format!("{BOARD}\nBest Solution 2/2\nRR\n\nBest Solution 2/2 (2)\nlrRR\n");
    let mut collection = Collection::parse(text.as_bytes());
    for (except, number) in [(None, 3), (Some(0), 1), (Some(1), 2)] {
        assert_eq!(collection.levels()[0].unique_title(&best, except).number(), number, "{except:?}");
    }
    collection.add_solution(0, &best, &lurd("rlRR"), &[]).unwrap();
    assert_eq!(collection.to_string(), format!("{text}\nBest Solution 2/2 (3)\nrlRR\n"));
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

/// Names that a reader takes for moves or a line break.
#[test]
fn what_would_be_read_as_something_else_is_refused() {
    let plain = title(SolutionKind::Plain);
    for text in [format!("{BOARD}\n{BOARD}"), format!("{BOARD}\n{ESCAPED}")] {
        let mut collection = Collection::parse(text.as_bytes());
        for n_games in 0..2 {
            let before = (collection.to_string(), summary(&collection));
            for name in ["x:RR", "#x\\n0r"] {
                let named = plain.clone().with_program(name);
                let refused = EditError::Ambiguous { level: 2 };
                assert_eq!(collection.add_solution(1, &named, &lurd("RR"), &[]), Err(refused), "{name}");
                if n_games > 0 {
                    assert_eq!(collection.retitle(1, 0, &named), Err(refused), "{name}");
                }
            }
            assert_eq!((collection.to_string(), summary(&collection)), before);
            collection.add_solution(1, &plain, &lurd("RR"), &[]).unwrap();
        }
    }
}

/// Moves in the line of a board can be added to, but are not found alone in the text of their level.
#[test]
fn games_in_the_line_of_a_board_stay_as_they_are() {
    let text = format!("{BOARD}\n{}\\nSolution\\nRR\n", ESCAPED.trim_end());
    let mut collection = Collection::parse(text.as_bytes());
    assert_eq!(collection.levels()[1].games().len(), 1);
    let refused = Err(EditError::Ambiguous { level: 2 });
    assert_eq!(collection.retitle(1, 0, &title(SolutionKind::Best)), refused);
    assert_eq!(collection.add_note(1, 0, "A note."), refused);
    assert_eq!(collection.to_bytes(), text.as_bytes());
    assert_eq!(collection.add_solution(1, &title(SolutionKind::Best), &lurd("RR"), &[]), Ok(1));
    assert_eq!(collection.to_string(), format!("{text}\nBest Solution 2/2\nRR\n"));
}

/// Headings go by their numbers here: with a game below `Level 1`, `Level 2` is that of the next board.
#[test]
fn an_edit_that_moves_headings_is_refused() {
    let text = format!("{BOARD}Level 2\n\nLevel 1\n\n{BOARD}");
    let collection = Collection::parse(text.as_bytes());
    assert_eq!(collection.levels()[0].title(), Some("Level 2"));
    let mut edited = collection.clone();
    let added = edited.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]);
    assert_eq!(added, Err(EditError::Ambiguous { level: 1 }));
    assert_eq!(summary(&edited), summary(&collection));
}

/// The number of `Level 1` no longer counts for the layout of the file, which changes nothing: the file is read again.
#[test]
fn an_edit_may_change_the_layout_where_nothing_depends_on_it() {
    let own = "Title: A\n\nLevel 1\n";
    let text = format!("{BOARD}{own}\n{BOARD}");
    let mut collection = Collection::parse(text.as_bytes());
    let before = collection.bytes_read();
    collection.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]).unwrap();
    let added = "\nBest Solution 2/2\nRR\n";
    assert_eq!(collection.to_string(), format!("{BOARD}{own}{added}\n{BOARD}"));
    assert_eq!(summary(&collection), summary(&Collection::parse(&collection.to_bytes())));
    let n_read = 2 * own.len() + added.len() + 2 + BOARD.len() + 2 * text.len();
    assert_eq!(collection.bytes_read() - before, n_read as u64);
}

/// An edit reads the level's text before and after it, what follows up to the next board, and the board.
#[test]
fn an_edit_reads_one_gap() {
    let rest = "\nName\n\n";
    let mut collection = Collection::parse(format!("Name\n\n{BOARD}{rest}{BOARD}").as_bytes());
    let added = "\nBest Solution 2/2\nRR\n";
    for (at, n_read) in [(0, added.len() + 2 * rest.len() + BOARD.len()), (1, added.len() + " (2)".len() + "\n".len())]
    {
        let before = collection.bytes_read();
        assert_eq!(collection.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]), Ok(at));
        assert_eq!(collection.bytes_read() - before, n_read as u64);
    }
}

/// With a game above it, `Title: Y` starts a layout with titles above the boards; the one in the head would be lost.
#[test]
fn an_edit_that_takes_the_title_of_the_collection_is_refused() {
    let gaps = ["Title: X\n\nTitle: Y\n", "Title: X\n\nSolution\nRR\n\nTitle: Y\n\n"];
    for last in [BOARD, ESCAPED] {
        let text = format!("Title: T\n\n{BOARD}{}{BOARD}{}{last}Title: X\n", gaps[0], gaps[1]);
        let collection = Collection::parse(text.as_bytes());
        let titles: Vec<_> = collection.levels().iter().map(|level| level.title()).collect();
        assert_eq!((collection.title(), &titles[..]), (Some("T"), &[Some("X"); 3][..]));
        let mut edited = collection.clone();
        let added = edited.add_solution(0, &title(SolutionKind::Best), &lurd("RR"), &[]);
        assert_eq!(added, Err(EditError::Ambiguous { level: 1 }));
        assert_eq!(summary(&edited), summary(&collection));
    }
}

/// A title in front of moves takes over the line break of their line.
#[test]
fn a_new_title_ends_as_the_moves_do() {
    let mut collection = Collection::parse(format!("{BOARD}\nlrRR\r\nRR\n").as_bytes());
    collection.retitle(0, 0, &title(SolutionKind::Plain)).unwrap();
    assert_eq!(collection.to_string(), format!("{BOARD}\nSolution 2/2\r\nlrRR\r\nRR\n"));
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
