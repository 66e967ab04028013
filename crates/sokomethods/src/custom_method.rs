//! A method from outside this crate, as an arm of the schedule.

use std::sync::Arc;

use sokosearch::{Context, Stop};

use crate::{Method, Piece};

/// A method of one's own that the schedule runs as an arm beside those of [`METHODS`](crate::METHODS).
///
/// Every solution that it offers with [`Context::found`] is replayed, and counts only if it is better. With debug
/// assertions, offered moves that do not solve the level are a panic; without them they are an
/// [`Event::Rejected`](sokosearch::Event::Rejected).
///
/// ```
/// use sokocore::{Level, Lurd, replay};
/// use sokomethods::{CustomMethod, Method, Optimizer};
/// use sokosearch::{Context, Stop};
///
/// /// Offers one solution that was found elsewhere.
/// #[derive(Debug)]
/// struct FromElsewhere(Lurd);
///
/// impl Method for FromElsewhere {
///     fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
///         cx.tick()?;
///         Ok(cx.found(&self.0))
///     }
/// }
///
/// let level = Level::parse("#######\n#.$@$.#\n#     #\n#######")?;
/// let start = replay(&level, &"duLrR".parse()?)?;
/// let method = CustomMethod::new("from elsewhere", FromElsewhere("RlL".parse()?));
/// let outcome = Optimizer::new(&level).method(method).run(&start)?;
/// assert_eq!(outcome.solution().metrics().moves, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CustomMethod {
    name: Arc<str>,
    rank: u8,
    method: Arc<dyn Method>,
}

impl CustomMethod {
    /// Makes an arm of a method. Its finds are credited to `name`, which should be none of the names of
    /// [`METHODS`](crate::METHODS).
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, method: impl Method + 'static) -> Self {
        Self { name: name.into(), rank: 0, method: Arc::new(method) }
    }

    /// Sets its rank among the arms, 0 by default: each rank doubles the ticks that the others use before its first
    /// slice. Arms up to rank 2 also search from other solutions of equal worth, arms up to rank 9 also from other
    /// lineages.
    #[must_use]
    pub const fn with_rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn rank(&self) -> usize {
        self.rank.into()
    }
}

/// Two are equal if they run the same object under the same name and rank.
impl PartialEq for CustomMethod {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.method, &other.method) && (&self.name, self.rank) == (&other.name, other.rank)
    }
}

impl Eq for CustomMethod {}

/// Announces its name, and does what the method does.
impl Method for CustomMethod {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working(&self.name, "searching");
        self.method.run(cx)
    }

    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        self.method.pieces(cx)
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working(&self.name, "searching");
        self.method.run_piece(piece, cx)
    }
}
