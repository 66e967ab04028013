//! The archive of the lineages: earlier solutions, for crossover and relinking.
//!
//! Invariant: every solution is charged. A solution that does not fit replaces the oldest one, or is not stored.

use std::collections::VecDeque;

use sokocore::{Lurd, Solution, replay};
use sokosearch::{Charge, Context, MemoryAccount, Stop};

use super::lineage::Lineage;
use crate::methods::crossover::cross;
use crate::schedule::announce::announced;
use crate::schedule::arm_context::ArmContext;
use crate::schedule::bandit::run_technique;
use crate::{Relink, Technique, TechniqueSet};

/// Most solutions that are stored.
const MOST: usize = 48;
/// Ticks for relinking the archive with the best.
const RELINKING: u64 = 32_000_000;
/// Solutions of the archive that are relinked at the end of a generation.
const MAX_RELINKED: usize = 8;

/// Different solutions, oldest first.
#[derive(Debug, Default)]
pub(super) struct Archive(VecDeque<ArchivedSolution>);

#[derive(Debug)]
struct ArchivedSolution {
    solution: Solution,
    _charge: Charge,
}

impl Archive {
    /// Returns the solutions, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Solution> {
        self.0.iter().map(|archived| &archived.solution)
    }

    /// Stores a copy of a solution, unless it is stored already.
    pub(super) fn add(&mut self, solution: &Solution, account: &MemoryAccount) {
        if self.iter().any(|other| other.lurd() == solution.lurd()) {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        let charge = account.charge(n_bytes(solution)).or_else(|_| {
            self.0.pop_front();
            account.charge(n_bytes(solution))
        });
        if let Ok(charge) = charge {
            self.0.push_back(ArchivedSolution { solution: solution.clone(), _charge: charge });
        }
    }

    /// Returns the moves of all solutions for a checkpoint, oldest first.
    pub(super) fn save(&self) -> Vec<Lurd> {
        self.iter().map(|solution| solution.lurd().clone()).collect()
    }

    /// Stores the solutions of an earlier run, oldest first, after a replay.
    pub(super) fn restore(&mut self, saved: &[Lurd], cx: &Context<'_>) {
        for solution in saved.iter().filter_map(|moves| replay(cx.level(), moves).ok()) {
            self.add(&solution, cx.budget().memory());
        }
    }

    /// Crosses each lineage with the best and with the archive, for at most so many ticks, and replaces its solution by
    /// the best child. Archives the solutions of all lineages, before and after.
    pub(super) fn cross_all(
        &mut self,
        lineages: &mut [Lineage],
        ticks: u64,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let account = cx.budget().memory();
        for lineage in lineages {
            self.add(lineage.current(), account);
            if !arm_cx.knobs.techniques.contains(Technique::Crossover) {
                continue;
            }
            let best = cx.best();
            let crossing = TechniqueSet::EMPTY.with(Technique::Crossover);
            let crossed = announced(crossing, cx, |cx| {
                cx.sliced(ticks, |cx| {
                    std::iter::once(&best).chain(self.iter()).try_for_each(|partner| {
                        if let Some(child) = cross(lineage.current(), partner, cx)? {
                            lineage.replace_current(child);
                        }
                        Ok(())
                    })
                })
            });
            match crossed {
                Ok(_) => self.add(lineage.current(), account),
                Err(Stop::Memory) => cx.note_short_of_memory(),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Relinks the youngest solutions of the archive with the best.
    pub(super) fn relink(&self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Ok((others, _charge)) = self.youngest(MAX_RELINKED, cx.budget().memory()) else {
            cx.note_short_of_memory();
            return Ok(());
        };
        let relink = Relink::new(others, arm_cx.knobs.relink_ring, arm_cx.knobs.engine);
        let knobs = arm_cx.knobs;
        cx.sliced(RELINKING, |cx| run_technique(Technique::Relink, &relink, knobs, cx)).map(|_: Option<bool>| ())
    }

    /// Returns copies of the `n` youngest solutions, youngest first, with their charge.
    ///
    /// # Errors
    /// The copies do not fit into memory.
    pub(super) fn youngest(&self, n: usize, account: &MemoryAccount) -> Result<(Vec<Solution>, Charge), Stop> {
        let youngest = || self.0.iter().rev().take(n).map(|archived| &archived.solution);
        let charge = account.charge(youngest().map(n_bytes).sum())?;
        Ok((youngest().cloned().collect(), charge))
    }
}

/// Bytes of a solution, with its entry in a list whose capacity may be twice its length.
fn n_bytes(solution: &Solution) -> u64 {
    (size_of_val(solution.lurd().steps()) + 2 * size_of::<ArchivedSolution>()) as u64
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Lurd, replay};

    use super::*;

    /// Solution number `n` of 256 equally long ones.
    fn solution(n: usize) -> Solution {
        let level = Level::parse("######\n#    #\n#@$ .#\n#    #\n######").unwrap();
        let walks: String = (0..8).map(|bit| if n >> bit & 1 == 0 { "ud" } else { "du" }).collect();
        replay(&level, &(walks + "RR").parse::<Lurd>().unwrap()).unwrap()
    }

    /// Adds `n` solutions, and returns the numbers of those that are left.
    fn left(n: usize, account: &MemoryAccount) -> Vec<usize> {
        let mut archive = Archive::default();
        for number in 0..n {
            archive.add(&solution(number), account);
            archive.add(&solution(number), account);
            let charged: u64 = archive.iter().map(n_bytes).sum();
            assert_eq!(account.used(), charged);
        }
        let number = |solution: &Solution| (0..n).find(|&n| self::solution(n).lurd() == solution.lurd());
        archive.iter().filter_map(number).collect()
    }

    #[test]
    fn the_oldest_are_evicted_when_there_are_many_or_memory_is_short() {
        assert_eq!(left(5, &MemoryAccount::new(1 << 20)), [0, 1, 2, 3, 4]);
        assert_eq!(left(50, &MemoryAccount::new(1 << 20)), (2..50).collect::<Vec<_>>());
        assert_eq!(left(50, &MemoryAccount::new(4 * n_bytes(&solution(0)) - 1)), [47, 48, 49]);
        assert_eq!(left(50, &MemoryAccount::new(n_bytes(&solution(0)) - 1)), [0; 0]);
    }

    #[test]
    fn a_solution_without_room_evicts_one_other_at_most() {
        let account = MemoryAccount::new(1 << 20);
        let mut archive = Archive::default();
        (0..3).for_each(|number| archive.add(&solution(number), &account));
        let _rest = account.charge(account.free()).unwrap();
        let small = MemoryAccount::new(0);
        archive.add(&solution(3), &small);
        assert_eq!(archive.iter().count(), 2, "one was evicted, and that was not enough");
        assert_eq!(archive.youngest(2, &account).map(|_| ()), Err(Stop::Memory), "no copies without room");
    }

    #[test]
    fn copies_are_charged_as_long_as_they_are_used() {
        let account = MemoryAccount::new(1 << 20);
        let mut archive = Archive::default();
        (0..9).for_each(|number| archive.add(&solution(number), &account));
        let before = account.used();
        let (copies, charge) = archive.youngest(2, &account).unwrap();
        assert_eq!(copies, [solution(8), solution(7)]);
        assert_eq!(account.used(), before + 2 * n_bytes(&solution(0)));
        drop(charge);
        assert_eq!(account.used(), before);
    }
}
