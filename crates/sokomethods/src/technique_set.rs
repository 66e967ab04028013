//! A set of techniques, one bit each.

use std::fmt;

use crate::Technique;

/// The techniques that are on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TechniqueSet(u32);

impl TechniqueSet {
    /// None at all: a run with it does nothing.
    pub const EMPTY: Self = Self(0);

    /// Returns the set with a technique added.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u32)
    }

    /// Returns the set with a technique removed.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u32))
    }

    /// Returns whether a technique is in the set.
    #[must_use]
    pub const fn contains(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 == 1
    }

    /// Returns its techniques in the order of [`Technique::ALL`].
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Technique> {
        Technique::ALL.into_iter().filter(move |&technique| self.contains(technique))
    }
}

/// The techniques that are on by default.
impl Default for TechniqueSet {
    fn default() -> Self {
        Technique::ALL.into_iter().filter(|technique| technique.is_on_by_default()).collect()
    }
}

impl FromIterator<Technique> for TechniqueSet {
    fn from_iter<I: IntoIterator<Item = Technique>>(techniques: I) -> Self {
        techniques.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for TechniqueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_are_added_and_removed() {
        let default = TechniqueSet::default();
        for technique in Technique::ALL {
            assert_eq!(default.contains(technique), technique.is_on_by_default());
            assert!(default.with(technique).contains(technique));
            assert!(!default.without(technique).contains(technique));
            assert_eq!(TechniqueSet::EMPTY.with(technique).iter().collect::<Vec<_>>(), [technique]);
        }
        assert_eq!(Technique::ALL.into_iter().collect::<TechniqueSet>().iter().count(), Technique::ALL.len());
    }
}
