//! The schedule: cheap methods first, then a multi-armed bandit over all other searches.
//!
//! ```text
//!                          ┌──────────────────── arms ─────────────────────┐
//!                          │ tubes: 1 box · 2 boxes · 3 boxes · ...        │
//!  tidy path ─▶ permute    │   each slice a window of the spine            │
//!            ─▶ spine      │ methods: rearrange full · delay · lattice ... │ ─▶ all retired: the end
//!            ─▶ exchange ─▶│ plateau: from another solution as good        │
//!                          │ lineages: from the start again, another way   │
//!                          └───── choose the best gain for its ticks ──────┘
//! ```
//!
//! An *arm* is a neighborhood or a method. One slice of a neighborhood searches one window of the spine. Windows
//! overlap, and their length adapts so that one fits a slice. The arm with the best discounted gain per tick gets the
//! next slice. A prior gain gives a slice to each arm that has not gained yet, cheap arms first. An arm that has
//! swept the whole spine in every ring order without a gain *retires*; any gain revives all arms.
//!
//! # Contents, in reading order
//! * `arm`: a search that runs in slices, and the end of a slice. `worth`: the value of an arm.
//! * `bandit`: one step of the schedule. `arm_context`: what the arms share.
//! * `tube_arm`, `method_arm`: a neighborhood and a method as arms. `basic_arms`: the list of them.
//! * `plateau`, `lineages`: searches from other solutions, with basic arms of their own. `optimal_arm`: a search that
//!   proves, pruned by the best.
//! * `workers`: the threads that run the arms. `arrivals`: better solutions from outside. `relinking`: with them, and with
//!   those given at the start. `announce`: tells observers which technique is at work.
//! * `arm_queue`, `recorder`, `resumption`: what a run has done, as a [`Checkpoint`], and how the next run takes it up.
//! * `subproblem`: a window as a level of its own. `searched_windows`, `window_locks`: windows to skip.
//!   `window_claims`: those that other islands search.
//! * `draws`: random numbers. `pool_forwarder`: offers the gains of one pool to another.
//!
//! A window without a gain is remembered by its content, and searched again only when the spine within it has
//! changed. Every part of the schedule is a [`Technique`], and can be switched off by its name.
//! A window that another thread has locked is searched after its release. All work is counted in ticks,
//! never in seconds: with one thread and one seed a run is the same on every machine if its limit is a number of
//! ticks.

mod announce;
mod arm;
mod arm_context;
mod arm_queue;
mod arrivals;
mod bandit;
mod basic_arms;
mod deordered_windows;
mod draws;
mod lineages;
mod method_arm;
mod optimal_arm;
mod optimal_windows;
mod plateau;
mod pool_forwarder;
mod recorder;
mod relinking;
mod resumption;
mod ruin_recreate;
mod searched_windows;
mod subproblem;
mod tube_arm;
mod window_claims;
mod window_locks;
mod workers;
mod worth;

use sokocore::{Metric, Solution};
use sokosearch::{Context, LiveIndex, RingOrder, Stop};

use crate::methods::permute;
use crate::{Checkpoint, Exhaustive, Knobs, SessionExchange, Technique, TidyPath, Vicinity};
use arm::Arm;
pub(crate) use arm::SavedArm;
use arm_context::ArmContext;
use arm_queue::ArmQueue;
use bandit::run_technique;
use basic_arms::basic_arms;
use deordered_windows::DeorderedWindows;
use lineages::{
    Lineages, MultiStart, PushesFirst, Reformulation, Replanning, SparePushes, lead_in_by_moves, pushes_first,
};
use optimal_arm::OptimalArm;
use plateau::Plateau;
pub(crate) use recorder::OnCheckpoint;
use recorder::Recorder;
use relinking::relink_given;
use resumption::Resumption;
pub(crate) use resumption::settings_fingerprint;
use ruin_recreate::RuinRecreate;
use searched_windows::SearchedWindows;
use window_locks::WindowLocks;
use workers::run_arms;

/// Improves the context's incumbent until every arm is retired.
///
/// # Errors
/// Why it was stopped before that. Every solution found by then is in the pool.
pub(crate) fn run(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    let live = LiveIndex::new(cx.level());
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::new(knobs, cx));
    let arm_cx = ArmContext { knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    run_queue(&mut ArmQueue::default(), None, None, arm_cx, cx)
}

/// As [`run`], but continues from a checkpoint, calls the listener with others on the way, and returns the last one.
pub(crate) fn run_from(
    knobs: &Knobs,
    checkpoint: Option<&Checkpoint>,
    listener: Option<OnCheckpoint<'_>>,
    cx: &mut Context<'_>,
) -> (Result<(), Stop>, Checkpoint) {
    let live = LiveIndex::new(cx.level());
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::new(knobs, cx));
    let past = checkpoint.and_then(|checkpoint| Resumption::of(checkpoint, knobs, cx));
    let past = past.as_ref();
    let ticks_elsewhere = past.map_or(0, Resumption::ticks);
    let arm_cx = ArmContext { knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere };
    let recorder = Recorder::new(knobs, past, listener, cx);
    let mut queue = ArmQueue::default();
    let end = run_queue(&mut queue, past, Some(&recorder), arm_cx, cx);
    let last = recorder.last(&mut queue, end, arm_cx, cx);
    (end, last)
}

/// Fills the queue, which is empty, after what comes before the arms, and runs them.
fn run_queue(
    queue: &mut ArmQueue,
    past: Option<&Resumption>,
    recorder: Option<&Recorder<'_>>,
    arm_cx: ArmContext<'_>,
    cx: &mut Context<'_>,
) -> Result<(), Stop> {
    let knobs = arm_cx.knobs;
    cx.pool().begin_search(cx.objective());
    if let Some(past) = past {
        let saved = past.checkpoint();
        arm_cx.searched.restore(&saved.searched, cx.budget().memory());
        (queue.ticks, queue.ticks_of_proofs) = (saved.ticks_of_arms, saved.ticks_of_proofs);
        if past.is_proved(cx) {
            cx.prove();
            return Ok(());
        }
    }
    let led_in = lead_in(queue, past, arm_cx, cx);
    queue.ticks += cx.ticks();
    let root = led_in?;
    let proves = knobs.techniques.contains(Technique::Exhaustive);
    let proof = if proves { Exhaustive::estimate(arm_cx.live, cx) } else { None };
    queue.fill(all_arms(past, root, arm_cx, cx), proof, &cx.best());
    if let Some(past) = past {
        past.restore(queue, arm_cx, cx);
        if let Some(former) = past.former(cx) {
            queue.keep_former(former, cx);
        }
    }
    run_arms(queue, recorder, arm_cx, cx)
}

/// Runs what comes before the arms, as far as an earlier run has not done it. Returns the root of the lineages.
fn lead_in(
    queue: &mut ArmQueue,
    past: Option<&Resumption>,
    arm_cx: ArmContext<'_>,
    cx: &mut Context<'_>,
) -> Result<Solution, Stop> {
    let knobs = arm_cx.knobs;
    let is_led_in = past.is_some_and(Resumption::is_led_in);
    if !is_led_in {
        run_technique(Technique::TidyPath, &TidyPath, knobs, cx)?;
    }
    let root = cx.incumbent();
    if !is_led_in {
        run_technique(Technique::Permute, &*(permute::SPEC.build)(knobs), knobs, cx)?;
        run_technique(Technique::Spine, &Vicinity::new(&[], RingOrder::ALL[0], knobs), knobs, cx)?;
        run_technique(Technique::SessionExchange, &SessionExchange, knobs, cx)?;
    }
    let others = past.map_or_else(|| knobs.others.clone(), |past| past.unlinked(&knobs.others));
    queue.has_cut_relinking = !relink_given(others, knobs, cx)?;
    if !is_led_in {
        lead_in_by_moves(arm_cx, cx)?;
    }
    Ok(root)
}

/// Returns the basic arms, ruin and recreate, deordered windows, the plateau with the cheap arms, the lineages by pushes, and
/// the lineages from `root`, the solution at the start.
/// Without a source or other solutions, starts are compared only if an earlier run has begun to.
fn all_arms(past: Option<&Resumption>, root: Solution, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Vec<Arm> {
    let (knobs, objective, n_live) = (arm_cx.knobs, cx.objective(), arm_cx.live.n_live());
    let mut cheap = basic_arms(knobs, objective, n_live);
    cheap.retain(|arm| arm.rank() <= plateau::MAX_RANK);
    let mut all = basic_arms(knobs, objective, n_live);
    let spare = SparePushes::of(cx);
    let has_spare_pushes = spare.is_some_and(|spare| spare.are_in(&cx.best()));
    if arm_cx.uses(Technique::RuinRecreate, cx) {
        all.push(Arm::new(RuinRecreate::new(objective, knobs, has_spare_pushes), ruin_recreate::RANK));
    }
    if has_spare_pushes && let Some(windows) = DeorderedWindows::within(arm_cx, cx) {
        all.push(Arm::new(windows, deordered_windows::RANK));
    }
    all.iter_mut().for_each(|arm| arm.vary(knobs.seed));
    if knobs.techniques.contains(Technique::Plateau) {
        all.push(Arm::new(Plateau::new(cheap, knobs.seed), plateau::RANK));
    }
    // Where player lines count first it belongs to the lead-in by moves.
    if objective.order()[0] != Metric::PlayerLines {
        let lineages = PushesFirst::for_threads(spare, arm_cx, cx);
        all.extend(lineages.map(|first| Arm::new(first, pushes_first::RANK)));
    }
    if let Some(reformulation) = Reformulation::within(spare, arm_cx, cx) {
        all.push(Arm::new(reformulation, lineages::RANK));
    }
    if let Some(replanning) = Replanning::within(spare, arm_cx, cx) {
        all.push(Arm::new(replanning, lineages::RANK));
    }
    let has_begun = past.is_some_and(|past| past.has_arm(Technique::MultiStart.name()));
    let has_starts = has_begun || knobs.source.is_some() || !knobs.others.is_empty();
    if knobs.techniques.contains(Technique::MultiStart) && has_starts {
        all.push(Arm::new(MultiStart::new(knobs.others.clone(), spare, knobs.seed), lineages::RANK));
    }
    if knobs.techniques.contains(Technique::Lineages) {
        all.push(Arm::new(Lineages::new(root, knobs.seed), lineages::RANK));
    }
    if let Some(searcher) = knobs.searcher.as_ref().filter(|_| knobs.techniques.contains(Technique::OptimalSearch)) {
        all.push(Arm::new(OptimalArm::new(searcher.clone(), objective.order()[0]), optimal_arm::RANK));
    }
    all
}
