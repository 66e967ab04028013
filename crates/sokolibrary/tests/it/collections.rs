//! Files of levels, in and out.

use sokocore::Objective;
use sokoio::{Collection, LevelId};
use sokolibrary::{AddedCollection, KnownCollection, Library, NewCollection, NewSolution, RecognizedBy};

const STEPS: &str = "Steps\nAuthor: A. Writer\n\nFirst\n######\n#@$ .#\n######\n\nSolution 2/2\nRR\n\nSecond\n######\n#.$@.#\n######\nNot solved.\n\n#bad\n#@.#\n####\n";

fn add(library: &mut Library, name: &str, file: &str, text: &str) -> AddedCollection {
    let collection = Collection::parse(text.as_bytes());
    library.write(|changes| changes.add_collection(&NewCollection::new(name, &collection).from_file(file))).unwrap()
}

#[test]
fn a_collection_comes_out_as_it_went_in() {
    let mut library = Library::in_memory().unwrap();
    let added = add(&mut library, "Steps", "/a/steps.sok", STEPS);
    assert_eq!((&*added.name, added.known.is_new(), added.n_added, added.n_improved), ("Steps", true, 1, 1));
    assert_eq!(library.collection_text("steps").unwrap().to_string(), STEPS);
    let entries = library.entries("STEPS").unwrap();
    let read = Collection::parse(STEPS.as_bytes());
    assert_eq!(entries.len(), read.levels().len());
    for (entry, level) in entries.iter().zip(read.levels()) {
        assert_eq!(entry.id, level.level().ok().map(LevelId::of));
        assert_eq!(entry.title, level.title().unwrap_or_default());
    }
    assert!(library.check().unwrap().is_clean());
}

#[test]
fn names_and_texts_of_any_bytes_are_kept() {
    let mut library = Library::in_memory().unwrap();
    let bytes = b"Na\xefve \xff\x01 'quoted\"; DROP TABLE level; --\n######\n#@$ .#\n######\n\nSolution\nRR\n";
    let collection = Collection::parse(bytes);
    let name = "x'; DROP TABLE level; -- \u{1b}[31m 箱";
    library.write(|changes| changes.add_collection(&NewCollection::new(name, &collection))).unwrap();
    assert_eq!(*library.collection_text(name).unwrap().to_bytes(), bytes[..]);
    assert_eq!(library.entries(name).unwrap().len(), 1);
}

#[test]
fn the_same_level_in_two_files_is_one_level() {
    let mut library = Library::in_memory().unwrap();
    add(&mut library, "one", "/a/one.sok", "#####\n#@$.#\n#####\n");
    let added = add(&mut library, "two", "/a/two.sok", "  #######\n  #@$.###\n  #######\n\nSolution\nR\n");
    assert_eq!((added.n_levels, added.n_new_levels, added.n_added), (1, 0, 1));
    let sums = library.collection_sums().unwrap();
    assert_eq!(sums.iter().map(|sums| sums.n_solved).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(library.places(library.identities().unwrap()[0]).unwrap().len(), 2);
}

#[test]
fn a_file_that_comes_again_replaces_its_collection_and_another_one_does_not() {
    let mut library = Library::in_memory().unwrap();
    add(&mut library, "steps", "/a/steps.sok", STEPS);
    let again = add(&mut library, "steps", "/a/steps.sok", STEPS);
    assert_eq!((again.known.is_new(), again.n_added, again.n_new_levels), (false, 0, 0));
    let changed = "Other\n#####\n#@$.#\n#####\n";
    let replaced = add(&mut library, "steps", "/a/steps.sok", changed);
    assert_eq!((&*replaced.name, replaced.known.is_new()), ("steps", false));
    assert_eq!(library.collection_text("steps").unwrap().to_string(), changed);
    let other = add(&mut library, "steps", "/b/steps.sok", STEPS);
    assert_eq!((&*other.name, other.known.is_new()), ("steps (2)", true));
    assert_eq!(library.sums().unwrap().n_solutions, 1, "what was known of replaced levels is kept");
    assert!(library.check().unwrap().is_clean());
}

/// Adds a file as a person does.
fn add_found(library: &mut Library, name: &str, file: &str, text: &str) -> AddedCollection {
    let collection = Collection::parse(text.as_bytes());
    let new = NewCollection::new(name, &collection).from_file(file).recognized_by(RecognizedBy::LevelsUnderAnyName);
    library.write(|changes| changes.add_collection(&new)).unwrap()
}

/// Corridors of these lengths: a level each.
fn corridors(lengths: &[usize]) -> String {
    let corridor = |&length: &usize| {
        let wall = "#".repeat(length + 5);
        format!("{wall}\n#@${}.#\n{wall}\n\n", " ".repeat(length))
    };
    lengths.iter().map(corridor).collect()
}

#[test]
fn a_file_that_has_moved_is_the_same_collection() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut library = Library::in_memory().unwrap();
    let (first, second) = (path("a.sok"), path("b.sok"));
    let old = corridors(&[1, 2, 3]);
    assert!(add_found(&mut library, "a", &first, &old).known.is_new());
    let moved = add_found(&mut library, "b", &second, &old);
    assert_eq!((&*moved.name, moved.known), ("a", KnownCollection::Moved { from: first.clone() }));
    assert_eq!(library.collections().unwrap()[0].file, second);
    // As long as that file is there, another one is a copy, and what is written in it otherwise is not taken.
    std::fs::write(&second, &old).unwrap();
    let noted = format!("Other words\n\n{old}");
    let copy = add_found(&mut library, "a", &first, &noted);
    assert_eq!((&*copy.name, copy.known), ("a", KnownCollection::Copy { of: second.clone() }));
    assert_eq!(library.collection_text("a").unwrap().to_string(), old);
    let other = add_found(&mut library, "a", &first, &corridors(&[1, 2, 3, 4]));
    assert_eq!((&*other.name, other.known), ("a (2)", KnownCollection::Nothing));
    assert!(library.check().unwrap().is_clean());
}

#[test]
fn most_levels_of_a_file_that_is_gone_are_a_new_edition() {
    let mut library = Library::in_memory().unwrap();
    add_found(&mut library, "a", "/gone/a.sok", &corridors(&[1, 2, 3, 4]));
    let edition = add_found(&mut library, "b", "/gone/b.sok", &corridors(&[4, 3, 1, 9]));
    assert_eq!((&*edition.name, edition.known), ("a", KnownCollection::NewEdition { from: "/gone/a.sok".to_owned() }));
    let half = add_found(&mut library, "b", "/gone/c.sok", &corridors(&[4, 3, 11, 12]));
    assert_eq!((&*half.name, half.known), ("b", KnownCollection::Nothing));
    let part = add_found(&mut library, "b", "/gone/d.sok", &corridors(&[4]));
    assert_eq!(&*part.name, "b (2)", "one level of four is not most of them");
    assert_eq!(library.entries("a").unwrap().len(), 4);
    assert!(library.check().unwrap().is_clean());
}

#[test]
fn what_has_no_file_is_told_apart_by_its_levels() {
    let mut library = Library::in_memory().unwrap();
    add_found(&mut library, "standard input", "", &corridors(&[1, 2]));
    let other = add_found(&mut library, "standard input", "", &corridors(&[5, 6]));
    assert_eq!((&*other.name, other.known), ("standard input (2)", KnownCollection::Nothing));
    let again = add_found(&mut library, "standard input", "", &corridors(&[1, 2]));
    assert_eq!((&*again.name, again.known), ("standard input", KnownCollection::SameText));
}

#[test]
fn a_library_that_is_added_replaces_no_collection() {
    let (mut library, mut other) = (Library::in_memory().unwrap(), Library::in_memory().unwrap());
    add(&mut library, "mine", "/gone/mine.sok", &corridors(&[1, 2, 3]));
    add(&mut other, "same", "/friend/same.sok", &format!("Words\n\n{}", corridors(&[1, 2, 3])));
    add(&mut other, "near", "/friend/near.sok", &corridors(&[1, 2, 4]));
    assert_eq!(library.add_library(&other).unwrap().n_new_collections, 1);
    assert_eq!(library.collection_text("mine").unwrap().to_string(), corridors(&[1, 2, 3]));
    assert_eq!(library.entries("near").unwrap().len(), 3);
}

#[test]
fn a_collection_can_be_forgotten_and_its_solutions_stay() {
    let mut library = Library::in_memory().unwrap();
    add(&mut library, "steps", "", STEPS);
    let id = library.entries("steps").unwrap()[0].id.unwrap();
    library.write(|changes| changes.forget_collection("Steps")).unwrap();
    assert!(library.collections().unwrap().is_empty() && library.entries("steps").unwrap().is_empty());
    assert_eq!(library.solutions(id).unwrap().len(), 1);
    library.write(|changes| changes.forget_level(id)).unwrap();
    assert_eq!(library.solutions(id).unwrap().len(), 0);
    assert!(library.write(|changes| changes.forget_level(id)).is_err());
    assert!(library.write(|changes| changes.forget_collection("steps")).is_err());
    assert!(library.check().unwrap().is_clean());
}

#[test]
fn sums_have_a_history() {
    let mut library = Library::in_memory().unwrap();
    let text = "#######\n#@ $ .#\n#######\n\nSolution\nrlrRR\n\n######\n#.$@ #\n######\n";
    let collection = Collection::parse(text.as_bytes());
    add(&mut library, "two", "", text);
    let level = collection.levels()[0].level().unwrap();
    library.write(|changes| changes.offer(level, &NewSolution::new("rRR".parse().unwrap()))).unwrap();
    let history = library.history("two", Objective::MOVES).unwrap();
    assert_eq!(history.last().map(|sum| (sum.n_solved, sum.sum)), Some((1, 3)));
    let gains = library.gains("two", Objective::MOVES).unwrap();
    assert_eq!(gains.iter().map(|gain| (gain.number, gain.moves)).collect::<Vec<_>>(), [(1, 5), (1, 3)]);
    let sums = library.collection_sums().unwrap().remove(0);
    assert_eq!((sums.n_levels, sums.n_solved, sums.moves, sums.pushes, sums.least_pushes), (2, 1, 3, 2, 2));
    assert_eq!((sums.n_proved_moves, sums.n_proved_pushes), (0, 1));
}

#[test]
fn another_library_is_added_with_where_things_are_from() {
    let (mut library, mut other) = (Library::in_memory().unwrap(), Library::in_memory().unwrap());
    add(&mut other, "steps", "/friend/steps.sok", STEPS);
    let added = library.add_library(&other).unwrap();
    assert_eq!((added.n_new_levels, added.n_new_collections, added.n_added), (2, 1, 0));
    assert_eq!(added.n_solutions, 1, "the text of the collection had it");
    let id = library.entries("steps").unwrap()[0].id.unwrap();
    assert_eq!(library.solutions(id).unwrap()[0].origin.file, "/friend/steps.sok");
    assert_eq!(library.add_library(&other).unwrap().n_new_collections, 0);
}

#[test]
fn what_another_library_found_earlier_is_a_gain_of_now() {
    let (mut library, mut other) = (Library::in_memory().unwrap(), Library::in_memory().unwrap());
    let poor = "#######\n#@ $ .#\n#######\n\nSolution\nrlrRR\n";
    add(&mut other, "steps", "", &poor.replace("rlrRR", "rRR"));
    add(&mut library, "steps", "/a/steps.sok", poor);
    library.add_library(&other).unwrap();
    let history = library.history("steps", Objective::MOVES).unwrap();
    assert_eq!(history.last().map(|sum| sum.sum), Some(3), "{history:?}");
}
