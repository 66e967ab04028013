//! What lineages have come to: solutions to be crossed and relinked with.
//!
//! Invariant: every solution is paid for. One that finds no room takes the oldest one's place, or is not remembered.

use std::collections::VecDeque;

use sokocore::Solution;
use sokosearch::{Charge, MemoryAccount, Stop};

/// Solutions that are remembered.
const MOST: usize = 48;

/// Different solutions, oldest first.
#[derive(Debug, Default)]
pub(super) struct Kin(VecDeque<Relative>);

#[derive(Debug)]
struct Relative {
    solution: Solution,
    _charge: Charge,
}

impl Kin {
    /// Returns the solutions, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Solution> {
        self.0.iter().map(|relative| &relative.solution)
    }

    /// Remembers a copy of a solution that is not known yet.
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
            self.0.push_back(Relative { solution: solution.clone(), _charge: charge });
        }
    }

    /// Returns copies of up to so many solutions, youngest first, and what they cost.
    ///
    /// # Errors
    /// There is no room for copies.
    pub(super) fn youngest(&self, n: usize, account: &MemoryAccount) -> Result<(Vec<Solution>, Charge), Stop> {
        let youngest = || self.0.iter().rev().take(n).map(|relative| &relative.solution);
        let charge = account.charge(youngest().map(n_bytes).sum())?;
        Ok((youngest().cloned().collect(), charge))
    }
}

/// What a solution takes, with its place in a list that may have twice as many.
fn n_bytes(solution: &Solution) -> u64 {
    (size_of_val(solution.lurd().steps()) + 2 * size_of::<Relative>()) as u64
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Lurd, replay};

    use super::*;

    /// Solution number `n` of 256 that are as long as each other.
    fn solution(n: usize) -> Solution {
        let level = Level::parse("######\n#    #\n#@$ .#\n#    #\n######").unwrap();
        let walks: String = (0..8).map(|bit| if n >> bit & 1 == 0 { "ud" } else { "du" }).collect();
        replay(&level, &(walks + "RR").parse::<Lurd>().unwrap()).unwrap()
    }

    /// The numbers of the solutions that are left when so many were added.
    fn left(n: usize, account: &MemoryAccount) -> Vec<usize> {
        let mut kin = Kin::default();
        for number in 0..n {
            kin.add(&solution(number), account);
            kin.add(&solution(number), account);
            let paid: u64 = kin.iter().map(n_bytes).sum();
            assert_eq!(account.used(), paid);
        }
        let number = |solution: &Solution| (0..n).find(|&n| self::solution(n).lurd() == solution.lurd());
        kin.iter().filter_map(number).collect()
    }

    #[test]
    fn the_oldest_are_forgotten_where_there_are_many_or_there_is_little_memory() {
        assert_eq!(left(5, &MemoryAccount::new(1 << 20)), [0, 1, 2, 3, 4]);
        assert_eq!(left(50, &MemoryAccount::new(1 << 20)), (2..50).collect::<Vec<_>>());
        assert_eq!(left(50, &MemoryAccount::new(4 * n_bytes(&solution(0)) - 1)), [47, 48, 49]);
        assert_eq!(left(50, &MemoryAccount::new(n_bytes(&solution(0)) - 1)), [0; 0]);
    }

    #[test]
    fn who_has_no_room_leaves_the_others_in_peace() {
        let account = MemoryAccount::new(1 << 20);
        let mut kin = Kin::default();
        (0..3).for_each(|number| kin.add(&solution(number), &account));
        let _others = account.charge(account.free()).unwrap();
        let small = MemoryAccount::new(0);
        kin.add(&solution(3), &small);
        assert_eq!(kin.iter().count(), 2, "one made room, in vain");
        assert_eq!(kin.youngest(2, &account).map(|_| ()), Err(Stop::Memory), "no copies without room");
    }

    #[test]
    fn copies_are_paid_for_as_long_as_they_are_used() {
        let account = MemoryAccount::new(1 << 20);
        let mut kin = Kin::default();
        (0..9).for_each(|number| kin.add(&solution(number), &account));
        let before = account.used();
        let (copies, charge) = kin.youngest(2, &account).unwrap();
        assert_eq!(copies, [solution(8), solution(7)]);
        assert_eq!(account.used(), before + 2 * n_bytes(&solution(0)));
        drop(charge);
        assert_eq!(account.used(), before);
    }
}
