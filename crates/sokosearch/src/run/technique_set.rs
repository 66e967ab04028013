//! Techniques that can be switched off by name: what the registries of optimizer and solver have in common.
//!
//! Each of these crates has an enum of its own techniques and one table of their names, defaults and descriptions.
//! [`NamedTechnique`] tells the rest of the table; sets and names are the same for both.

use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A technique of a crate's registry.
///
/// ```
/// use sokosearch::{NamedTechnique, TechniqueSet};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Rule {
///     Matching,
///     GoalCuts,
/// }
///
/// impl NamedTechnique for Rule {
///     const REGISTRY: &'static [Self] = &[Self::Matching, Self::GoalCuts];
///
///     fn name(self) -> &'static str {
///         ["matching", "goal-cuts"][self as usize]
///     }
///
///     fn is_on_by_default(self) -> bool {
///         self == Self::Matching
///     }
///
///     fn number(self) -> usize {
///         self as usize
///     }
/// }
///
/// assert_eq!(Rule::named("goal-cuts")?, Rule::GoalCuts);
/// let rules = TechniqueSet::default().with(Rule::GoalCuts).without(Rule::Matching);
/// assert_eq!(rules.iter().collect::<Vec<_>>(), [Rule::GoalCuts]);
/// assert!(Rule::named("goals").unwrap_err().to_string().ends_with("there are matching, goal-cuts"));
/// # Ok::<(), sokosearch::UnknownTechnique>(())
/// ```
pub trait NamedTechnique: Copy + 'static {
    /// All techniques, in the order of their numbers; 64 at most.
    const REGISTRY: &'static [Self];

    /// Returns the name by which it is switched: lower case, words joined by hyphens.
    fn name(self) -> &'static str;

    /// Returns whether it is on unless switched off.
    fn is_on_by_default(self) -> bool;

    /// Returns its place in the registry, from 0.
    fn number(self) -> usize;

    /// Finds a technique by its name.
    ///
    /// # Errors
    /// No technique has this name.
    fn named(name: &str) -> Result<Self, UnknownTechnique> {
        let found = Self::REGISTRY.iter().copied().find(|technique| technique.name() == name);
        found.ok_or_else(|| UnknownTechnique {
            name: name.to_owned(),
            known: Self::REGISTRY.iter().map(|technique| technique.name()).collect(),
        })
    }
}

/// A name that no technique has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTechnique {
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no technique '{}'; there are {}", self.name, self.known.join(", "))
    }
}

impl Error for UnknownTechnique {}

/// A set of techniques, one bit each; by default those that are on by default.
pub struct TechniqueSet<T> {
    bits: u64,
    of: PhantomData<T>,
}

impl<T: NamedTechnique> TechniqueSet<T> {
    /// The set without any technique.
    pub const EMPTY: Self = Self { bits: 0, of: PhantomData };

    /// Returns the set with a technique added.
    #[must_use]
    pub fn with(self, technique: T) -> Self {
        Self { bits: self.bits | 1 << technique.number(), ..self }
    }

    /// Returns the set with a technique removed.
    #[must_use]
    pub fn without(self, technique: T) -> Self {
        Self { bits: self.bits & !(1 << technique.number()), ..self }
    }

    /// Returns whether a technique is in the set.
    #[inline]
    #[must_use]
    pub fn contains(self, technique: T) -> bool {
        self.bits >> technique.number() & 1 != 0
    }

    /// Returns its techniques in the order of the registry.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = T> {
        T::REGISTRY.iter().copied().filter(move |&technique| self.contains(technique))
    }
}

impl<T: NamedTechnique> Default for TechniqueSet<T> {
    fn default() -> Self {
        T::REGISTRY.iter().copied().filter(|technique| technique.is_on_by_default()).collect()
    }
}

impl<T: NamedTechnique> FromIterator<T> for TechniqueSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(techniques: I) -> Self {
        techniques.into_iter().fold(Self::EMPTY, Self::with)
    }
}

// Derived, these would ask the same of `T`.
impl<T> Clone for TechniqueSet<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TechniqueSet<T> {}

impl<T> PartialEq for TechniqueSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for TechniqueSet<T> {}

impl<T> Hash for TechniqueSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<T: NamedTechnique> fmt::Debug for TechniqueSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(T::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Rule {
        One,
        Two,
        Three,
    }

    impl NamedTechnique for Rule {
        const REGISTRY: &'static [Self] = &[Self::One, Self::Two, Self::Three];

        fn name(self) -> &'static str {
            ["one", "two", "three"][self as usize]
        }

        fn is_on_by_default(self) -> bool {
            self != Self::Two
        }

        fn number(self) -> usize {
            self as usize
        }
    }

    #[test]
    fn techniques_are_added_and_removed() {
        let default = TechniqueSet::<Rule>::default();
        assert_eq!(default.iter().collect::<Vec<_>>(), [Rule::One, Rule::Three]);
        for &rule in Rule::REGISTRY {
            assert_eq!(default.contains(rule), rule.is_on_by_default());
            assert!(default.with(rule).contains(rule) && !default.without(rule).contains(rule));
            assert_eq!(TechniqueSet::EMPTY.with(rule).iter().collect::<Vec<_>>(), [rule]);
        }
        let all: TechniqueSet<Rule> = Rule::REGISTRY.iter().copied().collect();
        assert_eq!((all.iter().count(), all == default.with(Rule::Two)), (3, true));
        assert_eq!(format!("{default:?}"), r#"{"one", "three"}"#);
    }

    #[test]
    fn an_unknown_name_is_told_the_names() {
        assert_eq!(Rule::named("two"), Ok(Rule::Two));
        let error = Rule::named("tow").unwrap_err().to_string();
        assert_eq!(error, "there is no technique 'tow'; there are one, two, three");
    }
}
