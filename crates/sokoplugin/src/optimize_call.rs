//! `Optimize`: games go in, a better one comes out.
//!
//! A game need not be one of a whole level. Hosts cut a part out of a longer game, and pass the board before it, with goals
//! where its boxes stand at its end. The rest of the longer game begins where the part leaves the player. So an improved
//! game leaves the player where the given one does, unless the host says that the game is a solution, or the settings say
//! otherwise.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;
use sokocore::{Level, Lurd, Metrics, Objective, Solution};
use sokomethods::{Knobs, SharedOptimalSearcher, SharedSolutionSource, optimize};
use sokosearch::{Budget, Context, Event, Pool, Progress, Stop};
use sokosolver::{AStarSearcher, PortfolioSource, SolveKnobs};

use crate::call::{Call, code_of};
use crate::game::{Game, GameEnd};
use crate::game_text;
use crate::host::game_buffer::GameBuffer;
use crate::news::News;
use crate::optimization::{Optimization, SOLUTION};
use crate::result_code::{CallEnd, ResultCode};
use crate::settings::PlayerEnd;

/// Most games that are read; those after them are left out.
const MAX_GAMES: usize = 64;

/// Improves the games in the buffer, and writes the best game there if it is better than all of them. Flags that are not
/// followed are told twice: as long as the first status text stands, and in the last one.
pub(crate) fn run(call: &mut Call<'_>, level: &Level, buffer: &mut GameBuffer) -> Result<CallEnd, CallEnd> {
    let asked = call.status().flags();
    let wanted = Optimization::of_flags(asked).unwrap_or_else(|| Optimization::of_objective(call.settings().objective));
    call.status().set_flags(wanted.flags | asked & SOLUTION);
    let remark = wanted.remark(asked);
    let end = improve(call, level, buffer, wanted, remark.as_deref()).unwrap_or_else(|end| end);
    Ok(end.with_remark(remark.as_deref()))
}

fn improve(
    call: &mut Call<'_>,
    level: &Level,
    buffer: &mut GameBuffer,
    wanted: Optimization,
    remark: Option<&str>,
) -> Result<CallEnd, CallEnd> {
    let (asked, Optimization { objective, flags }) = (call.status().flags(), wanted);
    let game_end = match call.settings().player_end {
        PlayerEnd::Auto if asked & SOLUTION != 0 => GameEnd::Free,
        PlayerEnd::Auto | PlayerEnd::Keep => GameEnd::Kept,
        PlayerEnd::Free => GameEnd::Free,
    };
    let games = read_games(level, buffer, objective, game_end)?;
    let job = OptimizeJob { level, games: &games, objective, game_end, room: buffer.room() };
    let news = News::of_best(job.start().given()).with_remark(remark);
    let (budget, n_threads) = (call.budget(), call.settings().n_threads);
    let found = call.watch(&news, || job.run(&budget, n_threads, &news))?;
    call.status().set_flags(flags | SOLUTION);
    call.status().set_counts(0, found.n_states);
    Ok(job.handed_over(&found, buffer))
}

/// Reads the games, the best first. There is at least one.
fn read_games(
    level: &Level,
    buffer: &GameBuffer,
    objective: Objective,
    game_end: GameEnd,
) -> Result<Vec<Game>, CallEnd> {
    let not_ended = |_| ResultCode::GameTooLong.because("the game has no end within its buffer");
    let texts = buffer.games(MAX_GAMES).map_err(not_ended)?;
    let (first, others) =
        texts.split_first().ok_or_else(|| ResultCode::Failed.because("there is no game to improve"))?;
    let refused = |reason| ResultCode::Failed.because(format!("the game cannot be used: {reason}"));
    let first = Game::read(level, first, game_end).map_err(refused)?;
    let end = first.end();
    let mut games = vec![first];
    // What stands behind the first game may be left from an earlier call, so it is no error if it is no game.
    let others = others.iter().filter_map(|text| Game::read(level, text, game_end).ok());
    games.extend(others.filter(|game| game_end == GameEnd::Free || game.end() == end));
    games.sort_by_key(|game| objective.score(&game.given()));
    Ok(games)
}

/// What is to be improved.
struct OptimizeJob<'a> {
    level: &'a Level,
    /// The best first.
    games: &'a [Game],
    objective: Objective,
    game_end: GameEnd,
    /// Most moves of a game that can be handed back.
    room: usize,
}

/// The result of a search.
struct Found {
    /// The best solution.
    best: Solution,
    /// The best one that can be handed back.
    fitting: Option<Solution>,
    end: OptimizeEnd,
    is_proved: bool,
    n_states: u64,
}

/// Why a search has ended.
enum OptimizeEnd {
    Exhausted,
    Stopped(Stop),
    /// A method has a bug. What was found before it is replayed, and good.
    Panicked,
}

impl OptimizeJob<'_> {
    fn start(&self) -> &Game {
        self.games.first().expect("invariant: there is a game")
    }

    fn run(&self, budget: &Budget, n_threads: usize, news: &News) -> Found {
        let start = self.start().solution();
        let pool = Pool::new(self.level, start, &[self.objective]);
        let pool = if self.game_end == GameEnd::Kept { pool.keeping_ends() } else { pool };
        let fitting = Mutex::new(Some(start.clone()).filter(|start| self.fits(start)));
        let watch = NewsOfOptimizer { job: self, news, pool: &pool, fitting: &fitting };
        let memory = budget.memory().part(budget.memory().limit() / PortfolioSource::SHARE);
        let source = PortfolioSource::new(self.level, &SolveKnobs::default(), &budget.clone().with_memory(memory));
        let mut knobs = Knobs::default().with_threads(n_threads).with_source(SharedSolutionSource::new(source));
        knobs = knobs.with_searcher(SharedOptimalSearcher::new(AStarSearcher));
        if self.games.len() > 1 {
            knobs = knobs.with_others(self.games.iter().map(|game| game.solution().clone()).collect::<Vec<_>>());
        }
        let mut cx = Context::new(&pool, self.objective, budget, &watch);
        let end = match catch_unwind(AssertUnwindSafe(|| optimize(&knobs, &mut cx))) {
            Ok(Ok(())) => OptimizeEnd::Exhausted,
            Ok(Err(stop)) => OptimizeEnd::Stopped(stop),
            Err(_) => OptimizeEnd::Panicked,
        };
        let (is_proved, n_states) = (cx.is_proved(), cx.tally().n_states);
        let best = pool.best(self.objective);
        if self.fits(&best) {
            *fitting.lock() = Some(best.clone());
        }
        Found { best, fitting: fitting.into_inner(), end, is_proved, n_states }
    }

    /// What an exhausted search has proved.
    const fn proof(&self) -> &'static str {
        match self.game_end {
            GameEnd::Free => "proved optimal",
            GameEnd::Kept => "proved optimal for this end",
        }
    }

    fn fits(&self, solution: &Solution) -> bool {
        self.start().length_with(solution.lurd().len()) <= self.room
    }

    /// Returns the game with a solution, if it is better than all that were given.
    fn improved(&self, solution: &Solution) -> Option<(Lurd, Metrics)> {
        let game = self.start().with(solution);
        let metrics = Metrics::count(game.steps());
        let is_better = self.objective.score(&metrics) < self.objective.score(&self.start().given());
        is_better.then_some((game, metrics))
    }

    /// Writes the best game that fits to the host's buffer, if it is an improvement.
    fn handed_over(&self, found: &Found, buffer: &mut GameBuffer) -> CallEnd {
        let given = self.start().given();
        if let Some((game, metrics)) = found.fitting.as_ref().and_then(|solution| self.improved(solution)) {
            buffer.write(&game_text::written(&game));
            let proved = if found.is_proved { format!(", {}", self.proof()) } else { String::new() };
            return ResultCode::Ok
                .because(format!("{}/{} -> {}/{}{proved}", given.moves, given.pushes, metrics.moves, metrics.pushes));
        }
        if let Some((_, metrics)) = self.improved(&found.best) {
            let text = format!("{} moves do not fit into the buffer, which has room for {}", metrics.moves, self.room);
            return ResultCode::GameTooLong.because(text);
        }
        let nothing = format!("{}/{}, nothing better", given.moves, given.pushes);
        match found.end {
            _ if found.is_proved => ResultCode::Unsolved.because(format!("{nothing}: {}", self.proof())),
            OptimizeEnd::Exhausted => ResultCode::Unsolved.because(format!("{nothing}: nothing is left to try")),
            OptimizeEnd::Stopped(stop) => code_of(stop).because(format!("{nothing}: {stop}")),
            OptimizeEnd::Panicked => {
                ResultCode::Failed.because(format!("{nothing}: a method failed by a bug; please report it"))
            }
        }
    }
}

/// Passes on the events of the optimizer, and keeps the best solution that fits into the buffer: fewer pushes may take more
/// moves.
struct NewsOfOptimizer<'a> {
    job: &'a OptimizeJob<'a>,
    news: &'a News,
    pool: &'a Pool<'a>,
    fitting: &'a Mutex<Option<Solution>>,
}

impl Progress for NewsOfOptimizer<'_> {
    fn on(&self, event: Event<'_>) {
        match event {
            Event::Working { method, phase } => self.news.set_trying(method, phase),
            Event::Improved { objective, .. } => {
                let best = self.pool.best(objective);
                self.news.set_best(Metrics::count(self.job.start().with(&best).steps()));
                if self.job.fits(&best) {
                    *self.fitting.lock() = Some(best);
                }
            }
            _ => {}
        }
    }
}
