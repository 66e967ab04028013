//! Where each direction starts, and when it is over.

use crate::bits::Bits;
use crate::ground::{Flood, Ground, Way};

/// Solved positions that a backward search may start from, beyond which it is not tried.
const MAX_ROOTS: usize = 4_096;

/// Returns the positions to start from, box set and player; `None` if there are too many.
///
/// With `exact` players each square of a region is a position of its own.
pub(crate) fn roots<const W: usize>(ground: &Ground, way: Way, exact: bool) -> Option<Vec<(Bits<W>, u16)>> {
    let mut flood = Flood::new(ground);
    if way == Way::Forward {
        let boxes = Ground::set(ground.starts());
        let zone = flood.run(ground, &boxes, ground.player());
        return Some(vec![(boxes, if exact { ground.player() } else { zone })]);
    }
    let mut roots = Vec::new();
    let mut chosen: Vec<usize> = (0..ground.n_boxes()).collect();
    loop {
        let squares: Vec<u16> = chosen.iter().map(|&at| ground.goals()[at]).collect();
        let boxes = Ground::set(&squares);
        players(ground, &mut flood, &boxes, exact, |player| roots.push((boxes, player)));
        if roots.len() > MAX_ROOTS {
            return None;
        }
        // The next subset of the goals.
        let n_goals = ground.goals().len();
        let n_boxes = chosen.len();
        let Some(at) = (0..n_boxes).rev().find(|&at| chosen[at] < n_goals - n_boxes + at) else { return Some(roots) };
        chosen[at] += 1;
        (at + 1..n_boxes).for_each(|later| chosen[later] = chosen[later - 1] + 1);
    }
}

fn players<const W: usize>(
    ground: &Ground,
    flood: &mut Flood,
    boxes: &Bits<W>,
    exact: bool,
    mut call: impl FnMut(u16),
) {
    flood.place(boxes.iter());
    for player in (0..ground.wall()).filter(|&player| !boxes.has(player)) {
        // Regions are met at their least squares, which name them.
        let is_new = !flood.reaches(player);
        if is_new {
            flood.spread(ground, player);
        }
        if exact || is_new {
            call(player);
        }
    }
}

/// What a position has to be for its search to be over.
#[derive(Clone, Debug)]
pub(crate) struct Home<const W: usize> {
    way: Way,
    goals: Bits<W>,
    starts: Bits<W>,
    player: u16,
}

impl<const W: usize> Home<W> {
    pub(crate) fn new(ground: &Ground, way: Way) -> Self {
        let boxes = Ground::set(ground.starts());
        let player = Flood::new(ground).run(ground, &boxes, ground.player());
        Self { way, goals: Ground::set(ground.goals()), starts: boxes, player }
    }

    /// Returns whether the position is the end; `zone` is the name of the player's region.
    #[inline]
    pub(crate) fn is(&self, boxes: &Bits<W>, zone: u16) -> bool {
        match self.way {
            Way::Forward => boxes.is_within(&self.goals),
            Way::Backward => *boxes == self.starts && zone == self.player,
        }
    }

    pub(crate) const fn goals(&self) -> &Bits<W> {
        &self.goals
    }

    pub(crate) const fn starts(&self) -> &Bits<W> {
        &self.starts
    }
}
