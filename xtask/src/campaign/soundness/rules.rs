//! Each deadlock test, bound and restriction by itself, on all reachable positions that can be solved.
//!
//! What is demanded of the rules in a position from which `left` pushes solve the level, and `depth` pushes come from
//! its start:
//!
//! | rule | by pushes | by pulls |
//! |---|---|---|
//! | deadlock test | calls it dead never | calls it dead never |
//! | bound | at most `left` | at most `depth` |
//! | test of a push | forbids none to a position that can be solved | forbids no pull to one that was reached |
//! | restriction | keeps a push on a shortest solution | keeps a pull on a shortest path to the start |
//!
//! Tunnel and goal macros depend on how a position was reached; searches that use them are compared as a whole.

use sokocore::{DeadlockChecks, Direction, Position, Push, SearchDirection};
use sokosolver::{ProbedPosition, RuleProbe, Settings, Technique};

use super::flat_board::{FlatBoard, FlatState, bit, cells};
use super::trial::Trial;

/// Most positions of a level that are asked about, evenly chosen.
const MAX_ASKED: usize = 400;

/// Asks all rules of the core, and those of a search with some techniques.
pub(super) fn check(trial: &mut Trial<'_>) {
    if trial.best.is_none() {
        return;
    }
    let n = trial.graph.states.len();
    let step = n.div_ceil(MAX_ASKED);
    let chosen: Vec<usize> = (0..n).step_by(step).filter(|&at| trial.graph.left(at).is_some()).collect();
    check_core(trial, &chosen);
    let settings = any_rules(trial);
    check_pushes(trial, &chosen, &settings);
    check_pulls(trial, &chosen, &settings);
}

/// One technique alone, all but one, or all.
fn any_rules(trial: &mut Trial<'_>) -> Settings {
    let techniques: Vec<_> = Technique::ALL.into_iter().filter(|technique| !technique.is_advisor()).collect();
    let one = techniques[trial.dice.below(techniques.len())];
    match trial.dice.below(4) {
        0 | 1 => Settings::default().plain().with(one),
        2 => Settings::default().without(one),
        _ => techniques.into_iter().fold(Settings::default(), Settings::with),
    }
}

/// The checks of sokocore.
fn check_core(trial: &mut Trial<'_>, chosen: &[usize]) {
    let Some(mut checks) = DeadlockChecks::new(trial.level) else { return };
    for &at in chosen {
        let (state, left) = (trial.graph.states[at], trial.graph.left(at));
        let position = position(trial, state);
        let (found, bound) = (checks.ask(&position), checks.bound(&position));
        let drawn = |what: String| format!("{what}, {left:?} left:\n{}", trial.board.draw(state));
        let what = drawn(format!("core: {found:?} call it dead, bound {bound:?}"));
        trial.demand(found.is_empty() && bound <= left, || what);
    }
}

/// The rules of a search by pushes.
fn check_pushes(trial: &mut Trial<'_>, chosen: &[usize], settings: &Settings) {
    let Some(mut probe) = RuleProbe::new(trial.level, SearchDirection::Forward, settings) else { return };
    let mut edges = trial.graph.edges.clone();
    edges.sort_unstable();
    for &at in chosen {
        let (state, left) = (trial.graph.states[at], trial.graph.left(at));
        let asked = probe.ask(&position(trial, state));
        trial.counts.positions += 1;
        let from = u32::try_from(at).unwrap_or(u32::MAX);
        let first = edges.partition_point(|&[one, _]| one < from);
        let steps = edges[first..].iter().take_while(|&&[one, _]| one == from).filter_map(|&[_, to]| {
            let to = to as usize;
            Some((push_between(trial, state, trial.graph.states[to])?, trial.graph.left(to)?))
        });
        let steps: Vec<_> = steps.collect();
        compare(trial, state, &asked, (left, steps), &format!("by pushes, {:?}", settings.techniques));
    }
}

/// The rules of a search by pulls.
fn check_pulls(trial: &mut Trial<'_>, chosen: &[usize], settings: &Settings) {
    let Some(mut probe) = RuleProbe::new(trial.level, SearchDirection::Backward, settings) else { return };
    let mut edges: Vec<_> = trial.graph.edges.iter().map(|&[from, to]| [to, from]).collect();
    edges.sort_unstable();
    for &at in chosen {
        let (state, depth) = (trial.graph.states[at], Some(trial.graph.depth(at)));
        let asked = probe.ask(&position(trial, state));
        trial.counts.positions += 1;
        let to = u32::try_from(at).unwrap_or(u32::MAX);
        let first = edges.partition_point(|&[one, _]| one < to);
        let steps = edges[first..].iter().take_while(|&&[one, _]| one == to).filter_map(|&[_, from]| {
            let from = from as usize;
            Some((push_between(trial, trial.graph.states[from], state)?, trial.graph.depth(from)))
        });
        let steps: Vec<_> = steps.collect();
        compare(trial, state, &asked, (depth, steps), &format!("by pulls, {:?}", settings.techniques));
    }
}

/// Compares what the rules say with the steps that lead on, each with what is left after it.
fn compare(
    trial: &mut Trial<'_>,
    state: FlatState,
    asked: &ProbedPosition,
    (left, steps): (Option<u64>, Vec<(Push, u64)>),
    who: &str,
) {
    let told = |board: &FlatBoard, what: String| format!("rules {who}: {what}, {left:?} left:\n{}", board.draw(state));
    let board = trial.board;
    let bound = asked.bound;
    trial.demand(bound.is_some() && bound <= left, || told(board, format!("bound {bound:?}")));
    if left == Some(0) || bound.is_none() {
        return;
    }
    for &(push, after) in &steps {
        let allowed = asked.pushes.iter().find(|probed| probed.push == push);
        let is_right = allowed.is_some_and(|probed| probed.bound <= after);
        trial.demand(is_right, || told(board, format!("{push} is {allowed:?}, {after} left after it")));
    }
    let is_best = |push: Push| steps.iter().any(|&(other, after)| other == push && Some(after + 1) == left);
    let keeps = asked.kept.iter().any(|probed| is_best(probed.push));
    trial.demand(keeps, || {
        told(board, format!("of {} steps {:?} are kept, none of them best", steps.len(), asked.kept))
    });
}

/// The position of a state, by the numbers of the level's squares.
fn position(trial: &Trial<'_>, state: FlatState) -> Position {
    let board = trial.level.board();
    let square = |cell| {
        let (row, column) = trial.board.place(cell);
        board.square_at(row, column)
    };
    // Boxes in rooms that the player never enters are no boxes of the level.
    let boxes = board.set_of(cells(state.boxes).filter_map(square));
    Position { boxes, player: square(state.player).expect("invariant: the player is on a square") }
}

/// The push that leads from the boxes of one state to those of another.
fn push_between(trial: &Trial<'_>, from: FlatState, to: FlatState) -> Option<Push> {
    let cell = cells(from.boxes & !to.boxes).next()?;
    let way = (0..4).find(|&way| to.boxes & !from.boxes == bit(trial.board.beside(cell, way)))?;
    let (row, column) = trial.board.place(cell);
    Some(Push { from: trial.level.board().square_at(row, column)?, dir: Direction::ALL[way] })
}
