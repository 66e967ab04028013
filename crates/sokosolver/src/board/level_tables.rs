//! What every part of the packing-order search looks up about a level, computed once.
//!
//! Invariant: nothing here depends on a position. Tables have one entry more than there are squares where that spares
//! a test: the wall is the last number.

use sokocore::Level;
use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::{Distances, SearchBoard, SearchDirection};
use crate::deadlock::shared::{SharedDeadlocks, Subscription};

/// The level with the tables of this search.
#[derive(Debug)]
pub(crate) struct LevelTables {
    ground: SearchBoard,
    goal_of: Vec<Option<u16>>,
    is_start: Vec<bool>,
    nearest: Vec<u16>,
    n_in_reach: usize,
    parkable: Vec<bool>,
    keys: Vec<u64>,
    places: Vec<(u16, u16)>,
    exchange: Option<SharedDeadlocks>,
}

impl LevelTables {
    /// Measures a level; `None` if it cannot be compiled, or if its boxes and goals differ in number.
    #[cfg(test)]
    pub(crate) fn new(level: &Level) -> Option<Self> {
        Self::on(level, SearchBoard::new(level)?)
    }

    /// Measures a level and looks at the clock.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(level: &Level, effort: &mut WorkMeter) -> Result<Option<Self>, Stop> {
        let Some(ground) = SearchBoard::within(level, effort)? else { return Ok(None) };
        effort.tick_unpausable((ground.n_squares() * ground.n_boxes() / 256) as u64)?;
        Ok(Self::on(level, ground).map(|yard| yard.sharing(effort)))
    }

    /// Measures a level that has been compiled.
    pub(crate) fn on(level: &Level, ground: SearchBoard) -> Option<Self> {
        if ground.goals().len() != ground.n_boxes() {
            return None;
        }
        let place = |sq: u16| level.board().place(ground.square(sq));
        let small = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let places = (0..ground.wall()).map(place).map(|(row, column)| (small(row), small(column))).collect();
        let n = ground.n_squares();
        let mut goal_of = vec![None; n + 1];
        for (number, &goal) in (0u16..).zip(ground.goals()) {
            goal_of[usize::from(goal)] = Some(number);
        }
        let mut is_start = vec![false; n + 1];
        ground.starts().iter().for_each(|&start| is_start[usize::from(start)] = true);
        let nearest = (0..ground.wall()).map(|sq| least(ground.to_goals().row(sq))).collect();
        let in_reach: Vec<bool> = (0..ground.wall())
            .map(|sq| ground.is_live(sq) && least(ground.to_starts().row(sq)) < Distances::NONE)
            .collect();
        let parkable = (0..ground.wall())
            .map(|sq| in_reach[usize::from(sq)] && !is_tunnel(&ground, sq) && !is_gate(&ground, sq))
            .collect();
        let n_in_reach = in_reach.iter().filter(|&&reach| reach).count();
        let mut seed = 0x5eed_u64;
        let keys = (0..n).map(|_| split_mix(&mut seed)).collect();
        Some(Self { ground, goal_of, is_start, nearest, n_in_reach, parkable, keys, places, exchange: None })
    }

    /// Shares what is learned here with the other searches of the run, if they share.
    pub(crate) fn sharing(mut self, effort: &WorkMeter) -> Self {
        self.exchange = effort.shared_deadlocks().cloned();
        self
    }

    /// Lets somebody who learns take part in the run's exchange.
    pub(crate) fn join(&self) -> Option<Subscription> {
        self.exchange.as_ref().map(SharedDeadlocks::join)
    }

    /// Returns the level compiled for search.
    pub(crate) const fn ground(&self) -> &SearchBoard {
        &self.ground
    }

    /// Returns the number of the goal on a square.
    #[inline]
    pub(crate) fn goal_of(&self, sq: u16) -> Option<u16> {
        self.goal_of[usize::from(sq)]
    }

    /// Returns whether the square is a goal.
    #[inline]
    pub(crate) fn is_goal(&self, sq: u16) -> bool {
        self.goal_of[usize::from(sq)].is_some()
    }

    /// Returns whether a box starts on the square.
    #[inline]
    pub(crate) fn is_start(&self, sq: u16) -> bool {
        self.is_start[usize::from(sq)]
    }

    /// Returns the pushes from a live square to its nearest goal.
    #[inline]
    pub(crate) fn nearest(&self, sq: u16) -> u16 {
        self.nearest[usize::from(sq)]
    }

    /// Returns how many squares boxes can be pushed to.
    pub(crate) const fn n_in_reach(&self) -> usize {
        self.n_in_reach
    }

    /// Returns whether a box may be parked there: in reach, and neither in a tunnel nor splitting the board in two.
    /// Doors will do: without them XSokoban 44 has no order.
    pub(crate) fn is_parkable(&self, sq: u16) -> bool {
        self.parkable[usize::from(sq)]
    }

    /// Returns the hash key of a box on the square.
    #[inline]
    pub(crate) fn key(&self, sq: u16) -> u64 {
        self.keys[usize::from(sq)]
    }

    /// Returns the row and column of a square.
    pub(crate) fn place(&self, sq: u16) -> (u16, u16) {
        self.places[usize::from(sq)]
    }

    /// Measures the pushes from every square to each target; for each, by its place among them, some squares are walls.
    pub(crate) fn distances(&self, targets: &[u16], walls: impl Fn(usize, u16) -> bool) -> Distances {
        Distances::each(&self.ground, SearchDirection::Forward, targets, walls)
    }

    /// Squares that are flooded in about a tick.
    pub(crate) const FLOODED_PER_TICK: usize = 128;

    /// Returns the ticks that a step takes longer on a board that no hand has made.
    pub(crate) const fn extra_ticks(&self) -> u64 {
        (self.ground.n_squares() / 512) as u64
    }

    /// Returns the ticks of a flood of the whole board.
    pub(crate) const fn flood_ticks(&self) -> u64 {
        1 + (self.ground.n_squares() / Self::FLOODED_PER_TICK) as u64
    }
}

fn least(row: &[u16]) -> u16 {
    row.iter().copied().min().unwrap_or(Distances::NONE)
}

/// Returns whether a box pushed to the square has to be pushed on: walls on both sides of it, and of the player behind it.
/// A door, one square long, is no tunnel, and a goal is not part of one.
fn is_tunnel(ground: &SearchBoard, sq: u16) -> bool {
    let is_narrow = |sq: u16, dir: usize| [1, 3].iter().all(|side| ground.step(sq, dir + side) == ground.wall());
    let goes_on = |dir: usize| {
        let behind = ground.step(sq, dir);
        behind != ground.wall() && is_narrow(sq, dir) && is_narrow(behind, dir)
    };
    !ground.goals().contains(&sq) && (0..4).any(goes_on)
}

/// Returns whether the floor falls apart when the square is taken: its open sides are then not all of one group.
fn is_gate(ground: &SearchBoard, sq: u16) -> bool {
    let mut groups =
        (0..4).filter(|&side| ground.step(sq, side) != ground.wall()).map(|side| ground.side_group(sq, side));
    let first = groups.next();
    groups.any(|group| Some(group) != first)
}

/// Returns the next of a fixed sequence of well-mixed numbers.
pub(crate) const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
