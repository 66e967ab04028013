//! The resumption of a run from a checkpoint: what of it still holds.
//!
//! Invariant: a checkpoint changes what is searched and in which order, and never what counts: every solution of it is
//! replayed on the level, and what it calls exhausted or proved counts only for the solution that it is about.

use sokocore::{Solution, Square, replay};
use sokosearch::Context;
use tracing::debug;

use super::arm::{forget_lack_of_memory, restore_arms};
use super::arm_context::ArmContext;
use super::arm_queue::ArmQueue;
use crate::Knobs;
use crate::checkpoint::field::Bits;
use crate::checkpoint::{Checkpoint, level_fingerprint};
use crate::fingerprints::{mix, moves_fingerprint};

/// What a run takes up from a checkpoint.
#[derive(Debug)]
pub(super) struct Resumption {
    /// Without what does not hold.
    checkpoint: Checkpoint,
    solution: Solution,
    /// Whether its solution is the incumbent.
    is_of_incumbent: bool,
}

impl Resumption {
    /// Returns what holds of a checkpoint, and offers its solution to the run; `None` if it is about another level or
    /// objective.
    pub(super) fn of(checkpoint: &Checkpoint, knobs: &Knobs, cx: &mut Context<'_>) -> Option<Self> {
        if checkpoint.level != level_fingerprint(cx.level()) || checkpoint.objective != cx.objective() {
            return None;
        }
        let solution = replay(cx.level(), &checkpoint.solution).ok()?;
        cx.working("checkpoint", "resuming");
        cx.found(solution.lurd());
        let mut checkpoint = checkpoint.clone();
        let keeps_same_end = checkpoint.kept_end == cx.kept_end().map(Square::idx);
        if !keeps_same_end {
            checkpoint.searched.clear();
            checkpoint.led_in = None;
            checkpoint.is_proved = false;
        }
        if !keeps_same_end || checkpoint.settings != settings_fingerprint(knobs) {
            checkpoint.arms.clear();
        }
        if checkpoint.arms.is_empty() {
            // The arms restart, and their shares with them.
            checkpoint.ticks_before = checkpoint.ticks();
            (checkpoint.ticks_of_arms, checkpoint.ticks_of_proofs, checkpoint.has_failed_proof) = (0, 0, false);
        }
        if cx.budget().memory().limit() > checkpoint.memory {
            checkpoint.is_short_of_memory = false;
            checkpoint.has_failed_proof = false;
            forget_lack_of_memory(&mut checkpoint.arms);
        }
        let is_of_incumbent = cx.incumbent().lurd() == solution.lurd();
        let (n_windows, n_arms) = (checkpoint.searched.len(), checkpoint.arms.len());
        debug!(n_runs = checkpoint.n_runs, n_windows, n_arms, is_of_incumbent, "resuming");
        Some(Self { checkpoint, solution, is_of_incumbent })
    }

    /// Returns what holds of the checkpoint.
    pub(super) const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Returns the ticks of the earlier runs whose arms are taken up.
    pub(super) const fn ticks(&self) -> u64 {
        self.checkpoint.ticks_of_arms + self.checkpoint.ticks_of_proofs
    }

    /// Returns whether the earlier run has proved that nothing is better than the incumbent.
    pub(super) fn is_proved(&self, cx: &Context<'_>) -> bool {
        let score = |solution: &Solution| cx.objective().score(&solution.metrics());
        self.checkpoint.is_proved && score(&cx.incumbent()) == score(&self.solution)
    }

    /// Returns whether what comes before the arms was done with the incumbent, or nothing is left to try. It takes little, and
    /// gains on what the arms have made of the solution since it was last done.
    pub(super) fn is_led_in(&self) -> bool {
        let was_led_in = self.checkpoint.led_in == Some(Bits(moves_fingerprint(self.solution.lurd())));
        let has_arms = !self.checkpoint.arms.is_empty();
        self.is_of_incumbent && has_arms && (was_led_in || self.checkpoint.is_exhausted)
    }

    /// Returns the given solutions that were not relinked yet, with the checkpoint's own if the run has another one.
    pub(super) fn unlinked(&self, others: &[Solution]) -> Vec<Solution> {
        let is_new = |other: &&Solution| !self.checkpoint.relinked.contains(&Bits(moves_fingerprint(other.lurd())));
        let own = Some(&self.solution).filter(|_| !self.is_of_incumbent);
        others.iter().filter(is_new).chain(own).cloned().collect()
    }

    /// Returns the solution of the earlier run if the incumbent is another one.
    pub(super) fn former(&self, cx: &Context<'_>) -> Option<&Solution> {
        Some(&self.solution).filter(|former| former.lurd() != cx.incumbent().lurd() && !self.is_of_incumbent)
    }

    /// Returns whether the earlier run had an arm of this name.
    pub(super) fn has_arm(&self, name: &str) -> bool {
        self.checkpoint.arms.iter().any(|arm| arm.name() == name)
    }

    /// Lets the arms take up their states. If the incumbent is another solution than that of the checkpoint, from the start or
    /// by now, all arms are revived, as by a gain.
    pub(super) fn restore(&self, queue: &mut ArmQueue, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) {
        let saved = &self.checkpoint;
        restore_arms(queue.arms.iter_mut().flatten(), &saved.arms, arm_cx, cx);
        queue.has_failed_proof = saved.has_failed_proof;
        queue.proof = match queue.proof {
            Some(_) if saved.has_failed_proof => None,
            // A proof that a limit has cut short is tried again after as much other work.
            proof => proof.map(|ticks| ticks.saturating_add(saved.ticks_of_proofs)),
        };
        if saved.is_short_of_memory && !saved.arms.is_empty() {
            cx.note_short_of_memory();
        }
        if cx.incumbent().lurd() != self.solution.lurd() {
            queue.revive(cx.best().metrics());
        }
    }
}

/// Returns the fingerprint of the settings that decide what an arm searches, by their names where they have some. Seeds,
/// threads and limits do not.
pub(crate) fn settings_fingerprint(knobs: &Knobs) -> Bits {
    let numbers = [
        knobs.rearrange_ahead as u64,
        knobs.delay_ahead as u64,
        knobs.free_boxes as u64,
        knobs.window_slice,
        knobs.phase_distance as u64,
        knobs.relink_ring as u64,
        u64::from(knobs.relinks),
    ];
    let vicinity = knobs.vicinity.iter().map(|&limit| limit as u64);
    let techniques = knobs.techniques.iter().flat_map(|technique| technique.name().bytes().map(u64::from));
    Bits(numbers.into_iter().chain(vicinity).chain(techniques).fold(0, mix))
}
