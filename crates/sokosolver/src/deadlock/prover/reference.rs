//! Proofs in the plainest way, and random positions on small boards: what the prover and the learner are compared with.
//!
//! A search of all positions, without order, runs, limits and known sets. A set of squares is one word, so a board has
//! at most 64 squares.

use std::sync::Arc;

use hashbrown::HashSet;
use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::tests::Dice;
use crate::board::{FloorPush, SearchBoard};
use crate::deadlock::freeze::frozen;
use crate::systematic::tests::small_levels;

/// When a box is taken off the board.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Escape {
    Never,
    /// When it can be pushed to a square that is not in this set.
    Beyond(u64),
    /// When it can be pushed along both axes.
    ByAxes,
}

/// The boxes, and the player's region.
pub(crate) type ReferencePosition = (u64, u64);

/// The rules of proofs on a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceProofs<'a>(pub(crate) &'a SearchBoard);

impl ReferenceProofs<'_> {
    /// Returns the player's region among the boxes.
    pub(crate) fn region(&self, boxes: u64, player: FloorSquare) -> u64 {
        let (mut region, mut todo) = (bit(player), vec![player]);
        while let Some(sq) = todo.pop() {
            for next in self.0.steps(sq) {
                if next != self.0.wall() && !has(boxes | region, next) {
                    region |= bit(next);
                    todo.push(next);
                }
            }
        }
        region
    }

    /// Returns whether the boxes can never be resolved.
    pub(crate) fn is_dead(&self, boxes: u64, player: FloorSquare, escape: Escape) -> bool {
        self.dead_positions(boxes, player, escape).is_some()
    }

    /// Returns all positions that can be reached; `None` if all boxes that are left are on goals in one of them.
    pub(crate) fn dead_positions(
        &self,
        boxes: u64,
        player: FloorSquare,
        escape: Escape,
    ) -> Option<HashSet<ReferencePosition>> {
        let start = (boxes, self.region(boxes, player));
        let (mut seen, mut todo) = (HashSet::from([start]), vec![start]);
        while let Some(position) = todo.pop() {
            if self.is_solved(position.0) {
                return None;
            }
            todo.extend(self.next_positions(position, escape).into_iter().filter(|&next| seen.insert(next)));
        }
        Some(seen)
    }

    /// Returns the boxes that are left when those are taken away, one after the other, that get free.
    pub(crate) fn tied(&self, boxes: u64, player: FloorSquare) -> u64 {
        let free = squares(boxes).find(|&sq| self.gets_free(boxes, player, sq));
        free.map_or(boxes, |sq| self.tied(boxes ^ bit(sq), player))
    }

    /// Returns whether there is no push, and a box off goal.
    pub(crate) fn is_stuck(&self, boxes: u64, player: FloorSquare) -> bool {
        !self.is_solved(boxes) && self.pushes((boxes, self.region(boxes, player))).is_empty()
    }

    fn is_solved(&self, boxes: u64) -> bool {
        boxes & !bits(self.0.goals()) == 0
    }

    /// Returns whether a box can be pushed along both axes, now or after pushing it elsewhere.
    fn gets_free(&self, boxes: u64, player: FloorSquare, sq: FloorSquare) -> bool {
        let mut todo = vec![(sq, (boxes, self.region(boxes, player)))];
        let mut seen = HashSet::new();
        while let Some((sq, position)) = todo.pop() {
            if !seen.insert(position) {
                continue;
            }
            let pushes = self.pushes(position);
            if has_both_axes(&pushes, sq) {
                return true;
            }
            let of_box = pushes.into_iter().filter(|push| push.from == sq);
            todo.extend(of_box.map(|push| (self.0.step(sq, push.dir), self.after(position.0, push))));
        }
        false
    }

    fn next_positions(&self, (boxes, region): ReferencePosition, escape: Escape) -> Vec<ReferencePosition> {
        let pushes = self.pushes((boxes, region));
        let escapes = |push: FloorPush| match escape {
            Escape::Never => false,
            Escape::Beyond(fence) => !has(fence, self.0.step(push.from, push.dir)),
            Escape::ByAxes => has_both_axes(&pushes, push.from),
        };
        let next = |&push: &FloorPush| {
            let fewer = boxes ^ bit(push.from);
            if escapes(push) { (fewer, self.region(fewer, least(region))) } else { self.after(boxes, push) }
        };
        pushes.iter().map(next).collect()
    }

    fn after(&self, boxes: u64, push: FloorPush) -> ReferencePosition {
        let boxes = boxes ^ bit(push.from) ^ bit(self.0.step(push.from, push.dir));
        (boxes, self.region(boxes, push.from))
    }

    /// Returns the legal pushes, but for those that freeze a box off goal.
    fn pushes(&self, (boxes, region): ReferencePosition) -> Vec<FloorPush> {
        let is_legal = |&FloorPush { from, dir }: &FloorPush| {
            let (to, stand) = (self.0.step(from, dir), self.0.step(from, dir + 2));
            self.0.is_live(to)
                && !has(boxes, to)
                && stand != self.0.wall()
                && has(region, stand)
                && !self.freezes(boxes ^ bit(from) ^ bit(to), to)
        };
        squares(boxes).flat_map(|from| (0..4).map(move |dir| FloorPush { from, dir })).filter(is_legal).collect()
    }

    /// Returns whether the box on the square is frozen in a group of which some box is off goal.
    fn freezes(&self, boxes: u64, sq: FloorSquare) -> bool {
        let BitSet([all]) = frozen(self.0, &BitSet([boxes]));
        let mut group = all & bit(sq);
        loop {
            let around = squares(group).flat_map(|sq| self.0.steps(sq)).filter(|&next| next != self.0.wall());
            let grown = around.fold(group, |grown, next| grown | all & bit(next));
            if grown == group {
                return !self.is_solved(group);
            }
            group = grown;
        }
    }
}

/// Returns whether a box can be pushed along both axes.
fn has_both_axes(pushes: &[FloorPush], sq: FloorSquare) -> bool {
    (0..2).all(|axis| pushes.iter().any(|push| push.from == sq && push.dir % 2 == axis))
}

fn bit(sq: FloorSquare) -> u64 {
    1 << sq.idx()
}

/// Returns whether a square is in a set.
pub(crate) fn has(set: u64, sq: FloorSquare) -> bool {
    set & bit(sq) != 0
}

/// Collects squares into a set.
pub(crate) fn bits(squares: &[FloorSquare]) -> u64 {
    squares.iter().fold(0, |set, &sq| set | bit(sq))
}

/// Visits the squares of a set, the least one first.
pub(crate) fn squares(set: u64) -> impl Iterator<Item = FloorSquare> {
    (0..64).filter(move |at| set >> at & 1 != 0).map(FloorSquare::new)
}

/// Returns the least square of a set.
///
/// # Panics
/// If the set is empty.
pub(crate) fn least(set: u64) -> FloorSquare {
    squares(set).next().expect("the set has a square")
}

/// Returns the number of the square in a row and column.
pub(crate) fn at(tables: &LevelTables, row: usize, column: usize) -> FloorSquare {
    tables.board().number(tables.level().board().square_at(row, column).unwrap())
}

/// A few boxes on a small board, and a fence.
#[derive(Debug)]
pub(crate) struct ProofCase {
    pub(crate) tables: Arc<LevelTables>,
    pub(crate) boxes: Vec<FloorSquare>,
    pub(crate) player: FloorSquare,
    /// The fence without the squares of the boxes: what the player does not reach, or about two of three squares.
    pub(crate) inside: Vec<FloorSquare>,
}

impl ProofCase {
    fn new(tables: &Arc<LevelTables>, dice: &mut Dice) -> Self {
        let board = tables.board();
        let n_boxes = 1 + dice.roll(3);
        let mut boxes = Vec::new();
        while boxes.len() < n_boxes {
            let sq = FloorSquare::from_idx(dice.roll(board.n_live()));
            if !boxes.contains(&sq) {
                boxes.push(sq);
            }
        }
        let mut free: Vec<FloorSquare> = board.squares().filter(|sq| !boxes.contains(sq)).collect();
        let player = free[dice.roll(free.len())];
        let region = ReferenceProofs(board).region(bits(&boxes), player);
        let is_enclosed = dice.roll(2) == 0;
        free.retain(|&sq| if is_enclosed { !has(region, sq) } else { dice.roll(3) > 0 });
        Self { tables: Arc::clone(tables), boxes, player, inside: free }
    }

    /// Returns the fence as a set.
    pub(crate) fn fence(&self) -> u64 {
        bits(&self.boxes) | bits(&self.inside)
    }

    /// Returns what a failed comparison shows.
    pub(crate) fn picture(&self) -> String {
        let Self { tables, boxes, player, inside } = self;
        let places = |squares: &[FloorSquare]| squares.iter().map(|&sq| tables.place(sq)).collect::<Vec<_>>();
        let [boxes, player, inside] = [places(boxes), places(&[*player]), places(inside)];
        format!("boxes {boxes:?} player {player:?} inside {inside:?} {:?}", tables.level())
    }
}

/// Makes so many cases on each of so many levels; those of a level follow each other.
pub(crate) fn proof_cases(n_levels: usize, n_each: usize) -> Vec<ProofCase> {
    let levels = (0..).filter_map(|number| small_levels::level(number, 5));
    let all_tables = levels.filter_map(|level| LevelTables::new(&level)).filter(|tables| tables.board().n_live() > 5);
    let mut dice = Dice(n_each as u64);
    let mut cases = Vec::new();
    for tables in all_tables.take(n_levels).map(Arc::new) {
        cases.extend((0..n_each).map(|_| ProofCase::new(&tables, &mut dice)));
    }
    cases
}
