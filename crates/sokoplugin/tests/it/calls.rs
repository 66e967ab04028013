//! Every function, in the order in which Sokoban YASC calls them.

use std::sync::atomic::{AtomicU32, Ordering};

use sokocore::{Level, Objective, replay};
use sokomethods::polish;
use sokoplugin::ResultCode;
use sokosearch::{Cancel, MemoryAccount};

use crate::library;
use crate::plugin::{Function, Plugin, Request};

/// Two boxes; the fewest moves are 12, with 5 pushes, the fewest pushes 3, with 14 moves.
pub(crate) const SMALL: [&str; 5] = ["######", "##   #", "#@$ $#", "#.  .#", "######"];
/// A level that no search exhausts in the time of a test.
pub(crate) const LARGE: [&str; 12] = [
    "####################",
    "#@                 #",
    "#  $ $ $ $ $ $ $   #",
    "#                  #",
    "#  $ $ $ $ $ $ $   #",
    "#                  #",
    "#                  #",
    "#   . . . . . . .  #",
    "#                  #",
    "#   . . . . . . .  #",
    "#                  #",
    "####################",
];
const MOVES_PUSHES: u32 = 258;
const PUSHES_MOVES: u32 = 132;
const SOLUTION: u32 = 1;

fn code(code: ResultCode) -> i32 {
    code as i32
}

#[test]
fn all_names_are_there() {
    let plugin = Plugin::built();
    let names = [
        "Configure",
        "GetConstraints",
        "GetPluginName",
        "GetSolverName",
        "GetSupportedOptimizations",
        "IsSupportedOptimization",
        "Optimize",
        "ShowAbout",
        "Solve",
        "SolveEx",
        "Terminate",
    ];
    for name in names {
        assert!(plugin.has(name), "{name}");
    }
    assert!(!plugin.has("GetConstraintsEx"));
}

#[test]
fn a_host_learns_what_the_plugin_is() {
    let plugin = Plugin::built();
    let name = plugin.name("GetPluginName", 100);
    assert!(name.starts_with("Soko 0.") && name.ends_with("-bit)"), "{name}");
    assert_eq!(plugin.name("GetSolverName", 5), "Soko");
    assert_eq!((plugin.name("GetPluginName", 1), plugin.name("GetPluginName", 0)), (String::new(), String::new()));
    let [width, height, boxes] = plugin.constraints();
    assert!(width >= 50 && height >= 50 && boxes >= 1200);
    for flags in [258, 132, 4, 136, 264] {
        assert!(plugin.supports(flags), "{flags}");
    }
    assert!(!plugin.supports(0) && !plugin.supports(6));
    assert_eq!(plugin.supported() & 0xFFFF, 0x1FFE);
}

#[test]
fn a_level_is_solved() {
    let plugin = Plugin::built();
    let reply = plugin.run(Function::SolveEx, Request::new(&SMALL, "").with_flags(MOVES_PUSHES));
    assert_eq!(reply.code, code(ResultCode::Ok));
    let level = Level::parse(&SMALL.join("\n")).unwrap();
    assert!(replay(&level, &reply.game().parse().unwrap()).is_ok(), "{}", reply.game());
    assert!(reply.text().starts_with("solved by "), "{}", reply.text());
    let status = reply.status.unwrap();
    let (flags, states) = (status.flags, status.states_generated);
    assert_eq!(flags, SOLUTION);
    assert!(states > 0);
    let (old_code, old_game) = plugin.solve(6, &["######", "##   #", "#@$ $#", "#.  .#", "######"]);
    assert!(old_code == 0 && replay(&level, &old_game.parse().unwrap()).is_ok(), "{old_game}");
    assert_eq!(plugin.solve(7, &["#######", "#@ $ .#", "#######"]), (0, "rRR".to_owned()));
}

#[test]
fn without_a_buffer_only_the_result_counts() {
    let plugin = Plugin::built();
    let request = |rows| Request { buffer: Vec::new(), ..Request::new(rows, "").with_flags(0) };
    let reply = plugin.run(Function::SolveEx, request(&SMALL));
    assert_eq!((reply.code, reply.status.unwrap().text[0]), (0, b's'));
    let unsolvable = plugin.run(Function::SolveEx, request(&["######", "#@  .#", "#$   #", "######"]));
    assert_eq!(unsolvable.code, code(ResultCode::Unsolvable));
}

#[test]
fn what_does_not_fit_is_cut() {
    let plugin = Plugin::built();
    let request = Request { buffer: vec![b'x'; 4], ..Request::new(&SMALL, "") };
    let reply = plugin.run(Function::SolveEx, request);
    assert_eq!((reply.code, reply.game().len()), (code(ResultCode::GameTooLong), 3));
}

#[test]
fn a_game_is_improved_by_what_is_asked_for() {
    let plugin = Plugin::built();
    let optimize = |game: &str, flags| plugin.run(Function::Optimize, Request::new(&SMALL, game).with_flags(flags));
    let moves = optimize("drruurDullDrdL", MOVES_PUSHES | SOLUTION);
    assert_eq!((moves.code, moves.game().len()), (0, 12), "{}", moves.text());
    assert_eq!(moves.text(), "14/3 -> 12/5, proved optimal");
    assert_eq!({ moves.status.unwrap().flags }, MOVES_PUSHES | SOLUTION);
    assert_eq!(moves.buffer[12..14], [0, 0], "the list is ended");
    let again = optimize(&moves.game(), MOVES_PUSHES | SOLUTION);
    assert_eq!((again.code, again.game()), (code(ResultCode::Unsolved), moves.game()));
    let pushes = optimize(&moves.game(), PUSHES_MOVES | SOLUTION);
    assert_eq!((pushes.code, pushes.game().len()), (0, 14));
    let unflagged = optimize("drruurDullDrdL", SOLUTION);
    assert_eq!({ unflagged.status.unwrap().flags }, MOVES_PUSHES | SOLUTION, "the settings decide, and it says so");
}

#[test]
fn old_flags_are_kept_as_they_came() {
    let request = Request::new(&SMALL, "drruurDullDrdL").with_flags(2 | 128 | SOLUTION);
    let reply = Plugin::built().run(Function::Optimize, request);
    assert_eq!((reply.code, reply.game().len()), (0, 12));
    assert_eq!({ reply.status.unwrap().flags }, 2 | 128 | SOLUTION);
}

#[test]
fn flags_that_are_not_followed_are_told() {
    let plugin = Plugin::built();
    let optimize = |flags| plugin.run(Function::Optimize, Request::new(&SMALL, "drruurDullDrdL").with_flags(flags));
    let reply = optimize(MOVES_PUSHES | SOLUTION | 1 << 20);
    assert_eq!((reply.code, { reply.status.unwrap().flags }), (0, MOVES_PUSHES | SOLUTION));
    assert_eq!(reply.text(), "14/3 -> 12/5, proved optimal; unknown flags 0x100000 are left out");
    let reply = optimize(SOLUTION | 6);
    assert_eq!((reply.code, { reply.status.unwrap().flags }), (0, MOVES_PUSHES | SOLUTION));
    assert!(reply.text().ends_with("; flags 0x6 name no optimization known here, moves is done"), "{}", reply.text());
}

/// Solvers leave loops and detours; those that one more look finds are gone.
#[test]
fn a_solution_is_polished() {
    let plugin = Plugin::built();
    let rows = ["##########", "#@       #", "# $ $  $ #", "#        #", "#  . . . #", "#        #", "##########"];
    let level = Level::parse(&rows.join("\n")).unwrap();
    let reply = plugin.run(Function::SolveEx, Request::new(&rows, ""));
    assert_eq!(reply.code, 0);
    let found = replay(&level, &reply.game().parse().unwrap()).unwrap();
    let (memory, cancel) = (MemoryAccount::new(64 << 20), Cancel::default());
    let again = polish(&level, &found, Objective::MOVES, &memory, &cancel);
    assert_eq!(again.metrics(), found.metrics());
}

/// The best game of this board ends elsewhere.
#[test]
fn the_player_ends_where_the_given_game_does() {
    let rows = ["#######", "#     #", "#.$@$.#", "#######"];
    let plugin = Plugin::built();
    let optimize = |game: &str, flags| plugin.run(Function::Optimize, Request::new(&rows, game).with_flags(flags));
    let kept = optimize("udLrR", MOVES_PUSHES);
    assert_eq!((kept.code, kept.game().as_str()), (0, "LrR"));
    assert_eq!(kept.text(), "5/2 -> 3/2, proved optimal for this end");
    let tail = optimize("udLrRullrr", MOVES_PUSHES);
    assert_eq!((tail.code, tail.game().as_str()), (0, "LrRu"), "the walk after the last push gets shorter as well");
    let left = optimize("udRlL", MOVES_PUSHES);
    assert_eq!((left.code, left.game().as_str()), (0, "RlL"));
}

#[test]
fn of_several_games_the_best_is_improved() {
    let plugin = Plugin::built();
    let games = "dudrruurDullDrdL\0drruurDullDrdL\0\0rubbish";
    let reply = plugin.run(Function::Optimize, Request::new(&SMALL, games).with_flags(MOVES_PUSHES | SOLUTION));
    assert_eq!((reply.code, reply.text().as_str()), (0, "14/3 -> 12/5, proved optimal"));
}

#[test]
fn a_game_that_is_none_is_refused() {
    let plugin = Plugin::built();
    let optimize = |game: &str| plugin.run(Function::Optimize, Request::new(&SMALL, game).with_flags(MOVES_PUSHES));
    for (game, reason) in [("", "no game"), ("d", "off goal"), ("3r", "not a move"), ("ll", "wall"), ("rr", "blocked")]
    {
        let reply = optimize(game);
        assert_eq!((reply.code, reply.game().as_str()), (code(ResultCode::Failed), game));
        assert!(reply.text().contains(reason), "{}", reply.text());
    }
    let open = Request { buffer: b"drruurDullDrdL".to_vec(), ..Request::new(&SMALL, "").with_flags(MOVES_PUSHES) };
    assert_eq!(plugin.run(Function::Optimize, open).code, code(ResultCode::GameTooLong));
}

/// Fewer pushes take more moves than the buffer has room for.
#[test]
fn what_does_not_fit_leaves_the_game_as_it_is() {
    let plugin = Plugin::built();
    let mut buffer = b"RurrDLulDrdL".to_vec();
    buffer.push(0);
    let request = Request { buffer: buffer.clone(), ..Request::new(&SMALL, "").with_flags(PUSHES_MOVES | SOLUTION) };
    let reply = plugin.run(Function::Optimize, request);
    assert_eq!((reply.code, &reply.buffer), (code(ResultCode::GameTooLong), &buffer), "{}", reply.text());
}

static N_CALLS: AtomicU32 = AtomicU32::new(0);

unsafe extern "system" fn stops_at_once() -> i32 {
    N_CALLS.fetch_add(1, Ordering::Relaxed);
    1
}

#[test]
fn a_callback_stops_a_call() {
    let plugin = Plugin::built();
    let request = Request { callback: Some(stops_at_once), ..Request::new(&LARGE, "").with_flags(0) };
    let reply = plugin.run(Function::SolveEx, request);
    assert!(N_CALLS.load(Ordering::Relaxed) >= 2, "before and after the search");
    assert!([ResultCode::Terminated, ResultCode::Ok].map(code).contains(&reply.code), "{}", reply.text());
}

#[test]
fn the_settings_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let load = |settings: &str| Plugin::load(&library::copy_with_settings(folder.path(), settings));
    let plugin = load("memory-mib = 1\n");
    let reply = plugin.run(Function::SolveEx, Request::new(&SMALL, "").with_flags(0));
    assert_eq!(reply.code, code(ResultCode::InvalidSettings));
    assert!(reply.text().ends_with("memory-mib is 1; use 0 for the default, or 16 and more"), "{}", reply.text());
    // The file is read at the beginning of each call.
    let settings = "threads = 1\noptimal = \"moves\"\nobjective = \"pushes/moves\"\nplayer-end = \"free\"\n";
    std::fs::write(folder.path().join("libsokoplugin.toml"), settings).unwrap();
    std::fs::write(folder.path().join("sokoplugin.toml"), settings).unwrap();
    let reply = plugin.run(Function::SolveEx, Request::new(&SMALL, "").with_flags(0));
    assert_eq!((reply.code, reply.game().len()), (0, 12));
    assert_eq!({ reply.status.unwrap().flags }, SOLUTION | 2, "the fewest moves are proved");
    let reply = plugin.run(Function::Optimize, Request::new(&SMALL, &reply.game()).with_flags(0));
    assert_eq!((reply.code, { reply.status.unwrap().flags }), (0, PUSHES_MOVES | SOLUTION));
}

#[test]
fn a_library_is_loaded_again_and_again() {
    for _ in 0..5 {
        let plugin = Plugin::built();
        assert_eq!(plugin.run(Function::SolveEx, Request::new(&SMALL, "")).code, 0);
    }
}
