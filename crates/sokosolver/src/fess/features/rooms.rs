//! Rooms of a board and the links between them, after Shoham and Schaeffer's FESS.
//!
//! A room is a connected set of 2x2 blocks of floor. Two rooms are linked if from every free piece of one the player
//! can walk through it and through corridors until he touches the other, and the reverse.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::{Flood, SearchBoard};

/// The index of a room: below 64, so that a set of rooms is one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct RoomIndex(u8);

impl RoomIndex {
    /// Returns the index.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }

    /// Returns the set of this room alone.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Visits the rooms of a set.
    #[expect(clippy::cast_possible_truncation, reason = "a word has 64 bits")]
    pub(crate) fn of_bits(mut bits: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let room = (bits != 0).then_some(Self(bits.trailing_zeros() as u8))?;
            bits &= bits - 1;
            Some(room)
        })
    }
}

/// The rooms of a board, at most 64.
#[derive(Debug)]
pub(crate) struct Rooms {
    /// The room of each square; none for corridors.
    of: Vec<Option<RoomIndex>>,
    /// The squares of each room.
    squares: Vec<Vec<FloorSquare>>,
    n_links: u64,
}

impl Rooms {
    /// Finds the rooms.
    pub(crate) fn new(level_tables: &LevelTables) -> Self {
        Self::of_board(level_tables.board())
    }

    /// Finds the rooms of a board.
    pub(crate) fn of_board(board: &SearchBoard) -> Self {
        let wall = board.wall();
        let step = |sq: FloorSquare, dir| if sq == wall { wall } else { board.step(sq, dir) };
        let block = |sq: FloorSquare| {
            let squares = [sq, step(sq, 1), step(sq, 2)];
            let last = step(squares[1], 2);
            (squares[1] != wall && squares[2] != wall && last != wall).then_some([sq, squares[1], squares[2], last])
        };
        let is_anchor = |sq: FloorSquare| sq != wall && block(sq).is_some();
        let is_kept = |sq: FloorSquare| is_anchor(sq) && board.steps(sq).into_iter().any(is_anchor);
        let mut of: Vec<Option<RoomIndex>> = vec![None; board.n_squares()];
        let mut shared = vec![false; board.n_squares()];
        let mut n_rooms = 0;
        let mut flood = Flood::new(board);
        flood.place(board.squares().filter(|&sq| !is_kept(sq)));
        for first in board.squares().filter(|&sq| is_kept(sq)) {
            if flood.reaches(first) || n_rooms == 64 {
                continue;
            }
            flood.spread(board, first);
            for part in flood.region().iter().flat_map(|&sq| block(sq)).flatten() {
                let room = &mut of[part.idx()];
                shared[part.idx()] |= room.is_some_and(|room| room.0 != n_rooms);
                *room = Some(RoomIndex(n_rooms));
            }
            n_rooms += 1;
        }
        for (room, _) in of.iter_mut().zip(&shared).filter(|(_, shared)| **shared) {
            *room = None;
        }
        let squares = (0..n_rooms)
            .map(|room| board.squares().filter(|&sq| of[sq.idx()] == Some(RoomIndex(room))).collect())
            .collect();
        let mut rooms = Self { of, squares, n_links: 0 };
        let links: Vec<u64> =
            rooms.indices().map(|room| rooms.links(board, room, &BitSet::<2>::default(), &mut flood)).collect();
        rooms.n_links = rooms.n_linked(&links);
        rooms
    }

    /// Returns the number of rooms.
    pub(crate) const fn len(&self) -> usize {
        self.squares.len()
    }

    /// Visits the rooms.
    pub(crate) fn indices(&self) -> impl Iterator<Item = RoomIndex> + Clone + use<> {
        (0..64).map(RoomIndex).take(self.len())
    }

    /// Returns the squares of a room.
    pub(crate) fn squares(&self, room: RoomIndex) -> &[FloorSquare] {
        &self.squares[room.idx()]
    }

    /// Returns the room of a square; none if it is in a corridor.
    pub(crate) fn of(&self, sq: FloorSquare) -> Option<RoomIndex> {
        self.of[sq.idx()]
    }

    /// Returns how many links of the empty board are cut, given the links of each room.
    pub(crate) fn n_cut(&self, links: &[u64]) -> u64 {
        self.n_links.saturating_sub(self.n_linked(links))
    }

    fn n_linked(&self, links: &[u64]) -> u64 {
        let linked = |one: usize, other: usize| links[one] >> other & links[other] >> one & 1;
        (0..self.len()).map(|one| (0..one).map(|other| linked(one, other)).sum::<u64>()).sum()
    }

    /// Returns the live squares whose boxes decide the links of a room: its own, and corridors that lead out.
    pub(crate) fn region<const W: usize>(&self, board: &SearchBoard, room: RoomIndex) -> BitSet<W> {
        let mut flood = Flood::new(board);
        self.links(board, room, &BitSet::<2>::default(), &mut flood);
        let mut region = BitSet::default();
        let is_in = |&sq: &FloorSquare| board.is_live(sq) && flood.reaches(sq);
        board.squares().filter(is_in).for_each(|sq| region.insert(sq));
        region
    }

    /// Returns the rooms that are touched from every free piece of this one, as bits; none if it is full. The flood has
    /// then reached all pieces of the room with the corridors that lead out of them.
    pub(crate) fn links<const W: usize>(
        &self,
        board: &SearchBoard,
        room: RoomIndex,
        boxes: &BitSet<W>,
        flood: &mut Flood,
    ) -> u64 {
        let other = |sq: FloorSquare| self.of(sq).filter(|&other| other != room);
        // A square of another room is touched even if a box stands there.
        flood.place(boxes.iter().filter(|&sq| other(sq).is_none()));
        let mut links = None;
        for &sq in self.squares(room) {
            if !flood.is_free(sq) || flood.reaches(sq) {
                continue;
            }
            let mut touched = 0u64;
            flood.spread_where(board, sq, |next| {
                let other = other(next);
                touched |= other.map_or(0, RoomIndex::bit);
                other.is_none()
            });
            links = Some(links.unwrap_or(u64::MAX) & touched);
        }
        links.unwrap_or(0)
    }
}
