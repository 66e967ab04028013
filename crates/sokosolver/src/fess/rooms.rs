//! Rooms of a board and which of them are linked, by Shoham and Schaeffer's FESS.
//!
//! A room is a connected set of 2x2 blocks of floor. Two are linked if from every free piece of one the player can
//! walk through it and through corridors until he touches the other, and the other way round.

use crate::ground::{Flood, Ground};
use crate::packing::Yard;

/// The rooms of a board, at most 64.
#[derive(Debug)]
pub(crate) struct Rooms {
    /// The room of each square; [`Rooms::CORRIDOR`] if none.
    of: Vec<u8>,
    n_rooms: usize,
    n_links: u32,
}

/// Scratch space for links.
#[derive(Debug, Default)]
pub(crate) struct RoomScratch {
    stamps: Vec<u32>,
    round: u32,
    todo: Vec<u16>,
    links: Vec<u64>,
}

impl Rooms {
    /// In no room.
    pub(crate) const CORRIDOR: u8 = u8::MAX;

    /// Finds the rooms.
    pub(crate) fn new(yard: &Yard) -> Self {
        let ground = yard.ground();
        let wall = ground.wall();
        let step = |sq: u16, dir| if sq == wall { wall } else { ground.step(sq, dir) };
        let block = |sq: u16| {
            let squares = [sq, step(sq, 1), step(sq, 2)];
            let last = step(squares[1], 2);
            (squares[1] != wall && squares[2] != wall && last != wall).then_some([sq, squares[1], squares[2], last])
        };
        let is_anchor = |sq: u16| sq != wall && block(sq).is_some();
        let is_kept = |sq: u16| is_anchor(sq) && ground.steps(sq).into_iter().any(is_anchor);
        let mut of = vec![Self::CORRIDOR; ground.n_squares()];
        let mut shared = vec![false; ground.n_squares()];
        let mut done = vec![false; ground.n_squares()];
        let mut n_rooms = 0;
        for first in (0..wall).filter(|&sq| is_kept(sq)) {
            if done[usize::from(first)] || n_rooms == 64 {
                continue;
            }
            done[usize::from(first)] = true;
            let mut todo = vec![first];
            while let Some(sq) = todo.pop() {
                for part in block(sq).into_iter().flatten() {
                    let room = &mut of[usize::from(part)];
                    shared[usize::from(part)] |= *room != Self::CORRIDOR && *room != n_rooms;
                    *room = n_rooms;
                }
                for next in ground.steps(sq).into_iter().filter(|&sq| is_kept(sq)) {
                    if !std::mem::replace(&mut done[usize::from(next)], true) {
                        todo.push(next);
                    }
                }
            }
            n_rooms += 1;
        }
        for (room, _) in of.iter_mut().zip(&shared).filter(|(_, shared)| **shared) {
            *room = Self::CORRIDOR;
        }
        let mut rooms = Self { of, n_rooms: usize::from(n_rooms), n_links: 0 };
        let mut flood = Flood::new(ground);
        flood.place(std::iter::empty());
        rooms.n_links = rooms.links(ground, &flood, &mut RoomScratch::default());
        rooms
    }

    /// Returns the room of a square.
    pub(crate) fn of(&self, sq: u16) -> u8 {
        self.of[usize::from(sq)]
    }

    /// Returns how many links of the empty board the boxes placed in `flood` cut.
    pub(crate) fn cut(&self, ground: &Ground, flood: &Flood, scratch: &mut RoomScratch) -> u32 {
        if self.n_rooms <= 1 { 0 } else { self.n_links.saturating_sub(self.links(ground, flood, scratch)) }
    }

    fn links(&self, ground: &Ground, flood: &Flood, scratch: &mut RoomScratch) -> u32 {
        scratch.stamps.resize(ground.n_squares(), 0);
        scratch.links.clear();
        scratch.links.resize(self.n_rooms, u64::MAX);
        let mut met = 0u64;
        let base = scratch.round;
        for sq in 0..ground.wall() {
            let room = self.of(sq);
            // A piece of its own room is visited once; corridors are visited once for each piece.
            if room == Self::CORRIDOR || !flood.is_free(sq) || scratch.stamps[usize::from(sq)] > base {
                continue;
            }
            scratch.round += 1;
            met |= 1 << room;
            scratch.stamps[usize::from(sq)] = scratch.round;
            scratch.todo.push(sq);
            let mut touched = 0u64;
            while let Some(sq) = scratch.todo.pop() {
                for next in ground.steps(sq).into_iter().filter(|&next| next != ground.wall()) {
                    let other = self.of(next);
                    if other != Self::CORRIDOR && other != room {
                        touched |= 1 << other;
                    } else if flood.is_free(next) && scratch.stamps[usize::from(next)] != scratch.round {
                        scratch.stamps[usize::from(next)] = scratch.round;
                        scratch.todo.push(next);
                    }
                }
            }
            scratch.links[usize::from(room)] &= touched;
        }
        let links = &scratch.links;
        let linked = |one: usize, other: usize| {
            (met >> one & 1 != 0 && met >> other & 1 != 0)
                && (links[one] >> other & 1 != 0 && links[other] >> one & 1 != 0)
        };
        let n = (0..self.n_rooms).map(|one| (0..one).filter(|&other| linked(one, other)).count()).sum::<usize>();
        u32::try_from(n).unwrap_or(0)
    }
}
