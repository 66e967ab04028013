//! The path of every box through a solution, with the times of its pushes.

use sokocore::Level;
use sokosearch::{Charge, LiveIndex, MemoryAccount, Spine, Stop};

/// The paths of all boxes.
#[derive(Debug)]
pub(super) struct PhasePaths {
    /// For each box the bits of its squares, in order; the first one is its start.
    paths: Vec<Vec<usize>>,
    /// For each box the numbers of its pushes.
    times: Vec<Vec<usize>>,
    /// For each push the number of its box.
    pushed: Vec<usize>,
    _charge: Charge,
}

impl PhasePaths {
    /// Follows the boxes through the solution.
    pub(super) fn new(level: &Level, live: &LiveIndex, spine: &Spine, account: &MemoryAccount) -> Result<Self, Stop> {
        let n_words = 3 * spine.end() + 8 * level.n_boxes() + live.n_live();
        let charge = account.charge((n_words * size_of::<usize>()) as u64)?;
        let mut paths: Vec<Vec<usize>> = LiveIndex::bits_of(&spine.states()[0].key).map(|bit| vec![bit]).collect();
        let mut times = vec![Vec::new(); paths.len()];
        let mut pushed = Vec::with_capacity(spine.end());
        let mut box_on = vec![0; live.n_live()];
        paths.iter().enumerate().for_each(|(n, path)| box_on[path[0]] = n);
        for (at, push) in spine.pushes().iter().enumerate() {
            let to = push.to(level.board()).and_then(|to| live.bit(to));
            let (from, to) = live.bit(push.from).zip(to).expect("a solution keeps its boxes on live squares");
            let n = box_on[from];
            box_on[to] = n;
            paths[n].push(to);
            times[n].push(at);
            pushed.push(n);
        }
        Ok(Self { paths, times, pushed, _charge: charge })
    }

    /// Returns the squares of a box, as bits.
    pub(super) fn of(&self, n: usize) -> &[usize] {
        &self.paths[n]
    }

    /// Returns the number of the box that a push moves.
    pub(super) fn pushed(&self, at: usize) -> usize {
        self.pushed[at]
    }

    /// Returns the phase vector of spine state `at`.
    pub(super) fn phases_at(&self, at: usize) -> Vec<usize> {
        self.times.iter().map(|times| times.partition_point(|&time| time < at)).collect()
    }

    /// Fills `boxes` with the `n_most` boxes whose pushes are nearest to spine state `at`, before or after it.
    pub(super) fn nearest(&self, at: usize, phases: &[usize], n_most: usize, boxes: &mut Vec<usize>) {
        let wait = |n: usize| {
            let before = phases[n].checked_sub(1).map(|last| at - self.times[n][last]);
            let after = self.times[n].get(phases[n]).map(|next| next + 1 - at);
            before.into_iter().chain(after).min()
        };
        let mut waits: Vec<(usize, usize)> = (0..self.paths.len()).filter_map(|n| Some((wait(n)?, n))).collect();
        waits.sort_unstable();
        boxes.clear();
        boxes.extend(waits.into_iter().take(n_most).map(|(_, n)| n));
    }
}
