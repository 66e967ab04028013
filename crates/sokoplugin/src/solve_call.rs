//! `Solve` and `SolveEx`: a level goes in, a solution comes out.

use std::sync::Arc;

use sokocore::{Level, Objective, Solution};
use sokomethods::polish;
use sokosearch::{Budget, Cancel, End};
use sokosolver::{Answer, Optimal, Outcome, SolveEvent, SolveKnobs, SolveProgress, solve};

use crate::call::{Call, code_of};
use crate::game_text;
use crate::host::game_buffer::GameBuffer;
use crate::news::News;
use crate::optimization::{MOVE_OPTIMAL, PUSH_OPTIMAL, SOLUTION};
use crate::result_code::{CallEnd, ResultCode};

/// Solves a level. The solution, without the loops and detours that searches leave, is written to the buffer, if there is
/// one; without one only the result counts.
pub(crate) fn run(call: &mut Call<'_>, level: &Level, buffer: &mut GameBuffer) -> Result<CallEnd, CallEnd> {
    call.status().set_flags(0);
    let optimal = call.settings().optimal;
    let (n_threads, budget, cancel) = (call.settings().n_threads, call.budget(), call.cancel().clone());
    let job = SolveJob { level, optimal, n_threads, budget: &budget, cancel: &cancel };
    let news = News::default();
    let (outcome, solution) = call.watch(&news, || job.run(&news))?;
    let stats = outcome.stats();
    call.status().set_counts(stats.generated.unwrap_or(0), stats.expanded);
    Ok(match outcome.answer {
        Answer::Solved { solution: found, by, proved, .. } => {
            let solution = solution.unwrap_or(found);
            call.status().set_flags(SOLUTION | if proved { proof_of(optimal) } else { 0 });
            handed_over(&solution, &by, buffer)
        }
        Answer::Unsolvable { by, .. } => ResultCode::Unsolvable.because(format!("unsolvable, by {by}")),
        Answer::Unsolved(End::Exhausted) => ResultCode::Unsolved.because("unsolved: nothing is left to try"),
        Answer::Unsolved(End::Stopped(stop)) => code_of(stop).because(format!("unsolved: {stop}")),
    })
}

/// What is to be solved.
struct SolveJob<'a> {
    level: &'a Level,
    optimal: Optimal,
    n_threads: usize,
    budget: &'a Budget,
    cancel: &'a Cancel,
}

impl SolveJob<'_> {
    /// Returns what came of it, and the polished solution if there is one.
    fn run(&self, news: &News) -> (Outcome, Option<Solution>) {
        let mut knobs = SolveKnobs::default().with_threads(self.n_threads);
        knobs.settings.optimal = self.optimal;
        let objective = self.optimal.objective();
        if let Some(objective) = objective {
            let (level, memory, cancel) = (self.level.clone(), self.budget.memory().clone(), self.cancel.clone());
            let quick = move |solution: &Solution| polish(&level, solution, objective, &memory, &cancel);
            knobs.polish = Some(Arc::new(quick));
        }
        let outcome = solve(self.level, &knobs, self.budget, &NewsOfSolver(news));
        let objective = objective.unwrap_or(Objective::MOVES);
        let polished = |found: &Solution| polish(self.level, found, objective, self.budget.memory(), self.cancel);
        let solution = outcome.solution().map(polished);
        (outcome, solution)
    }
}

/// Writes a solution to the host's buffer.
fn handed_over(solution: &Solution, by: &str, buffer: &mut GameBuffer) -> CallEnd {
    let metrics = solution.metrics();
    let text = format!("solved by {by}: {}/{}", metrics.moves, metrics.pushes);
    if buffer.is_absent() || buffer.write(&game_text::written(solution.lurd())) {
        ResultCode::Ok.because(text)
    } else {
        ResultCode::GameTooLong.because(format!("{text}; cut, since the buffer has room for {} moves", buffer.room()))
    }
}

/// The flags of what is proved of a solution.
const fn proof_of(optimal: Optimal) -> u32 {
    match optimal {
        Optimal::Any => 0,
        Optimal::Pushes | Optimal::PushesMoves => PUSH_OPTIMAL,
        Optimal::Moves | Optimal::MovesPushes => MOVE_OPTIMAL,
    }
}

/// Passes on the events of the solver.
struct NewsOfSolver<'a>(&'a News);

impl SolveProgress for NewsOfSolver<'_> {
    fn on(&self, event: SolveEvent<'_>) {
        match event {
            SolveEvent::Slice { strategy } => self.0.set_trying(strategy, ""),
            SolveEvent::Solved { metrics, .. } | SolveEvent::Improved { metrics, .. } => self.0.set_best(metrics),
            _ => {}
        }
    }
}
