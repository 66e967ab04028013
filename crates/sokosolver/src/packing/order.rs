//! A packing order: which squares are to be filled in which phase, parkings included.
//!
//! Phases count down: the targets of the highest phase are filled first, and in phase 0 all are filled. An order does
//! not say *which* box fills a target. A target is a goal, or a square where a box is parked: the box may leave once
//! the phase it was parked for is reached.
//!
//! Invariant: every phase from 1 to [`PackingOrder::n_phases`] has a target; goals come first among the targets.

use sokocore::FloorSquare;

use crate::board::level_tables::LevelTables;
use crate::board::{Distances, GoalIndex};

/// A square to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderTarget {
    pub(crate) sq: FloorSquare,
    /// The phase in which it is filled.
    pub(crate) phase: u16,
    /// The phase from which its box may leave; 0 for a goal, which no box may leave.
    pub(crate) parked_for: u16,
}

/// The index of a target in its order. Goals come first, so that of a goal is the goal's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct TargetIndex(u16);

impl TargetIndex {
    /// Returns the index among [`PackingOrder::targets`].
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }
}

impl From<GoalIndex> for TargetIndex {
    #[inline]
    fn from(goal: GoalIndex) -> Self {
        Self(goal.get())
    }
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
type FloorSet = Vec<bool>;

/// A packing order with its tables.
#[derive(Debug)]
pub(crate) struct PackingOrder {
    targets: Vec<OrderTarget>,
    origin: OrderOrigin,
    at: Vec<Vec<TargetIndex>>,
    by_phase: Vec<Vec<TargetIndex>>,
    /// The squares where boxes are parked, each once.
    parkings: Vec<FloorSquare>,
    distances: Distances,
}

impl PackingOrder {
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
        for (number, target) in (0..).map(TargetIndex).zip(&targets) {
            at[target.sq.idx()].push(number);
            by_phase[usize::from(target.phase)].push(number);
        }
        let squares: Vec<FloorSquare> = targets.iter().map(|target| target.sq).collect();
        let is_parking = |target: &&OrderTarget| target.parked_for > 0;
        let mut parkings: Vec<FloorSquare> = targets.iter().filter(is_parking).map(|target| target.sq).collect();
        parkings.sort_unstable();
        parkings.dedup();
        let frozen: Vec<FloorSet> = (0..=by_phase.len()).map(|phase| frozen_before(tables, &targets, phase)).collect();
        let is_wall = |number: usize, sq: FloorSquare| {
            let OrderTarget { sq: target, phase, .. } = targets[number];
            sq != target && frozen[usize::from(phase)][sq.idx()]
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
        u16::try_from(self.by_phase.len() - 1).expect("invariant: phases are numbered by 16 bits")
    }

    /// Returns the numbers of the targets on a square.
    #[inline]
    pub(crate) fn at(&self, sq: FloorSquare) -> &[TargetIndex] {
        &self.at[sq.idx()]
    }

    /// Returns the numbers of the targets of a phase.
    #[inline]
    pub(crate) fn targets_of(&self, phase: u16) -> &[TargetIndex] {
        &self.by_phase[usize::from(phase)]
    }

    /// Returns a target by its index, or that of a goal by the goal's.
    #[inline]
    pub(crate) fn target(&self, target: impl Into<TargetIndex>) -> OrderTarget {
        self.targets[target.into().idx()]
    }

    /// Returns the squares where a box is parked in that phase: its own phase is reached, that of its release is not.
    pub(crate) fn parkings(&self, phase: u16) -> impl Iterator<Item = FloorSquare> {
        let holds = move |&number: &TargetIndex| {
            let target = self.target(number);
            target.phase >= phase && (1..phase).contains(&target.parked_for)
        };
        self.parkings.iter().copied().filter(move |&sq| self.at(sq).iter().any(holds))
    }

    /// Returns the pushes of a lone box from a square to a target, past the goals filled for good by then.
    #[inline]
    pub(crate) fn distance(&self, sq: FloorSquare, target: TargetIndex) -> u16 {
        self.distances.row(sq)[target.idx()]
    }

    /// Returns whether a target of that phase is on the square.
    #[inline]
    pub(crate) fn is_target(&self, sq: FloorSquare, phase: u16) -> bool {
        self.at(sq).iter().any(|&number| self.target(number).phase == phase)
    }
}

/// Returns the goals filled in earlier phases, which have higher numbers, whose boxes then freeze each other.
///
/// They are the largest set in which each box is held along both axes by walls or others of the set: those that are not
/// are removed until none is left. Without them XSokoban 37 is not solved along its order in 3,000,000 ticks, with them
/// after 5,000 positions.
fn frozen_before(tables: &LevelTables, targets: &[OrderTarget], phase: usize) -> FloorSet {
    let board = tables.board();
    let mut frozen = vec![false; board.n_squares() + 1];
    let is_filled = |target: &&OrderTarget| target.parked_for == 0 && usize::from(target.phase) > phase;
    let mut filled: Vec<FloorSquare> = targets.iter().filter(is_filled).map(|target| target.sq).collect();
    filled.iter().for_each(|&sq| frozen[sq.idx()] = true);
    loop {
        let n_before = filled.len();
        filled.retain(|&sq| {
            let is_held = |axis: usize| {
                let sides = [board.step(sq, axis), board.step(sq, axis + 2)];
                let holds = |&side: &FloorSquare| side == board.wall() || frozen[side.idx()];
                sides.iter().any(holds) || !sides.iter().any(|&side| board.is_live(side))
            };
            frozen[sq.idx()] = is_held(0) && is_held(1);
            frozen[sq.idx()]
        });
        if filled.len() == n_before {
            return frozen;
        }
    }
}
