//! What an edited level is like: whether it is a level, whether it can be solved, what is spare.
//!
//! The quick check needs no search and answers while a person draws. The full one searches for some seconds and tells its
//! stages, a line of JSON each; the last line is the answer. A new check, or its end by a page, stops it, and what is known
//! by then is the answer. A page that goes stops it, too.

mod findings;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sokocore::{Grid, Level, Solution, SquareSet, replay};
use sokodraw::FloorPlan;
use sokoio::LevelId;
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::{
    Analysis, AnalysisKnobs, AnalysisStage, Fault, Reason, Solvability, analyze, is_unsolvable, places_of,
};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use self::findings::Finding;
use super::metrics::MetricsJson;
use crate::problem::{Problem, with_causes};
use crate::query::body_of;
use crate::server::Shared;

/// The longest check, in seconds.
const MAX_SECONDS: f64 = 600.0;
/// The part of the server's memory that a check may use.
const MEMORY_PART: u64 = 4;

/// Lines that wait for a page: more than there are stages.
const MAX_LINES: usize = 16;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedCheck {
    /// The picture of the level.
    board: String,
    /// The time of the search; none if it is 0.
    #[serde(default)]
    seconds: f64,
}

/// What a picture is.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CheckJson {
    /// `not a level`, `unsolvable`, `solvable` or `unknown`.
    verdict: &'static str,
    /// The rows that pages draw; empty if the picture cannot be read.
    rows: Vec<String>,
    /// The identity of a level.
    id: Option<String>,
    findings: Vec<Finding>,
    marks: Marks,
    /// The best solution known, and what it measures.
    solution: Option<String>,
    metrics: Option<MetricsJson>,
    /// Whether a search has looked at it.
    is_searched: bool,
}

/// A line of the answer of a check that searches.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum CheckLine {
    /// A stage begins.
    Stage(&'static str),
    /// The last line.
    Check(Box<CheckJson>),
}

/// Squares as row and column, from 0.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Marks {
    /// What is wrong: boxes or squares.
    fault: Vec<(usize, usize)>,
    /// Goals that boxes compete for.
    goals: Vec<(usize, usize)>,
    /// Each of them could be wall.
    spare: Vec<(usize, usize)>,
}

/// The checks of a server: one at a time.
#[derive(Debug)]
pub(crate) struct Checks {
    memory: u64,
    current: Mutex<Cancel>,
}

impl Checks {
    /// Checks within a part of a server's memory.
    pub(crate) fn new(memory: u64) -> Self {
        Self { memory: memory / MEMORY_PART, current: Mutex::default() }
    }

    /// Stops the check in progress.
    pub(crate) fn stop(&self) {
        self.current.lock().cancel();
    }

    /// Stops the check in progress, and returns the flag of another one.
    fn begin(&self) -> Cancel {
        let mut current = self.current.lock();
        current.cancel();
        *current = Cancel::default();
        current.clone()
    }
}

/// Stops a check when the page that waits for it has gone.
struct StopOnDrop(Cancel);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Checks a picture.
pub(super) async fn check(State(shared): State<Arc<Shared>>, body: Bytes) -> Result<Response, Problem> {
    let asked: AskedCheck = body_of(&body)?;
    if !(0.0..=MAX_SECONDS).contains(&asked.seconds) {
        return Err(Problem::bad(format!("a check lasts 0 to {MAX_SECONDS} seconds")));
    }
    let level = match Level::parse(&asked.board) {
        Ok(level) => level,
        Err(error) => {
            let check = Box::new(CheckJson::of_error(&asked.board, &error));
            return Ok(match asked.seconds == 0.0 {
                true => Json(check).into_response(),
                false => lines_of(Cancel::default(), move |tell| tell(&CheckLine::Check(check))),
            });
        }
    };
    let id = LevelId::of(&level);
    let known = shared.store.with(move |library| Ok(library.solutions(id)?)).await?;
    let known: Vec<Solution> = known.iter().filter_map(|known| replay(&level, &known.moves).ok()).collect();
    if asked.seconds == 0.0 {
        return Ok(Json(CheckJson::quick(&level, &known)).into_response());
    }
    let (time, cancel) = (Duration::from_secs_f64(asked.seconds), shared.checks.begin());
    let budget = Budget::new(Some(time), MemoryAccount::new(shared.checks.memory), cancel.clone());
    Ok(lines_of(cancel, move |tell| {
        let stage = |stage: AnalysisStage| tell(&CheckLine::Stage(name_of(stage)));
        let analysis = analyze(&level, &known, &AnalysisKnobs::default(), &budget, &stage);
        tell(&CheckLine::Check(Box::new(CheckJson::searched(&level, &analysis, time))));
    }))
}

/// Answers with the lines that a search tells, as they come.
fn lines_of(cancel: Cancel, work: impl FnOnce(&dyn Fn(&CheckLine)) + Send + 'static) -> Response {
    let (sender, receiver) = mpsc::channel::<Bytes>(MAX_LINES);
    tokio::task::spawn_blocking(move || {
        work(&|line| {
            let mut line = serde_json::to_vec(line).expect("invariant: a check is plain data");
            line.push(b'\n');
            // Where no page takes it any more, the search is stopped by the stream's end.
            let _ = sender.blocking_send(line.into());
        });
    });
    let guard = StopOnDrop(cancel);
    let lines = ReceiverStream::new(receiver).map(move |line| {
        let _ = &guard;
        Ok::<_, Infallible>(line)
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response()
}

/// The name of a stage, for pages.
const fn name_of(stage: AnalysisStage) -> &'static str {
    match stage {
        AnalysisStage::Whole => "whole",
        AnalysisStage::Solving => "solving",
        AnalysisStage::Proving => "proving",
        AnalysisStage::Best => "best",
        AnalysisStage::Squares => "squares",
        AnalysisStage::Choices => "choices",
        AnalysisStage::Boxes => "boxes",
        _ => "other",
    }
}

/// Stops the check in progress.
pub(super) async fn stop(State(shared): State<Arc<Shared>>) -> Json<()> {
    shared.checks.stop();
    Json(())
}

impl CheckJson {
    fn of_error(board: &str, error: &sokocore::ParseLevelError) -> Self {
        Self {
            verdict: if is_unsolvable(error) { "unsolvable" } else { "not a level" },
            rows: Grid::parse(board).map(|grid| FloorPlan::of(&grid).rows()).unwrap_or_default(),
            findings: vec![Finding::bad(with_causes(error))],
            marks: Marks { fault: places_of(board, error), ..Marks::default() },
            ..Self::default()
        }
    }

    fn new(level: &Level) -> Self {
        Self {
            verdict: "unknown",
            rows: FloorPlan::of(level.grid()).rows(),
            id: Some(LevelId::of(level).to_string()),
            ..Self::default()
        }
    }

    fn quick(level: &Level, known: &[Solution]) -> Self {
        let mut check = Self::new(level);
        if let Some(fault) = Fault::of(level) {
            check.add_fault(level, &fault);
            return check;
        }
        check.findings = findings::of_survey(level, known);
        if let Some(best) = known.iter().min_by_key(|known| known.metrics().pushes) {
            check.add_solution(best);
        }
        check
    }

    fn searched(level: &Level, analysis: &Analysis, time: Duration) -> Self {
        let mut check = Self { is_searched: true, ..Self::new(level) };
        match &analysis.answer {
            Solvability::Unsolvable(Reason::Fault(fault)) => check.add_fault(level, fault),
            answer => {
                if matches!(answer, Solvability::Unsolvable(_)) {
                    check.verdict = "unsolvable";
                }
                check.findings = findings::of_analysis(level, analysis, time);
            }
        }
        if let Some(best) = &analysis.best {
            check.add_solution(best);
        }
        if let Some(squares) = &analysis.squares {
            let mut spare = squares.spare.clone();
            spare.extend(squares.unentered.iter());
            check.marks.spare = places(level, &spare);
        }
        check
    }

    fn add_solution(&mut self, best: &Solution) {
        self.verdict = "solvable";
        self.solution = Some(best.lurd().to_string());
        self.metrics = Some(best.metrics().into());
    }

    fn add_fault(&mut self, level: &Level, fault: &Fault) {
        self.verdict = "unsolvable";
        self.findings = vec![Finding::bad(format!("It has no solution: {}.", fault.reason()))];
        self.marks.fault = places(level, fault.boxes());
        if let Fault::TooFewGoals { goals, .. } = fault {
            self.marks.goals = places(level, goals);
        }
    }
}

fn places(level: &Level, squares: &SquareSet) -> Vec<(usize, usize)> {
    squares.iter().map(|sq| level.board().place(sq)).collect()
}
