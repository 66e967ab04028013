//! The best interleaving of the pushes of two parts, each in its own order.
//!
//! ```text
//!             other's pushes ─▶
//!   one's   (0,0)──(0,1)──(0,2)       a cell: the numbers of pushes done; the player stands behind the last one, which
//!   pushes    │      ×      │         is one's or other's, so there are two states in each cell
//!     │     (1,0)──(1,1)──(1,2)       ×: the push is blocked, or the player cannot reach it
//!     ▼
//! ```
//!
//! Dynamic programming, exact in all metrics that are sums over the pushes; player lines are not. A state is pruned
//! if it would not beat the best known even without further walks.

use sokocore::{Metrics, Push, Reach, Score, Square, SquareSet};
use sokosearch::{Context, Stop};

use super::box_paths::PathPart;

/// Most cells that are searched.
const MAX_CELLS: usize = 1 << 24;

/// Returns the pushes of both parts in the best order, if that may be better than `to_beat`.
pub(super) fn interleave(
    parts: (&PathPart, &PathPart),
    to_beat: &Metrics,
    cx: &mut Context<'_>,
) -> Result<Option<Vec<Push>>, Stop> {
    let (width, height) = (parts.1.pushes.len() + 1, parts.0.pushes.len() + 1);
    let n_cells = width * height;
    if n_cells > MAX_CELLS {
        return Ok(None);
    }
    let _charge = cx.budget().memory().charge((n_cells + 2 * width * size_of::<InterleaveCell>()) as u64)?;
    let mut table = InterleaveTable {
        parts,
        to_beat: cx.objective().score(to_beat),
        width,
        came_from: vec![0; n_cells],
        base: BoxMultiset::new(cx.level().board().no_squares()),
        boxes: BoxMultiset::new(cx.level().board().no_squares()),
        reach: Reach::new(cx.level().board()),
    };
    table.base.add_all(&parts.0.starts);
    let (mut row, mut next) = (vec![EMPTY; width], vec![EMPTY; width]);
    row[0][ONE] = Some(Metrics::default());
    for (at, &push) in parts.0.pushes.iter().enumerate() {
        table.sweep(at, &mut row, &mut next, cx)?;
        table.base.shift(push, cx);
        std::mem::swap(&mut row, &mut next);
        next.fill(EMPTY);
        if row.iter().all(|cell| *cell == EMPTY) {
            return Ok(None);
        }
    }
    table.sweep(parts.0.pushes.len(), &mut row, &mut next, cx)?;
    let score = |state: &Metrics| cx.objective().score(state);
    let last = row[width - 1].iter().enumerate().filter_map(|(kind, state)| Some((score(state.as_ref()?), kind))).min();
    Ok(last.map(|(_, kind)| table.trace(kind)))
}

/// The least costs of a cell whose last push is one's, and the other's.
type InterleaveCell = [Option<Metrics>; 2];
const EMPTY: InterleaveCell = [None; 2];
const ONE: usize = 0;
const OTHER: usize = 1;

struct InterleaveTable<'p> {
    parts: (&'p PathPart, &'p PathPart),
    to_beat: Score,
    width: usize,
    /// For each cell two bits: the part of the push before the last, if the last is one's, and if it is the other's.
    came_from: Vec<u8>,
    /// The boxes of one after the row's pushes.
    base: BoxMultiset,
    /// The boxes of both in the present cell.
    boxes: BoxMultiset,
    reach: Reach,
}

impl InterleaveTable<'_> {
    /// Expands each state of row `at`: by a push of one into the next row, and by a push of the other within the row.
    fn sweep(
        &mut self,
        at: usize,
        row: &mut [InterleaveCell],
        next: &mut [InterleaveCell],
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let (one, other) = self.parts;
        self.boxes.clone_from(&self.base);
        self.boxes.add_all(&other.starts);
        for column in 0..self.width {
            for kind in [ONE, OTHER] {
                let Some(state) = row[column][kind] else { continue };
                cx.tick_by(FLOOD_TICKS)?;
                let last = self.last_push(at, column, kind);
                let board = cx.level().board();
                let player = last.map_or(cx.level().start().player, |last| last.from);
                let region = self.reach.flood(board, &self.boxes.squares, player);
                let with_walk = |push: &Push| Some((*push, u64::from(region.distance(push.stand(board)?)?)));
                let one_step = one.pushes.get(at).and_then(with_walk);
                let other_step = other.pushes.get(column).and_then(with_walk);
                let left = (one.pushes.len() - at + other.pushes.len() - column) as u64;
                if let Some(state) = one_step.and_then(|step| self.play(state, last, step, left, cx)) {
                    self.relax(&mut next[column], (at + 1, column), (kind, ONE), state, cx);
                }
                if let Some(state) = other_step.and_then(|step| self.play(state, last, step, left, cx)) {
                    self.relax(&mut row[column + 1], (at, column + 1), (kind, OTHER), state, cx);
                }
            }
            if let Some(&push) = other.pushes.get(column) {
                self.boxes.shift(push, cx);
            }
        }
        Ok(())
    }

    /// Returns the cost with one push more, of `left` pushes, after a walk of so many steps; `None` if it is impossible
    /// or the state is pruned.
    fn play(
        &self,
        state: Metrics,
        last: Option<Push>,
        (push, walk): (Push, u64),
        left: u64,
        cx: &Context<'_>,
    ) -> Option<Metrics> {
        let board = cx.level().board();
        if self.boxes.squares.contains(push.to(board)?) {
            return None;
        }
        let same_box = last.is_some_and(|last| last.to(board) == Some(push.from));
        let same_line = same_box && last.is_some_and(|last| last.dir == push.dir);
        let state = Metrics {
            moves: state.moves + walk + 1,
            pushes: state.pushes + 1,
            box_lines: state.box_lines + u64::from(!same_line),
            box_changes: state.box_changes + u64::from(!same_box),
            pushing_sessions: state.pushing_sessions + u64::from(walk > 0 || last.is_none()),
            player_lines: 0,
        };
        let at_best = Metrics { moves: state.moves + left - 1, pushes: state.pushes + left - 1, ..state };
        (cx.objective().score(&at_best) < self.to_beat).then_some(state)
    }

    /// Keeps a state if it is the best of its cell so far.
    fn relax(
        &mut self,
        cell: &mut InterleaveCell,
        (at, column): (usize, usize),
        (from, kind): (usize, usize),
        state: Metrics,
        cx: &Context<'_>,
    ) {
        let score = |state: &Metrics| cx.objective().score(state);
        if cell[kind].is_none_or(|old| score(&state) < score(&old)) {
            cell[kind] = Some(state);
            let bits = &mut self.came_from[at * self.width + column];
            *bits = *bits & !(1 << kind) | u8::from(from == OTHER) << kind;
        }
    }

    fn last_push(&self, at: usize, column: usize, kind: usize) -> Option<Push> {
        let (pushes, n) = if kind == ONE { (&self.parts.0.pushes, at) } else { (&self.parts.1.pushes, column) };
        n.checked_sub(1).map(|last| pushes[last])
    }

    /// Reconstructs the pushes from the end.
    fn trace(&self, mut kind: usize) -> Vec<Push> {
        let (mut at, mut column) = (self.parts.0.pushes.len(), self.parts.1.pushes.len());
        let mut pushes = Vec::with_capacity(at + column);
        while at + column > 0 {
            let before = self.came_from[at * self.width + column] >> kind & 1;
            pushes.extend(self.last_push(at, column, kind));
            if kind == ONE {
                at -= 1
            } else {
                column -= 1
            }
            kind = usize::from(before);
        }
        pushes.reverse();
        pushes
    }
}

/// Ticks for a flood of the whole board.
const FLOOD_TICKS: u64 = 4;

/// The boxes of both parts. In a cell without states two may share a square.
#[derive(Clone)]
struct BoxMultiset {
    squares: SquareSet,
    twice: SquareSet,
}

impl BoxMultiset {
    fn new(empty: SquareSet) -> Self {
        Self { squares: empty.clone(), twice: empty }
    }

    fn add(&mut self, sq: Square) {
        if !self.squares.insert(sq) {
            self.twice.insert(sq);
        }
    }

    fn remove(&mut self, sq: Square) {
        if !self.twice.remove(sq) {
            self.squares.remove(sq);
        }
    }

    fn add_all(&mut self, squares: &[Square]) {
        squares.iter().for_each(|&sq| self.add(sq));
    }

    fn shift(&mut self, push: Push, cx: &Context<'_>) {
        if let Some(to) = push.to(cx.level().board()) {
            self.remove(push.from);
            self.add(to);
        }
    }
}
