//! A search by pushes: leaps from the start, cell by cell, toward its aim.

use sokosearch::{Charge, Stop};

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchDirection};
use crate::deadlock::freeze;

use super::advisors::{Draft, Features};
use super::meeting::spell;
use super::push_aim::PushAim;
use super::step::{Meeting, Step};
use crate::fess::features::view::Viewer;
use crate::fess::macro_move::{MacroMove, MacroMoves};
use crate::fess::shared_tables::SharedTables;
use crate::fess::tree::cells::FessTree;
use crate::fess::tree::nodes::{Node, Score};
use crate::fess::tree::pending_moves::Edge;

/// A search by pushes.
#[derive(Debug)]
pub(crate) struct Forward<const W: usize> {
    tree: u16,
    aim: PushAim<W>,
    /// Squares where a leap may end though they are in a tunnel.
    used: BitSet<W>,
    pub(crate) forest: FessTree<W>,
    flood: Flood,
    leaps: MacroMoves,
    found: Vec<MacroMove>,
    viewer: Viewer<W>,
    charge: Charge,
    owed: u64,
    is_begun: bool,
    met: Option<Meeting<W>>,
}

impl<const W: usize> Forward<W> {
    /// Positions that the proof of a deadlock may look at for each that the search has expanded in vain.
    const PROOF_NODES_EACH: u32 = 8;
    /// Positions that one such proof may look at.
    const MAX_PROOF_NODES: u32 = 1 << 15;

    /// Makes a search; `tree` is its number among those that share the commons.
    pub(crate) fn new(commons: &SharedTables<W>, tree: u16, aim: PushAim<W>, effort: &WorkMeter) -> Self {
        let ground = commons.terrain.ground();
        Self {
            tree,
            used: aim.squares(),
            forest: if aim.is_worth() { FessTree::of_values() } else { FessTree::default() },
            viewer: Viewer::new(&commons.terrain, aim.looks()),
            aim,
            flood: Flood::new(ground),
            leaps: MacroMoves::new(ground),
            found: Vec::new(),
            charge: effort.memory().nothing(),
            owed: 0,
            is_begun: false,
            met: None,
        }
    }

    /// Keeps the ways, for whoever meets them, and nothing else.
    pub(crate) fn retire(&mut self, effort: &WorkMeter) {
        self.forest.retire();
        let mut charge = effort.memory().nothing();
        if self.forest.charge(&mut charge).is_ok() {
            self.charge = charge;
        }
    }

    /// Returns the boxes of the best position so far.
    pub(crate) fn best(&self) -> Option<BitSet<W>> {
        Some(self.forest.node(self.forest.best()?)?.boxes)
    }

    /// Goes on to this tick of the effort.
    pub(crate) fn resume(
        &mut self,
        commons: &mut SharedTables<W>,
        effort: &mut WorkMeter,
        until: u64,
    ) -> Result<Step<W>, Stop> {
        if !self.is_begun {
            self.is_begun = true;
            self.plant(commons);
        }
        loop {
            effort.ticks_of(std::mem::take(&mut self.owed))?;
            if let Some(meeting) = self.met.take() {
                return Ok(Step::Met(meeting));
            }
            if effort.ticks() >= until {
                return Ok(Step::Paused);
            }
            self.forest.charge(&mut self.charge)?;
            let Some((father, edge)) = self.next(commons) else { return Ok(Step::Exhausted) };
            self.owed += 1;
            if !self.forest.close(edge.hash) {
                continue;
            }
            let Some(above) = self.forest.node(father) else { return Ok(Step::Exhausted) };
            let mut node = above.child(father, &edge);
            if node.boxes.is_within(&commons.terrain.goals) {
                let pushes = spell(commons.terrain.ground(), &self.forest.way(&node));
                return Ok(pushes.map_or(Step::Exhausted, Step::Solved));
            }
            match self.expand(commons, &mut node) {
                Some(edges) => {
                    let number = self.forest.add(&node, edges);
                    self.reflect(commons, number);
                }
                None => self.forest.mark_lost(father),
            }
        }
    }

    /// FeatureMask again at a position that has cost much work by now, now that the last node was added below it.
    fn reflect(&mut self, commons: &mut SharedTables<W>, number: u32) {
        let Some((above, size)) = self.forest.grown(number) else { return };
        let Some(node) = self.forest.node(above) else { return };
        let SharedTables { terrain, verdicts, .. } = commons;
        let max_nodes = (size * Self::PROOF_NODES_EACH).min(Self::MAX_PROOF_NODES);
        if let Some((boxes, region)) = verdicts.reflect(terrain, &node.boxes, node.player, max_nodes) {
            self.forest.give_up(|node| region.contains(&node.player) && boxes.is_within(&node.boxes));
        }
        self.owed += verdicts.take_proof_nodes();
    }

    fn plant(&mut self, commons: &mut SharedTables<W>) {
        let (starts, player) = (commons.terrain.starts, commons.terrain.ground().player());
        let (features, score) = self.rate(commons, &starts, player);
        self.forest.close(starts.hash_with(features.view.zone));
        let mut node = Node::root(starts, BitSet::default(), player, score);
        if let Some(edges) = self.expand(commons, &mut node) {
            self.forest.add(&node, edges);
        }
    }

    /// Takes the leap whose turn it is. MacroMoves that are made again are not counted as work: so the same work is done
    /// however many of them are kept.
    fn next(&mut self, commons: &mut SharedTables<W>) -> Option<(u32, Edge)> {
        let (mut forest, owed) = (std::mem::take(&mut self.forest), self.owed);
        let next = forest.next(|node| {
            self.flood.run(commons.terrain.ground(), &node.boxes, node.player);
            let only = commons.verdicts.only(&commons.terrain, &node.boxes, &self.flood);
            let (now, own) = self.rate(commons, &node.boxes, node.player);
            let drafts = self.drafts(commons, node, &only.unwrap_or(node.boxes));
            self.advised(commons, node, (now, own), drafts)
        });
        (self.forest, self.owed) = (forest, owed);
        next
    }

    /// Makes the leaps of a position; `None` if it is lost.
    fn expand(&mut self, commons: &mut SharedTables<W>, node: &mut Node<W>) -> Option<Vec<Edge>> {
        let SharedTables { terrain, verdicts, .. } = commons;
        self.flood.run(terrain.ground(), &node.boxes, node.player);
        self.owed += 20;
        let only = verdicts.judge(terrain, &node.boxes, node.player, &self.flood);
        self.owed += verdicts.take_proof_nodes();
        let only = only?;
        node.n_sets = verdicts.n_sets();
        let (now, own) = self.rate(commons, &node.boxes, node.player);
        node.score = own;
        let drafts = self.drafts(commons, node, &only);
        let own_hash = node.boxes.hash_with(now.view.zone);
        let hashes = drafts.iter().map(|draft| draft.edge.hash);
        let met = commons.perimeter.lock().enter(SearchDirection::Forward, own_hash, hashes);
        if let Some(at) = met {
            let way = self.forest.way_on(node, drafts[at].edge.leap);
            self.met = Some(Meeting { way, tree: self.tree });
        }
        Some(self.advised(commons, node, (now, own), drafts))
    }

    /// Makes the leaps of these boxes of a position, flooded and looked at, which are not lost by what was known when its
    /// leaps were made first.
    fn drafts(&mut self, commons: &SharedTables<W>, node: &Node<W>, only: &BitSet<W>) -> Vec<Draft> {
        let terrain = &commons.terrain;
        let ground = terrain.ground();
        let mut drafts: Vec<Draft> = Vec::new();
        for sq in only.iter() {
            self.found.clear();
            if !MacroMoves::can_start(ground, SearchDirection::Forward, &node.boxes, sq, |sq| self.flood.reaches(sq)) {
                continue;
            }
            self.viewer.lift(ground, SearchDirection::Forward, sq);
            let Self { flood, leaps, viewer, found, .. } = self;
            let may_pass = |others: &BitSet<W>, to: u16| {
                let mut boxes = *others;
                boxes.insert(to);
                !freeze::is_deadlock(ground, &terrain.goals, &boxes, to)
            };
            let reach = |sq| flood.reaches(sq);
            let lifted = viewer.lifted();
            leaps.each(ground, SearchDirection::Forward, &node.boxes, sq, lifted, reach, may_pass, |leap| {
                found.push(leap)
            });
            self.owed += self.found.len() as u64;
            for at in 0..self.found.len() {
                let leap = self.found[at];
                drafts.extend(self.draft(commons, node, leap));
            }
        }
        drafts
    }

    /// Asks the advisors.
    fn advised(
        &self,
        commons: &SharedTables<W>,
        node: &Node<W>,
        own: (Features, Score),
        mut drafts: Vec<Draft>,
    ) -> Vec<Edge> {
        self.aim.advise(commons, &node.boxes, own, &mut drafts);
        drafts.into_iter().map(|draft| draft.edge).collect()
    }

    /// Makes and rates a leap, unless it is pointless or lost.
    fn draft(&mut self, commons: &SharedTables<W>, node: &Node<W>, leap: MacroMove) -> Option<Draft> {
        let terrain = &commons.terrain;
        let boxes = node.boxes.moved(leap.from, leap.to);
        if terrain.tunnels.has(leap.to) && !self.used.has(leap.to) {
            return None;
        }
        let side = (0..4).find(|&side| terrain.ground().step(leap.to, side) == leap.player)?;
        let is_lost = commons.patterns.is_dead(&boxes, leap.to, side);
        if is_lost || commons.verdicts.forbade(node.n_sets, &boxes, leap.player, leap.to) {
            return None;
        }
        let view = self.viewer.put(terrain, leap.to, leap.player);
        let (features, score) = self.aim.rate(commons, &boxes, view);
        let hash = boxes.hash_with(features.view.zone);
        Some(Draft { edge: Edge { leap, hash, order: score.order, weight: 1, sinks: false }, features })
    }

    fn rate(&mut self, commons: &SharedTables<W>, boxes: &BitSet<W>, player: u16) -> (Features, Score) {
        let view = self.viewer.begin(&commons.terrain, boxes, player);
        self.aim.begin(boxes);
        self.aim.rate(commons, boxes, view)
    }
}
