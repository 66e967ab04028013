//! Generates the successors of a position by pushes or by pulls, without deadlocks, with lower bounds.

#[cfg(feature = "testing")]
pub(crate) mod rule_probe;

use std::sync::Arc;

use sokocore::FloorSquare;

use super::cost::CostRule;
use super::tables::SearchTables;
use crate::board::bit_set::BitSet;
use crate::board::tunnels;
use crate::board::{Flood, FloorPush, SearchBoard, SearchDirection};
use crate::bound::lower_bounds::Bounds;
use crate::bound::matching::MatrixRow;
use crate::deadlock::deadlock_test::{FloodedPosition, MovedBox, Prune};
use crate::deadlock::library::DeadlockLibrary;
use crate::deadlock::library_parts::LibraryParts;
use crate::goal_macros::GoalMacros;
use crate::part_times::{Part, PartSampler};
use crate::search_kind::SearchKind;
use crate::store::packed_push::PackedPush;
use crate::systematic::level_source::LevelSource;
use crate::systematic::start_positions::GoalTest;
use crate::{DeadlockStats, Settings, Technique, WorkMeter};

/// A successor of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<const W: usize> {
    /// Where the boxes are.
    pub(crate) boxes: BitSet<W>,
    /// The player's square, or the least square of the region, as the cost rule needs.
    pub(crate) player: FloorSquare,
    /// The push, as a node holds it.
    pub(crate) packed_push: PackedPush,
    /// A lower bound of the pushes that are left.
    pub(crate) bound: u16,
    /// The cost of the step.
    pub(crate) cost: u32,
    /// The additional cost at which it ends the search, if it does: the walk from the start square of the player to the
    /// first push.
    pub(crate) end: Option<u32>,
}

/// Generates the successors of positions in one direction.
#[derive(Debug)]
pub(crate) struct Expander<const W: usize> {
    board: Arc<SearchBoard>,
    direction: SearchDirection,
    rule: CostRule,
    /// Whether boxes of corrals that can never be opened are walls for the bounds.
    freezes_corrals: bool,
    /// Whether boxes in tunnels are moved on.
    uses_tunnels: bool,
    goal_test: GoalTest<W>,
    flood: Flood,
    child_flood: Flood,
    bounds: Bounds<W>,
    deadlocks: DeadlockLibrary,
    /// Squares of tunnels on which a box does not stop.
    passages: BitSet<W>,
    squares: Vec<FloorSquare>,
    goal_macros: GoalMacros<W>,
    /// Whether the last expansion postponed pushes that a solution may need.
    postponed: bool,
    deadlocks_found: DeadlockStats,
    pub(crate) sampler: PartSampler,
}

impl<const W: usize> Expander<W> {
    pub(crate) fn new(
        board: Arc<SearchBoard>,
        direction: SearchDirection,
        settings: &Settings,
        tables: SearchTables<W>,
        source: &LevelSource,
        meter: &WorkMeter,
    ) -> Self {
        let deadlocks = DeadlockLibrary::new(&LibraryParts {
            level: &source.level,
            board: &board,
            tables: source.tables.as_ref(),
            patterns: Some(&tables.patterns),
            search: SearchKind::of(settings),
            direction,
            settings,
            meter,
        });
        Self {
            direction,
            rule: CostRule::of(settings),
            freezes_corrals: settings.uses(Technique::FrozenCorrals),
            uses_tunnels: settings.uses(Technique::Tunnels),
            goal_test: GoalTest::new(&board, direction),
            flood: Flood::new(&*board),
            child_flood: Flood::new(&*board),
            goal_macros: GoalMacros::new(&board, direction, settings),
            postponed: false,
            deadlocks_found: DeadlockStats::default(),
            sampler: PartSampler::default(),
            bounds: Bounds::new(&board, direction, settings, tables.penalties, tables.sides, meter),
            deadlocks,
            passages: if settings.uses(Technique::Tunnels) { tunnels::passages(&board) } else { BitSet::default() },
            squares: Vec::new(),
            board,
        }
    }

    /// Returns the exact bound of a position; `None` if it is lost. Called before its children are generated.
    pub(crate) fn bound(&mut self, boxes: &BitSet<W>, player: FloorSquare) -> Option<u16> {
        let before = self.sampler.enter(Part::Evaluation);
        self.squares.clear();
        self.squares.extend(boxes.iter());
        let bound = self.bounds.exact(&self.board, boxes, &self.squares, player);
        self.sampler.enter(before);
        bound
    }

    /// Returns the ticks since the last call, beyond those of every position.
    pub(crate) fn take_work(&mut self) -> u64 {
        self.bounds.take_work() + self.goal_macros.take_work()
    }

    /// Returns how many children were pruned because they are lost, by kind.
    pub(crate) const fn deadlocks_found(&self) -> DeadlockStats {
        self.deadlocks_found
    }

    /// Generates the children of the position of the last call of [`Expander::bound`].
    pub(crate) fn children(&mut self, boxes: &BitSet<W>, player: FloorSquare, children: &mut Vec<Child<W>>) {
        let before = self.sampler.enter(Part::Successors);
        self.generate(boxes, player, children);
        self.sampler.enter(before);
    }

    fn generate(&mut self, boxes: &BitSet<W>, player: FloorSquare, children: &mut Vec<Child<W>>) {
        children.clear();
        self.flood.place(self.squares.iter().copied());
        if self.rule == CostRule::Pushes {
            self.flood.spread(&*self.board, player);
        } else {
            self.flood.measure(&*self.board, player);
        }
        let position = FloodedPosition::new(boxes.view(), &self.squares, player, &self.flood);
        self.sampler.enter(Part::DeadlockTests);
        if self.deadlocks.is_known_dead(&position) {
            return;
        }
        self.postponed = false;
        let only = match self.tunnel_box() {
            Some(sq) => Some(SearchBoard::set(&[sq])),
            None => self.only_boxes(boxes, player),
        };
        self.sampler.enter(Part::Successors);
        let forced = self.goal_macros.push_in_room(&self.board, boxes, &self.flood);
        let forced = forced.filter(|forced| only.is_none_or(|only| only.has(forced.from)));
        self.postponed = forced.is_some();
        for row in (0..self.squares.len()).map(MatrixRow::new) {
            let sq = self.squares[row.idx()];
            if only.is_some_and(|only| !only.has(sq)) {
                continue;
            }
            for side in 0..4 {
                let stand = self.board.step(sq, side);
                if forced.is_none_or(|forced| forced == FloorPush { from: sq, dir: side ^ 2 })
                    && self.flood.reaches(stand)
                    && let Some(child) = self.child(boxes, row, side, stand)
                {
                    children.push(child);
                }
            }
        }
    }

    /// Returns whether the last expansion postponed pushes that a solution may need.
    pub(crate) const fn has_postponed(&self) -> bool {
        self.postponed
    }

    /// Postpones nothing from now on.
    pub(crate) fn stop_postponing(&mut self) {
        self.goal_macros.forget_room();
    }

    /// Returns how many boxes are on goals before their turn in the goal order.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &BitSet<W>) -> usize {
        self.goal_macros.n_early(boxes)
    }

    /// Returns a goal cut from the position expanded last: the pushes of a box straight to the next goal.
    pub(crate) fn cut(&mut self, boxes: &BitSet<W>) -> Option<Vec<FloorPush>> {
        self.goal_macros.cut(&self.board, boxes, &self.flood)
    }

    /// Returns the position after a push of a goal cut; `None` if it is lost.
    pub(crate) fn pushed(&mut self, boxes: &BitSet<W>, push: FloorPush) -> Option<Child<W>> {
        let FloorPush { from, dir } = push;
        let to = self.board.step(from, dir);
        let next = boxes.moved(from, to);
        let moved = MovedBox { boxes: next.view(), sq: to, side: Some(dir ^ 2) };
        if self.deadlocks.tests_forbid(&self.board, moved) {
            return None;
        }
        let player = self.child_flood.run(&*self.board, &next, from);
        let packed_push = PackedPush::new(push);
        let end = self.goal_test.is_end(&next, player).then_some(0);
        Some(Child { boxes: next, player, packed_push, bound: 0, cost: 1, end })
    }

    /// Generates the child with the box of this row pushed away from the player on its `side`, or pulled toward the
    /// player.
    #[inline]
    fn child(&mut self, boxes: &BitSet<W>, row: MatrixRow, side: usize, stand: FloorSquare) -> Option<Child<W>> {
        let sq = self.squares[row.idx()];
        let (to, player, must_be_free) = match self.direction {
            SearchDirection::Forward => {
                let to = self.board.step(sq, side ^ 2);
                (to, sq, to)
            }
            SearchDirection::Backward => {
                let player = self.board.step(stand, side);
                (stand, player, player)
            }
        };
        if !self.flood.is_free(must_be_free) {
            return None;
        }
        // Box sets hold live squares only.
        if !self.board.is_live(to) {
            self.deadlocks_found.dead_squares += 1;
            return None;
        }
        let next = boxes.moved(sq, to);
        let bound = self.bound_after(row, &next, to, side)?;
        self.child_flood.place(next.iter());
        let zone = self.child_flood.spread(&*self.board, player);
        let from = if self.direction == SearchDirection::Forward { sq } else { to };
        let packed_push = PackedPush::new(FloorPush { from, dir: side ^ 2 });
        let is_end = self.goal_test.is_end(&next, zone);
        let (key_player, walk) = match self.rule {
            CostRule::Pushes => (zone, 0),
            _ => (player, self.flood.distance(stand)),
        };
        let mut end = is_end.then_some(0);
        if is_end && self.direction == SearchDirection::Backward && self.rule != CostRule::Pushes {
            self.child_flood.place(next.iter());
            self.child_flood.measure(&*self.board, player);
            end = Some(self.rule.of_walk(self.child_flood.distance(self.board.player())));
        }
        Some(Child { boxes: next, player: key_player, packed_push, bound, cost: self.rule.of_push(walk), end })
    }

    /// A bound of the position after the box of this row has moved to a live square, with the player on that side of
    /// it; `None` if the position is lost.
    #[inline]
    fn bound_after(&mut self, row: MatrixRow, next: &BitSet<W>, to: FloorSquare, side: usize) -> Option<u16> {
        let moved = MovedBox { boxes: next.view(), sq: to, side: Some(side) };
        let before = self.sampler.enter(Part::DeadlockTests);
        if self.deadlocks.forbids(&self.board, moved) {
            self.deadlocks_found.frozen += 1;
            self.sampler.enter(before);
            return None;
        }
        self.sampler.enter(Part::Evaluation);
        let bound = self.bounds.after(row, to, side);
        self.deadlocks_found.unmatched += u64::from(bound.is_none());
        self.sampler.enter(before);
        bound
    }

    /// The boxes to which the deadlock tests restrict the moves; the empty set if the position is lost.
    fn only_boxes(&mut self, boxes: &BitSet<W>, player: FloorSquare) -> Option<BitSet<W>> {
        let Self { deadlocks, board, squares, flood, bounds, .. } = self;
        let prune = deadlocks.prune(board, &FloodedPosition::new(boxes.view(), squares, player, flood));
        let immovable = deadlocks.immovable();
        if self.freezes_corrals && !immovable.is_empty() && !bounds.freeze(board, boxes, &SearchBoard::set(immovable)) {
            return Some(BitSet::default());
        }
        match prune {
            Prune::All => None,
            Prune::Only(only) => Some(SearchBoard::set(&only)),
            Prune::Dead => Some(BitSet::default()),
        }
    }

    /// A box in a tunnel that has to be moved before all others.
    fn tunnel_box(&self) -> Option<FloorSquare> {
        let passing = self.squares.iter().copied().find(|&sq| self.passages.has(sq));
        if passing.is_some() {
            return passing;
        }
        let targets = match self.direction {
            SearchDirection::Forward => self.goal_test.goals(),
            SearchDirection::Backward => self.goal_test.starts(),
        };
        let find = || tunnels::box_to_move(&self.board, self.direction, &self.flood, &self.squares, targets);
        self.uses_tunnels.then(find).flatten()
    }
}
