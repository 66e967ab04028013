//! The advisors of the search by pushes: each selects at most one macro move, which then weighs less.
//!
//! Packing, connectivity, rooms, hotspots, out of plan, opener, explorer, after Shoham and Schaeffer. An advisor admits
//! the macro moves that keep what is packed and serve its purpose, and selects the one with the best score.
//!
//! A new advisor is a function here, a line in [`all`], and a line in the table of techniques ([`crate::Technique`]).

use sokocore::FloorSquare;

use crate::Technique;
use crate::board::bit_set::BitSet;
use crate::technique::TechniqueSet;

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
    /// Advisors that select it.
    pub(crate) n_advisors: u8,
}

impl PushCandidate {
    /// Returns the square that the box leaves.
    pub(crate) const fn from(&self) -> FloorSquare {
        self.pending.macro_move.from
    }

    /// Returns the square that the box moves to.
    pub(crate) const fn to(&self) -> FloorSquare {
        self.pending.macro_move.to
    }
}

/// What the advisors read besides the macro moves.
#[derive(Debug)]
pub(crate) struct AdvisorInput<'a, const W: usize> {
    pub(crate) tables: &'a FessTables<W>,
    pub(crate) now: PushFeatures,
    /// The squares where a box is out of plan.
    pub(crate) out_of_plan: BitSet<W>,
    /// The square to be filled next, once the boxes of the start are in place.
    pub(crate) next: Option<FloorSquare>,
}

/// Selects at most one of the macro moves.
type Advisor<const W: usize> = fn(&AdvisorInput<'_, W>, &mut [PushCandidate]);

/// Returns all advisors with the techniques that switch them on.
const fn all<const W: usize>() -> [(Technique, Advisor<W>); 7] {
    [
        (Technique::AdvisorPacking, packing),
        (Technique::AdvisorConnectivity, connectivity),
        (Technique::AdvisorRooms, rooms),
        (Technique::AdvisorHotspots, hotspots),
        (Technique::AdvisorOutOfPlan, out_of_plan),
        (Technique::AdvisorOpener, opener),
        (Technique::AdvisorExplorer, explorer),
    ]
}

/// Asks the advisors that are on.
pub(crate) fn advise<const W: usize>(
    input: &AdvisorInput<'_, W>,
    techniques: TechniqueSet,
    candidates: &mut [PushCandidate],
) {
    for (_, advisor) in all().into_iter().filter(|&(technique, _)| techniques.contains(technique)) {
        advisor(input, candidates);
    }
}

impl<const W: usize> AdvisorInput<'_, W> {
    /// Returns whether a move takes the next step of the plan.
    fn packs(&self, candidate: &PushCandidate) -> bool {
        candidate.features.packed > self.now.packed
    }

    /// Returns whether a move keeps what is packed.
    fn keeps(&self, candidate: &PushCandidate) -> bool {
        candidate.features.packed >= self.now.packed
    }

    /// Returns whether a move keeps what is packed and cuts no more of the floor.
    fn is_tidy(&self, candidate: &PushCandidate) -> bool {
        let (view, now) = (candidate.features.view, self.now.view);
        self.keeps(candidate) && view.n_pieces <= now.n_pieces && view.n_cut <= now.n_cut
    }

    /// Returns whether the box, alone, can be pushed back.
    fn can_return(&self, candidate: &PushCandidate) -> bool {
        self.tables.can_push(candidate.to(), candidate.from())
    }
}

fn packing<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    select(candidates, |candidate| input.packs(candidate), by_score);
}

fn connectivity<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    let joins = |candidate: &PushCandidate| candidate.features.view.n_pieces < input.now.view.n_pieces;
    select(candidates, |candidate| input.keeps(candidate) && joins(candidate), by_score);
}

fn rooms<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    let links = |candidate: &PushCandidate| candidate.features.view.n_cut < input.now.view.n_cut;
    select(candidates, |candidate| input.keeps(candidate) && links(candidate), by_score);
}

fn hotspots<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    let frees = |candidate: &PushCandidate| candidate.features.n_hot < input.now.n_hot;
    select(candidates, |candidate| input.keeps(candidate) && frees(candidate), by_score);
}

fn out_of_plan<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    if input.now.n_out == 0 {
        return;
    }
    let away = |sq: FloorSquare| input.out_of_plan.iter().map(|out| input.tables.walk(out, sq)).min().unwrap_or(0);
    select(
        candidates,
        |candidate| {
            input.is_tidy(candidate)
                && candidate.features.n_out <= input.now.n_out
                && input.can_return(candidate)
                && away(candidate.to()) > away(candidate.from())
        },
        |candidate| (away(candidate.from()), u16::MAX - away(candidate.to()), candidate.pending.score_key),
    );
}

/// Selects nothing where a move takes the next step of the plan.
fn opener<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    let is_packing = candidates.iter().any(|candidate| input.packs(candidate));
    let Some(next) = input.next.filter(|_| !is_packing) else { return };
    let walk = |sq: FloorSquare| input.tables.walk(next, sq);
    select(
        candidates,
        |candidate| input.is_tidy(candidate) && walk(candidate.to()) >= walk(candidate.from()),
        |candidate| (walk(candidate.from()), u16::MAX - walk(candidate.to()), candidate.pending.score_key),
    );
}

fn explorer<const W: usize>(input: &AdvisorInput<'_, W>, candidates: &mut [PushCandidate]) {
    let opens = |candidate: &PushCandidate| candidate.features.view.is_opening;
    select(candidates, |candidate| input.keeps(candidate) && opens(candidate) && input.can_return(candidate), by_score);
}

fn by_score(candidate: &PushCandidate) -> (u16, u16, u64) {
    (0, 0, candidate.pending.score_key)
}

fn select(
    candidates: &mut [PushCandidate],
    allows: impl Fn(&PushCandidate) -> bool,
    key: impl Fn(&PushCandidate) -> (u16, u16, u64),
) {
    if let Some(best) =
        candidates.iter_mut().filter(|candidate| allows(candidate)).min_by_key(|candidate| key(candidate))
    {
        best.n_advisors += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::WorkMeter;
    use crate::board::level_tables::LevelTables;
    use crate::fess::macro_move::MacroMove;
    use sokocore::Level;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    const NOW: PushFeatures = PushFeatures {
        view: View { zone: FloorSquare::new(0), n_pieces: 2, n_cut: 2, is_opening: false },
        packed: 1,
        n_out: 1,
        n_hot: 2,
    };

    /// Returns which of the macro moves are selected; each comes with the features of the position that it leads to.
    fn selected(
        macro_moves: &[(MacroMove, PushFeatures)],
        zone: &[FloorSquare],
        next: Option<FloorSquare>,
    ) -> Vec<usize> {
        let level = Level::parse("#########\n#   #   #\n# $   . #\n#  $#@. #\n#   #   #\n#########").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let tables = FessTables::<2>::within(Arc::new(LevelTables::new(&level).unwrap()), &mut meter).unwrap();
        let mut out = BitSet::default();
        zone.iter().for_each(|&sq| out.insert(sq));
        let candidate = |(score_key, &(macro_move, features)): (u64, &(MacroMove, PushFeatures))| PushCandidate {
            pending: PendingMove { macro_move, score_key, weight: 1, ..PendingMove::default() },
            features,
            n_advisors: 0,
        };
        let mut candidates: Vec<PushCandidate> = (0..).zip(macro_moves).map(candidate).collect();
        let input = AdvisorInput { tables: &tables, now: NOW, out_of_plan: out, next };
        advise(&input, TechniqueSet::default(), &mut candidates);
        (0..candidates.len()).filter(|&at| candidates[at].n_advisors > 0).collect()
    }

    /// The macro move between two squares, by their numbers.
    const fn macro_move(from: u16, to: u16) -> MacroMove {
        MacroMove { from: FloorSquare::new(from), to: FloorSquare::new(to), player: FloorSquare::new(0) }
    }

    const STAYS: MacroMove = macro_move(0, 0);

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
        let (away, toward) = (macro_move(from, near), macro_move(near, from));
        assert_eq!(selected(&[(toward, NOW), (away, NOW)], &[FloorSquare::new(from)], None), [1]);
    }

    #[test]
    fn the_opener_clears_the_next_square_of_the_plan() {
        let (away, toward) = (macro_move(1, 3), macro_move(3, 1));
        let worse = PushFeatures { n_out: 2, ..NOW };
        assert_eq!(selected(&[(toward, worse), (away, worse)], &[], Some(FloorSquare::new(0))), [1]);
    }
}
