//! What `draw` writes. The pictures of `docs/pictures.md` are what its commands write, byte by byte; with
//! `SOKO_UPDATE_PICTURES=1` they are written anew.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cmd::{Desk, T2, testdata};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn the_pictures_of_the_page_are_what_its_commands_write() {
    let page = fs::read_to_string(docs().join("pictures.md")).unwrap();
    let desk = Desk::new();
    fs::create_dir(desk.path("testdata")).unwrap();
    fs::copy(testdata("first.sok"), desk.path("testdata/first.sok")).unwrap();
    let mut lines = page.lines();
    let mut n = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ soko draw ") else { continue };
        let done = desk.soko(&format!("draw {command}")).expect(0);
        let name = command.split_once("-o ").unwrap().1.split(' ').next().unwrap();
        let (written, kept) = (desk.path(name), docs().join("pictures").join(name));
        if std::env::var_os("SOKO_UPDATE_PICTURES").is_some() {
            fs::copy(&written, &kept).unwrap();
        }
        assert_eq!(Some(done.stdout.trim_end()), lines.next(), "below `{line}`");
        assert!(fs::read(&written).unwrap() == fs::read(&kept).unwrap(), "{name} is not what is in docs/pictures");
        n += 1;
    }
    assert_eq!(n, 5);
}

#[test]
fn a_gif_is_made_to_fit() {
    let desk = Desk::new();
    let levels = testdata("first.sok").display().to_string();
    let command = |max: &str| format!("draw {levels} --levels 3 -o a.gif --solution --force --max-bytes {max}");
    let done = desk.soko(&command("40kB")).expect(0);
    assert!(fs::metadata(desk.path("a.gif")).unwrap().len() <= 40_000, "{}", done.stdout);
    desk.soko(&command("1kB")).expect(1).says(&["1000 bytes or less", "animated SVG"]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let desk = Desk::with(T2);
    desk.write("two.sok", format!("{T2}\n{T2}"));
    desk.write("bare.sok", "######\n#@$ .#\n######\n");
    desk.write("bad.sok", "######\n#@$  #\n######\n");
    for (line, code, says) in [
        ("levels.sok -o a.jpg", 2, "ends with .svg, .png or .gif"),
        ("levels.sok -o a.gif", 2, "add --solution"),
        ("levels.sok -o a.png --max-bytes 1MB", 2, "--max-bytes is for .gif"),
        ("levels.sok -o a.svg --square 3", 2, "4..=256"),
        ("levels.sok -o levels.sok", 2, "ends with .svg"),
        ("levels.sok -o a.svg --strip", 2, "--solution"),
        ("two.sok -o -", 2, "choose one, as by --levels 1"),
        ("two.sok -o a.svg --format png", 2, "leave out --format"),
        ("levels.sok -o a.svg --solution=0", 2, "the first solution is 1"),
        ("levels.sok -o a.svg --solution=2", 1, "number 2, but there is only 1"),
        ("two.sok -o a.svg --levels 3", 2, "only 2 levels"),
        ("bare.sok -o a.gif --solution", 1, "it has no solution in bare.sok"),
        ("bad.sok -o a.svg", 1, "bad.sok:1: level 1"),
        ("levels.sok -o no/a.svg", 1, "check that the directory exists"),
    ] {
        desk.soko(&format!("draw {line}")).expect(code).says(&[says]);
    }
    assert_eq!(desk.files(), ["bad.sok", "bare.sok", "levels.sok", "two.sok"]);
    desk.soko("draw levels.sok -o a.svg").expect(0);
    desk.soko("draw levels.sok -o a.svg").expect(1).says(&["a.svg exists", "--force"]);
    desk.soko("draw levels.sok -o a.svg --force --theme dark").expect(0);
    assert!(desk.soko("draw two.sok --levels 2 -o -").expect(0).stdout.starts_with("<svg "));
}

#[test]
fn several_levels_are_files_with_their_numbers() {
    let desk = Desk::with(T2.repeat(11).replace("T2", "\nT2"));
    let done = desk.soko("draw levels.sok --levels 2,10- -o a.png --square 8").expect(0);
    assert_eq!(desk.files(), ["a-02.png", "a-10.png", "a-11.png", "levels.sok"]);
    assert_eq!(done.stdout.lines().count(), 3, "{}", done.stdout);
    desk.soko("draw levels.sok --levels 1,2 -o b/ --format gif --solution --square 8").expect(0);
    desk.soko("draw levels.sok --levels 7 -o b").expect(0);
    let mut names: Vec<_> = fs::read_dir(desk.path("b")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["1.gif", "2.gif", "7.svg"]);
    // One that is there keeps all from being written.
    desk.soko("draw levels.sok --levels 2,3 -o a.png").expect(0);
    desk.soko("draw levels.sok --levels 1,2 -o a.png").expect(1).says(&["a-2.png exists", "--force"]);
    assert!(!desk.path("a-1.png").exists());
    desk.write("some.sok", format!("{T2}\n######\n#@$ .#\n######\n"));
    desk.soko("draw some.sok -o c.svg --solution").expect(1).says(&["some.sok:", "it has no solution"]);
    assert!(desk.path("c-1.svg").exists() && !desk.path("c-2.svg").exists());
}

#[test]
fn snapshots_are_drawn_as_far_as_they_go() {
    let desk = Desk::with("######\n#@$ .#\n######\n\nSnapshot\nR\n");
    desk.soko("draw levels.sok -o a.svg --solution").expect(1).says(&["draw its snapshot by --solution=1"]);
    let done = desk.soko("draw levels.sok -o a.svg --solution=1").expect(0);
    assert!(done.stdout.contains("1 move and 1 push"), "{}", done.stdout);
    assert!(desk.read("a.svg").contains("animateTransform"));
}

#[test]
fn levels_of_the_library_are_drawn_and_shown() {
    let desk = Desk::with(T2);
    desk.soko("library add levels.sok --library l.sqlite").expect(0);
    let draw = |line: &str| desk.soko(&format!("draw {line} -o - --solution --library l.sqlite"));
    let by_name = draw("levels").expect(0).stdout;
    assert_eq!(by_name, draw("levels:1").expect(0).stdout);
    assert_eq!(by_name, draw("t2").expect(0).stdout);
    assert_eq!(by_name, desk.soko("draw levels.sok -o - --solution").expect(0).stdout);
    draw("gone.sok").expect(2).says(&["there is no file gone.sok", "the library has no level"]);
    let shown = desk.soko("show LEVELS --library l.sqlite").expect(0).stdout;
    assert_eq!(shown, desk.soko("show levels.sok").expect(0).stdout);
}

#[test]
fn titles_never_become_markup() {
    let title = "</title><script>alert(1)</script>&\"'";
    let done = Desk::with(T2.replacen("T2", title, 1)).soko("draw levels.sok -o - --solution").expect(0);
    assert!(!done.stdout.contains("<script") && done.stdout.contains("&lt;/title&gt;"), "{}", done.stdout);
}

#[test]
fn large_boards_and_long_solutions_are_drawn_or_refused_at_once() {
    let width = 90;
    let empty = format!("#{}#\n", " ".repeat(width - 2));
    // The player walks down and up beside a box that it pushes to and fro.
    let board = format!("{0}\n#@ $   .{1}#\n{2}{0}\n", "#".repeat(width), " ".repeat(width - 9), empty.repeat(88));
    let walk = format!("{}{}", "d".repeat(80), "u".repeat(80));
    let moves = walk.repeat(700) + "rRRRR";
    let desk = Desk::with(format!("Large\n\n{board}\nSolution\n{moves}\n"));
    desk.soko("draw levels.sok -o a.svg --solution").expect(0);
    desk.soko("draw levels.sok -o a.gif --solution --square 8").expect(1).says(&["112006 frames", "--steps pushes"]);
    desk.soko("draw levels.sok -o a.gif --solution --square 8 --steps pushes").expect(0);
    desk.soko("draw levels.sok -o a.png --square 256").expect(1).says(&["23040 x 23296 pixels", "smaller"]);
}
