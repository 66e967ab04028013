//! What "better" means: a lexicographic order over all six metrics.
//!
//! Nothing else in the workspace compares solutions: better is `<` on [`Score`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Metrics;

/// One of the six metrics, or the moves that push nothing. It is written and read by its name in objectives.
///
/// Searches compute the cost of a step for every metric, so a new one would be a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// See [`Metrics::moves`].
    Moves,
    /// See [`Metrics::pushes`].
    Pushes,
    /// See [`Metrics::box_lines`].
    BoxLines,
    /// See [`Metrics::box_changes`].
    BoxChanges,
    /// See [`Metrics::pushing_sessions`].
    PushingSessions,
    /// See [`Metrics::player_lines`].
    PlayerLines,
    /// Moves that push nothing. After the moves this means as many pushes as possible; it replaces the pushes in an
    /// objective.
    MostPushes,
}

impl Metric {
    /// The six metrics in their standard order.
    pub const ALL: [Self; 6] =
        [Self::Moves, Self::Pushes, Self::BoxLines, Self::BoxChanges, Self::PushingSessions, Self::PlayerLines];

    /// Returns the short name used in objectives.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
            Self::BoxLines => "boxlines",
            Self::BoxChanges => "boxchanges",
            Self::PushingSessions => "sessions",
            Self::PlayerLines => "playerlines",
            Self::MostPushes => "most-pushes",
        }
    }

    /// Returns this metric's number.
    #[must_use]
    pub const fn of(self, metrics: &Metrics) -> u64 {
        match self {
            Self::Moves => metrics.moves,
            Self::Pushes => metrics.pushes,
            Self::BoxLines => metrics.box_lines,
            Self::BoxChanges => metrics.box_changes,
            Self::PushingSessions => metrics.pushing_sessions,
            Self::PlayerLines => metrics.player_lines,
            Self::MostPushes => metrics.moves - metrics.pushes,
        }
    }
}

/// Whether a search for an objective counts walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walks {
    /// Walks count while searching.
    Counted,
    /// Only the first metric counts while searching; finds are still compared by all six.
    Ignored,
}

/// A lexicographic order of the six metrics. The default is [`Objective::MOVES`].
///
/// Its text names the first metrics; those not named follow in their standard order.
///
/// ```
/// use sokocore::{Lurd, Metric, Metrics, Objective};
///
/// let count = |text: &str| text.parse::<Lurd>().map(|moves| Metrics::count(moves.steps()));
/// let (short, straight) = (count("dRdrUluR")?, count("rrddlUluRR")?);
///
/// let by_box_lines: Objective = "boxlines/pushes".parse()?;
/// assert_eq!(by_box_lines.order()[..3], [Metric::BoxLines, Metric::Pushes, Metric::Moves]);
/// assert!(by_box_lines.score(&straight) < by_box_lines.score(&short));
/// assert!(Objective::MOVES.score(&short) < Objective::MOVES.score(&straight));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Objective {
    order: [Metric; 6],
    walks: Walks,
}

/// The metrics of a solution in the order of an objective: smaller is better.
///
/// Only scores of one objective can be compared in a way that means something.
///
/// ```
/// use sokocore::{Metrics, Objective};
///
/// let metrics = Metrics { moves: 230, pushes: 97, ..Metrics::default() };
/// let score = Objective::PUSHES.score(&metrics);
/// assert_eq!((score.primary(), score.to_string().as_str()), (97, "97/230/0/0/0/0"));
/// assert_eq!(score, Objective::PUSHES_ONLY.score(&metrics));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score([u64; 6]);

impl Objective {
    /// Moves, pushes, then the rest.
    pub const MOVES: Self = Self { order: Metric::ALL, walks: Walks::Counted };

    /// Pushes, moves, then the rest.
    pub const PUSHES: Self = Self {
        order: [
            Metric::Pushes,
            Metric::Moves,
            Metric::BoxLines,
            Metric::BoxChanges,
            Metric::PushingSessions,
            Metric::PlayerLines,
        ],
        walks: Walks::Counted,
    };

    /// Compares like [`Objective::PUSHES`] but searches for pushes alone.
    pub const PUSHES_ONLY: Self = Self { walks: Walks::Ignored, ..Self::PUSHES };

    /// Returns the order that starts with `first`, the metrics not named following in their standard order.
    #[must_use]
    pub fn starting_with(first: &[Metric]) -> Self {
        let mut order = Metric::ALL;
        if first.contains(&Metric::MostPushes) {
            order[1] = Metric::MostPushes;
        }
        order.sort_by_key(|metric| first.iter().position(|named| named == metric).unwrap_or(first.len()));
        Self { order, walks: Walks::Counted }
    }

    /// Returns the metrics, most important first.
    #[must_use]
    pub const fn order(&self) -> &[Metric; 6] {
        &self.order
    }

    /// Returns whether searches count walks.
    #[must_use]
    pub const fn walks(&self) -> Walks {
        self.walks
    }

    /// Returns what is compared: smaller is better.
    #[must_use]
    pub fn score(&self, metrics: &Metrics) -> Score {
        Score(self.order.map(|metric| metric.of(metrics)))
    }
}

impl Score {
    /// Returns the number of the most important metric.
    #[must_use]
    pub const fn primary(self) -> u64 {
        self.0[0]
    }

    /// Returns how much better `other` is, in units of the first metric, negative if it is worse; each metric after it
    /// counts a hundredth of the one before. For ranking gains only: what is better is decided by `<`.
    #[must_use]
    pub fn gain_of(self, other: Self) -> f64 {
        let weights = std::iter::successors(Some(1.0), |weight| Some(weight / 100.0));
        let gains = self.0.iter().zip(other.0).map(|(&old, new)| old as f64 - new as f64);
        gains.zip(weights).map(|(gain, weight): (f64, f64)| gain * weight).sum()
    }
}

impl fmt::Display for Score {
    /// Writes the six numbers in the order of the objective, separated by `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = &self.0;
        write!(f, "{first}")?;
        rest.iter().try_for_each(|number| write!(f, "/{number}"))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = ParseObjectiveError;

    /// Reads a name as [`Metric::name`] gives it, white space around it not counted.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().chain([Self::MostPushes]).find(|metric| metric.name() == name.trim());
        named.ok_or_else(|| ParseObjectiveError::Metric(name.to_owned()))
    }
}

impl Default for Objective {
    fn default() -> Self {
        Self::MOVES
    }
}

impl fmt::Display for Objective {
    /// Writes the shortest text that reads back as the same objective.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.walks == Walks::Ignored {
            return f.pad("pushes-only");
        }
        let enough = (1..6).find(|&n| Self::starting_with(&self.order[..n]) == *self).unwrap_or(6);
        let names: Vec<_> = self.order[..enough].iter().map(|metric| metric.name()).collect();
        f.pad(&names.join("/"))
    }
}

/// Why a text does not name an objective.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseObjectiveError {
    /// A part of the text is not a metric.
    #[error(
        "'{0}' is not a metric; use pushes-only, or moves, pushes, boxlines, boxchanges, sessions, playerlines \
         joined by /, or moves/most-pushes"
    )]
    Metric(String),
    /// A metric is named twice.
    #[error("'{0}' is named twice")]
    Twice(&'static str),
    /// `most-pushes` is named before the moves, without them, or beside the pushes.
    #[error("most-pushes must come after moves and without pushes, as in moves/most-pushes")]
    MostPushes,
}

impl FromStr for Objective {
    type Err = ParseObjectiveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "pushes-only" {
            return Ok(Self::PUSHES_ONLY);
        }
        let mut first = Vec::new();
        for name in text.split('/') {
            let metric: Metric = name.parse()?;
            if first.contains(&metric) {
                return Err(ParseObjectiveError::Twice(metric.name()));
            }
            first.push(metric);
        }
        let place = |metric| first.iter().position(|named| *named == metric);
        if let Some(most) = place(Metric::MostPushes)
            && (place(Metric::Pushes).is_some() || place(Metric::Moves).is_none_or(|moves| moves > most))
        {
            return Err(ParseObjectiveError::MostPushes);
        }
        Ok(Self::starting_with(&first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in [
            "moves",
            "pushes",
            "pushes-only",
            "boxlines",
            "boxlines/pushes",
            "sessions/pushes/playerlines",
            "moves/most-pushes",
        ] {
            assert_eq!(name.parse::<Objective>().unwrap().to_string(), name);
        }
        assert_eq!("boxlines/moves".parse::<Objective>().unwrap().to_string(), "boxlines");
        assert_eq!("moves/moves".parse::<Objective>(), Err(ParseObjectiveError::Twice("moves")));
        for text in ["most-pushes", "most-pushes/moves", "moves/pushes/most-pushes", "boxlines/most-pushes"] {
            assert_eq!(text.parse::<Objective>(), Err(ParseObjectiveError::MostPushes), "{text}");
        }
        assert!("steps".parse::<Objective>().is_err());
    }

    #[test]
    fn the_first_metric_that_differs_decides() {
        let few_moves = Metrics { moves: 10, pushes: 5, ..Metrics::default() };
        let few_pushes = Metrics { moves: 12, pushes: 3, ..Metrics::default() };
        assert!(Objective::MOVES.score(&few_moves) < Objective::MOVES.score(&few_pushes));
        assert!(Objective::PUSHES.score(&few_pushes) < Objective::PUSHES.score(&few_moves));
    }

    #[test]
    fn scores_are_the_metrics_in_order_and_gains_are_weighed() {
        let old = Metrics { moves: 12, pushes: 3, box_lines: 7, ..Metrics::default() };
        let new = Metrics { moves: 10, pushes: 5, box_lines: 7, ..Metrics::default() };
        let most = Objective::starting_with(&[Metric::Moves, Metric::MostPushes]);
        assert_eq!(most.score(&old).to_string(), "12/9/7/0/0/0");
        let [before, after] = [old, new].map(|metrics| Objective::MOVES.score(&metrics));
        assert_eq!((before.primary(), after.primary()), (12, 10));
        assert!((before.gain_of(after) - 1.98).abs() < 1e-9, "{}", before.gain_of(after));
        assert!((after.gain_of(before) + 1.98).abs() < 1e-9);
    }
}
