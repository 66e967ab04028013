//! What a search by pulls is after: how it rates positions, and which pulls its advisors name.
//!
//! Scores: less is better; the parts of an order stand side by side in one number, the most important first.

use crate::Advisors;
use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};

use super::variant::{Far, Packing};
use crate::bound::assignment::Assignment;
use crate::fess::features::bridges::Bridges;
use crate::fess::features::view::{FeatureMask, View};
use crate::fess::features::worth::{Counts, by_pulls};
use crate::fess::macro_move::MacroMove;
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::nodes::{Node, Score};
use crate::fess::tree::pending_moves::Edge;

/// A leap on trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    pub(crate) edge: Edge,
    pub(crate) view: View,
    pub(crate) far: u64,
}

/// An aim of pulls.
#[derive(Debug)]
pub(crate) enum PullAim<const W: usize> {
    /// Boxes off the board, for a plan.
    Sink(Packing),
    /// An open position with the boxes far from the goals.
    Open { matched: Option<Assignment<W>>, rings: Option<Bridges> },
    /// This position, found by pushes.
    Board { board: BitSet<W>, to_board: Assignment<W> },
    /// The start.
    Near(Assignment<W>),
    /// A position of much worth.
    Worth,
}

impl<const W: usize> PullAim<W> {
    /// Aims at an open position.
    pub(crate) fn open(terrain: &FessTables<W>, far: Far, ring: bool) -> Self {
        let matched = (far == Far::Matched).then(|| Assignment::new(terrain, &terrain.goals, SearchDirection::Forward));
        Self::Open { matched, rings: ring.then(Bridges::default) }
    }

    /// Aims at this position.
    pub(crate) fn board(terrain: &FessTables<W>, board: BitSet<W>) -> Self {
        Self::Board { board, to_board: Assignment::new(terrain, &board, SearchDirection::Backward) }
    }

    /// Aims at the start.
    pub(crate) fn near(terrain: &FessTables<W>) -> Self {
        Self::Near(Assignment::new(terrain, &terrain.starts, SearchDirection::Backward))
    }

    /// Returns whether the leaps are to be chosen down a tree of values.
    pub(crate) const fn is_worth(&self) -> bool {
        matches!(self, Self::Worth)
    }

    /// Returns what it wants to be looked at.
    pub(crate) const fn looks(&self) -> FeatureMask {
        match self {
            Self::Sink(_) => FeatureMask { links: true, openings: true },
            Self::Open { .. } => FeatureMask { links: true, openings: false },
            Self::Board { .. } | Self::Near(_) | Self::Worth => FeatureMask { links: false, openings: false },
        }
    }

    /// Gets ready to rate a position, and what macro moves make of it.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        match self {
            Self::Open { matched: Some(to_goals), .. } => to_goals.begin(boxes),
            Self::Board { to_board, .. } => to_board.begin(boxes),
            Self::Near(home) => home.begin(boxes),
            Self::Sink(_) | Self::Open { .. } | Self::Worth => {}
        }
    }

    /// Returns how boxes leave the board, if they do.
    pub(crate) const fn packing(&self) -> Option<Packing> {
        match self {
            Self::Sink(packing) => Some(*packing),
            _ => None,
        }
    }

    /// Rates a position that was just looked at; returns how far the boxes are from the goals, too.
    pub(crate) fn rate(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>, player: u16, view: View) -> (Score, u64) {
        let (n_pieces, n_cut) = (view.n_pieces.min(255), view.n_cut.min(1023));
        let sum = || boxes.iter().map(|sq| u64::from(terrain.far[usize::from(sq)])).sum::<u64>();
        match self {
            Self::Sink(_) => {
                let n_home = boxes.n_shared(&terrain.goals) as u64;
                let (n_left, far) = (boxes.len() as u64, sum());
                let order = (n_left << 52) | (n_pieces << 44) | (n_home << 34) | (n_cut << 22) | inverted(far, 22);
                (Score { order, cell: (n_left << 40) | (n_home << 28) | (n_pieces << 20) | n_cut }, far)
            }
            Self::Open { matched, rings } => {
                let far = matched.as_mut().map_or_else(sum, |matched| matched.cost(boxes));
                let ground = terrain.ground();
                let is_one = n_pieces == 1;
                let n_stuck = if is_one { n_stuck(ground, boxes) } else { 0 };
                let spares = |sq| terrain.goals.has(sq);
                let n_off = match rings {
                    Some(rings) if is_one => rings.off(ground, boxes, player, spares),
                    _ => 0,
                };
                let order = (n_pieces << 54)
                    | (n_cut << 44)
                    | (n_stuck.min(255) << 36)
                    | (n_off.min(1023) << 26)
                    | inverted(far, 26);
                (Score { order, cell: (n_pieces << 20) | n_cut }, far)
            }
            Self::Board { board, to_board } => {
                let cost = to_board.cost(boxes);
                let n_away = boxes.without(board).len() as u64;
                let far = if n_pieces > 1 { sum() } else { 0 };
                let by_goals = if n_pieces > 1 { inverted(far, 20) } else { 0 };
                let is_never = u64::from(cost == Assignment::<W>::NEVER);
                let order = (is_never << 62) | (n_pieces << 54) | (by_goals << 30) | (n_away << 20) | cost;
                (Score { order, cell: (n_away << 20) | n_pieces }, far)
            }
            Self::Worth => {
                let n_home = boxes.n_shared(&terrain.goals) as u64;
                let far = boxes.iter().map(|sq| u64::from(terrain.yard.nearest(sq).min(200))).sum();
                let order = by_pulls(Counts {
                    n_boxes: boxes.len() as u64,
                    n_home,
                    n_pieces,
                    far,
                    farthest: terrain.farthest,
                    ..Counts::default()
                });
                (Score { order, cell: 0 }, far)
            }
            Self::Near(home) => {
                let n_away = boxes.without(&terrain.starts).len() as u64;
                let cost = home.cost(boxes);
                (Score { order: (cost << 20) | n_away, cell: 0 }, cost)
            }
        }
    }

    /// Gives weight 0 to the pulls that the advisors name.
    pub(crate) fn advise(&self, commons: &SharedTables<W>, own: Score, now: View, far: u64, drafts: &mut [Draft]) {
        let (terrain, advisors) = (&commons.terrain, commons.settings.advisors);
        match self {
            Self::Sink(_) => advise_packing(terrain, advisors, (now, far), drafts),
            Self::Near(_) | Self::Worth => drafts.iter_mut().for_each(|draft| draft.edge.weight = 0),
            Self::Open { .. } | Self::Board { .. } if !advisors.better => {}
            Self::Open { .. } | Self::Board { .. } => {
                let better = drafts
                    .iter_mut()
                    .filter(|draft| draft.edge.order < own.order && !is_hole(terrain, draft.edge.leap.from));
                if let Some(best) = better.min_by_key(|draft| draft.edge.order) {
                    best.edge.weight = 0;
                }
            }
        }
    }
}

/// The lowest bits of an order: much is good.
pub(crate) const fn inverted(far: u64, bits: u64) -> u64 {
    let most = (1 << bits) - 1;
    most - if far < most { far } else { most }
}

/// Boxes that no pull can move, wherever the player is.
fn n_stuck<const W: usize>(ground: &SearchBoard, boxes: &BitSet<W>) -> u64 {
    let free = |sq: u16| sq != ground.wall() && !boxes.has(sq);
    let can_go = |sq: u16, side: usize| {
        let stand = ground.step(sq, side);
        free(stand) && ground.is_live(stand) && free(ground.step(stand, side))
    };
    boxes.iter().filter(|&sq| !(0..4).any(|side| can_go(sq, side))).count() as u64
}

/// Whether the square is a goal with three walls.
pub(crate) fn is_hole<const W: usize>(terrain: &FessTables<W>, sq: u16) -> bool {
    let wall = terrain.ground().wall();
    terrain.goals.has(sq) && terrain.ground().steps(sq).into_iter().filter(|&next| next == wall).count() == 3
}

/// Which sink move first: a box that is nowhere in particular, not out of a hole, leaving few pieces, from far.
pub(crate) fn sink_key<const W: usize>(
    terrain: &FessTables<W>,
    node: &Node<W>,
    draft: &Draft,
    packing: Packing,
) -> (bool, bool, u64, u64, u16) {
    let MacroMove { from, to, .. } = draft.edge.leap;
    let is_floating = !terrain.goals.has(from) && !node.bases.has(from);
    let dice = if packing.dice == 0 { 0 } else { (draft.edge.hash ^ packing.dice).wrapping_mul(packing.dice) >> 40 };
    (!is_floating, is_hole(terrain, from), draft.view.n_pieces, dice, u16::MAX - terrain.walk(from, to))
}

fn advise_packing<const W: usize>(
    terrain: &FessTables<W>,
    advisors: Advisors,
    (now, far): (View, u64),
    drafts: &mut [Draft],
) {
    let mut name = |allows: &dyn Fn(&Draft) -> bool, key: &dyn Fn(&Draft) -> (bool, u64, u64, u64)| {
        if let Some(best) = drafts.iter_mut().filter(|draft| allows(draft)).min_by_key(|draft| key(draft)) {
            best.edge.weight = 0;
        }
    };
    let by_score = |draft: &Draft| (false, 0, 0, draft.edge.order);
    name(
        &|draft| {
            let view = draft.view;
            advisors.packing
                && terrain.goals.has(draft.edge.leap.from)
                && view.n_pieces <= now.n_pieces
                && view.n_cut <= now.n_cut
                && draft.far > far
        },
        &|draft| {
            let MacroMove { from, to, .. } = draft.edge.leap;
            let pushes = terrain.pushes.row(to)[usize::from(from)];
            (is_hole(terrain, from), draft.view.n_pieces, draft.view.n_cut, u64::from(u16::MAX - pushes))
        },
    );
    name(&|draft| advisors.connectivity && draft.view.n_pieces < now.n_pieces, &by_score);
    name(&|draft| advisors.rooms && draft.view.n_cut < now.n_cut, &by_score);
    name(&|draft| advisors.explorer && draft.view.is_opening, &by_score);
}
