//! A search by pushes: leaps from the start, cell by cell, toward its aim.

use sokosearch::{Charge, Stop};

use crate::bits::Bits;
use crate::ground::{Flood, Way};
use crate::{Effort, freeze};

use super::advisors::{Draft, Features};
use super::commons::Commons;
use super::forest::{Edge, Forest, NOBODY, Node, Score};
use super::leaps::{Leap, Leaps};
use super::meeting::spell;
use super::perimeter::Owner;
use super::push_aim::PushAim;
use super::step::{Meeting, Step};
use super::view::Viewer;

/// A search by pushes.
#[derive(Debug)]
pub(crate) struct Forward<const W: usize> {
    tree: u16,
    aim: PushAim<W>,
    /// Squares where a leap may end though they are in a tunnel.
    used: Bits<W>,
    pub(crate) forest: Forest<W>,
    flood: Flood,
    leaps: Leaps,
    found: Vec<Leap>,
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
    pub(crate) fn new(commons: &Commons<W>, tree: u16, aim: PushAim<W>, effort: &Effort) -> Self {
        let ground = commons.terrain.ground();
        Self {
            tree,
            used: aim.squares(),
            forest: if aim.is_worth() { Forest::of_values() } else { Forest::default() },
            viewer: Viewer::new(&commons.terrain, aim.looks()),
            aim,
            flood: Flood::new(ground),
            leaps: Leaps::new(ground),
            found: Vec::new(),
            charge: effort.memory().nothing(),
            owed: 0,
            is_begun: false,
            met: None,
        }
    }

    /// Returns the boxes of the best position so far.
    pub(crate) fn best(&self) -> Option<Bits<W>> {
        self.forest.best().map(|best| self.forest.nodes[best as usize].boxes)
    }

    /// Goes on to this tick of the effort.
    pub(crate) fn go_on(&mut self, commons: &mut Commons<W>, effort: &mut Effort, until: u64) -> Result<Step<W>, Stop> {
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
            let Some((father, edge)) = self.forest.next() else { return Ok(Step::Exhausted) };
            self.owed += 1;
            if !self.forest.close(edge.hash) {
                continue;
            }
            let mut node = self.forest.child(father, &edge);
            if node.boxes.is_within(&commons.terrain.goals) {
                let pushes = spell(commons.terrain.ground(), &self.forest.way(&node));
                return Ok(pushes.map_or(Step::Exhausted, Step::Solved));
            }
            match self.expand(commons, &mut node) {
                Some(edges) => {
                    let number = self.forest.add(node, edges);
                    self.reflect(commons, number);
                }
                None => self.forest.bury(father),
            }
        }
    }

    /// Looks again at a position that has cost much work by now, now that the last node was added below it.
    fn reflect(&mut self, commons: &mut Commons<W>, number: u32) {
        let Some((above, size)) = self.forest.grown(number) else { return };
        let node = &self.forest.nodes[above as usize];
        let Commons { terrain, verdicts, .. } = commons;
        let max_nodes = (size * Self::PROOF_NODES_EACH).min(Self::MAX_PROOF_NODES);
        if let Some((boxes, region)) = verdicts.reflect(terrain, &node.boxes, node.player, max_nodes) {
            self.forest.give_up(|node| boxes.is_within(&node.boxes) && region.contains(&node.player));
        }
        self.owed += verdicts.take_proof_nodes();
    }

    fn plant(&mut self, commons: &mut Commons<W>) {
        let (starts, player) = (commons.terrain.starts, commons.terrain.ground().player());
        let (features, score) = self.rate(commons, &starts, player);
        self.forest.close(starts.hash_with(features.view.zone));
        let mut node = Node::root(starts, Bits::default(), player, score);
        if let Some(edges) = self.expand(commons, &mut node) {
            self.forest.add(node, edges);
        }
    }

    /// Makes the leaps of a position; `None` if it is lost.
    fn expand(&mut self, commons: &mut Commons<W>, node: &mut Node<W>) -> Option<Vec<Edge>> {
        let Commons { terrain, verdicts, .. } = commons;
        let ground = terrain.ground();
        self.flood.run(ground, &node.boxes, node.player);
        self.owed += 20;
        let only = verdicts.judge(terrain, &node.boxes, node.player, &self.flood);
        self.owed += verdicts.take_proof_nodes();
        let only = only?;
        let (now, own) = self.rate(commons, &node.boxes, node.player);
        node.score = own;
        let name = Owner { tree: self.tree, node: u32::try_from(self.forest.nodes.len()).unwrap_or(NOBODY) };
        let own_hash = node.boxes.hash_with(now.view.zone);
        let mut drafts: Vec<Draft> = Vec::new();
        for sq in only.iter() {
            let Commons { terrain, .. } = &*commons;
            let ground = terrain.ground();
            self.found.clear();
            if !Leaps::can_start(ground, Way::Forward, &node.boxes, sq, |sq| self.flood.reaches(sq)) {
                continue;
            }
            self.viewer.lift(ground, Way::Forward, sq);
            let Self { flood, leaps, viewer, found, .. } = self;
            let may_pass = |others: &Bits<W>, to: u16| {
                let mut boxes = *others;
                boxes.insert(to);
                !freeze::is_deadlock(ground, &terrain.goals, &boxes, to)
            };
            let reach = |sq| flood.reaches(sq);
            let lifted = viewer.lifted();
            leaps.each(ground, Way::Forward, &node.boxes, sq, lifted, reach, may_pass, |leap| found.push(leap));
            self.owed += self.found.len() as u64;
            for at in 0..self.found.len() {
                let leap = self.found[at];
                drafts.extend(self.draft(commons, node, leap));
            }
        }
        let hashes = drafts.iter().map(|draft| draft.edge.hash);
        let met = commons.perimeter.lock().enter(Way::Forward, own_hash, hashes, name);
        if let Some((at, owner)) = met {
            let way = self.forest.way_on(node, drafts[at].edge.leap);
            self.met = Some(Meeting { way, owner });
        }
        self.aim.advise(commons, &node.boxes, (now, own), &mut drafts);
        Some(drafts.into_iter().map(|draft| draft.edge).collect())
    }

    /// Makes and rates a leap, unless it is pointless or lost.
    fn draft(&mut self, commons: &Commons<W>, node: &Node<W>, leap: Leap) -> Option<Draft> {
        let terrain = &commons.terrain;
        let boxes = node.boxes.moved(leap.from, leap.to);
        if terrain.tunnels.has(leap.to) && !self.used.has(leap.to) {
            return None;
        }
        let side = (0..4).find(|&side| terrain.ground().step(leap.to, side) == leap.player)?;
        let is_lost = commons.patterns.is_dead(&boxes, leap.to, side);
        if is_lost || commons.verdicts.forbids(&boxes, leap.player, leap.to) {
            return None;
        }
        let view = self.viewer.put(terrain, leap.to, leap.player);
        let (features, score) = self.aim.rate(commons, &boxes, view);
        let hash = boxes.hash_with(features.view.zone);
        Some(Draft { edge: Edge { leap, hash, order: score.order, weight: 1, sinks: false }, features })
    }

    fn rate(&mut self, commons: &Commons<W>, boxes: &Bits<W>, player: u16) -> (Features, Score) {
        let view = self.viewer.begin(&commons.terrain, boxes, player);
        self.aim.begin(boxes);
        self.aim.rate(commons, boxes, view)
    }
}
