//! The best solutions of a level, one for each objective of a run, shared by all its methods and threads.
//!
//! Invariant: every solution in the pool was made by [`sokocore::replay`] on the pool's own level, and is replaced only
//! by a better one. So a run cannot end with less than it started with. A pool that keeps ends accepts for an objective
//! only solutions that leave the player on the same square as the best one.

use parking_lot::Mutex;
use sokocore::{Level, Lurd, Objective, ReplayError, Solution, Square, replay};

use crate::run::shared_table::SharedTable;

/// The incumbents of one level.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokosearch::Pool;
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let start = replay(&level, &"RurrDLulDrdL".parse()?)?;
/// let pool = Pool::new(&level, &start, &[Objective::MOVES, Objective::PUSHES]);
/// let (improved, solution) = pool.offer(&"drruurDullDrdL".parse()?)?;
/// assert_eq!(improved, [Objective::PUSHES]);
/// assert_eq!(pool.best(Objective::PUSHES), solution);
/// assert_eq!(pool.best(Objective::MOVES), start);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pool<'a> {
    level: &'a Level,
    bests: Mutex<Vec<(Objective, Solution)>>,
    /// Objectives whose best solution is known to be optimal.
    proved: Mutex<Vec<Objective>>,
    /// Objectives by which a search has begun: the best by another one is a by-product.
    searched: Mutex<Vec<Objective>>,
    keeps_ends: bool,
    /// What the searches of the level have learned.
    table: SharedTable,
}

impl<'a> Pool<'a> {
    /// Opens a pool in which `start` is the best solution for each objective.
    #[must_use]
    pub fn new(level: &'a Level, start: &Solution, objectives: &[Objective]) -> Self {
        let bests = objectives.iter().map(|&objective| (objective, start.clone())).collect();
        Self {
            level,
            bests: Mutex::new(bests),
            proved: Mutex::default(),
            searched: Mutex::default(),
            keeps_ends: false,
            table: SharedTable::default(),
        }
    }

    /// Refuses, for each objective, solutions that leave the player on another square than the current best one.
    #[must_use]
    pub const fn keeping_ends(mut self) -> Self {
        self.keeps_ends = true;
        self
    }

    /// Returns an independent pool that starts with the best solutions of this one.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            level: self.level,
            bests: Mutex::new(self.bests.lock().clone()),
            proved: Mutex::default(),
            searched: Mutex::new(self.searched.lock().clone()),
            keeps_ends: self.keeps_ends,
            table: self.table.clone(),
        }
    }

    /// Opens another pool for the same level, in which `start` is the best solution for each objective.
    #[must_use]
    pub fn beside(&self, start: &Solution, objectives: &[Objective]) -> Self {
        Self { table: self.table.clone(), ..Self::new(self.level, start, objectives) }
    }

    /// Returns the square on which solutions for an objective must leave the player; `None` if any square will do.
    #[must_use]
    pub fn kept_end(&self, objective: Objective) -> Option<Square> {
        self.keeps_ends.then(|| self.end_of(&self.best(objective)))
    }

    /// Returns whether a solution of the level leaves the player where those for this objective must.
    #[must_use]
    pub fn admits(&self, objective: Objective, solution: &Solution) -> bool {
        self.kept_end(objective).is_none_or(|end| end == self.end_of(solution))
    }

    /// The player's square after the last push.
    fn end_of(&self, solution: &Solution) -> Square {
        let board = self.level.board();
        let step = |sq: Square, step: &sokocore::Step| board.step(sq, step.dir()).unwrap_or(sq);
        solution.lurd().steps().iter().fold(self.level.start().player, step)
    }

    /// Returns the level that the solutions solve.
    #[must_use]
    pub const fn level(&self) -> &'a Level {
        self.level
    }

    /// Returns the place for what the searches of the level learn.
    pub(crate) const fn table(&self) -> &SharedTable {
        &self.table
    }

    /// Returns the best solution for an objective, or for the pool's first one if the pool does not keep it.
    ///
    /// # Panics
    /// If the pool was opened without objectives.
    #[must_use]
    pub fn best(&self, objective: Objective) -> Solution {
        let bests = self.bests.lock();
        let kept = bests.iter().find(|(kept, _)| *kept == objective).or(bests.first());
        kept.expect("a pool is opened with at least one objective").1.clone()
    }

    /// Records that a search by this objective begins.
    pub fn begin_search(&self, objective: Objective) {
        let mut searched = self.searched.lock();
        if !searched.contains(&objective) {
            searched.push(objective);
        }
    }

    /// Returns the best solutions of the searches by other objectives that have begun, or were made before. What the pool
    /// keeps for objectives without a search is not among them.
    #[must_use]
    pub fn bests_by_others(&self, objective: Objective) -> Vec<Solution> {
        let others: Vec<_> = self.searched.lock().iter().copied().filter(|searched| *searched != objective).collect();
        let bests = self.bests.lock();
        bests.iter().filter(|(kept, _)| others.contains(kept)).map(|(_, best)| best.clone()).collect()
    }

    /// Records that an exhaustive search has shown the best solution for this objective to be optimal.
    pub fn set_proved(&self, objective: Objective) {
        let mut proved = self.proved.lock();
        if !proved.contains(&objective) {
            proved.push(objective);
        }
    }

    /// Returns whether the best solution for this objective is known to be optimal in all six metrics.
    #[must_use]
    pub fn is_proved(&self, objective: Objective) -> bool {
        self.proved.lock().contains(&objective)
    }

    /// Replays the moves and keeps them for every objective by which they are better. Returns those objectives,
    /// and the solution.
    ///
    /// # Errors
    /// The moves do not solve the level.
    pub fn offer(&self, moves: &Lurd) -> Result<(Vec<Objective>, Solution), ReplayError> {
        let candidate = replay(self.level, moves)?;
        let mut improved = Vec::new();
        let end = self.keeps_ends.then(|| self.end_of(&candidate));
        for (objective, best) in self.bests.lock().iter_mut() {
            let is_better = objective.score(&candidate.metrics()) < objective.score(&best.metrics());
            if is_better && end.is_none_or(|end| self.end_of(best) == end) {
                *best = candidate.clone();
                improved.push(*objective);
            }
        }
        Ok((improved, candidate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_for_each_objective() {
        let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
        let few_moves = replay(&level, &"RurrDLulDrdL".parse().unwrap()).unwrap();
        let few_pushes: Lurd = "drruurDullDrdL".parse().unwrap();
        let pool = Pool::new(&level, &few_moves, &[Objective::MOVES, Objective::PUSHES]);
        let (improved, _) = pool.offer(&few_pushes).unwrap();
        assert_eq!(improved, [Objective::PUSHES]);
        assert_eq!(pool.best(Objective::MOVES).metrics().moves, 12);
        assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
        assert_eq!(pool.bests_by_others(Objective::PUSHES), [], "no search by moves");
        (0..2).for_each(|_| pool.begin_search(Objective::MOVES));
        assert_eq!(pool.fork().bests_by_others(Objective::PUSHES), [few_moves]);
        assert_eq!(pool.bests_by_others(Objective::MOVES), []);
        assert!(pool.offer(&"u".parse().unwrap()).is_err());
    }

    #[test]
    fn refuses_other_ends_if_told() {
        let level = Level::parse("#######\n#     #\n#.$@$.#\n#######").unwrap();
        let [detour, right_last, left_last] = ["udLrR", "LrR", "RlL"].map(|moves| moves.parse::<Lurd>().unwrap());
        let start = replay(&level, &detour).unwrap();
        let free = Pool::new(&level, &start, &[Objective::MOVES]);
        assert_eq!(free.kept_end(Objective::MOVES), None);
        assert_eq!(free.offer(&left_last).unwrap().0, [Objective::MOVES]);
        let pool = Pool::new(&level, &start, &[Objective::MOVES]).keeping_ends();
        let end = level.board().square_at(2, 4);
        assert_eq!(pool.kept_end(Objective::MOVES), end);
        assert!(pool.offer(&left_last).unwrap().0.is_empty());
        let other_end = replay(&level, &left_last).unwrap();
        assert!(free.admits(Objective::MOVES, &other_end) && !pool.admits(Objective::MOVES, &other_end));
        assert_eq!(pool.offer(&right_last).unwrap().0, [Objective::MOVES]);
        assert_eq!(pool.kept_end(Objective::MOVES), end);
    }
}
