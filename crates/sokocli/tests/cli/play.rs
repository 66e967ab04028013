//! `soko play` in a terminal of its own: keys in, screens out.

#[cfg(unix)]
mod in_a_terminal {
    use portable_pty::PtySize;

    use crate::cmd::{Desk, T2, testdata};
    use crate::terminal_session::{SIZE, TerminalSession, cells};

    const RIGHT: &str = "\x1b[C";
    const LEFT: &str = "\x1b[D";
    const END: &str = "\x1b[F";

    #[test]
    fn a_solution_is_watched_to_its_end_and_a_game_is_saved() {
        let desk = Desk::new();
        std::fs::copy(testdata("first.sok"), desk.path("first.sok")).unwrap();
        let Some(mut session) = TerminalSession::start(&desk, "play first.sok") else { return };
        session.expect(&["1. Two doors", "level 1 of 3", "0/77", "paused", "q quit"]);
        assert!(session.screen.screen().alternate_screen());
        session.press(RIGHT);
        session.expect(&["1/77", "0/15"]);
        session.press(&format!("2{RIGHT}"));
        session.expect(&["8 pushes/s", "3/77", "1/15"]);
        // At the greatest speed it is over in a moment.
        session.press("1++++++++ ");
        session.expect(&["77/77", "15/15", "100 %", "█  ■■■■  █"]);

        session.press("]");
        session.expect(&["2. The bay window", "0/134"]);
        session.press("p");
        session.expect(&["your game", "0 of 5 boxes on goals"]);
        session.press(LEFT);
        session.expect(&["0 of 5 boxes on goals, 133 moves taken back"]);
        session.press("u");
        session.expect(&["134 moves taken back"]);
        session.press("r");
        session.expect(&["133 moves taken back"]);
        session.press("s");
        session.expect(&["saved: a snapshot of 1 move"]);
        session.press(&format!("{END}s"));
        session.expect(&["there already: a solution of 134 moves and 22 pushes"]);
        session.press("q");
        let (code, screen) = session.end();
        assert_eq!(code, 0);
        assert!(!screen.screen().alternate_screen() && !screen.screen().hide_cursor());

        let verified = desk.soko("verify first.soko.sok").expect(0).stdout;
        assert!(verified.contains("134") && verified.contains("Snapshot 1/0"), "{verified}");
        assert_eq!(desk.files(), ["first.sok", "first.soko.sok"]);
    }

    #[test]
    fn two_solutions_are_compared_in_a_window_that_changes() {
        let desk = Desk::with(
            "T\n\n#######\n#     #\n#@$ . #\n#######\n\nSolution\nRR\n\nSolution\nududRR\n\nSolution\nudRR\n",
        );
        let Some(mut session) = TerminalSession::start(&desk, "play levels.sok --solution 1,2") else { return };
        session.expect(&["1. T", "left", "right", "differ", "in step by pushes"]);
        session.master.resize(PtySize { rows: 10, cols: 44, ..SIZE }).unwrap();
        session.screen.screen_mut().set_size(cells(10), cells(44));
        session.expect(&["left 0/0/0/0/0/0 of 2/2/1/1/1/1"]);
        session.press("\x03");
        let (code, screen) = session.end();
        assert_eq!(code, 130);
        assert!(!screen.screen().alternate_screen());
    }

    #[test]
    fn the_job_is_stopped_and_continued() {
        let desk = Desk::with(T2);
        let play = format!("{} play levels.sok", env!("CARGO_BIN_EXE_soko"));
        desk.write("job.sh", format!("set -m\n{play}\necho it has stopped\nread line\nfg\necho it has ended\n"));
        let Some(mut session) = TerminalSession::start_program(&desk, "sh", "job.sh") else { return };
        session.expect(&["1. T2", "0/16"]);
        session.press("\x1a");
        session.expect(&["it has stopped"]);
        assert!(!session.screen.screen().alternate_screen());
        session.press("\n");
        session.expect(&["1. T2", "0/16"]);
        assert!(session.screen.screen().alternate_screen());
        session.press(RIGHT);
        session.expect(&["1/16"]);
        session.press("q");
        let (_, screen) = session.end();
        assert!(screen.screen().contents().contains("it has ended"), "{}", screen.screen().contents());
    }

    #[test]
    fn keys_are_for_the_one_in_focus() {
        let desk = Desk::with(format!("{}\nSolution\ndrruurDullDrdL\n", T2));
        let Some(mut session) = TerminalSession::start(&desk, "play levels.sok --solution 1,2") else { return };
        session.expect(&["> Solution 16/3 (1 of 2)", "  Solution (2 of 2)"]);
        session.press("o");
        session.expect(&["  Solution 16/3 (1 of 2)", "> Solution (2 of 2)"]);
        session.press("g14\r");
        session.expect(&["14/14"]);
        session.press("p");
        session.expect(&["your game", "2 of 2 boxes on goals"]);
        session.press("q");
        assert_eq!(session.end().0, 0);
    }

    #[test]
    fn a_game_that_is_interrupted_is_told() {
        let desk = Desk::with("#######\n#@ $ .#\n#######\n");
        let Some(mut session) = TerminalSession::start(&desk, "play levels.sok") else { return };
        session.expect(&["your game"]);
        session.press(&format!("{RIGHT}{RIGHT}"));
        session.expect(&["█  @□○█"]);
        session.press("q");
        session.expect(&["the game is not saved"]);
        session.press("\x03");
        let (code, screen) = session.end();
        assert_eq!(code, 130);
        assert!(screen.screen().contents().contains("Its moves: rR"), "{}", screen.screen().contents());
        assert_eq!(desk.files(), ["levels.sok"]);
    }
}

use crate::cmd::{Desk, T2};

#[test]
fn without_a_terminal_it_is_refused() {
    let done = Desk::with(T2).soko("play levels.sok").expect(2);
    done.says(&["play needs the whole terminal"]);
}

#[test]
fn numbers_of_solutions_begin_with_one() {
    Desk::with(T2).soko("play levels.sok --solution 0").expect(2).says(&["the first one is 1"]);
}
