//! The reverse game that finds a packing order: boxes on all goals, the start squares empty, and one step after the
//! other either parks a box or takes boxes away for good.
//!
//! A box may be taken away if it can be pulled to a start square of its own and the player can come back. Before any is,
//! the player must have seen every start square; boxes are parked until he has. A box that has hardly any room is
//! parked rather than taken away. What is taken away last is filled first.
//!
//! Invariant: between two nodes of the depth-first search the board is that of the node above. The method is
//! Brian Damgaard's (the YASS solver), after its description.

mod parking;
mod removal;

use sokosearch::Stop;

use self::removal::Removal;
use super::order::{Making, Order, Target};
use super::pull_walk::PullWalk;
use super::yard::Yard;
use crate::Effort;
use crate::ground::{Distances, Flood};

/// How many boxes may be parked in vain before the game is given up.
const MAX_PARKINGS: u32 = 8_000;

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
pub(crate) struct ReverseGame<'a> {
    yard: &'a Yard,
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
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    target: Target,
    on_board: bool,
}

impl<'a> ReverseGame<'a> {
    pub(crate) fn new(yard: &'a Yard, rules: Rules) -> Self {
        let ground = yard.ground();
        let goals = ground.goals();
        let boxes = goals.iter().map(|&sq| Target { sq, phase: 0, parked_for: 0 });
        let sources = (0..goals.len()).map(|goal| {
            let reaches =
                |&start: &u16| ground.to_goals().row(ground.starts()[usize::from(start)])[goal] < Distances::NONE;
            (0u16..).take(ground.n_boxes()).filter(reaches).collect()
        });
        Self {
            yard,
            rules,
            flood: Flood::new(ground),
            walk: PullWalk::new(yard),
            boxes: boxes.map(|target| Piece { target, on_board: true }).collect(),
            start_used: vec![false; ground.n_boxes()],
            sources: sources.collect(),
            n_parkings: 0,
            best: Vec::new(),
        }
    }

    /// Plays the game from every region the player can be in; `None` if none leads to an empty board.
    ///
    /// # Errors
    /// The reason to stop. The end of a slice is none: a game cannot be paused.
    pub(crate) fn play(&mut self, effort: &mut Effort) -> Result<Option<Order>, Stop> {
        for player in self.regions() {
            let seen = self.yard.ground().starts().iter().map(|&sq| self.yard.is_goal(sq)).collect();
            if self.node(player, 1, seen, effort)? {
                return Ok(Some(self.order(Making::Played)));
            }
        }
        Ok(None)
    }

    /// Makes an order from the best game so far: first what it took away, then again and again whatever the player
    /// can pull at all.
    pub(crate) fn fall_back(mut self) -> Order {
        let n_goals = self.yard.ground().goals().len();
        self.boxes.truncate(n_goals);
        let mut last = 0;
        for piece in &mut self.boxes {
            (piece.on_board, piece.target.phase) = (true, 0);
        }
        for &(goal, phase) in &self.best {
            last = last.max(phase);
            let piece = &mut self.boxes[usize::from(goal)];
            (piece.on_board, piece.target.phase) = (false, phase);
        }
        while self.boxes.iter().any(|piece| piece.on_board) {
            last += 1;
            let mut peeled = Vec::new();
            for player in self.regions() {
                self.spread(player);
                peeled = (0..n_goals).filter(|&goal| self.boxes[goal].on_board && self.can_pull(goal)).collect();
                if !peeled.is_empty() {
                    break;
                }
            }
            if peeled.is_empty() {
                peeled = (0..n_goals).filter(|&goal| self.boxes[goal].on_board).collect();
            }
            for goal in peeled {
                (self.boxes[goal].on_board, self.boxes[goal].target.phase) = (false, last);
            }
        }
        self.order(Making::Fallback)
    }

    fn order(&self, making: Making) -> Order {
        Order::new(self.yard, self.boxes.iter().map(|piece| piece.target).collect(), making)
    }

    /// Returns a square of each region of the player, his own first.
    fn regions(&mut self) -> Vec<u16> {
        let ground = self.yard.ground();
        let free = |game: &Self, sq: u16| !game.on_board().any(|taken| taken == sq);
        let first = if free(self, ground.player()) { Some(ground.player()) } else { None };
        let mut regions: Vec<u16> = Vec::new();
        let mut known = vec![false; ground.n_squares()];
        for sq in first.into_iter().chain(0..ground.wall()) {
            if !known[usize::from(sq)] && free(self, sq) {
                self.spread(sq);
                (0..ground.wall()).for_each(|other| known[usize::from(other)] |= self.flood.reaches(other));
                regions.push(sq);
            }
        }
        regions
    }

    fn on_board(&self) -> impl Iterator<Item = u16> {
        self.boxes.iter().filter(|piece| piece.on_board).map(|piece| piece.target.sq)
    }

    fn spread(&mut self, player: u16) {
        let boxes = self.boxes.iter().filter(|piece| piece.on_board).map(|piece| piece.target.sq);
        self.flood.place(boxes);
        self.flood.spread(self.yard.ground(), player);
    }

    /// Returns whether the player, after [`ReverseGame::spread`], can pull the box at once.
    fn can_pull(&self, piece: usize) -> bool {
        let ground = self.yard.ground();
        let sq = self.boxes[piece].target.sq;
        (0..4).any(|dir| {
            let to = ground.step(sq, dir);
            ground.is_live(to) && self.flood.reaches(to) && self.flood.reaches(ground.step(to, dir))
        })
    }

    /// Few boxes are left: distances and room no longer matter.
    fn is_end_game(&self) -> bool {
        self.on_board().count() <= (15 * self.yard.ground().goals().len() + 50) / 100
    }

    fn node(&mut self, player: u16, step: u16, mut seen: Vec<bool>, effort: &mut Effort) -> Result<bool, Stop> {
        let n_goals = self.yard.ground().goals().len();
        if self.on_board().next().is_none() {
            return Ok(true);
        }
        press_on(effort, 100)?;
        self.spread(player);
        self.look_around(&mut seen);
        let (mut removals, small) = if !self.rules.see_all || seen.iter().all(|&seen| seen) {
            self.removals(player, effort)?
        } else {
            (Vec::new(), Vec::new())
        };
        let mut put_back = Vec::new();
        let goals_left = self.boxes[..n_goals].iter().any(|piece| piece.on_board);
        if goals_left && small.is_empty() && removals.iter().all(|&(piece, _)| piece >= n_goals) {
            put_back = std::mem::take(&mut removals);
        }
        if !small.is_empty() || removals.is_empty() {
            let allowed =
                if small.is_empty() { (0..n_goals).filter(|&goal| self.boxes[goal].on_board).collect() } else { small };
            self.mark_starts(&removals, false);
            if self.park(&allowed, player, step, &seen, effort)? {
                return Ok(true);
            }
            removals.append(&mut put_back);
        }
        self.take_away(&removals, player, step, seen, effort)
    }

    /// Adds the start squares that the player stands on or touches.
    fn look_around(&self, seen: &mut [bool]) {
        let ground = self.yard.ground();
        for (seen, &start) in seen.iter_mut().zip(ground.starts()) {
            let touched = !self.flood.is_free(start) && ground.steps(start).iter().any(|&sq| self.flood.reaches(sq));
            *seen |= self.flood.reaches(start) || touched;
        }
    }

    fn mark_starts(&mut self, removals: &[Removal], used: bool) {
        removals.iter().for_each(|&(_, start)| self.start_used[start] = used);
    }

    /// Takes the boxes away at once; the player stays where he is.
    fn take_away(
        &mut self,
        removals: &[Removal],
        player: u16,
        step: u16,
        seen: Vec<bool>,
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        if removals.is_empty() {
            return Ok(false);
        }
        self.mark_starts(removals, true);
        for &(piece, _) in removals {
            (self.boxes[piece].on_board, self.boxes[piece].target.phase) = (false, step);
        }
        self.remember();
        if self.node(player, step + 1, seen, effort)? {
            return Ok(true);
        }
        for &(piece, _) in removals {
            (self.boxes[piece].on_board, self.boxes[piece].target.phase) = (true, 0);
        }
        self.mark_starts(removals, false);
        Ok(false)
    }

    /// Remembers the goals taken away, if they are more than ever before.
    fn remember(&mut self) {
        let goals = &self.boxes[..self.yard.ground().goals().len()];
        let gone = goals.iter().filter(|piece| !piece.on_board).count();
        if gone > self.best.len() {
            let gone = (0u16..).zip(goals).filter(|(_, piece)| !piece.on_board);
            self.best = gone.map(|(goal, piece)| (goal, piece.target.phase)).collect();
        }
    }

    /// Parks one of the allowed boxes, the one with the farthest place first, each with two places to try.
    fn park(
        &mut self,
        allowed: &[usize],
        player: u16,
        step: u16,
        seen: &[bool],
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        let mut parkings = Vec::new();
        for &goal in allowed {
            self.spread(player);
            if self.can_pull(goal) {
                press_on(effort, 50)?;
                parkings.extend(self.places(goal, player));
            }
        }
        while let Some(choice) = self.choose(&parkings) {
            let parking = parkings.remove(choice);
            for (sq, stand) in parking.places.into_iter().flatten() {
                self.n_parkings += 1;
                if self.n_parkings > MAX_PARKINGS || step > 250 {
                    return Ok(false);
                }
                (self.boxes[parking.goal].on_board, self.boxes[parking.goal].target.phase) = (false, step);
                let target = Target { sq, phase: 0, parked_for: step };
                self.boxes.push(Piece { target, on_board: true });
                if self.node(stand, step + 1, seen.to_vec(), effort)? {
                    return Ok(true);
                }
                self.boxes.pop();
                (self.boxes[parking.goal].on_board, self.boxes[parking.goal].target.phase) = (true, 0);
            }
        }
        Ok(false)
    }
}

/// Counts work, going on past the end of a slice.
fn press_on(effort: &mut Effort, ticks: u64) -> Result<(), Stop> {
    match effort.ticks_of(ticks) {
        Err(Stop::Work) | Ok(()) => Ok(()),
        Err(stop) => Err(stop),
    }
}

fn manhattan(yard: &Yard, a: u16, b: u16) -> u16 {
    let (a, b) = (yard.place(a), yard.place(b));
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}
