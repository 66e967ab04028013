//! Several connections to one library at a time, as two processes have them.

use sokocore::Level;
use sokoio::LevelId;
use sokolibrary::{Library, NewSolution};

#[test]
fn what_one_writes_the_other_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let level: Level = "#######\n#@ $ .#\n#######".parse().unwrap();
    let mut one = Library::create_or_open(&path).unwrap();
    let mut other = Library::create_or_open(&path).unwrap();
    one.write(|changes| changes.offer(&level, &NewSolution::new("rlrRR".parse().unwrap()))).unwrap();
    assert_eq!(other.solutions(LevelId::of(&level)).unwrap()[0].metrics.moves, 5);
    other.write(|changes| changes.offer(&level, &NewSolution::new("rRR".parse().unwrap()))).unwrap();
    assert_eq!(one.solutions(LevelId::of(&level)).unwrap()[0].metrics.moves, 3);
}

#[test]
fn many_write_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let level = |length: usize| -> Level {
        let wall = "#".repeat(length + 5);
        format!("{wall}\n#@${}.#\n{wall}", " ".repeat(length)).parse().unwrap()
    };
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let path = &path;
            scope.spawn(move || {
                let mut library = Library::create_or_open(path).unwrap();
                for length in (1..=40).filter(|length| length % 4 == thread || length % 5 == 0) {
                    let find = NewSolution::new("R".repeat(length + 1).parse().unwrap());
                    library.write(|changes| changes.offer(&level(length), &find)).unwrap();
                }
            });
        }
    });
    let library = Library::open(&path).unwrap();
    let report = library.check().unwrap();
    assert!(report.is_clean());
    assert_eq!((report.n_levels, report.n_solutions), (40, 40));
}

/// A library is made by one of those that open it at the same moment.
#[test]
fn many_make_it_at_a_time() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.sqlite");
        let gate = std::sync::Barrier::new(6);
        let open = || {
            gate.wait();
            Library::create_or_open(&path).map(drop)
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap().unwrap());
        });
    }
}
