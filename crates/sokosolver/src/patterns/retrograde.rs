//! All positions of one, two or three boxes alone that can be brought home, found by playing from home.
//!
//! A state is (box squares in ascending order, one of the sides of one of the boxes, where the player stands): sides
//! in the same region are found together by a flood, so there is a bit for each side and no name for a region.

use sokosearch::Stop;

use crate::Effort;
use crate::ground::{Flood, Ground, Way};

/// The search for all living states of so many boxes.
#[derive(Debug)]
pub(crate) struct Retrograde {
    way: Way,
    size: usize,
    /// Bit `4 * box + side` for each set of squares.
    alive: Vec<u16>,
    todo: Vec<([u16; 3], u16)>,
    flood: Flood,
    /// Squares of the next position that is home.
    home: [usize; 3],
    seeded: bool,
}

impl Retrograde {
    /// Returns the number of sets of `size` squares.
    pub(crate) const fn n_configs(n_live: usize, size: usize) -> usize {
        match size {
            1 => n_live,
            2 => n_live * n_live.saturating_sub(1) / 2,
            _ => n_live * n_live.saturating_sub(1) / 2 * n_live.saturating_sub(2) / 3,
        }
    }

    /// Prepares the search: `way` is that of the game whose dead patterns are wanted.
    pub(crate) fn new(ground: &Ground, way: Way, size: usize) -> Self {
        Self {
            way,
            size,
            alive: vec![0; Self::n_configs(ground.n_live(), size)],
            todo: Vec::new(),
            flood: Flood::new(ground),
            home: [0, 1, 2],
            seeded: false,
        }
    }

    /// Returns the number of boxes.
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// Searches on until all is known.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn go_on(&mut self, ground: &Ground, effort: &mut Effort) -> Result<(), Stop> {
        loop {
            while let Some(&(squares, player)) = self.todo.last() {
                effort.tick()?;
                self.todo.pop();
                self.expand(ground, squares, player);
            }
            if self.seeded {
                return Ok(());
            }
            self.seed(ground);
        }
    }

    /// Calls with the squares, the box moved last and the side of the player, for every dead state.
    pub(crate) fn each_dead(&self, ground: &Ground, mut call: impl FnMut([u16; 3], usize, usize)) {
        let n_live = u16::try_from(ground.n_live()).unwrap_or(u16::MAX);
        let mut squares = [0; 3];
        (0..self.size).for_each(|at| squares[at] = u16::try_from(at).unwrap_or(0));
        for &mask in &self.alive {
            for moved in 0..self.size {
                for side in (0..4).filter(|side| mask >> (4 * moved + side) & 1 == 0) {
                    let stand = ground.step(squares[moved], side);
                    if stand != ground.wall() && !squares[..self.size].contains(&stand) {
                        call(squares, moved, side);
                    }
                }
            }
            // The next set, in the order of `index`.
            let mut at = 0;
            while at + 1 < self.size && squares[at] + 1 == squares[at + 1] {
                at += 1;
            }
            squares[at] += 1;
            (0..at).for_each(|low| squares[low] = u16::try_from(low).unwrap_or(0));
            debug_assert!(squares[self.size - 1] <= n_live);
        }
    }

    /// Puts the next set of home squares to do, with the player everywhere.
    fn seed(&mut self, ground: &Ground) {
        let targets = match self.way {
            Way::Forward => ground.goals(),
            Way::Backward => ground.starts(),
        };
        if self.home[self.size - 1] < targets.len() {
            let mut squares = [u16::MAX; 3];
            (0..self.size).for_each(|at| squares[at] = targets[self.home[at]]);
            squares.sort_unstable();
            for at in 0..self.size {
                for stand in ground.steps(squares[at]) {
                    if stand != ground.wall() && !squares.contains(&stand) {
                        self.todo.push((squares, stand));
                    }
                }
            }
        } else {
            self.seeded = true;
            return;
        }
        let mut at = 0;
        while at + 1 < self.size && self.home[at] + 1 == self.home[at + 1] {
            at += 1;
        }
        self.home[at] += 1;
        (0..at).for_each(|low| self.home[low] = low);
    }

    fn expand(&mut self, ground: &Ground, squares: [u16; 3], player: u16) {
        let boxes = &squares[..self.size];
        let alive = self.alive[index(squares, self.size)];
        let known = (0..self.size * 4).any(|bit| alive >> bit & 1 != 0 && ground.step(boxes[bit / 4], bit) == player);
        if known {
            return;
        }
        self.flood.place(boxes.iter().copied());
        self.flood.spread(ground, player);
        let mut found = alive;
        for bit in 0..self.size * 4 {
            let stand = ground.step(boxes[bit / 4], bit);
            if !self.flood.reaches(stand) {
                continue;
            }
            found |= 1 << bit;
            // Played the other way: pulls for the forward game, pushes for the backward one.
            let (to, player) = match self.way {
                Way::Forward => (stand, ground.step(stand, bit)),
                Way::Backward => (ground.step(boxes[bit / 4], bit ^ 2), boxes[bit / 4]),
            };
            let room = match self.way {
                Way::Forward => player,
                Way::Backward => to,
            };
            if !ground.is_live(to) || !self.flood.is_free(room) {
                continue;
            }
            let mut next = squares;
            next[bit / 4] = to;
            next.sort_unstable();
            let moved = next.iter().position(|&sq| sq == to).unwrap_or(0);
            if self.alive[index(next, self.size)] >> (4 * moved + bit % 4) & 1 == 0 {
                self.todo.push((next, player));
            }
        }
        self.alive[index(squares, self.size)] = found;
    }
}

/// The number of an ascending set of squares; those past `size` do not count.
fn index(squares: [u16; 3], size: usize) -> usize {
    let [a, b, c] = squares.map(usize::from);
    match size {
        1 => a,
        2 => b * b.saturating_sub(1) / 2 + a,
        _ => c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a,
    }
}
