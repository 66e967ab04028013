//! Strategies that take turns on one level, each with its trees paused between them.
//!
//! ```text
//!   member:  first ──▶ second ──▶ first ──▶ second ──▶ ...      each stretch is longer than the one before
//!            a plan, or a position     goes for it
//! ```
//!
//! The member with the least work for its weight goes next, for half of what it had before. All share the commons:
//! a position that one knows from the goals solves the level for whoever meets it from the start.
//!
//! Invariant: turns are counted in ticks, so the same work is done whatever the slices from outside.

use sokocore::Push;
use sokosearch::Stop;

use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Flood, Way};

use super::backward::Backward;
use super::commons::Commons;
use super::forward::Forward;
use super::meeting::{Place, spell};
use super::overlap::Overlap;
use super::perimeter::Owner;
use super::plan::Plan;
use super::pull_aim::PullAim;
use super::push_aim::PushAim;
use super::step::{Meeting, Step};
use super::variant::{Course, Variant};

/// A tree of either side.
#[derive(Debug)]
enum Tree<const W: usize> {
    /// The start position alone.
    Start,
    Pulls(Box<Backward<W>>),
    Pushes(Box<Forward<W>>),
}

impl<const W: usize> Tree<W> {
    /// Keeps the ways, for whoever meets them, and nothing else.
    fn retire(&mut self) {
        match self {
            Self::Start => {}
            Self::Pulls(search) => search.forest.retire(),
            Self::Pushes(search) => search.forest.retire(),
        }
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
    has_left: bool,
}

/// A stretch of work that was begun.
#[derive(Clone, Copy, Debug)]
struct Turn {
    member: usize,
    from: u64,
    until: u64,
}

/// The strategies of a level.
#[derive(Debug)]
pub(crate) struct Team<const W: usize> {
    commons: Commons<W>,
    trees: Vec<Tree<W>>,
    members: Vec<Member>,
    turn: Option<Turn>,
    plans: Vec<Plan>,
    boards: Vec<Bits<W>>,
}

impl<const W: usize> Team<W> {
    /// The first stretch of a strategy's first phase.
    const FIRST: u64 = 10_000;
    /// Work after which the best plan so far must do.
    const PLAN: u64 = 330_000;

    /// Puts a team together.
    pub(crate) fn new(mut commons: Commons<W>, variants: &[&'static Variant]) -> Self {
        let member = |&variant: &&'static Variant| Member {
            variant,
            ticks: 0,
            first: None,
            second: None,
            is_first_over: false,
            is_second_over: false,
            stretch: Self::FIRST,
            is_aiming: true,
            is_fresh: false,
            has_left: false,
        };
        let (starts, player) = (commons.terrain.starts, commons.terrain.ground().player());
        let mut flood = Flood::new(commons.terrain.ground());
        let zone = flood.run(commons.terrain.ground(), &starts, player);
        commons.perimeter.note(Way::Forward, starts.hash_with(zone), Owner { tree: 0, node: 0 });
        Self {
            commons,
            trees: vec![Tree::Start],
            members: variants.iter().map(member).collect(),
            turn: None,
            plans: Vec::new(),
            boards: Vec::new(),
        }
    }

    /// Returns how many positions all have expanded.
    pub(crate) fn n_nodes(&self) -> usize {
        let n_nodes = |tree: &Tree<W>| match tree {
            Tree::Start => 0,
            Tree::Pulls(search) => search.forest.nodes.len(),
            Tree::Pushes(search) => search.forest.nodes.len(),
        };
        self.trees.iter().map(n_nodes).sum()
    }

    /// Goes on; `None` when everybody has left.
    pub(crate) fn go_on(&mut self, effort: &mut Effort) -> Result<Option<Vec<Push>>, Stop> {
        loop {
            let turn = match self.turn {
                Some(turn) => turn,
                None => match self.next(effort.ticks()) {
                    Some(turn) => *self.turn.insert(turn),
                    None => return Ok(None),
                },
            };
            let Some(tree) = self.tree(turn.member, effort) else {
                self.turn = None;
                continue;
            };
            let step = match &mut self.trees[tree] {
                Tree::Start => Step::Exhausted,
                Tree::Pulls(search) => search.go_on(&mut self.commons, effort, turn.until)?,
                Tree::Pushes(search) => search.go_on(&mut self.commons, effort, turn.until)?,
            };
            let is_pulling = matches!(self.trees[tree], Tree::Pulls(_));
            match step {
                Step::Solved(pushes) => return Ok(Some(pushes)),
                Step::Met(meeting) => {
                    let pushes = self.join(meeting, is_pulling);
                    tracing::debug!(strategy = self.members[turn.member].variant.name, ok = pushes.is_some(), "met");
                    if pushes.is_some() {
                        return Ok(pushes);
                    }
                }
                Step::Paused => self.end(turn, false, effort.ticks()),
                Step::Exhausted => self.end(turn, true, effort.ticks()),
            }
        }
    }

    /// Chooses whose turn it is.
    fn next(&self, now: u64) -> Option<Turn> {
        let active = (0..self.members.len()).filter(|&at| !self.members[at].has_left);
        let member = active.min_by_key(|&at| (self.members[at].ticks / self.members[at].variant.weight, at))?;
        let Member { ticks, stretch, is_aiming, .. } = self.members[member];
        let is_plan = matches!(self.members[member].variant.course, Course::Plan(_));
        let length = match (is_plan, is_aiming) {
            (true, _) => (ticks / 2).max(Self::FIRST),
            (false, true) => stretch,
            (false, false) => 2 * stretch,
        };
        Some(Turn { member, from: now, until: now + length })
    }

    /// Settles a turn.
    fn end(&mut self, turn: Turn, is_over: bool, now: u64) {
        self.turn = None;
        let member = &mut self.members[turn.member];
        member.ticks += (now - turn.from).max(1);
        let over = if member.is_aiming { &mut member.is_first_over } else { &mut member.is_second_over };
        let is_plan = matches!(member.variant.course, Course::Plan(_));
        *over |= is_over || (member.is_aiming && is_plan && member.ticks >= Self::PLAN);
        member.is_fresh = member.is_aiming;
        if !member.is_aiming {
            member.stretch *= 2;
        }
        member.is_aiming = (is_plan || !member.is_aiming) && !member.is_first_over;
        if member.is_second_over && (member.is_first_over || matches!(member.variant.course, Course::Plan(_))) {
            member.has_left = true;
        }
    }

    /// Returns the tree that a member works on now, planted if need be; `None` if there is nothing for it to do.
    fn tree(&mut self, number: usize, effort: &Effort) -> Option<usize> {
        let Member { variant, first, second, is_aiming, is_first_over, .. } = self.members[number];
        if is_aiming {
            if first.is_none() {
                let tree = self.first(variant.course, effort);
                self.members[number].first = Some(self.trees.len());
                self.trees.push(tree);
            }
            return self.members[number].first;
        }
        let has_news = self.has_news(number);
        self.members[number].is_fresh = false;
        if let (Some(second), false) = (second, has_news) {
            return Some(second);
        }
        let tree = self.second(variant, first?, effort);
        match tree {
            Some(tree) => {
                if let Some(before) = second {
                    self.trees[before].retire();
                }
                let member = &mut self.members[number];
                (member.second, member.is_second_over) = (Some(self.trees.len()), false);
                self.trees.push(tree);
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
        let best = match self.members[number].first.map(|first| &self.trees[first]) {
            Some(Tree::Pulls(pulls)) => pulls.best(),
            Some(Tree::Pushes(pushes)) => pushes.best(),
            _ => None,
        };
        let is_plan = matches!(self.members[number].variant.course, Course::Plan(_));
        !is_plan && self.members[number].is_fresh && best.is_some_and(|best| !self.boards.contains(&best))
    }

    fn first(&self, course: Course, effort: &Effort) -> Tree<W> {
        let (commons, terrain) = (&self.commons, &self.commons.terrain);
        let tree = u16::try_from(self.trees.len()).unwrap_or(u16::MAX);
        let aim = match course {
            Course::Reverse => return Tree::Pushes(Box::new(Forward::new(commons, tree, PushAim::Open, effort))),
            Course::Plan(packing) => PullAim::Sink(packing),
            Course::Open { far, ring } => PullAim::open(terrain, far, ring),
            Course::Near => PullAim::near(terrain),
            Course::Worth => PullAim::Worth,
        };
        Tree::Pulls(Box::new(Backward::new(commons, tree, aim, effort)))
    }

    /// Plants the tree of the second phase; `None` if some other tree has the same aim.
    fn second(&mut self, variant: &Variant, first: usize, effort: &Effort) -> Option<Tree<W>> {
        let number = u16::try_from(self.trees.len()).unwrap_or(u16::MAX);
        let aim = match (&self.trees[first], variant.course) {
            (Tree::Pulls(pulls), Course::Plan(_)) => {
                let plan = pulls.plan();
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.forest.nodes.len(), "plan");
                if self.plans.contains(&plan) {
                    return None;
                }
                self.plans.push(plan.clone());
                PushAim::plan(&self.commons.terrain, plan)
            }
            (Tree::Pulls(pulls), Course::Worth) => {
                self.boards.push(pulls.best()?);
                let (plan, way) = pulls.order()?;
                tracing::debug!(strategy = variant.name, steps = plan.len(), n = pulls.forest.nodes.len(), "order");
                PushAim::Worth { plan, overlap: Overlap::new(way, self.commons.terrain.ground().n_live()) }
            }
            (Tree::Pulls(pulls), _) => {
                let board = pulls.best()?;
                if self.boards.contains(&board) {
                    return None;
                }
                self.boards.push(board);
                PushAim::board(&self.commons.terrain, board)
            }
            (Tree::Pushes(pushes), _) => {
                let board = pushes.best()?;
                self.boards.push(board);
                let aim = PullAim::board(&self.commons.terrain, board);
                return Some(Tree::Pulls(Box::new(Backward::new(&self.commons, number, aim, effort))));
            }
            (Tree::Start, _) => return None,
        };
        Some(Tree::Pushes(Box::new(Forward::new(&self.commons, number, aim, effort))))
    }

    /// Joins the ways of two trees that have met; `None` if they have not after all.
    fn join(&self, meeting: Meeting<W>, is_pulling: bool) -> Option<Vec<Push>> {
        let ground = self.commons.terrain.ground();
        let &meet = meeting.way.last()?;
        let mut other = self.way(meeting.owner)?;
        // The owner is the position itself or leads there; the same position twice does no harm.
        let ways = if is_pulling {
            other.push(meet);
            [other, meeting.way.into_iter().rev().skip(1).collect()]
        } else {
            [meeting.way, other.into_iter().rev().collect()]
        };
        spell(ground, &ways.concat())
    }

    fn way(&self, owner: Owner) -> Option<Vec<Place<W>>> {
        let forest = match self.trees.get(usize::from(owner.tree))? {
            Tree::Start => {
                return Some(vec![(self.commons.terrain.starts, self.commons.terrain.ground().player())]);
            }
            Tree::Pulls(search) => &search.forest,
            Tree::Pushes(search) => &search.forest,
        };
        Some(forest.way(forest.nodes.get(owner.node as usize)?))
    }
}
