//! Strategies that take turns on one level, each with its trees paused between them; on one thread or more.
//!
//! ```text
//!   thread 1 ── turn ──▶ VariantScheduler: members and trees ◀── turn ── thread 2
//!       └── positions ──▶ Perimeter ◀── positions ──┘        where two trees meet the level is solved
//! ```
//!
//! The member with the least work for its weight goes next, for half of what it had before. All share the commons:
//! a position that one knows from the goals solves the level for whoever meets it from the start.
//!
//! Invariant: turns are counted in ticks, so with one thread the same work is done whatever the slices from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sokocore::Push;
use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::{Flood, SearchDirection};

use super::step::{Meeting, Step};
use super::variant::Variant;
use crate::fess::shared_tables::SharedTables;
use crate::fess::variant_scheduler::{Tree, Turn, VariantScheduler};

/// The strategies of a level, as one thread sees them.
#[derive(Debug)]
pub(crate) struct Team<const W: usize> {
    commons: SharedTables<W>,
    turn: Option<Turn<W>>,
    shared: Arc<Shared<W>>,
}

/// What all threads work on.
#[derive(Debug)]
struct Shared<const W: usize> {
    roll: Mutex<VariantScheduler<W>>,
    n_nodes: AtomicU64,
}

impl<const W: usize> Team<W> {
    /// So many ticks later another thread may look into the tree that is worked on.
    const BREATH: u64 = 5_000;

    /// Puts a team together.
    pub(crate) fn new(commons: SharedTables<W>, variants: &[&'static Variant]) -> Self {
        let (starts, player) = (commons.terrain.starts, commons.terrain.ground().player());
        let mut flood = Flood::new(commons.terrain.ground());
        let zone = flood.run(commons.terrain.ground(), &starts, player);
        commons.perimeter.lock().note(SearchDirection::Forward, starts.hash_with(zone));
        let shared = Shared { roll: Mutex::new(VariantScheduler::new(variants)), n_nodes: AtomicU64::new(0) };
        Self { commons, turn: None, shared: Arc::new(shared) }
    }

    /// Returns the same team for another thread.
    pub(crate) fn fork_worker(&self, effort: &WorkMeter) -> Self {
        Self { commons: self.commons.for_another(effort), turn: None, shared: Arc::clone(&self.shared) }
    }

    /// Returns how many positions all have expanded.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.shared.n_nodes.load(Ordering::Relaxed)
    }

    /// Goes on; `None` when nobody is left for this thread.
    pub(crate) fn resume(&mut self, effort: &mut WorkMeter) -> Result<Option<Vec<Push>>, Stop> {
        loop {
            if self.turn.is_none() {
                self.turn = self.shared.roll.lock().take(&self.commons, effort);
            }
            let Some(turn) = self.turn.clone() else { return Ok(None) };
            let until = turn.until.min(effort.ticks() + Self::BREATH);
            let (step, is_pulling) = self.work(&turn, effort, until)?;
            match step {
                Step::Solved(pushes) => return Ok(Some(pushes)),
                Step::Met(meeting) => {
                    let pushes = self.join(&meeting, is_pulling);
                    let strategy = self.shared.roll.lock().name(&turn);
                    tracing::debug!(strategy, ok = pushes.is_some(), "met");
                    if pushes.is_some() {
                        return Ok(pushes);
                    }
                }
                Step::Paused if effort.ticks() < turn.until => {}
                Step::Paused => self.end(&turn, false, effort.ticks()),
                Step::Exhausted => self.end(&turn, true, effort.ticks()),
            }
        }
    }

    /// Works on the tree whose turn it is; returns whether it is one of pulls, too.
    fn work(&mut self, turn: &Turn<W>, effort: &mut WorkMeter, until: u64) -> Result<(Step<W>, bool), Stop> {
        let tree = &mut *turn.tree.lock();
        let before = tree.n_nodes();
        let step = match tree {
            Tree::Start => Ok(Step::Exhausted),
            Tree::Pulls(search) => search.resume(&mut self.commons, effort, until),
            Tree::Pushes(search) => search.resume(&mut self.commons, effort, until),
        };
        self.shared.n_nodes.fetch_add((tree.n_nodes() - before) as u64, Ordering::Relaxed);
        Ok((step?, tree.is_pulling()))
    }

    fn end(&mut self, turn: &Turn<W>, is_over: bool, now: u64) {
        self.shared.roll.lock().give_back(turn, is_over, now);
        self.turn = None;
    }

    /// Joins the way of a tree with that of one of the other side that it has met; `None` if it has not after all.
    fn join(&self, meeting: &Meeting<W>, is_pulling: bool) -> Option<Vec<Push>> {
        let trees = self.shared.roll.lock().trees();
        for (number, tree) in (0..).zip(trees).filter(|&(number, _)| number != meeting.tree) {
            let tree = tree.lock();
            let pushes =
                if tree.is_pulling() == is_pulling { None } else { tree.join(&self.commons.terrain, &meeting.way) };
            if pushes.is_some() {
                note_meeting(meeting.tree, number);
                return pushes;
            }
        }
        None
    }
}

/// Who met whom is of interest to tests only.
#[cfg(not(test))]
const fn note_meeting(_: u16, _: u16) {}

#[cfg(test)]
fn note_meeting(one: u16, other: u16) {
    super::tests::MET.set(Some([one.min(other), one.max(other)]));
}

impl<const W: usize> Drop for Team<W> {
    /// Whoever leaves in the middle of a turn leaves it to others.
    fn drop(&mut self) {
        if let Some(turn) = self.turn.take() {
            let now = turn.until;
            self.shared.roll.lock().give_back(&turn, false, now);
        }
    }
}
