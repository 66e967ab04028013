//! The statistics of an item: what it may gain in its next slice.

use std::time::Duration;

/// The first slice of an item.
const FIRST: f64 = 0.1;
/// A slice is this share of the time that went into its item before.
const GROWTH: f64 = 0.5;
/// The same for searches that restart in each slice: each must be longer than all before.
const GROWTH_OF_RESTARTS: f64 = 2.0;
/// The longest slice: others wait no longer for what it may find.
const LONGEST: f64 = 120.0;
/// The longest slice of a search that restarts.
const LONGEST_RESTART: f64 = 1_800.0;
/// Seconds below which time counts little: most of what begins a search is done by then.
const START: f64 = 0.05;
/// E-foldings of time after which a gain counts a third.
const MEMORY: f64 = 0.5;
/// The weight of what any item gains, in e-foldings.
const WEIGHT: f64 = 0.2;
/// The share of its gap that an item gains in an e-folding of its time, if nothing else is known.
const SHARE: f64 = 0.5;
/// A gap larger than this counts little more: a level of a hundred thousand moves is one level.
const LARGE_GAP: f64 = 500.0;
/// The share of what a solution counts that is its least gap: lower metrics may yet gain.
const LEAST_GAP: f64 = 1e-4;
/// What a first solution is worth, in moves or pushes.
pub(crate) const WORTH_OF_SOLUTION: f64 = 200.0;
/// The chance of a first solution in an e-folding of time.
const CHANCE_OF_SOLUTION: f64 = 0.1;
/// What a bound that is higher by one is worth, in moves or pushes.
pub(crate) const WORTH_OF_BOUND: f64 = 0.001;
/// The most that a history can tell of: a thousand billion moves, or seconds.
const MOST: f64 = 1e12;
/// The part of further threads that counts, as long as it is not measured.
const USE_OF_THREADS: f64 = 0.5;

/// What slices of an item are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemKind {
    /// A better solution.
    Improve,
    /// A first solution.
    Solve,
    /// A higher lower bound.
    Bound,
}

/// The statistics of a level and a purpose.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    kind: ItemKind,
    /// What the best solution counts.
    counted: f64,
    /// What every solution counts at least.
    bound: f64,
    n_pushes: u64,
    /// What was gained, later gains counting more.
    gained: f64,
    /// E-foldings of time in which that was gained, weighted like it.
    exposure: f64,
    /// Seconds of threads that went into it, in this night and before.
    spent: f64,
    /// The part of them in this night.
    tonight: f64,
    /// Expected gain of its next slice for each second.
    rate: f64,
    state: ItemState,
    is_short_of_memory: bool,
    /// Ticks a second of its last slice with one thread, and how many times as many a wide one had.
    speed: Option<f64>,
    speedup: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemState {
    Waiting,
    InSlice,
    Settled,
}

/// What came of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SliceGain {
    /// How long it took.
    pub elapsed: Duration,
    /// Its threads.
    pub n_threads: usize,
    /// Its units of work; 0 if they are not known.
    pub ticks: u64,
    /// What was gained, in moves, pushes, or the worth of a first solution.
    pub gain: f64,
    /// How it ended.
    pub ending: SliceEnding,
}

/// What the slices of an item have gained, to be kept where the item itself is not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ItemHistory {
    /// What was gained, later gains counting more.
    pub gained: f64,
    /// E-foldings of time in which that was gained, weighted like it.
    pub exposure: f64,
    /// Seconds of threads that went into it.
    pub spent: f64,
    /// Whether its last slice was short of memory.
    pub is_short_of_memory: bool,
}

/// How a slice ended, for the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceEnding {
    /// There is more to do.
    Open,
    /// What is left to do does not fit into the memory that it had.
    ShortOfMemory,
    /// More time cannot help.
    Settled,
}

impl ItemHistory {
    /// Returns it with 0 for numbers that slices cannot have gained: a history may come from another program.
    #[must_use]
    pub fn plausible(&self) -> Self {
        let plausible = |number| if (0.0..=MOST).contains(&number) { number } else { 0.0 };
        let Self { gained, exposure, spent, is_short_of_memory } = *self;
        let [gained, exposure, spent] = [gained, exposure, spent].map(plausible);
        Self { gained, exposure, spent, is_short_of_memory }
    }
}

impl SliceGain {
    /// Makes the account of a slice with one thread.
    #[must_use]
    pub const fn new(elapsed: Duration, gain: f64, ending: SliceEnding) -> Self {
        Self { elapsed, n_threads: 1, ticks: 0, gain, ending }
    }

    /// Sets the threads and the units of work of all of them.
    #[must_use]
    pub const fn with_work(self, n_threads: usize, ticks: u64) -> Self {
        Self { n_threads, ticks, ..self }
    }
}

impl Item {
    /// Makes an item of a level with a solution of so many pushes that counts so much.
    #[must_use]
    pub fn improving(counted: u64, n_pushes: u64) -> Self {
        Self::new(ItemKind::Improve, counted, n_pushes)
    }

    /// Makes an item of a level without a solution.
    #[must_use]
    pub fn solving() -> Self {
        Self::new(ItemKind::Solve, 0, 0)
    }

    /// Makes an item that raises the bound below a solution that counts so much.
    #[must_use]
    pub fn bounding(counted: u64) -> Self {
        Self::new(ItemKind::Bound, counted, 0)
    }

    fn new(kind: ItemKind, counted: u64, n_pushes: u64) -> Self {
        let item = Self {
            kind,
            counted: float(counted),
            bound: 0.0,
            n_pushes,
            gained: 0.0,
            exposure: 0.0,
            spent: 0.0,
            tonight: 0.0,
            rate: 0.0,
            state: ItemState::Waiting,
            is_short_of_memory: false,
            speed: None,
            speedup: None,
        };
        item.rated()
    }

    /// Sets what every solution counts at least.
    #[must_use]
    pub fn with_bound(self, bound: u64) -> Self {
        Self { bound: float(bound), ..self }.rated()
    }

    /// Adds the time that went into it in earlier nights, the last of it dry.
    #[must_use]
    pub fn after(mut self, spent: Duration, dry: Duration) -> Self {
        let (spent, dry) = (spent.as_secs_f64(), dry.as_secs_f64());
        self.spent = (spent - dry).max(0.0);
        self.add(dry.min(spent), 0.0);
        self
    }

    /// Sets what its slices have gained before, as far as it is [plausible](ItemHistory::plausible).
    #[must_use]
    pub fn with_history(self, history: &ItemHistory) -> Self {
        let ItemHistory { gained, exposure, spent, is_short_of_memory } = history.plausible();
        Self { gained, exposure, spent, is_short_of_memory, ..self }.rated()
    }

    /// Returns what its slices have gained.
    #[must_use]
    pub const fn history(&self) -> ItemHistory {
        let Self { gained, exposure, spent, is_short_of_memory, .. } = *self;
        ItemHistory { gained, exposure, spent, is_short_of_memory }
    }

    /// What its best solution counts above the bound.
    fn gap(&self) -> f64 {
        (self.counted - self.bound).max(LEAST_GAP * self.counted)
    }

    /// The gap that counts where nothing is known of the item itself.
    fn usual_gap(&self) -> f64 {
        let gap = self.gap();
        gap / (1.0 + gap / LARGE_GAP)
    }

    /// What any item of its kind gains in an e-folding of its time.
    fn usual(&self) -> f64 {
        match self.kind {
            ItemKind::Improve => SHARE * self.usual_gap(),
            ItemKind::Solve => CHANCE_OF_SOLUTION * WORTH_OF_SOLUTION,
            ItemKind::Bound => SHARE * self.usual_gap() * WORTH_OF_BOUND,
        }
    }

    /// The most that it can gain.
    fn most(&self) -> f64 {
        match self.kind {
            ItemKind::Improve => self.gap(),
            ItemKind::Solve => WORTH_OF_SOLUTION,
            ItemKind::Bound => self.gap() * WORTH_OF_BOUND,
        }
    }

    /// The seconds of its next slice.
    fn slice_seconds(&self) -> f64 {
        match self.kind {
            ItemKind::Improve => (self.spent * GROWTH).clamp(FIRST, LONGEST),
            ItemKind::Solve | ItemKind::Bound => (self.spent * GROWTH_OF_RESTARTS).clamp(FIRST, LONGEST_RESTART),
        }
    }

    fn rated(mut self) -> Self {
        let seconds = self.slice_seconds();
        let by_folding = (self.gained + WEIGHT * self.usual()) / (self.exposure + WEIGHT);
        self.rate = (by_folding * self.foldings(seconds)).min(self.most()) / seconds;
        self
    }

    /// E-foldings of its time in the next seconds.
    fn foldings(&self, seconds: f64) -> f64 {
        (seconds / (self.spent + START)).ln_1p()
    }

    /// Adds seconds of threads, and what they gained.
    fn add(&mut self, seconds: f64, gain: f64) {
        let foldings = self.foldings(seconds);
        let kept = (-foldings / MEMORY).exp();
        self.gained = self.gained * kept + gain;
        self.exposure = self.exposure * kept + MEMORY * (1.0 - kept);
        self.spent += seconds;
        *self = self.rated();
    }

    /// Returns what it is expected to gain in each second of its next slice.
    #[must_use]
    pub const fn rate(&self) -> f64 {
        self.rate
    }

    /// Returns the length of its next slice.
    #[must_use]
    pub fn slice(&self) -> Duration {
        Duration::from_secs_f64(self.slice_seconds())
    }

    pub(super) const fn spent(&self) -> f64 {
        self.spent
    }

    pub(super) const fn n_pushes(&self) -> u64 {
        self.n_pushes
    }

    pub(super) const fn needs_all_memory(&self) -> bool {
        self.is_short_of_memory
    }

    /// How many times as much so many threads do as one: measured, or an estimate.
    pub(super) fn speedup(&self, n_threads: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a number of threads")]
        let others = (n_threads - 1) as f64;
        self.speedup.unwrap_or(1.0 + USE_OF_THREADS * others)
    }

    pub(super) const fn begin(&mut self) {
        self.state = ItemState::InSlice;
    }

    /// Notes what came of a slice.
    pub fn end(&mut self, result: &SliceGain) {
        let seconds = result.elapsed.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a number of threads")]
        let n_threads = result.n_threads.max(1) as f64;
        if result.ticks > 0 && seconds > 0.0 {
            let speed = float(result.ticks) / seconds;
            match self.speed {
                Some(of_one) if result.n_threads > 1 => self.speedup = Some((speed / of_one).clamp(1.0, n_threads)),
                _ => self.speed = Some(speed / n_threads),
            }
        }
        // What still does not fit into all of the memory never will.
        let was_wide = result.n_threads > 1 || self.is_short_of_memory;
        self.state = match result.ending {
            SliceEnding::Settled => ItemState::Settled,
            SliceEnding::ShortOfMemory if was_wide => ItemState::Settled,
            SliceEnding::ShortOfMemory | SliceEnding::Open => ItemState::Waiting,
        };
        self.is_short_of_memory = result.ending == SliceEnding::ShortOfMemory;
        let seconds = (seconds * n_threads).max(1e-3);
        self.tonight += seconds;
        self.add(seconds, result.gain);
    }

    /// Seconds of threads that went into it in this night.
    pub(super) const fn tonight(&self) -> f64 {
        self.tonight
    }

    /// Notes what the best solution counts now, and the bound below it.
    pub fn update(&mut self, counted: u64, bound: u64) {
        (self.counted, self.bound) = (float(counted), float(bound));
        *self = self.rated();
    }

    pub(super) const fn settle(&mut self) {
        self.state = ItemState::Settled;
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.state == ItemState::Waiting
    }

    /// Returns whether it gets no more slices.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.state == ItemState::Settled
    }
}

#[expect(clippy::cast_precision_loss, reason = "moves, pushes and ticks are far below 2^52")]
const fn float(number: u64) -> f64 {
    number as f64
}
