//! Optimizing a part of a solution: the states from after one push to after another may change, all else stays.
//!
//! ```text
//!   moves    uruLd ... R | drDllU ... L | uuR ... D
//!            └ prefix ─┘   └ the part ┘   └ suffix ┘
//!                      level of its own: starts in the state before it, ends in the state after it
//! ```
//!
//! The part becomes a level ([`SubLevel`]), and the whole schedule works on that. So every method keeps to the scope,
//! whether it knows of scopes or not. What is found there is put between prefix and suffix, which are kept letter by
//! letter, and offered to the pool at once; the pool compares whole solutions.
//!
//! Invariant: prefix and suffix never change. A part that ends before the solution does ends in its exact state,
//! boxes and player; one that ends with the solution ends in any solved position that the pool takes.

pub(crate) mod sub_level;

use std::ops::Range;

use sokocore::{Level, Lurd, Objective, Solution, replay};
use sokosearch::{Context, Event, Pool, Progress, Stop};
use tracing::debug;

use crate::{Knobs, optimize};
use sub_level::{Bystanders, CutError, Finish, SubLevel};

/// Which pushes of a solution may change, and how they are gone through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// From after push `start` to after push `end`; what lies beyond the solution is cut off.
    pub pushes: Range<usize>,
    /// Intervals to go through one after the other; `None` takes all at once.
    pub interval: Option<Interval>,
    /// What becomes of boxes that are not pushed.
    pub bystanders: Bystanders,
}

/// Consecutive parts that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    length: usize,
    overlap: usize,
}

impl Interval {
    /// Makes intervals of `length` pushes, each beginning `overlap` pushes before the one before it ends. `None`
    /// unless the overlap is less than the length.
    #[must_use]
    pub fn new(length: usize, overlap: usize) -> Option<Self> {
        (overlap < length).then_some(Self { length, overlap })
    }

    /// Returns the number of pushes in an interval.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of pushes that an interval shares with the one before it.
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }
}

impl Default for Scope {
    /// All of the solution, with all boxes.
    fn default() -> Self {
        Self { pushes: 0..usize::MAX, interval: None, bystanders: Bystanders::Free }
    }
}

impl Scope {
    /// Runs the schedule on the parts of the context's incumbent until none brings anything.
    ///
    /// # Errors
    /// Why it was stopped before that.
    pub(crate) fn optimize(&self, knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
        let knobs = Knobs { scope: None, others: Vec::new(), ..knobs.clone() };
        let current = cx.incumbent();
        let end = self.pushes.end.min(n_pushes(&current));
        let mut run = Run { scope: self, knobs, current, end, gained: false, cut: false };
        loop {
            (run.gained, run.cut) = (false, false);
            run.pass(cx)?;
            // A part that had only its share of the time gets another one while there is any.
            if !run.cut && (!run.gained || self.interval.is_none()) {
                return Ok(());
            }
        }
    }
}

struct Run<'a> {
    scope: &'a Scope,
    knobs: Knobs,
    /// The solution that grows better: all of them descend from the one at the start.
    current: Solution,
    /// Where the scope ends in it, in pushes.
    end: usize,
    gained: bool,
    cut: bool,
}

impl Run<'_> {
    /// Goes through the scope once.
    fn pass(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut from = self.scope.pushes.start;
        let (length, overlap) =
            self.scope.interval.map_or((usize::MAX, 0), |interval| (interval.length, interval.overlap));
        while from < self.end {
            let to = self.end.min(from.saturating_add(length));
            let n_left = 1 + (self.end - to).div_ceil(length - overlap);
            let to = self.part(from, to, 1.0 / n_left as f64, cx)?;
            if to >= self.end {
                break;
            }
            from = (from + 1).max(to.saturating_sub(overlap));
        }
        Ok(())
    }

    /// Optimizes a part, in pieces if need be: one has to end where its last boxes stand for the first time. Returns
    /// where the part ends now.
    fn part(&mut self, mut from: usize, mut to: usize, share: f64, cx: &mut Context<'_>) -> Result<usize, Stop> {
        let mut piece_end = to;
        while from < to {
            let finish = if piece_end == n_pushes(&self.current) { Finish::Solved } else { Finish::Exact };
            let cut = SubLevel::cut(cx.level(), self.current.lurd(), from..piece_end, finish, self.scope.bystanders);
            let sub = match cut {
                Ok(sub) => sub,
                Err(CutError::PassesEnd { after }) if after < piece_end => {
                    piece_end = after;
                    continue;
                }
                Err(error) => {
                    debug!(?error, from, to, "no part");
                    return Ok(to);
                }
            };
            let before = n_pushes(&self.current);
            self.optimize(&sub, finish, share, cx)?;
            let moved = |at: usize| (at + n_pushes(&self.current)).saturating_sub(before);
            (from, to) = (moved(piece_end), moved(to));
            piece_end = to;
        }
        Ok(to)
    }

    /// Runs the schedule on a piece and takes over what it brings.
    fn optimize(&mut self, sub: &SubLevel, finish: Finish, share: f64, cx: &mut Context<'_>) -> Result<(), Stop> {
        let objective = cx.objective();
        let pool = Pool::new(sub.level(), sub.start(), &[objective]);
        let ends_somewhere = finish == Finish::Exact || cx.kept_end().is_some();
        let pool = if ends_somewhere { pool.keeping_ends() } else { pool };
        let splicer = Splicer { sub, part: &pool, whole: cx.pool(), objective, progress: cx.progress() };
        let before = cx.incumbent().metrics();
        let mut part = cx.part(&pool, &splicer, share);
        let end = optimize(&self.knobs, &mut part);
        cx.take_back(&part);
        self.take_over(&splicer.spliced(), cx.level(), objective);
        if cx.has_improved_on(&before) {
            cx.note_gain();
        }
        self.cut |= end.is_err();
        cx.poll()
    }

    fn take_over(&mut self, moves: &Lurd, level: &Level, objective: Objective) {
        let Ok(found) = replay(level, moves) else { return };
        if objective.score(&found.metrics()) < objective.score(&self.current.metrics()) {
            self.end = (self.end + n_pushes(&found)).saturating_sub(n_pushes(&self.current));
            self.current = found;
            self.gained = true;
        }
    }
}

/// Listens to the run on a part, and puts every gain into the whole.
struct Splicer<'a> {
    sub: &'a SubLevel,
    part: &'a Pool<'a>,
    whole: &'a Pool<'a>,
    objective: Objective,
    progress: &'a dyn Progress,
}

impl Splicer<'_> {
    fn spliced(&self) -> Lurd {
        self.sub.spliced(self.part.best(self.objective).lurd())
    }
}

impl Progress for Splicer<'_> {
    fn on(&self, event: Event<'_>) {
        let Event::Improved { method, elapsed, .. } = event else { return self.progress.on(event) };
        match self.whole.offer(&self.spliced()) {
            Ok((improved, solution)) => {
                for objective in improved {
                    self.progress.on(Event::Improved { objective, metrics: solution.metrics(), method, elapsed });
                }
            }
            Err(error) => self.progress.on(Event::Rejected { method, reason: &error.to_string() }),
        }
    }
}

fn n_pushes(solution: &Solution) -> usize {
    usize::try_from(solution.metrics().pushes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
