//! The advisors of the forward search: each names at most one leap, which then weighs nothing.
//!
//! Packing, connectivity, rooms, hotspots, out of plan, opener, explorer, after Shoham and Schaeffer. All want leaps
//! that keep what is packed; of those that do what they are for they name the one with the best score.

use crate::bits::Bits;

use super::forest::Edge;
use super::terrain::Terrain;
use super::view::View;

/// Features of a position on the way forward.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    pub(crate) view: View,
    pub(crate) packed: i32,
    pub(crate) n_out: u64,
    pub(crate) n_hot: u64,
}

/// A leap on trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    pub(crate) edge: Edge,
    pub(crate) features: Features,
}

/// What the advisors look at besides the leaps.
#[derive(Debug)]
pub(crate) struct Scene<'a, const W: usize> {
    pub(crate) terrain: &'a Terrain<W>,
    pub(crate) now: Features,
    /// Where boxes are out of plan.
    pub(crate) zone: Bits<W>,
    /// The square to be filled next, once the boxes of the start stand where they should.
    pub(crate) next: Option<u16>,
}

impl<const W: usize> Scene<'_, W> {
    /// Asks all advisors.
    pub(crate) fn advise(&self, drafts: &mut [Draft]) {
        let now = self.now;
        let order = |draft: &Draft| (0, 0, draft.edge.score.order);
        let packs = |draft: &Draft| draft.features.packed > now.packed;
        let is_packing = drafts.iter().any(packs);
        name(drafts, packs, order);
        let keeps = |draft: &Draft| draft.features.packed >= now.packed;
        name(drafts, |draft| keeps(draft) && draft.features.view.n_pieces < now.view.n_pieces, order);
        name(drafts, |draft| keeps(draft) && draft.features.view.n_cut < now.view.n_cut, order);
        name(drafts, |draft| keeps(draft) && draft.features.n_hot < now.n_hot, order);
        let is_tidy = |draft: &Draft| {
            let view = draft.features.view;
            keeps(draft) && view.n_pieces <= now.view.n_pieces && view.n_cut <= now.view.n_cut
        };
        let can_return = |draft: &Draft| self.terrain.can_push(draft.edge.leap.to, draft.edge.leap.from);
        if now.n_out > 0 {
            let away = |sq: u16| self.zone.iter().map(|out| self.terrain.walk(out, sq)).min().unwrap_or(0);
            name(
                drafts,
                |draft| {
                    let leap = draft.edge.leap;
                    is_tidy(draft)
                        && draft.features.n_out <= now.n_out
                        && can_return(draft)
                        && away(leap.to) > away(leap.from)
                },
                |draft| (away(draft.edge.leap.from), u16::MAX - away(draft.edge.leap.to), draft.edge.score.order),
            );
        }
        if let Some(next) = self.next.filter(|_| !is_packing) {
            let walk = |sq: u16| self.terrain.walk(next, sq);
            name(
                drafts,
                |draft| is_tidy(draft) && walk(draft.edge.leap.to) >= walk(draft.edge.leap.from),
                |draft| (walk(draft.edge.leap.from), u16::MAX - walk(draft.edge.leap.to), draft.edge.score.order),
            );
        }
        name(drafts, |draft| keeps(draft) && draft.features.view.is_opening && can_return(draft), order);
    }
}

fn name(drafts: &mut [Draft], allows: impl Fn(&Draft) -> bool, key: impl Fn(&Draft) -> (u16, u16, u64)) {
    if let Some(best) = drafts.iter_mut().filter(|draft| allows(draft)).min_by_key(|draft| key(draft)) {
        best.edge.weight = 0;
    }
}
