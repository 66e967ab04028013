//! The interface of all methods.

use std::fmt;
use std::ops::Range;

use sokosearch::{Context, Stop};

use crate::Knobs;

/// One way of improving a solution. Immutable; all mutable state is in the context or local to the run.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::{Knobs, METHODS};
/// use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};
///
/// let level = Level::parse("#######\n# @$ .#\n#######")?;
/// let start = replay(&level, &"lrRR".parse()?)?;
/// let pool = Pool::new(&level, &start, &[Objective::MOVES]);
/// let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
/// let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
///
/// let tidy_path = METHODS.iter().find(|spec| spec.name == "tidy path").expect("it is in the list");
/// let method = (tidy_path.build)(&Knobs::default());
/// assert_eq!(method.run(&mut cx), Ok(true));
/// assert_eq!(pool.best(Objective::MOVES).lurd().to_string(), "RR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Method: fmt::Debug + Send + Sync {
    /// Searches its neighborhood of the context's incumbent once and offers every solution that it finds. Returns
    /// whether the incumbent was improved by the context's objective.
    ///
    /// # Errors
    /// Why it was stopped. Every solution found by then has been offered.
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop>;

    /// Lists the pieces of its work on the incumbent, best first, so that a schedule can pause after any of them and
    /// resume there. None if it only runs as a whole.
    ///
    /// # Errors
    /// It was stopped, or is short of memory.
    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let _ = cx;
        Ok(Vec::new())
    }

    /// Does one of the pieces listed. Returns whether the incumbent was improved.
    ///
    /// # Errors
    /// As for [`Method::run`].
    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let _ = piece;
        self.run(cx)
    }
}

/// A part of a method's work.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The pushes of the incumbent that it depends on. While these and the state before them stay the same, repeating
    /// the piece gains nothing.
    pub pushes: Range<usize>,
    /// What is done there, where a method does several things.
    pub kind: usize,
}

impl Piece {
    /// Returns a piece for each `block` pushes of the incumbent. What it does for a push depends on `ahead` more, and on the one
    /// behind these, where the old and the new order meet.
    pub(crate) fn blocks(
        block: usize,
        ahead: usize,
        kind: usize,
        cx: &Context<'_>,
    ) -> impl Iterator<Item = Self> + use<> {
        let n_pushes = n_pushes(cx);
        let end = move |start: usize| n_pushes.min(start.saturating_add(block + ahead + 1));
        (0..n_pushes).step_by(block).map(move |start| Self { pushes: start..end(start), kind })
    }
}

/// Returns the number of pushes of the incumbent.
pub(crate) fn n_pushes(cx: &Context<'_>) -> usize {
    usize::try_from(cx.incumbent().metrics().pushes).expect("invariant: a solution fits into memory")
}

/// A method as command lines, documents and the shared test suite know it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name, in lower case.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Makes it with the given settings.
    pub build: fn(&Knobs) -> Box<dyn Method>,
}
