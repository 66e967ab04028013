//! A search for fewest moves: A\* over moves, in which the players of all equal ways advance together.
//!
//! ```text
//!   entry of the open list:  configuration · players who are there after m moves          priority: m + bound
//!       one step:            players & !visited  ─▶ beside them, after m + 1 moves
//!                            boxes beside them   ─▶ pushed: another configuration, one player, after m + 1 moves
//! ```
//!
//! The bound of a configuration is that of the pushes left, whatever the player's square, so a flood step advances all
//! players of a configuration at once. The priority never falls: a player is visited first after the fewest moves.
//! Where a push leads is noted for the configuration that it leads to, and the path is read backward from these notes.
//!
//! Invariant: a player's square in a configuration is visited once.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use sokocore::{Direction, Push, mix64};
use sokosearch::{Charge, Stop};

use super::bit_board::{BitBoard, Bits, each, number};
use super::bucket_queue::BucketQueue;
use super::goal_distances::GoalDistances;
use super::{COMPACT, EXPANSIONS_PER_TICK};
use crate::{Search, SearchStats, Verdict, WorkMeter};

/// The end of a chain of arrivals, and the configuration before the start.
const NONE: u32 = u32::MAX;
/// The bounds of configurations that cannot be solved: boxes are frozen off goal, or cannot all be given goals.
const FROZEN: u16 = u16::MAX;
const UNMATCHED: u16 = u16::MAX - 1;

/// Where the boxes are.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    boxes: Bits,
    /// Squares where the player has been.
    visited: Bits,
    /// The last way into the configuration.
    arrivals: u32,
    /// The bound of the pushes left.
    bound: u16,
    /// Pushes on the way by which it was first reached; they saturate.
    depth: u16,
}

const _: () = assert!(size_of::<Configuration>() == 24, "the depth is in what would be left free");

/// A push into a configuration.
#[derive(Clone, Copy, Debug)]
struct PushArrival {
    /// The arrival before it, into the same configuration.
    next: u32,
    /// The configuration in which the push was made.
    parent: u32,
    /// Moves by then.
    moves: u32,
    /// The player's square, as a bit number.
    player: u8,
}

/// Players of a configuration who are there after equally many moves.
#[derive(Clone, Copy, Debug)]
struct Wave {
    players: Bits,
    configuration: u32,
}

/// The search.
#[derive(Debug)]
pub(super) struct CompactMoveSearch {
    board: BitBoard,
    distances: GoalDistances,
    configurations: Vec<Configuration>,
    index: HashTable<u32>,
    arrivals: Vec<PushArrival>,
    open: BucketQueue<Wave>,
    charge: Option<Charge>,
    /// Bytes that are paid for.
    n_charged: u64,
    /// All but the depth.
    stats: SearchStats,
    max_depth: u16,
    /// No solution takes fewer moves.
    proved: u64,
    /// The last configuration, the player's square and the moves, once they are found.
    end: Option<(u32, Bits, u32)>,
}

impl CompactMoveSearch {
    /// The least that is charged at once.
    const FIRST_BYTES: u64 = 1 << 15;

    pub(super) fn new(board: BitBoard) -> Self {
        let distances = board.goal_distances();
        let stats =
            SearchStats { generated: Some(0), duplicates: Some(0), reopened: Some(0), ..SearchStats::default() };
        Self {
            board,
            distances,
            configurations: Vec::new(),
            index: HashTable::new(),
            arrivals: Vec::new(),
            open: BucketQueue::new(),
            charge: None,
            n_charged: 0,
            stats,
            max_depth: 0,
            proved: 0,
            end: None,
        }
    }

    /// Inserts the start, unless that is done.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        if self.charge.is_some() {
            return Ok(());
        }
        self.charge = Some(meter.memory().nothing());
        self.pay()?;
        let root = self.configuration(self.board.boxes(), 0);
        if self.configurations[root as usize].bound < UNMATCHED {
            self.arrive(root, NONE, self.board.player(), 0);
        }
        meter.mark_set_up();
        Ok(())
    }

    /// Charges what one more expansion may add.
    fn pay(&mut self) -> Result<(), Stop> {
        // Old copies while they grow included; an expansion adds at most four pushes of each box, and a step.
        const MOST_ADDED: usize = 4 * super::goal_distances::MAX_GOALS + 1;
        let used = (self.configurations.len() + MOST_ADDED) * 2 * (size_of::<Configuration>() + 8)
            + (self.arrivals.len() + MOST_ADDED) * 2 * size_of::<PushArrival>()
            + (self.open.len_at_most() + MOST_ADDED) * 2 * (size_of::<Wave>() + 8);
        let used = used as u64;
        if used <= self.n_charged {
            return Ok(());
        }
        let more = (used - self.n_charged).max(self.n_charged / 2).max(Self::FIRST_BYTES);
        if let Some(charge) = &mut self.charge {
            charge.add(more)?;
        }
        self.n_charged += more;
        Ok(())
    }

    /// Returns the number of a configuration, which may be new: it is so many pushes from the root then.
    #[inline]
    fn configuration(&mut self, boxes: Bits, depth: u16) -> u32 {
        let configurations = &mut self.configurations;
        let id = u32::try_from(configurations.len()).expect("invariant: they are fewer than the bytes charged");
        let is_same = |&other: &u32| configurations[other as usize].boxes == boxes;
        match self.index.entry(mix64(boxes), is_same, |&id| mix64(configurations[id as usize].boxes)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                entry.insert(id);
                let is_frozen = self.board.is_frozen_off_goal(boxes);
                let bound = if is_frozen { FROZEN } else { self.distances.bound(boxes).unwrap_or(UNMATCHED) };
                configurations.push(Configuration { boxes, visited: 0, arrivals: NONE, bound, depth });
                id
            }
        }
    }

    /// Notes a push into a configuration; returns whether the player has not been there.
    fn arrive(&mut self, to: u32, parent: u32, player: Bits, moves: u32) -> bool {
        let configuration = &mut self.configurations[to as usize];
        if configuration.visited & player != 0 {
            return false;
        }
        self.arrivals.push(PushArrival { next: configuration.arrivals, parent, moves, player: number(player) });
        configuration.arrivals =
            u32::try_from(self.arrivals.len() - 1).expect("invariant: they are fewer than the bytes charged");
        self.open.push(moves + u32::from(configuration.bound), Wave { players: player, configuration: to });
        true
    }

    /// Advances players of a configuration, who are there after so many moves, by one step.
    fn expand(&mut self, id: u32, players: Bits, moves: u32) {
        let configuration = &mut self.configurations[id as usize];
        configuration.visited |= players;
        let Configuration { boxes, visited, bound, depth, .. } = *configuration;
        self.max_depth = self.max_depth.max(depth);
        let next_depth = depth.saturating_add(1);
        let free = self.board.floor() & !boxes;
        let next = self.board.beside(players) & free & !visited;
        if next != 0 {
            self.open.push(moves + 1 + u32::from(bound), Wave { players: next, configuration: id });
        }
        let (mut n_generated, mut n_known) = (0, 0);
        let mut deadlocks = self.stats.deadlocks.unwrap_or_default();
        for dir in Direction::ALL {
            let n_dead = u64::from(self.board.pushable_to_dead(boxes, players, dir).count_ones());
            deadlocks.dead_squares += n_dead;
            n_generated += n_dead;
            for from in each(self.board.pushable(boxes, players, dir)) {
                n_generated += 1;
                let to = self.configuration(boxes ^ from ^ self.board.step(from, dir), next_depth);
                match self.configurations[to as usize].bound {
                    FROZEN => deadlocks.frozen += 1,
                    UNMATCHED => deadlocks.unmatched += 1,
                    _ => n_known += u64::from(!self.arrive(to, id, from, moves + 1)),
                }
            }
        }
        self.stats.expanded += 1;
        let add = |sum: &mut Option<u64>, more: u64| *sum = sum.map(|sum| sum + more);
        add(&mut self.stats.generated, n_generated);
        add(&mut self.stats.duplicates, n_known);
        self.stats = self.stats.with_deadlocks(deadlocks);
    }

    /// Reads the path to a player of a configuration backward.
    fn pushes(&self, (mut id, mut player, mut moves): (u32, Bits, u32)) -> Vec<Push> {
        let mut pushes = Vec::new();
        while let Some(arrival) = self.arrival_before(id, player, moves).filter(|arrival| arrival.parent != NONE) {
            let (boxes, before) =
                (self.configurations[id as usize].boxes, self.configurations[arrival.parent as usize].boxes);
            let from: Bits = 1 << arrival.player;
            let is_push = |dir: &Direction| before ^ from ^ self.board.step(from, *dir) == boxes;
            let Some(dir) = Direction::ALL.into_iter().find(is_push) else { break };
            pushes.push(self.board.push(from, dir));
            (id, player, moves) = (arrival.parent, self.board.step(from, dir.opposite()), arrival.moves - 1);
        }
        pushes.reverse();
        pushes
    }

    /// The arrival from which the player has walked to a square within so many moves.
    fn arrival_before(&self, id: u32, player: Bits, moves: u32) -> Option<PushArrival> {
        let Configuration { boxes, arrivals, .. } = self.configurations[id as usize];
        let free = self.board.floor() & !boxes;
        let (mut layer, mut seen, mut left) = (player, player, moves);
        loop {
            let mut at = arrivals;
            while let Some(arrival) = self.arrivals.get(at as usize) {
                if layer & 1 << arrival.player != 0 && arrival.moves == left {
                    return Some(*arrival);
                }
                at = arrival.next;
            }
            layer = self.board.beside(layer) & free & !seen;
            seen |= layer;
            left = left.checked_sub(1).filter(|_| layer != 0)?;
        }
    }
}

impl Search for CompactMoveSearch {
    fn name(&self) -> &str {
        COMPACT
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(meter)?;
        let limit = meter.upper_bound();
        while let (None, Some((priority, wave))) = (self.end, self.open.pop()) {
            let Configuration { visited, bound, .. } = self.configurations[wave.configuration as usize];
            let players = wave.players & !visited;
            if players == 0 {
                continue;
            }
            if u64::from(priority) >= limit {
                self.proved = limit;
                return Ok(Verdict::NoneBetter);
            }
            let is_due = self.stats.expanded.is_multiple_of(EXPANSIONS_PER_TICK);
            let ticked = if is_due { meter.tick() } else { Ok(()) };
            if let Err(stop) = ticked.and_then(|()| self.pay()) {
                self.open.push(priority, wave);
                return Err(stop);
            }
            self.proved = u64::from(priority);
            let moves = priority - u32::from(bound);
            if bound == 0 {
                self.end = Some((wave.configuration, players, moves));
            } else {
                self.expand(wave.configuration, players, moves);
            }
        }
        match self.end {
            Some(end) => Ok(Verdict::Solved(self.pushes(end))),
            None if limit < u64::MAX => {
                self.proved = limit;
                Ok(Verdict::NoneBetter)
            }
            None => Ok(Verdict::Unsolvable),
        }
    }

    fn n_nodes(&self) -> u64 {
        self.stats.expanded
    }

    fn stats(&self) -> SearchStats {
        SearchStats { max_depth: Some(self.max_depth.into()), ..self.stats }
    }

    fn proved_cost(&self) -> u64 {
        self.proved
    }
}
