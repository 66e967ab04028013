//! A packing order: which squares are to be filled in which phase, parkings included.
//!
//! Phases count down: the targets of the highest phase are filled first, and in phase 0 all are filled. An order does
//! not say *which* box fills a target. A target is a goal, or a square where a box is parked: the box may leave once
//! the phase it was parked for is reached.
//!
//! Invariant: every phase from 1 to [`Order::n_phases`] has a target; goals come first among the targets.

use crate::board::Distances;
use crate::board::level_tables::LevelTables;

/// A square to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderTarget {
    pub(crate) sq: u16,
    /// The phase in which it is filled.
    pub(crate) phase: u16,
    /// The phase from which its box may leave; 0 for a goal, which no box may leave.
    pub(crate) parked_for: u16,
}

/// How an order was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderOrigin {
    /// By a complete reverse game.
    ReverseGame,
    /// By taking boxes away as far as it went.
    Fallback,
}

/// For each square, whether it is in the set.
type SquareSet = Vec<bool>;

/// A packing order with its tables.
#[derive(Debug)]
pub(crate) struct Order {
    targets: Vec<OrderTarget>,
    origin: OrderOrigin,
    at: Vec<Vec<u16>>,
    by_phase: Vec<Vec<u16>>,
    /// The squares where boxes are parked, each once.
    parkings: Vec<u16>,
    distances: Distances,
}

impl Order {
    /// Completes an order; phases left without targets are removed.
    pub(crate) fn new(tables: &LevelTables, mut targets: Vec<OrderTarget>, origin: OrderOrigin) -> Self {
        let mut used: Vec<u16> = targets.iter().map(|target| target.phase).collect();
        used.sort_unstable();
        used.dedup();
        let dense = |phase: u16| (1u16..).zip(&used).find(|&(_, &old)| old == phase).map_or(0, |(new, _)| new);
        for target in &mut targets {
            (target.phase, target.parked_for) = (dense(target.phase), dense(target.parked_for));
        }
        let mut at = vec![Vec::new(); tables.board().n_squares()];
        let mut by_phase = vec![Vec::new(); used.len() + 1];
        for (number, target) in (0u16..).zip(&targets) {
            at[usize::from(target.sq)].push(number);
            by_phase[usize::from(target.phase)].push(number);
        }
        let squares: Vec<u16> = targets.iter().map(|target| target.sq).collect();
        let is_parking = |target: &&OrderTarget| target.parked_for > 0;
        let mut parkings: Vec<u16> = targets.iter().filter(is_parking).map(|target| target.sq).collect();
        parkings.sort_unstable();
        parkings.dedup();
        let frozen: Vec<SquareSet> = (0..=by_phase.len()).map(|phase| frozen_before(tables, &targets, phase)).collect();
        let is_wall = |number: usize, sq: u16| {
            let OrderTarget { sq: target, phase, .. } = targets[number];
            sq != target && frozen[usize::from(phase)][usize::from(sq)]
        };
        let distances = tables.distances(&squares, is_wall);
        Self { targets, origin, at, by_phase, parkings, distances }
    }

    /// Returns all targets, goals first.
    pub(crate) fn targets(&self) -> &[OrderTarget] {
        &self.targets
    }

    /// Returns how the order was made.
    pub(crate) const fn origin(&self) -> OrderOrigin {
        self.origin
    }

    /// Returns the number of phases, which is the number of the first one.
    pub(crate) fn n_phases(&self) -> u16 {
        u16::try_from(self.by_phase.len() - 1).expect("invariant: phases are numbered by u16")
    }

    /// Returns the numbers of the targets on a square.
    #[inline]
    pub(crate) fn at(&self, sq: u16) -> &[u16] {
        &self.at[usize::from(sq)]
    }

    /// Returns the numbers of the targets of a phase.
    #[inline]
    pub(crate) fn targets_of(&self, phase: u16) -> &[u16] {
        &self.by_phase[usize::from(phase)]
    }

    /// Returns a target by its number.
    #[inline]
    pub(crate) fn target(&self, number: u16) -> OrderTarget {
        self.targets[usize::from(number)]
    }

    /// Returns the squares where a box is parked in that phase: its own phase is reached, that of its release is not.
    pub(crate) fn parkings(&self, phase: u16) -> impl Iterator<Item = u16> {
        let holds = move |&number: &u16| {
            let target = self.target(number);
            target.phase >= phase && (1..phase).contains(&target.parked_for)
        };
        self.parkings.iter().copied().filter(move |&sq| self.at(sq).iter().any(holds))
    }

    /// Returns the pushes of a lone box from a square to a target, past the goals filled for good by then.
    #[inline]
    pub(crate) fn distance(&self, sq: u16, target: u16) -> u16 {
        self.distances.row(sq)[usize::from(target)]
    }

    /// Returns whether a target of that phase is on the square.
    #[inline]
    pub(crate) fn is_target(&self, sq: u16, phase: u16) -> bool {
        self.at(sq).iter().any(|&number| self.target(number).phase == phase)
    }
}

/// Returns the goals filled in earlier phases, which have higher numbers, whose boxes then freeze each other.
///
/// They are the largest set in which each box is held along both axes by walls or others of the set: those that are not
/// are removed until none is left. Without them XSokoban 37 is not solved along its order in 3,000,000 ticks, with them
/// after 5,000 positions.
fn frozen_before(tables: &LevelTables, targets: &[OrderTarget], phase: usize) -> SquareSet {
    let board = tables.board();
    let mut frozen = vec![false; board.n_squares() + 1];
    let is_filled = |target: &&OrderTarget| target.parked_for == 0 && usize::from(target.phase) > phase;
    let mut filled: Vec<u16> = targets.iter().filter(is_filled).map(|target| target.sq).collect();
    filled.iter().for_each(|&sq| frozen[usize::from(sq)] = true);
    loop {
        let n_before = filled.len();
        filled.retain(|&sq| {
            let is_held = |axis: usize| {
                let sides = [board.step(sq, axis), board.step(sq, axis + 2)];
                let holds = |&side: &u16| side == board.wall() || frozen[usize::from(side)];
                sides.iter().any(holds) || !sides.iter().any(|&side| board.is_live(side))
            };
            frozen[usize::from(sq)] = is_held(0) && is_held(1);
            frozen[usize::from(sq)]
        });
        if filled.len() == n_before {
            return frozen;
        }
    }
}
