//! Levels and files that are appended: the bytes, and what is known of them afterwards.

use super::*;
use crate::game::solution_title::SolutionTitle;

const BOARD: &str = "######\n#@$ .#\n######\n";
const MARK: &str = "\n:: another collection ::\n\n";
const ESCAPED: &str = "######\\n#@$ .#\\n######\n";

fn collection(text: &str) -> Collection {
    Collection::parse(text.replace("[B]\n", BOARD).as_bytes())
}

fn new_level(title: &str) -> NewLevel {
    NewLevel::new(BOARD.lines()).with_title(title)
}

/// All that is kept of a file, but for line numbers.
fn state(collection: &Collection) -> String {
    let place = |level: &LevelEntry| (level.number(), level.place.board.clone(), level.place.own_end);
    let places: Vec<_> = collection.levels.iter().map(place).collect();
    format!("{:#?}\n{:#?}\n{places:?}", collection.manner, collection.sections)
}

/// What is kept of the collection is what reading its bytes gives.
fn check_state(collection: &Collection) {
    assert_eq!(state(collection), state(&Collection::parse(&collection.to_bytes())), "{collection}");
}

/// A mark goes in front only where the text above would be read in another way.
#[test]
fn a_level_is_appended_below_a_mark_where_it_has_to_be() {
    for (text, between) in [
        ("", ["", "\n"]),
        ("\n\n", ["\n", "\n"]),
        ("[B]\n", ["\n", "\n"]),
        ("; 1\n\n[B]\n\n; 2\n\n[B]\n", [MARK, "\n"]),
        ("[B]\n; 1\n[B]\n; 2\n", ["\n", MARK]),
        ("One\n[B]\n", ["\n", "\n"]),
        ("Set: S\n", [MARK, "\n"]),
        ("Author: X\n", [MARK, "\n"]),
        ("Only text\n", [MARK, "\n"]),
        ("[B]\n:: another collection ::\n", ["\n", "\n"]),
        ("[B]\n:: another collection ::\nDate: 1999\n", [MARK, "\n"]),
        ("[B]\n\nA closing word\n", [MARK, "\n"]),
    ] {
        let mut grown = collection(text);
        let mut expect = grown.to_string();
        for (title, between) in ["New", "Last"].into_iter().zip(between) {
            let n_levels = grown.levels().len();
            assert_eq!(grown.append_level(&new_level(title)), Ok(n_levels), "{text:?}");
            expect += &format!("{between}{BOARD}Title: {title}\n");
            assert_eq!(grown.to_string(), expect);
            check_state(&grown);
        }
    }
}

#[test]
fn files_behind_one_another_are_known_as_if_they_were_read() {
    let coded = "; 1\n\n3#|#.3#|#*$-#|#--@#|5#\n\n; 2\n\n[B]\nSolution\n2(lr)RR\n";
    let sections = "\u{feff}One\n[B]\n:: another collection ::\nAuthor: X\n\n4#|#@.#|4#\n\nSolution\nRR\n";
    for texts in [[coded, sections], [sections, coded], [ESCAPED, coded], [coded, ESCAPED], [ESCAPED, ESCAPED]] {
        let [mut joined, other] = texts.map(collection);
        let expect = format!("{joined}{MARK}{}", other.to_string().trim_start_matches('\u{feff}'));
        joined.append(&other).unwrap();
        assert_eq!(joined.to_string(), expect);
        check_state(&joined);
    }
}

/// Levels that are appended to a file without other text have the lines that they have when it is read.
#[test]
fn lines_are_counted_on() {
    let mut grown = Collection::new();
    for title in ["One", "Two", "Three"] {
        grown.append_level(&new_level(title).with_author("X").with_note("A note.")).unwrap();
    }
    assert_eq!(grown.levels().iter().map(LevelEntry::line).collect::<Vec<_>>(), [1, 8, 15]);
}

/// All text below the last board is read again, with what was added to it, and the new level; the whole file only
/// where no gap can be read by itself.
#[test]
fn only_the_end_of_a_file_is_read_again() {
    let own = "Title: New\n".len();
    let game = "\nSolution\nRR\n";
    for (text, n_read) in [
        ("\n\n", 2 * "\n\n\n".len() + own),
        ("Name\n\n[B]\nDate: 1999\n", 2 * "Date: 1999\n\n".len() + own),
        (ESCAPED, ESCAPED.len() + MARK.len() + BOARD.len() + own - 1),
    ] {
        let mut grown = collection(text);
        let before = grown.bytes_read();
        grown.append_level(&new_level("New")).unwrap();
        assert_eq!(grown.bytes_read() - before, n_read as u64, "{text:?}");
    }
    let mut edited = collection("[B]\n");
    let title: SolutionTitle = "Solution".parse().unwrap();
    edited.add_solution(0, &title, &"RR".parse().unwrap(), &[]).unwrap();
    let before = edited.bytes_read();
    edited.append_level(&new_level("New")).unwrap();
    assert_eq!(edited.bytes_read() - before, (2 * (game.len() + 1) + own) as u64);
    let mut joined = collection(ESCAPED);
    let before = joined.bytes_read();
    joined.append(&collection("[B]\n")).unwrap();
    assert_eq!(joined.bytes_read() - before, joined.to_bytes().len() as u64);
}

/// Boards and moves have room up to what a file of so many bytes may have, a board of full size left over.
#[test]
fn room_ends_where_reading_would_stop() {
    let mut full = collection("[B]\n");
    full.manner.used = Allowance { cells: 3, moves: 5 };
    let allowed = Allowance::of_bytes(BOARD.len() + 7);
    let most = Allowance { cells: allowed.cells - Grid::MAX_CELLS - 3, moves: allowed.moves - 5 };
    for (cells, moves, has_room) in [(0, 0, true), (1, 0, false), (0, 1, false), (1, 1, false)] {
        let others = Allowance { cells: most.cells + cells, moves: most.moves + moves };
        assert_eq!(full.has_room_for(others, 7), has_room, "{others:?}");
    }
}

/// The error names the level that would be the first new one.
#[test]
fn what_cannot_be_appended_is_refused() {
    let mail = collection("> #####\n> #@$.#\n> #####\n");
    for text in ["[B]\n\n[B]\n".to_owned(), [ESCAPED, ESCAPED].join("\n")] {
        let mut kept = collection(&text);
        let refused = Err(EditError::Ambiguous { level: 3 });
        assert_eq!(kept.append(&mail), refused, "{text}");
        assert_eq!(kept.append_level(&new_level("a\\nb")).map(|_| ()), refused, "{text}");
        check_state(&kept);
    }
}

#[test]
fn a_level_is_copied_without_its_games() {
    let read = collection("Name\n[B]\nAuthor: X\nA note.\n\nSolution\nRR\n");
    let copy = new_level("Name").with_author("X").with_note("A note.");
    assert_eq!(NewLevel::from(&read.levels()[0]), copy);
}
