//! Bad days of a library: the disk is full or read-only, the file is something else or damaged. A message says what is
//! wrong and what to do, nothing is made worse, and what can still be done is done.

use std::fs;

use sokocore::n_cases;

use crate::cmd::{Desk, Done, T2, room_levels};

/// What a run makes of `T2` without a library.
const BEST_MOVES: &str = "12/5";

/// A desk with `levels.sok`, whose library `my.sqlite` has them.
fn desk() -> Desk {
    let desk = Desk::with(T2);
    desk.soko("library --library my.sqlite add levels.sok").expect(0);
    desk
}

/// Runs every command on something that cannot be used as a library: each says so and leaves it as it is, and a run does
/// without.
#[track_caller]
fn refused_by_all(desk: &Desk, name: &str, says: &[&str]) {
    let before = fs::read(desk.path(name)).ok();
    for command in ["list", "add levels.sok", "check", "check --repair", "compact", "export -o export.sok", "stats"] {
        desk.soko(&format!("library --library {name} {command}")).expect(1).says(&[name]).says(says);
    }
    desk.soko(&format!("night levels.sok --library {name} --for 1s")).expect(1).says(&[name]).says(says);
    for (command, best) in [("optimize", BEST_MOVES), ("solve --optimal moves", BEST_MOVES)] {
        let line = format!("{command} levels.sok --library {name} --time 5s -o out.sok --force");
        let done = desk.soko(&line).expect(1).says(&[name, "this run does without the library"]).says(says);
        assert!(done.stdout.contains("Saved in out.sok") && desk.read("out.sok").contains(best), "{}", done.stdout);
    }
    assert_eq!(fs::read(desk.path(name)).ok(), before, "{name} has changed");
    let beside: Vec<_> = desk.files().into_iter().filter(|file| file.starts_with(name) && file != name).collect();
    assert!(beside.is_empty() && !desk.path("export.sok").exists(), "{beside:?}");
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let desk = Desk::with(T2);
    desk.write("text.sqlite", "a text, and no library\n".repeat(1_000));
    refused_by_all(&desk, "text.sqlite", &["it is not a database; choose another file"]);
    fs::create_dir(desk.path("folder.sqlite")).unwrap();
    refused_by_all(&desk, "folder.sqlite", &["it is not a plain file; choose another name"]);
    let other = rusqlite::Connection::open(desk.path("other.sqlite")).unwrap();
    other.execute_batch("CREATE TABLE cats (name TEXT); INSERT INTO cats VALUES ('Tom')").unwrap();
    drop(other);
    refused_by_all(&desk, "other.sqlite", &["not a library of Soko; choose another file"]);
}

#[test]
fn a_library_of_a_later_version_is_left_alone() {
    let desk = desk();
    let library = rusqlite::Connection::open(desk.path("my.sqlite")).unwrap();
    library.pragma_update(None, "user_version", 99).unwrap();
    drop(library);
    refused_by_all(&desk, "my.sqlite", &["it has version 99", "use a newer Soko"]);
}

#[test]
fn an_empty_file_is_an_empty_library() {
    let desk = Desk::with(T2);
    desk.write("my.sqlite", "");
    desk.soko("optimize levels.sok --library my.sqlite --time 5s").expect(0);
    assert_eq!(desk.soko("library --library my.sqlite list --json").expect(0).summary()["solved"], 1);
}

/// Overwrites bytes of a library.
fn damage(desk: &Desk, name: &str, range: std::ops::Range<usize>) {
    let mut bytes = fs::read(desk.path(name)).unwrap();
    let end = range.end.min(bytes.len());
    bytes[range.start..end].fill(0xA5);
    desk.write(name, bytes);
}

#[test]
fn damaged_pages_are_said_and_repaired() {
    let desk = Desk::with(room_levels(60));
    desk.write("solved.sok", T2);
    desk.soko("library --library whole.sqlite add levels.sok solved.sok").expect(0);
    let n_pages = fs::read(desk.path("whole.sqlite")).unwrap().len() / 4096;
    // The header, the schema, then each page: tables and indexes.
    let pages = (0..n_pages).map(|page| page * 4096..(page + 1) * 4096).step_by(n_cases(3, 1));
    let places = [0..16, 100..4096].into_iter().chain(pages);
    let (mut n_said, mut n_places) = (0, 0);
    for place in places {
        fs::copy(desk.path("whole.sqlite"), desk.path("my.sqlite")).unwrap();
        damage(&desk, "my.sqlite", place.clone());
        let damaged = fs::read(desk.path("my.sqlite")).unwrap();
        n_places += 1;
        let checked = desk.soko("library --library my.sqlite check");
        if checked.code == 0 {
            // A page without content.
            continue;
        }
        let checked = checked.expect(1);
        assert!(format!("{}{}", checked.stdout, checked.stderr).contains("check --repair"), "{place:?}");
        n_said += 1;
        let run = desk.soko("optimize solved.sok --library my.sqlite --time 5s -o out.sok --force");
        assert!(run.code <= 1 && desk.read("out.sok").contains(BEST_MOVES), "{place:?}: {}", run.stderr);
        desk.write("my.sqlite", damaged);
        let repaired = desk.soko("library --library my.sqlite check --repair");
        assert_eq!(repaired.code, 0, "{place:?}: {}", repaired.stderr);
        let repaired = repaired.says(&["the damaged library is now my.sqlite.damaged"]);
        desk.soko("library --library my.sqlite check").expect(0);
        let list = desk.soko("library --library my.sqlite list --json").expect(0).summary();
        // The text of a collection has its levels, and each row of a level stands for itself.
        assert!(list["levels"].as_u64().unwrap() >= 30, "{place:?}: {list}\n{}", repaired.stdout);
        for name in desk.files().iter().filter(|name| name.starts_with("my.sqlite")) {
            fs::remove_file(desk.path(name)).unwrap();
        }
    }
    assert!(n_said > n_places / 2, "{n_said} of {n_places}");
}

#[test]
fn a_damaged_text_costs_its_collection_alone() {
    let desk = desk();
    desk.write("other.sok", T2.replace("#@$ $#", "#@$$ #"));
    desk.soko("library --library my.sqlite add other.sok").expect(1);
    let library = rusqlite::Connection::open(desk.path("my.sqlite")).unwrap();
    library.execute_batch("UPDATE collection SET text = x'00' WHERE name = 'other'").unwrap();
    drop(library);
    let done = desk.soko("library --library my.sqlite export -o out.sok").expect(1);
    done.says(&["the text of the collection \"other\" is damaged", "check --repair", "'other' is left out"]);
    assert!(desk.read("out.sok").contains("T2"));
    desk.soko("library --library my.sqlite check --repair").expect(0);
    desk.soko("library --library my.sqlite export -o again.sok").expect(0);
}

/// What a killed process leaves is a log beside the library; its damaged end is a change that was not made.
#[test]
fn a_damaged_log_costs_the_changes_in_it() {
    let desk = desk();
    let open = rusqlite::Connection::open(desk.path("my.sqlite")).unwrap();
    open.query_row("SELECT COUNT(*) FROM level", [], |row| row.get::<_, i64>(0)).unwrap();
    desk.write("more.sok", T2.replace("#@$ $#", "#@$$ #"));
    desk.soko("library --library my.sqlite add more.sok").expect(1);
    for end in ["", "-wal"] {
        fs::copy(desk.path(&format!("my.sqlite{end}")), desk.path(&format!("left.sqlite{end}"))).unwrap();
    }
    drop(open);
    fs::copy(desk.path("left.sqlite"), desk.path("torn.sqlite")).unwrap();
    fs::copy(desk.path("left.sqlite-wal"), desk.path("torn.sqlite-wal")).unwrap();
    damage(&desk, "torn.sqlite-wal", 0..100_000);
    for (name, n_levels) in [("left.sqlite", 2), ("torn.sqlite", 1)] {
        desk.soko(&format!("library --library {name} check")).expect(0);
        let list = desk.soko(&format!("library --library {name} list --json")).expect(0).summary();
        assert_eq!(list["levels"], n_levels, "{name}");
    }
}

/// The last of several runs is a check.
#[cfg(target_os = "linux")]
#[track_caller]
fn is_whole(done: &Done) {
    assert!(done.code == 0 && done.stdout.contains("everything is right"), "{}{}", done.stdout, done.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_nothing_that_is_there() {
    let desk = desk();
    desk.write("big.sok", room_levels(400));
    fs::create_dir(desk.path("small")).unwrap();
    let set_up = "mount -t tmpfs -o size=240k tmpfs small\ncp my.sqlite small/";
    let lines = [
        "library --library small/my.sqlite add big.sok",
        "library --library small/my.sqlite check",
        // Room for the files that SQLite keeps beside a library, and not for a change.
        "$ head -c 116k /dev/zero >small/part",
        "optimize levels.sok --library small/my.sqlite --time 5s -o run.sok",
        "$ rm small/part",
        "library --library small/my.sqlite export -o small/out.sok",
        "$ head -c 1M /dev/zero >small/fill || ls small",
        // Not even the files that SQLite keeps beside a library have room.
        "library --library small/my.sqlite list",
        "library --library small/my.sqlite add big.sok",
        "library --library small/my.sqlite export -o small/more.sok",
        "library --library small/my.sqlite export -o export.sok",
        "library --library small/my.sqlite compact",
        "optimize levels.sok --library small/my.sqlite --time 5s -o out.sok",
        "night --library small/my.sqlite --for 2s --log night.log",
        "library --library small/my.sqlite check --repair",
        "$ rm small/fill",
        "library --library small/my.sqlite check",
    ];
    let Some(done) = desk.mounted(set_up, &lines) else { return };
    let done: Vec<_> = lines.iter().zip(done).collect();
    let is_full = ["small/my.sqlite", "the disk is full; make room and try again"];
    let mut done = done.into_iter().map(|(line, done)| (*line, done));
    let mut next = |code: i32| {
        let (line, done) = done.next().expect("a line for each");
        assert_eq!(done.code, code, "{line}\nstdout:\n{}\nstderr:\n{}", done.stdout, done.stderr);
        done
    };
    next(1).says(&is_full);
    is_whole(&next(0));
    next(0);
    let run = next(1).says(&is_full).says(&["what was found is not in the library"]);
    assert!(run.stdout.contains("Saved in run.sok") && desk.read("run.sok").contains(BEST_MOVES), "{}", run.stdout);
    next(0);
    next(0);
    next(0);
    next(0);
    next(1).says(&is_full);
    next(1).says(&["small/more.sok", "space left"]);
    next(0);
    next(1);
    next(1).says(&["small/my.sqlite"]);
    next(1).says(&["small/my.sqlite"]);
    next(0);
    next(0);
    is_whole(&next(0));
    assert!(desk.read("out.sok").contains(BEST_MOVES) && desk.read("export.sok").contains("T2"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_repair_on_a_full_disk_leaves_the_damaged_library() {
    let desk = Desk::with(room_levels(60));
    desk.soko("library --library my.sqlite add levels.sok").expect(0);
    damage(&desk, "my.sqlite", 8192..12288);
    fs::create_dir(desk.path("small")).unwrap();
    let set_up = "mount -t tmpfs -o size=300k tmpfs small\ncp my.sqlite small/";
    let lines = ["library --library small/my.sqlite check --repair", "$ cmp my.sqlite small/my.sqlite && ls small"];
    let Some(done) = desk.mounted(set_up, &lines) else { return };
    let [repair, files] = <[Done; 2]>::try_from(done).unwrap_or_else(|_| panic!("two lines"));
    repair.expect(1).says(&["small/my.sqlite", "the disk is full; make room and try again"]);
    assert_eq!(files.expect(0).stdout, "my.sqlite\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_library_is_read() {
    let desk = desk();
    desk.write("more.sok", T2.replace("T2", "T3").replace("#@$ $#", "#@$$ #"));
    fs::create_dir(desk.path("kept")).unwrap();
    fs::rename(desk.path("my.sqlite"), desk.path("kept/my.sqlite")).unwrap();
    // The folder with all that is in it, or the file alone.
    for place in ["kept", "kept/my.sqlite"] {
        let set_up = format!("mount --bind {place} {place}\nmount -o remount,bind,ro {place}");
        let lines = [
            "library --library kept/my.sqlite list",
            "library --library kept/my.sqlite check",
            "library --library kept/my.sqlite export -o out.sok --force",
            "library --library kept/my.sqlite show t2",
            "library --library kept/my.sqlite check --repair",
            "library --library kept/my.sqlite add more.sok",
            "library --library kept/my.sqlite compact",
            "library --library kept/my.sqlite forget levels --yes",
            "optimize levels.sok --library kept/my.sqlite --time 5s -o better.sok --force",
            "night --library kept/my.sqlite --for 2s --log night.log",
        ];
        let before = fs::read(desk.path("kept/my.sqlite")).unwrap();
        let Some(done) = desk.mounted(&set_up, &lines) else { return };
        for (at, (line, done)) in lines.iter().zip(done).enumerate() {
            let expected = i32::from(at > 4);
            assert_eq!(done.code, expected, "{place}: {line}\nstdout:\n{}\nstderr:\n{}", done.stdout, done.stderr);
            if expected == 1 {
                done.says(&["kept/my.sqlite: it cannot be "]);
            }
        }
        assert!(desk.read("better.sok").contains(BEST_MOVES) && desk.read("out.sok").contains("T2"));
        assert_eq!(fs::read(desk.path("kept/my.sqlite")).unwrap(), before);
    }
}

/// Without a file system to mount: files may not grow.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_costs_nothing_that_is_there() {
    let desk = desk();
    desk.write("big.sok", room_levels(400));
    let limit = "trap '' XFSZ && ulimit -f 300";
    let shell = || std::process::Command::new("sh");
    let done = desk.short_of(&mut shell(), limit, "library --library my.sqlite add big.sok").expect(1);
    done.says(&["library my.sqlite: "]);
    desk.soko("library --library my.sqlite check").expect(0);
    assert_eq!(desk.soko("library --library my.sqlite list --json").expect(0).summary()["levels"], 1);
}
