//! The schedule: cheap methods first, then whatever gains most for its work.
//!
//! ```text
//!                                    ┌──────────────────── arms ─────────────────────┐
//!                                    │ tubes: 1 box · 2 boxes · 3 boxes · ...        │
//!                                    │   each slice a window of the spine            │
//!  tidy path ─▶ permute ─▶ spine ──▶ │ methods: rearrange full · delay · lattice ... │ ─▶ all retired: the end
//!                                    │ plateau: from another solution as good        │
//!                                    │ lineages: from the start again, another way   │
//!                                    └───── choose the best gain for its ticks ──────┘
//! ```
//!
//! An *arm* is a neighborhood or a method. One slice of a neighborhood searches one window of the spine; windows
//! overlap from *seam* to end, and their length adapts so that one fits a slice. The arm with the best decayed gain per tick
//! goes next, and an arm that has not gained yet counts as if it had gained a little, so each gets its turn, cheap
//! ones first. An arm that has swept the whole spine in every ring order without a gain *retires*; any gain revives
//! all.
//!
//! The files, in reading order: `arms` lists what there is; `arm` is one of them, a `tube_arm`, a `method_arm`, a
//! walk along the `plateau`, or the raising of `lineages`; `worth` says which goes next; `team` plays them, on one
//! thread or several.
//!
//! A window that brought nothing is remembered by its content, so it is searched again only when the spine within it
//! has changed; one that another thread is at, not before that has ended (`windows_in_hand`). All is counted in ticks,
//! never in seconds: with one thread and one seed a run is the same on any machine, wherever the limit is a number of
//! ticks.

mod arm;
mod arms;
mod field;
mod heralds;
mod lineages;
mod method_arm;
mod plateau;
mod searched_windows;
mod team;
mod tube_arm;
mod windows_in_hand;
mod worth;

use sokosearch::{Context, LiveIndex, Stop};
use tracing::debug;

use crate::rearrange::Rearrange;
use crate::tidy_path::TidyPath;
use crate::vicinity::Vicinity;
use crate::{Crossover, Exhaustive, Knobs, Method, Relink, permute};
use arm::{Arm, Slice};
use arms::all_arms;
use field::Field;
use searched_windows::SearchedWindows;
use team::play_in_team;
use windows_in_hand::WindowsInHand;

/// Improves the context's incumbent until no arm brings anything.
///
/// # Errors
/// Why it was stopped before that. Whatever was found by then is in the pool.
pub fn optimize(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    if let Some(scope) = &knobs.scope {
        return scope.optimize(knobs, cx);
    }
    let live = LiveIndex::new(cx.level());
    step(&TidyPath, cx)?;
    let root = cx.incumbent();
    step(&*(permute::SPEC.build)(knobs), cx)?;
    step(&Vicinity::new(&[], sokosearch::RingOrder::ALL[0], knobs), cx)?;
    let arms = all_arms(knobs, root, live.n_live());
    if knobs.relinks && !knobs.others.is_empty() {
        step(&Relink::new(knobs.others.clone(), knobs.relink_ring, knobs.engine), cx)?;
        step(&Crossover::new(knobs.others.clone()), cx)?;
    }
    let (searched, in_hand) = (SearchedWindows::default(), WindowsInHand::default());
    let field = Field { knobs, live: &live, searched: &searched, in_hand: &in_hand };
    lineages::lead_in(field, cx)?;
    play_in_team(arms, Exhaustive::estimate(&live, cx), field, cx)
}

/// Plays the arm that is worth most. Returns false if all arms are retired, or wait for other threads.
fn play_best(arms: &mut [Arm], field: Field<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
    let ready = arms.iter_mut().filter(|arm| !arm.is_retired() && !arm.waits(field.in_hand));
    let Some(arm) = ready.max_by(|one, other| one.compare_worth(other)) else { return Ok(false) };
    if play(arm, field, cx)? {
        arms.iter_mut().for_each(Arm::revive);
    }
    Ok(true)
}

/// Runs one slice of an arm, and a quick rearrangement after a gain. Returns whether it gained.
fn play(arm: &mut Arm, field: Field<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
    // A slice may turn out to be no work at all: count one tick, and look at the limits.
    cx.tick()?;
    cx.poll()?;
    let (before, start) = (cx.objective().score(&cx.incumbent().metrics()), cx.ticks());
    let slice = match arm.run_slice(field, cx) {
        Err(Stop::Memory) => {
            cx.note_short_of_memory();
            Slice::Hopeless
        }
        slice => slice?,
    };
    let improved = cx.objective().score(&cx.incumbent().metrics()) < before;
    if improved {
        step(&Rearrange::new(field.knobs.rearrange_ahead), cx)?;
    } else if slice == Slice::Hopeless {
        arm.give_up();
    }
    let metrics = cx.incumbent().metrics();
    let gain = before.gain_of(cx.objective().score(&metrics));
    arm.reward(gain, cx.ticks() - start, metrics.pushes);
    if slice != Slice::Skipped {
        debug!(arm = arm.name(), ?slice, gain, ticks = cx.ticks() - start, "slice");
    }
    Ok(improved)
}

/// Runs a method once. One that lacks memory has nothing to say; the others may still have.
fn step(method: &dyn Method, cx: &mut Context<'_>) -> Result<bool, Stop> {
    match method.run(cx) {
        Err(Stop::Memory) => {
            cx.note_short_of_memory();
            Ok(false)
        }
        result => result,
    }
}
