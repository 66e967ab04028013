//! A goal room with one entrance, and the order in which it is filled: the *goal macro* (Junghanns and Schaeffer).
//!
//! ```text
//!         #######
//!   #######12345#      a box on the entrance D, with the player behind it, goes straight to the next goal
//!        $ D....#
//!   #############
//! ```
//!
//! The room is the part of the floor that one square, the entrance, separates from the player and all boxes. Its order
//! is found backward: from the full room a box that could have been the last is removed, repeatedly. Any such box will
//! do, since an emptier room is never harder.
//!
//! **Invariant**: the path of a box is legal with exactly the goals before its own full, whatever stands outside. The
//! paths exclude solutions that park boxes in the room, so a search that follows them has to expand the other pushes
//! later.

use std::collections::VecDeque;

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, FloorPush, SearchBoard, SideRows};

/// A goal room with its order.
#[derive(Clone, Debug)]
pub(crate) struct GoalRoom<const W: usize> {
    /// The live squares of the room and its entrance.
    squares: BitSet<W>,
    /// One macro for each goal, in the order of filling.
    macros: Vec<GoalMacro<W>>,
}

/// The macro of one goal.
#[derive(Clone, Debug)]
struct GoalMacro<const W: usize> {
    /// The goals that are full before it.
    full: BitSet<W>,
    /// The pushes from the entrance to the goal.
    pushes: Vec<FloorPush>,
}

/// The entrance of a room, and the direction into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entrance {
    sq: FloorSquare,
    dir: usize,
}

impl<const W: usize> GoalRoom<W> {
    /// Finds the room with the most goals, the smallest of these, that has an order; `None` if there is none.
    pub(crate) fn new(board: &SearchBoard) -> Option<Self> {
        if board.goals().len() != board.n_boxes() {
            return None;
        }
        let sides = SideRows::new(board.sides())?;
        let mut flood = Flood::new(board);
        let mut rooms = Vec::new();
        for door in board.squares().filter(|&sq| board.is_live(sq) && sq != board.player()) {
            for dir in 0..4 {
                let (first, stand) = (board.step(door, dir), board.step(door, dir ^ 2));
                if first == board.wall() || stand == board.wall() {
                    continue;
                }
                let is_inside = |sq: &FloorSquare| *sq != door && sides.of(door, *sq) == sides.at(door, dir);
                let is_taken = |sq: &FloorSquare| *sq == door || is_inside(sq);
                if is_inside(&stand) || is_inside(&board.player()) || board.starts().iter().any(is_taken) {
                    continue;
                }
                let n_goals = board.goals().iter().filter(|sq| is_inside(sq)).count();
                if n_goals >= 2 {
                    flood.place(std::iter::once(door));
                    flood.spread(board, first);
                    rooms.push((std::cmp::Reverse(n_goals), flood.n_reached(), Entrance { sq: door, dir }));
                }
            }
        }
        rooms.sort_unstable();
        rooms.into_iter().find_map(|(_, _, entrance)| Self::with_entrance(board, &mut flood, entrance))
    }

    fn with_entrance(board: &SearchBoard, flood: &mut Flood, entrance: Entrance) -> Option<Self> {
        flood.place(std::iter::once(entrance.sq));
        flood.spread(board, board.step(entrance.sq, entrance.dir));
        let is_inside = |sq: &FloorSquare| flood.reaches(*sq);
        let inside: Vec<FloorSquare> = board.squares().filter(is_inside).collect();
        let goals: Vec<FloorSquare> = board.goals().iter().copied().filter(is_inside).collect();
        let mut squares: BitSet<W> = SearchBoard::set(&[entrance.sq]);
        inside.iter().filter(|&&sq| board.is_live(sq)).for_each(|&sq| squares.insert(sq));
        let mut full: BitSet<W> = SearchBoard::set(&goals);
        let mut macros = Vec::new();
        while full != BitSet::default() {
            let last = full.iter().filter_map(|goal| {
                let mut others = full;
                others.remove(goal);
                let pushes = box_path(board, flood, &inside, &others, entrance, goal)?;
                Some((pushes.len(), goal, others, pushes))
            });
            let (_, _, others, pushes) = last.min()?;
            macros.push(GoalMacro { full: others, pushes });
            full = others;
        }
        macros.reverse();
        Some(Self { squares, macros })
    }

    /// Returns the next push of a box that is on the path of its macro, after a flood from the player.
    pub(crate) fn push(&self, board: &SearchBoard, boxes: &BitSet<W>, flood: &Flood) -> Option<FloorPush> {
        let mut held = BitSet::default();
        self.squares.iter().filter(|&sq| boxes.has(sq)).for_each(|sq| held.insert(sq));
        let n_held = held.len();
        let GoalMacro { full, pushes } = self.macros.get(n_held.checked_sub(1)?)?;
        if !full.is_within(&held) {
            return None;
        }
        let is_next = |&&FloorPush { from, dir }: &&FloorPush| {
            held.has(from)
                && !full.has(from)
                && flood.reaches(board.step(from, dir ^ 2))
                && flood.is_free(board.step(from, dir))
        };
        pushes.iter().rev().find(is_next).copied()
    }
}

/// A box on its way through the room, and where the player stands after its push.
#[derive(Clone, Copy, Debug)]
struct PathState {
    sq: FloorSquare,
    player: FloorSquare,
    /// The state before it, and the direction of the push.
    before: Option<(usize, usize)>,
}

/// Finds the pushes of a box from the entrance to a goal, with the player behind it and only the room to walk in.
fn box_path<const W: usize>(
    board: &SearchBoard,
    flood: &mut Flood,
    inside: &[FloorSquare],
    full: &BitSet<W>,
    entrance: Entrance,
    goal: FloorSquare,
) -> Option<Vec<FloorPush>> {
    let (door, stand) = (entrance.sq, board.step(entrance.sq, entrance.dir ^ 2));
    let mut is_space = vec![false; board.n_squares() + 1];
    inside.iter().chain([&door, &stand]).for_each(|&sq| is_space[sq.idx()] = true);
    let outside: Vec<FloorSquare> = board.squares().filter(|&sq| !is_space[sq.idx()]).collect();
    let mut seen = vec![false; board.n_squares() * 4];
    let mut states = vec![PathState { sq: door, player: stand, before: None }];
    let mut todo = VecDeque::from([0]);
    while let Some(at) = todo.pop_front() {
        let PathState { sq, player, mut before } = states[at];
        if sq == goal {
            let mut pushes = Vec::new();
            while let Some((state, dir)) = before {
                pushes.push(FloorPush { from: states[state].sq, dir });
                before = states[state].before;
            }
            pushes.reverse();
            return Some(pushes);
        }
        flood.place(outside.iter().copied().chain(full.iter()).chain([sq]));
        flood.spread(board, player);
        for side in 0..4 {
            let (stand, to) = (board.step(sq, side), board.step(sq, side ^ 2));
            if !flood.reaches(stand) || std::mem::replace(&mut seen[sq.idx() * 4 + side], true) {
                continue;
            }
            if board.is_live(to) && flood.is_free(to) {
                states.push(PathState { sq: to, player: sq, before: Some((at, side ^ 2)) });
                todo.push_back(states.len() - 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    fn room(rows: &[&str]) -> Option<(Level, SearchBoard, GoalRoom<2>)> {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let room = GoalRoom::new(&board)?;
        Some((level, board, room))
    }

    #[test]
    fn a_dead_end_is_filled_from_its_end() {
        let rows =
            ["#############", "#     ###   #", "# $$@     ..#", "# $  ###  . #", "#    ###    #", "#############"];
        let (level, board, room) = room(&rows).unwrap();
        assert_eq!(room.macros.len(), board.goals().len());
        let last = |pushes: &[FloorPush]| pushes.last().map(|push| board.step(push.from, push.dir));
        let ends: Vec<_> = room.macros.iter().filter_map(|one| last(&one.pushes)).collect();
        for (at, end) in ends.iter().enumerate() {
            assert_eq!(room.macros[at].full.len(), at);
            assert!(!room.macros[at].full.has(*end), "{level:?}");
        }
    }

    #[test]
    fn rooms_with_two_entrances_or_boxes_inside_are_none() {
        assert!(room(&["##########", "#    #...#", "# $@     #", "# $$     #", "#    #   #", "##########"]).is_none());
    }
}
