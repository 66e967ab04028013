//! The whole space of a small level: every configuration that could lie on any solution.
//!
//! All configurations that pulls lead to from a solved one, whether or not the player could reach each pull: a superset
//! of those that any solution visits. So a search through it is exhaustive, and its result is optimal, not only within
//! some neighborhood.

use sokocore::{Direction, Level};

use crate::store::bits::{toggle, toggle_both};
use crate::store::recycling_queue::RecyclingQueue;
use crate::{ConfigId, ConfigStore, Context, Engine, HashStore, Inserted, LiveIndex, Order, Stop};

/// Returns an upper bound on the number of configurations: all ways of placing the boxes on live squares.
/// `None` if it is beyond 2^40.
#[must_use]
pub fn n_placements(level: &Level, live: &LiveIndex) -> Option<u64> {
    let (n_live, n_boxes) = (live.n_live() as u64, level.n_boxes() as u64);
    let small = n_boxes.min(n_live.checked_sub(n_boxes)?);
    (0..small).try_fold(1_u64, |ways, at| {
        let next = ways * (n_live - at) / (at + 1);
        (next < 1 << 40).then_some(next)
    })
}

/// Collects the whole space, or returns `None` if it might not fit into the engine's share of the memory.
///
/// # Errors
/// The run was stopped.
pub fn whole_space(
    live: &LiveIndex,
    engine: Engine,
    order: Order,
    cx: &mut Context<'_>,
) -> Result<Option<HashStore>, Stop> {
    let level = cx.level();
    let account = cx.budget().memory();
    let Some(n_placements) = n_placements(level, live) else { return Ok(None) };
    let state_bytes = engine.bytes_per_config(order, level.board().n_squares());
    let limit = engine.byte_limit(order, account);
    let Ok(store) = HashStore::with_room(live.words(), n_placements, account, limit, state_bytes) else {
        return Ok(None);
    };
    let mut space = SpaceBuilder { live, store, open: RecyclingQueue::new(account), key: vec![0; live.words()] };
    let goals: Vec<usize> = level.board().goals().iter().filter_map(|sq| live.bit(sq)).collect();
    match space.add_solved(&goals, level.n_boxes(), cx).and_then(|()| space.close(cx)) {
        Ok(()) => Ok(Some(space.store)),
        Err(Stop::Memory) => Ok(None),
        Err(stop) => Err(stop),
    }
}

struct SpaceBuilder<'a> {
    live: &'a LiveIndex,
    store: HashStore,
    /// Configurations that have not been expanded. The store never grows, so numbers stay valid.
    open: RecyclingQueue<ConfigId>,
    key: Vec<u64>,
}

impl SpaceBuilder<'_> {
    /// Adds every way to place `n_boxes` more boxes on `goals`.
    fn add_solved(&mut self, goals: &[usize], n_boxes: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        if n_boxes == 0 {
            return self.add(cx);
        }
        for at in 0..=goals.len().saturating_sub(n_boxes) {
            let Some(&goal) = goals.get(at) else { break };
            toggle(&mut self.key, goal);
            let done = self.add_solved(&goals[at + 1..], n_boxes - 1, cx);
            toggle(&mut self.key, goal);
            done?;
        }
        Ok(())
    }

    fn add(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick()?;
        if self.store.insert(&self.key, cx)? == Inserted::New
            && let Some(id) = self.store.find(&self.key)
        {
            self.open.push(id)?;
        }
        Ok(())
    }

    /// Adds all configurations that pulls lead to.
    fn close(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let board = cx.level().board();
        while let Some(id) = self.open.pop() {
            self.store.read(id, &mut self.key);
            let boxes: Vec<usize> = LiveIndex::bits_of(&self.key).collect();
            for (bit, dir) in boxes.iter().flat_map(|&bit| Direction::ALL.map(|dir| (bit, dir))) {
                // The player stands on `near`, pulls the box there, and ends on `far`.
                let Some(near) = board.step(self.live.square(bit), dir) else { continue };
                let Some(far) = board.step(near, dir) else { continue };
                let Some(to) = self.live.bit(near) else { continue };
                if self.live.has_box(&self.key, near) || self.live.has_box(&self.key, far) {
                    continue;
                }
                toggle_both(&mut self.key, bit, to);
                let done = self.add(cx);
                toggle_both(&mut self.key, to, bit);
                done?;
            }
        }
        Ok(())
    }
}
