//! The backward phase: from the solved position boxes are pulled off their goals, and off the board once they reach a
//! start square that must be reached (a *sink*). The way there, read backward, is the packing plan.

use sokosearch::{Charge, Stop};

use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Distances, Flood, Way};
use crate::pi_corral::{Corral, PiCorrals};

use super::forest::{Edge, Forest, NOBODY, Node, Score};
use super::leaps::{Leap, Leaps};
use super::pairing::can_pair;
use super::plan::Plan;
use super::terrain::Terrain;
use super::view::{View, Viewer};
use super::zones::sources;

/// The search for a plan.
#[derive(Debug)]
pub(crate) struct Backward<const W: usize> {
    forest: Forest<W>,
    flood: Flood,
    leaps: Leaps,
    viewer: Viewer,
    corrals: PiCorrals,
    charge: Charge,
    ticks: u64,
    owed: u64,
    is_begun: bool,
}

/// A leap on trial.
#[derive(Clone, Copy, Debug)]
struct Draft {
    edge: Edge,
    view: View,
    far: u64,
}

impl<const W: usize> Backward<W> {
    /// Work after which the best plan so far must do.
    const MAX_TICKS: u64 = 1_000_000;
    /// A box that walks so far has changed place.
    const FAR: u16 = 6;

    pub(crate) fn new(terrain: &Terrain<W>, effort: &Effort) -> Self {
        let ground = terrain.ground();
        Self {
            forest: Forest::default(),
            flood: Flood::new(ground),
            leaps: Leaps::new(ground),
            viewer: Viewer::new(ground),
            corrals: PiCorrals::new(ground),
            charge: effort.memory().nothing(),
            ticks: 0,
            owed: 0,
            is_begun: false,
        }
    }

    /// Returns how many positions it has expanded.
    pub(crate) const fn n_nodes(&self) -> usize {
        self.forest.nodes.len()
    }

    /// Goes on until all boxes are off the board or the time for it is over; then returns the plan.
    pub(crate) fn go_on(&mut self, terrain: &Terrain<W>, effort: &mut Effort) -> Result<Plan, Stop> {
        if !self.is_begun {
            self.is_begun = true;
            self.plant(terrain);
        }
        while self.ticks < Self::MAX_TICKS {
            let owed = std::mem::take(&mut self.owed);
            self.ticks += owed;
            effort.ticks_of(owed)?;
            let bytes = self.forest.bytes();
            if bytes > self.charge.bytes() {
                self.charge.add(bytes - self.charge.bytes() + (1 << 18))?;
            }
            let Some((father, edge)) = self.forest.next() else { break };
            self.owed += 1;
            if !self.forest.close(edge.hash) {
                continue;
            }
            let node = self.forest.child(father, &edge);
            if node.boxes.len() == 0 {
                let last = self.forest.add(node, Vec::new());
                return Ok(self.plan(last));
            }
            match self.expand(terrain, &node, edge.sinks) {
                Some(edges) => drop(self.forest.add(node, edges)),
                None => self.forest.bury(father),
            }
        }
        Ok(self.forest.best().map_or_else(Plan::default, |best| self.plan(best)))
    }

    fn plan(&self, last: u32) -> Plan {
        let line = self.forest.line(last);
        let nodes = line.iter().map(|&number| &self.forest.nodes[number as usize]);
        let pulls: Vec<(Leap, bool)> = nodes.skip(1).map(|node| (node.leap, node.sinks)).collect();
        Plan::of(&pulls, self.forest.nodes[last as usize].boxes.iter())
    }

    /// One root for each place where the player may end.
    fn plant(&mut self, terrain: &Terrain<W>) {
        let ground = terrain.ground();
        for sq in (0..ground.wall()).filter(|&sq| !terrain.goals.has(sq)) {
            let view = self.viewer.look(terrain, Way::Backward, &terrain.goals, sq, None);
            let hash = hash(&terrain.goals, &terrain.starts, view.zone);
            if view.zone == sq && self.forest.close(hash) {
                let score = score(terrain, &terrain.goals, view).0;
                let node = Node::root(terrain.goals, terrain.starts, sq, score);
                if let Some(edges) = self.expand(terrain, &node, false) {
                    self.forest.add(node, edges);
                }
            }
        }
    }

    /// Makes the leaps of a position; `None` if it is lost.
    fn expand(&mut self, terrain: &Terrain<W>, node: &Node<W>, sank: bool) -> Option<Vec<Edge>> {
        let ground = terrain.ground();
        self.flood.run(ground, &node.boxes, node.player);
        self.owed += 20;
        if node.parent != NOBODY && self.is_lost(terrain, node, sank) {
            return None;
        }
        let sinks = self.sinks(terrain, node);
        let view = self.viewer.look(terrain, Way::Backward, &node.boxes, node.player, None);
        let far = score(terrain, &node.boxes, view).1;
        let (mut drafts, mut sinking) = (Vec::new(), Vec::<Draft>::new());
        for sq in node.boxes.iter() {
            let mut found = Vec::new();
            let flood = &self.flood;
            let reach = |sq| flood.reaches(sq);
            self.leaps.each(ground, Way::Backward, &node.boxes, sq, reach, |_, _| true, |leap| found.push(leap));
            let mut best_sink: Option<Draft> = None;
            for leap in found {
                let draft = self.draft(terrain, node, leap);
                self.owed += 3;
                if sinks.has(leap.to) && self.is_off(terrain, node, leap) {
                    let mut draft = draft;
                    let mut boxes = node.boxes;
                    boxes.remove(leap.from);
                    let mut bases = node.bases;
                    bases.remove(leap.to);
                    draft.edge.sinks = true;
                    let view = self.viewer.look(terrain, Way::Backward, &boxes, leap.player, None);
                    draft.edge.hash = hash(&boxes, &bases, view.zone);
                    draft.edge.score = score(terrain, &boxes, view).0;
                    if best_sink.is_none_or(|best| sink_key(terrain, node, &draft) < sink_key(terrain, node, &best)) {
                        best_sink = Some(draft);
                    }
                } else if !terrain.tunnels.has(leap.to) || terrain.starts.has(leap.to) {
                    drafts.push(draft);
                }
            }
            sinking.extend(best_sink);
        }
        if !sinking.is_empty() {
            if let Some(best) = sinking.iter_mut().min_by_key(|draft| sink_key(terrain, node, draft)) {
                best.edge.weight = 0;
            }
            return Some(sinking.into_iter().map(|draft| draft.edge).collect());
        }
        advise(terrain, view, far, &mut drafts);
        Some(drafts.into_iter().map(|draft| draft.edge).collect())
    }

    fn draft(&mut self, terrain: &Terrain<W>, node: &Node<W>, leap: Leap) -> Draft {
        let boxes = node.boxes.moved(leap.from, leap.to);
        let view = self.viewer.look(terrain, Way::Backward, &boxes, leap.player, Some((&self.flood, leap.to)));
        let (score, far) = score(terrain, &boxes, view);
        let edge = Edge { leap, hash: hash(&boxes, &node.bases, view.zone), score, weight: 1, sinks: false };
        Draft { edge, view, far }
    }

    /// Whether a pull to a sink takes the box off the board: it changes place, and the others can still get home.
    fn is_off(&self, terrain: &Terrain<W>, node: &Node<W>, leap: Leap) -> bool {
        let (from, to) = (terrain.rooms.of(leap.from), terrain.rooms.of(leap.to));
        let ((row, column), (other_row, other_column)) = (terrain.yard.place(leap.from), terrain.yard.place(leap.to));
        let none = super::rooms::Rooms::CORRIDOR;
        let in_line = row == other_row || column == other_column;
        let (is_in, was_in) = (to != none, from != none);
        let is_moved = terrain.walk(leap.from, leap.to) >= Self::FAR || (from != to && ((is_in && was_in) || !in_line));
        let (mut boxes, mut bases) = (node.boxes, node.bases);
        boxes.remove(leap.from);
        bases.remove(leap.to);
        is_moved && are_paired(terrain, &boxes, &bases)
    }

    /// The start squares that may be reached now: the largest classes of those that boxes can be pushed between.
    fn sinks(&self, terrain: &Terrain<W>, node: &Node<W>) -> Bits<W> {
        let bases: Vec<u16> = node.bases.iter().collect();
        let into: Vec<Bits<W>> = bases.iter().map(|&base| sources(terrain.ground(), &[base], &node.boxes)).collect();
        let mut done = vec![false; bases.len()];
        let mut classes: Vec<Vec<u16>> = Vec::new();
        for first in 0..bases.len() {
            if done[first] {
                continue;
            }
            let class: Vec<usize> = (first..bases.len())
                .filter(|&other| {
                    other == first || (!done[other] && into[first].has(bases[other]) && into[other].has(bases[first]))
                })
                .collect();
            class.iter().for_each(|&member| done[member] = true);
            classes.push(class.into_iter().map(|member| bases[member]).collect());
        }
        let most = classes.iter().map(Vec::len).max().unwrap_or(0);
        let mut sinks = Bits::default();
        for sq in classes.into_iter().filter(|class| class.len() == most).flatten() {
            if !self.flood.reaches(sq) {
                return Bits::default();
            }
            sinks.insert(sq);
        }
        sinks
    }

    fn is_lost(&mut self, terrain: &Terrain<W>, node: &Node<W>, sank: bool) -> bool {
        let ground = terrain.ground();
        if !sank && (!are_paired(terrain, &node.boxes, &node.bases) || self.has_stuck(terrain, node)) {
            return true;
        }
        self.flood.run(ground, &node.boxes, node.player);
        self.corrals.label(ground, &self.flood);
        match self.corrals.find(ground, &terrain.goals, &node.boxes, &self.flood) {
            Corral::None => false,
            Corral::Only(only) => sank || !only.has(node.leap.to),
            Corral::Dead => true,
        }
    }

    /// Whether a box not at home is left when all that can be pulled are taken away, one after the other.
    fn has_stuck(&mut self, terrain: &Terrain<W>, node: &Node<W>) -> bool {
        let ground = terrain.ground();
        let mut boxes = node.boxes;
        loop {
            self.flood.run(ground, &boxes, node.player);
            let flood = &self.flood;
            let before = boxes;
            for sq in before.iter() {
                let can_leave = |side: usize| {
                    let stand = ground.step(sq, side);
                    flood.reaches(stand) && ground.is_live(stand) && flood.is_free(ground.step(stand, side))
                };
                if (0..4).any(can_leave) {
                    boxes.remove(sq);
                }
            }
            if boxes == before {
                return !boxes.is_within(&node.bases);
            }
        }
    }
}

/// Whether the boxes can be pulled to different start squares.
fn are_paired<const W: usize>(terrain: &Terrain<W>, boxes: &Bits<W>, bases: &Bits<W>) -> bool {
    let starts = terrain.ground().starts();
    let columns: Vec<usize> = (0..starts.len()).filter(|&at| bases.has(starts[at])).collect();
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| terrain.ground().to_starts().row(sq)).collect();
    rows.len() == columns.len() && can_pair(rows.len(), |row, column| rows[row][columns[column]] != Distances::NONE)
}

fn hash<const W: usize>(boxes: &Bits<W>, bases: &Bits<W>, zone: u16) -> u64 {
    boxes.hash_with(zone) ^ bases.hash_with(0).rotate_left(21)
}

/// Boxes left, pieces, boxes on goals, cut links: few; far from the goals: much.
fn score<const W: usize>(terrain: &Terrain<W>, boxes: &Bits<W>, view: View) -> (Score, u64) {
    let n_home = boxes.iter().filter(|&sq| terrain.goals.has(sq)).count() as u64;
    let far: u64 = boxes.iter().map(|sq| u64::from(terrain.far[usize::from(sq)])).sum();
    let (n_left, n_pieces, n_cut) = (boxes.len() as u64, view.n_pieces.min(255), view.n_cut.min(4095));
    let order =
        (n_left << 52) | (n_pieces << 44) | (n_home << 34) | (n_cut << 22) | ((1 << 22) - 1 - far.min((1 << 22) - 1));
    (Score { order, cell: (n_left << 40) | (n_home << 28) | (n_pieces << 20) | n_cut }, far)
}

fn is_hole<const W: usize>(terrain: &Terrain<W>, sq: u16) -> bool {
    terrain.goals.has(sq)
        && terrain.ground().steps(sq).into_iter().filter(|&next| next == terrain.ground().wall()).count() == 3
}

/// Which sink move first: a box that is nowhere in particular, not out of a hole, leaving few pieces, from far.
fn sink_key<const W: usize>(terrain: &Terrain<W>, node: &Node<W>, draft: &Draft) -> (bool, bool, u64, u16) {
    let Leap { from, to, .. } = draft.edge.leap;
    let is_floating = !terrain.goals.has(from) && !node.bases.has(from);
    (!is_floating, is_hole(terrain, from), draft.view.n_pieces, u16::MAX - terrain.walk(from, to))
}

/// Gives weight 0 to the pulls that the advisors name.
fn advise<const W: usize>(terrain: &Terrain<W>, now: View, far: u64, drafts: &mut [Draft]) {
    let mut name = |allows: &dyn Fn(&Draft) -> bool, key: &dyn Fn(&Draft) -> (bool, u64, u64, u64)| {
        if let Some(best) = drafts.iter_mut().filter(|draft| allows(draft)).min_by_key(|draft| key(draft)) {
            best.edge.weight = 0;
        }
    };
    let by_score = |draft: &Draft| (false, 0, 0, draft.edge.score.order);
    name(
        &|draft| {
            let view = draft.view;
            terrain.goals.has(draft.edge.leap.from)
                && view.n_pieces <= now.n_pieces
                && view.n_cut <= now.n_cut
                && draft.far > far
        },
        &|draft| {
            let Leap { from, to, .. } = draft.edge.leap;
            let pushes = terrain.pushes.row(to)[usize::from(from)];
            (is_hole(terrain, from), draft.view.n_pieces, draft.view.n_cut, u64::from(u16::MAX - pushes))
        },
    );
    name(&|draft| draft.view.n_pieces < now.n_pieces, &by_score);
    name(&|draft| draft.view.n_cut < now.n_cut, &by_score);
    name(&|draft| draft.view.is_opening, &by_score);
}
