//! The positions around the solved ones, with what it takes from each of them: where a search in rounds comes home.
//!
//! ```text
//!   start ──rounds of pushes, one line at a time──▶ ( perimeter ◀──pulls, least cost first── solved positions )
//! ```
//!
//! A line of pushes that enters the perimeter needs no search beyond, and a position outside it costs at least what the
//! perimeter has not yet come to. Perimeter search: Dillenburg and Nelson 1994; with depth first rounds BIDA\*, Manzini
//! 1995, who makes the perimeter once and raises bounds by its rim. Here it grows between the rounds, so that it has cost
//! about as much as the rounds before, and is frozen while a round lasts.
//!
//! **Invariant**: each position of the perimeter has a way out of it at the cost said, and one that is said to be outside,
//! or inside at more than [`Perimeter::floor`], takes no less than that. Nothing is left out by pulls that an equal way
//! can do without: pushes may keep another of the equal ways.

use std::sync::Arc;

use sokocore::Push;
use sokosearch::Stop;

use super::aids::Aids;
use super::cost::CostRule;
use super::crossing::Crossing;
use super::tables::TableMaker;
use super::tree::{Arrival, Tree};
use crate::bits::Bits;
use crate::ground::{Ground, Way};
use crate::{Algorithm, Effort, SearchStats, Settings};

/// What pulls have found from the solved positions.
#[derive(Debug)]
pub(crate) struct Perimeter<const W: usize> {
    ground: Arc<Ground>,
    settings: Settings,
    maker: Option<TableMaker>,
    tree: Option<Tree<W>>,
    crossing: Option<Crossing>,
    arrivals: Vec<Arrival>,
    floor: u64,
    is_frozen: bool,
}

/// A position of the perimeter that another can go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) id: u32,
    /// What is left to do from the other one.
    pub(crate) to_go: u64,
}

impl<const W: usize> Perimeter<W> {
    /// Positions beyond which it does not grow, and its part of the memory.
    const MOST: u32 = 1 << 18;
    const PART: u64 = 8;
    /// Positions expanded before the first round.
    const LEAST: u64 = 1 << 5;

    /// Plans it; nothing is known yet.
    pub(crate) fn new(ground: &Arc<Ground>, settings: &Settings, effort: &Effort) -> Self {
        let bytes = settings.table_bytes.map_or(effort.memory().free(), |bytes| bytes.min(effort.memory().free()));
        let settings = Settings {
            algorithm: Algorithm::Bfs,
            tunnels: false,
            // Bounds order nothing here.
            penalties: false,
            table_bytes: Some(bytes / Self::PART),
            ..settings.clone()
        };
        Self {
            maker: Some(TableMaker::new(ground, Way::Backward, &settings, effort)),
            ground: ground.clone(),
            settings,
            tree: None,
            crossing: None,
            arrivals: Vec::new(),
            floor: 0,
            is_frozen: false,
        }
    }

    /// Returns how many positions were expanded.
    pub(crate) fn n_expanded(&self) -> u64 {
        self.tree.as_ref().map_or(0, Tree::n_expanded)
    }

    /// Returns what pulls have counted.
    pub(crate) fn stats(&self) -> SearchStats {
        self.tree.as_ref().map(Tree::stats).unwrap_or_default()
    }

    /// Returns what a position takes at least that is not inside; `u64::MAX` if all are that can be solved.
    pub(crate) const fn floor(&self) -> u64 {
        self.floor
    }

    /// Returns the pushes from a gate to the end.
    pub(crate) fn pushes(&self, gate: Gate) -> Vec<Push> {
        self.tree.iter().flat_map(|tree| tree.pushes(&self.ground, gate.id)).collect()
    }

    /// Lets it grow until it has taken as many positions as the other side has, or there is no room.
    ///
    /// # Errors
    /// The slice or the budget is used up; to be called again.
    pub(crate) fn grow(&mut self, n_theirs: u64, effort: &mut Effort) -> Result<(), Stop> {
        self.plant(effort)?;
        let n_wanted = n_theirs.max(Self::LEAST);
        while !self.is_frozen && self.n_expanded() < n_wanted {
            let Some(tree) = &mut self.tree else { break };
            let next = tree.least_cost();
            let grows = tree.expand_next(u64::MAX, &mut self.arrivals, effort);
            self.is_frozen = match grows {
                Ok(grows) => !grows || tree.table().n_ids() >= Self::MOST,
                // What did not fit is missing; all that was there before is not.
                Err(Stop::Memory) => true,
                Err(stop) => return Err(stop),
            };
            let missed = !self.note_arrivals() || grows == Err(Stop::Memory);
            self.is_frozen |= missed;
            self.floor = self.floor.max(self.new_floor(next, missed));
        }
        Ok(())
    }

    /// Returns where this position can go on inside at the least cost.
    pub(crate) fn gate(&mut self, boxes: &Bits<W>, player: u16) -> Option<Gate> {
        let tree = self.tree.as_ref()?;
        let (id, to_go) = match &mut self.crossing {
            Some(crossing) => crossing.walk(&self.ground, 1, tree, (boxes, player))?,
            None => {
                let id = tree.table().find(boxes, player)?;
                (id, u64::from(tree.table().node(id).cost))
            }
        };
        Some(Gate { id, to_go })
    }

    /// Makes the tree. Without room for it, or with too many positions to start from, there will be none.
    fn plant(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        let Some(maker) = &mut self.maker else { return Ok(()) };
        maker.go_on(&self.ground, effort)?;
        if let Some(maker) = self.maker.take() {
            let tables = maker.finish(&self.ground, effort);
            let tree = Tree::new(&self.ground, Way::Backward, &self.settings, tables, Aids::default(), effort);
            self.tree = tree.ok().flatten();
            let rule = CostRule::of(&self.settings);
            self.crossing = (rule != CostRule::Pushes).then(|| Crossing::new(&self.ground, rule, effort));
        }
        Ok(())
    }

    /// Takes note of the boxes that were reached; false if something is missed from now on.
    fn note_arrivals(&mut self) -> bool {
        let (Some(tree), Some(crossing)) = (&self.tree, &mut self.crossing) else { return true };
        self.arrivals.iter().for_each(|arrival| crossing.note(1, &tree.table().node(arrival.id).boxes));
        crossing.is_complete()
    }

    /// All positions that cost less than the next one to be expanded were, so what is outside is a push beyond that
    /// one at least. `before` is what the last one cost, some of whose children may be missing.
    fn new_floor(&self, before: Option<u64>, missed: bool) -> u64 {
        let Some(tree) = &self.tree else { return 0 };
        if missed || !tree.is_complete() {
            return before.unwrap_or(0);
        }
        let rule = CostRule::of(&self.settings);
        tree.least_cost().map_or(u64::MAX, |next| rule.sum(next, rule.of_push(0).into()))
    }
}
