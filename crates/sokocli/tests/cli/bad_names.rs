//! Names of any bytes, texts from anywhere: libraries, files, titles, notes, pipes, folders, moved files.

use std::ffi::OsStr;
use std::fs;

use crate::cmd::{Desk, T2};

const OTHER: &str = "Other\n\n######\n##   #\n#@$$ #\n#.  .#\n######\n";

/// Runs `soko library` on `my.sqlite`.
#[track_caller]
fn library(desk: &Desk, line: &str) -> crate::cmd::Done {
    desk.soko(&format!("library --library my.sqlite {line}"))
}

/// The names of the collections, as programs read them.
fn names(desk: &Desk) -> Vec<String> {
    let collections = library(desk, "list --json").expect(0).lines("collection");
    collections.iter().map(|line| line["collection"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_library_may_have_any_name() {
    let desk = Desk::with(T2);
    let mut names =
        vec![OsStr::new("my own library.sqlite"), OsStr::new("箱#?%41&'\".sqlite"), OsStr::new("-x.sqlite")];
    #[cfg(target_os = "linux")]
    names.push(std::os::unix::ffi::OsStrExt::from_bytes(b"not\xff\xfetext\x1b[31m\n.sqlite"));
    for name in names {
        let at = |line: &str| {
            let mut option = OsStr::new("--library=").to_os_string();
            option.push(name);
            desk.soko_with(line, &[&option])
        };
        let added = at("library add levels.sok").expect(0);
        let run = at("optimize levels.sok --time 5s --no-output").expect(0);
        assert!([added.stdout, run.stderr].iter().all(|text| !text.contains(is_harmful)), "{name:?}");
        at("library check").expect(0);
        let list = at("library list --json").expect(0);
        assert_eq!(list.lines("collection")[0]["moves"], 12, "{name:?}");
        at("library compact").expect(0);
        let out = desk.path("out.sok");
        at("library export --force -o out.sok").expect(0);
        assert!(fs::read_to_string(out).unwrap().contains("12/5"));
        let mut files = fs::read_dir(desk.path("")).unwrap().map(|file| file.unwrap().file_name());
        assert!(files.any(|file| file == name), "{name:?}");
    }
}

/// Whether a letter upsets a terminal, or turns the direction of writing.
fn is_harmful(letter: char) -> bool {
    let marks = ['\u{200e}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    (letter.is_control() && letter != '\n') || marks.iter().any(|marks| marks.contains(&letter))
}

/// Texts that mean something to terminals, databases and web pages, or nothing at all.
const ODD: [&str; 5] = [
    "\u{1b}[31mred\u{7}\u{1b}]0;title\u{7}",
    "\u{202e}kos.\u{2066}dlo\u{200f}",
    "x'); DROP TABLE level; --\" OR 1=1",
    "<script>alert('&amp;')</script>",
    "a\u{0}b\u{85}c\u{2028}d",
];

#[test]
fn titles_and_notes_of_any_letters_are_kept_and_shown_harmlessly() {
    let desk = Desk::new();
    for (at, odd) in ODD.iter().enumerate() {
        let board = format!("########\n#@$ .{}#\n########", " #".repeat(at));
        desk.write("odd.sok", format!("Title: {odd}\nAuthor: {odd}\n\n{odd}\n\n{board}\nAuthor: {odd}\n{odd}\n"));
        let name = odd.replace('\0', "0");
        let added = desk.soko_with("library --library my.sqlite add odd.sok --name", &[OsStr::new(&name)]).expect(0);
        let list = library(&desk, "list").expect(0);
        let levels = desk.soko_with("library --library my.sqlite list", &[OsStr::new(&name)]).expect(0);
        let shown = desk.soko_with("library --library my.sqlite show", &[OsStr::new(&format!("{name}:1"))]).expect(0);
        let forgotten = desk.soko_with("library --library my.sqlite forget", &[OsStr::new(&name)]).expect(0);
        let missing = desk.soko_with("library --library my.sqlite show", &[OsStr::new(&format!("{name}:7"))]).expect(2);
        for text in
            [added.stdout, added.stderr, list.stdout, levels.stdout, shown.stdout, missing.stderr, forgotten.stdout]
        {
            assert!(!text.contains(is_harmful), "{text:?}");
        }
        assert!(names(&desk).contains(&name), "{name:?}");
        desk.soko_with("library --library my.sqlite export --force -o out.sok", &[OsStr::new(&name)]).expect(0);
        assert_eq!(desk.read("out.sok"), desk.read("odd.sok"));
        fs::remove_file(desk.path("odd.sok")).unwrap();
    }
    library(&desk, "export -o folder/").expect(0);
    assert_eq!(fs::read_dir(desk.path("folder")).unwrap().count(), ODD.len());
    library(&desk, "check").expect(0);
    library(&desk, "check --repair").expect(0);
}

#[test]
fn texts_of_any_bytes_and_length_are_kept() {
    let desk = Desk::new();
    let long = "long ".repeat(200_000);
    let mut bytes = format!("Title: {long}\n\n{long}\n\n######\n#@$ .#\n######\n{long}\n").into_bytes();
    bytes.extend(b"note \xff\xfe\xc0\x80 end\n");
    desk.write("levels.sok", &bytes);
    let name =
        |n: usize| desk.soko_with("library --library my.sqlite add levels.sok --name", &[OsStr::new(&long[..n])]);
    name(201).expect(2).says(&["--name is too long; give it at most 200 letters"]);
    name(200).expect(0);
    library(&desk, "export -o out.sok").expect(0);
    assert_eq!(fs::read(desk.path("out.sok")).unwrap(), bytes);
    library(&desk, "export -o folder/").expect(0);
    desk.pipe("library --library my.sqlite add -", &format!("Title: {long}\n\n#####\n#@$.#\n#####\n")).expect(0);
    library(&desk, "check").expect(0);
    let list = library(&desk, "list").expect(0).stdout;
    assert!(list.lines().all(|line| line.chars().count() < 2_000), "a table is no place for a title of a megabyte");
    let missing = library(&desk, "list long").expect(2);
    assert!(missing.stderr.len() < 2_000, "{} bytes", missing.stderr.len());
}

#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_no_text_are_told_apart() {
    use std::os::unix::ffi::OsStrExt;

    let desk = Desk::new();
    for (name, text) in [(&b"a\xff\x1b[31m\n.sok"[..], T2), (&b"a\xfe.sok"[..], OTHER)] {
        fs::write(desk.path("").join(OsStr::from_bytes(name)), text).unwrap();
    }
    for _ in 0..2 {
        let done = library(&desk, "add .").expect(0);
        assert!(!done.stdout.contains(is_harmful) && !done.stderr.contains(is_harmful), "{}", done.stdout);
    }
    assert_eq!(names(&desk), ["a\\xfe", "a\\xff\u{1b}[31m\n"]);
    let run = desk.soko("optimize . --library my.sqlite --time 5s").expect(0);
    assert!(!run.stdout.contains(is_harmful) && !run.stderr.contains(is_harmful), "{}", run.stdout);
    library(&desk, "export -o folder/").expect(0);
    library(&desk, "check").expect(0);
}

#[test]
fn a_moved_file_is_the_same_collection_and_that_is_said() {
    let desk = Desk::with(format!("{T2}\n{OTHER}\n"));
    library(&desk, "add levels.sok").expect(0);
    fs::create_dir(desk.path("new")).unwrap();
    fs::rename(desk.path("levels.sok"), desk.path("new/better.sok")).unwrap();
    let moved = library(&desk, "add new").expect(0).says(&["new/better.sok: the collection 'levels', moved from "]);
    assert!(moved.stdout.contains("moved") && moved.stderr.trim_end().ends_with("levels.sok"), "{}", moved.stderr);
    assert_eq!(names(&desk), ["levels"]);
    // A copy of it brings nothing but its solutions.
    desk.write("copy.sok", format!("By a friend\n\n{T2}\n{OTHER}\nSolution\nrrdlL\n"));
    library(&desk, "add copy.sok")
        .says(&["copy.sok: the collection 'levels' again, a copy of ", "its solutions were taken"]);
    assert_eq!(names(&desk), ["levels"]);
    // Where it was there is nothing any more, and most of the levels are the same.
    fs::remove_file(desk.path("new/better.sok")).unwrap();
    fs::remove_file(desk.path("copy.sok")).unwrap();
    desk.write("third.sok", format!("{OTHER}\n{T2}\n######\n#@$ .#\n######\n"));
    library(&desk, "add third.sok").expect(0).says(&["a new edition of the collection 'levels', in the place of "]);
    assert_eq!(names(&desk), ["levels"]);
    // A name that is asked for is given.
    desk.soko("library --library my.sqlite add third.sok --name mine").expect(0);
    assert_eq!(names(&desk), ["levels", "mine"]);
    library(&desk, "check").expect(0);
}

#[test]
fn levels_come_from_pipes_and_folders() {
    let desk = Desk::new();
    let piped = |text: &str| desk.pipe("library --library my.sqlite add -", text);
    piped(T2).expect(0);
    piped(OTHER).expect(0);
    assert_eq!(names(&desk), ["standard input", "standard input (2)"]);
    piped(T2).expect(0);
    assert_eq!(names(&desk).len(), 2);
    desk.pipe("library --library my.sqlite add --name piped -", T2).expect(0);
    fs::create_dir_all(desk.path("set/deep")).unwrap();
    desk.write("set/a.sok", "######\n#@$ .#\n######\n");
    desk.write("set/deep/b.xsb", "#######\n#@$  .#\n#######\n");
    desk.write("set/bad.sok", "");
    let done = library(&desk, "add set").expect(0);
    assert!(done.stdout.contains("2 levels and 0 solutions added"), "{}", done.stdout);
    assert_eq!(names(&desk), ["a", "b", "piped", "standard input", "standard input (2)"]);
    // Runs put what they find for a pipe into the library, too.
    desk.pipe("optimize - --library my.sqlite --time 5s --no-output", T2).expect(0);
    let list = library(&desk, "list --json").expect(0).lines("collection");
    assert!(list.iter().any(|line| line["collection"] == "piped" && line["moves"] == 12), "{list:?}");
}

#[test]
fn one_library_is_chosen() {
    let desk = Desk::with(T2);
    let run = |line: &str, variable: &str| {
        let mut command = desk.command(line);
        crate::cmd::Done::of(command.env("SOKO_LIBRARY", variable).output().unwrap())
    };
    run("library add levels.sok", "of_variable.sqlite").expect(0);
    run("library --library of_option.sqlite add levels.sok", "of_variable.sqlite").expect(0);
    let optimize = "optimize levels.sok --time 5s --no-output";
    let known = |name: &str| {
        desk.soko(&format!("library --library {name} list --json")).expect(0).lines("collection")[0]["moves"].clone()
    };
    run(&format!("{optimize} --no-library"), "of_variable.sqlite").expect(0);
    assert_eq!((known("of_variable.sqlite"), known("of_option.sqlite")), (16.into(), 16.into()));
    run(&format!("{optimize} --library of_option.sqlite"), "of_variable.sqlite").expect(0);
    assert_eq!((known("of_variable.sqlite"), known("of_option.sqlite")), (16.into(), 12.into()));
    run(optimize, "of_variable.sqlite").expect(0);
    assert_eq!(known("of_variable.sqlite"), 12);
    run(&format!("{optimize} --no-library --library of_option.sqlite"), "")
        .expect(2)
        .says(&["--no-library", "--library"]);
}
