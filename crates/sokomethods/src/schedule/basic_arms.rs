//! The arms that search from the incumbent: neighborhoods and methods, cheapest first.

use sokocore::{Metric, Objective};
use sokosearch::Boxes;

use super::arm::Arm;
use super::method_arm::MethodArm;
use super::optimal_windows::{self, OptimalWindows};
use super::tube_arm::TubeArm;
use crate::methods::{
    box_groups, box_permutation, delay, phase_lattice, rearrange, relink, session_exchange, symmetry,
};
use crate::{Knobs, Spec, Technique};

/// A limit above the number of squares of any level.
const EVERYWHERE: usize = 999;
/// A one-box arm is left out if the next one allows fewer than this many squares more.
const MIN_STEP: usize = 5;

/// Methods that run as arms, with their ranks: the higher the rank, the later the first slice.
const METHOD_ARMS: &[(Technique, Spec, usize)] = &[
    (Technique::RearrangeFull, rearrange::FULL, 0),
    (Technique::Symmetry, symmetry::SPEC, 0),
    (Technique::Delay, delay::SPEC, 2),
    (Technique::SessionExchange, session_exchange::SPEC, 2),
    (Technique::PhaseLattice, phase_lattice::SPEC, 5),
    (Technique::BoxPermutation, box_permutation::SPEC, 5),
    (Technique::BoxGroups, box_groups::SPEC, 2),
    (Technique::Relink, relink::SPEC, 4),
];

/// The rank of full rearrangement where pushes count first: another order of pushes rarely saves one. Measured: see
/// `docs/experiments/2026-11-23-ticks-and-rank-of-rearrangement.md`.
const REARRANGE_RANK_BY_PUSHES: usize = 2;

/// The ranks of two neighborhoods that gain more for their ticks than their places in the list say: one box displaced
/// everywhere, and two of those that are pushed in the window. Measured: see
/// `docs/experiments/2026-11-26-ranks-of-neighborhoods.md`.
const RANK_OF_EVERYWHERE: usize = 0;
const RANK_OF_PUSHED_PAIR: usize = 1;

/// Returns the neighborhoods, then the methods. Neighborhoods displace one box, within each limit and everywhere; then
/// several boxes within all limits together; then more boxes, or within larger limits. Arms of techniques that are off
/// are left out; the others keep their ranks. Custom methods come last.
pub(crate) fn basic_arms(knobs: &Knobs, objective: Objective, n_live: usize) -> Vec<Arm> {
    use Boxes::{All, Pushed};
    let mut limits: Vec<usize> = knobs.vicinity.iter().map(|&limit| limit.min(EVERYWHERE)).collect();
    limits.sort_unstable();
    let (least, most) = (limits.first().copied().unwrap_or(0), limits.last().copied().unwrap_or(0));
    let mut one_box = limits.clone();
    one_box.push(EVERYWHERE.min(n_live));
    one_box.sort_unstable();
    let mut settings: Vec<(Vec<usize>, Boxes)> =
        one_box.windows(2).filter(|pair| pair[1] >= pair[0] + MIN_STEP).map(|pair| (vec![pair[0]], All)).collect();
    settings.extend(one_box.last().map(|&last| (vec![last], All)));
    if limits.len() > 1 {
        settings.push((limits.clone(), Pushed));
        settings.push((limits.clone(), All));
    }
    if least > 0 {
        let half = |limit: usize| limit.div_ceil(2);
        let quarter = |limit: usize| half(half(limit));
        settings.extend([
            (vec![half(least), half(most), half(most)], Pushed),
            (vec![quarter(least), quarter(most), quarter(most)], All),
            (vec![2 * least, 2 * most], Pushed),
            (vec![2 * least, 2 * most], All),
            (vec![quarter(least), half(least), half(least), half(most)], Pushed),
            (vec![quarter(least), quarter(least), quarter(least), quarter(most)], All),
            (vec![least, least, most], Pushed),
            (vec![half(least), least, most], All),
            (vec![most, EVERYWHERE], All),
            (vec![least, least, 2 * most], All),
            (vec![2 * most, EVERYWHERE], All),
        ]);
    }
    for (limits, _) in &mut settings {
        limits.iter_mut().for_each(|limit| *limit = (*limit).min(n_live));
        limits.sort_unstable();
    }
    settings.dedup();
    let is_on = |technique| knobs.techniques.contains(technique);
    let tubes = settings.into_iter().enumerate().filter(|(_, (limits, boxes))| {
        Technique::displacing(limits.len()).is_some_and(is_on) && (*boxes == All || is_on(Technique::PushedBoxes))
    });
    let tube_arm = |limits: Vec<usize>, boxes: Boxes| match usize::try_from(knobs.seed % 8).expect("invariant: below 8")
    {
        first_ring if is_on(Technique::RingOrders) => TubeArm::new(limits, boxes, first_ring, n_live),
        _ => TubeArm::new(limits, boxes, 0, n_live).in_one_ring_order(),
    };
    let pair: Vec<usize> = limits.iter().map(|&limit| limit.min(n_live)).collect();
    let tube_rank = |place, limits: &[usize], boxes: &Boxes| match *limits {
        [limit] if limit == EVERYWHERE.min(n_live) => RANK_OF_EVERYWHERE,
        [_, _] if *boxes == Pushed && *limits == pair => RANK_OF_PUSHED_PAIR,
        _ => place,
    };
    let mut arms: Vec<Arm> = tubes
        .map(|(place, (limits, boxes))| {
            let rank = tube_rank(place, &limits, &boxes);
            Arm::new(tube_arm(limits, boxes), rank)
        })
        .collect();
    let methods = METHOD_ARMS
        .iter()
        .filter(|(technique, ..)| is_on(*technique) && (knobs.relinks || *technique != Technique::Relink));
    let rank_of = |technique, rank| match technique {
        Technique::RearrangeFull if objective.order()[0] == Metric::Pushes => REARRANGE_RANK_BY_PUSHES,
        _ => rank,
    };
    arms.extend(methods.map(|&(technique, ref spec, rank)| {
        Arm::new(MethodArm::new(technique, spec, knobs), rank_of(technique, rank))
    }));
    if let Some(searcher) = knobs.searcher.as_ref().filter(|_| is_on(Technique::OptimalWindows)) {
        arms.push(Arm::new(OptimalWindows::new(searcher.clone()), optimal_windows::RANK));
    }
    arms.extend(knobs.methods.iter().map(|method| Arm::new(MethodArm::custom(method), method.rank())));
    arms
}
