//! The strategies as a source of solutions, one of each, in slices: for an optimizer that cannot improve the solutions it
//! has.
//!
//! ```text
//!   the level and its images, quick strategies ──▶ the same, all others ──▶ the same with a new seed, seeded strategies
//!                                                                              ▲           │
//!                                                                              └───────────▼
//!                                          the level itself, all strategies, for a while, after MAX_SEEDS to the end
//! ```
//!
//! Each strategy finds its own solution and ends. On an image of the level the same strategy tries directions and squares
//! in another order, so it mostly finds another solution; so it does with another seed. Single-threaded, counted in
//! ticks, and so repeatable.

use sokocore::{Level, Solution, Symmetry, replay};
use sokosearch::{Budget, Cancel, SolutionSource, SourceSlice, Stop};

use crate::portfolio::knobs::SolveKnobs;
use crate::portfolio::race::checked;
use crate::portfolio::scheduler::{NextSlice, PortfolioScheduler};
use crate::portfolio::selection::{self, QUICK, SEEDED, THOROUGH};
use crate::portfolio::shares::Resource;
use crate::portfolio::strategy_spec::StrategySpec;
use crate::{AttemptEnd, Optimal, Settings, Verdict};

/// A part of the source's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceTurn {
    /// Strategies on one of the images of the level, with a seed that is added to that of the settings.
    Image { symmetry: Symmetry, strategies: &'static [&'static str], seed: u64, ticks: u64 },
    /// All strategies on the level itself.
    Level { ticks: u64 },
}

/// Images of a level, itself included.
const N_IMAGES: usize = Symmetry::ALL.len();
/// Rounds of turns with new seeds.
const MAX_SEEDS: usize = 16;
/// Turns of such a round: one of each image and one of the level itself.
const N_SEEDED: usize = N_IMAGES + 1;
const N_TURNS: usize = 2 * N_IMAGES + MAX_SEEDS * N_SEEDED;

impl SourceTurn {
    const QUICK_TICKS: u64 = 900_000;
    const THOROUGH_TICKS: u64 = 1_500_000;
    const SEEDED_TICKS: u64 = 300_000;
    const LEVEL_TICKS: u64 = 1_000_000;

    /// Returns the turn of a number; `None` from [`N_TURNS`] on.
    fn of(number: usize) -> Option<Self> {
        let image = |at, strategies, seed, ticks| {
            let symmetry: Symmetry = Symmetry::ALL[at];
            Self::Image { symmetry, strategies, seed, ticks }
        };
        let Some(seeded) = number.checked_sub(2 * N_IMAGES) else {
            return Some(match (number / N_IMAGES, number % N_IMAGES) {
                (0, at) => image(at, QUICK, 0, Self::QUICK_TICKS),
                (_, at) => image(at, THOROUGH, 0, Self::THOROUGH_TICKS),
            });
        };
        match (seeded / N_SEEDED, seeded % N_SEEDED) {
            (MAX_SEEDS.., _) => None,
            (_, N_IMAGES) => Some(Self::Level { ticks: Self::LEVEL_TICKS }),
            (round, at) => Some(image(at, SEEDED, round as u64 + 1, Self::SEEDED_TICKS)),
        }
    }
}

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
    /// All strategies on the level itself.
    own: ImageSource,
    /// The turn that has begun last; `None` after the last one is over.
    turn: Option<RunningTurn>,
    /// Turns that have begun.
    n_turns: usize,
    /// Whether a turn has found a solution, or was skipped. Otherwise new seeds are of no use.
    has_found: bool,
    /// Ticks on images whose turn is over.
    ticks_before: u64,
}

/// A turn that has begun.
#[derive(Debug)]
enum RunningTurn {
    Image(Box<ImageSource>),
    /// The level itself, until its strategies have worked so many ticks.
    Level {
        until: u64,
    },
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
        Self { settings: knobs.settings.clone(), budget, own, turn: None, n_turns, has_found: false, ticks_before: 0 }
    }

    /// Returns the units of work done so far.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        let of_image = match &self.turn {
            Some(RunningTurn::Image(image)) => image.scheduler.ticks(),
            Some(RunningTurn::Level { .. }) | None => 0,
        };
        self.ticks_before + self.own.scheduler.ticks() + of_image
    }

    /// Whether the turn that has begun last has work and ticks left.
    fn is_turn_running(&self) -> bool {
        match &self.turn {
            Some(RunningTurn::Image(image)) => !image.is_over(),
            Some(RunningTurn::Level { until }) => !self.own.is_exhausted && self.own.scheduler.ticks() < *until,
            None => false,
        }
    }

    /// Whether all turns are over and all strategies have ended.
    fn is_exhausted(&self) -> bool {
        self.n_turns >= N_TURNS && self.own.is_exhausted && !self.is_turn_running()
    }

    /// Returns what has the next slice, after the turns that are over: an image, or the level itself.
    fn running(&mut self) -> &mut ImageSource {
        while !self.is_turn_running() {
            if let Some(RunningTurn::Image(image)) = self.turn.take() {
                self.ticks_before += image.scheduler.ticks();
            }
            let Some(turn) = SourceTurn::of(self.n_turns) else { break };
            self.n_turns += 1;
            self.turn = self.begin(turn);
        }
        match &mut self.turn {
            Some(RunningTurn::Image(image)) => image,
            Some(RunningTurn::Level { .. }) | None => &mut self.own,
        }
    }

    /// Begins a turn; `None` if it is left out.
    fn begin(&self, turn: SourceTurn) -> Option<RunningTurn> {
        match turn {
            SourceTurn::Level { ticks } => Some(RunningTurn::Level { until: self.own.scheduler.ticks() + ticks }),
            SourceTurn::Image { seed: 1.., .. } if !self.has_found => None,
            SourceTurn::Image { symmetry, strategies, seed, ticks } => {
                let level = Level::from_grid(symmetry.grid(self.own.level.grid())).ok()?;
                let seed = self.settings.seed.wrapping_add(seed);
                let specs = selection::select_named(&level, strategies, &Settings { seed, ..self.settings.clone() });
                let image = ImageSource::new(level, symmetry, specs, ticks, &self.budget);
                Some(RunningTurn::Image(Box::new(image)))
            }
        }
    }
}

impl SolutionSource for PortfolioSource {
    /// The number of turns that are over.
    fn position(&self) -> u64 {
        (self.n_turns - usize::from(self.is_turn_running())) as u64
    }

    /// Skips whole turns. The strategies on the level itself begin anew.
    fn skip_to(&mut self, position: u64) {
        self.has_found |= position > 0;
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
            let image = self.running();
            if let Some((found, by)) = image.run_slice(left)? {
                let moves = image.symmetry.inverse().moves(found.lurd());
                // An image is solved by the image of the moves, so this cannot fail.
                if let Ok(solution) = replay(&self.own.level, &moves) {
                    self.has_found = true;
                    return Ok(SourceSlice::Solution { solution, by });
                }
            }
            if self.is_exhausted() {
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

#[cfg(test)]
mod tests {
    use sokosearch::MemoryAccount;

    use super::*;

    #[test]
    fn new_seeds_come_after_all_strategies_and_the_level_has_turns_between_them() {
        let turns: Vec<SourceTurn> = (0..).map_while(SourceTurn::of).collect();
        assert_eq!(turns.len(), N_TURNS);
        let seeds = turns.iter().filter_map(|turn| match turn {
            SourceTurn::Image { strategies, seed, .. } => Some((*strategies, *seed)),
            SourceTurn::Level { .. } => None,
        });
        let seeds: Vec<_> = seeds.step_by(N_IMAGES).collect();
        assert_eq!(seeds[..4], [(QUICK, 0), (THOROUGH, 0), (SEEDED, 1), (SEEDED, 2)]);
        let is_level = |turn: &SourceTurn| matches!(turn, SourceTurn::Level { .. });
        assert_eq!(turns.iter().position(is_level), Some(3 * N_IMAGES));
        assert_eq!(turns.iter().filter(|turn| is_level(turn)).count(), MAX_SEEDS);
    }

    /// Seeds are of no use where the turns before have found nothing.
    #[test]
    fn a_level_that_no_strategy_solves_gets_no_new_seeds() {
        let level = Level::parse("#######\n#@$ . #\n#$  . #\n#######").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
        let mut source = PortfolioSource::new(&level, &SolveKnobs::default(), &budget);
        while source.run_slice(10_000) != Ok(SourceSlice::Exhausted) {}
        let ticks = source.ticks();
        assert!(!source.has_found && source.position() == N_TURNS as u64);
        assert_eq!(source.run_slice(10_000), Ok(SourceSlice::Exhausted));
        assert_eq!(source.ticks(), ticks);
    }
}
