//! Properties of any file: read without panic, kept byte for byte, edited without side effects.
//!
//! Most files are made of tricky lines in random order with random endings, because random bytes alone are hardly
//! ever a level.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sokocore::n_cases;

use crate::checks;

const LINES: &[&str] = &[
    "",
    "",
    "",
    "",
    "######\n#@$ .#\n######",
    "######\n#@$ .#\n######",
    "  ####\r\n  #@ #\r\n--#$-#\r\n------\r\n  #. #\r\n  ####",
    "6#|#@$-.#|6#",
    "######\\n#@$ .#\\n######",
    "#####",
    "#@ #",
    "# $.",
    "****",
    "-----",
    "- _",
    ".",
    "2-|3-",
    "3#",
    "9(9(9(9(#))))",
    "Solution",
    "Solution 2/2",
    "Solution:",
    "Solution: RR",
    "Best solution: 29 / 4",
    "Snapshot",
    "Reverse Mode Snapshot",
    "Savegame:",
    "RR",
    "RR",
    "lurdLURDlurd",
    "l u r*d",
    "3r4U",
    "2(3(dr)R)",
    "[dr]RulU",
    "r{1}R",
    "Dull",
    "Title: A",
    "Title: The solution",
    "Author: B",
    "author : C",
    "Collection: D",
    "Set: E",
    "Solver: F",
    "Notes: a snapshot",
    "Level 3: the maze",
    "; comment",
    ";solution",
    ":: comment",
    "+|+",
    "30-8-55",
    "#12",
    "(#1)",
    "plain text",
    "a solution",
    "> quoted",
    "> ",
    ">######\n>#@$ .#\n>######",
    "\u{feff}",
    "caf\u{e9}",
    "\t",
];

fn file_of_lines() -> impl Strategy<Value = Vec<u8>> {
    let ending = prop_oneof![12 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\\n"), 1 => Just("")];
    let usual =
        (vec(select(LINES), 0..30), select(vec!["\n", "\r\n", "\r"])).prop_map(|(lines, ending)| lines.join(ending));
    let mixed = vec((select(LINES), ending), 0..20)
        .prop_map(|lines| lines.iter().map(|(line, ending)| format!("{line}{ending}")).collect::<String>());
    let quoted = vec(select(LINES), 0..30)
        .prop_map(|lines| lines.join("\n").lines().map(|line| format!("> {line}\n")).collect::<String>());
    prop_oneof![4 => usual, 2 => mixed, 1 => quoted].prop_map(String::into_bytes)
}

/// Bytes changed, removed, doubled here and there.
fn mutated(file: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), select(b"\n\r#@$.-|(9l R>:;\\n\xff".to_vec()), 0..3_u8);
    (file, vec(change, 0..6)).prop_map(|(mut file, changes)| {
        for (at, byte, how) in changes {
            let at = at.index(file.len() + 1);
            match how {
                0 => file.insert(at, byte),
                1 if at < file.len() => file[at] = byte,
                _ if at < file.len() => _ = file.remove(at),
                _ => {}
            }
        }
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(500, 2000)).unwrap_or(2000)))]

    #[test]
    fn files_of_tricky_lines(file in file_of_lines()) {
        checks::check_level(&file);
    }

    #[test]
    fn mutated_files(file in mutated(file_of_lines())) {
        checks::check_file(&file);
        checks::check_level(&file);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        checks::check_file(&bytes);
        checks::check_level(&bytes);
        checks::check_lurd(&bytes);
        checks::check_replay(&bytes);
    }

    #[test]
    fn any_moves(text in "[lurdLURD0-9()* \n]{0,40}", played in vec(any::<u8>(), 0..60)) {
        let small = text.bytes().filter(u8::is_ascii_digit).count() <= 6;
        if small {
            checks::check_lurd(text.as_bytes());
        }
        checks::check_replay(&played);
    }
}
