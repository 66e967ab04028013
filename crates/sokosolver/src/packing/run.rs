//! The search along one packing order.
//!
//! Best first by the score of single pushes. Before a node is expanded the board is brought there by taking back and
//! making pushes; once something has been learned, from the root, and every push is checked against all that is known
//! now: what was found before a deadlock was known goes out. A push in an exempt corral that scores worse than its parent
//! counts as good as that, or no corral would ever be opened.
//!
//! Invariant: `field`, `load` and `here` are one position; every push on the path to it is allowed by the first `n_known` sets.

use std::sync::Arc;

use sokocore::Push;
use sokosearch::{MemoryAccount, Stop};

use super::order::Order;
use super::score::{Judge, Lineage, Worth};
use super::tree::{Node, Tree};
use super::variant::Variant;
use crate::WorkMeter;
use crate::board::Flood;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::Freeze;
use crate::deadlock::corral::{CorralFinder, Finding, Scene};
use crate::deadlock::deadlock_sets::SetOccupancy;
use crate::deadlock::learner::DeadlockLearner;
use crate::packing::open_buckets::OpenBuckets;

/// What a step of a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node was expanded or dropped.
    Went,
    /// Solved, by these pushes.
    Solved(Vec<Push>),
    /// There is nothing left to expand.
    Exhausted,
}

/// What became of the pushes of a node.
#[derive(Debug)]
struct Offspring {
    n_legal: usize,
    solution: Option<Vec<Push>>,
}

/// A search that can be paused between any two steps.
#[derive(Debug)]
pub(crate) struct Run {
    order: Arc<Order>,
    variant: Variant,
    judge: Judge,
    tree: Tree,
    open: OpenBuckets,
    field: BoardState,
    load: SetOccupancy,
    here: u32,
    n_known: usize,
    n_expanded: u64,
    flood: Flood,
    other_flood: Flood,
    freeze: Freeze,
    corrals: CorralFinder,
}

impl Run {
    /// Sets that are looked at in about a tick. Where much is known that is most of the work: SokHard 148, two million
    /// ticks without it, took 14 seconds.
    const LOOKS_PER_TICK: u64 = 512;

    /// Starts a search along an order.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room for the root.
    pub(crate) fn new(
        yard: &LevelTables,
        lessons: &DeadlockLearner,
        order: Arc<Order>,
        variant: Variant,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let ground = yard.ground();
        let mut field = BoardState::new(yard);
        ground.starts().iter().for_each(|&sq| field.add(yard, sq));
        let load = lessons.sets().load(field.squares());
        let mut freeze = Freeze::default();
        let lineage = Lineage { phase: order.n_phases(), depth: 0, n_free: 0, is_premature: false };
        let judge = Judge::default();
        let worth = judge.judge(yard, &order, &field, &mut freeze, lineage, None);
        let mut run = Self {
            judge,
            variant,
            tree: Tree::new(),
            open: OpenBuckets::new(variant.picks),
            load,
            here: 0,
            n_known: lessons.sets().len(),
            n_expanded: 0,
            flood: Flood::new(ground),
            other_flood: Flood::new(ground),
            freeze,
            corrals: CorralFinder::new(yard, variant.exempt.max_corral(ground.n_boxes())),
            order,
            field,
        };
        run.tree.reserve(account)?;
        let root = Node::new(run.field.key(), Node::NONE, (ground.player(), 0), 0, worth);
        run.tree.add(root);
        run.open.push(worth.score, 0);
        Ok(run)
    }

    /// Returns the number of positions expanded.
    pub(crate) const fn n_expanded(&self) -> u64 {
        self.n_expanded
    }

    /// Returns the number of positions found.
    pub(crate) const fn n_positions(&self) -> usize {
        self.tree.len()
    }

    /// Returns what kind of run it is.
    pub(crate) const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the order that it follows.
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Expands the best open node.
    ///
    /// # Errors
    /// The reason to stop; nothing is lost if it goes on later.
    pub(crate) fn step(
        &mut self,
        yard: &LevelTables,
        lessons: &mut DeadlockLearner,
        effort: &mut WorkMeter,
    ) -> Result<Step, Stop> {
        // Ticks are counted when the work is done, so that a pause changes nothing.
        let Some((score, number)) = self.open.pop() else { return Ok(Step::Exhausted) };
        let node = self.tree.node(number);
        if !node.is_open || node.score != score || node.is_dead {
            effort.tick()?;
            return Ok(Step::Went);
        }
        self.tree.node_mut(number).is_open = false;
        let (before, looked) = (lessons.n_proof_nodes(), self.n_looks(lessons));
        if !self.go_to(yard, lessons, number) {
            effort.ticks_of(1 + (self.n_looks(lessons) - looked) / Self::LOOKS_PER_TICK)?;
            return Ok(Step::Went);
        }
        self.n_expanded += 1;
        let result = self.expand(yard, lessons, number, effort.memory());
        if result.is_err() {
            let node = self.tree.node_mut(number);
            node.is_open = true;
            self.open.push(node.score, number);
        }
        let step = result?;
        if step == Step::Went {
            let looks = (self.n_looks(lessons) - looked) / Self::LOOKS_PER_TICK;
            effort.ticks_of(5 + yard.extra_ticks() + 2 * (lessons.n_proof_nodes() - before) + looks)?;
        }
        Ok(step)
    }

    /// How often a push, here, in a corral or in a proof, was looked up in the sets.
    fn n_looks(&self, lessons: &DeadlockLearner) -> u64 {
        self.load.n_looks() + self.corrals.n_looks() + lessons.n_looks()
    }

    /// Brings the board to a node; false if a push on the way is known to be a deadlock now.
    fn go_to(&mut self, yard: &LevelTables, lessons: &DeadlockLearner, number: u32) -> bool {
        let sets = lessons.sets();
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
        sets.extend(&mut self.load, self.field.squares());
        while self.here != target {
            self.undo(yard, lessons);
        }
        self.n_known = sets.len();
        for &next in path.iter().rev() {
            let (from, to) = self.push_of(yard, next);
            if sets.is_deadlock(&self.load, from, to) {
                self.tree.node_mut(next).is_dead = true;
                return false;
            }
            self.shift(yard, lessons, from, to);
            self.here = next;
        }
        true
    }

    fn push_of(&self, yard: &LevelTables, number: u32) -> (u16, u16) {
        let node = self.tree.node(number);
        (node.player, yard.ground().step(node.player, usize::from(node.dir)))
    }

    fn undo(&mut self, yard: &LevelTables, lessons: &DeadlockLearner) {
        let (from, to) = self.push_of(yard, self.here);
        self.shift(yard, lessons, to, from);
        self.here = self.tree.node(self.here).parent;
    }

    fn shift(&mut self, yard: &LevelTables, lessons: &DeadlockLearner, from: u16, to: u16) {
        self.field.shift(yard, from, to);
        lessons.sets().take(&mut self.load, from);
        lessons.sets().put(&mut self.load, to);
    }

    fn expand(
        &mut self,
        yard: &LevelTables,
        lessons: &mut DeadlockLearner,
        number: u32,
        account: &MemoryAccount,
    ) -> Result<Step, Stop> {
        let player = self.tree.node(number).player;
        self.flood.place(self.field.squares());
        self.flood.spread(yard.ground(), player);
        let scene = Scene { yard, field: &self.field, flood: &self.flood, player };
        let corral = match self.corrals.find(scene, lessons) {
            Finding::Nothing => None,
            Finding::Corral(boxes) => Some(boxes),
            Finding::Dead => {
                self.tree.node_mut(number).is_dead = true;
                return Ok(Step::Went);
            }
        };
        let solved = self.make_children(yard, lessons, number, corral.as_deref(), account)?;
        if let Some(pushes) = solved.solution {
            return Ok(Step::Solved(pushes));
        }
        if solved.n_legal > 0 {
            return Ok(Step::Went);
        }
        let dead = match corral {
            Some(corral) => lessons.explain_corral(yard, &self.field, &corral, player),
            None => {
                let boxes: Vec<u16> = self.field.squares().collect();
                lessons.explain(yard, &boxes, player);
                true
            }
        };
        if !dead {
            // The corral has no push, but nobody can say why: it may yet be opened from without.
            let all = self.make_children(yard, lessons, number, None, account)?;
            if let Some(pushes) = all.solution {
                return Ok(Step::Solved(pushes));
            }
            self.tree.node_mut(number).is_dead = all.n_legal == 0;
        } else {
            self.tree.node_mut(number).is_dead = true;
        }
        Ok(Step::Went)
    }

    /// Makes every push of the corral's boxes, or of all, that is not known to be a deadlock.
    fn make_children(
        &mut self,
        yard: &LevelTables,
        lessons: &mut DeadlockLearner,
        number: u32,
        corral: Option<&[u16]>,
        account: &MemoryAccount,
    ) -> Result<Offspring, Stop> {
        lessons.sets().extend(&mut self.load, self.field.squares());
        let is_exempt = corral.is_some_and(|corral| self.variant.exempt.exempts(corral.len(), self.field.n_boxes()));
        let mut n_legal = 0;
        for (from, dir) in self.pushes(yard, number, corral) {
            let to = yard.ground().step(from, dir);
            if lessons.sets().is_deadlock(&self.load, from, to) {
                continue;
            }
            self.tree.reserve(account)?;
            self.field.shift(yard, from, to);
            let dead = self.freeze.is_dead(yard, &self.field, to) || lessons.meet(yard, &self.field, from, to);
            if !dead {
                n_legal += 1;
                self.child(yard, number, (from, to), dir, is_exempt);
            }
            let solved = self.field.is_solved();
            self.field.shift(yard, to, from);
            lessons.sets().extend(&mut self.load, self.field.squares());
            if solved {
                let solution = Some(self.solution(yard, number, from, dir));
                return Ok(Offspring { n_legal, solution });
            }
        }
        Ok(Offspring { n_legal, solution: None })
    }

    /// Returns the pushes that the player can make, those of the box pushed last first.
    fn pushes(&self, yard: &LevelTables, number: u32, corral: Option<&[u16]>) -> Vec<(u16, usize)> {
        let node = self.tree.node(number);
        let n = self.field.n_boxes();
        let last = if number == 0 { None } else { Some(self.field.number(self.push_of(yard, number).1)) };
        let rest = (0..n).map(|at| if node.depth % 2 == 1 { at } else { n - 1 - at });
        let mut pushes = Vec::new();
        for at in last.into_iter().chain(rest.filter(|&at| Some(at) != last)) {
            let from = self.field.square(at);
            if corral.is_some_and(|corral| !corral.contains(&from)) {
                continue;
            }
            for dir in [0, 3, 2, 1] {
                let (to, stand) = (yard.ground().step(from, dir), yard.ground().step(from, dir ^ 2));
                if self.flood.reaches(stand) && yard.ground().is_live(to) && self.field.is_free(to) {
                    pushes.push((from, dir));
                }
            }
        }
        pushes
    }

    /// Judges the position after a push and keeps it if it is new, or reached by fewer pushes and not yet followed up.
    fn child(&mut self, yard: &LevelTables, parent: u32, push: (u16, u16), dir: usize, is_exempt: bool) {
        let node = *self.tree.node(parent);
        let known = self.find(yard, push.0);
        let depth = node.depth.saturating_add(1);
        if let Some(known) = known {
            let old = self.tree.node(known);
            if old.depth <= depth || old.has_children || old.is_dead || known == parent {
                return;
            }
        }
        let lineage = Lineage { phase: node.phase, depth, n_free: node.n_free, is_premature: node.is_premature };
        let Self { judge, order, field, freeze, .. } = self;
        let mut worth: Worth = judge.judge(yard, order, field, freeze, lineage, Some(push));
        if is_exempt && !worth.is_premature && known.is_none_or(|known| !self.tree.node(known).is_open) {
            worth.score = worth.score.min(node.score);
        }
        let dir = u8::try_from(dir).unwrap_or(0);
        let child = Node::new(self.field.key(), parent, (push.0, dir), depth, worth);
        let number = match known {
            Some(known) => {
                self.tree.replace(known, child);
                known
            }
            None => self.tree.add(child),
        };
        self.tree.node_mut(parent).has_children = true;
        self.open.push(worth.score, number);
    }

    /// Finds the node with the boxes on the board and the player's region.
    fn find(&mut self, yard: &LevelTables, player: u16) -> Option<u32> {
        let mut alike = self.tree.alike(self.field.key()).peekable();
        alike.peek()?;
        self.other_flood.place(self.field.squares());
        self.other_flood.spread(yard.ground(), player);
        alike.find(|&number| self.other_flood.reaches(self.tree.node(number).player))
    }

    fn solution(&self, yard: &LevelTables, parent: u32, from: u16, dir: usize) -> Vec<Push> {
        let push = |&number: &u32| {
            let node = self.tree.node(number);
            yard.ground().push(node.player, usize::from(node.dir))
        };
        let path = self.tree.path(parent);
        path.iter().map(push).chain(std::iter::once(yard.ground().push(from, dir))).collect()
    }
}
