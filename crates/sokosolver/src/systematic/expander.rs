//! From one position to the next, in either direction: legal pushes or pulls, dead ends left out, bounds put on.

use std::sync::Arc;

use super::aids::{Aids, Diagonals};
use super::bounds::Bounds;
use super::cost::CostRule;
use super::goal_means::GoalMeans;
use super::home::Home;
use super::schooling::Schooling;
use super::tables::Tables;
use super::tunnels;
use crate::bits::Bits;
use crate::freeze;
use crate::ground::{Flood, Ground, Way};
use crate::patterns::Patterns;
use crate::pi_corral::{Choice, Corral, PiCorrals};
use crate::{Effort, Settings};

/// One position that another leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<const W: usize> {
    /// Where the boxes are.
    pub(crate) boxes: Bits<W>,
    /// The player's square or region, as the cost rule asks.
    pub(crate) player: u16,
    /// The push, as nodes hold it.
    pub(crate) came: u16,
    /// A lower bound of what is left to do.
    pub(crate) bound: u16,
    /// What the step costs.
    pub(crate) cost: u32,
    /// It ends the search at this additional cost: the walk from the start's player to the first push.
    pub(crate) end: Option<u32>,
}

/// Makes the children of positions.
#[derive(Debug)]
pub(crate) struct Expander<const W: usize> {
    ground: Arc<Ground>,
    way: Way,
    rule: CostRule,
    settings: Settings,
    home: Home<W>,
    flood: Flood,
    child_flood: Flood,
    bounds: Bounds<W>,
    corrals: PiCorrals,
    schooling: Option<Schooling>,
    diagonals: Option<Diagonals>,
    corral_boxes: Vec<u16>,
    corral_inside: Vec<u16>,
    patterns: Patterns<W>,
    /// Where a box in a tunnel does not stop.
    passages: Bits<W>,
    squares: Vec<u16>,
    goals: GoalMeans<W>,
    /// Whether the last expansion left out pushes that a solution may need.
    put_off: bool,
    n_pruned: u64,
}

impl<const W: usize> Expander<W> {
    pub(crate) fn new(
        ground: Arc<Ground>,
        way: Way,
        settings: &Settings,
        tables: Tables<W>,
        aids: Aids,
        effort: &Effort,
    ) -> Self {
        Self {
            way,
            rule: CostRule::of(settings),
            settings: settings.clone(),
            home: Home::new(&ground, way),
            flood: Flood::new(&ground),
            child_flood: Flood::new(&ground),
            goals: GoalMeans::new(&ground, way, settings),
            put_off: false,
            n_pruned: 0,
            bounds: Bounds::new(&ground, way, settings, tables.penalties, tables.sides, effort),
            corrals: PiCorrals::new(&ground, Choice::of(settings)),
            schooling: aids.yard.map(|yard| Schooling::new(yard, effort)),
            diagonals: aids.diagonals,
            corral_boxes: Vec::new(),
            corral_inside: Vec::new(),
            patterns: tables.patterns,
            passages: if settings.tunnels { tunnels::passages(&ground) } else { Bits::default() },
            squares: Vec::new(),
            ground,
        }
    }

    /// Returns the exact bound of a position; `None` if it is lost. To be called before its children are made.
    pub(crate) fn bound(&mut self, boxes: &Bits<W>, player: u16) -> Option<u16> {
        self.squares.clear();
        self.squares.extend(boxes.iter());
        self.bounds.exact(&self.ground, boxes, &self.squares, player)
    }

    /// Returns the work done since the last call, beyond what every position takes.
    pub(crate) fn take_work(&mut self) -> u64 {
        self.bounds.take_work() + self.goals.take_work()
    }

    /// Returns how many children were not made because they are lost.
    pub(crate) const fn n_pruned(&self) -> u64 {
        self.n_pruned
    }

    /// Makes the children of the position whose bound was asked for last.
    pub(crate) fn children(&mut self, boxes: &Bits<W>, player: u16, children: &mut Vec<Child<W>>) {
        children.clear();
        self.flood.place(self.squares.iter().copied());
        if self.rule == CostRule::Pushes {
            self.flood.spread(&self.ground, player);
        } else {
            self.flood.measure(&self.ground, player);
        }
        if self.is_taught_dead(boxes, player) {
            return;
        }
        self.put_off = false;
        let only = match self.tunnel_box() {
            Some(sq) => Some(Ground::set(&[sq])),
            None => self.only_boxes(boxes, player),
        };
        let forced = self.goals.push_in_room(&self.ground, boxes, &self.flood);
        let forced = forced.filter(|&(sq, _)| only.is_none_or(|only| only.has(sq)));
        self.put_off = forced.is_some();
        for row in 0..self.squares.len() {
            let sq = self.squares[row];
            if only.is_some_and(|only| !only.has(sq)) {
                continue;
            }
            for side in 0..4 {
                let stand = self.ground.step(sq, side);
                if forced.is_none_or(|forced| forced == (sq, side ^ 2))
                    && self.flood.reaches(stand)
                    && let Some(child) = self.child(boxes, row, side, stand)
                {
                    children.push(child);
                }
            }
        }
    }

    /// Returns whether the last expansion left out pushes that a solution may need.
    pub(crate) const fn has_put_off(&self) -> bool {
        self.put_off
    }

    /// Leaves nothing out from now on.
    pub(crate) fn stop_putting_off(&mut self) {
        self.goals.forget_room();
    }

    /// Returns how many boxes have taken goals before their turn.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &Bits<W>) -> usize {
        self.goals.n_early(boxes)
    }

    /// Returns the pushes of a box straight to the next goal, by square and direction, from the position expanded last.
    pub(crate) fn cut(&mut self, boxes: &Bits<W>) -> Option<Vec<(u16, usize)>> {
        self.goals.cut(&self.ground, boxes, &self.flood)
    }

    /// Returns the position after a push, with its end if it is one.
    pub(crate) fn pushed(&mut self, boxes: &Bits<W>, (sq, dir): (u16, usize)) -> Option<Child<W>> {
        let to = self.ground.step(sq, dir);
        let next = boxes.moved(sq, to);
        if self.patterns.is_dead(&next, to, dir ^ 2) || self.is_stuck(&next, sq, to) {
            return None;
        }
        let player = self.child_flood.run(&self.ground, &next, sq);
        let came = u16::try_from(usize::from(sq) * 4 + dir).ok()?;
        let end = self.home.is(&next, player).then_some(0);
        Some(Child { boxes: next, player, came, bound: 0, cost: 1, end })
    }

    /// Moves the box of this row away from the player on its `side`, or toward it.
    #[inline]
    fn child(&mut self, boxes: &Bits<W>, row: usize, side: usize, stand: u16) -> Option<Child<W>> {
        let sq = self.squares[row];
        let (to, player, room) = match self.way {
            Way::Forward => {
                let to = self.ground.step(sq, side ^ 2);
                (to, sq, to)
            }
            Way::Backward => {
                let player = self.ground.step(stand, side);
                (stand, player, player)
            }
        };
        if !self.flood.is_free(room) {
            return None;
        }
        // The sets of boxes have room for live squares only.
        if !self.ground.is_live(to) {
            self.n_pruned += 1;
            return None;
        }
        let next = boxes.moved(sq, to);
        let Some(bound) = self.bound_after(row, &next, (to, side), player) else {
            self.n_pruned += 1;
            return None;
        };
        self.child_flood.place(next.iter());
        let zone = self.child_flood.spread(&self.ground, player);
        let from = if self.way == Way::Forward { sq } else { to };
        // The side is 0 to 3, and at most 2048 live squares come this way: it fits.
        let came = u16::try_from(usize::from(from) * 4 + (side ^ 2)).ok()?;
        let is_home = self.home.is(&next, zone);
        let (name, walk) = match self.rule {
            CostRule::Pushes => (zone, 0),
            _ => (player, self.flood.distance(stand)),
        };
        let mut end = is_home.then_some(0);
        if is_home && self.way == Way::Backward && self.rule != CostRule::Pushes {
            self.child_flood.place(next.iter());
            self.child_flood.measure(&self.ground, player);
            end = Some(self.rule.of_walk(self.child_flood.distance(self.ground.player())));
        }
        Some(Child { boxes: next, player: name, came, bound, cost: self.rule.of_push(walk), end })
    }

    /// A bound of the position after the box of this row has gone to a live square, with the player on that side of it; `None`
    /// if the position is lost.
    #[inline]
    fn bound_after(&mut self, row: usize, next: &Bits<W>, (to, side): (u16, usize), player: u16) -> Option<u16> {
        if self.patterns.is_dead(next, to, side) || self.is_stuck(next, player, to) {
            return None;
        }
        if self.schooling.as_ref().is_some_and(|schooling| schooling.forbids(next, player, to)) {
            return None;
        }
        self.bounds.after(row, to, side)
    }

    /// The boxes that a corral restricts the pushes to; the empty set if the position is lost.
    fn only_boxes(&mut self, boxes: &Bits<W>, player: u16) -> Option<Bits<W>> {
        let is_closed = self.flood.n_reached() + self.squares.len() < self.ground.n_squares();
        let Settings { pi_corrals, frozen_corrals, .. } = self.settings;
        let asks = pi_corrals || frozen_corrals || self.schooling.is_some();
        if self.way == Way::Backward || !is_closed || !asks {
            return None;
        }
        self.corrals.label(&self.ground, &self.flood);
        if self.learns_dead(boxes, player) {
            return Some(Bits::default());
        }
        if !pi_corrals && !frozen_corrals {
            return None;
        }
        let mut frozen = Bits::default();
        let corral = self.corrals.find_and_freeze(&self.ground, self.home.goals(), boxes, &self.flood, &mut frozen);
        if frozen_corrals && !self.bounds.freeze(&self.ground, boxes, &frozen) {
            return Some(Bits::default());
        }
        match corral {
            Corral::Dead => Some(Bits::default()),
            Corral::Only(only) if pi_corrals => Some(only),
            _ => None,
        }
    }

    /// Whether the position has become known as lost while it waited.
    fn is_taught_dead(&self, boxes: &Bits<W>, player: u16) -> bool {
        self.schooling.as_ref().is_some_and(|schooling| schooling.forbids_any(boxes, player))
    }

    /// Looks at the enclosed areas; returns whether one of them is a deadlock.
    fn learns_dead(&mut self, boxes: &Bits<W>, player: u16) -> bool {
        let Some(schooling) = &mut self.schooling else { return false };
        (0..self.corrals.n_areas()).any(|area| {
            let (fence, inside) = (&mut self.corral_boxes, &mut self.corral_inside);
            self.corrals.collect(&self.ground, area, boxes, fence, inside);
            schooling.offer(fence, inside, player)
        })
    }

    /// Forward: whether the box just pushed to `sq` is held there, or closes a diagonal, for good.
    #[inline]
    fn is_stuck(&mut self, boxes: &Bits<W>, player: u16, sq: u16) -> bool {
        if self.way == Way::Backward {
            return false;
        }
        (self.settings.freeze && freeze::is_deadlock(&self.ground, self.home.goals(), boxes, sq))
            || self.diagonals.as_mut().is_some_and(|check| check.is_deadlock(&self.ground, boxes, player, sq))
    }

    /// A box that has to be moved on before all others.
    fn tunnel_box(&self) -> Option<u16> {
        let passing = self.squares.iter().copied().find(|&sq| self.passages.has(sq));
        if passing.is_some() {
            return passing;
        }
        let home = match self.way {
            Way::Forward => self.home.goals(),
            Way::Backward => self.home.starts(),
        };
        let looks = self.settings.tunnels;
        looks.then(|| tunnels::box_to_move(&self.ground, self.way, &self.flood, &self.squares, home)).flatten()
    }
}
