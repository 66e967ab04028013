//! The aims of a search by pulls: how positions are scored, and which pulls its advisors select.
//!
//! Each aim lists its features in the order of their importance, see [`ScoreKey`]; less is better.

use sokocore::FloorSquare;

use crate::Technique;
use crate::board::SearchDirection;
use crate::board::bit_set::BitSet;
use crate::technique::TechniqueSet;

use super::variant::{GoalDistance, SinkRules};
use crate::bound::assignment::Assignment;
use crate::fess::features::bridges::Bridges;
use crate::fess::features::evaluation::{FeatureCounts, pull_score_key};
use crate::fess::features::goal_distance::{to_all_goals, to_nearest_goals_limited};
use crate::fess::features::holes::is_hole;
use crate::fess::features::score_key::{ScoreKey, inverted};
use crate::fess::features::stuck::n_stuck_by_pulls;
use crate::fess::features::view::{FeatureMask, View};
use crate::fess::macro_move::MacroMove;
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::CellRule;
use crate::fess::tree::fess_tree::MoveSelection;
use crate::fess::tree::nodes::{FessNode, NodeScore};
use crate::fess::tree::pending_moves::PendingMove;

/// Features of a position in a search by pulls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PullFeatures {
    pub(crate) view: View,
    /// The distance of the boxes from the goals.
    pub(crate) distance: u64,
}

/// A macro move that may be added to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PullCandidate {
    pub(crate) pending: PendingMove,
    pub(crate) features: PullFeatures,
}

impl PullCandidate {
    /// Returns the square that the box leaves.
    pub(crate) const fn from(&self) -> FloorSquare {
        self.pending.macro_move.from
    }
}

/// An aim of pulls.
#[derive(Debug)]
pub(crate) enum PullAim<const W: usize> {
    /// Boxes off the board, for a plan.
    Sink(SinkRules),
    /// An open position with the boxes far from the goals.
    Open { matched: Option<Assignment<W>>, rings: Option<Bridges> },
    /// This position, found by pushes.
    Position { target: BitSet<W>, to_target: Assignment<W> },
    /// The start.
    Near(Assignment<W>),
    /// A position of great value.
    Value,
}

impl<const W: usize> PullAim<W> {
    /// Aims at an open position.
    pub(crate) fn open(tables: &FessTables<W>, measure: GoalDistance, ring: bool) -> Self {
        let matched = (measure == GoalDistance::Matched)
            .then(|| Assignment::new(tables.board(), &tables.goals, SearchDirection::Forward));
        Self::Open { matched, rings: ring.then(Bridges::default) }
    }

    /// Aims at this position.
    pub(crate) fn position(tables: &FessTables<W>, target: BitSet<W>) -> Self {
        Self::Position { target, to_target: Assignment::new(tables.board(), &target, SearchDirection::Backward) }
    }

    /// Aims at the start.
    pub(crate) fn near(tables: &FessTables<W>) -> Self {
        Self::Near(Assignment::new(tables.board(), &tables.starts, SearchDirection::Backward))
    }

    /// Returns the rule that selects the next macro move, by cells of this rule unless the aim has a value tree.
    pub(crate) const fn selection(&self, cells: CellRule) -> MoveSelection {
        if matches!(self, Self::Value) { MoveSelection::ValueTree } else { MoveSelection::Cells(cells) }
    }

    /// Returns the features that the score needs.
    pub(crate) const fn feature_mask(&self) -> FeatureMask {
        match self {
            Self::Sink(_) => FeatureMask { links: true, openings: true },
            Self::Open { .. } => FeatureMask { links: true, openings: false },
            Self::Position { .. } | Self::Near(_) | Self::Value => FeatureMask { links: false, openings: false },
        }
    }

    /// Prepares the score of a position and of its successors.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        match self {
            Self::Open { matched: Some(to_goals), .. } => to_goals.begin(boxes),
            Self::Position { to_target, .. } => to_target.begin(boxes),
            Self::Near(home) => home.begin(boxes),
            Self::Sink(_) | Self::Open { .. } | Self::Value => {}
        }
    }

    /// Returns how boxes leave the board, if they do.
    pub(crate) const fn sink_rules(&self) -> Option<SinkRules> {
        match self {
            Self::Sink(rules) => Some(*rules),
            _ => None,
        }
    }

    /// Scores a position that was just viewed.
    pub(crate) fn score(
        &mut self,
        tables: &FessTables<W>,
        boxes: &BitSet<W>,
        player: FloorSquare,
        view: View,
    ) -> (PullFeatures, NodeScore) {
        let (n_pieces, n_cut) = (view.n_pieces.min(255), view.n_cut.min(1023));
        let sum = || to_all_goals(tables, boxes);
        let (score, distance) = match self {
            Self::Sink(_) => {
                let n_on_goals = boxes.n_shared(&tables.goals) as u64;
                let (n_left, distance) = (boxes.len() as u64, sum());
                let score_key = ScoreKey::new()
                    .then(n_left, 12)
                    .then(n_pieces, 8)
                    .then(n_on_goals, 10)
                    .then(n_cut, 12)
                    .then_inverted(distance, 22)
                    .get();
                (
                    NodeScore { score_key, cell: (n_left << 40) | (n_on_goals << 28) | (n_pieces << 20) | n_cut },
                    distance,
                )
            }
            Self::Open { matched, rings } => {
                let distance = matched.as_mut().map_or_else(sum, |matched| matched.cost(boxes));
                let board = tables.board();
                let is_one = n_pieces == 1;
                let n_stuck = if is_one { n_stuck_by_pulls(board, boxes) } else { 0 };
                let spares = |sq| tables.goals.has(sq);
                let n_off = match rings {
                    Some(rings) if is_one => rings.off(board, boxes, player, spares),
                    _ => 0,
                };
                let score_key = ScoreKey::new()
                    .then(n_pieces, 10)
                    .then(n_cut, 10)
                    .then(n_stuck, 8)
                    .then(n_off, 10)
                    .then_inverted(distance, 26)
                    .get();
                (NodeScore { score_key, cell: (n_pieces << 20) | n_cut }, distance)
            }
            Self::Position { target, to_target } => {
                let cost = to_target.cost(boxes);
                let n_away = boxes.without(target).len() as u64;
                let distance = if n_pieces > 1 { sum() } else { 0 };
                let by_goals = if n_pieces > 1 { inverted(distance, 20) } else { 0 };
                let is_never = u64::from(cost == Assignment::<W>::NEVER);
                let score_key = ScoreKey::new()
                    .then(is_never, 2)
                    .then(n_pieces, 8)
                    .then(by_goals, 24)
                    .then(n_away, 10)
                    .then(cost, 20)
                    .get();
                (NodeScore { score_key, cell: (n_away << 20) | n_pieces }, distance)
            }
            Self::Value => {
                let n_on_goals = boxes.n_shared(&tables.goals) as u64;
                let distance = to_nearest_goals_limited(tables, boxes);
                let score_key = pull_score_key(FeatureCounts {
                    n_boxes: boxes.len() as u64,
                    n_on_goals,
                    n_pieces,
                    far: distance,
                    farthest: tables.farthest,
                    ..FeatureCounts::default()
                });
                (NodeScore { score_key, cell: 0 }, distance)
            }
            Self::Near(home) => {
                let n_away = boxes.without(&tables.starts).len() as u64;
                let cost = home.cost(boxes);
                let score_key = ScoreKey::new().then(cost, 44).then(n_away, 20).get();
                (NodeScore { score_key, cell: 0 }, cost)
            }
        };
        (PullFeatures { view, distance }, score)
    }

    /// Sets the weight of the pulls that the advisors select to 0.
    pub(crate) fn advise(
        &self,
        shared: &SharedTables<W>,
        (now, own): (PullFeatures, NodeScore),
        candidates: &mut [PullCandidate],
    ) {
        let (tables, techniques) = (&shared.tables, shared.settings.techniques);
        match self {
            Self::Sink(_) => advise_packing(tables, techniques, now, candidates),
            Self::Near(_) | Self::Value => candidates.iter_mut().for_each(|candidate| candidate.pending.weight = 0),
            Self::Open { .. } | Self::Position { .. } if !techniques.contains(Technique::AdvisorBetter) => {}
            Self::Open { .. } | Self::Position { .. } => {
                let better = candidates.iter_mut().filter(|candidate| {
                    candidate.pending.score_key < own.score_key && !is_hole(tables, candidate.from())
                });
                if let Some(best) = better.min_by_key(|candidate| candidate.pending.score_key) {
                    best.pending.weight = 0;
                }
            }
        }
    }
}

/// Returns which sink move comes first: of a box neither on a goal nor on a start square, not out of a hole, leaving
/// few pieces, over a long way.
pub(crate) fn sink_key<const W: usize>(
    tables: &FessTables<W>,
    node: &FessNode<W>,
    candidate: &PullCandidate,
    sink_rules: SinkRules,
) -> (bool, bool, u64, u64, u16) {
    let MacroMove { from, to, .. } = candidate.pending.macro_move;
    let is_floating = !tables.goals.has(from) && !node.open_starts.has(from);
    let seed = sink_rules.shuffle_seed;
    let rank = if seed == 0 { 0 } else { (candidate.pending.hash ^ seed).wrapping_mul(seed) >> 40 };
    (!is_floating, is_hole(tables, from), candidate.features.view.n_pieces, rank, u16::MAX - tables.walk(from, to))
}

fn advise_packing<const W: usize>(
    tables: &FessTables<W>,
    techniques: TechniqueSet,
    now: PullFeatures,
    candidates: &mut [PullCandidate],
) {
    let mut select = |allows: &dyn Fn(&PullCandidate) -> bool,
                      key: &dyn Fn(&PullCandidate) -> (bool, u64, u64, u64)| {
        if let Some(best) =
            candidates.iter_mut().filter(|candidate| allows(candidate)).min_by_key(|candidate| key(candidate))
        {
            best.pending.weight = 0;
        }
    };
    let by_score = |candidate: &PullCandidate| (false, 0, 0, candidate.pending.score_key);
    select(
        &|candidate| {
            let view = candidate.features.view;
            techniques.contains(Technique::AdvisorPacking)
                && tables.goals.has(candidate.from())
                && view.n_pieces <= now.view.n_pieces
                && view.n_cut <= now.view.n_cut
                && candidate.features.distance > now.distance
        },
        &|candidate| {
            let MacroMove { from, to, .. } = candidate.pending.macro_move;
            let pushes = tables.pushes.row(to)[from.idx()];
            (
                is_hole(tables, from),
                candidate.features.view.n_pieces,
                candidate.features.view.n_cut,
                u64::from(u16::MAX - pushes),
            )
        },
    );
    select(
        &|candidate| {
            techniques.contains(Technique::AdvisorConnectivity) && candidate.features.view.n_pieces < now.view.n_pieces
        },
        &by_score,
    );
    select(
        &|candidate| techniques.contains(Technique::AdvisorRooms) && candidate.features.view.n_cut < now.view.n_cut,
        &by_score,
    );
    select(
        &|candidate| techniques.contains(Technique::AdvisorExplorer) && candidate.features.view.is_opening,
        &by_score,
    );
}
