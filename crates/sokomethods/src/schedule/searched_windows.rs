//! Which windows have been searched in vain.
//!
//! A window is its content: the neighborhood, the ring order, the state it starts in, the pushes to its end, and
//! whether that end is the solved position. While nothing of that changes, searching it again cannot bring anything.

use hashbrown::HashSet;
use parking_lot::Mutex;
use sokosearch::Spine;

/// Entries to remember; forgetting costs time only.
const MAX_ENTRIES: usize = 1 << 20;

/// Fingerprints of windows searched to the end without a gain; threads share it.
#[derive(Debug, Default)]
pub(crate) struct SearchedWindows(Mutex<HashSet<u64>>);

impl SearchedWindows {
    pub(crate) fn contains(&self, window: u64) -> bool {
        self.0.lock().contains(&window)
    }

    pub(crate) fn insert(&self, window: u64) {
        let mut windows = self.0.lock();
        if windows.len() >= MAX_ENTRIES {
            windows.clear();
        }
        windows.insert(window);
    }
}

/// Returns the fingerprint of the window from state `from` to state `to`, searched in the way that `salt` names.
pub(crate) fn fingerprint(spine: &Spine, from: usize, to: usize, salt: u64) -> u64 {
    let start = &spine.states()[from];
    let pushes = spine.pushes()[from..to].iter().flat_map(|push| [push.from.idx() as u64, push.dir.idx() as u64]);
    let ends = [start.player.idx() as u64, u64::from(to == spine.end())];
    start.key.iter().copied().chain(ends).chain(pushes).fold(salt, mix)
}

/// Stirs a number into a fingerprint (the finalizer of Stafford's variant 13).
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let mut mixed = (seed ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
