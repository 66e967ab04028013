//! Omitted pushes, box by box, in their order.
//!
//! Invariant: the pushes of one box stand in the order of the solution, and are played in it.

use crate::push_order::Link;

/// Pushes that wait to be made up for.
#[derive(Debug, Default)]
pub(super) struct Queue {
    lines: Vec<Line>,
    /// Lines in use; the rest keep their memory.
    n_boxes: usize,
    n_waiting: u32,
    len: usize,
}

/// The pushes of one box.
#[derive(Debug, Default)]
struct Line {
    links: Vec<Link>,
    /// So many of them are played.
    n_played: usize,
}

impl Queue {
    pub(super) const fn clear(&mut self) {
        (self.n_boxes, self.n_waiting, self.len) = (0, 0, 0);
    }

    /// Lets a link wait behind those of its box.
    pub(super) fn add(&mut self, link: Link) {
        let place = self.place_of(link.n).unwrap_or_else(|| {
            if self.n_boxes == self.lines.len() {
                self.lines.push(Line::default());
            }
            self.lines[self.n_boxes].links.clear();
            self.lines[self.n_boxes].n_played = 0;
            self.n_boxes += 1;
            self.n_boxes - 1
        });
        self.lines[place].links.push(link);
        self.n_waiting += 1;
        self.len += 1;
    }

    fn place_of(&self, n: u16) -> Option<usize> {
        self.lines[..self.n_boxes].iter().position(|line| line.links[0].n == n)
    }

    pub(super) fn has_box(&self, n: u16) -> bool {
        self.place_of(n).is_some()
    }

    pub(super) const fn n_boxes(&self) -> usize {
        self.n_boxes
    }

    /// Pushes in the queue, played or not.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Pushes not played yet.
    pub(super) const fn n_waiting(&self) -> u32 {
        self.n_waiting
    }

    pub(super) const fn is_played(&self) -> bool {
        self.n_waiting == 0
    }

    /// Whether box `n` has nothing left to play.
    pub(super) fn is_done_with(&self, n: u16) -> bool {
        self.place_of(n).is_none_or(|place| self.next_of(place).is_none())
    }

    /// The next push to play of the box at this place.
    pub(super) fn next_of(&self, place: usize) -> Option<Link> {
        let line = &self.lines[place];
        line.links.get(line.n_played).copied()
    }

    pub(super) fn advance(&mut self, place: usize) {
        self.lines[place].n_played += 1;
        self.n_waiting -= 1;
    }

    pub(super) fn retreat(&mut self, place: usize) {
        self.lines[place].n_played -= 1;
        self.n_waiting += 1;
    }
}
