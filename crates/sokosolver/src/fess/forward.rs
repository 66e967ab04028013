//! The forward phase: leaps from the start, cell by cell, along the plan.

use sokocore::Push;
use sokosearch::{Charge, Stop};

use crate::bits::Bits;
use crate::ground::{Distances, Flood, Way};
use crate::patterns::Patterns;
use crate::{Effort, freeze};

use super::advisors::{Draft, Features, Scene};
use super::forest::{Edge, Forest, Node, Score};
use super::hotspots::Hotspots;
use super::leaps::{Leap, Leaps};
use super::plan::Plan;
use super::terrain::Terrain;
use super::verdict::Verdicts;
use super::view::Viewer;
use super::zones::Zones;

/// The search along one plan.
#[derive(Debug)]
pub(crate) struct Forward<const W: usize> {
    plan: Plan,
    zones: Zones<W>,
    /// Squares where a leap may end though they are in a tunnel.
    used: Bits<W>,
    hotspots: Hotspots<W>,
    patterns: Patterns<W>,
    verdicts: Verdicts<W>,
    forest: Forest<W>,
    flood: Flood,
    leaps: Leaps,
    viewer: Viewer,
    charge: Charge,
    owed: u64,
    is_begun: bool,
}

/// How a step of the search ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Solved(Vec<Push>),
    Exhausted,
}

impl<const W: usize> Forward<W> {
    pub(crate) fn new(
        terrain: &Terrain<W>,
        plan: Plan,
        hotspots: Hotspots<W>,
        patterns: Patterns<W>,
        effort: &Effort,
    ) -> Self {
        let ground = terrain.ground();
        Self {
            zones: Zones::new(ground, &plan),
            used: plan.squares(),
            plan,
            hotspots,
            patterns,
            verdicts: Verdicts::new(terrain, effort),
            forest: Forest::default(),
            flood: Flood::new(ground),
            leaps: Leaps::new(ground),
            viewer: Viewer::new(ground),
            charge: effort.memory().nothing(),
            owed: 0,
            is_begun: false,
        }
    }

    /// Returns how many positions it has expanded.
    pub(crate) const fn n_nodes(&self) -> usize {
        self.forest.nodes.len()
    }

    /// Returns how many cells it has opened.
    pub(crate) const fn n_cells(&self) -> usize {
        self.forest.n_cells()
    }

    /// Goes on from where it paused.
    pub(crate) fn go_on(&mut self, terrain: &Terrain<W>, effort: &mut Effort) -> Result<Ending, Stop> {
        if !self.is_begun {
            self.is_begun = true;
            let ground = terrain.ground();
            let (features, score) = self.rate(terrain, &terrain.starts, ground.player(), None);
            let hash = terrain.starts.hash_with(features.view.zone);
            self.forest.close(hash);
            let node = Node::root(terrain.starts, Bits::default(), ground.player(), score);
            let Some(edges) = self.expand(terrain, &node) else { return Ok(Ending::Exhausted) };
            self.forest.add(node, edges);
        }
        loop {
            effort.ticks_of(std::mem::take(&mut self.owed))?;
            let bytes = self.forest.bytes();
            if bytes > self.charge.bytes() {
                self.charge.add(bytes - self.charge.bytes() + (1 << 18))?;
            }
            let Some((father, edge)) = self.forest.next() else { return Ok(Ending::Exhausted) };
            self.owed += 1;
            if !self.forest.close(edge.hash) {
                continue;
            }
            let node = self.forest.child(father, &edge);
            if node.boxes == terrain.goals {
                let last = self.forest.add(node, Vec::new());
                return Ok(self.pushes(terrain, last).map_or(Ending::Exhausted, Ending::Solved));
            }
            match self.expand(terrain, &node) {
                Some(edges) => drop(self.forest.add(node, edges)),
                None => self.forest.bury(father),
            }
        }
    }

    /// Makes the leaps of a position; `None` if it is lost.
    fn expand(&mut self, terrain: &Terrain<W>, node: &Node<W>) -> Option<Vec<Edge>> {
        let ground = terrain.ground();
        self.flood.run(ground, &node.boxes, node.player);
        self.owed += 60;
        let only = self.verdicts.judge(terrain, &node.boxes, node.player, &self.flood)?;
        let (now, _) = self.rate(terrain, &node.boxes, node.player, None);
        let mut found: Vec<Leap> = Vec::new();
        for sq in only.iter() {
            let flood = &self.flood;
            let may_pass = |others: &Bits<W>, to: u16| {
                let mut boxes = *others;
                boxes.insert(to);
                !freeze::is_deadlock(ground, &terrain.goals, &boxes, to)
            };
            let reach = |sq| flood.reaches(sq);
            self.leaps.each(ground, Way::Forward, &node.boxes, sq, reach, may_pass, |leap| found.push(leap));
        }
        self.owed += 3 * found.len() as u64;
        let mut drafts: Vec<Draft> = Vec::with_capacity(found.len());
        for leap in found {
            drafts.extend(self.draft(terrain, node, leap));
        }
        let next = if now.packed >= 0 { self.plan.next(&node.boxes) } else { None };
        Scene { terrain, now, zone: self.zones.at(now.packed), next }.advise(&mut drafts);
        Some(drafts.into_iter().map(|draft| draft.edge).collect())
    }

    /// Makes and rates a leap, unless it is pointless or lost.
    fn draft(&mut self, terrain: &Terrain<W>, node: &Node<W>, leap: Leap) -> Option<Draft> {
        let boxes = node.boxes.moved(leap.from, leap.to);
        if terrain.tunnels.has(leap.to) && !self.used.has(leap.to) {
            return None;
        }
        let side = (0..4).find(|&side| terrain.ground().step(leap.to, side) == leap.player)?;
        if self.patterns.is_dead(&boxes, leap.to, side) || self.verdicts.forbids(&boxes, leap.player, leap.to) {
            return None;
        }
        let (features, score) = self.rate(terrain, &boxes, leap.player, Some(leap.to));
        let hash = boxes.hash_with(features.view.zone);
        Some(Draft { edge: Edge { leap, hash, score, weight: 1, sinks: false }, features })
    }

    /// Rates a position: packed much; few pieces, cut links, boxes out of plan, hotspots; far from the goals.
    fn rate(&mut self, terrain: &Terrain<W>, boxes: &Bits<W>, player: u16, moved: Option<u16>) -> (Features, Score) {
        let before = moved.map(|moved| (&self.flood, moved));
        let view = self.viewer.look(terrain, Way::Forward, boxes, player, before);
        let packed = self.plan.packed(boxes);
        let n_out = boxes.iter().filter(|&sq| self.zones.at(packed).has(sq)).count() as u64;
        let n_hot = self.hotspots.count(boxes) as u64;
        let near = |sq: u16| terrain.yard.nearest(sq);
        let far: u64 = boxes.iter().map(near).filter(|&far| far != Distances::NONE).map(u64::from).sum();
        let unpacked = u64::try_from(1500 - packed).unwrap_or(0).min(4095);
        let (n_pieces, n_cut) = (view.n_pieces.min(63), view.n_cut.min(1023));
        let cell = (unpacked << 24) | (n_pieces << 16) | n_out;
        let order = (unpacked << 52)
            | (n_pieces << 46)
            | (n_cut << 36)
            | (n_out.min(255) << 28)
            | (n_hot.min(255) << 20)
            | ((1 << 20) - 1 - far.min((1 << 20) - 1));
        (Features { view, packed, n_out, n_hot }, Score { order, cell })
    }

    /// Spells out the leaps on the way to a node.
    fn pushes(&mut self, terrain: &Terrain<W>, last: u32) -> Option<Vec<Push>> {
        let ground = terrain.ground();
        let line = self.forest.line(last);
        let mut pushes = Vec::new();
        for pair in line.windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|number| &self.forest.nodes[number as usize]);
            self.flood.run(ground, &before.boxes, before.player);
            let flood = &self.flood;
            let walked = self.leaps.walk(ground, &before.boxes, after.leap, |sq| flood.reaches(sq))?;
            pushes.extend(walked.into_iter().map(|(sq, dir)| ground.push(sq, dir)));
        }
        Some(pushes)
    }
}
