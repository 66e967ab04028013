//! The layouts in circulation: files generated in each of them, with what every level is known to have.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use sokocore::{Lurd, Metrics, n_cases};
use sokoio::{Collection, SolutionKind, SolutionTitle};

const BOARDS: [&str; 3] = ["######\n#@$ .#\n######\n", "  ####\n###  #\n#@$ .#\n######\n", "#####\n#@$.#\n#####\n"];

/// Defines the layouts and a list of them.
macro_rules! layouts {
    ($($layout:ident),* $(,)?) => {
        /// The pictures in the documentation of `outline`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Layout {
            $($layout),*
        }

        use Layout::*;

        const LAYOUTS: &[Layout] = &[$($layout),*];
    };
}

layouts! {
    NumberAbove,
    NumberDirectlyAbove,
    NamedNumberAbove,
    NamedNumberBelow,
    CommentAbove,
    CommentDirectlyBelow,
    TitleAbove,
    TitleDirectlyAbove,
    TitleDirectlyBelow,
    PropertyBelow,
    PropertyAbove,
    Maze,
    Paragraph,
}

/// What is written of one level, and what reading has to give.
#[derive(Clone, Debug)]
struct Planned {
    title: String,
    /// Lines below the board.
    notes: Vec<String>,
    /// Lines below the moves of each solution.
    games: Vec<Vec<String>>,
    n_blank: usize,
}

fn planned() -> impl Strategy<Value = Planned> {
    let note = select(vec!["Fine & small", "Difficulty: 3", "made in 1999", "see also Level 3"]);
    let game_note = select(vec!["Solver: Soko", "Solver time: 1.2", "; found by hand"]);
    let games = vec(vec(game_note.prop_map(String::from), 0..3), 0..3);
    ("[A-Z][a-z]{3,8}( [a-z]{4,6})?", vec(note.prop_map(String::from), 0..3), games, 1..3_usize)
        .prop_map(|(title, notes, games, n_blank)| Planned { title: format!("X{title}"), notes, games, n_blank })
}

/// The lines above a board, those directly below it, and the title and notes that they give.
fn parts(layout: Layout, index: usize, level: &Planned) -> (String, String, String, Vec<String>) {
    let (name, number) = (&level.title, index + 1);
    let title = match layout {
        NumberAbove => number.to_string(),
        NumberDirectlyAbove => index.to_string(),
        Maze => format!("Maze: {number}"),
        _ => name.clone(),
    };
    let (above, below) = match layout {
        NumberAbove => (format!("; {number}\n\n"), String::new()),
        NumberDirectlyAbove => (format!("; {index}\n"), String::new()),
        NamedNumberAbove => (format!("; {number} '{name}'\n\n"), String::new()),
        NamedNumberBelow => (String::new(), format!("; {number} '{name}'\n")),
        CommentAbove => (format!("; {name}\n\n"), String::new()),
        CommentDirectlyBelow => (String::new(), format!("; {name}\n")),
        TitleAbove => (format!("{name}\n\n"), String::new()),
        TitleDirectlyAbove => (format!("{name}\n"), String::new()),
        TitleDirectlyBelow => (String::new(), format!("{name}\n")),
        PropertyBelow => (String::new(), format!("Title: {name}\nAuthor: Somewhat\n")),
        PropertyAbove => (format!("Title: {name}\nAuthor: Somewhat\n"), String::new()),
        Maze => (format!("**********\nMaze: {number}\nSize X: 6\nLength: 50\n\n"), String::new()),
        Paragraph => (format!("{name}\nby Somewhat, who\nlikes halls\n"), String::new()),
    };
    let own: Vec<_> = match layout {
        // Other lines there would be as good headings.
        CommentDirectlyBelow | TitleDirectlyBelow => Vec::new(),
        _ => level.notes.clone(),
    };
    let lead: &[&str] = match layout {
        Maze => &["Size X: 6", "Length: 50"],
        Paragraph => &["by Somewhat, who", "likes halls"],
        _ => &[],
    };
    let below = own.iter().fold(below, |text, note| text + note + "\n");
    let notes = lead.iter().map(ToString::to_string).chain(own).collect();
    (above, below, title, notes)
}

/// Writes the file and returns it with the title and notes of each level.
fn write(layout: Layout, head: &str, levels: &[Planned]) -> (String, Vec<(String, Vec<String>)>) {
    let mut text = head.to_owned();
    let mut expected = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let (above, below, title, notes) = parts(layout, index, level);
        text += &format!("{above}{}{below}", BOARDS[index % BOARDS.len()]);
        for (game, notes) in level.games.iter().enumerate() {
            let _ = write!(text, "\nSolution {game}\nlr{}RR\n", "lr".repeat(game));
            notes.iter().for_each(|note| text += &format!("{note}\n"));
        }
        text += &"\n".repeat(level.n_blank);
        expected.push((title, notes));
    }
    (text, expected)
}

fn check(collection: &Collection, levels: &[Planned], expected: &[(String, Vec<String>)], added: &[(usize, Lurd)]) {
    let text = || String::from_utf8_lossy(&collection.to_bytes()).into_owned();
    assert_eq!(collection.levels().len(), levels.len(), "{}", text());
    for (index, entry) in collection.levels().iter().enumerate() {
        let (title, notes) = &expected[index];
        assert_eq!(entry.title(), Some(title.as_str()), "level {index}: {}", text());
        assert_eq!(entry.notes(), notes, "level {index}: {}", text());
        let found: Vec<_> = entry.games().iter().map(|game| game.moves().unwrap().clone()).collect();
        let old = (0..levels[index].games.len()).map(|game| format!("lr{}RR", "lr".repeat(game)).parse().unwrap());
        let new = added.iter().filter(|(level, _)| *level == index).map(|(_, moves)| moves.clone());
        assert_eq!(found, old.chain(new).collect::<Vec<Lurd>>(), "level {index}: {}", text());
        for (game, notes) in entry.games().iter().zip(&levels[index].games) {
            assert_eq!(game.notes(), notes, "level {index}: {}", text());
        }
    }
}

/// Whether the lines of `old` stand in `new` in the same order.
fn keeps_lines(old: &str, new: &str) -> bool {
    let mut new = new.split_inclusive('\n');
    old.split_inclusive('\n').all(|line| new.any(|found| found == line))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(400, 1500)).unwrap_or(1500)))]

    #[test]
    fn every_level_has_its_text(
        layout in select(LAYOUTS),
        head in select(vec!["", "Set: Some\nCopyright: someone\n; found in a drawer\n\n"]),
        levels in vec(planned(), 2..7),
        ending in select(vec!["\n", "\r\n"]),
        picks in vec(any::<Index>(), 0..10),
    ) {
        let (text, expected) = write(layout, head, &levels);
        let text = text.replace('\n', ending);
        let mut collection = Collection::parse(text.as_bytes());
        check(&collection, &levels, &expected, &[]);
        prop_assert_eq!(collection.title(), (!head.is_empty()).then_some("Some"));
        let mut added = Vec::new();
        for (round, pick) in picks.iter().enumerate() {
            let level = pick.index(levels.len());
            let moves: Lurd = format!("{}RR", "rl".repeat(round)).parse().unwrap();
            let title = SolutionTitle::new(SolutionKind::Plain, Metrics::count(moves.steps()));
            let title = title.with_program(&format!("level {level}"));
            collection.add_solution(level, &title, &moves, &["Solver: Soko".into(), "a note".into()]).unwrap();
            added.push((level, moves));
        }
        check(&collection, &levels, &expected, &added);
        let bytes = collection.to_bytes();
        let written = String::from_utf8(bytes.to_vec()).unwrap();
        prop_assert!(keeps_lines(&text, &written), "{}", written);
        check(&Collection::parse(&bytes), &levels, &expected, &added);
        let lines: Vec<_> = written.lines().collect();
        // No solution stands behind the heading of the next level.
        for (level, planned) in levels.iter().enumerate().skip(1) {
            let heading = lines.iter().position(|line| line.contains(&planned.title));
            let last_above = lines.iter().rposition(|line| line.ends_with(&format!("(level {})", level - 1)));
            if let (Some(heading), Some(above)) = (heading, last_above) {
                prop_assert!(above < heading, "{}", written);
            }
        }
    }
}

/// One level, without an edge to tell by.
#[test]
fn single_levels_have_the_heading_that_touches_or_precedes() {
    for (text, title) in [
        ("; 1\n\n[B]", Some("1")),
        ("; 0\n[B]", Some("0")),
        ("[B]; 1 'Name'\n", Some("Name")),
        ("[B]A fine level.\n", None),
        ("Name\nby X\n[B]", Some("Name")),
        ("; Name\nTitle: Other\n[B]", Some("Other")),
        ("; 3\n\n[B]Title: Other\n", Some("Other")),
    ] {
        let collection = Collection::parse(text.replace("[B]", BOARDS[0]).as_bytes());
        assert_eq!(collection.levels()[0].title(), title, "{text}");
    }
}

/// What was broken: the solution of level 1 stood behind the heading of level 2.
#[test]
fn a_solution_stands_above_the_next_heading() {
    let text = "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n######\n#@ $.#\n######\n";
    let mut collection = Collection::parse(text.as_bytes());
    let title = SolutionTitle::new(SolutionKind::Best, Metrics::count(&[])).with_first_metrics(0);
    collection.add_solution(0, &title, &"R".parse().unwrap(), &[]).unwrap();
    let expect = text.replacen("#####\n\n; 2", "#####\n\nBest Solution\nR\n\n; 2", 1);
    assert_eq!(String::from_utf8_lossy(&collection.to_bytes()), expect);
    assert_eq!(collection.levels()[0].title(), Some("1"));
}

/// A gap that does not follow the collection decides by itself.
#[test]
fn irregular_files_are_read_gap_by_gap() {
    let text = "Notes\nof the file\n\n[B]A note.\n\n[B]\nThird\n\n[B]; a remark\n\nAuthor: X\n\n[B]the end\n";
    let collection = Collection::parse(text.replace("[B]", BOARDS[0]).as_bytes());
    let titles: Vec<_> = collection.levels().iter().map(|level| level.title().unwrap_or("-")).collect();
    assert_eq!(titles, ["-", "-", "Third", "-"]);
    assert_eq!(collection.notes(), ["Notes", "of the file"]);
    assert_eq!(collection.levels()[2].author(), Some("X"));
    assert_eq!(collection.levels()[2].notes(), ["; a remark"]);
}
