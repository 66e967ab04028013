//! What a search by pushes is after: how it rates positions, and which pushes its advisors name.
//!
//! Scores: less is better; the parts of an order stand side by side in one number, the most important first.

use crate::board::bit_set::BitSet;
use crate::board::{Distances, SearchBoard, SearchDirection};
use crate::deadlock::freeze;

use super::advisors::{Draft, Features, Scene};
use super::plan::Plan;
use super::pull_aim::{inverted, is_hole};
use crate::bound::assignment::Assignment;
use crate::fess::features::overlap::Overlap;
use crate::fess::features::view::{FeatureMask, View};
use crate::fess::features::worth::{Counts, by_pushes};
use crate::fess::features::zones::Zones;
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::nodes::Score;

/// An aim of pushes.
#[derive(Debug)]
pub(crate) enum PushAim<const W: usize> {
    /// The goals, filled in the order of a plan.
    Plan { plan: Plan, zones: Zones<W> },
    /// This position, found by pulls.
    Board { board: BitSet<W>, to_board: Assignment<W> },
    /// An open position.
    Open,
    /// A position of much worth by this plan, found on a way.
    Worth { plan: Plan, overlap: Overlap<W> },
}

impl<const W: usize> PushAim<W> {
    /// Aims at the goals, along a plan.
    pub(crate) fn plan(terrain: &FessTables<W>, plan: Plan) -> Self {
        Self::Plan { zones: Zones::new(terrain.ground(), &plan), plan }
    }

    /// Aims at this position.
    pub(crate) fn board(terrain: &FessTables<W>, board: BitSet<W>) -> Self {
        Self::Board { board, to_board: Assignment::new(terrain, &board, SearchDirection::Forward) }
    }

    /// Returns whether the leaps are to be chosen down a tree of values.
    pub(crate) const fn is_worth(&self) -> bool {
        matches!(self, Self::Worth { .. })
    }

    /// Returns squares where a leap may end though they are in a tunnel.
    pub(crate) fn squares(&self) -> BitSet<W> {
        match self {
            Self::Plan { plan, .. } => plan.squares(),
            Self::Board { board, .. } => *board,
            Self::Worth { plan, .. } => plan.squares(),
            Self::Open => BitSet::default(),
        }
    }

    /// Returns what it wants to be looked at.
    pub(crate) const fn looks(&self) -> FeatureMask {
        match self {
            Self::Plan { .. } => FeatureMask { links: true, openings: true },
            Self::Open => FeatureMask { links: true, openings: false },
            Self::Board { .. } | Self::Worth { .. } => FeatureMask { links: false, openings: false },
        }
    }

    /// Gets ready to rate a position, and what macro moves make of it.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        match self {
            Self::Worth { overlap, .. } => overlap.begin(boxes),
            Self::Board { to_board, .. } => to_board.begin(boxes),
            Self::Plan { .. } | Self::Open => {}
        }
    }

    /// Rates a position that was just looked at.
    pub(crate) fn rate(&mut self, commons: &SharedTables<W>, boxes: &BitSet<W>, view: View) -> (Features, Score) {
        let terrain = &commons.terrain;
        let (n_pieces, n_cut) = (view.n_pieces.min(63), view.n_cut.min(1023));
        let near = |sq: u16| terrain.yard.nearest(sq);
        let far = || boxes.iter().map(near).filter(|&far| far != Distances::NONE).map(u64::from).sum::<u64>();
        match self {
            Self::Plan { plan, zones } => {
                let packed = plan.packed(boxes);
                let n_out = boxes.n_shared(&zones.at(packed)) as u64;
                let n_hot = commons.hotspots.count(boxes) as u64;
                let unpacked = u64::try_from(1500 - packed).unwrap_or(0).min(4095);
                let order = (unpacked << 52)
                    | (n_pieces << 46)
                    | (n_cut << 36)
                    | (n_out.min(255) << 28)
                    | (n_hot.min(255) << 20)
                    | inverted(far(), 20);
                let cell = (unpacked << 24) | (n_pieces << 16) | n_out;
                (Features { view, packed, n_out, n_hot }, Score { order, cell })
            }
            Self::Board { board, to_board } => {
                let cost = to_board.cost(boxes);
                let n_away = boxes.without(board).len() as u64;
                let n_hot = n_crowded(terrain.ground(), boxes, board);
                let is_never = u64::from(cost == Assignment::<W>::NEVER);
                let order = (is_never << 62) | (n_pieces << 54) | (n_away << 44) | (n_hot.min(255) << 32) | cost;
                let packed = -i32::try_from(n_away).unwrap_or(i32::MAX);
                let cell = (n_pieces << 16) | n_away;
                (Features { view, packed, n_out: 0, n_hot }, Score { order, cell })
            }
            Self::Worth { plan, overlap } => {
                let packed = plan.packed(boxes);
                let n_home = boxes.n_shared(&terrain.goals) as u64;
                let overlap = overlap.most(boxes);
                let (n_boxes, farthest) = (boxes.len() as u64, terrain.farthest);
                let counts = Counts { n_boxes, n_home, n_pieces, far: far(), farthest, packed, overlap };
                (Features { view, packed, n_out: 0, n_hot: 0 }, Score { order: by_pushes(counts), cell: 0 })
            }
            Self::Open => {
                let n_hot = n_stuck(terrain, boxes);
                let order = (n_pieces << 54) | (n_cut << 44) | (n_hot.min(255) << 32) | inverted(far(), 32);
                (Features { view, packed: 0, n_out: 0, n_hot }, Score { order, cell: n_pieces })
            }
        }
    }

    /// Gives weight 0 to the pushes that the advisors name.
    pub(crate) fn advise(
        &self,
        SharedTables { terrain, settings, .. }: &SharedTables<W>,
        boxes: &BitSet<W>,
        (now, own): (Features, Score),
        drafts: &mut [Draft],
    ) {
        if let Self::Plan { plan, zones } = self {
            let next = if now.packed >= 0 { plan.next(boxes) } else { None };
            return Scene { terrain, advisors: settings.advisors, now, zone: zones.at(now.packed), next }
                .advise(drafts);
        }
        if matches!(self, Self::Open) {
            let fills = |draft: &&mut Draft| is_hole(terrain, draft.edge.leap.to);
            drafts.iter_mut().filter(fills).for_each(|draft| draft.edge.weight = 0);
        }
        if matches!(self, Self::Worth { .. }) || !settings.advisors.better {
            return;
        }
        let better = drafts.iter_mut().filter(|draft| draft.edge.order < own.order);
        if let Some(best) = better.min_by_key(|draft| draft.edge.order) {
            best.edge.weight = 0;
        }
    }
}

/// Boxes off the board aimed at that touch a wall or a box.
fn n_crowded<const W: usize>(ground: &SearchBoard, boxes: &BitSet<W>, board: &BitSet<W>) -> u64 {
    let touches = |sq: u16| ground.steps(sq).into_iter().any(|next| next == ground.wall() || boxes.has(next));
    boxes.without(board).iter().filter(|&sq| touches(sq)).count() as u64
}

/// Boxes off goal that no push can move without a deadlock, wherever the player is.
fn n_stuck<const W: usize>(terrain: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
    let ground = terrain.ground();
    let can_go = |sq: u16, dir: usize| {
        let (to, stand) = (ground.step(sq, dir), ground.step(sq, dir ^ 2));
        ground.is_live(to)
            && !boxes.has(to)
            && stand != ground.wall()
            && !boxes.has(stand)
            && !freeze::is_deadlock(ground, &terrain.goals, &boxes.moved(sq, to), to)
    };
    boxes.iter().filter(|&sq| !terrain.goals.has(sq) && !(0..4).any(|dir| can_go(sq, dir))).count() as u64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sokocore::Level;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;
    use crate::board::SearchDirection;
    use crate::board::level_tables::LevelTables;
    use crate::deadlock::pattern_table::PatternMaker;
    use crate::{Settings, WorkMeter};

    fn commons() -> SharedTables<1> {
        let level = Level::parse("#########\n#   #   #\n# $   . #\n#  $#@. #\n#   #   #\n#########").unwrap();
        let budget = Budget::new(Some(Duration::from_secs(9)), MemoryAccount::new(64 << 20), Cancel::default());
        let mut effort = WorkMeter::new(budget, Cancel::default());
        let terrain = FessTables::within(LevelTables::new(&level).unwrap(), &mut effort).unwrap();
        let maker = |way| PatternMaker::new(terrain.ground(), way, &Settings::default());
        let makers = [maker(SearchDirection::Forward), maker(SearchDirection::Backward)];
        let patterns = makers.map(|maker| maker.finish(terrain.ground(), &effort));
        let mut hotspots = crate::fess::features::hotspots::Hotspots::default();
        while !hotspots.is_done(terrain.ground()) {
            hotspots.grow(terrain.ground(), &terrain.goals);
        }
        SharedTables::new(terrain, hotspots, patterns, Settings::default(), &effort)
    }

    /// Each feature by itself makes a position worse.
    #[test]
    fn pieces_cut_links_and_a_missing_box_each_make_a_position_worse() {
        let commons = commons();
        let goals: Vec<u16> = commons.terrain.goals.iter().collect();
        let pull = |&from: &u16| (crate::fess::macro_move::MacroMove { from, to: 0, player: 0 }, true);
        let plan = Plan::of(&goals.iter().map(pull).collect::<Vec<_>>(), std::iter::empty());
        let mut aim = PushAim::plan(&commons.terrain, plan);
        let mut order = |boxes: &BitSet<1>, view| aim.rate(&commons, boxes, view).1.order;
        let (starts, view) = (commons.terrain.starts, View { n_pieces: 1, ..View::default() });
        let now = order(&starts, view);
        assert!(order(&starts, View { n_pieces: 2, ..view }) > now);
        assert!(order(&starts, View { n_cut: 1, ..view }) > now);
        assert!(order(&commons.terrain.goals, view) < now);
    }

    /// At the board aimed at nothing is left to do; elsewhere the boxes that stand there count.
    #[test]
    fn a_board_is_reached_when_nothing_is_away() {
        let commons = commons();
        let mut aim = PushAim::board(&commons.terrain, commons.terrain.starts);
        let view = View { n_pieces: 1, ..View::default() };
        let (features, score) = aim.rate(&commons, &commons.terrain.starts, view);
        let (others, worse) = aim.rate(&commons, &commons.terrain.goals, view);
        assert_eq!((features.packed, others.packed), (0, -2));
        assert!(score.order < worse.order);
    }
}
