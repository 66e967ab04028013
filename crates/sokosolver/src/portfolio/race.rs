//! A run: several threads that take turns from one roster until there is an answer.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use sokocore::{Level, Push, Solution, moves_of, replay};
use sokosearch::{Budget, Cancel, End, Stop, run_jobs};
use tracing::{debug, error, info};

use super::Polish;
use super::entrant::{Entrant, Played};
use super::leftovers::Leftovers;
use super::roster::{Next, Roster, Turn};
use super::shares::Share;
use super::standing::Standing;
use crate::{Answer, Attempt, AttemptEnd, SolveEvent, SolveProgress, Verdict};

/// What the threads share.
struct Race<'a> {
    level: &'a Level,
    polish: Option<&'a Polish>,
    budget: &'a Budget,
    progress: &'a dyn SolveProgress,
    /// Raised when there is an answer.
    done: Cancel,
    state: Mutex<State>,
    /// Raised when a strategy was put back or the run has ended.
    changed: Condvar,
}

struct State {
    roster: Roster,
    answer: Option<Answer>,
    /// What is known in a run for the best solution.
    standing: Option<Standing>,
}

/// What a run is to do.
pub(crate) struct Task<'a> {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) n_threads: usize,
    /// For the best solution; any will do if `None`.
    pub(crate) standing: Option<Standing>,
    /// What is done to a solution before others are measured by it.
    pub(crate) polish: Option<&'a Polish>,
}

/// What came of a run.
pub(crate) struct Ran {
    pub(crate) answer: Answer,
    /// What every solution needs at least, by what counts first.
    pub(crate) lower_bound: Option<u64>,
    pub(crate) end: End,
    /// What each did.
    pub(crate) tried: Vec<Attempt>,
    /// The ticks of all together.
    pub(crate) ticks: u64,
    pub(crate) leftovers: Leftovers,
}

impl Ran {
    /// When the answer was known before.
    pub(crate) fn without_search(answer: Answer, lower_bound: Option<u64>) -> Self {
        let leftovers = Leftovers::default();
        Self { answer, lower_bound, end: End::Exhausted, tried: Vec::new(), ticks: 0, leftovers }
    }
}

/// Lets the entrants run until one has an answer.
pub(crate) fn run(level: &Level, task: Task<'_>, budget: &Budget, progress: &dyn SolveProgress) -> Ran {
    let Task { entrants, n_threads, standing, polish } = task;
    let done = Cancel::default();
    let n_threads = n_threads.max(1);
    let share = if n_threads == 1 || budget.work().is_some() { Share::Work } else { Share::Time };
    let roster = Roster::new(entrants, share, n_threads, budget, &done);
    let state = Mutex::new(State { roster, answer: None, standing });
    let race = Race { level, polish, budget, progress, done, state, changed: Condvar::new() };
    run_jobs(n_threads, 0..n_threads, |_| race.work());
    let State { roster, answer, standing } = race.state.into_inner();
    let answer = answer.unwrap_or(Answer::Unsolved(End::Exhausted));
    let (end, others) = match answer {
        Answer::Unsolved(end @ End::Stopped(stop)) => (end, AttemptEnd::Stopped(stop)),
        _ => (End::Exhausted, AttemptEnd::Overtaken),
    };
    let ticks = roster.ticks();
    let (tried, leftovers) = roster.close(others, standing.as_ref().map(Standing::rule));
    // What is found by the time that the last slice ends counts, too.
    let best = standing.as_ref().and_then(Standing::answer);
    let answer = best.unwrap_or(answer);
    let is_solvable = !matches!(answer, Answer::Unsolvable { .. });
    let lower_bound = standing.filter(|_| is_solvable).and_then(|standing| standing.bound());
    Ran { answer, lower_bound, end, tried, ticks, leftovers }
}

impl Race<'_> {
    /// Plays one turn after the other until there is an answer.
    fn work(&self) {
        while let Some(mut turn) = self.next() {
            self.progress.on(SolveEvent::Turn { strategy: &turn.entrant.name });
            let played = turn.runner.play(&turn.entrant, turn.slice);
            debug!(strategy = turn.entrant.name, ticks = played.ticks, elapsed = ?played.elapsed, "slice");
            self.take_back(turn, played);
        }
    }

    /// Takes the next turn, if need be when others have put theirs back; `None` when the run has ended.
    fn next(&self) -> Option<Turn> {
        let mut state = self.state.lock();
        loop {
            if state.answer.is_some() {
                return None;
            }
            match state.roster.next(u64::MAX) {
                Next::Play(turn) => return Some(turn),
                Next::Wait => self.changed.wait(&mut state),
                Next::Over(end) => self.answer(&mut state, Answer::Unsolved(end)),
            }
        }
    }

    /// Gives the answer, unless there is one.
    fn answer(&self, state: &mut State, answer: Answer) {
        state.answer.get_or_insert(answer);
        self.done.cancel();
        state.roster.stop();
        self.changed.notify_all();
    }

    fn take_back(&self, turn: Turn, played: Played) {
        let Played { result, ticks, elapsed } = played;
        let entrant = &*Arc::clone(&turn.entrant);
        // The replay takes its time, so it comes before the lock.
        let found = match &result {
            Some(Ok(Verdict::Solved(pushes) | Verdict::Better(pushes))) => self.check(entrant, pushes),
            _ => None,
        };
        let found = match &result {
            // What is proved needs no polish.
            Some(Ok(Verdict::Solved(_))) if entrant.proves => found,
            _ => found.map(|solution| self.polished(solution)),
        };
        let mut state = self.state.lock();
        let has_found = found.is_some();
        let solution = match &mut state.standing {
            Some(_) => {
                self.stand(&mut state, entrant, turn.runner.proved_cost(), found);
                None
            }
            None => found,
        };
        let end = match result {
            Some(Err(Stop::Work)) => None,
            Some(Ok(Verdict::Better(_))) if has_found => None,
            Some(Err(Stop::Cancelled)) if state.is_over_for(entrant, &self.done) => Some(AttemptEnd::Overtaken),
            Some(Err(stop)) => Some(AttemptEnd::Stopped(stop)),
            Some(Ok(Verdict::Solved(_) | Verdict::Better(_))) if !has_found => Some(AttemptEnd::Wrong),
            Some(Ok(Verdict::Solved(_) | Verdict::Better(_))) => Some(AttemptEnd::Solved),
            Some(Ok(Verdict::NoneBetter)) => Some(AttemptEnd::Proved),
            Some(Ok(Verdict::Unsolvable)) => Some(AttemptEnd::Unsolvable),
            Some(Ok(Verdict::GaveUp)) => Some(AttemptEnd::GaveUp),
            None => Some(AttemptEnd::Failed),
        };
        let is_contradicted = state.standing.as_ref().is_some_and(Standing::is_contradicted);
        let end = if is_contradicted && entrant.proves { Some(AttemptEnd::Wrong) } else { end };
        let answer = state.answer_after(end, solution, &entrant.name);
        let is_over = answer.is_some() || (end == Some(AttemptEnd::Overtaken) && self.done.is_cancelled());
        if let Some(answer) = answer {
            self.answer(&mut state, answer);
        }
        match end {
            None => state.roster.put_back(turn, ticks, elapsed),
            Some(end) if is_over => {
                state.roster.leave_last(turn, end, ticks, elapsed);
                self.left(entrant, Some(end));
            }
            Some(end) => {
                let end = state.roster.leave(turn, end, ticks, elapsed);
                self.left(entrant, end);
            }
        }
        if state.standing.as_ref().is_some_and(Standing::has_solution) {
            state.roster.dismiss_finders();
        }
        self.changed.notify_all();
    }

    /// Takes in what a slice has proved and found, in a run for the best solution.
    fn stand(&self, state: &mut State, entrant: &Entrant, proved_cost: u64, found: Option<Solution>) {
        let Some(standing) = &mut state.standing else { return };
        let strategy = entrant.name.as_str();
        if let Some(solution) = found
            && standing.offer(solution.clone(), strategy)
        {
            let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
            self.progress.on(SolveEvent::Improved { strategy, metrics, elapsed, solution: &solution });
        }
        if entrant.proves
            && let Some(bound) = standing.raise(proved_cost)
        {
            info!(strategy, bound, "bound");
            self.progress.on(SolveEvent::Bound { strategy, bound });
        }
    }

    /// The better one of a solution and what polishing makes of it.
    fn polished(&self, solution: Solution) -> Solution {
        let Some(polish) = self.polish else { return solution };
        let state = self.state.lock();
        let is_wanted = state.standing.as_ref().is_some_and(|standing| standing.is_better(&solution.metrics()));
        drop(state);
        if !is_wanted {
            return solution;
        }
        let polished = replay(self.level, polish(&solution).lurd());
        let state = self.state.lock();
        let is_better = |one: &Solution| state.standing.as_ref().is_some_and(|standing| standing.ranks(one, &solution));
        polished.ok().filter(is_better).unwrap_or(solution)
    }

    fn left(&self, entrant: &Entrant, end: Option<AttemptEnd>) {
        match end {
            Some(end) => {
                info!(strategy = entrant.name, %end, "left");
                self.progress.on(SolveEvent::Left { strategy: &entrant.name, end });
            }
            None => info!(strategy = entrant.name, "begins anew, others having taken the memory, or goes on elsewhere"),
        }
    }

    /// Replays what was found.
    fn check(&self, entrant: &Entrant, pushes: &[Push]) -> Option<Solution> {
        let elapsed: Duration = self.budget.elapsed();
        match checked(self.level, pushes) {
            Ok(solution) => {
                let metrics = solution.metrics();
                info!(strategy = entrant.name, %metrics, ?elapsed, "solved");
                self.progress.on(SolveEvent::Solved { strategy: &entrant.name, metrics, elapsed });
                Some(solution)
            }
            Err(reason) => {
                error!(strategy = entrant.name, reason, "a find does not replay; it is ignored. Please report this");
                self.progress.on(SolveEvent::Rejected { strategy: &entrant.name, reason: &reason });
                None
            }
        }
    }
}

impl State {
    /// Whether nothing more is wanted of this strategy.
    fn is_over_for(&self, entrant: &Entrant, done: &Cancel) -> bool {
        done.is_cancelled() || (!entrant.proves && self.standing.as_ref().is_some_and(Standing::has_solution))
    }

    /// The answer that ends the run after a strategy has ended so, or paused.
    fn answer_after(&mut self, end: Option<AttemptEnd>, solution: Option<Solution>, by: &str) -> Option<Answer> {
        if let Some(AttemptEnd::Stopped(stop @ (Stop::Time | Stop::Cancelled))) = end {
            return Some(Answer::Unsolved(End::Stopped(stop)));
        }
        if let Some(standing) = &mut self.standing {
            if end == Some(AttemptEnd::Unsolvable) {
                standing.note_unsolvable();
                return (!standing.has_solution()).then(|| Answer::Unsolvable { by: by.to_owned() });
            }
            return standing.answer().filter(|_| standing.is_proved());
        }
        match (end, solution) {
            (Some(AttemptEnd::Solved), Some(solution)) => {
                Some(Answer::Solved { solution, by: by.to_owned(), proved: false })
            }
            (Some(AttemptEnd::Unsolvable), _) => Some(Answer::Unsolvable { by: by.to_owned() }),
            _ => None,
        }
    }
}

/// Joins pushes by shortest walks and replays them.
pub(crate) fn checked(level: &Level, pushes: &[Push]) -> Result<Solution, String> {
    let moves = moves_of(level, pushes).ok_or_else(|| "a push cannot be made".to_owned())?;
    replay(level, &moves).map_err(|error| error.to_string())
}
