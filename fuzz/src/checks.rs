//! The checks: one function for each target, from any bytes to a panic if something is wrong.
//!
//! This file is part of two crates: the fuzz targets, and the tests of `sokoio`, which include it by its path.

use std::collections::BTreeSet;

use sokocore::{Direction, Grid, Level, Lurd, ReplayError, Step, Symmetry, replay, replay_snapshot};
use sokoio::{
    Collection, EditError, LevelEntry, LevelId, NewLevel, ProofNote, SolutionKind, SolutionTitle, parse_moves,
    wrap_moves,
};

/// Reads any bytes as a collection, writes them back, and edits the first levels.
pub fn check_level(bytes: &[u8]) {
    let collection = Collection::parse(bytes);
    assert_eq!(&*collection.to_bytes(), bytes, "an unchanged collection is the file");
    for (at, entry) in collection.levels().iter().enumerate() {
        assert_eq!(entry.number(), at + 1);
        check_entry(entry);
    }
    // A few bytes of run lengths are millions of moves, which every edit below would read again.
    let games = collection.levels().iter().flat_map(LevelEntry::games);
    let n_moves: usize = games.filter_map(|game| game.moves().ok()).map(Lurd::len).sum();
    if n_moves > 100_000 {
        return;
    }
    for level in 0..collection.levels().len().min(3) {
        check_added_solution(&collection, level);
        for game in 0..collection.levels()[level].games().len().min(3) {
            check_retitled(&collection, level, game);
        }
    }
}

/// Reads any bytes as the note of a proof and as the title of a solution; what is read is written, and read as the same.
pub fn check_note(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(note) = ProofNote::parse(&text) {
        assert_eq!(ProofNote::parse(&note.to_string()).as_ref(), Some(&note), "{text:?}");
        let _ = note.proved().holds_for(&sokocore::Metrics::default());
    }
    if let Some(title) = SolutionTitle::parse(&text) {
        assert_eq!(SolutionTitle::parse(&title.to_string()).as_ref(), Some(&title), "{text:?}");
    }
}

/// Reads any bytes as a file of any format, and what was written from it as text.
pub fn check_file(bytes: &[u8]) {
    let collection = match Collection::decode("fuzz", bytes.to_vec()) {
        Ok(collection) => collection,
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz"), "errors name the file: {error}");
            return;
        }
    };
    assert!(!collection.levels().is_empty(), "a file without levels is an error");
    let written = collection.to_bytes().to_vec();
    assert!(!collection.is_text() || written == bytes, "text is kept");
    check_same_but(&collection, &Collection::parse(&written), |_| None);
}

fn check_entry(entry: &LevelEntry) {
    let again = Level::parse(&entry.board_rows().join("\n"));
    if let Ok(level) = entry.level() {
        assert_eq!(again.as_ref(), Ok(level), "the rows are the level");
        assert_eq!(LevelId::of(level).to_string().parse(), Ok(LevelId::of(level)));
    }
    for (_, solution) in entry.solutions() {
        let (Ok(solution), Ok(level)) = (solution, entry.level()) else { continue };
        let same = replay(level, solution.lurd()).expect("a replayed solution replays");
        assert_eq!(same.metrics(), solution.metrics());
        assert_eq!(same.remarks().case_corrected + same.remarks().cut_after_solved, 0);
    }
}

fn check_added_solution(collection: &Collection, level: usize) {
    let metrics = sokocore::Metrics::count(&[Step::Push(Direction::Right); 3]);
    let title = SolutionTitle::new(SolutionKind::Best, metrics).with_program("Soko");
    let moves: Lurd = (0..141).map(|at| Step::Walk(Direction::ALL[at % 4])).collect();
    let notes = ["Solver: Soko", "Title: no\\n####", "lurD", "a solution", "#####\n#@$.#\r#####", ""].map(String::from);
    let mut edited = collection.clone();
    let added = edited.add_solution(level, &title, &moves, &notes);
    let Some(game) = unless_refused(collection, &edited, added) else { return };
    check_same_but(collection, &edited, |at| (at == level).then_some(game));
    let games = edited.levels()[level].games();
    assert_eq!(game + 1, games.len(), "the new game is the last");
    assert_eq!(games[game].moves().map(Lurd::len), Ok(141));
    assert!(games[game].title().is_some_and(|text| text.starts_with("Best Solution 3/3/1/1/1/1 (Soko)")));
    check_inserted(&collection.to_bytes(), &edited.to_bytes());
    check_same_but(&edited, &Collection::parse(&edited.to_bytes()), |_| None);
    let n_cells: usize = collection.levels().iter().flat_map(LevelEntry::board_rows).map(String::len).sum();
    if level == 0 && n_cells + collection.to_bytes().len() < 300 {
        check_more_edits(edited, level, &title, &moves);
    }
}

/// Edits one after the other give what reading the whole file after each of them gives.
fn check_more_edits(mut edited: Collection, level: usize, title: &SolutionTitle, moves: &Lurd) {
    let notes = [String::from("Solver: Soko")];
    for step in 0..5 {
        let before = edited.clone();
        let n_games = edited.levels()[level].games().len();
        let result = match step {
            0 => edited.add_snapshot(level, title, moves).map(|_| ()),
            1 => edited.add_note(level, n_games - 1, "Proved: fewest pushes"),
            2 => edited.add_solution(level, title, moves, &notes).map(|_| ()),
            3 => edited.add_note(level, n_games / 2, "a note"),
            _ => edited.retitle(level, n_games / 2, title),
        };
        if unless_refused(&before, &edited, result).is_none() {
            return;
        }
        check_same_but(&edited, &Collection::parse(&edited.to_bytes()), |_| None);
    }
    let other = edited.clone();
    if edited.append(&other).is_ok() {
        let levels: Vec<_> = other.levels().iter().chain(other.levels()).cloned().collect();
        check_same_levels(&levels, edited.levels(), &String::from_utf8_lossy(&edited.to_bytes()), |_| None);
        check_same_but(&edited, &Collection::parse(&edited.to_bytes()), |_| None);
    } else {
        check_same_but(&other, &edited, |_| None);
    }
    let new = NewLevel::new(["#####", "#@$.#", "#####"]).with_title("Name").with_note("A note.").with_note("lurD");
    for _ in 0..2 {
        if let Ok(index) = edited.append_level(&new) {
            let entry = &edited.levels()[index];
            assert_eq!((entry.title(), entry.notes()), (Some("Name"), &["A note.", "; lurD"].map(String::from)[..]));
        }
        check_same_but(&edited, &Collection::parse(&edited.to_bytes()), |_| None);
    }
}

fn check_retitled(collection: &Collection, level: usize, game: usize) {
    let metrics = sokocore::Metrics::count(&[Step::Push(Direction::Right)]);
    let mut edited = collection.clone();
    let title = SolutionTitle::new(SolutionKind::Plain, metrics);
    let retitled = edited.retitle(level, game, &title);
    let Some(()) = unless_refused(collection, &edited, retitled) else { return };
    assert_eq!(edited.levels().len(), collection.levels().len());
    for (old, new) in collection.levels().iter().zip(edited.levels()) {
        assert_eq!((old.title(), old.author(), old.board_rows()), (new.title(), new.author(), new.board_rows()));
        assert_eq!(old.games().len(), new.games().len(), "{:?}", String::from_utf8_lossy(&edited.to_bytes()));
        for (at, (before, after)) in old.games().iter().zip(new.games()).enumerate() {
            assert_eq!(before.moves().ok(), after.moves().ok());
            if old.number() == level + 1 && at == game {
                let text = edited.to_bytes();
                let text = String::from_utf8_lossy(&text);
                assert!(after.title().is_some_and(|text| text.starts_with("Solution 1/1")), "{text}");
            } else {
                assert_eq!((before.title(), before.kind()), (after.title(), after.kind()));
            }
        }
    }
}

/// What an edit returns. A file may refuse one, and keep everything then, if it has escaped line breaks or lines that
/// touch two boards.
fn unless_refused<T>(old: &Collection, new: &Collection, edit: Result<T, EditError>) -> Option<T> {
    let error = match edit {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(&old.to_bytes()).replace("\r\n", "\n").replace('\r', "\n");
    let may_refuse = text.contains("\\n") || has_shared_paragraph(&text);
    assert!(may_refuse && matches!(error, EditError::Ambiguous { .. }), "{error}: {text:?}");
    assert_eq!(old.to_bytes(), new.to_bytes());
    check_same_but(old, new, |_| None);
    None
}

/// Whether there are lines between two boards without a blank one among them. The layout of the whole file decides
/// whose they are, and a game between them and a board may change that.
fn has_shared_paragraph(text: &str) -> bool {
    let (mut touches_board, mut n_lines) = (false, 0);
    for line in text.lines() {
        if line.contains('#') {
            if touches_board && n_lines > 0 {
                return true;
            }
            (touches_board, n_lines) = (true, 0);
        } else if line.trim().is_empty() {
            touches_board = false;
        } else {
            n_lines += 1;
        }
    }
    false
}

/// Levels, titles, notes and games are the same, except for one game more where `extra` names it.
fn check_same_but(old: &Collection, new: &Collection, extra: impl Fn(usize) -> Option<usize>) {
    let bytes = new.to_bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!((old.title(), old.author(), old.notes()), (new.title(), new.author(), new.notes()), "{text:?}");
    check_same_levels(old.levels(), new.levels(), &text, extra);
}

fn check_same_levels(old: &[LevelEntry], new: &[LevelEntry], text: &str, extra: impl Fn(usize) -> Option<usize>) {
    assert_eq!(old.len(), new.len(), "{text:?}");
    for (at, (old, new)) in old.iter().zip(new).enumerate() {
        assert_eq!((old.title(), old.author(), old.notes()), (new.title(), new.author(), new.notes()), "{text:?}");
        assert_eq!((old.board_rows(), old.level()), (new.board_rows(), new.level()));
        let kept: Vec<_> = (0..new.games().len()).filter(|game| Some(*game) != extra(at)).collect();
        assert_eq!(old.games().len(), kept.len(), "{text:?}");
        for (before, after) in old.games().iter().zip(kept.iter().map(|game| &new.games()[*game])) {
            assert_eq!((before.title(), before.kind()), (after.title(), after.kind()), "{text:?}");
            assert_eq!(before.notes(), after.notes(), "{text:?}");
            assert_eq!(before.moves().ok(), after.moves().ok());
            assert_eq!(before.current(), after.current());
        }
    }
}

/// The old bytes are the new ones without one stretch.
fn check_inserted(old: &[u8], new: &[u8]) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    assert!(new.ends_with(&old[start..]), "the edit only inserts");
}

/// Reads any bytes as moves, writes what was read, and compares it with a recursive reader.
pub fn check_lurd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(moves) = parse_moves(&text) else { return };
    // A few bytes of run lengths are fifty million moves, which the sanitizer takes long to write and read again.
    if moves.len() <= 1_000_000 {
        assert_eq!(parse_moves(&wrap_moves(&moves).join("\n")).as_ref(), Ok(&moves));
    }
    if moves.len() <= 10_000 && bytes.len() <= 1000 {
        let letters: Vec<u8> = text.bytes().filter(|byte| b"lurdLURD0123456789()".contains(byte)).collect();
        let mut at = 0;
        assert_eq!(moves.to_string(), reference_runs(&letters, &mut at, 0), "{text}");
    }
}

/// Writes runs in full, up to the end of the group that starts here.
fn reference_runs(letters: &[u8], at: &mut usize, depth: usize) -> String {
    let mut full = String::new();
    let mut count = String::new();
    while let Some(&letter) = letters.get(*at) {
        *at += 1;
        if letter.is_ascii_digit() {
            count.push(char::from(letter));
            continue;
        }
        let times = if count.is_empty() { 1 } else { count.parse().unwrap_or(usize::MAX).min(99_999) };
        count.clear();
        match letter {
            b')' if depth > 0 => return full,
            b')' => {}
            b'(' => {
                let is_closed = closes(&letters[*at..]);
                let group = reference_runs(letters, at, depth + 1);
                let times = if is_closed && !group.is_empty() { times } else { 1 };
                full += &group.repeat(times);
            }
            _ => full += &char::from(letter).to_string().repeat(times),
        }
    }
    full
}

/// Whether the group that starts before these letters ends.
fn closes(letters: &[u8]) -> bool {
    let mut depth = 1;
    letters.iter().any(|letter| {
        depth += i32::from(*letter == b'(') - i32::from(*letter == b')');
        depth == 0
    })
}

const BOARDS: [&str; 4] = [
    "######\n#@$ .#\n######",
    "#######\n#.    #\n# $@$ #\n#    .#\n#######",
    "########\n#   . .#\n#.$$   #\n# #    #\n# $@   #\n#      #\n########",
    "######\n# *@ #\n#    #\n######\n# *  #\n######",
];

/// Plays any bytes as moves on a small board and compares every step with a player of sets of squares.
pub fn check_replay(bytes: &[u8]) {
    let Some((board, moves)) = bytes.split_first() else { return };
    let level = Level::parse(BOARDS[usize::from(*board) % BOARDS.len()]).expect("the boards are levels");
    let step = |byte: &u8| {
        let dir = Direction::ALL[usize::from(byte % 4)];
        if byte & 4 == 0 { Step::Walk(dir) } else { Step::Push(dir) }
    };
    let moves: Lurd = moves.iter().map(step).collect();
    let expect = ReferenceGame::new(level.grid()).play(&moves);
    let snapshot = replay_snapshot(&level, &moves);
    assert_eq!(snapshot.as_ref().ok().map(|snapshot| snapshot.lurd().to_string()), expect.all);
    let solution = replay(&level, &moves);
    assert_eq!(solution.as_ref().ok().map(|solution| solution.lurd().to_string()), expect.solution);
    match solution {
        Ok(solution) => check_images(&level, solution.lurd()),
        Err(ReplayError::Unsolved { boxes_left }) => assert!(boxes_left > 0),
        Err(_) => {}
    }
}

fn check_images(level: &Level, moves: &Lurd) {
    let metrics = replay(level, moves).expect("a solution replays").metrics();
    for symmetry in Symmetry::ALL {
        let image = Level::from_grid(symmetry.grid(level.grid())).expect("the image of a level is one");
        let solution = replay(&image, &symmetry.moves(moves)).expect("the image of a solution is one");
        assert_eq!(solution.metrics(), metrics);
        assert_eq!(LevelId::up_to_symmetry(&image), LevelId::up_to_symmetry(level));
    }
}

/// A game on sets of coordinates.
struct ReferenceGame {
    walls: BTreeSet<(isize, isize)>,
    goals: BTreeSet<(isize, isize)>,
    boxes: BTreeSet<(isize, isize)>,
    player: (isize, isize),
}

/// The moves in the right case: all of them if all are legal, and those up to the first solved position.
struct Played {
    all: Option<String>,
    solution: Option<String>,
}

impl ReferenceGame {
    fn new(grid: &Grid) -> Self {
        let mut game = Self { walls: BTreeSet::new(), goals: BTreeSet::new(), boxes: BTreeSet::new(), player: (0, 0) };
        for (row, line) in (0..).zip(grid.cells().chunks(grid.width())) {
            for (column, cell) in (0..).zip(line) {
                let place = (row, column);
                match cell.letter() {
                    '#' => _ = game.walls.insert(place),
                    '.' => _ = game.goals.insert(place),
                    '$' => _ = game.boxes.insert(place),
                    '*' => _ = (game.goals.insert(place), game.boxes.insert(place)),
                    '@' => game.player = place,
                    '+' => (_, game.player) = (game.goals.insert(place), place),
                    _ => {}
                }
            }
        }
        game
    }

    fn play(mut self, moves: &Lurd) -> Played {
        let mut text = String::new();
        let mut solution = None;
        for step in moves.steps() {
            let Some(letter) = self.step(step.dir()) else { return Played { all: None, solution } };
            text.push(letter);
            if letter.is_ascii_uppercase() && solution.is_none() && self.boxes.is_subset(&self.goals) {
                solution = Some(text.clone());
            }
        }
        Played { all: Some(text), solution }
    }

    fn step(&mut self, dir: Direction) -> Option<char> {
        let (down, right) = dir.offset();
        let next = (self.player.0 + down, self.player.1 + right);
        let beyond = (next.0 + down, next.1 + right);
        if self.walls.contains(&next) {
            return None;
        }
        let pushes = self.boxes.contains(&next);
        if pushes {
            if self.walls.contains(&beyond) || self.boxes.contains(&beyond) {
                return None;
            }
            self.boxes.remove(&next);
            self.boxes.insert(beyond);
        }
        self.player = next;
        Some(if pushes { dir.letter().to_ascii_uppercase() } else { dir.letter() })
    }
}
