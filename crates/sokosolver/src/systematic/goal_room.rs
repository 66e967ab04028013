//! A room of goals with one entrance, and the order in which it is filled: the *goal macro*.
//!
//! ```text
//!         #######
//!   #######12345#      a box on the entrance D, with the player behind it, goes straight to the next goal
//!        $ D....#
//!   #############
//! ```
//!
//! The room is what one square, the entrance, parts from the player and all boxes. Its order is found backward: from
//! the full room a box that could have come last is taken away, over and over; whichever can be taken may be, since an
//! emptier room is never harder.
//!
//! **Invariant**: the way of a box is legal with exactly the goals before its own full, whatever stands outside. Ways
//! leave out solutions that park boxes in the room, so whoever restricts himself to them has to come back.

use std::collections::VecDeque;

use crate::bits::Bits;
use crate::ground::{Flood, Ground, SideRows};

/// A room with its order.
#[derive(Clone, Debug)]
pub(crate) struct GoalRoom<const W: usize> {
    /// The live squares of the room and its entrance.
    squares: Bits<W>,
    /// The full goals before each way, and the pushes of the way, by square and direction.
    ways: Vec<(Bits<W>, Vec<(u16, usize)>)>,
}

impl<const W: usize> GoalRoom<W> {
    /// Finds the room with the most goals, the smallest of these, that has an order; `None` if there is none.
    pub(crate) fn new(ground: &Ground) -> Option<Self> {
        if ground.goals().len() != ground.n_boxes() {
            return None;
        }
        let sides = SideRows::new(ground)?;
        let mut flood = Flood::new(ground);
        let mut rooms = Vec::new();
        for door in (0..ground.wall()).filter(|&sq| ground.is_live(sq) && sq != ground.player()) {
            for dir in 0..4 {
                let (first, stand) = (ground.step(door, dir), ground.step(door, dir ^ 2));
                if first == ground.wall() || stand == ground.wall() {
                    continue;
                }
                let is_inside = |sq: &u16| *sq != door && sides.of(door, *sq) == sides.at(door, dir);
                let is_taken = |sq: &u16| *sq == door || is_inside(sq);
                if is_inside(&stand) || is_inside(&ground.player()) || ground.starts().iter().any(is_taken) {
                    continue;
                }
                let n_goals = ground.goals().iter().filter(|sq| is_inside(sq)).count();
                if n_goals >= 2 {
                    flood.place(std::iter::once(door));
                    flood.spread(ground, first);
                    rooms.push((std::cmp::Reverse(n_goals), flood.n_reached(), door, dir));
                }
            }
        }
        rooms.sort_unstable();
        rooms.into_iter().find_map(|(_, _, door, dir)| Self::with_door(ground, &mut flood, door, dir))
    }

    fn with_door(ground: &Ground, flood: &mut Flood, door: u16, dir: usize) -> Option<Self> {
        flood.place(std::iter::once(door));
        flood.spread(ground, ground.step(door, dir));
        let is_inside = |sq: &u16| flood.reaches(*sq);
        let inside: Vec<u16> = (0..ground.wall()).filter(is_inside).collect();
        let goals: Vec<u16> = ground.goals().iter().copied().filter(is_inside).collect();
        let mut squares: Bits<W> = Ground::set(&[door]);
        inside.iter().filter(|&&sq| ground.is_live(sq)).for_each(|&sq| squares.insert(sq));
        let mut full: Bits<W> = Ground::set(&goals);
        let mut ways = Vec::new();
        while full != Bits::default() {
            let last = full.iter().filter_map(|goal| {
                let mut others = full;
                others.remove(goal);
                way(ground, flood, &inside, &others, (door, dir), goal).map(|way| (way.len(), goal, others, way))
            });
            let (_, _, others, way) = last.min()?;
            ways.push((others, way));
            full = others;
        }
        ways.reverse();
        Some(Self { squares, ways })
    }

    /// Returns the only push to be made, by square and direction, if a box is on its way; after a flood from the
    /// player.
    pub(crate) fn push(&self, ground: &Ground, boxes: &Bits<W>, flood: &Flood) -> Option<(u16, usize)> {
        let mut held = Bits::default();
        self.squares.iter().filter(|&sq| boxes.has(sq)).for_each(|sq| held.insert(sq));
        let n_held = held.len();
        let (full, way) = self.ways.get(n_held.checked_sub(1)?)?;
        if !full.is_within(&held) {
            return None;
        }
        let is_next = |&&(sq, dir): &&(u16, usize)| {
            held.has(sq)
                && !full.has(sq)
                && flood.reaches(ground.step(sq, dir ^ 2))
                && flood.is_free(ground.step(sq, dir))
        };
        way.iter().rev().find(is_next).copied()
    }
}

/// Finds the way of a box from the entrance to a goal, with the player behind it and the room his only space.
fn way<const W: usize>(
    ground: &Ground,
    flood: &mut Flood,
    inside: &[u16],
    full: &Bits<W>,
    (door, dir): (u16, usize),
    goal: u16,
) -> Option<Vec<(u16, usize)>> {
    let stand = ground.step(door, dir ^ 2);
    let mut is_space = vec![false; ground.n_squares() + 1];
    inside.iter().chain([&door, &stand]).for_each(|&sq| is_space[usize::from(sq)] = true);
    let outside: Vec<u16> = (0..ground.wall()).filter(|&sq| !is_space[usize::from(sq)]).collect();
    let mut met = vec![false; ground.n_squares() * 4];
    // Box, player, and how they came about: the state before and the push.
    let mut states: Vec<(u16, u16, usize, usize)> = vec![(door, stand, usize::MAX, 0)];
    let mut todo = VecDeque::from([0]);
    while let Some(at) = todo.pop_front() {
        let (sq, player, ..) = states[at];
        if sq == goal {
            let mut pushes = Vec::new();
            let mut state = states[at];
            while state.2 != usize::MAX {
                let before = states[state.2];
                pushes.push((before.0, state.3));
                state = before;
            }
            pushes.reverse();
            return Some(pushes);
        }
        flood.place(outside.iter().copied().chain(full.iter()).chain([sq]));
        flood.spread(ground, player);
        for side in 0..4 {
            let (stand, to) = (ground.step(sq, side), ground.step(sq, side ^ 2));
            if !flood.reaches(stand) || std::mem::replace(&mut met[usize::from(sq) * 4 + side], true) {
                continue;
            }
            if ground.is_live(to) && flood.is_free(to) {
                states.push((to, sq, at, side ^ 2));
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

    fn room(rows: &[&str]) -> Option<(Level, Ground, GoalRoom<1>)> {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let ground = Ground::new(&level).unwrap();
        let room = GoalRoom::new(&ground)?;
        Some((level, ground, room))
    }

    #[test]
    fn a_dead_end_is_filled_from_its_end() {
        let rows =
            ["#############", "#     ###   #", "# $$@     ..#", "# $  ###  . #", "#    ###    #", "#############"];
        let (level, ground, room) = room(&rows).unwrap();
        assert_eq!(room.ways.len(), ground.goals().len());
        let last = |way: &[(u16, usize)]| way.last().map(|&(sq, dir)| ground.step(sq, dir));
        let ends: Vec<_> = room.ways.iter().filter_map(|(_, way)| last(way)).collect();
        for (at, end) in ends.iter().enumerate() {
            assert_eq!(room.ways[at].0.len(), at);
            assert!(!room.ways[at].0.has(*end), "{level:?}");
        }
    }

    #[test]
    fn rooms_with_two_entrances_or_boxes_inside_are_none() {
        assert!(room(&["##########", "#    #...#", "# $@     #", "# $$     #", "#    #   #", "##########"]).is_none());
    }
}
