//! The techniques of the searches: the one table of their names, defaults and descriptions, and which search each one
//! affects.
//!
//! Command lines and benches read this table, and a test compares `docs/solver.md` with it. A new technique is a line in
//! it, and an arm in [`SearchKind::affects`] for each kind of search that it is for.

use std::fmt;
use std::str::FromStr;

use sokosearch::{NamedTechnique, UnknownTechnique};

/// The techniques that are on in a search; by default those that are on by default.
pub type TechniqueSet = sokosearch::TechniqueSet<Technique>;

/// One line of the table: a technique with its name, its default and its description.
#[derive(Clone, Copy, Debug)]
struct TechniqueEntry {
    technique: Technique,
    name: &'static str,
    is_on: bool,
    about: &'static str,
}

macro_rules! techniques {
    ($($technique:ident $name:literal $is_on:literal $about:literal)*) => {
        /// A technique of the searches that can be switched on and off.
        ///
        /// ```
        /// use sokosolver::{Settings, Technique};
        ///
        /// let pairs: Technique = "pairs".parse()?;
        /// assert!(pairs.is_on_by_default() && Settings::default().uses(pairs));
        /// assert!(!Settings::default().without(pairs).uses(pairs));
        /// # Ok::<(), sokosearch::UnknownTechnique>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Technique {
            $(#[doc = $about] $technique,)*
        }

        /// All techniques, in the order of their numbers.
        const TABLE: &[TechniqueEntry] = &[$(TechniqueEntry {
            technique: Technique::$technique,
            name: $name,
            is_on: $is_on,
            about: $about,
        },)*];
    };
}

techniques! {
    Matching "matching" true
        "Lower bound by a matching of boxes and goals; by each box's nearest goal without it."
    SideDistances "side-distances" true
        "Distances with the player on the side of each box where the player is; the least over the sides without it."
    Penalties "penalties" true
        "Pairs of boxes in conflict raise the bound, in searches that count costs."
    Pairs "pairs" true
        "Dead patterns of two boxes: tables of all of them, or proofs where two boxes meet."
    Triples "triples" true
        "Dead patterns of three boxes, on boards where their table fits."
    Freeze "freeze" true
        "Freeze deadlocks: boxes that hold each other in place off goal."
    Diagonals "diagonals" true
        "Closed diagonals of boxes."
    FrozenWalls "frozen-walls" true
        "Distances around boxes that are frozen on goals, as walls."
    FrozenCorrals "frozen-corrals" true
        "Boxes around an area that can never be opened count as frozen."
    GoalPairs "goal-pairs" true
        "Pairs of goals that can no longer both be filled, since others are."
    PiCorrals "pi-corrals" true
        "PI-corrals: pushes are restricted to an enclosed area that must be opened first."
    GoalCorrals "goal-corrals" false
        "Of several PI-corrals the one with the most boxes on goals comes first, not the one with the fewest pushes."
    CorralProofs "corral-proofs" true
        "Enclosed areas are searched for a proof of a deadlock; what is proved is learned."
    SharedProofs "shared-proofs" false
        "All strategies of a run that search by pushes, except feature space search, share their proofs. That costs more time than it saves."
    SubtreeProofs "subtree-proofs" true
        "Positions with much work below them are searched for a proof of a deadlock, in feature space search."
    Tunnels "tunnels" true
        "Tunnel macros: a box in a tunnel that can only be moved on is moved on."
    GoalRooms "goal-rooms" true
        "Goal macros: a box that enters a goal room by its only entrance is pushed straight to the next goal."
    GoalOrder "goal-order" false
        "Goals that lie behind others are filled first. Measured, it does not pay."
    GoalCuts "goal-cuts" false
        "Goal cuts: a box that can be pushed straight to the next goal of the order is. Measured, it does not pay."
    AdvisorPacking "advisor-packing" true
        "Advisor: moves that take the next step of the packing plan, or take a box off the board for it."
    AdvisorConnectivity "advisor-connectivity" true
        "Advisor: moves that join pieces of the floor."
    AdvisorRooms "advisor-rooms" true
        "Advisor: moves that restore links between rooms."
    AdvisorHotspots "advisor-hotspots" true
        "Advisor: moves after which fewer boxes limit others."
    AdvisorOutOfPlan "advisor-out-of-plan" true
        "Advisor: moves that take a box from where it is about to be sealed in."
    AdvisorOpener "advisor-opener" true
        "Advisor: moves that clear the path to the square that the plan fills next."
    AdvisorExplorer "advisor-explorer" true
        "Advisor: moves that make another box movable."
    AdvisorBetter "advisor-better" true
        "Advisor: moves to a better position, where there is no plan."
}

impl Technique {
    const fn entry(self) -> &'static TechniqueEntry {
        &TABLE[self as usize]
    }

    /// All techniques, in the order of their table.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Matching; TABLE.len()];
        let mut at = 0;
        while at < TABLE.len() {
            all[at] = TABLE[at].technique;
            at += 1;
        }
        all
    };

    /// Returns its name: lower case, words joined by hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns what it does, in a sentence or two.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.entry().about
    }

    /// Returns whether it is on unless the settings say otherwise.
    #[must_use]
    pub const fn is_on_by_default(self) -> bool {
        self.entry().is_on
    }

    /// Returns whether it is an advisor of feature space search. Their names, and no others, begin with `advisor-`.
    #[must_use]
    pub fn is_advisor(self) -> bool {
        self.name().starts_with("advisor-")
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
    use crate::Settings;

    #[test]
    fn each_name_is_read_as_its_technique_and_switches_it_alone() {
        for (number, technique) in Technique::ALL.into_iter().enumerate() {
            assert_eq!((technique as usize, technique.name().parse()), (number, Ok(technique)));
            let settings = Settings::default().plain().with(technique);
            let on: Vec<_> = Technique::ALL.into_iter().filter(|&other| settings.uses(other)).collect();
            assert_eq!(on, [technique]);
        }
        let unknown = "nonsense".parse::<Technique>().unwrap_err().to_string();
        assert!(unknown.starts_with("there is no technique 'nonsense'; there are matching, "), "{unknown}");
    }

    #[test]
    fn the_default_settings_are_those_of_the_table() {
        assert!(
            Technique::ALL.iter().all(|&technique| Settings::default().uses(technique) == technique.is_on_by_default())
        );
    }
}
