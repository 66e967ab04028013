//! A board of at most 64 cells and its rules, written for exhaustive search: the referee of the campaign.
//!
//! ```text
//!   cell = row * width + column        bit `cell` of a `u64` is that cell
//! ```
//!
//! It reads the letters of a picture and shares nothing else with the crates that it judges: neither squares, nor moves,
//! nor live squares, nor the normal form of positions. A wall all around the floor is presumed, as in every level.

use sokocore::{Cell, Level};

/// Most cells of a picture.
pub(super) const MAX_CELLS: usize = 64;

/// A direction, as a number below 4: up, right, down, left.
pub(super) type Way = usize;

/// Walls, goals and the start.
#[derive(Clone, Debug)]
pub(super) struct FlatBoard {
    pub(super) walls: u64,
    pub(super) goals: u64,
    pub(super) start: FlatState,
    width: usize,
    height: usize,
}

/// Boxes, and the player's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FlatState {
    pub(super) boxes: u64,
    pub(super) player: usize,
}

impl FlatBoard {
    /// Reads the picture of a level; `None` if it has more than [`MAX_CELLS`] cells.
    pub(super) fn of(level: &Level) -> Option<Self> {
        // What the player never reaches takes part in no rule, but its boxes have to be on goals: they are.
        let grid = level.grid();
        let cells = grid.cells();
        let mark =
            |is: &dyn Fn(Cell) -> bool| (0..cells.len()).filter(|&at| is(cells[at])).fold(0, |set, at| set | bit(at));
        if cells.len() > MAX_CELLS {
            return None;
        }
        let player = cells.iter().position(|cell| matches!(cell.letter(), '@' | '+'))?;
        let boxes = mark(&|cell| matches!(cell.letter(), '$' | '*'));
        let goals = mark(&|cell| matches!(cell.letter(), '.' | '*' | '+'));
        let walls = mark(&|cell| cell.letter() == '#');
        Some(Self { walls, goals, start: FlatState { boxes, player }, width: grid.width(), height: grid.height() })
    }

    /// Returns the cell beside another one; a wall ends every path, so that no cell is beyond the picture.
    pub(super) const fn beside(&self, cell: usize, way: Way) -> usize {
        match way {
            0 => cell - self.width,
            1 => cell + 1,
            2 => cell + self.width,
            _ => cell - 1,
        }
    }

    /// Returns row and column of a cell, from 0.
    pub(super) const fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.width, cell % self.width)
    }

    /// Returns the cells that the player reaches, its own among them.
    pub(super) const fn region(&self, state: FlatState) -> u64 {
        let free = !(self.walls | state.boxes);
        let mut region = bit(state.player);
        loop {
            let spread = region | region << 1 | region >> 1 | region << self.width | region >> self.width;
            let next = spread & free;
            if next == region {
                return region;
            }
            region = next;
        }
    }

    /// Returns the cells that the player could reach if there were no boxes.
    pub(super) const fn region_without_boxes(&self) -> u64 {
        self.region(FlatState { boxes: 0, player: self.start.player })
    }

    /// Plays one move; `None` if it is against the rules. The second value is whether it is a push.
    pub(super) const fn play(&self, state: FlatState, way: Way) -> Option<(FlatState, bool)> {
        let FlatState { boxes, player } = state;
        let next = self.beside(player, way);
        if self.walls & bit(next) != 0 {
            return None;
        }
        if boxes & bit(next) == 0 {
            return Some((FlatState { boxes, player: next }, false));
        }
        let to = self.beside(next, way);
        if (self.walls | boxes) & bit(to) != 0 {
            return None;
        }
        Some((FlatState { boxes: boxes ^ bit(next) ^ bit(to), player: next }, true))
    }

    /// Returns whether all boxes are on goals.
    pub(super) const fn is_solved(&self, boxes: u64) -> bool {
        boxes & !self.goals == 0
    }

    /// Plays letters of moves, case ignored; returns the states after each of them with whether it was a push, or `None`
    /// if one is against the rules.
    pub(super) fn play_letters(&self, letters: &str) -> Option<Vec<(FlatState, bool)>> {
        let mut state = self.start;
        let play = |letter: char| {
            let way = "urdl".find(letter.to_ascii_lowercase())?;
            let (next, is_push) = self.play(state, way)?;
            state = next;
            Some((next, is_push))
        };
        letters.chars().map(play).collect()
    }

    /// Draws a state, row by row.
    pub(super) fn draw(&self, state: FlatState) -> String {
        let mut picture = String::new();
        for cell in 0..self.width * self.height {
            let on = |set: u64| set & bit(cell) != 0;
            picture.push(match (on(self.walls), on(state.boxes), state.player == cell, on(self.goals)) {
                (true, ..) => '#',
                (_, true, _, false) => '$',
                (_, true, _, true) => '*',
                (_, _, true, false) => '@',
                (_, _, true, true) => '+',
                (_, _, _, true) => '.',
                _ => ' ',
            });
            if (cell + 1) % self.width == 0 {
                picture.push('\n');
            }
        }
        picture
    }
}

/// The set of one cell.
pub(super) const fn bit(cell: usize) -> u64 {
    1 << cell
}

/// Goes through the cells of a set.
pub(super) fn cells(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}
