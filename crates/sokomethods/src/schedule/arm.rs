//! An arm of the bandit: a search that runs in slices, and the value of its next slice.

use std::cmp::Ordering;
use std::fmt;

use sokocore::Solution;
use sokosearch::{Context, Stop};

use super::announce::announced;
use super::arm_context::ArmContext;
use super::deordered_windows::ClusterCounts;
use super::lineages::{SavedLineages, SavedMultiStart, SavedPushesFirst, SavedReformulation, SavedReplanning};
use super::method_arm::SavedMethod;
use super::optimal_arm::SavedOptimal;
use super::optimal_windows::SavedWindows;
use super::plateau::SavedPlateau;
use super::ruin_recreate::SavedRuinRecreate;
use super::tube_arm::SavedTube;
use super::window_locks::WindowLocks;
use super::worth::{PriorGain, SavedWorth, Worth};
use crate::TechniqueSet;
use crate::checkpoint::field::{Field, FieldReader, fields};
use crate::fingerprints::mix;

/// A search that runs slice by slice and keeps its state between slices.
pub(crate) trait SlicedSearch: fmt::Debug + Send {
    /// Its name in logs.
    fn name(&self) -> &str;

    /// Returns the techniques that its next slice belongs to.
    fn techniques(&self) -> TechniqueSet;

    /// Runs one slice.
    ///
    /// # Errors
    /// Why the run stopped, or [`Stop::Memory`] if the slice cannot even begin.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop>;

    /// Returns whether nothing is left to try on the present spine.
    fn is_done(&self) -> bool;

    /// Resumes a search that is done: the spine has changed.
    fn revive(&mut self);

    /// Returns its state for a checkpoint.
    fn save(&self) -> SavedSearch;

    /// Takes up the state of a search of its name in an earlier run. What does not fit is left out.
    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>);

    /// Reports the gain of the last slice, and the ticks of all slices.
    fn note_slice(&mut self, gain: f64, all_ticks: u64) {
        let _ = (gain, all_ticks);
    }

    /// Keeps a solution that the run has improved so far and that a better one from outside has replaced.
    fn keep_former(&mut self, former: &Solution, cx: &Context<'_>) {
        let _ = (former, cx);
    }

    /// Begins at a place of the solution that a random number chooses, if it has a choice.
    fn begin_at(&mut self, place: u64) {
        let _ = place;
    }

    /// Returns how many boxes it displaces at once.
    fn n_displaced(&self) -> usize {
        0
    }

    /// Returns its reserved part of all work, 0 to 1: while it has had less, its slices come first. All arms have had
    /// `all_ticks` so far.
    fn reserved_share(&self, all_ticks: u64) -> f64 {
        let _ = all_ticks;
        0.0
    }

    /// Returns whether it has nothing to do before all arms have had more ticks. Once all others are retired, the run does not
    /// wait for it.
    fn is_waiting(&self, all_ticks: u64) -> bool {
        let _ = all_ticks;
        false
    }

    /// Returns the number of its ticks that count as one.
    fn ticks_per_charge(&self) -> u64 {
        1
    }
}

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArmSliceEnd {
    /// The search did all that it meant to do.
    Finished,
    /// The slice was too short for that.
    CutShort,
    /// There was nothing to do: the window had been searched before.
    Skipped,
    /// Other threads, or other islands, hold locks on all that is left to do.
    Blocked,
    /// The least part of the search does not fit into memory.
    Hopeless,
}

/// A search with its rank and its value.
#[derive(Debug)]
pub(crate) struct Arm {
    search: Box<dyn SlicedSearch>,
    rank: usize,
    worth: Worth,
    /// Ticks of all slices.
    ticks: u64,
    is_hopeless: bool,
    /// Number of locks that had been released when the arm was last blocked.
    blocked_at: Option<u64>,
}

/// An arm as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedArm {
    name: String,
    worth: SavedWorth,
    ticks: u64,
    is_hopeless: bool,
    /// Whether the spine has changed since it was saved.
    is_stale: bool,
    search: SavedSearch,
}

fields!(SavedArm { name, worth, ticks, is_hopeless, is_stale, search });

/// The state of a search as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SavedSearch {
    Tube(SavedTube),
    Method(SavedMethod),
    Plateau(SavedPlateau),
    MultiStart(SavedMultiStart),
    Lineages(SavedLineages),
    Optimal(SavedOptimal),
    Windows(SavedWindows),
    PushesFirst(SavedPushesFirst),
    Reformulation(Box<SavedReformulation>),
    RuinRecreate(SavedRuinRecreate),
    Replanning(SavedReplanning),
    DeorderedWindows(ClusterCounts),
}

impl Arm {
    pub(crate) fn new(search: impl SlicedSearch + 'static, rank: usize) -> Self {
        Self {
            search: Box::new(search),
            rank,
            worth: Worth::of_rank(rank),
            ticks: 0,
            is_hopeless: false,
            blocked_at: None,
        }
    }

    /// Lets the seed of a run decide how early the arm has its first slice and where it begins. Seed 0 changes nothing, so
    /// runs of other seeds take the arms in other orders.
    pub(crate) fn vary(&mut self, seed: u64) {
        if seed != 0 {
            let number = self.name().bytes().map(u64::from).fold(seed, mix);
            self.worth.vary(number);
            self.search.begin_at(mix(number, 1));
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.search.name()
    }

    /// Returns its place among the arms, from cheap to costly.
    pub(crate) const fn rank(&self) -> usize {
        self.rank
    }

    /// Returns how many boxes its search displaces at once.
    pub(crate) fn n_displaced(&self) -> usize {
        self.search.n_displaced()
    }

    /// Returns whether it has nothing left to try on the present spine.
    pub(crate) fn is_retired(&self) -> bool {
        self.is_hopeless || self.search.is_done()
    }

    /// Returns whether it has nothing to do before all arms have had more ticks.
    pub(crate) fn is_waiting(&self, all_ticks: u64) -> bool {
        self.search.is_waiting(all_ticks)
    }

    /// Keeps a former best solution of the run, if that is its business.
    pub(crate) fn keep_former(&mut self, former: &Solution, cx: &Context<'_>) {
        self.search.keep_former(former, cx);
    }

    /// Returns whether no lock was released since it was blocked.
    pub(crate) fn is_blocked(&self, locks: &WindowLocks) -> bool {
        self.blocked_at == Some(locks.n_released())
    }

    /// Brings a retired arm back: the spine has changed.
    pub(crate) fn revive(&mut self) {
        self.blocked_at = None;
        self.worth.discount_ticks();
        self.search.revive();
    }

    /// Retires the arm for good.
    pub(crate) const fn give_up(&mut self) {
        self.is_hopeless = true;
    }

    /// Returns whether it has had less than its reserved part of so many ticks.
    pub(crate) fn is_due(&self, all_ticks: u64) -> bool {
        (self.ticks as f64) < self.search.reserved_share(all_ticks) * all_ticks as f64
    }

    /// Compares by gain per tick.
    pub(crate) fn compare_worth(&self, other: &Self, prior_gain: PriorGain) -> Ordering {
        self.worth.compare(&other.worth, prior_gain)
    }

    /// Adds the gain of a slice on a solution of `n_pushes` pushes to its value.
    pub(crate) fn reward(&mut self, gain: f64, ticks: u64, n_pushes: u64) {
        self.ticks += ticks;
        self.worth.add(gain, ticks / self.search.ticks_per_charge(), n_pushes);
        self.search.note_slice(gain, self.ticks);
    }

    pub(crate) fn save(&self) -> SavedArm {
        SavedArm {
            name: self.name().to_owned(),
            worth: self.worth.save(),
            ticks: self.ticks,
            is_hopeless: self.is_hopeless,
            is_stale: false,
            search: self.search.save(),
        }
    }

    /// Takes up the state of an arm of its name in an earlier run.
    fn restore(&mut self, saved: &SavedArm, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        self.worth.restore(saved.worth);
        (self.ticks, self.is_hopeless) = (saved.ticks, saved.is_hopeless);
        self.search.restore(&saved.search, arm_cx, cx);
        if saved.is_stale {
            self.revive();
        }
    }

    /// Runs one slice.
    pub(crate) fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        // Read before any lock is refused: a lock released later may be the one that was missing.
        let n_released = arm_cx.locks.n_released();
        let end = announced(self.search.techniques(), cx, |cx| self.search.run_slice(arm_cx, cx));
        self.blocked_at = (end == Ok(ArmSliceEnd::Blocked)).then_some(n_released);
        end
    }
}

impl SavedArm {
    /// Returns the name of the arm.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the ticks of all its slices.
    pub(crate) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Notes that the spine has changed.
    pub(crate) const fn outdate(&mut self) {
        self.is_stale = true;
    }

    /// Returns the same arm for another spine.
    pub(crate) fn outdated(&self) -> Self {
        Self { is_stale: true, ..self.clone() }
    }

    /// Leaves out what followed from a lack of memory.
    pub(crate) fn forget_lack_of_memory(&mut self) {
        self.is_hopeless = false;
        match &mut self.search {
            SavedSearch::Tube(tube) => tube.forget_lack_of_memory(),
            // Pieces that did not fit are not among those without a gain.
            SavedSearch::Method(method) => method.redo(),
            SavedSearch::Plateau(plateau) => forget_lack_of_memory(plateau.arms_mut()),
            SavedSearch::MultiStart(starts) => starts.arms_mut().for_each(forget_lack_of_memory),
            SavedSearch::Lineages(lineages) => lineages.arms_mut().for_each(forget_lack_of_memory),
            SavedSearch::Optimal(optimal) => optimal.forget_lack_of_memory(),
            SavedSearch::Windows(windows) => windows.forget_lack_of_memory(),
            SavedSearch::PushesFirst(first) => first.arms_mut().for_each(forget_lack_of_memory),
            SavedSearch::Reformulation(cycles) => cycles.arms_mut().for_each(forget_lack_of_memory),
            SavedSearch::RuinRecreate(_) | SavedSearch::DeorderedWindows(_) => {}
            SavedSearch::Replanning(replanning) => replanning.arms_mut().for_each(forget_lack_of_memory),
        }
    }
}

/// Leaves out what followed from a lack of memory.
pub(crate) fn forget_lack_of_memory(arms: &mut [SavedArm]) {
    arms.iter_mut().for_each(SavedArm::forget_lack_of_memory);
}

/// Returns the states of arms for a checkpoint.
pub(crate) fn save_arms(arms: &[Arm]) -> Vec<SavedArm> {
    arms.iter().map(Arm::save).collect()
}

/// Lets each arm take up the state of the first arm of its name that no other has taken up.
pub(crate) fn restore_arms<'a>(
    arms: impl IntoIterator<Item = &'a mut Arm>,
    saved: &[SavedArm],
    arm_cx: ArmContext<'_>,
    cx: &Context<'_>,
) {
    let mut left: Vec<_> = saved.iter().collect();
    for arm in arms {
        if let Some(at) = left.iter().position(|saved| saved.name == arm.name()) {
            arm.restore(left.remove(at), arm_cx, cx);
        }
    }
}

impl Field for SavedSearch {
    fn write(&self, out: &mut Vec<u8>) {
        fn write_kind<T: Field>(kind: u32, state: &T, out: &mut Vec<u8>) {
            kind.write(out);
            state.write(out);
        }
        match self {
            Self::Tube(tube) => write_kind(0, tube, out),
            Self::Method(method) => write_kind(1, method, out),
            Self::Plateau(plateau) => write_kind(2, plateau, out),
            Self::MultiStart(starts) => write_kind(3, starts, out),
            Self::Lineages(lineages) => write_kind(4, lineages, out),
            Self::Optimal(optimal) => write_kind(5, optimal, out),
            Self::Windows(windows) => write_kind(6, windows, out),
            Self::PushesFirst(first) => write_kind(7, first, out),
            Self::Reformulation(cycles) => write_kind(8, &**cycles, out),
            Self::RuinRecreate(chain) => write_kind(9, chain, out),
            Self::Replanning(replanning) => write_kind(10, replanning, out),
            Self::DeorderedWindows(counts) => write_kind(11, counts, out),
        }
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        let kind = u32::read(input)?;
        input.nested(|input| {
            Some(match kind {
                0 => Self::Tube(Field::read(input)?),
                1 => Self::Method(Field::read(input)?),
                2 => Self::Plateau(Field::read(input)?),
                3 => Self::MultiStart(Field::read(input)?),
                4 => Self::Lineages(Field::read(input)?),
                5 => Self::Optimal(Field::read(input)?),
                6 => Self::Windows(Field::read(input)?),
                7 => Self::PushesFirst(Field::read(input)?),
                8 => Self::Reformulation(Box::new(Field::read(input)?)),
                9 => Self::RuinRecreate(Field::read(input)?),
                10 => Self::Replanning(Field::read(input)?),
                11 => Self::DeorderedWindows(Field::read(input)?),
                _ => return None,
            })
        })
    }
}
