//! Pairs of goals that exclude each other, now that others are filled for good.
//!
//! ```text
//!   ######       the upper box is frozen: whoever fills the left goal first bars the way to the right one, and
//!   #..* #       the other way round
//! ```
//!
//! The boxes frozen on goals are walls. A pair of goals comes under suspicion if, with either of the two taken, no box
//! that can still move could get to the other. Then both are played backward from there, alone among these walls: if
//! no two boxes stand where that leads, the position is lost.
//!
//! **Invariant**: what is said is proved for every position with these frozen boxes, since the boxes that fill the
//! two goals could do the same with no others in their way. Every goal must need a box. When there is no more room
//! all is forgotten.

use hashbrown::{HashMap, HashSet};
use sokosearch::Charge;

use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Distances, Flood, Ground, Way};

/// What the tables may take together.
const MAX_BYTES: usize = 8 << 20;

/// Suspicions by frozen set.
#[derive(Debug)]
pub(crate) struct GoalPairs<const W: usize> {
    suspects: HashMap<Bits<W>, Vec<Suspect<W>>>,
    flood: Flood,
    bytes: usize,
    work: u64,
    /// Of what is kept; without it nothing is ever said.
    _charge: Charge,
}

/// Two goals neither of which can be filled second by a box from elsewhere.
#[derive(Debug)]
struct Suspect<const W: usize> {
    goals: [u16; 2],
    /// From where a box gets to the one while the other is taken.
    sources: [Bits<W>; 2],
    /// From which pairs of squares both can be filled, once that was asked.
    origins: Option<HashMap<u16, Bits<W>>>,
}

impl<const W: usize> GoalPairs<W> {
    /// Prepares for a level; `None` if goals may stay empty, or without memory.
    pub(crate) fn new(ground: &Ground, effort: &Effort) -> Option<Self> {
        let charge = effort.memory().charge(MAX_BYTES as u64).ok()?;
        let flood = Flood::new(ground);
        let fills_all = ground.goals().len() == ground.n_boxes();
        fills_all.then(|| Self { suspects: HashMap::new(), flood, bytes: 0, work: 0, _charge: charge })
    }

    /// Returns the floods made since the last call.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns whether two goals can no longer both be filled; `frozen` boxes stay where they are, on goals.
    pub(crate) fn is_lost(&mut self, ground: &Ground, boxes: &Bits<W>, frozen: &Bits<W>) -> bool {
        if *frozen == Bits::default() {
            return false;
        }
        let mut free = *boxes;
        frozen.iter().for_each(|sq| free.remove(sq));
        if !self.suspects.contains_key(frozen) {
            let suspects = self.suspect(ground, frozen);
            self.make_room(64 + suspects.len() * size_of::<Suspect<W>>());
            self.suspects.insert(*frozen, suspects);
        }
        let mut grown = 0;
        let Self { suspects, flood, work, .. } = self;
        let lost = suspects.get_mut(frozen).into_iter().flatten().any(|suspect| {
            if suspect.sources.iter().any(|sources| sources.meets(&free)) {
                return false;
            }
            let origins = suspect.origins.get_or_insert_with(|| {
                let origins = origins(ground, frozen, suspect.goals, flood, work);
                grown += origins.len() * (size_of::<Bits<W>>() + 8);
                origins
            });
            !free.iter().any(|sq| origins.get(&sq).is_some_and(|others| others.meets(&free)))
        });
        self.make_room(grown);
        lost
    }

    fn make_room(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            self.suspects.clear();
            self.bytes = bytes.min(MAX_BYTES);
        }
    }

    /// Looks for pairs that may exclude each other. A taken goal that does not part the floor around it bars nobody.
    fn suspect(&mut self, ground: &Ground, frozen: &Bits<W>) -> Vec<Suspect<W>> {
        let left: Vec<u16> = ground.goals().iter().copied().filter(|&sq| !frozen.has(sq)).collect();
        let narrow: Vec<u16> = left.iter().copied().filter(|&sq| parts_floor(ground, frozen, sq)).collect();
        let mut suspects = Vec::new();
        if narrow.len() < 2 {
            return suspects;
        }
        let sources: Vec<Vec<Bits<W>>> = narrow
            .iter()
            .map(|&taken| {
                self.work += narrow.len() as u64;
                let is_wall = |sq| sq == taken || frozen.has(sq);
                let distances = Distances::new(ground, Way::Forward, &narrow, is_wall);
                let mut sources = vec![Bits::default(); narrow.len()];
                for sq in (0..ground.wall()).filter(|&sq| ground.is_live(sq) && !is_wall(sq)) {
                    let row = distances.row(sq).iter().enumerate();
                    row.filter(|&(_, &d)| d != Distances::NONE).for_each(|(goal, _)| sources[goal].insert(sq));
                }
                sources
            })
            .collect();
        for one in 0..narrow.len() {
            for other in one + 1..narrow.len() {
                // A box from elsewhere; who fills both has to be asked only if none gets to either.
                let sources = [sources[other][one], sources[one][other]];
                let is_far = |set: &Bits<W>| set.iter().any(|sq| ground.starts().contains(&sq));
                if !sources.iter().any(is_far) {
                    suspects.push(Suspect { goals: [narrow[one], narrow[other]], sources, origins: None });
                }
            }
        }
        suspects
    }
}

/// Returns whether a box on the square would part the free squares around it.
fn parts_floor<const W: usize>(ground: &Ground, frozen: &Bits<W>, sq: u16) -> bool {
    let is_free = |next: u16| next != ground.wall() && !frozen.has(next);
    let mut n_runs = 0;
    for dir in 0..4 {
        let here = ground.step(sq, dir);
        if !is_free(here) {
            continue;
        }
        let corner = ground.step(here, dir + 1);
        let joins_next = is_free(ground.step(sq, dir + 1)) && is_free(corner);
        n_runs += usize::from(!joins_next);
    }
    n_runs >= 2
}

/// Plays two boxes backward from these squares, with every player; returns where they may have come from.
fn origins<const W: usize>(
    ground: &Ground,
    frozen: &Bits<W>,
    goals: [u16; 2],
    flood: &mut Flood,
    work: &mut u64,
) -> HashMap<u16, Bits<W>> {
    let mut origins: HashMap<u16, Bits<W>> = HashMap::new();
    let mut met = HashSet::new();
    let mut todo: Vec<([u16; 2], u16)> =
        (0..ground.wall()).filter(|sq| !goals.contains(sq) && !frozen.has(*sq)).map(|player| (goals, player)).collect();
    while let Some((squares, player)) = todo.pop() {
        flood.place(frozen.iter().chain(squares));
        let zone = flood.spread(ground, player);
        *work += 1;
        if !met.insert((squares, zone)) {
            continue;
        }
        let [one, other] = squares;
        origins.entry(one).or_default().insert(other);
        origins.entry(other).or_default().insert(one);
        for at in 0..2 {
            for side in 0..4 {
                let stand = ground.step(squares[at], side);
                if !flood.reaches(stand) || !ground.is_live(stand) || !flood.is_free(ground.step(stand, side)) {
                    continue;
                }
                let mut next = squares;
                next[at] = stand;
                todo.push((next, ground.step(stand, side)));
            }
        }
    }
    origins
}
