//! The aims of a search by pushes: how positions are scored, and which pushes its advisors select.
//!
//! Each aim lists its features in the order of their importance, see [`ScoreKey`]; less is better.

use crate::board::SearchDirection;
use crate::board::bit_set::BitSet;
use crate::deadlock::freeze::Freeze;

use super::advisors::{self, AdvisorInput, PushCandidate, PushFeatures};
use super::plan::PackingPlan;
use crate::Technique;
use crate::bound::assignment::Assignment;
use crate::fess::features::crowded::n_crowded;
use crate::fess::features::evaluation::{FeatureCounts, push_score_key};
use crate::fess::features::goal_distance::to_nearest_goals;
use crate::fess::features::holes::is_hole;
use crate::fess::features::out_of_plan::OutOfPlan;
use crate::fess::features::overlap::Overlap;
use crate::fess::features::score_key::ScoreKey;
use crate::fess::features::stuck::n_stuck_by_pushes;
use crate::fess::features::view::{FeatureMask, View};
use crate::fess::move_weights::MoveWeights;
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::CellRule;
use crate::fess::tree::fess_tree::MoveSelection;
use crate::fess::tree::nodes::NodeScore;

/// An aim of pushes.
#[derive(Debug)]
pub(crate) enum PushAim<const W: usize> {
    /// The goals, filled in the order of a plan.
    Plan { plan: PackingPlan, out_of_plan: OutOfPlan<W>, weights: MoveWeights },
    /// This position, found by pulls.
    Position { target: BitSet<W>, to_target: Assignment<W> },
    /// An open position.
    Open(Freeze),
    /// A position of great value by this plan, found on a path.
    Value { plan: PackingPlan, overlap: Overlap<W> },
}

impl<const W: usize> PushAim<W> {
    /// Aims at the goals, along a plan, with these weights of macro moves.
    pub(crate) fn plan(tables: &FessTables<W>, plan: PackingPlan, weights: MoveWeights) -> Self {
        Self::Plan { out_of_plan: OutOfPlan::new(tables.board(), &plan), plan, weights }
    }

    /// Aims at this position.
    pub(crate) fn position(tables: &FessTables<W>, target: BitSet<W>) -> Self {
        Self::Position { target, to_target: Assignment::new(tables.board(), &target, SearchDirection::Forward) }
    }

    /// Returns the rule that selects the next macro move, by cells of this rule unless the aim has a value tree.
    pub(crate) const fn selection(&self, cells: CellRule) -> MoveSelection {
        if matches!(self, Self::Value { .. }) { MoveSelection::ValueTree } else { MoveSelection::Cells(cells) }
    }

    /// Returns squares where a macro move may end though they are in a tunnel.
    pub(crate) fn squares(&self) -> BitSet<W> {
        match self {
            Self::Plan { plan, .. } => plan.squares(),
            Self::Position { target, .. } => *target,
            Self::Value { plan, .. } => plan.squares(),
            Self::Open(_) => BitSet::default(),
        }
    }

    /// Returns the features that the score needs.
    pub(crate) const fn feature_mask(&self) -> FeatureMask {
        match self {
            Self::Plan { .. } => FeatureMask { links: true, openings: true },
            Self::Open(_) => FeatureMask { links: true, openings: false },
            Self::Position { .. } | Self::Value { .. } => FeatureMask { links: false, openings: false },
        }
    }

    /// Prepares the score of a position and of its successors.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        match self {
            Self::Value { overlap, .. } => overlap.begin(boxes),
            Self::Position { to_target, .. } => to_target.begin(boxes),
            Self::Plan { .. } | Self::Open(_) => {}
        }
    }

    /// Scores a position that was just viewed.
    pub(crate) fn score(
        &mut self,
        shared: &SharedTables<W>,
        boxes: &BitSet<W>,
        view: View,
    ) -> (PushFeatures, NodeScore) {
        let tables = &shared.tables;
        let (n_pieces, n_cut) = (view.n_pieces.min(63), view.n_cut);
        let far = || to_nearest_goals(tables, boxes);
        match self {
            Self::Plan { plan, out_of_plan, .. } => {
                let packed = plan.packed(boxes);
                let n_out = boxes.n_shared(&out_of_plan.at(packed)) as u64;
                let n_hot = shared.hotspots.count(boxes) as u64;
                let unpacked = u64::try_from(1500 - packed).unwrap_or(0).min(4095);
                let score_key = ScoreKey::new()
                    .then(unpacked, 12)
                    .then(n_pieces, 6)
                    .then(n_cut, 10)
                    .then(n_out, 8)
                    .then(n_hot, 8)
                    .then_inverted(far(), 20)
                    .get();
                let cell = (unpacked << 24) | (n_pieces << 16) | n_out;
                (PushFeatures { view, packed, n_out, n_hot }, NodeScore { score_key, cell })
            }
            Self::Position { target, to_target } => {
                let cost = to_target.cost(boxes);
                let n_away = boxes.without(target).len() as u64;
                let n_hot = n_crowded(tables.board(), boxes, target);
                let is_never = u64::from(cost == Assignment::<W>::NEVER);
                let score_key = ScoreKey::new()
                    .then(is_never, 2)
                    .then(n_pieces, 8)
                    .then(n_away, 10)
                    .then(n_hot.min(255), 12)
                    .then(cost, 32)
                    .get();
                let packed = -i32::try_from(n_away).expect("invariant: fewer boxes than squares");
                let cell = (n_pieces << 16) | n_away;
                (PushFeatures { view, packed, n_out: 0, n_hot }, NodeScore { score_key, cell })
            }
            Self::Value { plan, overlap } => {
                let packed = plan.packed(boxes);
                let n_on_goals = boxes.n_shared(&tables.goals) as u64;
                let overlap = overlap.most(boxes);
                let (n_boxes, farthest) = (boxes.len() as u64, tables.farthest);
                let counts = FeatureCounts { n_boxes, n_on_goals, n_pieces, far: far(), farthest, packed, overlap };
                (
                    PushFeatures { view, packed, n_out: 0, n_hot: 0 },
                    NodeScore { score_key: push_score_key(counts), cell: 0 },
                )
            }
            Self::Open(freeze) => {
                let n_hot = n_stuck_by_pushes(tables, boxes, freeze);
                let score_key = ScoreKey::new()
                    .then(n_pieces, 10)
                    .then(n_cut, 10)
                    .then(n_hot.min(255), 12)
                    .then_inverted(far(), 32)
                    .get();
                (PushFeatures { view, packed: 0, n_out: 0, n_hot }, NodeScore { score_key, cell: n_pieces })
            }
        }
    }

    /// Asks the advisors, and sets the weights of the macro moves.
    pub(crate) fn advise(
        &self,
        SharedTables { tables, settings, .. }: &SharedTables<W>,
        boxes: &BitSet<W>,
        (now, own): (PushFeatures, NodeScore),
        candidates: &mut [PushCandidate],
    ) {
        if let Self::Plan { plan, out_of_plan, weights } = self {
            let next = if now.packed >= 0 { plan.next(boxes) } else { None };
            let input = AdvisorInput { tables, now, out_of_plan: out_of_plan.at(now.packed), next };
            advisors::advise(&input, settings.techniques, candidates);
            for PushCandidate { pending, n_advisors, .. } in candidates {
                pending.weight = weights.weight(tables, pending.macro_move, *n_advisors);
            }
            return;
        }
        if matches!(self, Self::Open(_)) {
            let fills = |candidate: &&mut PushCandidate| is_hole(tables, candidate.to());
            candidates.iter_mut().filter(fills).for_each(|candidate| candidate.pending.weight = 0);
        }
        if matches!(self, Self::Value { .. }) || !settings.uses(Technique::AdvisorBetter) {
            return;
        }
        let better = candidates.iter_mut().filter(|candidate| candidate.pending.score_key < own.score_key);
        if let Some(best) = better.min_by_key(|candidate| candidate.pending.score_key) {
            best.pending.weight = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use sokocore::{FloorSquare, Level};
    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;
    use crate::board::SearchDirection;
    use crate::board::level_tables::LevelTables;
    use crate::deadlock::pattern_table::PatternMaker;
    use crate::{Settings, WorkMeter};

    fn shared() -> SharedTables<2> {
        let level = Level::parse("#########\n#   #   #\n# $   . #\n#  $#@. #\n#   #   #\n#########").unwrap();
        let budget = Budget::new(Some(Duration::from_secs(9)), MemoryAccount::new(64 << 20), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let tables = FessTables::within(Arc::new(LevelTables::new(&level).unwrap()), &mut meter).unwrap();
        let maker = |direction| PatternMaker::new(tables.board(), direction, &Settings::default());
        let makers = [maker(SearchDirection::Forward), maker(SearchDirection::Backward)];
        let patterns = makers.map(|maker| Arc::new(maker.finish(tables.board(), &meter)));
        let mut hotspots = crate::fess::features::hotspots::Hotspots::default();
        while !hotspots.is_done(tables.board()) {
            hotspots.grow(tables.board(), &tables.goals);
        }
        SharedTables::new(Arc::new(tables), Arc::new(hotspots), patterns, Settings::default(), &meter)
    }

    /// Each feature by itself makes a position worse.
    #[test]
    fn pieces_cut_links_and_a_missing_box_each_make_a_position_worse() {
        let shared = shared();
        let goals: Vec<FloorSquare> = shared.tables.goals.iter().collect();
        let pull = |&from: &FloorSquare| (crate::fess::macro_move::MacroMove { from, ..Default::default() }, true);
        let plan = PackingPlan::of(&goals.iter().map(pull).collect::<Vec<_>>(), std::iter::empty());
        let mut aim = PushAim::plan(&shared.tables, plan, MoveWeights::Advised);
        let mut score_key = |boxes: &BitSet<2>, view| aim.score(&shared, boxes, view).1.score_key;
        let (starts, view) = (shared.tables.starts, View { n_pieces: 1, ..View::default() });
        let now = score_key(&starts, view);
        assert!(score_key(&starts, View { n_pieces: 2, ..view }) > now);
        assert!(score_key(&starts, View { n_cut: 1, ..view }) > now);
        assert!(score_key(&shared.tables.goals, view) < now);
    }

    /// In the target position no box is away; in others those in place do not count.
    #[test]
    fn a_target_position_is_reached_when_no_box_is_away() {
        let shared = shared();
        let mut aim = PushAim::position(&shared.tables, shared.tables.starts);
        let view = View { n_pieces: 1, ..View::default() };
        let (features, score) = aim.score(&shared, &shared.tables.starts, view);
        let (others, worse) = aim.score(&shared, &shared.tables.goals, view);
        assert_eq!((features.packed, others.packed), (0, -2));
        assert!(score.score_key < worse.score_key);
    }
}
