//! The reverse game that finds a packing order: boxes on all goals, the start squares empty, and one step after the
//! other either parks a box or takes boxes away for good.
//!
//! A box may be taken away if it can be pulled to a start square of its own and the player can come back. Before any is,
//! the player must have seen every start square; boxes are parked until he has. A box that has hardly any room is
//! parked rather than taken away. What is taken away last is filled first.
//!
//! ```text
//!   Judging: box by box ──▶ Weighing: places, box by box ──▶ Parking: one after the other ──▶ Removing ──▶ lost
//!      all judged, none to be parked ──────────────────────────────────────────────────────────▲
//! ```
//!
//! The depth-first search keeps its own stack, so that it can be paused between any two boxes that it looks at.
//!
//! Invariant: the board is that of the top frame, and a frame below it knows how to take back what led to the next one
//! above. The method is Brian Damgaard's (the YASS solver), after its description.

mod fall_back;
mod parking;
mod removal;

use sokosearch::Stop;

use self::fall_back::Peeling;
use self::parking::{Parkings, Weighing};
use self::removal::{Judging, Removal};
use super::order::{Making, Order, Target};
use super::pull_walk::PullWalk;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::board::{Distances, Flood};

/// The rules of the game that may be switched off, each for another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Boxes with hardly any room are parked.
    pub(crate) small_area: bool,
    /// Nothing is taken away until all start squares have been seen.
    pub(crate) see_all: bool,
}

/// The game on one level.
#[derive(Debug)]
pub(crate) struct ReverseGame {
    rules: Rules,
    flood: Flood,
    walk: PullWalk,
    /// The boxes: first those of the goals, then one for each parking.
    boxes: Vec<Piece>,
    start_used: Vec<bool>,
    /// For each goal, the start squares it can be filled from.
    sources: Vec<Vec<u16>>,
    n_parkings: u32,
    best: Vec<(u16, u16)>,
    /// Where the player may yet begin, the first one last; `None` before the first game.
    regions: Option<Vec<u16>>,
    frames: Vec<Frame>,
    peeling: Option<Peeling>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    target: Target,
    on_board: bool,
}

/// A position of the game, and how far it has been followed up.
#[derive(Clone, Debug)]
struct Frame {
    player: u16,
    step: u16,
    /// The start squares that the player has seen.
    seen: Vec<bool>,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    Fresh,
    Judging(Judging),
    Weighing(Weighing),
    Parking(Parkings),
    Removing(Vec<Removal>),
    Removed(Vec<Removal>),
}

impl Frame {
    const fn new(player: u16, step: u16, seen: Vec<bool>) -> Self {
        Self { player, step, seen, stage: Stage::Fresh }
    }
}

impl ReverseGame {
    pub(crate) fn new(yard: &LevelTables, rules: Rules) -> Self {
        let ground = yard.ground();
        let goals = ground.goals();
        let boxes = goals.iter().map(|&sq| Target { sq, phase: 0, parked_for: 0 });
        let sources = (0..goals.len()).map(|goal| {
            let reaches =
                |&start: &u16| ground.to_goals().row(ground.starts()[usize::from(start)])[goal] < Distances::NONE;
            (0u16..).take(ground.n_boxes()).filter(reaches).collect()
        });
        Self {
            rules,
            flood: Flood::new(ground),
            walk: PullWalk::new(yard),
            boxes: boxes.map(|target| Piece { target, on_board: true }).collect(),
            start_used: vec![false; ground.n_boxes()],
            sources: sources.collect(),
            n_parkings: 0,
            best: Vec::new(),
            regions: None,
            frames: Vec::new(),
            peeling: None,
        }
    }

    /// Returns the rules it is played by.
    pub(crate) const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the game a little further, from every region that the player can be in. Returns whether it is over, and
    /// with what: `Some(None)` if no region leads to an empty board.
    ///
    /// # Errors
    /// The reason to stop; the game goes on from there.
    pub(crate) fn play(&mut self, yard: &LevelTables, effort: &mut WorkMeter) -> Result<Option<Option<Order>>, Stop> {
        let Some(regions) = &mut self.regions else {
            let mut regions = self.find_regions(yard);
            regions.reverse();
            self.regions = Some(regions);
            effort.ticks_of(yard.flood_ticks())?;
            return Ok(None);
        };
        let Some(frame) = self.frames.pop() else {
            let Some(player) = regions.pop() else { return Ok(Some(None)) };
            let seen = yard.ground().starts().iter().map(|&sq| yard.is_goal(sq)).collect();
            self.frames.push(Frame::new(player, 1, seen));
            return Ok(None);
        };
        if self.on_board().next().is_none() {
            return Ok(Some(Some(self.order(yard, Making::Played))));
        }
        let ticks = self.advance(yard, frame);
        effort.ticks_of(ticks)?;
        Ok(None)
    }

    /// Follows up the top frame a little further; returns the ticks it took.
    fn advance(&mut self, yard: &LevelTables, mut frame: Frame) -> u64 {
        self.spread(yard, frame.player);
        let (stage, ticks) = match std::mem::replace(&mut frame.stage, Stage::Fresh) {
            Stage::Fresh => {
                self.look_around(yard, &mut frame.seen);
                (Stage::Judging(self.judging(yard, &frame.seen)), yard.flood_ticks())
            }
            Stage::Judging(judging) => self.judge(yard, &frame, judging),
            Stage::Weighing(weighing) => self.weigh(yard, &frame, weighing),
            Stage::Parking(parkings) => {
                let (stage, next) = self.park(yard, &frame, parkings);
                frame.stage = stage;
                self.frames.push(frame);
                self.frames.extend(next);
                return 1;
            }
            Stage::Removing(removals) if removals.is_empty() => return 1,
            Stage::Removing(removals) => {
                let next = self.take_away(&frame, &removals);
                frame.stage = Stage::Removed(removals);
                self.frames.extend([frame, next]);
                return 1;
            }
            Stage::Removed(removals) => {
                self.put_back(&removals);
                return 1;
            }
        };
        frame.stage = stage;
        self.frames.push(frame);
        ticks
    }

    fn order(&self, yard: &LevelTables, making: Making) -> Order {
        Order::new(yard, self.boxes.iter().map(|piece| piece.target).collect(), making)
    }

    /// Returns a square of each region of the player, his own first.
    fn find_regions(&mut self, yard: &LevelTables) -> Vec<u16> {
        let ground = yard.ground();
        let mut known = vec![false; ground.n_squares()];
        self.on_board().for_each(|sq| known[usize::from(sq)] = true);
        let mut regions = Vec::new();
        let mut todo = Vec::new();
        for sq in std::iter::once(ground.player()).chain(0..ground.wall()) {
            if std::mem::replace(&mut known[usize::from(sq)], true) {
                continue;
            }
            regions.push(sq);
            todo.push(sq);
            while let Some(sq) = todo.pop() {
                for next in ground.steps(sq) {
                    if next != ground.wall() && !std::mem::replace(&mut known[usize::from(next)], true) {
                        todo.push(next);
                    }
                }
            }
        }
        regions
    }

    fn on_board(&self) -> impl Iterator<Item = u16> {
        self.boxes.iter().filter(|piece| piece.on_board).map(|piece| piece.target.sq)
    }

    fn spread(&mut self, yard: &LevelTables, player: u16) {
        let boxes = self.boxes.iter().filter(|piece| piece.on_board).map(|piece| piece.target.sq);
        self.flood.place(boxes);
        self.flood.spread(yard.ground(), player);
    }

    /// Returns whether the player, after [`ReverseGame::spread`], can pull the box at once.
    fn can_pull(&self, yard: &LevelTables, piece: usize) -> bool {
        let ground = yard.ground();
        let sq = self.boxes[piece].target.sq;
        (0..4).any(|dir| {
            let to = ground.step(sq, dir);
            ground.is_live(to) && self.flood.reaches(to) && self.flood.reaches(ground.step(to, dir))
        })
    }

    /// Adds the start squares that the player stands on or touches.
    fn look_around(&self, yard: &LevelTables, seen: &mut [bool]) {
        let ground = yard.ground();
        for (seen, &start) in seen.iter_mut().zip(ground.starts()) {
            let touched = !self.flood.is_free(start) && ground.steps(start).iter().any(|&sq| self.flood.reaches(sq));
            *seen |= self.flood.reaches(start) || touched;
        }
    }
}

fn manhattan(yard: &LevelTables, a: u16, b: u16) -> u16 {
    let (a, b) = (yard.place(a), yard.place(b));
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}
