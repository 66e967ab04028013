//! How many links between rooms a position cuts, updated from one macro move to the next.
//!
//! The links of a room depend only on the boxes in it and in the corridors that lead out of it, its *region*. So only
//! rooms in whose region a box has moved are computed again, and results are cached by the boxes in the region.
//!
//! Invariant: a cache entry names the boxes for which it holds, so overwriting it loses nothing but time.

use sokocore::FloorSquare;

use crate::board::Flood;
use crate::board::bit_set::BitSet;

use crate::fess::features::rooms::RoomIndex;
use crate::fess::tables::FessTables;

/// The links of a position, and a cache of the links of single rooms.
#[derive(Debug)]
pub(crate) struct Links<const W: usize> {
    /// The squares of each room's region.
    regions: Vec<BitSet<W>>,
    /// The rooms in whose region a square is, as bits.
    rooms_at: Vec<u64>,
    memory: Vec<Option<(BitSet<W>, u64)>>,
    now: Vec<u64>,
    n_cut: u64,
    then: Vec<u64>,
    flood: Flood,
}

impl<const W: usize> Links<W> {
    /// Cache entries of each room.
    const SLOTS: usize = 1 << 10;

    /// Makes an empty cache.
    pub(crate) fn new(tables: &FessTables<W>) -> Self {
        let (board, rooms) = (tables.board(), &tables.rooms);
        let regions: Vec<BitSet<W>> = rooms.indices().map(|room| rooms.region(board, room)).collect();
        let rooms_at = board
            .live_squares()
            .map(|sq| rooms.indices().filter(|room| regions[room.idx()].has(sq)).fold(0, |all, room| all | room.bit()));
        let rooms_at = rooms_at.collect();
        let n_slots = if rooms.len() > 1 { rooms.len() * Self::SLOTS } else { 0 };
        Self {
            regions,
            rooms_at,
            memory: vec![None; n_slots],
            now: vec![0; rooms.len()],
            n_cut: 0,
            then: Vec::new(),
            flood: Flood::new(board),
        }
    }

    /// Computes the links of a position; returns how many it cuts.
    pub(crate) fn begin(&mut self, tables: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
        if tables.rooms.len() > 1 {
            for room in tables.rooms.indices() {
                self.now[room.idx()] = self.of(tables, room, boxes);
            }
            self.n_cut = tables.rooms.n_cut(&self.now);
        }
        self.n_cut
    }

    /// Returns how many links are cut after a box has moved from one square to the other; `boxes` are those after it.
    pub(crate) fn after(
        &mut self,
        tables: &FessTables<W>,
        boxes: &BitSet<W>,
        from: FloorSquare,
        to: FloorSquare,
    ) -> u64 {
        if tables.rooms.len() <= 1 {
            return 0;
        }
        let rooms = self.rooms_at[from.idx()] | self.rooms_at[to.idx()];
        self.then.clear();
        for room in RoomIndex::of_bits(rooms) {
            let links = self.of(tables, room, boxes);
            if links != self.now[room.idx()] {
                if self.then.is_empty() {
                    self.then.extend(&self.now);
                }
                self.then[room.idx()] = links;
            }
        }
        if self.then.is_empty() { self.n_cut } else { tables.rooms.n_cut(&self.then) }
    }

    fn of(&mut self, tables: &FessTables<W>, room: RoomIndex, boxes: &BitSet<W>) -> u64 {
        let held = boxes.shared(&self.regions[room.idx()]);
        let slot = room.idx() * Self::SLOTS + (held.hash() >> 54) as usize;
        match self.memory[slot] {
            Some((known, links)) if known == held => links,
            _ => {
                let links = tables.rooms.links(tables.board(), room, &held, &mut self.flood);
                self.memory[slot] = Some((held, links));
                links
            }
        }
    }
}
