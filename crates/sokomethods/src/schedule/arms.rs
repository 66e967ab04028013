//! The arms of a run, cheapest first.

use crate::{Knobs, Spec, box_permutation, delay, phase_lattice, rearrange, relink, symmetry};

use super::arm::Arm;
use super::lineages::{self, Lineages};
use super::method_arm::MethodArm;
use super::plateau::{self, Plateau};
use super::tube_arm::TubeArm;
use sokocore::Solution;
use sokosearch::Boxes;

/// More squares than any level needs: all that can be reached.
const EVERYWHERE: usize = 999;
/// A one-box arm is left out if the next one allows fewer than this many squares more.
const MIN_STEP: usize = 5;

/// Methods that run as arms, with their ranks: how long to wait for a first gain.
const METHOD_ARMS: &[(Spec, usize)] = &[
    (rearrange::FULL, 0),
    (symmetry::SPEC, 0),
    (delay::SPEC, 2),
    (phase_lattice::SPEC, 3),
    (box_permutation::SPEC, 3),
    (relink::SPEC, 4),
];

/// The neighborhoods to search, cheapest first: one box with each limit and everywhere, the limits together, and
/// what lies beyond them.
pub(crate) fn arms(knobs: &Knobs, n_live: usize) -> Vec<Arm> {
    use Boxes::{All, Pushed};
    let mut limits = knobs.vicinity.clone();
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
        settings.push((limits, All));
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
    let first_ring = usize::try_from(knobs.seed % 8).unwrap_or(0);
    let tubes = settings.into_iter().enumerate();
    let mut arms: Vec<Arm> =
        tubes.map(|(rank, (limits, boxes))| Arm::tube(TubeArm::new(limits, boxes, first_ring, n_live), rank)).collect();
    let methods = METHOD_ARMS.iter().filter(|(spec, _)| knobs.relinks || spec.name != relink::SPEC.name);
    arms.extend(methods.map(|(spec, rank)| Arm::method(MethodArm::new(spec, knobs), *rank)));
    arms
}

/// All arms: those that search from the best solution, one that walks the plateau with the cheap ones, and one that
/// raises other lineages from `root`, the solution that the run began with.
pub(crate) fn all_arms(knobs: &Knobs, root: Solution, n_live: usize) -> Vec<Arm> {
    let mut cheap = arms(knobs, n_live);
    cheap.retain(|arm| arm.rank() <= plateau::MAX_RANK);
    let mut all = arms(knobs, n_live);
    all.push(Arm::plateau(Plateau::new(cheap, knobs.seed), plateau::RANK));
    all.push(Arm::lineages(Lineages::new(root, knobs.seed), lineages::RANK));
    all
}
