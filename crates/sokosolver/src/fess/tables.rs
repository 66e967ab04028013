//! The tables of a level that feature space search reads, computed once.

use std::sync::Arc;

use sokocore::FloorSquare;
use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::{Distances, Flood, SearchBoard, SearchDirection};

use crate::fess::features::rooms::Rooms;

/// The level with these tables.
#[derive(Debug)]
pub(crate) struct FessTables<const W: usize> {
    pub(crate) level: Arc<LevelTables>,
    pub(crate) goals: BitSet<W>,
    pub(crate) starts: BitSet<W>,
    pub(crate) rooms: Rooms,
    /// Pushes of a lone box from each square to each live one.
    pub(crate) pushes: Distances,
    /// For each square, pushes to all goals together.
    pub(crate) sum_to_goals: Vec<u32>,
    /// Pushes from the square farthest from all goals to the nearest one.
    pub(crate) farthest: u64,
    /// Squares in tunnels where no macro move ends.
    pub(crate) tunnels: BitSet<W>,
    walks: Vec<u16>,
}

impl<const W: usize> FessTables<W> {
    /// Computes the tables, and polls the budget.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(level: Arc<LevelTables>, meter: &mut WorkMeter) -> Result<Self, Stop> {
        let board = level.board();
        let live: Vec<FloorSquare> = board.live_squares().collect();
        let pushes = Distances::within(board.sides(), SearchDirection::Forward, &live, None, meter)?;
        let near = |distance: u16| if distance == Distances::NONE { 200 } else { u32::from(distance) };
        let sum_to_goals = board.squares().map(|sq| board.to_goals().row(sq).iter().map(|&d| near(d)).sum()).collect();
        let (goals, starts) = (SearchBoard::set(board.goals()), SearchBoard::set(board.starts()));
        let rooms = Rooms::new(&level);
        meter.tick_unpausable((board.n_squares() * board.n_squares() / 512) as u64)?;
        let walks = walks(board);
        let tunnels = tunnels(board, &goals);
        let farthest = live.iter().map(|&sq| u64::from(level.nearest(sq).min(200))).max().unwrap_or(1);
        Ok(Self { goals, starts, farthest, rooms, pushes, sum_to_goals, tunnels, walks, level })
    }

    /// Returns the level compiled for search.
    pub(crate) fn board(&self) -> &SearchBoard {
        self.level.board()
    }

    /// Returns the steps between two squares on the empty board.
    pub(crate) fn walk(&self, from: FloorSquare, to: FloorSquare) -> u16 {
        self.walks[from.idx() * self.board().n_squares() + to.idx()]
    }

    /// Returns whether a lone box can be pushed from one square to the other.
    pub(crate) fn can_push(&self, from: FloorSquare, to: FloorSquare) -> bool {
        self.pushes.row(from)[to.idx()] != Distances::NONE
    }
}

fn walks(board: &SearchBoard) -> Vec<u16> {
    let n = board.n_squares();
    let mut walks = vec![u16::MAX; n * n];
    let mut flood = Flood::new(board);
    for (from, row) in board.squares().zip(walks.chunks_mut(n.max(1))) {
        flood.place([]);
        flood.measure(board, from);
        flood.region().iter().for_each(|&to| row[to.idx()] = flood.distance(to));
    }
    walks
}

/// Returns the squares of straight corridors of two squares or more; the first of each is left out, if no goal is in
/// it.
fn tunnels<const W: usize>(board: &SearchBoard, goals: &BitSet<W>) -> BitSet<W> {
    let mut tunnels = BitSet::default();
    for (along, across) in [(1, 0), (2, 1)] {
        let is_in = |sq: FloorSquare| {
            board.is_live(sq) && board.step(sq, across) == board.wall() && board.step(sq, across ^ 2) == board.wall()
        };
        for first in board.squares().filter(|&sq| is_in(sq) && !is_in(board.step(sq, along ^ 2))) {
            let run: Vec<FloorSquare> =
                std::iter::successors(Some(first), |&sq| Some(board.step(sq, along)).filter(|&sq| is_in(sq))).collect();
            let has_goal = run.iter().any(|&sq| goals.has(sq));
            if run.len() >= 2 {
                run.iter()
                    .skip(usize::from(!has_goal))
                    .filter(|&&sq| !goals.has(sq))
                    .for_each(|&sq| tunnels.insert(sq));
            }
        }
    }
    tunnels
}
