//! Files of levels, in and out.

use sokocore::Objective;
use sokoio::{Collection, LevelId};
use sokolibrary::{AddedCollection, Library, NewCollection, NewSolution};

const STEPS: &str = "Steps\nAuthor: A. Writer\n\nFirst\n######\n#@$ .#\n######\n\nSolution 2/2\nRR\n\nSecond\n######\n#.$@.#\n######\nNot solved.\n\n#bad\n#@.#\n####\n";

fn add(library: &mut Library, name: &str, file: &str, text: &str) -> AddedCollection {
    let collection = Collection::parse(text.as_bytes());
    library.write(|changes| changes.add_collection(&NewCollection::new(name, &collection).from_file(file))).unwrap()
}

#[test]
fn a_collection_comes_out_as_it_went_in() {
    let mut library = Library::in_memory().unwrap();
    let added = add(&mut library, "Steps", "/a/steps.sok", STEPS);
    assert_eq!((&*added.name, added.is_new, added.n_added, added.n_improved), ("Steps", true, 1, 1));
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
    assert_eq!((again.is_new, again.n_added, again.n_new_levels), (false, 0, 0));
    let changed = "Other\n#####\n#@$.#\n#####\n";
    let replaced = add(&mut library, "steps", "/a/steps.sok", changed);
    assert_eq!((&*replaced.name, replaced.is_new), ("steps", false));
    assert_eq!(library.collection_text("steps").unwrap().to_string(), changed);
    let other = add(&mut library, "steps", "/b/steps.sok", STEPS);
    assert_eq!((&*other.name, other.is_new), ("steps (2)", true));
    assert_eq!(library.sums().unwrap().n_solutions, 1, "what was known of replaced levels is kept");
    assert!(library.check().unwrap().is_clean());
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
