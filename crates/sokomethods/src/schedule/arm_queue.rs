//! The arms of a run that are free, and what the run has done so far.
//!
//! Invariant: a place is empty only while a thread runs its arm, so at the end of a run all arms are there.

use sokocore::{Metrics, Solution};
use sokosearch::{Context, Stop};

use super::arm::{Arm, SavedArm};
use super::window_locks::WindowLocks;
use super::worth::PriorGain;
use crate::checkpoint::field::Bits;
use crate::fingerprints::moves_fingerprint;

/// The arms that are free, and the state of the run.
#[derive(Debug, Default)]
pub(super) struct ArmQueue {
    /// The place of a running arm is empty.
    pub(super) arms: Vec<Option<Arm>>,
    pub(super) n_running: usize,
    /// Whether all threads search the whole space.
    pub(super) is_proving: bool,
    /// Ticks after which a proof is worth trying.
    pub(super) proof: Option<u64>,
    /// Ticks of the arms, and of what comes before them; with those of earlier runs that this one continues.
    pub(super) ticks: u64,
    /// Ticks of proofs, in the same way.
    pub(super) ticks_of_proofs: u64,
    /// Whether a proof has failed.
    pub(super) has_failed_proof: bool,
    /// Number of gains so far.
    pub(super) n_gains: u64,
    pub(super) end: Option<Result<(), Stop>>,
    /// Metrics of the best solution that the arms know of: another thread may have found a better one since then.
    pub(super) best_known: Metrics,
    /// Fingerprint of the solution when it was filled.
    pub(super) led_in: Option<Bits>,
    /// Whether the relinking of given solutions was cut off.
    pub(super) has_cut_relinking: bool,
    /// Former best solutions that arms are to keep which are taken: the place of the arm, and the last one for each place.
    formers: Vec<(usize, Solution)>,
    /// The arms when they were last saved.
    saved: Vec<Option<SavedArm>>,
}

impl ArmQueue {
    /// Fills the empty queue with arms that are to improve a solution.
    pub(super) fn fill(&mut self, arms: Vec<Arm>, proof: Option<u64>, best: &Solution) {
        self.best_known = best.metrics();
        self.led_in = Some(Bits(moves_fingerprint(best.lurd())));
        self.saved = arms.iter().map(|_| None).collect();
        self.arms = arms.into_iter().map(Some).collect();
        self.proof = proof;
    }

    /// Returns whether it was never filled.
    pub(super) const fn is_empty(&self) -> bool {
        self.arms.is_empty()
    }

    /// Returns the arms that are free and have something to try now, with their places.
    fn open(&self) -> impl Iterator<Item = (usize, &Arm)> {
        let free = self.arms.iter().enumerate().filter_map(|(place, arm)| Some((place, arm.as_ref()?)));
        free.filter(|(_, arm)| !arm.is_retired() && !arm.is_waiting(self.ticks))
    }

    /// Returns the place of the best arm that is free and not blocked.
    pub(super) fn best(&self, prior_gain: PriorGain, locks: &WindowLocks) -> Option<usize> {
        let ready = self.open().filter(|(_, arm)| !arm.is_blocked(locks));
        let order = |(_, one): &(usize, &Arm), (_, other): &(usize, &Arm)| {
            one.is_due(self.ticks).cmp(&other.is_due(self.ticks)).then_with(|| one.compare_worth(other, prior_gain))
        };
        let best = ready.max_by(order);
        best.map(|(place, _)| place)
    }

    /// Returns an arm that was taken to its place.
    pub(super) fn put_back(&mut self, place: usize, mut arm: Arm, cx: &Context<'_>) {
        if let Some(at) = self.formers.iter().position(|(of, _)| *of == place) {
            arm.keep_former(&self.formers.swap_remove(at).1, cx);
        }
        self.arms[place] = Some(arm);
    }

    /// Lets the arms keep a former best solution. An arm that is taken is told when it returns.
    pub(super) fn keep_former(&mut self, former: &Solution, cx: &Context<'_>) {
        for (place, arm) in self.arms.iter_mut().enumerate() {
            if let Some(arm) = arm {
                arm.keep_former(former, cx);
            } else {
                self.formers.retain(|(of, _)| *of != place);
                self.formers.push((place, former.clone()));
            }
        }
    }

    /// Returns whether an arm is free that has something left to try.
    pub(super) fn has_blocked(&self) -> bool {
        self.open().next().is_some()
    }

    /// Brings the retired arms back: the spine has changed to one of these metrics.
    pub(super) fn revive(&mut self, best: Metrics) {
        self.best_known = best;
        self.arms.iter_mut().flatten().for_each(Arm::revive);
        self.saved.iter_mut().flatten().for_each(SavedArm::outdate);
    }

    /// Returns the states of the arms in a run whose best solution has these metrics. A running arm has the state that it was
    /// last saved with, or none.
    pub(super) fn save(&mut self, best: Metrics) -> Vec<SavedArm> {
        for (arm, saved) in self.arms.iter().zip(&mut self.saved) {
            if let Some(arm) = arm {
                *saved = Some(arm.save());
            }
        }
        let saved = self.saved.iter().flatten();
        saved.map(|arm| if best == self.best_known { arm.clone() } else { arm.outdated() }).collect()
    }
}
