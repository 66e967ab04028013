//! The advisors of the search by pushes: each selects at most one macro move, which then weighs nothing.
//!
//! Packing, connectivity, rooms, hotspots, out of plan, opener, explorer, after Shoham and Schaeffer. An advisor admits
//! the macro moves that keep what is packed and serve its purpose, and selects the one with the best score.

use crate::Advisors;
use crate::board::bit_set::BitSet;

use crate::fess::features::view::View;
use crate::fess::tables::FessTables;
use crate::fess::tree::pending_moves::PendingMove;

/// Features of a position in a search by pushes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PushFeatures {
    pub(crate) view: View,
    pub(crate) packed: i32,
    pub(crate) n_out: u64,
    pub(crate) n_hot: u64,
}

/// A macro move that may be added to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushCandidate {
    pub(crate) pending: PendingMove,
    pub(crate) features: PushFeatures,
}

impl PushCandidate {
    /// Returns the square that the box leaves.
    pub(crate) const fn from(&self) -> u16 {
        self.pending.macro_move.from
    }

    /// Returns the square that the box moves to.
    pub(crate) const fn to(&self) -> u16 {
        self.pending.macro_move.to
    }
}

/// What the advisors read besides the macro moves.
#[derive(Debug)]
pub(crate) struct AdvisorInput<'a, const W: usize> {
    pub(crate) tables: &'a FessTables<W>,
    pub(crate) advisors: Advisors,
    pub(crate) now: PushFeatures,
    /// The squares where a box is out of plan.
    pub(crate) out_of_plan: BitSet<W>,
    /// The square to be filled next, once the boxes of the start are in place.
    pub(crate) next: Option<u16>,
}

impl<const W: usize> AdvisorInput<'_, W> {
    /// Sets the weight of the selected macro moves to 0.
    pub(crate) fn advise(&self, candidates: &mut [PushCandidate]) {
        let Self { now, advisors, .. } = *self;
        let score_key = |candidate: &PushCandidate| (0, 0, candidate.pending.score_key);
        let packs = |candidate: &PushCandidate| candidate.features.packed > now.packed;
        let is_packing = candidates.iter().any(packs);
        select(candidates, |candidate| advisors.packing && packs(candidate), score_key);
        let keeps = |candidate: &PushCandidate| candidate.features.packed >= now.packed;
        let joins = |candidate: &PushCandidate| candidate.features.view.n_pieces < now.view.n_pieces;
        select(candidates, |candidate| advisors.connectivity && keeps(candidate) && joins(candidate), score_key);
        let links = |candidate: &PushCandidate| candidate.features.view.n_cut < now.view.n_cut;
        select(candidates, |candidate| advisors.rooms && keeps(candidate) && links(candidate), score_key);
        select(
            candidates,
            |candidate| advisors.hotspots && keeps(candidate) && candidate.features.n_hot < now.n_hot,
            score_key,
        );
        let is_tidy = |candidate: &PushCandidate| {
            let view = candidate.features.view;
            keeps(candidate) && view.n_pieces <= now.view.n_pieces && view.n_cut <= now.view.n_cut
        };
        let can_return = |candidate: &PushCandidate| self.tables.can_push(candidate.to(), candidate.from());
        if now.n_out > 0 && advisors.out_of_plan {
            let away = |sq: u16| self.out_of_plan.iter().map(|out| self.tables.walk(out, sq)).min().unwrap_or(0);
            select(
                candidates,
                |candidate| {
                    is_tidy(candidate)
                        && candidate.features.n_out <= now.n_out
                        && can_return(candidate)
                        && away(candidate.to()) > away(candidate.from())
                },
                |candidate| (away(candidate.from()), u16::MAX - away(candidate.to()), candidate.pending.score_key),
            );
        }
        if let Some(next) = self.next.filter(|_| !is_packing && advisors.opener) {
            let walk = |sq: u16| self.tables.walk(next, sq);
            select(
                candidates,
                |candidate| is_tidy(candidate) && walk(candidate.to()) >= walk(candidate.from()),
                |candidate| (walk(candidate.from()), u16::MAX - walk(candidate.to()), candidate.pending.score_key),
            );
        }
        let opens =
            |candidate: &PushCandidate| keeps(candidate) && candidate.features.view.is_opening && can_return(candidate);
        select(candidates, |candidate| advisors.explorer && opens(candidate), score_key);
    }
}

fn select(
    candidates: &mut [PushCandidate],
    allows: impl Fn(&PushCandidate) -> bool,
    key: impl Fn(&PushCandidate) -> (u16, u16, u64),
) {
    if let Some(best) =
        candidates.iter_mut().filter(|candidate| allows(candidate)).min_by_key(|candidate| key(candidate))
    {
        best.pending.weight = 0;
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

    const NOW: PushFeatures = PushFeatures {
        view: View { zone: 0, n_pieces: 2, n_cut: 2, is_opening: false },
        packed: 1,
        n_out: 1,
        n_hot: 2,
    };

    /// Returns which of the macro moves are selected; each comes with the features of the position that it leads to.
    fn selected(macro_moves: &[(MacroMove, PushFeatures)], zone: &[u16], next: Option<u16>) -> Vec<usize> {
        let level = Level::parse("#########\n#   #   #\n# $   . #\n#  $#@. #\n#   #   #\n#########").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let tables = FessTables::<1>::within(LevelTables::new(&level).unwrap(), &mut meter).unwrap();
        let mut out = BitSet::default();
        zone.iter().for_each(|&sq| out.insert(sq));
        let candidate = |(score_key, &(macro_move, features)): (u64, &(MacroMove, PushFeatures))| PushCandidate {
            pending: PendingMove { macro_move, score_key, weight: 1, ..PendingMove::default() },
            features,
        };
        let mut candidates: Vec<PushCandidate> = (0..).zip(macro_moves).map(candidate).collect();
        AdvisorInput { tables: &tables, advisors: Advisors::default(), now: NOW, out_of_plan: out, next }
            .advise(&mut candidates);
        (0..candidates.len()).filter(|&at| candidates[at].pending.weight == 0).collect()
    }

    const STAYS: MacroMove = MacroMove { from: 0, to: 0, player: 0 };

    #[test]
    fn without_a_gain_nothing_is_selected() {
        let dull = PushFeatures { n_out: 2, ..NOW };
        assert!(selected(&[(STAYS, dull), (STAYS, PushFeatures { packed: 0, ..NOW })], &[], None).is_empty());
    }

    #[test]
    fn packing_selects_the_best_of_those_that_pack() {
        let packs = PushFeatures { packed: 2, view: View { n_pieces: 3, n_cut: 3, ..NOW.view }, n_hot: 3, ..NOW };
        assert_eq!(selected(&[(STAYS, NOW), (STAYS, packs), (STAYS, packs)], &[], None), [1]);
    }

    #[test]
    fn connectivity_rooms_and_hotspots_each_select_a_move_that_keeps_what_is_packed() {
        let joins = PushFeatures { view: View { n_pieces: 1, n_cut: 9, ..NOW.view }, ..NOW };
        let links = PushFeatures { view: View { n_pieces: 9, n_cut: 1, ..NOW.view }, ..NOW };
        let frees = PushFeatures { view: View { n_pieces: 9, n_cut: 9, ..NOW.view }, n_hot: 1, ..NOW };
        let unpacks = PushFeatures { packed: 0, view: View { n_pieces: 1, n_cut: 1, ..NOW.view }, n_hot: 0, ..NOW };
        assert_eq!(selected(&[(STAYS, unpacks), (STAYS, joins)], &[], None), [1]);
        assert_eq!(selected(&[(STAYS, unpacks), (STAYS, links)], &[], None), [1]);
        assert_eq!(selected(&[(STAYS, unpacks), (STAYS, frees)], &[], None), [1]);
    }

    #[test]
    fn the_explorer_selects_a_move_that_opens_something() {
        let opens = PushFeatures { view: View { is_opening: true, n_pieces: 9, ..NOW.view }, ..NOW };
        assert_eq!(selected(&[(STAYS, NOW), (STAYS, opens)], &[], None), [1]);
    }

    #[test]
    fn out_of_plan_takes_a_box_away() {
        let (from, near) = (0, 1);
        let away = MacroMove { from, to: near, player: 0 };
        let toward = MacroMove { from: near, to: from, player: 0 };
        assert_eq!(selected(&[(toward, NOW), (away, NOW)], &[from], None), [1]);
    }

    #[test]
    fn the_opener_clears_the_next_square_of_the_plan() {
        let away = MacroMove { from: 1, to: 3, player: 0 };
        let toward = MacroMove { from: 3, to: 1, player: 0 };
        let worse = PushFeatures { n_out: 2, ..NOW };
        assert_eq!(selected(&[(toward, worse), (away, worse)], &[], Some(0)), [1]);
    }
}
