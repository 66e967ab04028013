//! The techniques of the schedule: every part of it that can be switched off by name, in one registry.
//!
//! Command lines, [the page on methods](https://github.com/soko-optimizer/soko/blob/main/docs/methods.md) and the
//! ablation (`cargo xtask bench ablation`) read this table. A technique that is off never runs: no arm is made for it,
//! neither for the run itself nor within the plateau and the lineages.
//!
//! Invariant: the table has one row for each technique, in the order of the enum.

use std::fmt;
use std::str::FromStr;

use sokocore::{Metric, Objective};
use sokosearch::{NamedTechnique, UnknownTechnique};

use crate::methods::{
    box_groups, box_permutation, crossover, delay, exhaustive, permute, phase_lattice, rearrange, relink,
    session_exchange, symmetry, tidy_path,
};

/// A part of the schedule that [`crate::Knobs::techniques`] switches on or off.
///
/// # Example
/// ```
/// use sokomethods::{Knobs, Technique, TechniqueSet};
///
/// let delay: Technique = "delay".parse()?;
/// assert_eq!(delay, Technique::Delay);
/// let mut knobs = Knobs::default();
/// knobs.techniques = TechniqueSet::default().without(delay);
/// assert!(!knobs.techniques.contains(delay));
/// # Ok::<(), sokosearch::UnknownTechnique>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Technique {
    /// [`crate::TidyPath`] before all else.
    TidyPath,
    /// [`crate::Permute`] after it.
    Permute,
    /// A search through the configurations of the solution itself.
    Spine,
    /// A lineage by moves, where player lines count first.
    MovesFirst,
    /// A lineage by pushes, where the start has far more of them than its boxes need.
    PushesFirst,
    /// The arm of lineages by pushes and then by the objective, where a run stagnates with far more pushes than needed.
    Reformulation,
    /// The arm of windows of the best that the solver solves anew.
    Replanning,
    /// Quick [`crate::Rearrange`] after each gain of an arm.
    Rearrange,
    /// The arm of full [`crate::Rearrange`].
    RearrangeFull,
    /// The arm of [`crate::MirrorRest`].
    Symmetry,
    /// Neighborhoods with one box displaced.
    OneBox,
    /// Neighborhoods with two boxes displaced.
    TwoBoxes,
    /// Neighborhoods with three boxes displaced.
    ThreeBoxes,
    /// Neighborhoods with four boxes displaced.
    FourBoxes,
    /// The arm of [`crate::Delay`].
    Delay,
    /// [`crate::SessionExchange`]: once before the arms, and the arm.
    SessionExchange,
    /// The arm of [`crate::PhaseLattice`].
    PhaseLattice,
    /// The arm of [`crate::BoxGroups`].
    BoxGroups,
    /// The arm of [`crate::BoxPermutation`].
    BoxPermutation,
    /// [`crate::Relink`]: the arm, the given solutions, the lineages, the gains of several threads.
    Relink,
    /// A few boxes taken out of a window of the solution and inserted again, by a chain of simulated annealing.
    RuinRecreate,
    /// Searches from other solutions of equal worth.
    Plateau,
    /// The solver's solutions, compared by improving them for a while.
    MultiStart,
    /// Other solutions improved apart from the best.
    Lineages,
    /// [`crate::Exhaustive`], once.
    Exhaustive,
    /// A search of the solver that proves a lower bound, pruned by the best solution.
    OptimalSearch,
    /// Windows of the solution, each replaced by one with the fewest pushes between its ends.
    OptimalWindows,
    /// The pushes of a few boxes, gathered from the whole solution and replaced by fewer.
    DeorderedWindows,
    /// Eight ring orders for each neighborhood instead of one.
    RingOrders,
    /// Neighborhoods that displace only boxes pushed in their window.
    PushedBoxes,
    /// [`crate::Crossover`] of the given solutions and of the lineages.
    Crossover,
    /// Exchanges of neighboring segments of the solution between the steps of ruin and recreate.
    SegmentExchange,
}

/// Where in the schedule a technique takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TechniqueKind {
    /// It runs once, before the arms.
    LeadIn,
    /// It is an arm, or a group of arms, that competes for slices.
    Arm,
    /// It changes what arms do, or follows them.
    Rule,
}

/// The techniques that are on; by default those that are on by default. A run without any does nothing.
pub type TechniqueSet = sokosearch::TechniqueSet<Technique>;

/// What the registry says about a technique.
struct TechniqueEntry {
    technique: Technique,
    name: &'static str,
    kind: TechniqueKind,
    is_on_by_default: bool,
    about: &'static str,
}

/// A technique that is on by default.
const fn on(technique: Technique, name: &'static str, kind: TechniqueKind, about: &'static str) -> TechniqueEntry {
    TechniqueEntry { technique, name, kind, is_on_by_default: true, about }
}

/// A technique that runs only if it is switched on: it has not paid yet.
const fn off(technique: Technique, name: &'static str, kind: TechniqueKind, about: &'static str) -> TechniqueEntry {
    TechniqueEntry { is_on_by_default: false, ..on(technique, name, kind, about) }
}

/// The rows of the registry.
const N_TECHNIQUES: usize = 32;

/// The registry.
static REGISTRY: [TechniqueEntry; N_TECHNIQUES] = {
    use Technique as T;
    use TechniqueKind::{Arm, LeadIn, Rule};
    [
        on(T::TidyPath, "tidy-path", LeadIn, tidy_path::SPEC.about),
        on(T::Permute, "permute", LeadIn, permute::SPEC.about),
        on(T::Spine, "spine", LeadIn, "best path through the configurations of the solution itself"),
        on(T::MovesFirst, "moves-first", LeadIn, "where player lines count first: improves another solution by moves"),
        on(
            T::PushesFirst,
            "pushes-first",
            Arm,
            "where the start has far more pushes than its boxes need: improves another solution by pushes first",
        ),
        on(
            T::Reformulation,
            "reformulation",
            Arm,
            "where a run stagnates: improves another solution by pushes if it has many to spare, then by the objective; or the best of a search by pushes beside it",
        ),
        on(
            T::Replanning,
            "replanning",
            Arm,
            "the solver solves windows of the solution anew, and what follows from them is improved for a while",
        ),
        on(T::Rearrange, "rearrange", Rule, "after each gain of an arm: brings later pushes of a box forward"),
        on(T::RearrangeFull, "rearrange-full", Arm, rearrange::FULL.about),
        on(T::Symmetry, "symmetry", Arm, symmetry::SPEC.about),
        on(T::OneBox, "one-box", Arm, "neighborhoods with one box displaced, near and everywhere"),
        on(T::TwoBoxes, "two-boxes", Arm, "neighborhoods with two boxes displaced"),
        on(T::ThreeBoxes, "three-boxes", Arm, "neighborhoods with three boxes displaced"),
        on(T::FourBoxes, "four-boxes", Arm, "neighborhoods with four boxes displaced"),
        on(T::Delay, "delay", Arm, delay::SPEC.about),
        on(T::SessionExchange, "session-exchange", Arm, session_exchange::SPEC.about),
        on(T::PhaseLattice, "phase-lattice", Arm, phase_lattice::SPEC.about),
        off(T::BoxGroups, "box-groups", Arm, box_groups::SPEC.about),
        on(T::BoxPermutation, "box-permutation", Arm, box_permutation::SPEC.about),
        on(T::Relink, "relink", Arm, relink::SPEC.about),
        on(
            T::RuinRecreate,
            "ruin-and-recreate",
            Arm,
            "takes a few boxes out of a window of the solution and inserts them again, with simulated annealing",
        ),
        on(T::Plateau, "plateau", Arm, "searches from other solutions of equal worth"),
        on(
            T::MultiStart,
            "multi-start",
            Arm,
            "improves solutions of the solver for a while, and drops the worse half, again and again",
        ),
        on(T::Lineages, "lineages", Arm, "improves other solutions apart from the best, and keeps the better half"),
        on(T::Exhaustive, "exhaustive", Arm, exhaustive::SPEC.about),
        on(
            T::OptimalSearch,
            "optimal-search",
            Arm,
            "A* by pushes or by moves, pruned by the best solution: finds the optimum or proves a lower bound",
        ),
        on(
            T::OptimalWindows,
            "optimal-windows",
            Arm,
            "A* by pushes on windows of the solution: fewest pushes between the same ends",
        ),
        on(
            T::DeorderedWindows,
            "deordered-windows",
            Arm,
            "A* by pushes for a few boxes whose pushes are gathered from all over the solution",
        ),
        on(T::RingOrders, "ring-orders", Rule, "eight orders of squares in turn for each neighborhood"),
        on(T::PushedBoxes, "pushed-boxes", Rule, "neighborhoods that displace only boxes pushed in their window"),
        on(T::Crossover, "crossover", Rule, crossover::SPEC.about),
        on(
            T::SegmentExchange,
            "segment-exchange",
            Rule,
            "between steps of ruin and recreate: exchanges neighboring segments of the solution",
        ),
    ]
};

impl Technique {
    /// All techniques: those of the lead-in, the arms with the rule that follows them, the rules within the arms.
    pub const ALL: [Self; N_TECHNIQUES] = {
        let mut all = [Self::TidyPath; N_TECHNIQUES];
        let mut at = 0;
        while at < N_TECHNIQUES {
            all[at] = REGISTRY[at].technique;
            at += 1;
        }
        all
    };

    const fn entry(self) -> &'static TechniqueEntry {
        &REGISTRY[self as usize]
    }

    /// Returns the name by which it is switched: lower case, with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns what it does, in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.entry().about
    }

    /// Returns where it takes part.
    #[must_use]
    pub const fn kind(self) -> TechniqueKind {
        self.entry().kind
    }

    /// Returns whether it is on unless switched off.
    #[must_use]
    pub const fn is_on_by_default(self) -> bool {
        self.entry().is_on_by_default
    }

    /// Returns whether switching it can change a run by this objective.
    #[must_use]
    pub fn affects(self, objective: Objective) -> bool {
        match self {
            Self::MovesFirst => objective.order()[0] == Metric::PlayerLines,
            Self::Replanning | Self::DeorderedWindows => objective.order()[0] == Metric::Pushes,
            Self::PushesFirst | Self::Reformulation => objective.order()[0] != Metric::Pushes,
            Self::RuinRecreate | Self::SegmentExchange => {
                matches!(objective.order()[0], Metric::Moves | Metric::Pushes)
            }
            _ => true,
        }
    }

    /// Returns the techniques that displace `n` boxes; `None` if no technique does.
    pub(crate) const fn displacing(n: usize) -> Option<Self> {
        match n {
            1 => Some(Self::OneBox),
            2 => Some(Self::TwoBoxes),
            3 => Some(Self::ThreeBoxes),
            4 => Some(Self::FourBoxes),
            _ => None,
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(name: &str) -> Result<Self, UnknownTechnique> {
        Self::named(name)
    }
}

impl NamedTechnique for Technique {
    const REGISTRY: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn is_on_by_default(self) -> bool {
        self.is_on_by_default()
    }

    fn number(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::METHODS;

    #[test]
    fn the_registry_has_a_row_for_each_technique() {
        for (at, technique) in Technique::ALL.into_iter().enumerate() {
            assert_eq!((technique as usize, technique.entry().technique), (at, technique));
            assert_eq!(technique.name().parse(), Ok(technique));
            assert!(!technique.about().is_empty() && !technique.about().ends_with('.'));
        }
    }

    /// The methods of the schedule can be switched by their names; vicinity has a technique for each number of boxes.
    #[test]
    fn every_method_is_a_technique() {
        for spec in METHODS.iter().filter(|spec| spec.name != "vicinity") {
            let technique: Technique = spec.name.replace(' ', "-").parse().unwrap();
            let is_rule = technique == Technique::Rearrange;
            assert!(is_rule || technique.about() == spec.about, "{technique}");
        }
    }

    #[test]
    fn some_techniques_concern_some_objectives_alone() {
        let by_lines = Objective::starting_with(&[Metric::PlayerLines]);
        assert!(Technique::MovesFirst.affects(by_lines) && !Technique::MovesFirst.affects(Objective::MOVES));
        for by_pushes in [Technique::PushesFirst, Technique::Reformulation] {
            assert!(by_pushes.affects(by_lines) && by_pushes.affects(Objective::MOVES));
            assert!(!by_pushes.affects(Objective::PUSHES));
        }
        for chain in [Technique::RuinRecreate, Technique::SegmentExchange] {
            assert!(chain.affects(Objective::MOVES) && chain.affects(Objective::PUSHES) && !chain.affects(by_lines));
        }
        for saving_pushes in [Technique::Replanning, Technique::DeorderedWindows] {
            assert!(saving_pushes.affects(Objective::PUSHES) && !saving_pushes.affects(Objective::MOVES));
        }
        assert!(Technique::Delay.affects(Objective::PUSHES));
    }
}
