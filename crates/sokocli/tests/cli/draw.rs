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
        ("two.sok -o a.svg", 2, "choose one, as by --levels 1"),
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
    desk.soko("draw levels.sok -o a.gif --solution --square 8").expect(1).says(&["112006 frames", "fewer steps"]);
    desk.soko("draw levels.sok -o a.gif --solution --square 8 --steps pushes").expect(0);
    desk.soko("draw levels.sok -o a.png --square 256").expect(1).says(&["23040 x 23296 pixels", "smaller"]);
}
