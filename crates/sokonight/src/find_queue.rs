//! What waits to be written into the library.
//!
//! Invariant: what is found of a level waits in one place. Where the library cannot be written for long, its size is that
//! of the best solutions, the proofs and the accounts of runs; checkpoints, which only cost work, are bounded.

use sokocore::{Level, Objective};

use crate::LevelFinds;

/// Most bytes of checkpoints that wait for a library which cannot be written. Without them only work is lost.
const MAX_WAITING: usize = 64 << 20;

/// Finds, level by level, in the order of their first ones.
#[derive(Debug, Default)]
pub(super) struct FindQueue(Vec<LevelFinds>);

impl FindQueue {
    /// Returns the checkpoint that waits to be written.
    pub(super) fn checkpoint(&self, level: &Level, objective: Objective) -> Option<&[u8]> {
        let of_level = self.0.iter().find(|finds| finds.level == *level)?;
        of_level.checkpoints.iter().find(|(other, _)| *other == objective).map(|(_, bytes)| &**bytes)
    }

    /// Adds finds to those of their level.
    pub(super) fn put(&mut self, finds: LevelFinds) {
        match self.0.iter_mut().find(|old| old.level == finds.level) {
            Some(old) => old.follow(finds),
            None => self.0.push(finds),
        }
        let mut n_bytes: usize = self.0.iter().map(LevelFinds::n_bytes_of_checkpoints).sum();
        for old in &mut self.0 {
            if n_bytes <= MAX_WAITING {
                return;
            }
            n_bytes -= old.n_bytes_of_checkpoints();
            old.checkpoints.clear();
        }
    }

    /// Puts finds back that could not be written. What came since follows them.
    pub(super) fn put_back(&mut self, finds: Self) {
        let since = std::mem::replace(self, finds);
        since.0.into_iter().for_each(|later| self.put(later));
    }

    /// Returns whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Visits the finds, level by level.
    pub(super) fn levels(&self) -> impl Iterator<Item = &LevelFinds> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use sokocore::replay;
    use sokolibrary::RunDone;

    use super::*;
    use crate::FoundSolution;

    fn level(length: usize) -> Level {
        let wall = "#".repeat(length + 5);
        Level::parse(&format!("{wall}\n#@${}.#\n{wall}", " ".repeat(length))).unwrap()
    }

    fn solved(level: &Level, moves: &str) -> LevelFinds {
        let solution = replay(level, &moves.parse().unwrap()).unwrap();
        LevelFinds { solutions: vec![FoundSolution::new(solution, Objective::MOVES)], ..LevelFinds::of(level) }
    }

    fn checkpoint(level: &Level, n_bytes: usize) -> LevelFinds {
        LevelFinds { checkpoints: vec![(Objective::MOVES, vec![7; n_bytes])], ..LevelFinds::of(level) }
    }

    #[test]
    fn the_last_of_each_kind_waits_for_a_level() {
        let (one, other) = (level(1), level(2));
        let mut queue = FindQueue::default();
        queue.put(solved(&one, "RR"));
        queue.put(LevelFinds { bounds: Some((2, 1)), ..LevelFinds::of(&one) });
        queue.put(solved(&other, "RRR"));
        queue.put(checkpoint(&one, 3));
        queue.put(LevelFinds { bounds: Some((1, 2)), ..checkpoint(&one, 4) });
        let runs = vec![RunDone::default()];
        queue.put(LevelFinds { runs: runs.clone(), ..LevelFinds::of(&one) });
        queue.put(LevelFinds { runs, ..LevelFinds::of(&one) });
        assert_eq!(queue.0.len(), 2);
        let of_one = &queue.0[0];
        assert_eq!((of_one.solutions.len(), of_one.bounds, of_one.runs.len()), (1, Some((2, 2)), 2));
        assert_eq!(queue.checkpoint(&one, Objective::MOVES), Some(&[7; 4][..]));
        assert_eq!(queue.checkpoint(&other, Objective::MOVES), None);
    }

    #[test]
    fn what_could_not_be_written_is_followed_by_what_came_since() {
        let one = level(1);
        let mut queue = FindQueue::default();
        queue.put(checkpoint(&one, 1));
        let taken = std::mem::take(&mut queue);
        queue.put(checkpoint(&one, 2));
        queue.put_back(taken);
        assert_eq!((queue.0.len(), queue.checkpoint(&one, Objective::MOVES)), (1, Some(&[7; 2][..])));
    }

    #[test]
    fn checkpoints_that_wait_are_bounded_and_solutions_are_not() {
        let mut queue = FindQueue::default();
        for length in 1..=20 {
            queue.put(solved(&level(length), &"R".repeat(length + 1)));
            queue.put(checkpoint(&level(length), MAX_WAITING / 8));
        }
        let n_bytes: usize = queue.0.iter().map(LevelFinds::n_bytes_of_checkpoints).sum();
        assert!(n_bytes <= MAX_WAITING && n_bytes > MAX_WAITING / 2, "{n_bytes}");
        assert_eq!(queue.levels().map(|finds| finds.solutions.len()).sum::<usize>(), 20);
        assert!(queue.checkpoint(&level(20), Objective::MOVES).is_some());
    }
}
