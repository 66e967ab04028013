//! What the searches by features look up about a level, computed once.

use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::{Distances, SearchBoard, SearchDirection};

use crate::fess::features::rooms::Rooms;

/// The level with the tables of this search.
#[derive(Debug)]
pub(crate) struct FessTables<const W: usize> {
    pub(crate) yard: LevelTables,
    pub(crate) goals: BitSet<W>,
    pub(crate) starts: BitSet<W>,
    pub(crate) rooms: Rooms,
    /// Pushes of a lone box from each square to each live one.
    pub(crate) pushes: Distances,
    /// For each square, pushes to all goals together.
    pub(crate) far: Vec<u32>,
    /// Pushes from the square farthest from all goals to the nearest one.
    pub(crate) farthest: u64,
    /// Squares in tunnels where no leap should end.
    pub(crate) tunnels: BitSet<W>,
    walks: Vec<u16>,
}

impl<const W: usize> FessTables<W> {
    /// Measures a level and looks at the clock.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(yard: LevelTables, effort: &mut WorkMeter) -> Result<Self, Stop> {
        let ground = yard.ground();
        let live: Vec<u16> = (0..ground.wall()).filter(|&sq| ground.is_live(sq)).collect();
        let pushes = Distances::within(ground, SearchDirection::Forward, &live, None, effort)?;
        let near = |distance: u16| if distance == Distances::NONE { 200 } else { u32::from(distance) };
        let far = (0..ground.wall()).map(|sq| ground.to_goals().row(sq).iter().map(|&d| near(d)).sum()).collect();
        let (goals, starts) = (SearchBoard::set(ground.goals()), SearchBoard::set(ground.starts()));
        let rooms = Rooms::new(&yard);
        effort.tick_unpausable((ground.n_squares() * ground.n_squares() / 512) as u64)?;
        let walks = walks(ground);
        let tunnels = tunnels(ground, &goals);
        let farthest = live.iter().map(|&sq| u64::from(yard.nearest(sq).min(200))).max().unwrap_or(1);
        Ok(Self { goals, starts, farthest, rooms, pushes, far, tunnels, walks, yard })
    }

    /// Returns the level compiled for search.
    pub(crate) const fn ground(&self) -> &SearchBoard {
        self.yard.ground()
    }

    /// Returns the steps between two squares on the empty board.
    pub(crate) fn walk(&self, from: u16, to: u16) -> u16 {
        self.walks[usize::from(from) * self.ground().n_squares() + usize::from(to)]
    }

    /// Returns whether a lone box can be pushed from one square to the other.
    pub(crate) fn can_push(&self, from: u16, to: u16) -> bool {
        self.pushes.row(from)[usize::from(to)] != Distances::NONE
    }
}

fn walks(ground: &SearchBoard) -> Vec<u16> {
    let n = ground.n_squares();
    let mut walks = vec![u16::MAX; n * n];
    let mut queue = Vec::with_capacity(n);
    for (from, row) in (0..ground.wall()).zip(walks.chunks_mut(n.max(1))) {
        queue.clear();
        queue.push(from);
        row[usize::from(from)] = 0;
        let mut at = 0;
        while let Some(&sq) = queue.get(at) {
            at += 1;
            for next in ground.steps(sq).into_iter().filter(|&next| next != ground.wall()) {
                if row[usize::from(next)] == u16::MAX {
                    row[usize::from(next)] = row[usize::from(sq)] + 1;
                    queue.push(next);
                }
            }
        }
    }
    walks
}

/// Squares of straight corridors of two squares or more; the first of each stays, if no goal is in it.
fn tunnels<const W: usize>(ground: &SearchBoard, goals: &BitSet<W>) -> BitSet<W> {
    let mut tunnels = BitSet::default();
    for (along, across) in [(1, 0), (2, 1)] {
        let is_in = |sq: u16| {
            ground.is_live(sq)
                && ground.step(sq, across) == ground.wall()
                && ground.step(sq, across ^ 2) == ground.wall()
        };
        for first in (0..ground.wall()).filter(|&sq| is_in(sq) && !is_in(ground.step(sq, along ^ 2))) {
            let run: Vec<u16> =
                std::iter::successors(Some(first), |&sq| Some(ground.step(sq, along)).filter(|&sq| is_in(sq)))
                    .collect();
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
