//! One solution after the other, of as many shapes as there are strategies, in slices: what an optimizer asks for
//! when polishing one solution has come to nothing.
//!
//! Each strategy of the portfolio finds its own solution and leaves. Single-threaded, counted in ticks, and so
//! repeatable.

use sokocore::{Level, Solution};
use sokosearch::{Budget, Cancel, Stop};

use super::race::checked;
use super::roster::{Next, Roster};
use super::shares::Share;
use super::{SolveKnobs, lineup};
use crate::{AttemptEnd, Verdict};

/// A source of solutions of one level.
#[derive(Debug)]
pub struct Supply {
    level: Level,
    roster: Roster,
}

/// What a slice of a [`Supply`] brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supplied {
    /// A solution, replayed, and the strategy that found it.
    Solution(Solution, String),
    /// Nothing yet: the slice is used up.
    Nothing,
    /// Nothing, now or later.
    Exhausted,
}

impl Supply {
    /// Enters the strategies that the knobs choose for this level. The budget's limit of work is not looked at.
    #[must_use]
    pub fn new(level: &Level, knobs: &SolveKnobs, budget: &Budget) -> Self {
        let entrants = if level.is_solved(&level.start().boxes) {
            Vec::new()
        } else {
            lineup::entrants(level, knobs, budget.memory(), None)
        };
        let budget = budget.clone().with_work(None);
        Self { level: level.clone(), roster: Roster::new(entrants, Share::Work, 1, &budget, &Cancel::default()) }
    }

    /// Goes on for about so many ticks, or until a strategy has found its solution.
    ///
    /// # Errors
    /// The time is over, or the user asked for an end.
    pub fn go_on(&mut self, ticks: u64) -> Result<Supplied, Stop> {
        let end = self.roster.ticks().saturating_add(ticks);
        while self.roster.ticks() < end {
            let Next::Play(mut turn) = self.roster.next(end - self.roster.ticks()) else {
                return Ok(Supplied::Exhausted);
            };
            let played = turn.runner.play(&turn.entrant, turn.slice);
            let (ticks, elapsed) = (played.ticks, played.elapsed);
            let by = turn.entrant.name.clone();
            match played.result {
                Some(Err(Stop::Work)) => self.roster.put_back(turn, ticks, elapsed),
                Some(Err(stop @ (Stop::Time | Stop::Cancelled))) => {
                    self.roster.leave(turn, AttemptEnd::Stopped(stop), ticks, elapsed);
                    return Err(stop);
                }
                Some(Err(Stop::Memory)) => {
                    self.roster.leave(turn, AttemptEnd::Stopped(Stop::Memory), ticks, elapsed);
                }
                Some(Ok(Verdict::Solved(pushes))) => {
                    let found = checked(&self.level, &pushes).ok();
                    let end = if found.is_some() { AttemptEnd::Solved } else { AttemptEnd::Wrong };
                    self.roster.leave(turn, end, ticks, elapsed);
                    if let Some(solution) = found {
                        return Ok(Supplied::Solution(solution, by));
                    }
                }
                Some(Ok(Verdict::Better(_) | Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) => {
                    self.roster.leave(turn, AttemptEnd::GaveUp, ticks, elapsed);
                }
                None => drop(self.roster.leave(turn, AttemptEnd::Failed, ticks, elapsed)),
            }
        }
        Ok(Supplied::Nothing)
    }

    /// Returns the units of work done so far.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.roster.ticks()
    }
}
