//! How many links between rooms a position cuts, kept up to date from one macro move to the next.
//!
//! What a room is linked to depends only on the boxes in it and in the corridors that lead out of it, its *region*. So
//! only the rooms in whose region a box has moved are looked at again, and what is found is kept by the boxes in it.
//!
//! **Invariant**: an entry of the memory names the boxes for which it holds, so overwriting loses nothing but time.

use crate::board::bit_set::BitSet;

use crate::fess::features::rooms::RoomScratch;
use crate::fess::tables::FessTables;

/// The links of a position, and a memory of those of single rooms.
#[derive(Debug)]
pub(crate) struct Links<const W: usize> {
    /// The squares of each room's region.
    regions: Vec<BitSet<W>>,
    /// In which regions a square is.
    rooms_at: Vec<u64>,
    memory: Vec<Option<(BitSet<W>, u64)>>,
    now: Vec<u64>,
    n_cut: u64,
    then: Vec<u64>,
    scratch: RoomScratch,
}

impl<const W: usize> Links<W> {
    /// What is kept of each room.
    const SLOTS: usize = 1 << 10;

    /// Knows nothing yet.
    pub(crate) fn new(terrain: &FessTables<W>) -> Self {
        let (ground, rooms) = (terrain.ground(), &terrain.rooms);
        let regions: Vec<BitSet<W>> = (0..rooms.len()).map(|room| rooms.region(ground, room)).collect();
        let live = 0..u16::try_from(ground.n_live()).unwrap_or(u16::MAX);
        let rooms_at = live
            .map(|sq| (0..rooms.len()).filter(|&room| regions[room].has(sq)).fold(0, |rooms, room| rooms | 1 << room));
        let rooms_at = rooms_at.collect();
        let n_slots = if rooms.len() > 1 { rooms.len() * Self::SLOTS } else { 0 };
        Self {
            regions,
            rooms_at,
            memory: vec![None; n_slots],
            now: vec![0; rooms.len()],
            n_cut: 0,
            then: Vec::new(),
            scratch: RoomScratch::default(),
        }
    }

    /// FeatureMask at a position; returns how many links it cuts.
    pub(crate) fn begin(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
        if terrain.rooms.len() > 1 {
            for room in 0..terrain.rooms.len() {
                self.now[room] = self.of(terrain, room, boxes);
            }
            self.n_cut = terrain.rooms.n_cut(&self.now);
        }
        self.n_cut
    }

    /// Returns how many links are cut after a box has gone from one square to the other; `boxes` are those after it.
    pub(crate) fn after(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>, from: u16, to: u16) -> u64 {
        if terrain.rooms.len() <= 1 {
            return 0;
        }
        let mut rooms = self.rooms_at[usize::from(from)] | self.rooms_at[usize::from(to)];
        self.then.clear();
        while rooms != 0 {
            let room = rooms.trailing_zeros() as usize;
            rooms &= rooms - 1;
            let links = self.of(terrain, room, boxes);
            if links != self.now[room] {
                if self.then.is_empty() {
                    self.then.extend(&self.now);
                }
                self.then[room] = links;
            }
        }
        if self.then.is_empty() { self.n_cut } else { terrain.rooms.n_cut(&self.then) }
    }

    fn of(&mut self, terrain: &FessTables<W>, room: usize, boxes: &BitSet<W>) -> u64 {
        let held = boxes.shared(&self.regions[room]);
        let slot = room * Self::SLOTS + (held.hash_with(0) >> 54) as usize;
        match self.memory[slot] {
            Some((known, links)) if known == held => links,
            _ => {
                let links = terrain.rooms.links(terrain.ground(), room, &held, &mut self.scratch);
                self.memory[slot] = Some((held, links));
                links
            }
        }
    }
}
