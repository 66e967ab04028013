//! The strategies as a source of solutions, one of each, in slices: for an optimizer that cannot improve the solutions it
//! has.
//!
//! ```text
//!   the level and its seven images,      the level and its images,      the level itself,
//!   quick strategies                ───▶ all others                ───▶ all strategies, to the end
//! ```
//!
//! Each strategy finds its own solution and ends. On an image of the level the same strategy tries directions and squares
//! in another order, so it mostly finds another solution. Single-threaded, counted in ticks, and so repeatable.

use sokocore::{Level, Solution, Symmetry, replay};
use sokosearch::{Budget, Cancel, SolutionSource, SourceSlice, Stop};

use crate::portfolio::knobs::SolveKnobs;
use crate::portfolio::race::checked;
use crate::portfolio::scheduler::{NextSlice, PortfolioScheduler};
use crate::portfolio::selection::{self, QUICK, THOROUGH};
use crate::portfolio::shares::Resource;
use crate::portfolio::strategy_spec::StrategySpec;
use crate::{AttemptEnd, Optimal, Settings, Verdict};

/// A turn of the level and of each image.
#[derive(Clone, Copy, Debug)]
struct ImageTurn {
    strategies: &'static [&'static str],
    ticks: u64,
}

/// The turns, one after the other.
const IMAGE_TURNS: [ImageTurn; 2] =
    [ImageTurn { strategies: QUICK, ticks: 900_000 }, ImageTurn { strategies: THOROUGH, ticks: 1_500_000 }];

/// Images of a level, itself included, and their turns.
const N_IMAGES: usize = Symmetry::ALL.len();
const N_TURNS: usize = IMAGE_TURNS.len() * N_IMAGES;

/// The strategies of a portfolio as a source of solutions of one level.
///
/// ```
/// use sokocore::Level;
/// use sokosearch::{Budget, Cancel, MemoryAccount, SolutionSource, SourceSlice};
/// use sokosolver::{PortfolioSource, SolveKnobs};
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// let mut source = PortfolioSource::new(&level, &SolveKnobs::default(), &budget);
/// let mut strategies = Vec::new();
/// loop {
///     match source.run_slice(10_000) {
///         Ok(SourceSlice::Solution { by, .. }) => strategies.push(by),
///         Ok(SourceSlice::Pending) => {}
///         Ok(SourceSlice::Exhausted) | Err(_) => break,
///     }
/// }
/// assert!(strategies.len() > 1, "one of each strategy");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Debug)]
pub struct PortfolioSource {
    settings: Settings,
    budget: Budget,
    /// All strategies on the level itself, after the turns.
    own: ImageSource,
    /// The image whose turn it is.
    image: Option<ImageSource>,
    /// Turns of images that have begun.
    n_turns: usize,
    /// Ticks on images whose turn is over.
    ticks_before: u64,
}

/// The strategies on an image of the level.
#[derive(Debug)]
struct ImageSource {
    symmetry: Symmetry,
    level: Level,
    scheduler: PortfolioScheduler,
    /// Ticks of its turn.
    max_ticks: u64,
    is_exhausted: bool,
}

impl PortfolioSource {
    /// What part of the memory a source should have beside an optimizer: one in so many.
    pub const SHARE: u64 = 4;

    /// Selects the strategies that the knobs ask for on this level. The budget's limit of work does not apply.
    #[must_use]
    pub fn new(level: &Level, knobs: &SolveKnobs, budget: &Budget) -> Self {
        let budget = budget.clone().with_work(None);
        let is_solved = level.is_solved(&level.start().boxes);
        let is_any = knobs.runs_built_in && knobs.strategy.is_none() && knobs.settings.optimal == Optimal::Any;
        let specs = match is_any {
            _ if is_solved => Vec::new(),
            true => {
                let names = [QUICK, THOROUGH].concat();
                let mut specs = selection::select_named(level, &names, &knobs.settings);
                specs.extend(selection::custom_specs(level, knobs));
                specs
            }
            false => selection::select(level, knobs, budget.memory(), None),
        };
        let own = ImageSource::new(level.clone(), Symmetry::default(), specs, u64::MAX, &budget);
        let n_turns = if is_any && !is_solved { 0 } else { N_TURNS };
        Self { settings: knobs.settings.clone(), budget, own, image: None, n_turns, ticks_before: 0 }
    }

    /// Returns the units of work done so far.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        let of_image = match &self.image {
            Some(image) => image.scheduler.ticks(),
            None => 0,
        };
        self.ticks_before + self.own.scheduler.ticks() + of_image
    }

    /// Whether the turns are over. Otherwise `image` is the one whose turn it is.
    fn is_own_turn(&mut self) -> bool {
        while self.image.as_ref().is_none_or(ImageSource::is_over) {
            self.ticks_before += self.image.take().map_or(0, |image| image.scheduler.ticks());
            let Some(turn) = IMAGE_TURNS.get(self.n_turns / N_IMAGES) else { return true };
            let symmetry = Symmetry::ALL[self.n_turns % N_IMAGES];
            self.n_turns += 1;
            let Ok(level) = Level::from_grid(symmetry.grid(self.own.level.grid())) else { continue };
            let specs = selection::select_named(&level, turn.strategies, &self.settings);
            self.image = Some(ImageSource::new(level, symmetry, specs, turn.ticks, &self.budget));
        }
        false
    }
}

impl SolutionSource for PortfolioSource {
    /// The number of turns that are over.
    fn position(&self) -> u64 {
        let is_running = self.image.as_ref().is_some_and(|image| !image.is_over());
        (self.n_turns - usize::from(is_running)) as u64
    }

    /// Skips whole turns. The strategies on the level itself begin anew when these are over.
    fn skip_to(&mut self, position: u64) {
        self.n_turns = self.n_turns.max(usize::try_from(position).map_or(N_TURNS, |n| n.min(N_TURNS)));
    }

    /// Each strategy gives the solution that it finds first, and ends; its memory is freed.
    ///
    /// # Errors
    /// The time is over, or the user asked for an end.
    fn run_slice(&mut self, ticks: u64) -> Result<SourceSlice, Stop> {
        let end = self.ticks().saturating_add(ticks);
        while self.ticks() < end {
            let left = end - self.ticks();
            let image = if self.is_own_turn() { None } else { self.image.as_mut() };
            let image = image.unwrap_or(&mut self.own);
            if let Some((found, by)) = image.run_slice(left)? {
                let moves = image.symmetry.inverse().moves(found.lurd());
                // An image is solved by the image of the moves, so this cannot fail.
                if let Ok(solution) = replay(&self.own.level, &moves) {
                    return Ok(SourceSlice::Solution { solution, by });
                }
            }
            if self.own.is_exhausted && self.is_own_turn() {
                return Ok(SourceSlice::Exhausted);
            }
        }
        Ok(SourceSlice::Pending)
    }
}

impl ImageSource {
    fn new(level: Level, symmetry: Symmetry, specs: Vec<StrategySpec>, max_ticks: u64, budget: &Budget) -> Self {
        let scheduler = PortfolioScheduler::new(specs, Resource::Work, 1, budget, &Cancel::default());
        Self { symmetry, level, scheduler, max_ticks, is_exhausted: false }
    }

    fn is_over(&self) -> bool {
        self.is_exhausted || self.scheduler.ticks() >= self.max_ticks
    }

    /// Runs one slice of one strategy, of so many ticks at most. Returns the solution that it finds, with its name.
    fn run_slice(&mut self, ticks: u64) -> Result<Option<(Solution, String)>, Stop> {
        let NextSlice::Run(mut slice) = self.scheduler.next(ticks) else {
            self.is_exhausted = true;
            return Ok(None);
        };
        let result = slice.worker.run_slice(&slice.spec, slice.length);
        let (ticks, elapsed) = (result.ticks, result.elapsed);
        let by = slice.spec.name.clone();
        match result.result {
            Some(Err(Stop::Work)) => self.scheduler.put_back(slice, ticks, elapsed),
            Some(Err(stop)) => {
                self.scheduler.finish(slice, AttemptEnd::Stopped(stop), ticks, elapsed);
                if stop != Stop::Memory {
                    return Err(stop);
                }
            }
            Some(Ok(Verdict::Solved(pushes) | Verdict::Better(pushes))) => {
                let found = checked(&self.level, &pushes).ok();
                let end = if found.is_some() { AttemptEnd::Solved } else { AttemptEnd::Wrong };
                self.scheduler.finish(slice, end, ticks, elapsed);
                return Ok(found.map(|solution| (solution, by)));
            }
            Some(Ok(Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) => {
                self.scheduler.finish(slice, AttemptEnd::GaveUp, ticks, elapsed);
            }
            None => drop(self.scheduler.finish(slice, AttemptEnd::Failed, ticks, elapsed)),
        }
        Ok(None)
    }
}
