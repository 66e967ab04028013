//! Optimizes the parts of a scope, one after the other.

use sokocore::{Level, Lurd, Objective, Solution, replay};
use sokosearch::{Context, Event, Pool, Progress, Stop};
use tracing::debug;

use super::Scope;
use super::sub_level::{CutError, Finish, SubLevel};
use crate::{Knobs, schedule};

/// Runs the schedule on the parts of the context's incumbent until none gains anything more.
///
/// # Errors
/// Why it was stopped before that.
pub(crate) fn optimize_parts(scope: &Scope, knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    let knobs = Knobs { scope: None, others: Vec::new(), ..knobs.clone() };
    let current = cx.incumbent();
    let end = scope.pushes.end.min(n_pushes(&current));
    let mut optimizer = PartOptimizer { scope, knobs, current, end, gained: false, cut: false };
    loop {
        (optimizer.gained, optimizer.cut) = (false, false);
        optimizer.pass(cx)?;
        // A part that used up its share of the time gets another one while there is time left.
        if !optimizer.cut && (!optimizer.gained || scope.interval.is_none()) {
            return Ok(());
        }
    }
}

/// The solution between two parts.
struct PartOptimizer<'a> {
    scope: &'a Scope,
    knobs: Knobs,
    /// The best solution so far with the prefix and the suffix of the one at the start.
    current: Solution,
    /// End of the scope in it, in pushes.
    end: usize,
    /// Whether this pass gained.
    gained: bool,
    /// Whether a part of this pass was stopped before its end.
    cut: bool,
}

impl PartOptimizer<'_> {
    /// Optimizes each interval once.
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

    /// Optimizes a part, in pieces if need be: a piece has to end where its final boxes are reached for the first time.
    /// Returns the new end of the part.
    fn part(&mut self, mut from: usize, mut to: usize, share: f64, cx: &mut Context<'_>) -> Result<usize, Stop> {
        let mut piece_end = to;
        while from < to {
            let finish = if piece_end == n_pushes(&self.current) { Finish::Solved } else { Finish::Exact };
            let cut = SubLevel::cut(cx.level(), self.current.lurd(), from..piece_end, finish, self.scope.unpushed);
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
            if !self.optimize(&sub, finish, share, cx)? {
                return Ok(self.end);
            }
            let moved = |at: usize| (at + n_pushes(&self.current)).saturating_sub(before);
            (from, to) = (moved(piece_end), moved(to));
            piece_end = to;
        }
        Ok(to)
    }

    /// Runs the schedule on a piece and adopts its gain. Returns whether the solution still has its suffix.
    fn optimize(&mut self, sub: &SubLevel, finish: Finish, share: f64, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let objective = cx.objective();
        let pool = Pool::new(sub.level(), sub.start(), &[objective]);
        let is_end_kept = finish == Finish::Exact || cx.kept_end().is_some();
        let pool = if is_end_kept { pool.keeping_ends() } else { pool };
        let splicer = Splicer { sub, part: &pool, whole: cx.pool(), objective, progress: cx.progress() };
        let before = cx.incumbent().metrics();
        let mut part = cx.part(&pool, &splicer, share);
        let end = schedule::run(&self.knobs, &mut part);
        cx.merge_part(&part);
        let has_suffix = self.adopt(&splicer.spliced(), cx.level(), objective);
        if cx.has_improved_on(&before) {
            cx.note_gain();
        }
        self.cut |= end.is_err();
        cx.poll()?;
        Ok(has_suffix)
    }

    /// Takes over these moves if they are better. Returns whether the solution still has its suffix: replay ends it where
    /// it solves the level, which the part may do already.
    fn adopt(&mut self, moves: &Lurd, level: &Level, objective: Objective) -> bool {
        let Ok(found) = replay(level, moves) else { return true };
        if objective.score(&found.metrics()) >= objective.score(&self.current.metrics()) {
            return true;
        }
        let has_suffix = found.lurd().len() == moves.len();
        self.end = match has_suffix {
            true => (self.end + n_pushes(&found)).saturating_sub(n_pushes(&self.current)),
            false => n_pushes(&found),
        };
        self.current = found;
        self.gained = true;
        has_suffix
    }
}

/// Observes the run on a part, and offers every gain to the whole, spliced between prefix and suffix.
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

pub(super) fn n_pushes(solution: &Solution) -> usize {
    usize::try_from(solution.metrics().pushes).expect("invariant: a solution fits into memory")
}
