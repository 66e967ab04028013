//! Notes that say what is proved about a solution or a level, written below solutions and read again.
//!
//! ```text
//!   Proved: fewest pushes (97), Soko 0.1.0
//!   Proved: fewest moves, then pushes (230/97), Soko 0.1.0
//!   Proved: best by pushes in all six metrics (230/97/31/20/25/110), Soko 0.1.0
//!   Proved: at least 92 pushes, Soko 0.1.0
//! ```
//!
//! A note is only as good as the solution beside it: [`ProofNote::holds_for`] compares its numbers with those of the
//! replayed solution. The program behind the last comma is information for people and may be missing.

use std::fmt;
use std::str::FromStr;

use sokocore::{Metric, Metrics, Objective};
use thiserror::Error;

/// What a line says to be proved.
///
/// ```
/// use sokoio::{ProofNote, Proved};
/// let note = ProofNote::new(Proved::FewestPushes(97)).by("Soko 0.1.0");
/// assert_eq!(note.to_string(), "Proved: fewest pushes (97), Soko 0.1.0");
/// assert_eq!(ProofNote::parse("Proved: fewest pushes (97), Soko 0.1.0"), Some(note));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofNote {
    proved: Proved,
    program: Option<String>,
}

/// A claim and its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Proved {
    /// No solution has fewer pushes.
    FewestPushes(u64),
    /// No solution has fewer moves.
    FewestMoves(u64),
    /// No solution has fewer pushes, and none with as many has fewer moves.
    PushesThenMoves {
        /// Moves of the solution.
        moves: u64,
        /// Pushes of the solution.
        pushes: u64,
    },
    /// No solution has fewer moves, and none with as many has fewer pushes.
    MovesThenPushes {
        /// Moves of the solution.
        moves: u64,
        /// Pushes of the solution.
        pushes: u64,
    },
    /// No solution is better in the order of the objective, all six metrics compared.
    Best {
        /// The order.
        objective: Objective,
        /// All metrics of the solution.
        metrics: Metrics,
    },
    /// Every solution has at least so many pushes.
    AtLeastPushes(u64),
    /// Every solution has at least so many moves.
    AtLeastMoves(u64),
}

/// A line that is not the note of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
#[error("this is no note of a proof; one looks like 'Proved: fewest pushes (97), Soko 0.1.0'")]
#[non_exhaustive]
pub struct ParseProofNoteError;

impl Proved {
    /// Returns whether the claim can be true of a solution with these metrics: for the best in something the numbers
    /// are its own, and a bound is not above them.
    #[must_use]
    pub fn holds_for(&self, solution: &Metrics) -> bool {
        match *self {
            Self::FewestPushes(pushes) => solution.pushes == pushes,
            Self::FewestMoves(moves) => solution.moves == moves,
            Self::PushesThenMoves { moves, pushes } | Self::MovesThenPushes { moves, pushes } => {
                (solution.moves, solution.pushes) == (moves, pushes)
            }
            Self::Best { metrics, .. } => *solution == metrics,
            Self::AtLeastPushes(pushes) => solution.pushes >= pushes,
            Self::AtLeastMoves(moves) => solution.moves >= moves,
        }
    }

    /// Returns whether the claim makes a solution with these metrics the best by an objective.
    #[must_use]
    pub fn is_best_by(&self, objective: Objective, solution: &Metrics) -> bool {
        matches!(*self, Self::Best { objective: order, .. } if order == objective) && self.holds_for(solution)
    }

    /// Returns the number of pushes that no solution is below, as far as the claim says one.
    #[must_use]
    pub fn least_pushes(&self) -> Option<u64> {
        match *self {
            Self::FewestPushes(pushes) | Self::PushesThenMoves { pushes, .. } | Self::AtLeastPushes(pushes) => {
                Some(pushes)
            }
            Self::Best { objective, metrics } if objective.order()[0] == Metric::Pushes => Some(metrics.pushes),
            _ => None,
        }
    }

    /// Returns the number of moves that no solution is below, as far as the claim says one.
    #[must_use]
    pub fn least_moves(&self) -> Option<u64> {
        match *self {
            Self::FewestMoves(moves) | Self::MovesThenPushes { moves, .. } | Self::AtLeastMoves(moves) => Some(moves),
            Self::Best { objective, metrics } if objective.order()[0] == Metric::Moves => Some(metrics.moves),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        if let Some(bound) = text.strip_prefix("at least ") {
            let (count, what) = bound.split_once(' ')?;
            let count = number(count)?;
            return match what {
                "push" | "pushes" => Some(Self::AtLeastPushes(count)),
                "move" | "moves" => Some(Self::AtLeastMoves(count)),
                _ => None,
            };
        }
        let (claim, numbers) = text.strip_suffix(')')?.rsplit_once(" (")?;
        let numbers: Vec<u64> = numbers.split('/').map(number).collect::<Option<_>>()?;
        match (claim, &numbers[..]) {
            ("fewest pushes", &[pushes]) => Some(Self::FewestPushes(pushes)),
            ("fewest moves", &[moves]) => Some(Self::FewestMoves(moves)),
            ("fewest pushes, then moves", &[pushes, moves]) => Some(Self::PushesThenMoves { moves, pushes }),
            ("fewest moves, then pushes", &[moves, pushes]) => Some(Self::MovesThenPushes { moves, pushes }),
            (_, &[moves, pushes, box_lines, box_changes, pushing_sessions, player_lines]) => {
                let objective = claim.strip_prefix("best by ")?.strip_suffix(" in all six metrics")?.parse().ok()?;
                let metrics = Metrics { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines };
                Some(Self::Best { objective, metrics })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::FewestPushes(pushes) => write!(f, "fewest pushes ({pushes})"),
            Self::FewestMoves(moves) => write!(f, "fewest moves ({moves})"),
            Self::PushesThenMoves { moves, pushes } => write!(f, "fewest pushes, then moves ({pushes}/{moves})"),
            Self::MovesThenPushes { moves, pushes } => write!(f, "fewest moves, then pushes ({moves}/{pushes})"),
            Self::Best { objective, metrics } => write!(f, "best by {objective} in all six metrics ({metrics})"),
            Self::AtLeastPushes(1) => f.write_str("at least 1 push"),
            Self::AtLeastPushes(pushes) => write!(f, "at least {pushes} pushes"),
            Self::AtLeastMoves(1) => f.write_str("at least 1 move"),
            Self::AtLeastMoves(moves) => write!(f, "at least {moves} moves"),
        }
    }
}

impl ProofNote {
    /// Makes a note without the name of a program.
    #[must_use]
    pub const fn new(proved: Proved) -> Self {
        Self { proved, program: None }
    }

    /// Adds the name and the version of the program that proved it. Line breaks become spaces; an empty name is left
    /// out.
    #[must_use]
    pub fn by(mut self, program: &str) -> Self {
        let program = program.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let program = program.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        self.program = (!program.is_empty()).then_some(program);
        self
    }

    /// Reads a line; `None` if it is another.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        line.parse().ok()
    }

    /// Returns the claim.
    #[must_use]
    pub const fn proved(&self) -> Proved {
        self.proved
    }

    /// Returns the name of the program that proved it, if the note has one.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns whether the claim can be true of a replayed solution with these metrics; see [`Proved::holds_for`].
    #[must_use]
    pub fn holds_for(&self, solution: &Metrics) -> bool {
        self.proved.holds_for(solution)
    }
}

impl fmt::Display for ProofNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proved: {}", self.proved)?;
        self.program.as_ref().map_or(Ok(()), |program| write!(f, ", {program}"))
    }
}

impl FromStr for ProofNote {
    type Err = ParseProofNoteError;

    /// Reads a line; the claim ends with a parenthesis or with its unit, the program follows behind a comma.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let (key, value) = line.trim().split_once(':').ok_or(ParseProofNoteError)?;
        if !key.trim_end().eq_ignore_ascii_case("proved") {
            return Err(ParseProofNoteError);
        }
        let value = value.trim();
        let claim_end = if value.starts_with("at least ") { value.find(',') } else { value.find(')').map(|at| at + 1) };
        let (claim, rest) = value.split_at(claim_end.unwrap_or(value.len()));
        let proved = Proved::parse(claim).ok_or(ParseProofNoteError)?;
        let program = match rest.strip_prefix(',') {
            Some(program) => program,
            None if rest.is_empty() => "",
            None => return Err(ParseProofNoteError),
        };
        Ok(Self::new(proved).by(program))
    }
}

/// A number of digits alone.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sokocore::{Direction, Step};

    use super::*;

    const METRICS: Metrics =
        Metrics { moves: 230, pushes: 97, box_lines: 31, box_changes: 20, pushing_sessions: 25, player_lines: 110 };

    fn best(objective: &str) -> Proved {
        Proved::Best { objective: objective.parse().unwrap(), metrics: METRICS }
    }

    /// Which claims make a solution the best, and which say that none has fewer pushes or moves.
    #[test]
    fn claims_say_what_no_solution_is_below() {
        for (proved, pushes, moves) in [
            (Proved::FewestPushes(97), Some(97), None),
            (Proved::FewestMoves(230), None, Some(230)),
            (Proved::PushesThenMoves { moves: 230, pushes: 97 }, Some(97), None),
            (Proved::MovesThenPushes { moves: 230, pushes: 97 }, None, Some(230)),
            (Proved::AtLeastPushes(90), Some(90), None),
            (Proved::AtLeastMoves(200), None, Some(200)),
            (best("pushes"), Some(97), None),
            (best("moves"), None, Some(230)),
            (best("boxlines/moves"), None, None),
        ] {
            assert_eq!((proved.least_pushes(), proved.least_moves()), (pushes, moves), "{proved:?}");
            let is_best = |objective, metrics: &Metrics| proved.is_best_by(objective, metrics);
            let expect = [best("moves") == proved, best("pushes") == proved];
            assert_eq!([Objective::MOVES, Objective::PUSHES].map(|objective| is_best(objective, &METRICS)), expect);
            let other = Metrics { player_lines: 111, ..METRICS };
            assert!(!is_best(Objective::MOVES, &other) && !is_best(Objective::PUSHES, &other));
        }
    }

    #[test]
    fn lines_are_written_and_read() {
        for (proved, text) in [
            (Proved::FewestPushes(97), "Proved: fewest pushes (97), Soko 0.1.0"),
            (Proved::FewestMoves(230), "Proved: fewest moves (230), Soko 0.1.0"),
            (
                Proved::PushesThenMoves { moves: 230, pushes: 97 },
                "Proved: fewest pushes, then moves (97/230), Soko 0.1.0",
            ),
            (
                Proved::MovesThenPushes { moves: 230, pushes: 97 },
                "Proved: fewest moves, then pushes (230/97), Soko 0.1.0",
            ),
            (best("moves"), "Proved: best by moves in all six metrics (230/97/31/20/25/110), Soko 0.1.0"),
            (
                best("boxlines/pushes"),
                "Proved: best by boxlines/pushes in all six metrics (230/97/31/20/25/110), Soko 0.1.0",
            ),
            (Proved::AtLeastPushes(92), "Proved: at least 92 pushes, Soko 0.1.0"),
            (Proved::AtLeastPushes(1), "Proved: at least 1 push, Soko 0.1.0"),
            (Proved::AtLeastMoves(215), "Proved: at least 215 moves, Soko 0.1.0"),
            (Proved::AtLeastMoves(1), "Proved: at least 1 move, Soko 0.1.0"),
        ] {
            let note = ProofNote::new(proved).by("Soko 0.1.0");
            assert_eq!(note.to_string(), text);
            assert_eq!(ProofNote::parse(text), Some(note));
            let without = text.strip_suffix(", Soko 0.1.0").unwrap();
            assert_eq!(ProofNote::parse(&format!("  {without} ")), Some(ProofNote::new(proved)), "{without}");
        }
    }

    #[test]
    fn other_lines_are_no_notes() {
        for line in [
            "",
            "Proved",
            "Proved:",
            "Solver: fewest pushes (97)",
            "Proved: fewest pushes",
            "Proved: fewest pushes (97/230)",
            "Proved: fewest pushes (-97)",
            "Proved: fewest pushes (+97)",
            "Proved: fewest pushes (99999999999999999999)",
            "Proved: fewest pushes (97) and moves",
            "Proved: at least 92",
            "Proved: at least 92 boxes",
            "Proved: best by steps in all six metrics (1/1/1/1/1/1)",
            "Proved: best by moves in all six metrics (1/1/1)",
        ] {
            assert_eq!(ProofNote::parse(line), None, "{line}");
        }
        assert!("x".parse::<ProofNote>().unwrap_err().to_string().contains("looks like 'Proved: fewest"));
    }

    #[test]
    fn a_claim_that_does_not_fit_is_void() {
        let fewer = Metrics { moves: 229, pushes: 96, ..METRICS };
        let lines = Metrics { player_lines: 109, ..METRICS };
        let both = Proved::MovesThenPushes { moves: 230, pushes: 97 };
        for (proved, of_fewer, of_lines) in [
            (Proved::FewestPushes(97), false, true),
            (Proved::FewestMoves(230), false, true),
            (both, false, true),
            (best("pushes"), false, false),
            (Proved::AtLeastPushes(97), false, true),
            (Proved::AtLeastMoves(200), true, true),
        ] {
            let note = ProofNote::new(proved);
            assert!(note.holds_for(&METRICS), "{note}");
            assert_eq!((note.holds_for(&fewer), note.holds_for(&lines)), (of_fewer, of_lines), "{note}");
        }
        assert_eq!((best("pushes").least_pushes(), best("pushes").least_moves()), (Some(97), None));
        assert_eq!((both.least_pushes(), both.least_moves()), (None, Some(230)));
    }

    #[test]
    fn names_of_programs_stay_in_the_line() {
        let metrics = Metrics::count(&[Step::Push(Direction::Up)]);
        let note = ProofNote::new(Proved::Best { objective: Objective::PUSHES, metrics }).by(" My\nprogram, (beta) ");
        assert_eq!(note.to_string(), "Proved: best by pushes in all six metrics (1/1/1/1/1/1), My program, (beta)");
        assert_eq!(note.program(), Some("My program, (beta)"));
        assert_eq!(ProofNote::parse(&note.to_string()), Some(note));
        assert_eq!(ProofNote::new(Proved::FewestMoves(1)).by(" ").program(), None);
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "Proved: (fewest|at least|best by) ?[a-z0-9/(), ]{0,40}|.{0,40}") {
            if let Some(note) = ProofNote::parse(&line) {
                prop_assert_eq!(ProofNote::parse(&note.to_string()), Some(note));
            }
        }
    }
}
