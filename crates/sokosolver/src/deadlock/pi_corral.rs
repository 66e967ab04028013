//! PI-corrals: enclosed areas that must be opened, and can be opened at once, so that only their boxes need be pushed.
//!
//! ```text
//!   ########
//!   #  $   #      the area on the left is closed by two boxes; every first push of one of them leads into it, and the
//!   #. ###@#      player can make all of those pushes now
//!   #  $   #
//!   ########
//! ```
//!
//! The idea is Brian Damgaard's and Matthias Meger's (*PI-corral*: player can make all pushes, all lead inward). A
//! candidate starts from one area that the player cannot reach, with the boxes that touch it. If a push depends on a
//! further box, that box is added; if it depends on another unreached area, that area is added. So simple corrals,
//! pairs and the whole unreached part are all found by growing. A push that leads out rejects the candidate.
//!
//! **Why nothing is lost**: let some box of the corral still have to move. The first push of one of its boxes in any
//! solution is among those that can be made now. Made now, it does not affect the pushes before it: the box goes to a
//! square that neither player nor box could have entered. So neither solutions nor fewest pushes are lost; fewest moves
//! are. A corral that must be opened and cannot be is a deadlock. One that need not be opened and cannot be is a wall:
//! by the same argument none of its boxes, all on goals, will ever move (Florent Diedler's *frozen corral*).

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitView;
use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, Prune, TestContext};
use crate::deadlock::enclosed_areas::{AreaIndex, EnclosedAreas};
use crate::deadlock::library_parts::LibraryParts;
use crate::technique::Technique;

/// Makes the test for systematic searches by pushes and for feature space search. The search for a packing plan, by
/// pulls, always opens the corral with the fewest pushes.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    let settings = parts.settings;
    let is_by_pushes = parts.is_by_pushes();
    let restricts = settings.uses(Technique::PiCorrals) || parts.is_fess() && !is_by_pushes;
    let freezes = settings.uses(Technique::FrozenCorrals) && parts.is_systematic();
    let is_wanted = parts.is_fess() || parts.is_systematic() && is_by_pushes && (restricts || freezes);
    let goals_first = settings.uses(Technique::GoalCorrals) && is_by_pushes;
    let choice = if goals_first { CorralChoice::MostBoxesOnGoals } else { CorralChoice::FewestPushes };
    is_wanted.then(|| Box::new(PiCorrals::new(parts.board, choice).restricting(restricts)) as _)
}

/// Which of several corrals is opened first; each choice is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorralChoice {
    /// The one with the fewest possible pushes.
    FewestPushes,
    /// The one with the most boxes on goals, of those the one with the fewest boxes, then the least floor: a corral
    /// around goals may be a deadlock of its own (Florent Diedler).
    MostBoxesOnGoals,
}

/// A set of areas and boxes that grows until it is a corral or is rejected.
#[derive(Clone, Debug, Default)]
struct Candidate {
    /// A bit for each area, as [`AreaIndex::bit`] has it.
    areas: u64,
    /// The boxes, as a set of live squares.
    boxes: Vec<u64>,
    /// The same boxes, those first whose pushes were looked at.
    queue: Vec<FloorSquare>,
}

impl Candidate {
    fn view(&self) -> BitView<'_> {
        BitView::new(&self.boxes)
    }

    /// Empties the set.
    fn clear(&mut self) {
        self.areas = 0;
        self.boxes.fill(0);
        self.queue.clear();
    }

    fn insert(&mut self, sq: FloorSquare) {
        if !self.view().has(sq) {
            self.boxes[sq.idx() / 64] |= 1 << (sq.idx() % 64);
            self.queue.push(sq);
        }
    }

    /// Adds an area with the boxes that touch it.
    fn insert_area(&mut self, areas: &EnclosedAreas, area: AreaIndex) {
        self.areas |= area.bit();
        areas.fence(area).iter().for_each(|&sq| self.insert(sq));
    }

    /// Returns whether the square is in one of the areas.
    fn is_inside(&self, areas: &EnclosedAreas, sq: FloorSquare) -> bool {
        areas.of(sq).is_some_and(|area| self.areas & area.bit() != 0)
    }
}

/// What a push of a candidate's box needs, for the candidate to be a corral.
#[derive(Clone, Copy, Debug)]
enum PushNeed {
    /// Nothing: it cannot be made before another box of the corral has moved.
    Nothing,
    /// Nothing: it leads inward, and the player can make it now.
    Possible,
    /// This box belongs to the corral.
    Box(FloorSquare),
    /// This area belongs to the corral.
    Area(AreaIndex),
    /// It leads out, so there is no corral.
    LeadsOut,
}

/// How the growth of a candidate has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    /// It is a corral, of which the player can make so many pushes at once.
    Corral(usize),
    /// A push leads out.
    LeadsOut,
    /// It would be the corral of an area before, which has these areas.
    Known(u64),
}

/// The search for corrals, with scratch space for one board.
#[derive(Clone, Debug)]
pub(crate) struct PiCorrals {
    choice: CorralChoice,
    /// Whether a corral restricts the pushes; if not, only dead and immovable ones count.
    restricts: bool,
    fills_all_goals: bool,
    candidate: Candidate,
    best: Vec<u64>,
    /// The areas of the position from which a candidate led out: one that comes to need such an area leads out as well.
    rejected: u64,
    /// For each area of the position that was grown from, the areas of its corral.
    grown: Vec<u64>,
    immovable: Vec<FloorSquare>,
}

impl PiCorrals {
    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard, choice: CorralChoice) -> Self {
        Self {
            choice,
            restricts: true,
            fills_all_goals: board.goals().len() == board.n_boxes(),
            candidate: Candidate { boxes: vec![0; board.n_words()], ..Candidate::default() },
            best: vec![0; board.n_words()],
            rejected: 0,
            grown: Vec::new(),
            immovable: Vec::new(),
        }
    }

    /// Returns the search with pushes restricted or not.
    fn restricting(self, restricts: bool) -> Self {
        Self { restricts, ..self }
    }

    /// Looks for the corral to be opened first.
    fn find(&mut self, board: &SearchBoard, areas: &EnclosedAreas, position: &FloodedPosition<'_>) -> Prune {
        self.immovable.clear();
        self.forget_areas();
        let mut least = [usize::MAX; 3];
        for area in areas.indices() {
            let Some(n_pushes) = self.grow(board, areas, position, area) else { continue };
            let rank = self.rank(board, areas, n_pushes);
            if rank >= least && n_pushes > 0 {
                continue;
            }
            if !self.must_open(board, areas, position.boxes) {
                if n_pushes == 0 {
                    self.immovable.extend(self.candidate.view().iter());
                }
                continue;
            }
            if n_pushes == 0 {
                return Prune::Dead;
            }
            std::mem::swap(&mut self.best, &mut self.candidate.boxes);
            least = rank;
        }
        if least == [usize::MAX; 3] { Prune::All } else { Prune::Only(BitView::new(&self.best).iter().collect()) }
    }

    /// Forgets what is known of the areas of the position before.
    fn forget_areas(&mut self) {
        self.rejected = 0;
        self.grown.clear();
    }

    /// The corral of the least rank is opened first.
    fn rank(&self, board: &SearchBoard, areas: &EnclosedAreas, n_pushes: usize) -> [usize; 3] {
        if self.choice == CorralChoice::FewestPushes {
            return [n_pushes, 0, 0];
        }
        let boxes = || self.candidate.view().iter();
        let (n_boxes, n_home) = (boxes().count(), boxes().filter(|&sq| board.is_goal(sq)).count());
        let is_part = |area: &AreaIndex| self.candidate.areas & area.bit() != 0;
        let n_squares = areas.indices().filter(is_part).map(|area| areas.squares(area).len()).sum();
        [usize::MAX - n_home, n_boxes, n_squares]
    }

    /// Grows a candidate from an area by what its pushes need, area after area. Returns the number of pushes that the
    /// player can make at once; `None` if a push leads out, or if the corral is that of an area before.
    fn grow(
        &mut self,
        board: &SearchBoard,
        areas: &EnclosedAreas,
        position: &FloodedPosition<'_>,
        area: AreaIndex,
    ) -> Option<usize> {
        let (n_pushes, grown) = match self.growth(board, areas, position, area) {
            Growth::Corral(n_pushes) => (Some(n_pushes), self.candidate.areas),
            Growth::Known(areas) => (None, areas),
            Growth::LeadsOut => {
                self.rejected |= area.bit();
                (None, 0)
            }
        };
        self.grown.push(grown);
        n_pushes
    }

    /// Grows the candidate. A push that needs nothing more needs nothing of a larger candidate either, so each push is
    /// looked at until then, and never again. What is known of the areas before saves most of it where a dense level has
    /// dozens of areas that hang together.
    fn growth(
        &mut self,
        board: &SearchBoard,
        areas: &EnclosedAreas,
        position: &FloodedPosition<'_>,
        area: AreaIndex,
    ) -> Growth {
        let (start, candidate) = (area.bit(), &mut self.candidate);
        candidate.clear();
        candidate.insert_area(areas, area);
        let mut n_pushes = 0;
        let mut n_looked_at = 0;
        while let Some(&sq) = candidate.queue.get(n_looked_at) {
            n_looked_at += 1;
            for dir in 0..4 {
                loop {
                    match need(board, areas, position, candidate, (sq, dir)) {
                        PushNeed::Nothing => break,
                        PushNeed::Possible => {
                            n_pushes += 1;
                            break;
                        }
                        PushNeed::Box(sq) => candidate.insert(sq),
                        PushNeed::Area(area) if self.rejected & area.bit() != 0 => return Growth::LeadsOut,
                        PushNeed::Area(area) => match self.grown.get(area.idx()) {
                            // Each of the two areas belongs to the corral of the other.
                            Some(&grown) if grown & start != 0 => return Growth::Known(grown),
                            _ => candidate.insert_area(areas, area),
                        },
                        PushNeed::LeadsOut => return Growth::LeadsOut,
                    }
                }
            }
        }
        Growth::Corral(n_pushes)
    }

    /// Whether some box of the corral has to move in every solution.
    fn must_open(&self, board: &SearchBoard, areas: &EnclosedAreas, all: BitView<'_>) -> bool {
        let is_open = |sq: FloorSquare| !all.has(sq) && self.candidate.is_inside(areas, sq);
        self.candidate.view().iter().any(|sq| !board.is_goal(sq))
            || self.fills_all_goals && board.goals().iter().any(|&sq| is_open(sq))
    }
}

/// Returns what the push of a candidate's box needs.
fn need(
    board: &SearchBoard,
    areas: &EnclosedAreas,
    position: &FloodedPosition<'_>,
    candidate: &Candidate,
    (sq, dir): (FloorSquare, usize),
) -> PushNeed {
    let (to, stand) = (board.step(sq, dir), board.step(sq, dir ^ 2));
    if !board.is_live(to) || stand == board.wall() {
        return PushNeed::Nothing;
    }
    // Until a box of the corral has moved, the player is not inside and no box of it gives way.
    let boxes = candidate.view();
    if boxes.has(to) || boxes.has(stand) || candidate.is_inside(areas, stand) {
        return PushNeed::Nothing;
    }
    let is_inward = candidate.is_inside(areas, to);
    if is_inward && position.flood.reaches(stand) {
        return PushNeed::Possible;
    }
    // What blocks the push now may give way later, so it has to belong to the corral.
    let blocker = if position.flood.reaches(to) || is_inward { stand } else { to };
    if position.boxes.has(blocker) {
        return PushNeed::Box(blocker);
    }
    areas.of(blocker).map_or(PushNeed::LeadsOut, PushNeed::Area)
}

impl DeadlockTest for PiCorrals {
    fn reads_areas(&self) -> bool {
        true
    }

    fn restrict(&mut self, position: &FloodedPosition<'_>, cx: &mut TestContext<'_>) -> Prune {
        match self.find(cx.board, cx.areas, position) {
            Prune::Only(_) if !self.restricts => Prune::All,
            prune => prune,
        }
    }

    fn immovable(&self) -> &[FloorSquare] {
        &self.immovable
    }
}

#[cfg(test)]
mod tests;
