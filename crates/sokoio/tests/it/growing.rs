//! Collections that grow: levels and files put behind one another, and what many edits cost.

use std::io;

use sokocore::{Lurd, Metrics};
use sokoio::{Collection, EditError, NewLevel, SolutionKind, SolutionTitle};

const BOARD: &str = "######\n#@$ .#\n######\n";

fn rows() -> Vec<String> {
    BOARD.lines().map(String::from).collect()
}

fn title() -> SolutionTitle {
    SolutionTitle::new(SolutionKind::Plain, Metrics::count(&[])).with_first_metrics(0)
}

fn lurd(text: &str) -> Lurd {
    text.parse().unwrap()
}

/// What is read of a collection, one line for a level.
fn summary(collection: &Collection) -> Vec<String> {
    let game = |game: &sokoio::Game| format!("{:?}={}{:?}", game.title(), game.moves().unwrap(), game.notes());
    let levels = collection.levels().iter();
    levels
        .map(|level| {
            let games: Vec<_> = level.games().iter().map(game).collect();
            format!("{} {:?} {:?} {:?} {games:?}", level.number(), level.title(), level.author(), level.notes())
        })
        .collect()
}

/// What the collection says of itself is what reading its bytes says.
fn check_read_back(collection: &Collection) {
    assert_eq!(summary(collection), summary(&Collection::parse(&collection.to_bytes())));
    let mut written = Vec::new();
    collection.write_to(&mut written).unwrap();
    assert_eq!(written, *collection.to_bytes());
}

#[test]
fn a_collection_is_made_from_nothing() {
    let mut collection = Collection::new();
    let new = NewLevel::new(rows()).with_title("One").with_author("X");
    let new = ["A note.", "Solution", "####"].into_iter().fold(new, NewLevel::with_note);
    assert_eq!(collection.append_level(&new), Ok(0));
    let other = NewLevel::new(["####", "#@.#", " ", "#$ #", "####"]);
    collection.add_solution(0, &title(), &lurd("RR"), &[]).unwrap();
    assert_eq!(collection.append_level(&other), Ok(1));
    collection.add_solution(1, &title(), &lurd("D"), &["Solver: Y".into()]).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&collection.to_bytes()),
        format!(
            "{BOARD}Title: One\nAuthor: X\nA note.\n; Solution\n; no. no. no. no.\n\nSolution\nRR\n\n\
             ####\n#@.#\n-\n#$ #\n####\n\nSolution\nD\nSolver: Y\n"
        )
    );
    assert_eq!(collection.levels()[0].notes(), ["A note.", "; Solution", "; no. no. no. no."]);
    check_read_back(&collection);
}

#[test]
fn rows_that_are_no_board_are_refused() {
    let mut collection = Collection::new();
    let above = ["Title", "####", "#@.#", "#$ #", "####"];
    let below = ["####", "#@.#", "#$ #", "####", "Author: X"];
    for rows in [&["####"][..], &["a", "b", "c"], &["####", "#@.#", "", "text"], &above, &below, &[]] {
        let level = NewLevel::new(rows.iter().copied());
        assert_eq!(collection.append_level(&level), Err(EditError::NoBoard), "{rows:?}");
    }
    assert_eq!(*collection.to_bytes(), *b"");
}

#[test]
fn levels_are_appended_to_every_layout() {
    for text in [
        format!("{BOARD}\nA closing word\n"),
        format!("; 1\n\n{BOARD}\n; 2\n\n{BOARD}"),
        format!("{BOARD}; 1\n{BOARD}; 2"),
        format!("One\n{BOARD}\n\nTwo\n{BOARD}\n\n"),
        format!("Title: Both\nAuthor: Z\n\n{BOARD}"),
        "Only text\n".to_owned(),
        format!("> {}", BOARD.trim_end().replace('\n', "\n> ")),
        format!("{BOARD}\n; 1\r\n").replace('\n', "\r\n"),
    ] {
        let mut collection = Collection::parse(text.as_bytes());
        let old = summary(&collection);
        for number in 0..3 {
            let new = NewLevel::new(rows()).with_title(format!("New {number}"));
            let index = collection.append_level(&new).unwrap();
            assert_eq!(collection.levels()[index].title(), Some(format!("New {number}").as_str()));
            assert_eq!(collection.levels()[index].author(), None, "{text:?}");
        }
        assert_eq!(summary(&collection)[..old.len()], old, "{text:?}");
        assert!(collection.to_bytes().starts_with(text.as_bytes()));
        check_read_back(&collection);
    }
}

#[test]
fn files_are_put_behind_one_another() {
    let texts = [
        format!("Set: A\nAuthor: X\n\n; 1\n\n{BOARD}\n; 2\n\n{BOARD}"),
        format!("\u{feff}{BOARD}; One\n{BOARD}; Two\n{BOARD}; Three"),
        format!("Author: Y\n; in the head\n\nName\n\n{BOARD}\nSolution\nRR\n").replace('\n', "\r\n"),
        "no level\n".to_owned(),
    ];
    let mut joined = Collection::new();
    let mut expect = Vec::new();
    for text in &texts {
        let mut part = Collection::parse(text.as_bytes());
        if !part.levels().is_empty() {
            part.add_solution(0, &title(), &lurd("RR"), &["Solver: Y".into()]).unwrap();
        }
        joined.append(&part).unwrap();
        let offset = expect.len();
        let renumbered = summary(&part).into_iter().enumerate();
        expect.extend(
            renumbered.map(|(at, line)| line.replacen(&(at + 1).to_string(), &(at + 1 + offset).to_string(), 1)),
        );
        assert_eq!(summary(&joined), expect);
        check_read_back(&joined);
    }
    for level in (0..joined.levels().len()).rev() {
        joined.add_solution(level, &title(), &lurd("lrRR"), &[]).unwrap();
        check_read_back(&joined);
    }
    let before = joined.to_bytes().into_owned();
    let mail = Collection::parse(b"> #####\n> #@$.#\n> #####\n");
    assert!(matches!(joined.append(&mail), Err(EditError::Ambiguous { .. })));
    assert_eq!(*joined.to_bytes(), *before);
}

#[test]
fn snapshots_and_notes_are_added() {
    let mut collection = Collection::parse(format!("{BOARD}\nSolution\nRR\n\nother text\n").as_bytes());
    let snapshot = SolutionTitle::new(SolutionKind::Best, Metrics::count(lurd("R").steps())).with_program("Soko moves");
    assert_eq!(collection.add_snapshot(0, &snapshot.clone().with_first_metrics(2), &lurd("R")), Ok(1));
    assert_eq!(collection.add_snapshot(0, &snapshot.with_first_metrics(2), &lurd("lrR")), Ok(2));
    collection.add_note(0, 0, "Proved: fewest pushes").unwrap();
    collection.add_note(0, 2, " Title: \n x ").unwrap();
    assert_eq!(collection.add_note(0, 0, " \n"), Err(EditError::NoNote));
    assert!(matches!(collection.add_note(0, 3, "x"), Err(EditError::NoGame { .. })));
    assert_eq!(
        String::from_utf8_lossy(&collection.to_bytes()),
        format!(
            "{BOARD}\nSolution\nRR\nProved: fewest pushes\n\nother text\n\nSnapshot 1/1 (Soko moves)\nR\n\n\
             Snapshot 1/1 (Soko moves) (2)\nlrR\n; Title: x\n"
        )
    );
    assert_eq!(collection.levels()[0].games()[0].notes(), ["Proved: fewest pushes", "other text"]);
    check_read_back(&collection);
}

/// A clone shares what it can, and neither sees the edits of the other.
#[test]
fn clones_are_independent() {
    let mut first = Collection::parse(format!("{BOARD}\n{BOARD}").as_bytes());
    first.add_solution(0, &title(), &lurd("RR"), &[]).unwrap();
    let mut second = first.clone();
    second.add_solution(0, &title(), &lurd("lrRR"), &[]).unwrap();
    second.append_level(&NewLevel::new(rows())).unwrap();
    assert_eq!([first.levels()[0].games().len(), second.levels()[0].games().len()], [1, 2]);
    assert_eq!([first.levels().len(), second.levels().len()], [2, 3]);
    check_read_back(&first);
    check_read_back(&second);
}

/// Counts the bytes that are written, and keeps none.
struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// 20,000 solutions cost seconds if each of them reads all of the file, and far more if each reads a large level.
#[test]
fn many_edits_are_linear() {
    let n = 20_000;
    let text: String = (0..n).map(|number| format!("; {number}\n{BOARD}\n")).collect();
    let mut collection = Collection::parse(text.as_bytes());
    for at in 0..n {
        collection.add_solution(at * 7 % n, &title(), &lurd("RR"), &[]).unwrap();
    }
    for _ in 0..n {
        collection.add_solution(0, &title(), &lurd("RR"), &["Solver: Soko".into()]).unwrap();
    }
    assert_eq!(collection.levels()[0].games().len(), n + 1);
    assert_eq!(collection.levels()[0].games()[n].title(), Some(format!("Solution ({})", n + 1).as_str()));
    let bytes_read = collection.bytes_read();
    let mut count = Count(0);
    collection.write_to(&mut count).unwrap();
    assert!(bytes_read < 8 * count.0, "{bytes_read} bytes read to write {}", count.0);
}
