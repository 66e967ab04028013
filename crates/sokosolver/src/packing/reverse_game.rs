//! The reverse game that finds a packing order: boxes on all goals, the start squares empty. Step by step a box is
//! parked, or boxes are taken away for good.
//!
//! A box may be taken away if it can be pulled to a start square of its own and the player can return. Before the first
//! is taken away, the player must have seen every start square; boxes are parked until he has. A box that can reach few
//! squares is parked rather than taken away. The goal of the box taken away last is filled first.
//!
//! ```text
//!   RemovalCheck: box by box ─▶ ParkingSearch: squares, box by box ─▶ ParkingTrials: one by one ─▶ Removing ─▶ lost
//!      all checked, none to be parked ────────────────────────────────────────────────────────────▲
//! ```
//!
//! The depth-first search keeps its own stack, so that it can be paused between any two boxes.
//!
//! Invariant: the board is that of the top frame, and each frame below can undo what led to the next one above. The
//! method is Brian Damgaard's (the YASS solver), after its description.

mod fall_back;
mod parking;
mod removal;

use sokocore::FloorSquare;
use sokosearch::Stop;

use self::fall_back::Fallback;
use self::parking::{ParkingSearch, ParkingTrials};
use self::removal::{Removal, RemovalCheck};
use super::order::{OrderOrigin, OrderTarget, PackingOrder};
use super::pull_walk::PullWalk;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::board::{Distances, Flood, GoalIndex};

/// The rules of the game that can be switched off, each for another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Boxes that can reach few squares are parked.
    pub(crate) small_area: bool,
    /// Nothing is taken away until all start squares have been seen.
    pub(crate) see_all: bool,
}

/// How the game stands.
#[derive(Debug)]
pub(crate) enum ReverseGameState {
    Running,
    /// No region leads to an empty board.
    Lost,
    Won(PackingOrder),
}

/// The game on one level.
#[derive(Debug)]
pub(crate) struct ReverseGame {
    rules: Rules,
    flood: Flood,
    walk: PullWalk,
    /// The boxes: first those of the goals, then one for each parking.
    boxes: Vec<GameBox>,
    start_used: Vec<bool>,
    /// For each goal, the start squares it can be filled from.
    sources: Vec<Vec<StartIndex>>,
    n_parkings: u32,
    /// The goals taken away in the best game, with their phases.
    best: Vec<(GoalIndex, u16)>,
    /// Where the player may yet begin, the first one last; `None` before the first game.
    regions: Option<Vec<FloorSquare>>,
    frames: Vec<GameFrame>,
    fallback: Option<Fallback>,
}

/// The index of a start square among [`SearchBoard::starts`](crate::board::SearchBoard::starts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StartIndex(usize);

impl StartIndex {
    const fn idx(self) -> usize {
        self.0
    }
}

#[derive(Clone, Copy, Debug)]
struct GameBox {
    target: OrderTarget,
    on_board: bool,
}

/// A position of the game, and its stage.
#[derive(Clone, Debug)]
struct GameFrame {
    player: FloorSquare,
    step: u16,
    /// The start squares that the player has seen.
    seen: Vec<bool>,
    stage: FrameStage,
}

#[derive(Clone, Debug)]
enum FrameStage {
    Fresh,
    RemovalCheck(RemovalCheck),
    ParkingSearch(ParkingSearch),
    Parking(ParkingTrials),
    Removing(Vec<Removal>),
    Removed(Vec<Removal>),
}

impl GameFrame {
    const fn new(player: FloorSquare, step: u16, seen: Vec<bool>) -> Self {
        Self { player, step, seen, stage: FrameStage::Fresh }
    }
}

impl ReverseGame {
    pub(crate) fn new(tables: &LevelTables, rules: Rules) -> Self {
        let board = tables.board();
        let goals = board.goals();
        let boxes = goals.iter().map(|&sq| OrderTarget { sq, phase: 0, parked_for: 0 });
        let sources = (0..goals.len()).map(|goal| {
            let reaches =
                |&start: &StartIndex| board.to_goals().row(board.starts()[start.idx()])[goal] < Distances::NONE;
            (0..board.n_boxes()).map(StartIndex).filter(reaches).collect()
        });
        Self {
            rules,
            flood: Flood::new(board),
            walk: PullWalk::new(tables),
            boxes: boxes.map(|target| GameBox { target, on_board: true }).collect(),
            start_used: vec![false; board.n_boxes()],
            sources: sources.collect(),
            n_parkings: 0,
            best: Vec::new(),
            regions: None,
            frames: Vec::new(),
            fallback: None,
        }
    }

    /// Returns the rules.
    pub(crate) const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays one step of the game, from every region that the player can be in.
    ///
    /// # Errors
    /// The reason to stop; the game can be resumed.
    pub(crate) fn play(&mut self, tables: &LevelTables, meter: &mut WorkMeter) -> Result<ReverseGameState, Stop> {
        let Some(regions) = &mut self.regions else {
            let mut regions = self.find_regions(tables);
            regions.reverse();
            self.regions = Some(regions);
            meter.ticks_of(tables.flood_ticks())?;
            return Ok(ReverseGameState::Running);
        };
        let Some(frame) = self.frames.pop() else {
            let Some(player) = regions.pop() else { return Ok(ReverseGameState::Lost) };
            let seen = tables.board().starts().iter().map(|&sq| tables.is_goal(sq)).collect();
            self.frames.push(GameFrame::new(player, 1, seen));
            return Ok(ReverseGameState::Running);
        };
        if self.on_board().next().is_none() {
            return Ok(ReverseGameState::Won(self.order(tables, OrderOrigin::ReverseGame)));
        }
        let ticks = self.advance(tables, frame);
        meter.ticks_of(ticks)?;
        Ok(ReverseGameState::Running)
    }

    /// Advances the top frame by one step; returns the ticks it took.
    fn advance(&mut self, tables: &LevelTables, mut frame: GameFrame) -> u64 {
        self.spread(tables, frame.player);
        let (stage, ticks) = match std::mem::replace(&mut frame.stage, FrameStage::Fresh) {
            FrameStage::Fresh => {
                self.mark_seen(tables, &mut frame.seen);
                (FrameStage::RemovalCheck(self.begin_removal_check(tables, &frame.seen)), tables.flood_ticks())
            }
            FrameStage::RemovalCheck(removal_check) => self.check_next_box(tables, &frame, removal_check),
            FrameStage::ParkingSearch(parking_search) => self.find_next_squares(tables, &frame, parking_search),
            FrameStage::Parking(parking_trials) => {
                let (stage, next) = self.park(tables, &frame, parking_trials);
                frame.stage = stage;
                self.frames.push(frame);
                self.frames.extend(next);
                return 1;
            }
            FrameStage::Removing(removals) if removals.is_empty() => return 1,
            FrameStage::Removing(removals) => {
                let next = self.take_away(&frame, &removals);
                frame.stage = FrameStage::Removed(removals);
                self.frames.extend([frame, next]);
                return 1;
            }
            FrameStage::Removed(removals) => {
                self.put_back(&removals);
                return 1;
            }
        };
        frame.stage = stage;
        self.frames.push(frame);
        ticks
    }

    fn order(&self, tables: &LevelTables, origin: OrderOrigin) -> PackingOrder {
        PackingOrder::new(tables, self.boxes.iter().map(|game_box| game_box.target).collect(), origin)
    }

    /// Returns a square of each region of the player, that of the player's own first.
    fn find_regions(&mut self, tables: &LevelTables) -> Vec<FloorSquare> {
        let board = tables.board();
        let boxes = self.boxes.iter().filter(|game_box| game_box.on_board).map(|game_box| game_box.target.sq);
        self.flood.place(boxes);
        let mut regions = Vec::new();
        for sq in std::iter::once(board.player()).chain(board.squares()) {
            if self.flood.is_free(sq) && !self.flood.reaches(sq) {
                self.flood.spread(board, sq);
                regions.push(sq);
            }
        }
        regions
    }

    fn on_board(&self) -> impl Iterator<Item = FloorSquare> {
        self.boxes.iter().filter(|game_box| game_box.on_board).map(|game_box| game_box.target.sq)
    }

    fn spread(&mut self, tables: &LevelTables, player: FloorSquare) {
        let boxes = self.boxes.iter().filter(|game_box| game_box.on_board).map(|game_box| game_box.target.sq);
        self.flood.place(boxes);
        self.flood.spread(tables.board(), player);
    }

    /// Returns whether the player, after [`ReverseGame::spread`], can pull the box at once.
    fn can_pull(&self, tables: &LevelTables, game_box: usize) -> bool {
        let board = tables.board();
        let sq = self.boxes[game_box].target.sq;
        (0..4).any(|dir| {
            let to = board.step(sq, dir);
            board.is_live(to) && self.flood.reaches(to) && self.flood.reaches(board.step(to, dir))
        })
    }

    /// Marks the start squares that the player stands on or touches as seen.
    fn mark_seen(&self, tables: &LevelTables, seen: &mut [bool]) {
        let board = tables.board();
        for (seen, &start) in seen.iter_mut().zip(board.starts()) {
            let touched = !self.flood.is_free(start) && board.steps(start).iter().any(|&sq| self.flood.reaches(sq));
            *seen |= self.flood.reaches(start) || touched;
        }
    }
}

fn manhattan(tables: &LevelTables, a: FloorSquare, b: FloorSquare) -> u16 {
    let (a, b) = (tables.place(a), tables.place(b));
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}
