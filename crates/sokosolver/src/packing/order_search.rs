//! The search along one packing order.
//!
//! Best first by the score of single pushes. Before a node is expanded, pushes are undone and made until the board is
//! in its position. Once something has been learned, this begins at the root, and every push is checked against all
//! deadlock sets: nodes found before a deadlock was known are pruned. A push in an exempt corral that scores worse than
//! its parent gets the parent's score, or no corral would ever be opened.
//!
//! Invariant: `state`, `occupancy` and `here` are one position; every push on the path to it is allowed by the first
//! `n_known` sets.

use std::sync::Arc;

use sokocore::{FloorSquare, Push};
use sokosearch::{MemoryAccount, Stop};

use super::order::PackingOrder;
use super::push_tree::{PushNode, PushTree};
use super::score::{Inherited, Scorer};
use super::variant::PackingVariant;
use crate::board::board_state::{BoardState, BoxIndex};
use crate::board::level_tables::LevelTables;
use crate::board::{BoxShift, Flood, FloorPush};
use crate::deadlock::deadlock_sets::SetOccupancy;
use crate::deadlock::deadlock_test::{FloodedPosition, MovedBox, Prune};
use crate::deadlock::freeze::Freeze;
use crate::deadlock::library::DeadlockLibrary;
use crate::packing::open_buckets::OpenBuckets;
use crate::part_times::{Part, PartSampler};
use crate::stats::SearchCounts;
use crate::{PartTimes, SearchStats, WorkMeter};

/// The end of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepEnd {
    /// A node was expanded or dropped.
    Advanced,
    /// Solved, by these pushes.
    Solved(Vec<Push>),
    /// No node is left to expand.
    Exhausted,
}

/// The result of generating the children of a node.
#[derive(Debug)]
struct Children {
    n_legal: usize,
    solution: Option<Vec<Push>>,
}

/// A search along one order that can be paused between any two steps.
#[derive(Debug)]
pub(crate) struct OrderSearch {
    order: Arc<PackingOrder>,
    variant: PackingVariant,
    scorer: Scorer,
    tree: PushTree,
    open: OpenBuckets,
    state: BoardState,
    occupancy: SetOccupancy,
    here: u32,
    n_known: usize,
    counts: SearchCounts,
    sampler: PartSampler,
    flood: Flood,
    other_flood: Flood,
    freeze: Freeze,
}

impl OrderSearch {
    /// Sets that are looked up in about a tick. With many sets known this is most of the work: SokHard 148, two million
    /// ticks that do not count it, took 14 seconds.
    const LOOKUPS_PER_TICK: u64 = 512;

    /// Starts a search along an order.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the root does not fit.
    pub(crate) fn new(
        tables: &LevelTables,
        library: &DeadlockLibrary,
        order: Arc<PackingOrder>,
        variant: PackingVariant,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let board = tables.board();
        let mut state = BoardState::new(tables);
        board.starts().iter().for_each(|&sq| state.add(tables, sq));
        let occupancy = library.sets().occupancy(state.squares());
        let mut freeze = Freeze::default();
        let inherited = Inherited { phase: order.n_phases(), depth: 0, n_useful: 0, is_premature: false };
        let scorer = Scorer::default();
        let push_score = scorer.score(tables, &order, &state, &mut freeze, inherited, None);
        let mut run = Self {
            scorer,
            variant,
            tree: PushTree::new(),
            open: OpenBuckets::new(variant.selection),
            occupancy,
            here: 0,
            n_known: library.sets().len(),
            counts: SearchCounts::default(),
            sampler: PartSampler::default(),
            flood: Flood::new(board),
            other_flood: Flood::new(board),
            freeze,
            order,
            state,
        };
        run.tree.reserve(account)?;
        let root =
            PushNode::new(run.state.key(), PushNode::NONE, FloorPush { from: board.player(), dir: 0 }, 0, push_score);
        run.tree.add(root);
        run.open.push(push_score.value, 0);
        Ok(run)
    }

    /// Returns what it has counted.
    pub(crate) fn stats(&self) -> SearchStats {
        self.counts.into()
    }

    /// Returns how some expansions have divided their time.
    pub(crate) const fn part_times(&self) -> PartTimes {
        self.sampler.times()
    }

    /// Returns the number of positions found.
    pub(crate) const fn n_positions(&self) -> usize {
        self.tree.len()
    }

    /// Returns the variant.
    pub(crate) const fn variant(&self) -> PackingVariant {
        self.variant
    }

    /// Returns the order that it follows.
    pub(crate) fn order(&self) -> &PackingOrder {
        &self.order
    }

    /// Expands the best open node.
    ///
    /// # Errors
    /// The reason to stop; no work is lost when the search is resumed.
    pub(crate) fn step(
        &mut self,
        tables: &LevelTables,
        library: &mut DeadlockLibrary,
        meter: &mut WorkMeter,
    ) -> Result<StepEnd, Stop> {
        // Ticks are counted when the work is done, so that a pause changes nothing.
        let Some((score, number)) = self.open.pop() else { return Ok(StepEnd::Exhausted) };
        let node = *self.tree.node(number);
        if !node.is_open || node.score != score || node.is_dead {
            meter.tick()?;
            return Ok(StepEnd::Advanced);
        }
        self.tree.node_mut(number).is_open = false;
        let (before, lookups_before) = (library.n_proof_nodes(), self.n_lookups(library));
        self.sampler.begin(Part::Storage);
        if !self.go_to(tables, library, number) {
            self.counts.deadlocks.expanded += 1;
            meter.ticks_of(1 + (self.n_lookups(library) - lookups_before) / Self::LOOKUPS_PER_TICK)?;
            return Ok(StepEnd::Advanced);
        }
        self.counts.expanded += 1;
        self.counts.max_depth = self.counts.max_depth.max(node.depth.into());
        let result = self.expand(tables, library, number, meter.memory());
        self.sampler.end();
        if result.is_err() {
            let node = self.tree.node_mut(number);
            node.is_open = true;
            self.open.push(node.score, number);
        }
        let step = result?;
        if step == StepEnd::Advanced {
            let lookups = (self.n_lookups(library) - lookups_before) / Self::LOOKUPS_PER_TICK;
            meter.ticks_of(5 + tables.extra_ticks() + 2 * (library.n_proof_nodes() - before) + lookups)?;
        }
        Ok(step)
    }

    /// Returns how often a push, here, in a corral or in a proof, was looked up in the sets.
    fn n_lookups(&self, library: &DeadlockLibrary) -> u64 {
        self.occupancy.n_lookups() + library.n_lookups()
    }

    /// Brings the board to a node; false if a push on the path is known to be a deadlock now.
    fn go_to(&mut self, tables: &LevelTables, library: &DeadlockLibrary, number: u32) -> bool {
        let sets = library.sets();
        let anew = sets.len() != self.n_known;
        let mut path = Vec::new();
        let mut target = number;
        let mut meet = self.here;
        while target != meet || anew && target != 0 {
            if self.tree.node(target).is_dead {
                self.tree.node_mut(number).is_dead = true;
                return false;
            }
            if target != 0 && (anew || self.tree.node(target).depth >= self.tree.node(meet).depth) {
                path.push(target);
                target = self.tree.node(target).parent;
            } else {
                meet = self.tree.node(meet).parent;
            }
        }
        sets.extend(&mut self.occupancy, self.state.squares());
        while self.here != target {
            self.undo(tables, library);
        }
        self.n_known = sets.len();
        for &next in path.iter().rev() {
            let BoxShift { from, to } = self.push_of(tables, next);
            if sets.forbids_counted(&self.occupancy, from, to) {
                self.tree.node_mut(next).is_dead = true;
                return false;
            }
            self.shift(tables, library, from, to);
            self.here = next;
        }
        true
    }

    fn push_of(&self, tables: &LevelTables, number: u32) -> BoxShift {
        let FloorPush { from, dir } = self.tree.node(number).push();
        BoxShift { from, to: tables.board().step(from, dir) }
    }

    fn undo(&mut self, tables: &LevelTables, library: &DeadlockLibrary) {
        let BoxShift { from, to } = self.push_of(tables, self.here);
        self.shift(tables, library, to, from);
        self.here = self.tree.node(self.here).parent;
    }

    fn shift(&mut self, tables: &LevelTables, library: &DeadlockLibrary, from: FloorSquare, to: FloorSquare) {
        self.state.shift(tables, from, to);
        library.sets().take(&mut self.occupancy, from);
        library.sets().put(&mut self.occupancy, to);
    }

    fn expand(
        &mut self,
        tables: &LevelTables,
        library: &mut DeadlockLibrary,
        number: u32,
        account: &MemoryAccount,
    ) -> Result<StepEnd, Stop> {
        let player = self.tree.node(number).player;
        self.sampler.enter(Part::Successors);
        self.flood.place(self.state.squares());
        self.flood.spread(tables.board(), player);
        let max_corral = self.variant.corrals.max_corral(self.state.n_boxes());
        let position = FloodedPosition::new(self.state.view(), self.state.boxes(), player, &self.flood);
        let position = FloodedPosition { max_corral, ..position };
        self.sampler.enter(Part::DeadlockTests);
        let prune = library.prune(tables.board(), &position);
        self.sampler.enter(Part::Successors);
        let corral = match prune {
            Prune::All => None,
            Prune::Only(boxes) => Some(boxes),
            Prune::Dead => {
                self.counts.deadlocks.expanded += 1;
                self.tree.node_mut(number).is_dead = true;
                return Ok(StepEnd::Advanced);
            }
        };
        let solved = self.make_children(tables, library, number, corral.as_deref(), account)?;
        if let Some(pushes) = solved.solution {
            return Ok(StepEnd::Solved(pushes));
        }
        if solved.n_legal > 0 {
            return Ok(StepEnd::Advanced);
        }
        self.sampler.enter(Part::DeadlockTests);
        let dead = match corral {
            Some(corral) => library.learner_mut().explain_corral(self.state.view(), &corral, player),
            None => {
                library.learner_mut().explain(self.state.boxes(), player);
                true
            }
        };
        if !dead {
            self.sampler.enter(Part::Successors);
            // The corral has no push, but that is not explained: it may be opened from outside.
            let all = self.make_children(tables, library, number, None, account)?;
            if let Some(pushes) = all.solution {
                return Ok(StepEnd::Solved(pushes));
            }
            self.tree.node_mut(number).is_dead = all.n_legal == 0;
        } else {
            self.tree.node_mut(number).is_dead = true;
        }
        Ok(StepEnd::Advanced)
    }

    /// Generates every push of the corral's boxes, or of all, that is not known to be a deadlock.
    fn make_children(
        &mut self,
        tables: &LevelTables,
        library: &mut DeadlockLibrary,
        number: u32,
        corral: Option<&[FloorSquare]>,
        account: &MemoryAccount,
    ) -> Result<Children, Stop> {
        library.sets().extend(&mut self.occupancy, self.state.squares());
        let is_exempt = corral.is_some_and(|corral| self.variant.corrals.exempts(corral.len(), self.state.n_boxes()));
        let mut n_legal = 0;
        for push in self.pushes(tables, number, corral) {
            let FloorPush { from, dir } = push;
            let to = tables.board().step(from, dir);
            self.counts.generated += 1;
            let before = self.sampler.enter(Part::DeadlockTests);
            if library.sets().forbids_counted(&self.occupancy, from, to) {
                self.counts.deadlocks.frozen += 1;
                self.sampler.enter(before);
                continue;
            }
            self.tree.reserve(account)?;
            self.state.shift(tables, from, to);
            let moved = MovedBox { boxes: self.state.view(), sq: to, side: Some(dir ^ 2) };
            let is_dead = library.tests_forbid(tables.board(), moved);
            self.sampler.enter(before);
            if !is_dead {
                n_legal += 1;
                self.child(tables, number, push, is_exempt);
            } else {
                self.counts.deadlocks.frozen += 1;
            }
            let solved = self.state.is_solved();
            self.state.shift(tables, to, from);
            library.sets().extend(&mut self.occupancy, self.state.squares());
            if solved {
                let solution = Some(self.solution(tables, number, push));
                return Ok(Children { n_legal, solution });
            }
        }
        Ok(Children { n_legal, solution: None })
    }

    /// Returns the possible pushes, those of the box pushed last first.
    fn pushes(&mut self, tables: &LevelTables, number: u32, corral: Option<&[FloorSquare]>) -> Vec<FloorPush> {
        let node = self.tree.node(number);
        let last = if number == 0 { None } else { Some(self.state.number(self.push_of(tables, number).to)) };
        let n = self.state.n_boxes();
        let rest = (0..n).map(|at| BoxIndex::new(if node.depth % 2 == 1 { at } else { n - 1 - at }));
        let mut pushes = Vec::new();
        for number in last.into_iter().chain(rest.filter(|&number| Some(number) != last)) {
            let from = self.state.square(number);
            if corral.is_some_and(|corral| !corral.contains(&from)) {
                continue;
            }
            for dir in [0, 3, 2, 1] {
                let (to, stand) = (tables.board().step(from, dir), tables.board().step(from, dir ^ 2));
                if self.flood.reaches(stand) && self.state.is_free(to) {
                    if tables.board().is_live(to) {
                        pushes.push(FloorPush { from, dir });
                    } else {
                        self.counts.generated += 1;
                        self.counts.deadlocks.dead_squares += 1;
                    }
                }
            }
        }
        pushes
    }

    /// Scores the position after a push and adds it if it is new, or reached by fewer pushes and not yet expanded.
    fn child(&mut self, tables: &LevelTables, parent: u32, push: FloorPush, is_exempt: bool) {
        let node = *self.tree.node(parent);
        let before = self.sampler.enter(Part::Storage);
        let known = self.find(tables, push.from);
        let depth = node.depth.saturating_add(1);
        if let Some(known) = known {
            self.counts.duplicates += 1;
            let old = self.tree.node(known);
            if old.depth <= depth || old.has_children || old.is_dead || known == parent {
                self.sampler.enter(before);
                return;
            }
            self.counts.reopened += u64::from(!old.is_open);
        }
        let inherited =
            Inherited { phase: node.phase, depth, n_useful: node.n_useful, is_premature: node.is_premature };
        let shift = BoxShift { from: push.from, to: tables.board().step(push.from, push.dir) };
        let Self { scorer, order, state, freeze, sampler, .. } = self;
        sampler.enter(Part::Evaluation);
        let mut push_score = scorer.score(tables, order, state, freeze, inherited, Some(shift));
        sampler.enter(Part::Storage);
        if is_exempt && !push_score.is_premature && known.is_none_or(|known| !self.tree.node(known).is_open) {
            push_score.value = push_score.value.min(node.score);
        }
        let child = PushNode::new(self.state.key(), parent, push, depth, push_score);
        let number = match known {
            Some(known) => {
                self.tree.replace(known, child);
                known
            }
            None => self.tree.add(child),
        };
        self.tree.node_mut(parent).has_children = true;
        self.open.push(push_score.value, number);
        self.sampler.enter(before);
    }

    /// Finds the node with these boxes and the player's region.
    fn find(&mut self, tables: &LevelTables, player: FloorSquare) -> Option<u32> {
        let mut alike = self.tree.alike(self.state.key()).peekable();
        alike.peek()?;
        self.other_flood.place(self.state.squares());
        self.other_flood.spread(tables.board(), player);
        alike.find(|&number| self.other_flood.reaches(self.tree.node(number).player))
    }

    fn solution(&self, tables: &LevelTables, parent: u32, last: FloorPush) -> Vec<Push> {
        let push = |&number: &u32| tables.board().push(self.tree.node(number).push());
        let path = self.tree.path(parent);
        path.iter().map(push).chain(std::iter::once(tables.board().push(last))).collect()
    }
}
