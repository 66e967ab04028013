//! The pushes that a solver could make at each position of a solution, and which of them lose the level.
//!
//! A push is *lost* if no solution follows. That is proved by a square that leads to no goal, by boxes frozen off goal,
//! by boxes and goals that cannot be matched, by the graph of the whole level, or by a short search that loses nothing.
//! A push is *safe* if it leads to a position of a known solution, or if the graph or the search finds one. All others
//! are undecided.

use hashbrown::HashSet;
use sokocore::{FreezeCheck, Level, Position, PushLowerBound, Reach, Square};
use sokosearch::{Budget, Stop};

use super::game::{Game, canonical};
use super::graph::Graph;
use super::growing::Growing;
use super::shortest::Shortest;
use crate::portfolio::hopeless::has_time_to_match;
use crate::position_level::level_at;
use crate::{Answer, SolveKnobs, Strategy, solve};

/// The pushes that can be made at one position of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Legal pushes.
    pub pushes: usize,
    /// Those after which the level has no solution any more.
    pub lost: usize,
    /// Those that nothing is known about.
    pub undecided: usize,
}

/// What a graph of the level knows about positions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Atlas<'g> {
    /// Nothing.
    None,
    /// Positions on solutions of fewest pushes.
    Shortest(&'g Graph<'g>, &'g Shortest<'g>),
    /// All positions, and which of them can be solved.
    Whole(&'g Graph<'g>, &'g Growing<bool>),
}

/// Units of work of a search for one push.
const WORK: u64 = 20_000;

/// Looks at all choices along a solution. Stops searching, but not looking, when the budget is used up.
///
/// # Errors
/// The reason to stop; what can be said without a search is in `choices` even then.
pub(super) fn choices(
    level: &Level,
    game: &Game,
    atlas: Atlas<'_>,
    budget: &Budget,
    choices: &mut Vec<Choices>,
) -> Result<(), Stop> {
    let board = level.board();
    let mut judge = Judge::new(level, game, atlas, budget);
    let mut reach = Reach::new(board);
    let mut open = Vec::new();
    for (at, position) in game.positions.iter().take(game.pushes.len()).enumerate() {
        reach.flood(board, &position.boxes, position.player);
        let mut here = Choices::default();
        for push in position.pushes(board, &reach) {
            let mut child = position.clone();
            child.push(board, push);
            here.pushes += 1;
            match push.to(board).and_then(|to| judge.look(&child, to)) {
                Some(Fate::Lost) => here.lost += 1,
                Some(Fate::Safe) => {}
                None => {
                    here.undecided += 1;
                    open.push((at, child));
                }
            }
        }
        choices.push(here);
    }
    for (at, child) in open {
        match judge.search(&child, budget)? {
            Some(Fate::Lost) => {
                choices[at].lost += 1;
                choices[at].undecided -= 1;
            }
            Some(Fate::Safe) => choices[at].undecided -= 1,
            None => {}
        }
    }
    Ok(())
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Safe,
    Lost,
}

struct Judge<'a> {
    level: &'a Level,
    atlas: Atlas<'a>,
    freeze: FreezeCheck,
    bound: Option<PushLowerBound>,
    reach: Reach,
    /// Canonical positions that a solution follows from, and others that none follows from.
    safe: HashSet<Position>,
    lost: HashSet<Position>,
}

impl<'a> Judge<'a> {
    fn new(level: &'a Level, game: &Game, atlas: Atlas<'a>, budget: &Budget) -> Self {
        let mut reach = Reach::new(level.board());
        let safe = game.positions.iter().map(|position| canonical(level, position.clone(), &mut reach)).collect();
        let freeze = FreezeCheck::new(level);
        let bound = if has_time_to_match(level, budget) { PushLowerBound::new(level) } else { None };
        Self { level, atlas, freeze, bound, reach, safe, lost: HashSet::new() }
    }

    /// Says what is known without a search about a position after a push to `to`.
    fn look(&mut self, position: &Position, to: Square) -> Option<Fate> {
        let boxes = &position.boxes;
        if self.level.is_solved(boxes) {
            return Some(Fate::Safe);
        }
        if !self.level.live().contains(to) || self.freeze.is_deadlock(boxes, to) {
            return Some(Fate::Lost);
        }
        let canonical = canonical(self.level, position.clone(), &mut self.reach);
        if self.safe.contains(&canonical) {
            return Some(Fate::Safe);
        }
        let found = |graph: &Graph<'_>| graph.find(boxes, canonical.player);
        match self.atlas {
            Atlas::Whole(graph, solvable) => {
                let is_safe = found(graph).is_some_and(|node| solvable[node as usize]);
                return Some(if is_safe { Fate::Safe } else { Fate::Lost });
            }
            Atlas::Shortest(graph, shortest) if found(graph).is_some_and(|node| shortest.is_on(node)) => {
                return Some(Fate::Safe);
            }
            _ => {}
        }
        let has_matching = self.bound.as_mut().is_none_or(|bound| bound.of(boxes).is_some());
        if has_matching { None } else { Some(Fate::Lost) }
    }

    /// Searches for a solution from a position, for a short while.
    fn search(&mut self, position: &Position, budget: &Budget) -> Result<Option<Fate>, Stop> {
        budget.poll(0)?;
        let canonical = canonical(self.level, position.clone(), &mut self.reach);
        if self.safe.contains(&canonical) {
            return Ok(Some(Fate::Safe));
        }
        if self.lost.contains(&canonical) {
            return Ok(Some(Fate::Lost));
        }
        let Some(level) = level_at(self.level, position) else { return Ok(None) };
        let knobs = SolveKnobs { strategy: Strategy::named("greedy"), ..SolveKnobs::default() };
        let part = budget.clone().with_work(Some(WORK));
        Ok(match solve(&level, &knobs, &part, &()).answer {
            Answer::Solved { .. } => {
                self.safe.insert(canonical);
                Some(Fate::Safe)
            }
            Answer::Unsolvable { .. } => {
                self.lost.insert(canonical);
                Some(Fate::Lost)
            }
            Answer::Unsolved(_) => None,
        })
    }
}
