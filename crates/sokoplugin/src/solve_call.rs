//! `Solve` and `SolveEx`: a level goes in, a solution comes out.

use sokocore::{Level, Solution};
use sokosearch::End;
use sokosolver::{Answer, Optimal, SolveEvent, SolveKnobs, SolveProgress, solve};

use crate::call::{Call, code_of};
use crate::game_text;
use crate::host::game_buffer::GameBuffer;
use crate::news::News;
use crate::optimization::{MOVE_OPTIMAL, PUSH_OPTIMAL, SOLUTION};
use crate::result_code::{CallEnd, ResultCode};

/// Solves a level. The solution is written to the buffer, if there is one; without one only the result counts.
pub(crate) fn run(call: &mut Call<'_>, level: &Level, buffer: &mut GameBuffer) -> Result<CallEnd, CallEnd> {
    call.status().set_flags(0);
    let optimal = call.settings().optimal;
    let mut knobs = SolveKnobs::default().with_threads(call.settings().n_threads);
    knobs.settings.optimal = optimal;
    let (budget, news) = (call.budget(), News::default());
    let outcome = call.watch(&news, || solve(level, &knobs, &budget, &NewsOfSolver(&news)))?;
    let stats = outcome.stats();
    call.status().set_counts(stats.generated.unwrap_or(0), stats.expanded);
    Ok(match outcome.answer {
        Answer::Solved { solution, by, proved, .. } => {
            call.status().set_flags(SOLUTION | if proved { proof_of(optimal) } else { 0 });
            handed_over(&solution, &by, buffer)
        }
        Answer::Unsolvable { by, .. } => ResultCode::Unsolvable.because(format!("unsolvable, by {by}")),
        Answer::Unsolved(End::Exhausted) => ResultCode::Unsolved.because("unsolved: nothing is left to try"),
        Answer::Unsolved(End::Stopped(stop)) => code_of(stop).because(format!("unsolved: {stop}")),
    })
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
