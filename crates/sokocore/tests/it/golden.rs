//! Eight small levels with exact answers on all six metrics: recorded solutions replay to the recorded metrics,
//! and brute force finds the recorded optima.

use sokocore::{Direction, Level, Lurd, Metric, Objective, Square, Step, optimum, replay};

mod levels;

use levels::{T1, T2, T3, T4, T5, T6, T7, T8};

fn level(rows: &[&str]) -> Level {
    Level::parse(&rows.join("\n")).unwrap()
}

fn objectives() -> [Objective; 4] {
    let box_lines = |second| Objective::starting_with(&[Metric::BoxLines, second]);
    [Objective::MOVES, Objective::PUSHES, box_lines(Metric::Moves), box_lines(Metric::Pushes)]
}

fn check_replay(rows: &[&str], moves: &str, expect: &str) {
    let moves: Lurd = moves.parse().unwrap();
    let solution = replay(&level(rows), &moves).unwrap();
    assert_eq!(solution.lurd(), &moves);
    assert_eq!(solution.metrics().to_string(), expect, "{moves}");
}

fn check_optimum(rows: &[&str], objective: Objective, expect: &str) {
    let solution = optimum(&level(rows), objective).unwrap();
    assert_eq!(solution.metrics().to_string(), expect, "{objective} {}", solution.lurd());
}

#[test]
fn recorded_solutions_replay() {
    check_replay(T1, "dRdrUluR", "8/3/3/1/3/8");
    check_replay(T1, "rrddlUluRR", "10/3/2/1/2/7");
    check_replay(T2, "RurrDLulDrdL", "12/5/5/3/4/11");
    check_replay(T2, "drruurDullDrdL", "14/3/3/2/3/11");
    check_replay(T3, "drrrUlLdlU", "10/3/3/2/3/7");
    check_replay(T4, "dllU", "4/1/1/1/1/3");
    check_replay(T4, "ldlU", "4/1/1/1/1/4");
    check_replay(T5, "UdlluRRU", "8/4/3/3/2/6");
    check_replay(T5, "UUddlluRR", "9/4/2/2/2/5");
    check_replay(T6, "luuuurrrdLLrDDuuulllllddRdrruUruLLdDrdLdrrR", "43/11/8/6/8/23");
    check_replay(T6, "lllluuRdrruulDururrrdLLulDDDLdRRRuUUruLLLL", "42/17/8/5/7/24");
    check_replay(T7, "uULuRddddlluRRRRdrUUU", "21/10/5/4/4/11");
    check_replay(T7, "dlluRRdrUUlULuRdRRdrU", "21/10/7/5/6/17");
    check_replay(T8, "rUUdllluurrRRllDrdLuuuL", "23/7/5/3/5/13");
    check_replay(T8, "rUUdlUURRluulDLrDDrdL", "21/11/7/6/5/16");
}

/// Trap 2: at equal moves the fewer pushes win; the recorded input of T3 has two more.
#[test]
fn trap_02_pushes_break_ties_of_moves() {
    check_replay(T3, "RdrrULLdlU", "10/5/4/3/3/8");
    check_optimum(T3, Objective::MOVES, "10/3/3/2/3/7");
}

#[test]
fn brute_force_finds_the_recorded_optima() {
    let expect = [
        (T1, ["8/3/3/1/3/8", "8/3/3/1/3/8", "10/3/2/1/2/7", "10/3/2/1/2/7"]),
        (T2, ["12/5/5/3/4/11", "14/3/3/2/3/11", "14/3/3/2/3/11", "14/3/3/2/3/11"]),
        (T3, ["10/3/3/2/3/7"; 4]),
        (T4, ["4/1/1/1/1/3"; 4]),
        (T5, ["8/4/3/3/2/6", "8/4/3/3/2/6", "9/4/2/2/2/5", "9/4/2/2/2/5"]),
    ];
    for (rows, metrics) in expect {
        for (objective, expect) in objectives().into_iter().zip(metrics) {
            check_optimum(rows, objective, expect);
        }
    }
}

/// Trap 1: a state that a push reaches first may be reached by a shorter way within the same push depth.
#[test]
fn trap_01_marking_at_generation_would_cost_two_moves() {
    check_optimum(T1, Objective::PUSHES, "8/3/3/1/3/8");
}

#[test]
fn brute_force_solves_t7() {
    check_optimum(T7, Objective::PUSHES, "21/10/5/4/4/11");
}

#[test]
fn brute_force_solves_t8() {
    check_optimum(T8, Objective::PUSHES, "23/7/5/3/5/13");
}

#[test]
fn brute_force_solves_t6() {
    check_optimum(T6, objectives()[3], "43/11/8/6/8/23");
}

/// Trap 11: the target is a set of squares; each box may serve each goal.
#[test]
fn trap_11_boxes_may_exchange_goals() {
    let level = level(&["########", "#      #", "# @$.  #", "#  $.  #", "#      #", "########"]);
    let upper = level.board().square_at(2, 3).unwrap();
    let end = |moves: &str| {
        let solution = replay(&level, &moves.parse().unwrap()).unwrap();
        end_of_box(&level, upper, solution.lurd())
    };
    assert_eq!((end("RldR"), end("RurDllddrUluR")), ((2, 4), (3, 4)));
    assert_eq!(optimum(&level, Objective::MOVES).unwrap().metrics().to_string(), "4/2/2/2/2/4");
}

/// Where a box of the start position ends, followed push by push.
fn end_of_box(level: &Level, start: Square, moves: &Lurd) -> (usize, usize) {
    let board = level.board();
    let mut player = level.start().player;
    let mut followed = start;
    for step in moves.steps() {
        player = board.step(player, step.dir()).unwrap();
        if step.is_push() && player == followed {
            followed = board.step(followed, step.dir()).unwrap();
        }
    }
    board.place(followed)
}

/// Trap 23: mirrored and rotated levels have equal optima.
#[test]
fn trap_23_optima_do_not_change_under_symmetry() {
    for rows in [T1, T5] {
        let level = level(rows);
        for objective in objectives() {
            let metrics = optimum(&level, objective).unwrap().metrics();
            for symmetry in sokocore::Symmetry::ALL {
                let image = Level::from_grid(symmetry.grid(level.grid())).unwrap();
                assert_eq!(optimum(&image, objective).unwrap().metrics(), metrics);
            }
        }
    }
}

/// Trap 21: stepping back between two pushes of a box in one direction does not end a box line.
#[test]
fn trap_21_box_lines_survive_a_step_back() {
    let level = level(&["#######", "#@$  .#", "#######"]);
    let moves: Lurd = "RlrRR".parse().unwrap();
    assert_eq!(moves.steps()[3], Step::Push(Direction::Right));
    assert_eq!(replay(&level, &moves).unwrap().metrics().to_string(), "5/3/1/1/2/3");
}
