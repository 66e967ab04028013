//! Crossover: some boxes follow their paths in one solution, the others their paths in another.
//!
//! ```text
//!   one     box 1 ─▶ goal A   box 2 ─▶ goal B │ box 3 ─▶ goal C   box 4 ─▶ goal D     18 + 14 pushes
//!   other   box 1 ─▶ goal B   box 2 ─▶ goal A │ box 3 ─▶ goal C   box 4 ─▶ goal D     20 + 11 pushes
//!           └── they share their goals ──┘    │   └─ each a group of its own ─┘
//!   child   boxes 1 and 2 as in one             boxes 3 and 4 as in the other         18 + 11 pushes
//! ```
//!
//! Two solutions may each be better in another corner of the board. Boxes that share goals form a group; any choice of
//! groups puts every box on a goal of its own (see `box_paths`). The pushes of each part keep their order, and the best
//! interleaving of the two parts is found exactly (see `interleave`); some choices have none.
//!
//! Relinking follows one solution at a time and changes over where their configurations meet; a child of crossover has
//! configurations that neither parent has. The idea is that of genetic algorithms (Holland 1975).

mod box_paths;
mod interleave;

use hashbrown::HashSet;
use sokocore::{Metric, Metrics, Solution, moves_of, replay};
use sokosearch::{Context, Stop};

use crate::{Method, Spec};
use box_paths::{BoxPaths, Group, Grouping, Parent, groups};
use interleave::interleave;

pub(crate) const SPEC: Spec = Spec {
    name: "crossover",
    about: "some boxes go the ways of one solution, the others those of another",
    build: |knobs| Box::new(Crossover::new(knobs.others.clone())),
};

/// Most groups of which every choice is tried; of more groups, each alone and all but each.
const MAX_FOR_ALL_CHOICES: usize = 6;

/// Crosses the incumbent with other solutions, and these with each other.
#[derive(Clone, Debug)]
pub struct Crossover {
    others: Vec<Solution>,
}

impl Crossover {
    /// Makes a run with these solutions of the same level. With none it does nothing.
    #[must_use]
    pub const fn new(others: Vec<Solution>) -> Self {
        Self { others }
    }
}

impl Method for Crossover {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.poll()?;
        let before = cx.best().metrics();
        for (at, other) in self.others.iter().enumerate() {
            cx.found(other.lurd());
            cross(&cx.best(), other, cx)?;
            self.others[..at].iter().try_for_each(|third| cross(third, other, cx).map(|_| ()))?;
        }
        Ok(cx.has_improved_on(&before))
    }
}

/// Returns the best child of two solutions if it is better than both, and offers it to the run.
///
/// # Errors
/// The run was stopped, or the parents do not fit into memory.
pub(crate) fn cross(one: &Solution, other: &Solution, cx: &mut Context<'_>) -> Result<Option<Solution>, Stop> {
    if one.lurd() == other.lurd() {
        return Ok(None);
    }
    cx.working(SPEC.name, "crossing");
    let account = cx.budget().memory();
    let parents = (BoxPaths::new(cx.level(), one, account)?, BoxPaths::new(cx.level(), other, account)?);
    let objective = cx.objective();
    let score = |metrics: Metrics| objective.score(&metrics);
    let mut to_beat = if score(one.metrics()) < score(other.metrics()) { one.metrics() } else { other.metrics() };
    let mut best = None;
    for choice in choices(&parents, &to_beat, cx) {
        let parts = (parents.0.part(&choice, Parent::One), parents.1.part(&choice, Parent::Other));
        let Some(pushes) = interleave((&parts.0, &parts.1), &to_beat, cx)? else { continue };
        let child = moves_of(cx.level(), &pushes).and_then(|moves| replay(cx.level(), &moves).ok());
        if let Some(child) = child.filter(|child| score(child.metrics()) < score(to_beat)) {
            to_beat = child.metrics();
            best = Some(child);
        }
    }
    if let Some(child) = &best {
        cx.found(child.lurd());
    }
    Ok(best)
}

/// Returns the choices to try, those with the fewest pushes first.
fn choices(parents: &(BoxPaths, BoxPaths), to_beat: &Metrics, cx: &Context<'_>) -> Vec<ParentChoice> {
    let (one, other) = parents;
    let fine = groups(one, other, Grouping::ByGoal);
    let mut choices: Vec<(usize, ParentChoice)> = if fine.len() <= MAX_FOR_ALL_CHOICES {
        all_of(&fine, one)
    } else {
        let coarse = groups(one, other, Grouping::ByGoalAndCrossing);
        let coarsely = if coarse.len() <= MAX_FOR_ALL_CHOICES { all_of(&coarse, one) } else { singly(&coarse, one) };
        singly(&fine, one).into_iter().chain(coarsely).collect()
    };
    if cx.objective().order()[0] == Metric::Pushes {
        choices.retain(|(n_pushes, _)| *n_pushes as u64 <= to_beat.pushes);
    }
    choices.sort_unstable();
    let mut seen = HashSet::new();
    choices.into_iter().map(|(_, choice)| choice).filter(|choice| seen.insert(choice.clone())).collect()
}

/// Returns every choice of groups except none and all, with its pushes.
fn all_of(groups: &[Group], one: &BoxPaths) -> Vec<(usize, ParentChoice)> {
    let n = groups.len();
    let subsets = 1..(1_usize << n).saturating_sub(1);
    let chosen = |subset: usize| groups.iter().enumerate().filter(move |(at, _)| subset >> at & 1 != 0);
    subsets.map(|subset| choice(chosen(subset).map(|(_, group)| group), one)).collect()
}

/// Returns the choices of each group alone, and of all but each.
fn singly(groups: &[Group], one: &BoxPaths) -> Vec<(usize, ParentChoice)> {
    let alone = groups.iter().map(|group| choice(std::iter::once(group), one));
    let others = |left_out: usize| groups.iter().enumerate().filter(move |(at, _)| *at != left_out);
    let all_but = (0..groups.len()).map(|at| choice(others(at).map(|(_, group)| group), one));
    alone.chain(all_but).collect()
}

/// Returns the choice that takes these groups from the other parent, with the number of the child's pushes.
fn choice<'g>(groups: impl Iterator<Item = &'g Group>, one: &BoxPaths) -> (usize, ParentChoice) {
    let (mut n_pushes, mut chosen) = (one.n_pushes(), vec![Parent::One; one.n_boxes()]);
    for group in groups {
        n_pushes = n_pushes + group.n_pushes.1 - group.n_pushes.0;
        group.boxes.iter().for_each(|&n| chosen[n] = Parent::Other);
    }
    (n_pushes, chosen)
}

/// For each box the parent whose path it takes.
type ParentChoice = Vec<Parent>;

#[cfg(test)]
mod tests;
