//! Pairs of goals that exclude each other, now that others are filled for good.
//!
//! ```text
//!   #######        a frozen box on Z has closed the other way between the two rooms: whoever fills X, from the left,
//!   ...  X #       never gets down to fill Y from below, and the other way round
//!   ######Y#
//! ```
//!
//! The boxes frozen on goals are walls. Two goals in narrow places are played backward, alone among these walls, with
//! the player anywhere. If it never comes to both having left their goals, they exclude each other, unless boxes
//! already stand where the play does lead.
//!
//! **Invariant**: what is said is proved for every position with these frozen boxes, since the boxes that fill the
//! two goals could do the same with no others in their way. Every goal must need a box. When there is no more room
//! all is forgotten.

use hashbrown::{HashMap, HashSet};
use sokosearch::Charge;

use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Flood, Ground};

/// What the tables may take together.
const MAX_BYTES: usize = 8 << 20;
/// Narrow goals that are looked at.
const MAX_NARROW: usize = 8;
/// Positions of two boxes that are looked at.
const MAX_STATES: usize = 1_000;

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

/// For two goals that exclude each other: from which pairs of squares both can be filled all the same.
type Suspect<const W: usize> = HashMap<u16, Bits<W>>;

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
            let n_squares = suspects.iter().map(HashMap::len).sum::<usize>();
            self.make_room(64 + n_squares * (size_of::<Bits<W>>() + 16));
            self.suspects.insert(*frozen, suspects);
        }
        let is_far =
            |origins: &Suspect<W>| !free.iter().any(|sq| origins.get(&sq).is_some_and(|others| others.meets(&free)));
        self.suspects.get(frozen).is_some_and(|suspects| suspects.iter().any(is_far))
    }

    fn make_room(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            self.suspects.clear();
            self.bytes = bytes.min(MAX_BYTES);
        }
    }

    /// Looks for pairs that exclude each other. A taken goal that does not part the floor around it bars nobody.
    fn suspect(&mut self, ground: &Ground, frozen: &Bits<W>) -> Vec<Suspect<W>> {
        let is_narrow = |sq: &u16| !frozen.has(*sq) && parts_floor(ground, frozen, *sq);
        let narrow: Vec<u16> = ground.goals().iter().copied().filter(is_narrow).collect();
        let narrow = &narrow[..narrow.len().min(MAX_NARROW)];
        let mut suspects = Vec::new();
        for (at, &one) in narrow.iter().enumerate() {
            for &other in &narrow[at + 1..] {
                suspects.extend(self.origins(ground, frozen, [one, other]));
            }
        }
        suspects
    }

    /// Plays two boxes backward from these goals, with every player; returns where they may have come from, or `None`
    /// if both get away or it takes too long.
    fn origins(&mut self, ground: &Ground, frozen: &Bits<W>, goals: [u16; 2]) -> Option<Suspect<W>> {
        let mut origins = Suspect::<W>::new();
        origins.entry(goals[0]).or_default().insert(goals[1]);
        let mut met = HashSet::new();
        let around = goals.into_iter().flat_map(|goal| ground.steps(goal));
        let is_free = |sq: &u16| *sq != ground.wall() && !goals.contains(sq) && !frozen.has(*sq);
        let mut todo: Vec<([u16; 2], u16)> = around.filter(is_free).map(|player| (goals, player)).collect();
        while let Some((squares, player)) = todo.pop() {
            self.flood.place(frozen.iter().chain(squares));
            let zone = self.flood.spread(ground, player);
            self.work += 1;
            if !met.insert((squares, zone)) {
                continue;
            }
            let [one, other] = squares;
            if (one != goals[0] && other != goals[1]) || met.len() > MAX_STATES {
                return None;
            }
            origins.entry(one).or_default().insert(other);
            origins.entry(other).or_default().insert(one);
            for (at, side) in (0..2).flat_map(|at| (0..4).map(move |side| (at, side))) {
                let stand = ground.step(squares[at], side);
                if !self.flood.reaches(stand) || !ground.is_live(stand) {
                    continue;
                }
                let player = ground.step(stand, side);
                if self.flood.is_free(player) {
                    let mut next = squares;
                    next[at] = stand;
                    todo.push((next, player));
                }
            }
        }
        Some(origins)
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
