//! What is read from files as they are found in the wild: one test for each rule of the format.

use sokocore::n_cases;
use sokoio::{Collection, Game, GameKind, ParseMovesError};

const BOARD: &str = "######\n#@$ .#\n######\n";

/// Replaces `[B]` by a small board and sums up what was read, one line for a level: `line title by author: games`.
fn summary(text: &str) -> Vec<String> {
    let collection = Collection::parse(text.replace("[B]\n", BOARD).as_bytes());
    let levels = collection.levels().iter();
    levels
        .map(|entry| {
            let title = entry.title().unwrap_or("-");
            let author = entry.author().map_or_else(String::new, |author| format!(" by {author}"));
            let games: Vec<_> = entry.games().iter().map(game_summary).collect();
            format!("{} {title}{author}: {}", entry.line(), games.join(", "))
        })
        .collect()
}

fn game_summary(game: &Game) -> String {
    let moves = game.moves().map_or_else(|error| format!("{:?}", error.cause), ToString::to_string);
    format!("{}={moves}", game.title().unwrap_or("-"))
}

/// The text of a collection is its bytes; a line that is not UTF-8 is written as Latin-1 is read.
#[test]
fn a_collection_is_written_as_text() {
    let text = format!("caf\u{e9}\n{BOARD}");
    assert_eq!(text.parse::<Collection>().unwrap().to_string(), text);
    let mixed = [b"caf\xE9\n", "\u{e9}t\u{e9}\n".as_bytes(), BOARD.as_bytes()].concat();
    assert_eq!(Collection::parse(&mixed).to_string(), format!("caf\u{e9}\n\u{e9}t\u{e9}\n{BOARD}"));
    assert_eq!((&Collection::parse(&mixed)).into_iter().count(), 1);
}

fn check(text: &str, expect: &[&str]) {
    assert_eq!(summary(text), expect, "{text}");
}

#[test]
fn titles_stand_above_the_board() {
    check("Name\n\n[B]\n", &["3 Name: "]);
    check("Name\n[B]\n", &["2 Name: "]);
    check("Note\nNot a name\n\n[B]\n", &["4 -: "]);
    check("Note\n\nName\n\n\n[B]\n", &["6 Name: "]);
    check("[B]\nOnly text\n[B]\n", &["1 -: ", "5 Only text: "]);
    check("[B]\nnote\nnote\n[B]\n", &["1 -: ", "6 -: "]);
    check("[B]\nnote\n\nName\n[B]\n", &["1 -: ", "7 Name: "]);
    check("[B]\nSolution\nRR\n\nName\n\n[B]\n", &["1 -: Solution=RR", "9 Name: "]);
}

/// A level in front of others that are numbered from one does not shift their headings.
#[test]
fn numbers_one_off_do_not_outweigh_the_ends() {
    let file = "First\n\n[B]\nSolution\nRR\n\nLevel 1\n\n[B]\n\nLevel 2\n\n[B]\n\nLevel 3\n\n[B]\n";
    check(file, &["3 First: Solution=RR", "11 Level 1: ", "17 Level 2: ", "23 Level 3: "]);
}

#[test]
fn properties_name_the_board_above() {
    check("[B]\nTitle: A\nAuthor: X\n\n[B]\nauthor : Y\nTitle:B\n", &["1 A by X: ", "7 B by Y: "]);
    check("[B]\nTitle: A\nTitle: B\n", &["1 A: "]);
    check("Author: Z\n\n[B]\n\n[B]\nAuthor: Y\n", &["3 - by Z: ", "7 - by Y: "]);
    check("Line\n\n[B]\nTitle: A\n", &["3 A: "]);
}

#[test]
fn properties_directly_above_a_board_name_that_board() {
    check("[B]\n\nTitle: B\nAuthor: X\n[B]\n", &["1 -: ", "7 B by X: "]);
    check("Title: A\n\n[B]\n\nTitle: B\n\n[B]\n", &["3 A: ", "9 B: "]);
    check("Title: A\n\n[B]\n", &["3 A: "]);
}

#[test]
fn the_head_names_the_collection() {
    let collection = Collection::parse(format!("Set: Small\nAuthor: X\n\n{BOARD}\nTitle: A\n").as_bytes());
    assert_eq!((collection.title(), collection.author()), (Some("Small"), Some("X")));
    let collection = Collection::parse(format!("Title: All\n\n{BOARD}Title: A\n\n{BOARD}Title: B\n").as_bytes());
    assert_eq!(collection.title(), Some("All"));
    assert_eq!(collection.levels()[1].title(), Some("B"));
}

#[test]
fn comments_and_rules_are_no_titles() {
    check(":: 1 ::\n\n[B]\n\n; two\n; lines\n\n[B]\n", &["3 -: ", "10 -: "]);
    check("Name\n:: comment ::\n[B]\n", &["3 Name: "]);
    check("-----\n\n[B]\n=====\n[B]\n", &["3 -: ", "7 -: "]);
    assert_eq!(Collection::parse(BOARD.as_bytes()).levels()[0].title_or_number(), "level 1");
}

#[test]
fn titles_may_look_like_boards_or_moves() {
    check("30-8-55\n\n[B]\n", &["3 30-8-55: "]);
    check("+|+\n[B]\n", &["2 +|+: "]);
    check("#12\n[B]\n\nDull\n\n[B]\n", &["2 #12: ", "8 Dull: "]);
}

#[test]
fn games_follow_their_titles() {
    check("[B]\nSolution 2/2\nRR\nSnapshot 1/1\nR\n", &["1 -: Solution 2/2=RR, Snapshot 1/1=R"]);
    check("[B]\nSolution\n\n\nR\nR\nSolver: X\n\nRR\n", &["1 -: Solution=RR, -=RR"]);
    check("[B]\na solution of mine\nr R\n", &["1 -: a solution of mine=rR"]);
    check("[B]\nSolution 2/2\nRR\nSolution comment:\nGood.\nSolution comment end:\n", &["1 -: Solution 2/2=RR"]);
    check("[B]\nSolution: RR\nrR\n", &["1 -: Solution=RRrR"]);
    check("[B]\nSolution\ntext\nrd\n", &["1 -: "]);
    check("[B]\nSolution\n12\nlr\n", &["1 -: "]);
}

/// The notes of the collection and of each level.
#[track_caller]
fn check_notes(text: &str, expect: &[&str]) {
    let collection = Collection::parse(text.replace("[B]\n", BOARD).as_bytes());
    let levels = collection.levels().iter().map(|level| level.notes().join(", "));
    assert_eq!([collection.notes().join(", ")].into_iter().chain(levels).collect::<Vec<_>>(), expect, "{text}");
}

#[test]
fn comments_belong_where_the_collection_has_them() {
    check("[B]\n\n; 1\n\n[B]\n\n; 2\n", &["1 1: ", "7 2: "]);
    check("[B]\n\n; x\n\n[B]\n", &["1 -: ", "7 x: "]);
    check("[B]\n; x\n[B]\n", &["1 -: ", "5 -: "]);
    check("; 1\n[B]\n\nText\n; 2\n[B]\n", &["2 1: ", "8 2: "]);
    check("; 1\n\n[B]\n\nLevel 1\n; 2\n\n[B]\n\nLevel 2\n", &["3 1: ", "10 Level 2: "]);
    check_notes("[B]\n; x\n[B]\n", &["", "; x", ""]);
    check_notes("[B]\n\n; x\nName\n[B]\n", &["", "", "; x"]);
    check_notes("; 1\n[B]\nText\n; 2\n[B]\n", &["", "Text", ""]);
    check_notes("Text\n; 1\n[B]\n; 2\n[B]\n", &["Text", "", ""]);
    check_notes("Text\n; 1\n\n[B]\n\nText\n; 2\n\n[B]\n", &["Text", "", "Text"]);
    check_notes("Title: A\n[B]\nText\nTitle: B\nMore\n[B]\n", &["", "Text", "More"]);
}

#[test]
fn comments_announce_no_game() {
    check("[B]\n; a solution\nlurd\n", &["1 -: "]);
    check("[B]\n:: a solution\nlurd\n", &["1 -: "]);
    check("[B]\na solution\nlurd\n", &["1 -: a solution=lurd"]);
}

#[test]
fn bare_moves_are_solutions_if_nothing_else_is_plausible() {
    check("[B]\nRR\n", &["1 -: -=RR"]);
    check("[B]\n\nMy best\nlR\nRR\n\n2(lR)\n", &["1 -: My best=lRRR, -=lRlR"]);
    check("[B]\nAuthor: X\nRR\n", &["1 - by X: -=RR"]);
    check("[B]\n\nlurd\n\nRudd\n\nl R\n", &["1 -: "]);
}

#[test]
fn games_of_every_kind_are_kept() {
    let text = format!(
        "{BOARD}\nReverse Mode Snapshot\n[dr]RulU\n\nSnapshot\n<>L\n\nSavegame:\nRl*R\n\nSolution\nr{{2}}R\n\nSolution\n9(9(9(9(99999(R)))))\n"
    );
    let collection = Collection::parse(text.as_bytes());
    let games = collection.levels()[0].games();
    let kinds: Vec<_> = games.iter().map(Game::kind).collect();
    let reverse = GameKind::ReverseSnapshot;
    assert_eq!(kinds, [reverse, reverse, GameKind::SaveGame, GameKind::Solution, GameKind::Solution]);
    assert_eq!(games[0].moves().unwrap_err().cause, ParseMovesError::Reverse);
    assert_eq!(games[0].moves().unwrap_err().to_string(), "line 6: the game cannot be replayed");
    let names: Vec<_> = kinds.iter().chain(&[GameKind::Snapshot]).map(ToString::to_string).collect();
    assert_eq!(names[1..], ["reverse snapshot", "saved game", "solution", "solution", "snapshot"]);
    assert_eq!((games[2].current(), games[2].line()), (Some(2), 11));
    assert_eq!(games[3].moves().unwrap_err().cause, ParseMovesError::Multiban);
    assert_eq!(games[4].moves().unwrap_err().cause, ParseMovesError::TooLong);
}

#[test]
fn files_come_in_every_wrapping() {
    let plain = "Name\n\n######\n#@$ .#\n######\n\nSolution\nRR\n";
    let expect = ["3 Name: Solution=RR"];
    check(plain, &expect);
    check(&plain.replace('\n', "\r\n"), &expect);
    check(&plain.replace('\n', "\r"), &expect);
    check(&format!("\u{feff}{plain}"), &expect);
    check(&plain.lines().map(|line| format!("> > {line}\n")).collect::<String>(), &expect);
    check(&plain.lines().map(|line| format!("  {line} \n")).collect::<String>(), &expect);
    check(&plain.replace('\n', "\\n"), &["1 Name: Solution=RR"]);
    let latin_1 = [b"Caf\xE9\n\n", BOARD.as_bytes()].concat();
    assert_eq!(Collection::parse(&latin_1).levels()[0].title(), Some("Caf\u{e9}"));
}

#[test]
fn bad_boards_are_kept_with_their_error() {
    let collection = Collection::parse(format!("####\n#@ #\n####\n\n{BOARD}\n####\n#@$.\n####\n").as_bytes());
    let levels = collection.levels();
    assert_eq!(levels.len(), 3);
    assert_eq!(
        levels[0].level().unwrap_err().to_string(),
        "the level has no box that the player could reach; there is nothing to push"
    );
    assert!(levels[1].level().is_ok());
    assert_eq!(levels[2].level().unwrap_err().to_string(), "the border is open at row 2, column 4; close it with #");
    assert_eq!(levels[2].board_rows(), ["####", "#@$.", "####"]);
}

/// Texts made to be slow are read about as fast as others of their size.
#[test]
fn hostile_texts_are_read_in_linear_time() {
    // Squares of the numbers below are out of reach either way.
    let n = n_cases(1, 8);
    let hostile = [
        "#".repeat(375_000 * n),
        "#\n".repeat(125_000 * n),
        "R\n".repeat(125_000 * n),
        "\n".repeat(375_000 * n),
        "-\n".repeat(125_000 * n),
        "Title: x\n".repeat(37_500 * n),
        "Solution\n".repeat(37_500 * n),
        format!("{BOARD}{}", "\n\nSolution\n\n".repeat(25_000 * n)),
        format!("{BOARD}{}", "Solution\n99999(99999(R))\n".repeat(6_250 * n)),
        format!("{BOARD}\n").repeat(3_750 * n),
        "9(9(9(9(9(9(9(9(#))))))))|#|#\n\n".repeat(6_250 * n),
        "99999#|#|#\n\n".repeat(6_250 * n),
        format!("{}\n{}\n", "#".repeat(1400), "#\n".repeat(1400)).repeat(6 * n),
        ">".repeat(375_000 * n),
        "> ".repeat(1000) + "\n> a\n",
        "\\n#".repeat(87_500 * n),
        format!("{BOARD}Solution\n{}", "(".repeat(250_000 * n) + "R"),
        format!("{BOARD}Solution\n{}", "R*".repeat(125_000 * n)),
    ];
    for text in hostile {
        let started = std::time::SystemTime::now();
        let collection = Collection::parse(text.as_bytes());
        assert_eq!(collection.to_bytes(), text.as_bytes());
        let seconds = started.elapsed().unwrap_or_default().as_secs_f64();
        assert!(seconds < 20.0, "{seconds} s for {:?}", &text[..text.len().min(40)]);
    }
}
