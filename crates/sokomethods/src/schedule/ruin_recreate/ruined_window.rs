//! A window of a solution from which boxes can be taken out, and into which they are inserted again.

use sokocore::{Board, Level, Position, Push, Square, SquareSet};

use super::cost_weights::CostWeights;
use crate::push_order::{Link, WalkedBoard};

/// The walk of a push that is not computed yet.
const UNKNOWN: u32 = u32::MAX;

/// Makes the link of a push, whose box and walk are not computed yet; `None` if a wall is in its way.
pub(super) fn unwalked(board: &Board, push: Push) -> Option<Link> {
    Some(Link { walk: UNKNOWN, ..Link::of(board, push, 0)? })
}

/// Where the player goes after the last push of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitWalk {
    pub(super) sq: Square,
    pub(super) walk: u32,
}

/// A window: the boxes and the player at its beginning, and the pushes in it with their walks.
///
/// Boxes are numbered in the order of their squares at the beginning. Those that are taken out are neither on the board nor
/// among the pushes.
pub(super) struct RuinedWindow<'a> {
    pub(super) weights: CostWeights,
    pub(super) board: WalkedBoard<'a>,
    /// Squares of all boxes at the beginning, and at the end.
    homes: Vec<Square>,
    ends: Vec<Square>,
    /// The number of the box that was last on each square.
    numbers: Vec<u16>,
    /// The boxes that are not taken out, at the beginning.
    boxes: SquareSet,
    player: Square,
    links: Vec<Link>,
    /// `None` where the solution ends with the window.
    exit: Option<ExitWalk>,
}

impl<'a> RuinedWindow<'a> {
    pub(super) fn new(level: &'a Level, weights: CostWeights) -> Self {
        Self {
            weights,
            board: WalkedBoard::new(level),
            homes: Vec::new(),
            ends: Vec::new(),
            numbers: vec![0; level.board().n_squares()],
            boxes: level.board().no_squares(),
            player: level.start().player,
            links: Vec::new(),
            exit: None,
        }
    }

    /// Begins with this position, and contains these pushes of a solution; `next` is the first push after it.
    pub(super) fn open(&mut self, position: &Position, links: &[Link], next: Option<&Link>) {
        self.boxes.clone_from(&position.boxes);
        self.player = position.player;
        self.homes.clear();
        self.homes.extend(position.boxes.iter());
        self.ends.clone_from(&self.homes);
        (0..).zip(&self.homes).for_each(|(n, sq)| self.numbers[sq.idx()] = n);
        self.links.clear();
        for link in links {
            let n = self.numbers[link.push.from.idx()];
            self.numbers[link.to.idx()] = n;
            self.ends[usize::from(n)] = link.to;
            self.links.push(Link { n, is_cut: false, ..*link });
        }
        self.exit = next.map(|link| ExitWalk { sq: link.stand, walk: link.walk });
    }

    pub(super) fn homes(&self) -> &[Square] {
        &self.homes
    }

    pub(super) fn ends(&self) -> &[Square] {
        &self.ends
    }

    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the position at the beginning, without the boxes that are taken out.
    #[cfg(test)]
    pub(super) fn beginning(&self) -> Position {
        Position { boxes: self.boxes.clone(), player: self.player }
    }

    pub(super) const fn exit(&self) -> Option<ExitWalk> {
        self.exit
    }

    /// Returns the cost of all pushes, and of the walk after them.
    pub(super) fn cost(&self) -> u64 {
        let pushes: u64 = self.links.iter().map(|link| self.weights.cost_of_push(link.walk)).sum();
        pushes + self.exit.map_or(0, |exit| self.weights.cost_of_walk(exit.walk))
    }

    /// Takes boxes out, with their pushes. The other pushes stay possible: a box less blocks none of them.
    pub(super) fn take_out(&mut self, boxes: &[u16]) -> bool {
        for &n in boxes {
            self.boxes.remove(self.homes[usize::from(n)]);
        }
        // After a push that is taken out, the walk begins elsewhere.
        let mut prior_stays = true;
        self.links.retain_mut(|link| {
            if !prior_stays {
                (link.walk, link.is_cut) = (UNKNOWN, true);
            }
            prior_stays = !boxes.contains(&link.n);
            prior_stays
        });
        if let Some(exit) = self.exit.as_mut().filter(|_| !prior_stays) {
            exit.walk = UNKNOWN;
        }
        self.compute_walks()
    }

    /// Puts a box back, with these pushes of all boxes that are there then, and this walk to the exit.
    pub(super) fn put_back(&mut self, n: u16, links: impl IntoIterator<Item = Link>, exit_walk: u32) {
        self.boxes.insert(self.homes[usize::from(n)]);
        self.links.clear();
        self.links.extend(links);
        if let Some(exit) = &mut self.exit {
            exit.walk = exit_walk;
        }
    }

    /// Sets the board to the beginning.
    pub(super) fn rewind(&mut self) {
        self.board.place(&self.boxes, self.player);
    }

    /// Computes the walks that may be shorter than they are, or are unknown. Returns false if a push is not possible.
    pub(super) fn compute_walks(&mut self) -> bool {
        self.rewind();
        for link in &mut self.links {
            let Some(walk) = self.board.steps_to(link.stand, link.walk) else { return false };
            link.walk = walk;
            if !self.board.push(link) {
                return false;
            }
        }
        let Some(exit) = &mut self.exit else { return true };
        let Some(walk) = self.board.steps_to(exit.sq, exit.walk) else { return false };
        exit.walk = walk;
        true
    }
}
