//! A perimeter around the solved positions, with the exact cost to go: the goal of iterative deepening from both sides.
//!
//! ```text
//!   start ──rounds of pushes, one path at a time──▶ ( perimeter ◀──pulls, least cost first── solved positions )
//! ```
//!
//! A path of pushes that enters the perimeter needs no further search, and a position outside it costs at least what
//! the perimeter has not reached yet. Perimeter search: Dillenburg and Nelson 1994; with depth-first rounds BIDA\*,
//! Manzini 1995, who makes the perimeter once and raises bounds by its rim. Here it grows between the rounds, so that
//! it costs about as much as the rounds before, and is frozen during a round.
//!
//! **Invariant**: each position of the perimeter can be solved at its cost to go. A position that is outside, or inside
//! at more than [`GoalPerimeter::outside_bound`], costs no less than that bound. Pulls here prune nothing in favor of
//! equal paths, since pushes may keep another of the equal paths.

use std::sync::Arc;

use sokocore::{FloorSquare, Push};
use sokosearch::Stop;

use super::cost::CostRule;
use super::level_source::LevelSource;
use super::tables::TableMaker;
use super::tree::{Arrival, SearchTree};
use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};
use crate::systematic::frontier_meeting::FrontierMeeting;
use crate::{Algorithm, PartTimes, SearchStats, Settings, Technique, WorkMeter};

/// The perimeter, made by breadth-first pulls.
#[derive(Debug)]
pub(crate) struct GoalPerimeter<const W: usize> {
    board: Arc<SearchBoard>,
    source: LevelSource,
    settings: Settings,
    maker: Option<TableMaker>,
    tree: Option<SearchTree<W>>,
    meeting: Option<FrontierMeeting>,
    arrivals: Vec<Arrival>,
    outside_bound: u64,
    is_frozen: bool,
}

/// A position of the perimeter through which another position can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PerimeterHit {
    pub(crate) id: u32,
    /// The cost to go from the other position.
    pub(crate) to_go: u64,
}

impl<const W: usize> GoalPerimeter<W> {
    /// The most positions, and its part of the memory.
    const MOST: u32 = 1 << 18;
    const PART: u64 = 8;
    /// Positions expanded before the first round.
    const INITIAL: u64 = 1 << 5;

    /// Makes an empty perimeter.
    pub(crate) fn new(board: &Arc<SearchBoard>, source: &LevelSource, settings: &Settings, meter: &WorkMeter) -> Self {
        let bytes = settings.table_bytes.map_or(meter.memory().free(), |bytes| bytes.min(meter.memory().free()));
        let settings = Settings {
            algorithm: Algorithm::Bfs,
            table_bytes: Some(bytes / Self::PART),
            // Bounds do not order this search.
            ..settings.clone().without(Technique::Tunnels).without(Technique::Penalties)
        };
        Self {
            maker: Some(TableMaker::new(board, SearchDirection::Backward, &settings, meter)),
            board: board.clone(),
            source: source.clone(),
            settings,
            tree: None,
            meeting: None,
            arrivals: Vec::new(),
            outside_bound: 0,
            is_frozen: false,
        }
    }

    /// Returns how many positions were expanded.
    pub(crate) fn n_expanded(&self) -> u64 {
        self.tree.as_ref().map_or(0, SearchTree::n_expanded)
    }

    /// Returns the counters of the pulls.
    pub(crate) fn stats(&self) -> SearchStats {
        self.tree.as_ref().map(SearchTree::stats).unwrap_or_default()
    }

    /// Returns how some expansions of the pulls have divided their time.
    pub(crate) fn part_times(&self) -> PartTimes {
        self.tree.as_ref().map(SearchTree::part_times).unwrap_or_default()
    }

    /// Returns a lower bound of the cost to go of positions outside; `u64::MAX` if all that can be solved are inside.
    pub(crate) const fn outside_bound(&self) -> u64 {
        self.outside_bound
    }

    /// Returns the pushes from a hit to the end.
    pub(crate) fn pushes(&self, hit: PerimeterHit) -> Vec<Push> {
        self.tree.iter().flat_map(|tree| tree.pushes(&self.board, hit.id)).collect()
    }

    /// Grows it until it has as many expansions as the other side, or there is no room.
    ///
    /// # Errors
    /// The slice or the budget is used up; to be called again.
    pub(crate) fn grow(&mut self, n_other_side: u64, meter: &mut WorkMeter) -> Result<(), Stop> {
        self.prepare(meter)?;
        let n_wanted = n_other_side.max(Self::INITIAL);
        while !self.is_frozen && self.n_expanded() < n_wanted {
            let Some(tree) = &mut self.tree else { break };
            let next = tree.least_cost();
            let grows = tree.expand_next(u64::MAX, &mut self.arrivals, meter);
            self.is_frozen = match grows {
                Ok(grows) => !grows || tree.table().n_ids() >= Self::MOST,
                // What did not fit is missing; all that was inserted before is complete.
                Err(Stop::Memory) => true,
                Err(stop) => return Err(stop),
            };
            let missed = !self.record_arrivals() || grows == Err(Stop::Memory);
            self.is_frozen |= missed;
            self.outside_bound = self.outside_bound.max(self.new_outside_bound(next, missed));
        }
        Ok(())
    }

    /// Returns the position inside through which this position is solved at the least cost.
    pub(crate) fn hit(&mut self, boxes: &BitSet<W>, player: FloorSquare) -> Option<PerimeterHit> {
        let tree = self.tree.as_ref()?;
        let (id, to_go) = match &mut self.meeting {
            Some(meeting) => meeting.walk(&self.board, 1, tree, (boxes, player))?,
            None => {
                let id = tree.table().find(boxes, player)?;
                (id, u64::from(tree.table().node(id).cost))
            }
        };
        Some(PerimeterHit { id, to_go })
    }

    /// Makes the tables and the tree. Without memory, or with too many start positions, there is no tree.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        let Some(maker) = &mut self.maker else { return Ok(()) };
        maker.resume(&self.board, meter)?;
        if let Some(maker) = self.maker.take() {
            let tables = maker.finish(&self.board, meter);
            let tree =
                SearchTree::new(&self.board, SearchDirection::Backward, &self.settings, tables, &self.source, meter);
            self.tree = tree.ok().flatten();
            let rule = CostRule::of(&self.settings);
            self.meeting = (rule != CostRule::Pushes).then(|| FrontierMeeting::new(&self.board, rule, meter));
        }
        Ok(())
    }

    /// Records the box sets that were reached; false if some could not be recorded.
    fn record_arrivals(&mut self) -> bool {
        let (Some(tree), Some(meeting)) = (&self.tree, &mut self.meeting) else { return true };
        self.arrivals.iter().for_each(|arrival| meeting.record(1, &tree.table().node(arrival.id).boxes));
        meeting.is_complete()
    }

    /// All positions that cost less than the next one to be expanded were expanded, so what is outside is at least a
    /// push beyond that one. `before` is the cost of the last one expanded, some of whose children may be missing.
    fn new_outside_bound(&self, before: Option<u64>, missed: bool) -> u64 {
        let Some(tree) = &self.tree else { return 0 };
        if missed || !tree.is_complete() {
            return before.unwrap_or(0);
        }
        let rule = CostRule::of(&self.settings);
        tree.least_cost().map_or(u64::MAX, |next| rule.sum(next, rule.of_push(0).into()))
    }
}
