//! Levels like those of Boxoban: ten by ten cells, four boxes, a thousand levels a file, without solutions.
//!
//! ```text
//!   walk that carves ─▶ one connected floor ─▶ boxes on goals ─▶ reverse play ─▶ the most entangled start
//!                                                                     one in 16: a box is put elsewhere
//! ```
//!
//! The generator is our own; only the size and the text form are those of Boxoban (Guez and others, 2018). A level in 16
//! has a box moved to another square after the reverse play, so that some levels have no solution.
//!
//! Invariant: the same seed gives the same levels, whatever their number, and no board is there twice.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use sokocore::{Cell, Direction, Grid, Level, Position, Push, Reach, Square};
use sokoio::write_file;

use super::SplitMix64;

/// Levels in a file.
const PER_FILE: usize = 1_000;
/// Rows and columns, walls included.
const SIZE: usize = 10;
const N_BOXES: usize = 4;
/// Steps of the walk that carves the floor.
const N_STRIDES: usize = 36;
/// Percentage of the steps before which the walk turns.
const TURNS: usize = 35;
/// Floor squares that a board has at least.
const MIN_FLOOR: usize = 20;
/// Games of reverse play on a board, of which the best start is taken, and pulls of each.
const N_GAMES: usize = 24;
const N_PULLS: usize = 200;
/// One level in so many has a box moved to another square.
const ONE_MOVED_IN: usize = 16;
/// Shapes that the walk carves, as (down, right) from where it stands.
const SHAPES: [&[(isize, isize)]; 5] = [
    &[(0, 0)],
    &[(0, -1), (0, 0), (0, 1)],
    &[(-1, 0), (0, 0), (1, 0)],
    &[(0, 0), (0, 1), (1, 0), (1, 1)],
    &[(-1, 0), (0, 0), (0, 1)],
];

/// Writes the levels into files `000.txt`, `001.txt` and so on.
pub(super) fn write(seed: u64, count: usize, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let has_files = std::fs::read_dir(folder)
        .with_context(|| format!("cannot list the folder {}", folder.display()))?
        .next()
        .is_some();
    ensure!(!has_files, "{} is not empty; name a new folder", folder.display());
    let mut levels = BoxobanLike::new(seed);
    for (number, first) in (0..count).step_by(PER_FILE).enumerate() {
        let path = folder.join(format!("{number:03}.txt"));
        write_file(&path, to_text(&mut levels, PER_FILE.min(count - first)).as_bytes())?;
    }
    Ok(())
}

/// Writes the next levels of a file, numbered from zero.
fn to_text(levels: &mut BoxobanLike, count: usize) -> String {
    let mut text = String::new();
    for (number, grid) in levels.take(count).enumerate() {
        writeln!(text, "; {number}\n{grid}").expect("invariant: a string takes all text");
    }
    text
}

/// An endless stream of different boards.
pub(super) struct BoxobanLike {
    random: SplitMix64,
    /// The pictures of the boards so far.
    seen: BTreeSet<String>,
}

impl BoxobanLike {
    pub(super) const fn new(seed: u64) -> Self {
        Self { random: SplitMix64(seed), seen: BTreeSet::new() }
    }

    /// Makes a board, if the choices give one.
    fn attempt(&mut self) -> Option<Grid> {
        let mut grid = self.carve();
        self.place(&mut grid)?;
        let level = Level::from_grid(grid).expect("invariant: a walk carves closed, connected floor");
        let starts: Vec<_> = (0..N_GAMES).filter_map(|_| self.play_backward(&level)).collect();
        let (_, start) = starts.into_iter().max_by_key(|&(score, _)| score)?;
        let start = if self.random.below(ONE_MOVED_IN) == 0 { self.with_box_moved(&level, start)? } else { start };
        (!level.is_solved(&start.boxes)).then(|| picture(&level, &start))
    }

    /// Carves the floor by a walk that leaves shapes behind.
    fn carve(&mut self) -> Grid {
        let mut grid = Grid::filled(SIZE, SIZE, Cell::Wall);
        let inner = |at: usize| (1..SIZE - 1).contains(&at);
        let mut place = (1 + self.random.below(SIZE - 2), 1 + self.random.below(SIZE - 2));
        let mut direction = Direction::ALL[self.random.below(4)];
        for _ in 0..N_STRIDES {
            if self.random.below(100) < TURNS {
                direction = Direction::ALL[self.random.below(4)];
            }
            let (row, column) = moved(place, direction.offset());
            if inner(row) && inner(column) {
                place = (row, column);
            }
            for &offset in SHAPES[self.random.below(SHAPES.len())] {
                let (row, column) = moved(place, offset);
                if inner(row) && inner(column) {
                    grid.set(row, column, Cell::Floor);
                }
            }
            // A shape may leave out where the walk stands only at the border; the walk itself connects the floor.
            grid.set(place.0, place.1, Cell::Floor);
        }
        grid
    }

    /// Puts boxes on goals, and the player on the floor.
    fn place(&mut self, grid: &mut Grid) -> Option<()> {
        let floor = |&cell: &usize| grid.cells()[cell] == Cell::Floor;
        let mut free: Vec<usize> = (0..SIZE * SIZE).filter(floor).collect();
        if free.len() < MIN_FLOOR {
            return None;
        }
        for piece in [Cell::BoxOnGoal; N_BOXES].into_iter().chain([Cell::Player]) {
            let cell = free.swap_remove(self.random.below(free.len()));
            grid.set(cell / SIZE, cell % SIZE, piece);
        }
        Some(())
    }

    /// Plays pulls in random order and returns the best position with its score: the way of the boxes from home, times how
    /// often the game has changed from box to box by then. No box is on a goal.
    fn play_backward(&mut self, level: &Level) -> Option<(usize, Position)> {
        let board = level.board();
        let mut reach = Reach::new(board);
        let mut position = level.start().clone();
        // The squares of the boxes: where each began, and where it is.
        let mut boxes: Vec<(Square, Square)> = position.boxes.iter().map(|sq| (sq, sq)).collect();
        let (mut last, mut n_changes, mut best) = (None, 0, None);
        for _ in 0..N_PULLS {
            let pulls: Vec<Push> = position.region(board, &mut reach).pulls().collect();
            if pulls.is_empty() {
                break;
            }
            let pull = pulls[self.random.below(pulls.len())];
            let to = pull.to(board).expect("invariant: a pull starts where its push ends");
            let moved = boxes.iter().position(|&(_, now)| now == to).expect("invariant: a pull moves a box");
            boxes[moved].1 = pull.from;
            position.player = pull.from;
            position.pull(board, pull);
            n_changes += usize::from(last != Some(moved));
            last = Some(moved);
            let far: usize = boxes.iter().map(|&(home, now)| distance(board.place(home), board.place(now))).sum();
            let score = far * n_changes;
            let has_left = boxes.iter().all(|&(_, now)| !board.goals().contains(now));
            if has_left && best.as_ref().is_none_or(|&(other, _)| score > other) {
                best = Some((score, position.clone()));
            }
        }
        best
    }

    /// Moves a box to a free live square, from where there may be no solution.
    fn with_box_moved(&mut self, level: &Level, mut start: Position) -> Option<Position> {
        let boxes: Vec<Square> = start.boxes.iter().collect();
        let is_free = |sq: &Square| !start.boxes.contains(*sq) && *sq != start.player;
        let free: Vec<Square> = level.board().squares().filter(is_free).collect();
        if free.is_empty() {
            return None;
        }
        start.boxes.remove(boxes[self.random.below(boxes.len())]);
        start.boxes.insert(free[self.random.below(free.len())]);
        Some(start)
    }
}

impl Iterator for BoxobanLike {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        loop {
            if let Some(grid) = self.attempt().filter(|grid| self.seen.insert(grid.to_string())) {
                return Some(grid);
            }
        }
    }
}

fn moved((row, column): (usize, usize), (down, right): (isize, isize)) -> (usize, usize) {
    (row.wrapping_add_signed(down), column.wrapping_add_signed(right))
}

fn distance(one: (usize, usize), other: (usize, usize)) -> usize {
    one.0.abs_diff(other.0) + one.1.abs_diff(other.1)
}

/// Draws a start on the level's board.
fn picture(level: &Level, start: &Position) -> Grid {
    let board = level.board();
    let mut grid = level.grid().clone();
    for sq in board.squares() {
        let (row, column) = board.place(sq);
        grid.set(row, column, start.display(board).cell(sq));
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosolver::Solver;

    #[test]
    fn boards_are_like_those_of_boxoban() {
        let grids: Vec<Grid> = BoxobanLike::new(5).take(60).collect();
        for grid in &grids {
            assert_eq!((grid.width(), grid.height()), (SIZE, SIZE));
            let level = Level::from_grid(grid.clone()).unwrap();
            assert_eq!((level.n_boxes(), level.board().goals().len()), (N_BOXES, N_BOXES));
            assert!(!level.is_solved(&level.start().boxes));
        }
        assert_eq!(grids, BoxobanLike::new(5).take(60).collect::<Vec<_>>());
        assert_ne!(grids, BoxobanLike::new(6).take(60).collect::<Vec<_>>());
    }

    #[test]
    fn most_levels_have_a_solution_and_some_have_none() {
        let is_unsolvable = |grid: Grid| {
            let level = Level::from_grid(grid).unwrap();
            let outcome = Solver::new(&level).work(1_000_000).run();
            assert!(outcome.is_unsolvable() || outcome.solution().is_some(), "{}", outcome.answer);
            outcome.is_unsolvable()
        };
        let n_unsolvable = BoxobanLike::new(1).take(60).filter(|grid| is_unsolvable(grid.clone())).count();
        assert!((1..=10).contains(&n_unsolvable), "{n_unsolvable}");
    }

    #[test]
    fn files_hold_numbers_and_boards() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("levels");
        write(3, 1_002, &folder).unwrap();
        let text = |name| std::fs::read_to_string(folder.join(name)).unwrap();
        let first = text("000.txt");
        assert!(first.starts_with("; 0\n##########\n") && first.ends_with("##########\n\n"));
        let collection = sokoio::Collection::parse(first.as_bytes());
        assert_eq!(collection.levels().len(), PER_FILE);
        assert_eq!(collection.levels()[999].title(), Some("999"));
        assert_eq!(text("001.txt").matches("; ").count(), 2);
        let error = write(3, 1, &folder).unwrap_err().to_string();
        assert!(error.contains("is not empty"), "{error}");
    }
}
