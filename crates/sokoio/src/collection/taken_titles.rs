//! The titles that the games of a level have, so that a new one gets the first number that is free.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::Game;
use crate::game::solution_title::SolutionTitle;

/// Titles in use, and from which number on to try.
///
/// Invariant: of a text in `next`, every lower number is in use. Titles are only ever added.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenTitles {
    taken: BTreeSet<String>,
    next: BTreeMap<String, u32>,
}

impl TakenTitles {
    /// The titles of these games, without one of them.
    pub(crate) fn of(games: &[Game], except: Option<usize>) -> Self {
        let others = games.iter().enumerate().filter(|(game, _)| Some(*game) != except);
        Self { taken: others.filter_map(|(_, game)| game.title().map(String::from)).collect(), next: BTreeMap::new() }
    }

    /// The title with the first number, from its own on, whose text is not taken.
    pub(crate) fn first_free(
        &mut self,
        title: &SolutionTitle,
        text: impl Fn(&SolutionTitle) -> String,
    ) -> SolutionTitle {
        let base = text(&title.clone().with_number(1));
        let counts_from_one = title.number() <= 1;
        let known = self.next.get(&base).copied().filter(|_| counts_from_one);
        let candidates = (known.unwrap_or(title.number())..=u32::MAX).map(|number| title.clone().with_number(number));
        let found = candidates.into_iter().find(|title| !self.taken.contains(&text(title)));
        let found = found.unwrap_or_else(|| title.clone());
        if counts_from_one {
            self.next.insert(base, found.number());
        }
        found
    }

    pub(crate) fn insert(&mut self, text: String) {
        self.taken.insert(text);
    }
}
