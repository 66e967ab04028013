//! The schedule: cheap methods first, then whatever gains most for its work.
//!
//! ```text
//!                                    ┌──────────────────── arms ─────────────────────┐
//!                                    │ tubes: 1 box · 2 boxes · 3 boxes · ...        │
//!  tidy path ─▶ permute ─▶ spine ──▶ │   each slice a window of the spine            │ ─▶ all retired: the end
//!                                    │ methods: rearrange full · delay · lattice ... │
//!                                    │ plateau: from another solution as good        │
//!                                    └───── choose the best gain for its ticks ──────┘
//! ```
//!
//! An *arm* is a neighborhood or a method. One slice of a neighborhood searches one window of the spine; windows overlap by half, and their
//! length adapts so that one fits a slice. The arm with the best decayed gain per tick goes next, and an arm that has
//! not gained yet counts as if it had gained a little, so each gets its turn, cheap ones first. An arm that has swept
//! the whole spine in every ring order without a gain *retires*; any gain revives all.
//!
//! One arm walks the *plateau*: it hops to another solution of equal worth that was not seen before, and lets the cheap
//! arms try from there.
//!
//! A window that brought nothing is remembered by its content, so it is searched again only when the spine within it
//! has changed. All is counted in ticks, never in seconds: with one thread and one seed a run is the same on any
//! machine, wherever the limit is a number of ticks.

mod arm;
mod method_arm;
mod plateau;
mod searched_windows;
mod tube_arm;
mod worth;

use sokosearch::{Context, LiveIndex, Stop};
use tracing::{debug, info};

use crate::rearrange::{self, Rearrange};
use crate::tidy_path::TidyPath;
use crate::vicinity::Vicinity;
use crate::{
    Exhaustive, Knobs, Method, Relink, Spec, box_permutation, delay, permute, phase_lattice, relink, symmetry,
};
use arm::{Arm, Slice};
use method_arm::MethodArm;
use plateau::Plateau;
use searched_windows::SearchedWindows;
use tube_arm::TubeArm;

/// More squares than any level needs: all that can be reached.
const EVERYWHERE: usize = 999;
/// A one-box arm is left out if the next one allows fewer than this many squares more.
const MIN_STEP: usize = 5;

/// Methods that run as arms, with their ranks: how long to wait for a first gain.
const METHOD_ARMS: &[(Spec, usize)] = &[
    (rearrange::FULL, 0),
    (symmetry::SPEC, 0),
    (delay::SPEC, 2),
    (phase_lattice::SPEC, 1),
    (box_permutation::SPEC, 3),
    (relink::SPEC, 4),
];

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
    step(&*(permute::SPEC.build)(knobs), cx)?;
    step(&Vicinity::new(&[], sokosearch::RingOrder::ALL[0], knobs), cx)?;
    let mut arms = all_arms(knobs, live.n_live());
    if knobs.relinks && !knobs.others.is_empty() {
        step(&Relink::new(knobs.others.clone(), knobs.relink_ring, knobs.engine), cx)?;
    }
    let mut searched = SearchedWindows::default();
    let mut proof = Exhaustive::estimate(&live, cx);
    loop {
        // Once as much work has gone into arms as a proof would take, it is worth trying.
        if proof.is_some_and(|ticks| ticks <= cx.ticks()) || (proof.is_some() && arms.iter().all(Arm::is_retired)) {
            proof = None;
            step(&Exhaustive::new(knobs), cx)?;
        }
        if cx.is_proved() || !play_best(&mut arms, knobs, &live, &mut searched, cx)? {
            return Ok(());
        }
    }
}

/// Runs one slice of the arm that is worth most. Returns false if all arms are retired.
fn play_best(
    arms: &mut [Arm],
    knobs: &Knobs,
    live: &LiveIndex,
    searched: &mut SearchedWindows,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    // A slice may turn out to be no work at all: count one tick, and look at the limits.
    cx.tick()?;
    cx.poll()?;
    let waiting = arms.iter_mut().filter(|arm| !arm.is_retired());
    let Some(arm) = waiting.max_by(|one, other| one.compare_worth(other)) else { return Ok(false) };
    let (before, start) = (cx.objective().score(&cx.incumbent().metrics()), cx.ticks());
    let slice = match arm.run_slice(knobs, live, searched, cx) {
        Err(Stop::Memory) => {
            cx.note_short_of_memory();
            Slice::Hopeless
        }
        slice => slice?,
    };
    let improved = cx.objective().score(&cx.incumbent().metrics()) < before;
    if improved {
        step(&Rearrange::new(knobs.rearrange_ahead), cx)?;
    }
    let gain = before.gain_of(cx.objective().score(&cx.incumbent().metrics()));
    arm.reward(gain, cx.ticks() - start);
    if slice != Slice::Skipped {
        debug!(arm = arm.name(), ?slice, gain, ticks = cx.ticks() - start, "slice");
    }
    if improved {
        info!(arm = arm.name(), metrics = %cx.incumbent().metrics(), ticks = cx.ticks(), "improved");
        arms.iter_mut().for_each(Arm::revive);
    } else if slice == Slice::Hopeless {
        arm.give_up();
    }
    Ok(true)
}

/// The neighborhoods to search, cheapest first: one box with each limit and everywhere, the limits together, and
/// what lies beyond them.
fn arms(knobs: &Knobs, n_live: usize) -> Vec<Arm> {
    let mut limits = knobs.vicinity.clone();
    limits.sort_unstable();
    let (least, most) = (limits.first().copied().unwrap_or(0), limits.last().copied().unwrap_or(0));
    let mut one_box = limits.clone();
    one_box.push(EVERYWHERE.min(n_live));
    one_box.sort_unstable();
    let mut settings: Vec<Vec<usize>> =
        one_box.windows(2).filter(|pair| pair[1] >= pair[0] + MIN_STEP).map(|pair| vec![pair[0]]).collect();
    settings.extend(one_box.last().map(|&last| vec![last]));
    if limits.len() > 1 {
        settings.push(limits);
    }
    if least > 0 {
        let half = |limit: usize| limit.div_ceil(2);
        settings.push(vec![half(half(least)), half(half(most)), half(half(most))]);
        settings.push(vec![2 * least, 2 * most]);
        settings.push(vec![half(half(least)), half(half(least)), half(half(least)), half(half(most))]);
        settings.push(vec![half(least), least, most]);
        settings.push(vec![most, EVERYWHERE]);
        settings.push(vec![least, least, 2 * most]);
        settings.push(vec![2 * most, EVERYWHERE]);
    }
    for setting in &mut settings {
        setting.iter_mut().for_each(|limit| *limit = (*limit).min(n_live));
        setting.sort_unstable();
    }
    settings.dedup();
    let first_ring = usize::try_from(knobs.seed % 8).unwrap_or(0);
    let tubes = settings.into_iter().enumerate();
    let mut arms: Vec<Arm> =
        tubes.map(|(rank, limits)| Arm::tube(TubeArm::new(limits, first_ring, n_live), rank)).collect();
    let methods = METHOD_ARMS.iter().filter(|(spec, _)| knobs.relinks || spec.name != relink::SPEC.name);
    arms.extend(methods.map(|(spec, rank)| Arm::method(MethodArm::new(spec, knobs), *rank)));
    arms
}

/// All arms: those that search from the best solution, and one that walks the plateau with the cheap ones.
fn all_arms(knobs: &Knobs, n_live: usize) -> Vec<Arm> {
    let mut cheap = arms(knobs, n_live);
    cheap.retain(|arm| arm.rank() <= plateau::MAX_RANK);
    let mut all = arms(knobs, n_live);
    all.push(Arm::plateau(Plateau::new(cheap, knobs.seed), plateau::RANK));
    all
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
