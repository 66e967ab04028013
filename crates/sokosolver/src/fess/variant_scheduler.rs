//! The strategies of one level, their trees, and whose turn it is.
//!
//! ```text
//!   member:  first ──▶ second ──▶ first ──▶ second ──▶ ...      each stretch is longer than the one before
//!            a plan, or a position     goes for it
//! ```
//!
//! Invariant: a member is taken by one thread at a time, and only that thread grows its trees; others read in them
//! when they have met a position of theirs. Whoever has the roll may lock a tree, never the other way round.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::Push;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};

use crate::fess::backward::Backward;
use crate::fess::features::overlap::Overlap;
use crate::fess::forward::Forward;
use crate::fess::meeting::{Place, join};
use crate::fess::plan::Plan;
use crate::fess::pull_aim::PullAim;
use crate::fess::push_aim::PushAim;
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::FessTree;
use crate::fess::tree::nodes::Node;
use crate::fess::variant::{Variant, VariantKind};

/// A tree of either side.
#[derive(Debug)]
pub(crate) enum Tree<const W: usize> {
    /// The start position alone.
    Start,
    Pulls(Box<Backward<W>>),
    Pushes(Box<Forward<W>>),
}

impl<const W: usize> Tree<W> {
    /// Returns whether it grows from the goals.
    pub(crate) const fn is_pulling(&self) -> bool {
        matches!(self, Self::Pulls(_))
    }

    /// Keeps the ways, for whoever meets them, and nothing else.
    fn retire(&mut self, effort: &WorkMeter) {
        match self {
            Self::Start => {}
            Self::Pulls(search) => search.retire(effort),
            Self::Pushes(search) => search.retire(effort),
        }
    }

    /// Returns the boxes of the best position so far.
    fn best(&self) -> Option<BitSet<W>> {
        match self {
            Self::Start => None,
            Self::Pulls(search) => search.best(),
            Self::Pushes(search) => search.best(),
        }
    }

    /// Returns how many positions it has expanded.
    pub(crate) const fn n_nodes(&self) -> usize {
        match self {
            Self::Start => 0,
            Self::Pulls(search) => search.forest.len(),
            Self::Pushes(search) => search.forest.len(),
        }
    }

    /// Returns the pushes that join a way of the other side, whose last position this tree knows or leads to, with a way
    /// of its own; `None` if it does not.
    pub(crate) fn join(&self, terrain: &FessTables<W>, way: &[Place<W>]) -> Option<Vec<Push>> {
        match self {
            Self::Start => {
                join(terrain.ground(), SearchDirection::Forward, &[(terrain.starts, terrain.ground().player())], way)
            }
            Self::Pulls(search) => Self::join_forest(terrain.ground(), SearchDirection::Backward, &search.forest, way),
            Self::Pushes(search) => Self::join_forest(terrain.ground(), SearchDirection::Forward, &search.forest, way),
        }
    }

    fn join_forest(
        ground: &SearchBoard,
        side: SearchDirection,
        forest: &FessTree<W>,
        way: &[Place<W>],
    ) -> Option<Vec<Push>> {
        let (boxes, _) = way.last()?;
        let near = |node: &Node<W>| node.boxes.len() == boxes.len() && node.boxes.without(boxes).len() <= 1;
        let nodes = (0..forest.next_number()).filter_map(|number| forest.node(number)).filter(near);
        nodes.into_iter().find_map(|node| join(ground, side, &forest.way(&node), way))
    }
}

/// A strategy with its trees.
#[derive(Debug)]
struct Member {
    variant: &'static Variant,
    ticks: u64,
    /// The tree of the first phase, and that of the second once there is something to aim at.
    first: Option<usize>,
    second: Option<usize>,
    is_first_over: bool,
    is_second_over: bool,
    /// Work of the first phase that comes before the next work of the second.
    stretch: u64,
    is_aiming: bool,
    /// The first phase has just had its turn.
    is_fresh: bool,
    is_taken: bool,
    has_left: bool,
}

impl Member {
    const fn new(variant: &'static Variant) -> Self {
        Self {
            variant,
            ticks: 0,
            first: None,
            second: None,
            is_first_over: false,
            is_second_over: false,
            stretch: VariantScheduler::<1>::FIRST,
            is_aiming: true,
            is_fresh: false,
            is_taken: false,
            has_left: false,
        }
    }
}

/// A stretch of work that was begun.
#[derive(Clone, Debug)]
pub(crate) struct Turn<const W: usize> {
    member: usize,
    from: u64,
    pub(crate) until: u64,
    pub(crate) tree: Arc<Mutex<Tree<W>>>,
}

/// The strategies of a level.
#[derive(Debug)]
pub(crate) struct VariantScheduler<const W: usize> {
    trees: Vec<Arc<Mutex<Tree<W>>>>,
    members: Vec<Member>,
    plans: Vec<Plan>,
    boards: Vec<BitSet<W>>,
}

impl<const W: usize> VariantScheduler<W> {
    /// The first stretch of a strategy's first phase.
    const FIRST: u64 = 10_000;
    /// Work after which the best plan so far must do.
    const PLAN: u64 = 330_000;

    /// Nobody has begun.
    pub(crate) fn new(variants: &[&'static Variant]) -> Self {
        let members = variants.iter().map(|variant| Member::new(variant)).collect();
        Self { trees: vec![Arc::new(Mutex::new(Tree::Start))], members, plans: Vec::new(), boards: Vec::new() }
    }

    /// Takes the turn of the member with the least work for its weight; `None` when nobody is free.
    pub(crate) fn take(&mut self, commons: &SharedTables<W>, effort: &WorkMeter) -> Option<Turn<W>> {
        let now = effort.ticks();
        loop {
            let free = (0..self.members.len()).filter(|&at| !self.members[at].has_left && !self.members[at].is_taken);
            let member = free.min_by_key(|&at| (self.members[at].ticks / self.members[at].variant.weight, at))?;
            let Member { ticks, stretch, is_aiming, .. } = self.members[member];
            let length = match (self.is_plan(member), is_aiming) {
                (true, _) => (ticks / 2).max(Self::FIRST),
                (false, true) => stretch,
                (false, false) => 2 * stretch,
            };
            if let Some(tree) = self.tree(member, commons, effort) {
                self.members[member].is_taken = true;
                return Some(Turn { member, from: now, until: now + length, tree: Arc::clone(&self.trees[tree]) });
            }
        }
    }

    /// Settles a turn.
    pub(crate) fn give_back(&mut self, turn: &Turn<W>, is_over: bool, now: u64) {
        let is_plan = self.is_plan(turn.member);
        let member = &mut self.members[turn.member];
        member.is_taken = false;
        member.ticks += (now - turn.from).max(1);
        let over = if member.is_aiming { &mut member.is_first_over } else { &mut member.is_second_over };
        *over |= is_over || (member.is_aiming && is_plan && member.ticks >= Self::PLAN);
        member.is_fresh = member.is_aiming;
        if !member.is_aiming {
            member.stretch *= 2;
        }
        member.is_aiming = (is_plan || !member.is_aiming) && !member.is_first_over;
        if member.is_second_over && (member.is_first_over || is_plan) {
            member.has_left = true;
        }
    }

    /// Returns all trees, in the order in which they were planted.
    pub(crate) fn trees(&self) -> Vec<Arc<Mutex<Tree<W>>>> {
        self.trees.clone()
    }

    /// Returns the name of the strategy whose turn it is.
    pub(crate) fn name(&self, turn: &Turn<W>) -> &'static str {
        self.members[turn.member].variant.name
    }

    fn is_plan(&self, member: usize) -> bool {
        matches!(self.members[member].variant.course, VariantKind::Plan(_))
    }

    fn plant(&mut self, tree: Tree<W>) -> usize {
        self.trees.push(Arc::new(Mutex::new(tree)));
        self.trees.len() - 1
    }

    /// Returns the tree that a member works on now, planted if need be; `None` if there is nothing for it to do.
    fn tree(&mut self, number: usize, commons: &SharedTables<W>, effort: &WorkMeter) -> Option<usize> {
        let Member { variant, first, second, is_aiming, is_first_over, .. } = self.members[number];
        if is_aiming {
            if first.is_none() {
                let tree = self.first(variant.course, commons, effort);
                self.members[number].first = Some(self.plant(tree));
            }
            return self.members[number].first;
        }
        let has_news = self.has_news(number);
        self.members[number].is_fresh = false;
        if let (Some(second), false) = (second, has_news) {
            return Some(second);
        }
        match self.second(variant, first?, commons, effort) {
            Some(tree) => {
                if let Some(before) = second {
                    self.trees[before].lock().retire(effort);
                }
                let tree = self.plant(tree);
                let member = &mut self.members[number];
                (member.second, member.is_second_over) = (Some(tree), false);
            }
            None if second.is_none() => {
                // Nothing of its own to aim at: another strategy has the same.
                let member = &mut self.members[number];
                (member.is_aiming, member.has_left) = (!is_first_over, is_first_over);
                member.ticks += 1;
            }
            None => {}
        }
        self.members[number].second.filter(|_| !self.members[number].is_aiming)
    }

    /// Whether the first phase of a member found a better position than the one that its second aims at.
    fn has_news(&self, number: usize) -> bool {
        let member = &self.members[number];
        if self.is_plan(number) || !member.is_fresh {
            return false;
        }
        let best = member.first.and_then(|first| self.trees[first].lock().best());
        best.is_some_and(|best| !self.boards.contains(&best))
    }

    /// Makes the tree of the first phase.
    fn first(&self, course: VariantKind, commons: &SharedTables<W>, effort: &WorkMeter) -> Tree<W> {
        let terrain = &commons.terrain;
        let tree = u16::try_from(self.trees.len()).unwrap_or(u16::MAX);
        let aim = match course {
            VariantKind::Reverse => return Tree::Pushes(Box::new(Forward::new(commons, tree, PushAim::Open, effort))),
            VariantKind::Plan(packing) => PullAim::Sink(packing),
            VariantKind::Open { far, ring } => PullAim::open(terrain, far, ring),
            VariantKind::Near => PullAim::near(terrain),
            VariantKind::Worth => PullAim::Worth,
        };
        Tree::Pulls(Box::new(Backward::new(commons, tree, aim, effort)))
    }

    /// Makes the tree of the second phase; `None` if some other tree has the same aim.
    fn second(
        &mut self,
        variant: &Variant,
        first: usize,
        commons: &SharedTables<W>,
        effort: &WorkMeter,
    ) -> Option<Tree<W>> {
        let number = u16::try_from(self.trees.len()).unwrap_or(u16::MAX);
        let first = Arc::clone(&self.trees[first]);
        let aim = match (&*first.lock(), variant.course) {
            (Tree::Pulls(pulls), VariantKind::Plan(_)) => {
                let plan = pulls.plan();
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.forest.len(), "plan");
                if self.plans.contains(&plan) {
                    return None;
                }
                self.plans.push(plan.clone());
                PushAim::plan(&commons.terrain, plan)
            }
            (Tree::Pulls(pulls), VariantKind::Worth) => {
                self.boards.push(pulls.best()?);
                let (plan, way) = pulls.order()?;
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.forest.len(), "order");
                PushAim::Worth { plan, overlap: Overlap::new(way, commons.terrain.ground().n_live()) }
            }
            (Tree::Pulls(pulls), _) => {
                let board = pulls.best()?;
                if self.boards.contains(&board) {
                    return None;
                }
                self.boards.push(board);
                PushAim::board(&commons.terrain, board)
            }
            (Tree::Pushes(pushes), _) => {
                let board = pushes.best()?;
                self.boards.push(board);
                let aim = PullAim::board(&commons.terrain, board);
                return Some(Tree::Pulls(Box::new(Backward::new(commons, number, aim, effort))));
            }
            (Tree::Start, _) => return None,
        };
        Some(Tree::Pushes(Box::new(Forward::new(commons, number, aim, effort))))
    }
}
