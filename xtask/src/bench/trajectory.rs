//! The trajectory of a run: its best solution as a function of time.
//!
//! The *gap* of a solution is how much more it costs than the best known one, as a part of that. The *primal integral*
//! (Berthold, Measuring the impact of primal heuristics, 2013) is the mean of the gap over the time of a run, so that a
//! solution counts from the moment when it was found; without a solution the gap is 1.

use std::fmt;
use std::str::FromStr;

use sokocore::{Metrics, Objective};

/// The improvements of a run, in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trajectory {
    improvements: Vec<CostStep>,
}

/// What counts first, and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CostStep {
    seconds: f64,
    cost: u64,
}

/// A gap without a solution, and the largest one.
const NO_SOLUTION: f64 = 1.0;

impl Trajectory {
    /// Adds a solution found after `seconds`, by the metric of the objective that counts first. One that costs no less
    /// than the last changes nothing.
    pub(super) fn add(&mut self, seconds: f64, metrics: Metrics, objective: Objective) {
        let cost = objective.score(&metrics).primary();
        if self.last_cost().is_none_or(|last| cost < last) {
            let seconds = self.improvements.last().map_or(seconds, |last| seconds.max(last.seconds));
            self.improvements.push(CostStep { seconds, cost });
        }
    }

    /// Returns the cost at the end.
    pub(super) fn last_cost(&self) -> Option<u64> {
        self.improvements.last().map(|last| last.cost)
    }

    /// Returns the cost of the best solution after `seconds`.
    pub(super) fn cost_at(&self, seconds: f64) -> Option<u64> {
        self.improvements.iter().take_while(|one| one.seconds <= seconds).last().map(|one| one.cost)
    }

    /// Returns the gap after `seconds`, 0 to 1.
    pub(super) fn gap_at(&self, seconds: f64, best_known: u64) -> f64 {
        gap(self.cost_at(seconds), best_known)
    }

    /// Returns the primal integral over the first `seconds`, divided by them: 0 to 1.
    pub(super) fn primal_integral(&self, seconds: f64, best_known: u64) -> f64 {
        let (mut integral, mut from, mut height) = (0.0, 0.0, NO_SOLUTION);
        for one in self.improvements.iter().take_while(|one| one.seconds <= seconds) {
            integral += height * (one.seconds - from);
            (from, height) = (one.seconds, gap(Some(one.cost), best_known));
        }
        (integral + height * (seconds - from)) / seconds
    }

    /// Returns the time until the gap was at most `target`.
    pub(super) fn time_to(&self, target: f64, best_known: u64) -> Option<f64> {
        self.improvements.iter().find(|one| gap(Some(one.cost), best_known) <= target).map(|one| one.seconds)
    }
}

fn gap(cost: Option<u64>, best_known: u64) -> f64 {
    cost.map_or(NO_SOLUTION, |cost| {
        ((cost as f64 - best_known as f64) / best_known.max(1) as f64).clamp(0.0, NO_SOLUTION)
    })
}

/// `seconds:cost` of each improvement, with a space between them.
impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, one) in self.improvements.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{:.3}:{}", one.seconds, one.cost)?;
        }
        Ok(())
    }
}

impl FromStr for Trajectory {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let improvement = |word: &str| {
            let (seconds, cost) = word.split_once(':').ok_or_else(|| anyhow::anyhow!("'{word}' is no improvement"))?;
            Ok(CostStep { seconds: seconds.parse()?, cost: cost.parse()? })
        };
        Ok(Self { improvements: text.split_whitespace().map(improvement).collect::<anyhow::Result<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn gaps_follow_the_improvements() {
        let trajectory: Trajectory = "0.000:150 1.000:120 4.000:100".parse().unwrap();
        assert_eq!(trajectory.to_string(), "0.000:150 1.000:120 4.000:100");
        assert_eq!([0.5, 1.0, 10.0].map(|at| trajectory.cost_at(at)), [Some(150), Some(120), Some(100)]);
        assert!(close(trajectory.gap_at(2.0, 100), 0.2) && close(trajectory.gap_at(2.0, 120), 0.0));
        // One second at 0.5, three at 0.2, four at 0.
        assert!(close(trajectory.primal_integral(8.0, 100), 1.1 / 8.0));
        assert!(close(trajectory.primal_integral(2.0, 100), 0.7 / 2.0));
        assert_eq!(trajectory.time_to(0.2, 100), Some(1.0));
        assert_eq!(trajectory.time_to(0.01, 90), None);
    }

    /// Before the first solution the gap is 1; no gap is larger, and none is below 0.
    #[test]
    fn gaps_are_bounded() {
        let trajectory: Trajectory = "2.000:500 3.000:90".parse().unwrap();
        assert!(close(trajectory.gap_at(1.0, 100), 1.0) && close(trajectory.gap_at(2.5, 100), 1.0));
        assert!(close(trajectory.gap_at(3.5, 100), 0.0));
        assert!(close(trajectory.primal_integral(4.0, 100), 3.0 / 4.0));
        assert!(close(Trajectory::default().primal_integral(4.0, 100), 1.0));
    }

    #[test]
    fn only_what_is_better_by_the_objective_is_added() {
        let mut trajectory = Trajectory::default();
        let metrics = |moves, pushes| Metrics { moves, pushes, ..Metrics::default() };
        for (seconds, moves, pushes) in [(0.0, 10, 5), (1.0, 9, 6), (2.0, 8, 5), (3.0, 7, 4)] {
            trajectory.add(seconds, metrics(moves, pushes), Objective::PUSHES);
        }
        assert_eq!(trajectory.to_string(), "0.000:5 3.000:4");
    }
}
