//! A search by pulls from the solved position: for a plan, for an open position, or for a way to the start.
//!
//! For a plan, boxes are taken off the board once they reach a start square that must be reached (a *sink*); the way
//! there, read backward, is the plan. Otherwise all positions are noted, for searches by pushes to meet.

use sokosearch::{Charge, Stop};

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchDirection};
use crate::deadlock::pi_corral::{Corral, CorralChoice, PiCorrals};

use super::plan::Plan;
use super::pull_aim::{Draft, PullAim, sink_key};
use super::sinks::{are_paired, is_off, sinks};
use super::step::{Meeting, Step};
use crate::fess::features::view::{View, Viewer};
use crate::fess::features::worth::TENTH;
use crate::fess::macro_move::{MacroMove, MacroMoves};
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::FessTree;
use crate::fess::tree::nodes::{NO_NODE, Node, Score};
use crate::fess::tree::pending_moves::Edge;

/// A search by pulls.
#[derive(Debug)]
pub(crate) struct Backward<const W: usize> {
    tree: u16,
    aim: PullAim<W>,
    pub(crate) forest: FessTree<W>,
    flood: Flood,
    leaps: MacroMoves,
    viewer: Viewer<W>,
    corrals: PiCorrals,
    charge: Charge,
    owed: u64,
    is_begun: bool,
    met: Option<Meeting<W>>,
}

/// MacroMoves on trial: those that leave the box on the board, and those that take it off.
#[derive(Debug)]
struct Drafts {
    staying: Vec<Draft>,
    sinking: Vec<Draft>,
}

impl<const W: usize> Backward<W> {
    /// Makes a search; `tree` is its number among those that share the commons.
    pub(crate) fn new(commons: &SharedTables<W>, tree: u16, aim: PullAim<W>, effort: &WorkMeter) -> Self {
        let ground = commons.terrain.ground();
        Self {
            tree,
            forest: if aim.is_worth() { FessTree::of_values() } else { FessTree::default() },
            viewer: Viewer::new(&commons.terrain, aim.looks()),
            aim,
            flood: Flood::new(ground),
            leaps: MacroMoves::new(ground),
            corrals: PiCorrals::new(ground, CorralChoice::FewestPushes),
            charge: effort.memory().nothing(),
            owed: 0,
            is_begun: false,
            met: None,
        }
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
            if node.boxes.len() == 0 {
                self.forest.add(&node, Vec::new());
                return Ok(Step::Exhausted);
            }
            match self.expand(commons, &mut node, edge.sinks) {
                Some(edges) => drop(self.forest.add(&node, edges)),
                None => self.forest.mark_lost(father),
            }
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

    /// Reads the plan off the way to the best position so far.
    pub(crate) fn plan(&self) -> Plan {
        let Some(last) = self.forest.best() else { return Plan::default() };
        let line = self.forest.nodes_to(last);
        let pulls: Vec<(MacroMove, bool)> = line.iter().skip(1).map(|node| (node.leap, node.sinks)).collect();
        Plan::of(&pulls, line.last().map_or(BitSet::default(), |last| last.boxes).iter())
    }

    /// Reads the order in which goals are filled off the way to a position nearly as good as the best one; returns
    /// the positions on this way, too.
    pub(crate) fn order(&self) -> Option<(Plan, Vec<BitSet<W>>)> {
        let last = self.forest.first_near(self.forest.best()?, TENTH);
        let line = self.forest.nodes_to(last);
        let pulls: Vec<(MacroMove, bool)> = line.iter().skip(1).map(|node| (node.leap, false)).collect();
        let plan = Plan::of(&pulls, line.last()?.boxes.iter());
        Some((plan.final_steps(), line.iter().map(|node| node.boxes).collect()))
    }

    /// Returns the boxes of the best position so far.
    pub(crate) fn best(&self) -> Option<BitSet<W>> {
        Some(self.forest.node(self.forest.best()?)?.boxes)
    }

    /// One root for each place where the player may end.
    fn plant(&mut self, commons: &mut SharedTables<W>) {
        let goals = commons.terrain.goals;
        for sq in (0..commons.terrain.ground().wall()).filter(|&sq| !goals.has(sq)) {
            let view = self.viewer.begin(&commons.terrain, &goals, sq);
            let hash = hash(&commons.terrain, &goals, &commons.terrain.starts, view.zone);
            if view.zone == sq && self.forest.close(hash) {
                let terrain = &commons.terrain;
                let score = self.aim.rate(terrain, &goals, sq, view).0;
                let mut node = Node::root(goals, terrain.starts, sq, score);
                if let Some(edges) = self.expand(commons, &mut node, false) {
                    self.forest.add(&node, edges);
                }
            }
        }
    }

    /// Takes the leap whose turn it is. MacroMoves that are made again are not counted as work: so the same work is done
    /// however many of them are kept.
    fn next(&mut self, commons: &SharedTables<W>) -> Option<(u32, Edge)> {
        let (mut forest, owed) = (std::mem::take(&mut self.forest), self.owed);
        let next = forest.next(|node| {
            self.flood.run(commons.terrain.ground(), &node.boxes, node.player);
            let rated = self.rate(commons, node);
            let drafts = self.drafts(commons, node);
            self.advised(commons, node, rated, drafts)
        });
        (self.forest, self.owed) = (forest, owed);
        next
    }

    /// Makes the leaps of a position; `None` if it is lost.
    fn expand(&mut self, commons: &mut SharedTables<W>, node: &mut Node<W>, sank: bool) -> Option<Vec<Edge>> {
        let terrain = &commons.terrain;
        self.flood.run(terrain.ground(), &node.boxes, node.player);
        self.owed += 7;
        if node.parent != NO_NODE && self.is_lost(terrain, node, sank) {
            return None;
        }
        let rated = self.rate(commons, node);
        node.score = rated.0;
        let drafts = self.drafts(commons, node);
        if node.bases == terrain.starts {
            self.note(commons, node, rated.1.zone, &drafts.staying);
        }
        Some(self.advised(commons, node, rated, drafts))
    }

    /// FeatureMask at a position; returns its score, what it looks like, and how far the boxes are from the goals.
    fn rate(&mut self, commons: &SharedTables<W>, node: &Node<W>) -> (Score, View, u64) {
        let view = self.viewer.begin(&commons.terrain, &node.boxes, node.player);
        self.aim.begin(&node.boxes);
        let (own, far) = self.aim.rate(&commons.terrain, &node.boxes, node.player, view);
        (own, view, far)
    }

    /// Makes the leaps of a position, flooded and looked at.
    fn drafts(&mut self, commons: &SharedTables<W>, node: &Node<W>) -> Drafts {
        let terrain = &commons.terrain;
        let ground = terrain.ground();
        let packing = self.aim.packing();
        let sinks = if packing.is_some() { sinks(terrain, node, &self.flood) } else { BitSet::default() };
        let (mut drafts, mut sinking) = (Vec::new(), Vec::<Draft>::new());
        let mut found = Vec::new();
        for sq in node.boxes.iter() {
            found.clear();
            let reach = |sq| self.flood.reaches(sq);
            if !MacroMoves::can_start(ground, SearchDirection::Backward, &node.boxes, sq, reach) {
                continue;
            }
            self.viewer.lift(ground, SearchDirection::Backward, sq);
            let (lifted, any) = (self.viewer.lifted(), |_: &BitSet<W>, _: u16| true);
            self.leaps
                .each(ground, SearchDirection::Backward, &node.boxes, sq, lifted, reach, any, |leap| found.push(leap));
            let mut best_sink: Option<Draft> = None;
            for &leap in &found {
                self.owed += 1;
                let is_sink = sinks.has(leap.to) && packing.is_some_and(|how| is_off(terrain, node, leap, how.far));
                if let Some(packing) = packing.filter(|_| is_sink) {
                    let draft = self.sink(terrain, node, leap);
                    let key = |draft: &Draft| sink_key(terrain, node, draft, packing);
                    if best_sink.is_none_or(|best| key(&draft) < key(&best)) {
                        best_sink = Some(draft);
                    }
                } else if (!terrain.tunnels.has(leap.to) || terrain.starts.has(leap.to))
                    && !(packing.is_none() && is_dead(commons, node, leap))
                {
                    drafts.push(self.draft(terrain, node, leap));
                }
            }
            sinking.extend(best_sink);
        }
        Drafts { staying: drafts, sinking }
    }

    /// Asks the advisors. If boxes can leave the board, nothing else is done.
    fn advised(
        &self,
        commons: &SharedTables<W>,
        node: &Node<W>,
        (own, view, far): (Score, View, u64),
        Drafts { staying: mut drafts, mut sinking }: Drafts,
    ) -> Vec<Edge> {
        let terrain = &commons.terrain;
        if let Some(packing) = self.aim.packing().filter(|_| !sinking.is_empty()) {
            let sinks = sinking.iter_mut().filter(|_| commons.settings.advisors.packing);
            if let Some(best) = sinks.min_by_key(|draft| sink_key(terrain, node, draft, packing)) {
                best.edge.weight = 0;
            }
            return sinking.into_iter().map(|draft| draft.edge).collect();
        }
        self.aim.advise(commons, own, view, far, &mut drafts);
        drafts.into_iter().map(|draft| draft.edge).collect()
    }

    /// Notes a position with all boxes on the board and those that its leaps lead to, and whether the other side has any.
    fn note(&mut self, commons: &SharedTables<W>, node: &Node<W>, zone: u16, drafts: &[Draft]) {
        let hashes = drafts.iter().map(|draft| draft.edge.hash);
        let met = commons.perimeter.lock().enter(SearchDirection::Backward, node.boxes.hash_with(zone), hashes);
        if let Some(at) = met {
            let way = self.forest.way_on(node, drafts[at].edge.leap);
            self.met = Some(Meeting { way, tree: self.tree });
        }
    }

    fn draft(&mut self, terrain: &FessTables<W>, node: &Node<W>, leap: MacroMove) -> Draft {
        let boxes = node.boxes.moved(leap.from, leap.to);
        let view = self.viewer.put(terrain, leap.to, leap.player);
        let (score, far) = self.aim.rate(terrain, &boxes, leap.player, view);
        let hash = hash(terrain, &boxes, &node.bases, view.zone);
        Draft { edge: Edge { leap, hash, order: score.order, weight: 1, sinks: false }, view, far }
    }

    /// A pull that takes the box off the board. Pieces are counted while it is still there.
    fn sink(&mut self, terrain: &FessTables<W>, node: &Node<W>, leap: MacroMove) -> Draft {
        let mut draft = self.draft(terrain, node, leap);
        let (mut boxes, mut bases) = (node.boxes, node.bases);
        boxes.remove(leap.from);
        bases.remove(leap.to);
        draft.edge.sinks = true;
        let view = self.viewer.gone(terrain);
        draft.edge.hash = hash(terrain, &boxes, &bases, view.zone);
        draft.edge.order = self.aim.rate(terrain, &boxes, leap.player, view).0.order;
        draft
    }

    fn is_lost(&mut self, terrain: &FessTables<W>, node: &Node<W>, sank: bool) -> bool {
        let ground = terrain.ground();
        if !sank && (!are_paired(terrain, &node.boxes, &node.bases) || self.has_stuck(terrain, node)) {
            return true;
        }
        self.flood.run(ground, &node.boxes, node.player);
        if self.aim.packing().is_none() {
            return false;
        }
        self.corrals.label(ground, &self.flood);
        match self.corrals.find(ground, &terrain.goals, &node.boxes, &self.flood) {
            Corral::None => false,
            Corral::Only(only) => sank || !only.has(node.leap.to),
            Corral::Dead => true,
        }
    }

    /// Whether a box not at home is left when all that can be pulled are taken away, one after the other.
    fn has_stuck(&mut self, terrain: &FessTables<W>, node: &Node<W>) -> bool {
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

/// Whether the boxes cannot all get to start squares, as far as the patterns of the box just pulled say.
fn is_dead<const W: usize>(commons: &SharedTables<W>, node: &Node<W>, leap: MacroMove) -> bool {
    let side = (0..4).find(|&side| commons.terrain.ground().step(leap.to, side) == leap.player);
    let boxes = node.boxes.moved(leap.from, leap.to);
    side.is_some_and(|side| commons.pulled_patterns.is_dead(&boxes, leap.to, side))
}

/// The same as by pushes as long as all boxes are on the board.
fn hash<const W: usize>(terrain: &FessTables<W>, boxes: &BitSet<W>, bases: &BitSet<W>, zone: u16) -> u64 {
    boxes.hash_with(zone) ^ (bases.hash_with(0) ^ terrain.starts.hash_with(0)).rotate_left(21)
}
