//! A run: several threads that take turns from one roster until there is an answer.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use sokocore::{Level, Push, Solution, moves_of, replay};
use sokosearch::{Budget, Cancel, End, Stop, run_jobs};
use tracing::{debug, error, info};

use super::entrant::{Entrant, Played};
use super::leftovers::Leftovers;
use super::roster::{Next, Roster, Turn};
use super::shares::Share;
use crate::{Answer, Attempt, AttemptEnd, SolveEvent, SolveProgress, Verdict};

/// What the threads share.
struct Race<'a> {
    level: &'a Level,
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
}

/// What came of a run.
pub(crate) struct Ran {
    pub(crate) answer: Answer,
    /// What each did.
    pub(crate) tried: Vec<Attempt>,
    /// The ticks of all together.
    pub(crate) ticks: u64,
    pub(crate) leftovers: Leftovers,
}

impl Ran {
    /// When the answer was known before.
    pub(crate) fn without_search(answer: Answer) -> Self {
        Self { answer, tried: Vec::new(), ticks: 0, leftovers: Leftovers::default() }
    }
}

/// Lets the entrants run until one has an answer.
pub(crate) fn run(
    level: &Level,
    entrants: Vec<Entrant>,
    n_threads: usize,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> Ran {
    let done = Cancel::default();
    let n_threads = n_threads.max(1);
    let share = if n_threads == 1 || budget.work().is_some() { Share::Work } else { Share::Time };
    let roster = Roster::new(entrants, share, n_threads, budget, &done);
    let state = Mutex::new(State { roster, answer: None });
    let race = Race { level, budget, progress, done, state, changed: Condvar::new() };
    run_jobs(n_threads, 0..n_threads, |_| race.work());
    let state = race.state.into_inner();
    let answer = state.answer.unwrap_or(Answer::Unsolved(End::Exhausted));
    let others = match answer {
        Answer::Unsolved(End::Stopped(stop)) => AttemptEnd::Stopped(stop),
        _ => AttemptEnd::Overtaken,
    };
    let ticks = state.roster.ticks();
    let (tried, leftovers) = state.roster.close(others);
    Ran { answer, tried, ticks, leftovers }
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
        self.changed.notify_all();
    }

    fn take_back(&self, turn: Turn, played: Played) {
        let Played { result, ticks, elapsed } = played;
        let entrant = &*Arc::clone(&turn.entrant);
        // The replay takes its time, so it comes before the lock.
        let found = match &result {
            Some(Ok(Verdict::Solved(pushes))) => self.check(entrant, pushes),
            _ => None,
        };
        let mut state = self.state.lock();
        let end = match result {
            Some(Err(Stop::Work)) => {
                state.roster.put_back(turn, ticks, elapsed);
                self.changed.notify_all();
                return;
            }
            Some(Err(Stop::Cancelled)) if self.done.is_cancelled() => AttemptEnd::Overtaken,
            Some(Err(stop)) => AttemptEnd::Stopped(stop),
            Some(Ok(Verdict::Solved(_))) if found.is_none() => AttemptEnd::Wrong,
            Some(Ok(Verdict::Solved(_))) => AttemptEnd::Solved,
            Some(Ok(Verdict::Unsolvable)) => AttemptEnd::Unsolvable,
            Some(Ok(Verdict::GaveUp)) => AttemptEnd::GaveUp,
            None => AttemptEnd::Failed,
        };
        let by = entrant.name.clone();
        let answer = match (end, found) {
            (AttemptEnd::Solved, Some(solution)) => Some(Answer::Solved { solution, by, proved: entrant.proves }),
            (AttemptEnd::Unsolvable, _) => Some(Answer::Unsolvable { by }),
            (AttemptEnd::Stopped(stop @ (Stop::Time | Stop::Cancelled)), _) => {
                Some(Answer::Unsolved(End::Stopped(stop)))
            }
            _ => None,
        };
        let is_over = answer.is_some() || end == AttemptEnd::Overtaken;
        if let Some(answer) = answer {
            self.answer(&mut state, answer);
        }
        let end = if is_over {
            state.roster.leave_last(turn, end, ticks, elapsed);
            Some(end)
        } else {
            state.roster.leave(turn, end, ticks, elapsed)
        };
        self.left(entrant, end);
        self.changed.notify_all();
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

/// Joins pushes by shortest walks and replays them.
pub(crate) fn checked(level: &Level, pushes: &[Push]) -> Result<Solution, String> {
    let moves = moves_of(level, pushes).ok_or_else(|| "a push cannot be made".to_owned())?;
    replay(level, &moves).map_err(|error| error.to_string())
}
