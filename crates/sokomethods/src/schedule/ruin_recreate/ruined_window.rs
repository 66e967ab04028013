//! A window of a solution from which boxes can be taken out, and into which they are inserted again.

use sokocore::{Level, Position, Push, Square, SquareSet};

use crate::push_order::{Link, WalkedBoard};

/// What a move costs, and a push beside its move: of two solutions with as many moves the one with fewer pushes is cheaper.
pub(super) const COST_OF_MOVE: u64 = 16;
pub(super) const COST_OF_PUSH: u64 = 1;

/// Returns the cost of a walk.
pub(super) const fn cost_of_steps(steps: u32) -> u64 {
    COST_OF_MOVE * steps as u64
}

/// Returns the cost of a push and of the walk that leads to it.
pub(super) const fn cost_of_push(walk: u32) -> u64 {
    cost_of_steps(walk + 1) + COST_OF_PUSH
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
    pub(super) fn new(level: &'a Level) -> Self {
        Self {
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

    /// Begins with this position, and contains these pushes; `next` is the first push after it. Returns false if they cannot be
    /// made there.
    pub(super) fn open(&mut self, position: &Position, pushes: &[Push], next: Option<Push>) -> bool {
        let board = self.board.board();
        self.boxes.clone_from(&position.boxes);
        self.player = position.player;
        self.homes.clear();
        self.homes.extend(position.boxes.iter());
        self.ends.clone_from(&self.homes);
        (0..).zip(&self.homes).for_each(|(n, sq)| self.numbers[sq.idx()] = n);
        self.links.clear();
        for &push in pushes {
            let Some(link) = Link::of(board, push, self.numbers[push.from.idx()]) else { return false };
            self.numbers[link.to.idx()] = link.n;
            self.ends[usize::from(link.n)] = link.to;
            self.links.push(link);
        }
        let exit = next.map(|push| push.stand(board));
        if exit == Some(None) {
            return false;
        }
        self.exit = exit.flatten().map(|sq| ExitWalk { sq, walk: 0 });
        self.compute_walks()
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
        let pushes: u64 = self.links.iter().map(|link| cost_of_push(link.walk)).sum();
        pushes + self.exit.map_or(0, |exit| cost_of_steps(exit.walk))
    }

    /// Takes boxes out, with their pushes. The other pushes stay possible: a box less blocks none of them.
    pub(super) fn take_out(&mut self, boxes: &[u16]) -> bool {
        for &n in boxes {
            self.boxes.remove(self.homes[usize::from(n)]);
        }
        self.links.retain(|link| !boxes.contains(&link.n));
        self.compute_walks()
    }

    /// Puts a box back, with these pushes of all boxes that are there then. Returns false if they are not possible.
    pub(super) fn put_back(&mut self, n: u16, links: impl IntoIterator<Item = Link>) -> bool {
        self.boxes.insert(self.homes[usize::from(n)]);
        self.links.clear();
        self.links.extend(links);
        self.compute_walks()
    }

    /// Sets the board to the beginning.
    pub(super) fn rewind(&mut self) {
        self.board.place(&self.boxes, self.player);
    }

    /// Computes all walks. Returns false if a push is not possible.
    fn compute_walks(&mut self) -> bool {
        self.rewind();
        for link in &mut self.links {
            let Some(walk) = self.board.walk(link) else { return false };
            link.walk = walk;
            if !self.board.push(link) {
                return false;
            }
        }
        let Some(exit) = &mut self.exit else { return true };
        let Some(walk) = self.board.steps(self.board.player(), exit.sq, u32::MAX) else { return false };
        exit.walk = walk;
        true
    }
}
