//! Every result of the optimizer: a solution, never worse than before, and the best one if it is called proved; by all six
//! metrics for any objective, with ranges, frozen boxes, kept ends and avoided squares.

use sokocore::{Metric, Objective, Solution, replay};
use sokomethods::{
    Checkpoint, Interval, Knobs, ObjectiveOutcome, Optimizer, Scope, Technique, UnpushedBoxes, without_squares,
};
use sokosearch::{NamedTechnique as _, TechniqueSet};

use super::best_solution::{Best, GameCost, best, cost_of};
use super::flat_board::{FlatBoard, bit};
use super::position_graph::PositionGraph;
use super::trial::Trial;
use crate::dataset::SplitMix64;

/// Work of one result, in ticks.
const WORK: u64 = 150_000;
/// Memory of one result.
const MEMORY: u64 = 64 << 20;
/// Most states of the exhaustive search by six metrics.
const MAX_STATES: usize = 400_000;
/// Most positions of a level whose square is closed.
const MAX_POSITIONS: usize = 20_000;

/// Runs the optimizer from a poor solution, in one of its modes.
pub(super) fn check(trial: &mut Trial<'_>) {
    let Some(moves) = trial.poor_solution() else { return };
    let start = replay(trial.level, &moves);
    trial.demand(start.is_ok(), || format!("replay refuses {moves}: {start:?}"));
    let Ok(start) = start else { return };
    trial.check_solution(&start, "replay");
    let objectives = [any_objective(&mut trial.dice), any_objective(&mut trial.dice)];
    match trial.dice.below(7) {
        0..3 => whole(trial, &start, &objectives),
        3 => resumed(trial, &start, objectives[0]),
        4 => kept_end(trial, &start, objectives[0]),
        5 => scoped(trial, &start, objectives[0]),
        _ => avoiding(trial, &start, objectives[0]),
    }
}

/// One of the named objectives, or one to three metrics in any order.
fn any_objective(dice: &mut SplitMix64) -> Objective {
    if dice.below(8) == 0 {
        return Objective::PUSHES_ONLY;
    }
    if dice.below(8) == 0 {
        return Objective::starting_with(&[Metric::Moves, Metric::MostPushes]);
    }
    let mut metrics = Metric::ALL.to_vec();
    let first: Vec<_> = (0..=dice.below(3)).map(|_| metrics.swap_remove(dice.below(metrics.len()))).collect();
    Objective::starting_with(&first)
}

fn any_knobs(dice: &mut SplitMix64) -> Knobs {
    let mut knobs = Knobs::default().with_seed(dice.next());
    if dice.below(3) == 0 {
        knobs.techniques = Technique::REGISTRY
            .iter()
            .filter(|_| dice.below(2) == 0)
            .fold(TechniqueSet::EMPTY, |set, &technique| set.with(technique));
    }
    if dice.below(4) == 0 {
        knobs.free_boxes = 2 + dice.below(3);
        knobs.vicinity = (0..=dice.below(3)).map(|_| 1 + dice.below(30)).collect();
    }
    knobs
}

/// The whole solution, for several objectives.
fn whole(trial: &mut Trial<'_>, start: &Solution, objectives: &[Objective]) {
    let n_threads = if trial.dice.below(8) == 0 { 3 } else { 1 };
    let optimizer = Optimizer::new(trial.level).knobs(any_knobs(&mut trial.dice)).work(WORK).memory(MEMORY);
    let optimizer = optimizer.threads(n_threads);
    let optimizer = objectives.iter().fold(optimizer, |optimizer, &objective| optimizer.objective(objective));
    let outcome = optimizer.run(start);
    trial.demand(outcome.is_ok(), || format!("the optimizer refuses {}", start.lurd()));
    let Ok(outcome) = outcome else { return };
    for result in &outcome.results {
        let (board, graph) = (trial.board, trial.graph);
        judge(trial, result, start, (board, graph, None), "optimizer");
    }
}

/// In two runs, the second from the bytes of the checkpoint of the first.
fn resumed(trial: &mut Trial<'_>, start: &Solution, objective: Objective) {
    let (knobs, work) = (any_knobs(&mut trial.dice), 1 << (7 + trial.dice.below(10)));
    let optimizer = || Optimizer::new(trial.level).knobs(knobs.clone()).objective(objective).memory(MEMORY);
    let who = format!("optimizer, resumed after {work} ticks");
    let mut runs = vec![optimizer().work(work).run(start)];
    if let Ok(first) = &runs[0]
        && let Some(checkpoint) = &first.results[0].checkpoint
    {
        let read = Checkpoint::from_bytes(&checkpoint.to_bytes());
        trial.demand(read.is_ok(), || format!("{who}: the checkpoint cannot be read: {read:?}"));
        runs.extend(read.map(|checkpoint| optimizer().work(WORK).resume(&checkpoint).run(first.solution())));
    }
    for outcome in runs {
        let Ok(outcome) = outcome else {
            return trial.demand(false, || format!("{who}: {} is refused", start.lurd()));
        };
        for result in &outcome.results {
            judge(trial, result, start, (trial.board, trial.graph, None), &who);
        }
    }
}

/// With the player's last square kept.
fn kept_end(trial: &mut Trial<'_>, start: &Solution, objective: Objective) {
    let knobs = any_knobs(&mut trial.dice);
    let optimizer = Optimizer::new(trial.level).knobs(knobs).objective(objective).work(WORK).memory(MEMORY).keep_end();
    let end = end_of(trial.board, start);
    let Ok(outcome) = optimizer.run(start) else {
        return trial.demand(false, || format!("the optimizer refuses {}", start.lurd()));
    };
    for result in &outcome.results {
        let ends = end_of(trial.board, &result.best);
        trial.demand(ends == end, || {
            format!("keep_end: the player ends on {ends:?}, not {end:?}: {}", result.best.lurd())
        });
        let (board, graph) = (trial.board, trial.graph);
        judge(trial, result, start, (board, graph, end), "optimizer with its end kept");
    }
}

fn end_of(board: &FlatBoard, solution: &Solution) -> Option<usize> {
    board.play_letters(&solution.lurd().to_string())?.last().map(|(state, _)| state.player)
}

/// With a range of pushes that may change, in intervals, with boxes frozen.
fn scoped(trial: &mut Trial<'_>, start: &Solution, objective: Objective) {
    let n_pushes = usize::try_from(start.metrics().pushes).unwrap_or(0);
    let from = trial.dice.below(n_pushes);
    let to = from + 1 + trial.dice.below(n_pushes - from);
    let length = 1 + trial.dice.below(8);
    let overlap = trial.dice.below(length);
    let interval = if trial.dice.below(2) == 0 { Interval::new(length, overlap) } else { None };
    let unpushed = if trial.dice.below(2) == 0 { UnpushedBoxes::Frozen } else { UnpushedBoxes::Free };
    let scope = Scope { pushes: from..to, interval, unpushed };
    let knobs = any_knobs(&mut trial.dice);
    let optimizer = Optimizer::new(trial.level).knobs(knobs).scope(scope.clone()).objective(objective);
    let Ok(outcome) = optimizer.work(WORK).memory(MEMORY).run(start) else {
        return trial.demand(false, || format!("the optimizer refuses {}", start.lurd()));
    };
    for result in &outcome.results {
        let who = format!("optimizer of {} within {scope:?}", start.lurd());
        let (board, graph) = (trial.board, trial.graph);
        judge(trial, result, start, (board, graph, None), &who);
        let (old, new) = (start.lurd().to_string(), result.best.lurd().to_string());
        let prefix = &old[..after_push(&old, from)];
        trial.demand(new.starts_with(prefix), || format!("{who}: {new} changes what is before"));
        if interval.is_none() && unpushed == UnpushedBoxes::Frozen {
            let pushed = |moves: &str, to| boxes_moved(board, moves, from, to);
            let (before, after) = (pushed(&old, to), pushed(&new, usize::MAX));
            // Boxes after the range move in both.
            let rest = pushed(&old, usize::MAX);
            let is_kept =
                before.zip(after).zip(rest).is_none_or(|((before, after), rest)| after & !(before | rest) == 0);
            trial.demand(is_kept, || format!("{who}: {new} moves a frozen box"));
        }
    }
}

/// The number of letters up to the n-th push.
fn after_push(letters: &str, n: usize) -> usize {
    let pushes = letters.char_indices().filter(|(_, letter)| letter.is_ascii_uppercase()).map(|(at, _)| at + 1);
    if n == 0 { 0 } else { pushes.take(n).last().unwrap_or(0) }
}

/// The cells, after push `from`, of the boxes that pushes `from` to `to` take away from there.
fn boxes_moved(board: &FlatBoard, letters: &str, from: usize, to: usize) -> Option<u64> {
    let states = board.play_letters(letters)?;
    let after = |n: usize| {
        states.iter().filter(|(_, is_push)| *is_push).take(n).last().map_or(board.start.boxes, |(s, _)| s.boxes)
    };
    let first = after(from);
    let mut moved = 0;
    for n in from..=to.min(states.len()) {
        moved |= first & !after(n);
    }
    Some(moved)
}

/// With squares that neither player nor box may enter.
fn avoiding(trial: &mut Trial<'_>, start: &Solution, objective: Objective) {
    let Some(states) = trial.board.play_letters(&start.lurd().to_string()) else { return };
    let used = states.iter().fold(bit(trial.board.start.player) | trial.board.start.boxes, |used, (state, _)| {
        used | bit(state.player) | state.boxes
    });
    let floor = !(trial.board.walls | used | trial.board.goals) & trial.board.region_without_boxes();
    let closed: Vec<usize> = super::flat_board::cells(floor).filter(|_| trial.dice.below(3) == 0).collect();
    let squares: Vec<_> =
        closed.iter().map(|&cell| trial.board.place(cell)).map(|(row, column)| (column + 1, row + 1)).collect();
    let Ok(level) = without_squares(trial.level, &squares) else {
        return trial
            .demand(false, || format!("the squares {squares:?} cannot be closed, but {} avoids them", start.lurd()));
    };
    let Ok(same) = replay(&level, start.lurd()) else {
        return trial.demand(false, || format!("without {squares:?} there is no {}", start.lurd()));
    };
    let optimizer = Optimizer::new(&level).knobs(any_knobs(&mut trial.dice)).objective(objective);
    let Ok(outcome) = optimizer.work(WORK).memory(MEMORY).run(&same) else { return };
    let walls = closed.iter().fold(trial.board.walls, |walls, &cell| walls | bit(cell));
    let mut board = trial.board.clone();
    board.walls = walls;
    let Some(graph) = PositionGraph::explore(&board, MAX_POSITIONS) else { return };
    for result in &outcome.results {
        let who = format!("optimizer avoiding {squares:?}");
        let letters = result.best.lurd().to_string();
        trial.demand(cost_of(&board, &letters, objective).is_some(), || format!("{who}: {letters} enters one of them"));
        judge(trial, result, start, (&board, &graph, None), &who);
    }
}

/// Compares a result with the best solution of a board, which ends on a given cell.
fn judge(
    trial: &mut Trial<'_>,
    result: &ObjectiveOutcome,
    start: &Solution,
    (board, graph, end): (&FlatBoard, &PositionGraph, Option<usize>),
    who: &str,
) {
    let objective = result.objective;
    trial.counts.results += 1;
    trial.counts.proved_results += u64::from(result.is_proved);
    trial.check_solution(&result.best, who);
    let cost = cost_of(board, &result.best.lurd().to_string(), objective);
    let before = cost_of(trial.board, &start.lurd().to_string(), objective);
    let told = |best: Option<GameCost>| {
        format!("{who} for {objective} from {}: {}, {cost:?}, best {best:?}", start.lurd(), result.best.lurd())
    };
    trial.demand(cost <= before, || format!("worse than before {}", told(before)));
    if !result.is_proved && trial.dice.below(10) > 0 {
        return;
    }
    if let Best::Cost(truth) = best(board, graph, objective, end, MAX_STATES) {
        let is_right = if result.is_proved { cost == truth } else { cost >= truth };
        trial.demand(is_right, || format!("proved: {}. {}", result.is_proved, told(truth)));
    }
}
