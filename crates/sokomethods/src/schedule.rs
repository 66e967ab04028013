//! The schedule: cheap methods first, then a multi-armed bandit over all other searches.
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
//! An *arm* is a neighborhood or a method. One slice of a neighborhood searches one window of the spine. Windows
//! overlap, and their length adapts so that one fits a slice. The arm with the best discounted gain per tick gets the
//! next slice. A prior gain gives a slice to each arm that has not gained yet, cheap arms first. An arm that has
//! swept the whole spine in every ring order without a gain *retires*; any gain revives all arms.
//!
//! # Contents, in reading order
//! * `arm`: a search that runs in slices, and the end of a slice. `worth`: the value of an arm.
//! * `bandit`: one step of the schedule. `arm_context`: what the arms share.
//! * `tube_arm`, `method_arm`: a neighborhood and a method as arms. `basic_arms`: the list of them.
//! * `plateau`, `lineages`: searches from other solutions, with basic arms of their own.
//! * `workers`: the threads that run the arms. `announce`: tells observers which technique is at work.
//! * `searched_windows`, `window_locks`: windows to skip. `pool_forwarder`: offers the gains of one pool to another.
//!
//! A window without a gain is remembered by its content, and searched again only when the spine within it has
//! changed. Every part of the schedule is a [`Technique`], and can be switched off by its name.
//! A window that another thread has locked is searched after its release. All work is counted in ticks,
//! never in seconds: with one thread and one seed a run is the same on every machine if its limit is a number of
//! ticks.

mod announce;
mod arm;
mod arm_context;
mod bandit;
mod basic_arms;
mod lineages;
mod method_arm;
mod plateau;
mod pool_forwarder;
mod searched_windows;
mod tube_arm;
mod window_locks;
mod workers;
mod worth;

use sokocore::{Objective, Solution};
use sokosearch::{Context, LiveIndex, RingOrder, Stop};

use crate::methods::permute;
use crate::{Crossover, Exhaustive, Knobs, Relink, Technique, TidyPath, Vicinity};
use arm::Arm;
use arm_context::ArmContext;
use bandit::run_technique;
use basic_arms::basic_arms;
use lineages::{Lineages, MultiStart, lead_in_by_moves};
use plateau::Plateau;
use searched_windows::SearchedWindows;
use window_locks::WindowLocks;
use workers::run_arms;

/// Improves the context's incumbent until every arm is retired.
///
/// # Errors
/// Why it was stopped before that. Every solution found by then is in the pool.
pub(crate) fn run(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    let live = LiveIndex::new(cx.level());
    run_technique(Technique::TidyPath, &TidyPath, knobs, cx)?;
    let root = cx.incumbent();
    run_technique(Technique::Permute, &*(permute::SPEC.build)(knobs), knobs, cx)?;
    run_technique(Technique::Spine, &Vicinity::new(&[], RingOrder::ALL[0], knobs), knobs, cx)?;
    let arms = all_arms(knobs, cx.objective(), root, live.n_live());
    if knobs.relinks && !knobs.others.is_empty() {
        let relink = Relink::new(knobs.others.clone(), knobs.relink_ring, knobs.engine);
        run_technique(Technique::Relink, &relink, knobs, cx)?;
        run_technique(Technique::Crossover, &Crossover::new(knobs.others.clone()), knobs, cx)?;
    }
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs, live: &live, searched: &searched, locks: &locks };
    lead_in_by_moves(arm_cx, cx)?;
    let proves = knobs.techniques.contains(Technique::Exhaustive);
    run_arms(arms, if proves { Exhaustive::estimate(&live, cx) } else { None }, arm_cx, cx)
}

/// Returns the basic arms, the plateau with the cheap ones, and the lineages from `root`, the solution at the start.
fn all_arms(knobs: &Knobs, objective: Objective, root: Solution, n_live: usize) -> Vec<Arm> {
    let mut cheap = basic_arms(knobs, objective, n_live);
    cheap.retain(|arm| arm.rank() <= plateau::MAX_RANK);
    let mut all = basic_arms(knobs, objective, n_live);
    if knobs.techniques.contains(Technique::Plateau) {
        all.push(Arm::new(Plateau::new(cheap, knobs.seed), plateau::RANK));
    }
    if knobs.techniques.contains(Technique::MultiStart) && (knobs.source.is_some() || !knobs.others.is_empty()) {
        all.push(Arm::new(MultiStart::new(knobs.others.clone(), knobs.seed), lineages::RANK));
    }
    if knobs.techniques.contains(Technique::Lineages) {
        all.push(Arm::new(Lineages::new(root, knobs.seed), lineages::RANK));
    }
    all
}
