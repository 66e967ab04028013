//! The entry point: improves a solution, or the part of it that a scope selects.

use sokosearch::{Context, Stop};

use crate::scope::part_optimizer::optimize_parts;
use crate::{Knobs, schedule};

/// Improves the context's incumbent until no method gains anything more.
///
/// # Errors
/// Why it was stopped before that. Every solution found by then is in the pool.
pub fn optimize(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    match &knobs.scope {
        Some(scope) => optimize_parts(scope, knobs, cx),
        None => schedule::run(knobs, cx),
    }
}
