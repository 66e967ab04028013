//! A generation of lineages, of which the better half goes on when each has had its share of work.

use sokosearch::{Context, Stop};

use tracing::debug;

use super::lineage::Lineage;
use crate::schedule::field::Field;

/// Ticks of one slice, at most.
const SLICE: u64 = 8_000_000;

/// Lineages that are left, and whose turn it is.
#[derive(Debug)]
pub(super) struct Contest {
    lineages: Vec<Lineage>,
    turn: usize,
    round: u32,
    /// Ticks of each in the first round.
    share: u64,
}

/// What a slice came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Some lineage is to grow on.
    Growing,
    /// It is to grow on when other threads have ended what it has left to try.
    Waiting,
    /// Each has had its share: the next round begins with [`Contest::halve`].
    RoundOver,
    /// The last lineage is grown.
    Over,
}

impl Contest {
    pub(super) const fn new(lineages: Vec<Lineage>, share: u64) -> Self {
        Self { lineages, turn: 0, round: 0, share }
    }

    /// Lets the lineage whose turn it is grow for one slice.
    pub(super) fn go_on(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Turn, Stop> {
        let is_alone = self.lineages.len() == 1;
        let share = self.round_share();
        let lineage = &mut self.lineages[self.turn];
        // A stage that leads away from the objective takes half of the first share.
        let stage = if lineage.is_on_detour() { share / 2 } else { share };
        let ticks = if is_alone { SLICE } else { SLICE.min(stage.saturating_sub(lineage.ticks())).max(1) };
        lineage.grow(ticks, field, cx)?;
        if lineage.waits() {
            return Ok(Turn::Waiting);
        }
        if lineage.is_on_detour() && (lineage.ticks() >= share / 2 || lineage.is_exhausted()) {
            lineage.turn_home(field);
        }
        let is_over = if is_alone { lineage.is_grown(self.share) } else { lineage.ticks() >= share };
        if is_over || lineage.is_exhausted() {
            self.turn += 1;
        }
        if self.turn < self.lineages.len() {
            return Ok(Turn::Growing);
        }
        if is_alone {
            return Ok(Turn::Over);
        }
        Ok(Turn::RoundOver)
    }

    /// Returns the lineages that are left.
    pub(super) fn lineages_mut(&mut self) -> &mut [Lineage] {
        &mut self.lineages
    }

    /// Returns whether none is left.
    pub(super) const fn is_empty(&self) -> bool {
        self.lineages.is_empty()
    }

    /// Ticks of each in this round: a round costs as much as the one before, but for the first, which has twice as many
    /// lineages.
    const fn round_share(&self) -> u64 {
        self.share << self.round.saturating_sub(1)
    }

    /// Sends the worse half away, those that came to the best, which all other arms work on, and all but one of those
    /// that came to the same.
    pub(super) fn halve(&mut self, cx: &Context<'_>) {
        let score = |lineage: &Lineage| cx.objective().score(&lineage.current().metrics());
        let n_left = self.lineages.len().div_ceil(2);
        let best = cx.objective().score(&cx.best().metrics());
        self.lineages.sort_by_key(score);
        self.lineages.dedup_by_key(|lineage| score(lineage));
        self.lineages.retain(|lineage| score(lineage) != best);
        self.lineages.truncate(n_left);
        let left: Vec<_> = self.lineages.iter().map(|lineage| lineage.current().metrics().to_string()).collect();
        debug!(round = self.round, share = self.round_share(), left = left.join(" "), "lineages");
        self.lineages.iter_mut().for_each(Lineage::begin_round);
        self.turn = 0;
        self.round += 1;
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

    use super::*;
    use crate::Knobs;
    use crate::schedule::lineages::lineage::Stage;
    use crate::schedule::searched_windows::SearchedWindows;
    use crate::schedule::windows_in_hand::WindowsInHand;

    const ROWS: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
    const WANDERING: &str = "RurrDLulDrdL";

    /// Lets so many equal lineages contend until one has won, and returns how many were left after each round.
    fn contend(n: usize) -> Vec<usize> {
        let level = Level::parse(ROWS).unwrap();
        let start = replay(&level, &WANDERING.parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
        let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
        let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
        let field = Field {
            knobs: &knobs,
            live: &live,
            searched: &SearchedWindows::default(),
            in_hand: &WindowsInHand::default(),
        };
        let lineage = || Lineage::new(start.clone(), vec![Stage::of(Objective::PUSHES)], knobs.clone(), field);
        let mut contest = Contest::new((0..n).map(|_| lineage()).collect(), 1_000_000);
        let mut left = vec![n];
        loop {
            match contest.go_on(field, &mut cx).unwrap() {
                Turn::Growing | Turn::Waiting => {}
                Turn::RoundOver => contest.halve(&cx),
                Turn::Over => break,
            }
            if left.last() != Some(&contest.lineages.len()) {
                left.push(contest.lineages.len());
            }
            if contest.is_empty() {
                break;
            }
        }
        assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
        left
    }

    #[test]
    fn lineages_that_came_to_the_best_are_left_to_the_other_arms() {
        assert_eq!(contend(8), [8, 0]);
    }

    #[test]
    fn one_alone_grows_to_its_end() {
        assert_eq!(contend(1), [1]);
    }
}
