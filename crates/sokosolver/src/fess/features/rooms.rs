//! Rooms of a board and the links between them, after Shoham and Schaeffer's FESS.
//!
//! A room is a connected set of 2x2 blocks of floor. Two rooms are linked if from every free piece of one the player
//! can walk through it and through corridors until he touches the other, and the reverse.

use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::{Flood, SearchBoard};

/// The rooms of a board, at most 64.
#[derive(Debug)]
pub(crate) struct Rooms {
    /// The room of each square; [`Rooms::CORRIDOR`] if none.
    of: Vec<u8>,
    /// The squares of each room.
    squares: Vec<Vec<u16>>,
    n_rooms: usize,
    n_links: u64,
}

impl Rooms {
    /// In no room.
    pub(crate) const CORRIDOR: u8 = u8::MAX;

    /// Finds the rooms.
    pub(crate) fn new(level_tables: &LevelTables) -> Self {
        Self::of_board(level_tables.board())
    }

    /// Finds the rooms of a board.
    pub(crate) fn of_board(board: &SearchBoard) -> Self {
        let wall = board.wall();
        let step = |sq: u16, dir| if sq == wall { wall } else { board.step(sq, dir) };
        let block = |sq: u16| {
            let squares = [sq, step(sq, 1), step(sq, 2)];
            let last = step(squares[1], 2);
            (squares[1] != wall && squares[2] != wall && last != wall).then_some([sq, squares[1], squares[2], last])
        };
        let is_anchor = |sq: u16| sq != wall && block(sq).is_some();
        let is_kept = |sq: u16| is_anchor(sq) && board.steps(sq).into_iter().any(is_anchor);
        let mut of = vec![Self::CORRIDOR; board.n_squares()];
        let mut shared = vec![false; board.n_squares()];
        let mut n_rooms = 0;
        let mut flood = Flood::new(board);
        flood.place((0..wall).filter(|&sq| !is_kept(sq)));
        for first in (0..wall).filter(|&sq| is_kept(sq)) {
            if flood.reaches(first) || n_rooms == 64 {
                continue;
            }
            flood.spread(board, first);
            for part in flood.region().iter().flat_map(|&sq| block(sq)).flatten() {
                let room = &mut of[usize::from(part)];
                shared[usize::from(part)] |= *room != Self::CORRIDOR && *room != n_rooms;
                *room = n_rooms;
            }
            n_rooms += 1;
        }
        for (room, _) in of.iter_mut().zip(&shared).filter(|(_, shared)| **shared) {
            *room = Self::CORRIDOR;
        }
        let n_rooms = usize::from(n_rooms);
        let squares = (0..n_rooms)
            .map(|room| (0..wall).filter(|&sq| usize::from(of[usize::from(sq)]) == room).collect())
            .collect();
        let mut rooms = Self { of, squares, n_rooms, n_links: 0 };
        let links: Vec<u64> =
            (0..rooms.n_rooms).map(|room| rooms.links(board, room, &BitSet::<1>::default(), &mut flood)).collect();
        rooms.n_links = rooms.n_linked(&links);
        rooms
    }

    /// Returns the number of rooms.
    pub(crate) const fn len(&self) -> usize {
        self.n_rooms
    }

    /// Returns the squares of a room.
    pub(crate) fn squares(&self, room: usize) -> &[u16] {
        &self.squares[room]
    }

    /// Returns the room of a square.
    pub(crate) fn of(&self, sq: u16) -> u8 {
        self.of[usize::from(sq)]
    }

    /// Returns how many links of the empty board are cut, given the links of each room.
    pub(crate) fn n_cut(&self, links: &[u64]) -> u64 {
        self.n_links.saturating_sub(self.n_linked(links))
    }

    fn n_linked(&self, links: &[u64]) -> u64 {
        let linked = |one: usize, other: usize| links[one] >> other & links[other] >> one & 1;
        (0..self.n_rooms).map(|one| (0..one).map(|other| linked(one, other)).sum::<u64>()).sum()
    }

    /// Returns the live squares whose boxes decide the links of a room: its own, and corridors that lead out.
    pub(crate) fn region<const W: usize>(&self, board: &SearchBoard, room: usize) -> BitSet<W> {
        let mut flood = Flood::new(board);
        self.links(board, room, &BitSet::<1>::default(), &mut flood);
        let mut region = BitSet::default();
        let is_in = |&sq: &u16| board.is_live(sq) && flood.reaches(sq);
        (0..board.wall()).filter(is_in).for_each(|sq| region.insert(sq));
        region
    }

    /// Returns the rooms that are touched from every free piece of this one, as bits; none if it is full. The flood has
    /// then reached all pieces of the room with the corridors that lead out of them.
    pub(crate) fn links<const W: usize>(
        &self,
        board: &SearchBoard,
        room: usize,
        boxes: &BitSet<W>,
        flood: &mut Flood,
    ) -> u64 {
        let is_other = |sq: u16| self.of(sq) != Self::CORRIDOR && usize::from(self.of(sq)) != room;
        // A square of another room is touched even if a box stands there.
        flood.place(boxes.iter().filter(|&sq| !is_other(sq)));
        let mut links = None;
        for &sq in &self.squares[room] {
            if !flood.is_free(sq) || flood.reaches(sq) {
                continue;
            }
            let mut touched = 0u64;
            flood.spread_where(board, sq, |next| {
                if is_other(next) {
                    touched |= 1 << self.of(next);
                }
                !is_other(next)
            });
            links = Some(links.unwrap_or(u64::MAX) & touched);
        }
        links.unwrap_or(0)
    }
}
