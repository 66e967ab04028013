//! The advisors of the forward search: each names at most one leap, which then weighs nothing.
//!
//! Packing, connectivity, rooms, hotspots, out of plan, opener, explorer, after Shoham and Schaeffer. All want leaps
//! that keep what is packed; of those that do what they are for they name the one with the best score.

use crate::Advisors;
use crate::board::bit_set::BitSet;

use crate::fess::features::view::View;
use crate::fess::tables::FessTables;
use crate::fess::tree::pending_moves::Edge;

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
    pub(crate) terrain: &'a FessTables<W>,
    pub(crate) advisors: Advisors,
    pub(crate) now: Features,
    /// Where boxes are out of plan.
    pub(crate) zone: BitSet<W>,
    /// The square to be filled next, once the boxes of the start stand where they should.
    pub(crate) next: Option<u16>,
}

impl<const W: usize> Scene<'_, W> {
    /// Asks the advisors.
    pub(crate) fn advise(&self, drafts: &mut [Draft]) {
        let Self { now, advisors, .. } = *self;
        let order = |draft: &Draft| (0, 0, draft.edge.order);
        let packs = |draft: &Draft| draft.features.packed > now.packed;
        let is_packing = drafts.iter().any(packs);
        name(drafts, |draft| advisors.packing && packs(draft), order);
        let keeps = |draft: &Draft| draft.features.packed >= now.packed;
        let joins = |draft: &Draft| draft.features.view.n_pieces < now.view.n_pieces;
        name(drafts, |draft| advisors.connectivity && keeps(draft) && joins(draft), order);
        let links = |draft: &Draft| draft.features.view.n_cut < now.view.n_cut;
        name(drafts, |draft| advisors.rooms && keeps(draft) && links(draft), order);
        name(drafts, |draft| advisors.hotspots && keeps(draft) && draft.features.n_hot < now.n_hot, order);
        let is_tidy = |draft: &Draft| {
            let view = draft.features.view;
            keeps(draft) && view.n_pieces <= now.view.n_pieces && view.n_cut <= now.view.n_cut
        };
        let can_return = |draft: &Draft| self.terrain.can_push(draft.edge.leap.to, draft.edge.leap.from);
        if now.n_out > 0 && advisors.out_of_plan {
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
                |draft| (away(draft.edge.leap.from), u16::MAX - away(draft.edge.leap.to), draft.edge.order),
            );
        }
        if let Some(next) = self.next.filter(|_| !is_packing && advisors.opener) {
            let walk = |sq: u16| self.terrain.walk(next, sq);
            name(
                drafts,
                |draft| is_tidy(draft) && walk(draft.edge.leap.to) >= walk(draft.edge.leap.from),
                |draft| (walk(draft.edge.leap.from), u16::MAX - walk(draft.edge.leap.to), draft.edge.order),
            );
        }
        let opens = |draft: &Draft| keeps(draft) && draft.features.view.is_opening && can_return(draft);
        name(drafts, |draft| advisors.explorer && opens(draft), order);
    }
}

fn name(drafts: &mut [Draft], allows: impl Fn(&Draft) -> bool, key: impl Fn(&Draft) -> (u16, u16, u64)) {
    if let Some(best) = drafts.iter_mut().filter(|draft| allows(draft)).min_by_key(|draft| key(draft)) {
        best.edge.weight = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkMeter;
    use crate::board::level_tables::LevelTables;
    use crate::fess::macro_move::MacroMove;
    use sokocore::Level;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    const NOW: Features =
        Features { view: View { zone: 0, n_pieces: 2, n_cut: 2, is_opening: false }, packed: 1, n_out: 1, n_hot: 2 };

    /// Which of the leaps are named: each is a box on its way from one square to another, with what it does.
    fn named(leaps: &[(MacroMove, Features)], zone: &[u16], next: Option<u16>) -> Vec<usize> {
        let level = Level::parse("#########\n#   #   #\n# $   . #\n#  $#@. #\n#   #   #\n#########").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut effort = WorkMeter::new(budget, Cancel::default());
        let terrain = FessTables::<1>::within(LevelTables::new(&level).unwrap(), &mut effort).unwrap();
        let mut out = BitSet::default();
        zone.iter().for_each(|&sq| out.insert(sq));
        let draft = |(order, &(leap, features)): (u64, &(MacroMove, Features))| Draft {
            edge: Edge { leap, order, weight: 1, ..Edge::default() },
            features,
        };
        let mut drafts: Vec<Draft> = (0..).zip(leaps).map(draft).collect();
        Scene { terrain: &terrain, advisors: Advisors::default(), now: NOW, zone: out, next }.advise(&mut drafts);
        (0..drafts.len()).filter(|&at| drafts[at].edge.weight == 0).collect()
    }

    const STAYS: MacroMove = MacroMove { from: 0, to: 0, player: 0 };

    #[test]
    fn without_a_gain_nothing_is_named() {
        let dull = Features { n_out: 2, ..NOW };
        assert!(named(&[(STAYS, dull), (STAYS, Features { packed: 0, ..NOW })], &[], None).is_empty());
    }

    #[test]
    fn packing_names_the_best_of_those_that_pack() {
        let packs = Features { packed: 2, view: View { n_pieces: 3, n_cut: 3, ..NOW.view }, n_hot: 3, ..NOW };
        assert_eq!(named(&[(STAYS, NOW), (STAYS, packs), (STAYS, packs)], &[], None), [1]);
    }

    #[test]
    fn connectivity_rooms_and_hotspots_each_name_a_leap_that_keeps_what_is_packed() {
        let joins = Features { view: View { n_pieces: 1, n_cut: 9, ..NOW.view }, ..NOW };
        let links = Features { view: View { n_pieces: 9, n_cut: 1, ..NOW.view }, ..NOW };
        let frees = Features { view: View { n_pieces: 9, n_cut: 9, ..NOW.view }, n_hot: 1, ..NOW };
        let unpacks = Features { packed: 0, view: View { n_pieces: 1, n_cut: 1, ..NOW.view }, n_hot: 0, ..NOW };
        assert_eq!(named(&[(STAYS, unpacks), (STAYS, joins)], &[], None), [1]);
        assert_eq!(named(&[(STAYS, unpacks), (STAYS, links)], &[], None), [1]);
        assert_eq!(named(&[(STAYS, unpacks), (STAYS, frees)], &[], None), [1]);
    }

    #[test]
    fn the_explorer_names_a_leap_that_opens_something() {
        let opens = Features { view: View { is_opening: true, n_pieces: 9, ..NOW.view }, ..NOW };
        assert_eq!(named(&[(STAYS, NOW), (STAYS, opens)], &[], None), [1]);
    }

    #[test]
    fn out_of_plan_takes_a_box_away_from_the_zone() {
        let (from, near) = (0, 1);
        let away = MacroMove { from, to: near, player: 0 };
        let toward = MacroMove { from: near, to: from, player: 0 };
        assert_eq!(named(&[(toward, NOW), (away, NOW)], &[from], None), [1]);
    }

    #[test]
    fn the_opener_clears_the_next_square_of_the_plan() {
        let away = MacroMove { from: 1, to: 3, player: 0 };
        let toward = MacroMove { from: 3, to: 1, player: 0 };
        let worse = Features { n_out: 2, ..NOW };
        assert_eq!(named(&[(toward, worse), (away, worse)], &[], Some(0)), [1]);
    }
}
