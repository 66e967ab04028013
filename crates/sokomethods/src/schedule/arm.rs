//! One arm of the schedule: something that may gain, what it has gained, and whether it is worth another slice.

use std::cmp::Ordering;

use sokosearch::{Context, Stop};

use super::field::Field;
use super::lineages::{self, Lineages};
use super::method_arm::MethodArm;
use super::plateau::Plateau;
use super::tube_arm::TubeArm;
use super::windows_in_hand::WindowsInHand;
use super::worth::Worth;

/// What became of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slice {
    /// It did all it meant to do.
    Finished,
    /// It was over before that.
    CutShort,
    /// There was nothing to do: the window was searched before.
    Skipped,
    /// Others are at all that is left to do.
    Taken,
    /// Not even the least of it can be done in the memory there is.
    Hopeless,
}

/// A neighborhood or a method, with its worth.
#[derive(Debug)]
pub(crate) struct Arm {
    kind: Kind,
    rank: usize,
    worth: Worth,
    is_hopeless: bool,
    /// How many windows had been put back when others were at all that it had to do.
    waits_since: Option<u64>,
}

#[derive(Debug)]
enum Kind {
    Tube(TubeArm),
    Method(MethodArm),
    Plateau(Box<Plateau>),
    Lineages(Box<Lineages>),
}

impl Arm {
    pub(crate) fn tube(arm: TubeArm, rank: usize) -> Self {
        Self::new(Kind::Tube(arm), rank)
    }

    pub(crate) fn method(arm: MethodArm, rank: usize) -> Self {
        Self::new(Kind::Method(arm), rank)
    }

    pub(crate) fn plateau(walk: Plateau, rank: usize) -> Self {
        Self::new(Kind::Plateau(Box::new(walk)), rank)
    }

    pub(crate) fn lineages(lineages: Lineages, rank: usize) -> Self {
        Self::new(Kind::Lineages(Box::new(lineages)), rank)
    }

    fn new(kind: Kind, rank: usize) -> Self {
        Self { kind, rank, worth: Worth::of_rank(rank), is_hopeless: false, waits_since: None }
    }

    pub(crate) fn name(&self) -> &str {
        match &self.kind {
            Kind::Tube(arm) => arm.name(),
            Kind::Method(arm) => arm.name(),
            Kind::Plateau(_) => "plateau",
            Kind::Lineages(_) => "lineages",
        }
    }

    /// Its place among the arms, from cheap to costly.
    pub(crate) const fn rank(&self) -> usize {
        self.rank
    }

    /// Whether it searches with several boxes displaced at once.
    pub(crate) fn displaces_several(&self) -> bool {
        matches!(&self.kind, Kind::Tube(arm) if arm.n_displaced() > 1)
    }

    /// Whether it has nothing left to try on the present spine.
    pub(crate) fn is_retired(&self) -> bool {
        self.is_hopeless
            || match &self.kind {
                Kind::Tube(arm) => arm.is_done(),
                Kind::Method(arm) => arm.is_done(),
                Kind::Plateau(walk) => walk.is_done(),
                Kind::Lineages(lineages) => lineages.is_done(),
            }
    }

    /// Whether others are still at all that it has to do.
    pub(crate) fn waits(&self, in_hand: &WindowsInHand) -> bool {
        self.waits_since == Some(in_hand.n_put_back())
    }

    /// Brings the arm back: the spine has changed.
    pub(crate) fn revive(&mut self) {
        self.waits_since = None;
        self.worth.forgive();
        match &mut self.kind {
            Kind::Tube(arm) => arm.revive(),
            Kind::Method(arm) => arm.revive(),
            Kind::Plateau(walk) => walk.revive(),
            Kind::Lineages(lineages) => lineages.revive(),
        }
    }

    /// Takes the arm out for good.
    pub(crate) const fn give_up(&mut self) {
        self.is_hopeless = true;
    }

    /// Compares by gain per tick.
    pub(crate) fn compare_worth(&self, other: &Self) -> Ordering {
        self.worth.compare(&other.worth)
    }

    /// Takes note of what a slice gained on a solution of so many pushes.
    pub(crate) fn reward(&mut self, gain: f64, ticks: u64, n_pushes: u64) {
        // A lineage has to grow before it can gain.
        let is_patient = matches!(self.kind, Kind::Lineages(_));
        self.worth.add(gain, if is_patient { ticks / lineages::WEIGHT } else { ticks }, n_pushes);
        if let Kind::Tube(arm) = &mut self.kind {
            arm.note_gain(gain);
        }
    }

    /// Runs one slice.
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        // Counted before anything is refused: what is put back after that may be what was refused.
        let n_put_back = field.in_hand.n_put_back();
        let slice = match &mut self.kind {
            Kind::Tube(arm) => arm.run_slice(field, cx),
            Kind::Method(arm) => arm.run_slice(field, cx),
            Kind::Plateau(walk) => walk.run_slice(field, cx),
            Kind::Lineages(lineages) => lineages.run_slice(field, cx),
        };
        self.waits_since = (slice == Ok(Slice::Taken)).then_some(n_put_back);
        slice
    }
}
