//! The queue of omitted pushes, box by box.
//!
//! Invariant: the pushes of one box are stored and played in the order of the solution.

use crate::push_order::Link;

/// Pushes that are to be inserted later.
#[derive(Debug, Default)]
pub(super) struct DelayQueue {
    queues: Vec<BoxQueue>,
    /// Queues in use; the others keep their memory.
    n_boxes: usize,
    n_waiting: u32,
    len: usize,
}

/// The pushes of one box.
#[derive(Debug, Default)]
struct BoxQueue {
    links: Vec<Link>,
    /// Number of them that are played.
    n_played: usize,
}

impl DelayQueue {
    pub(super) const fn clear(&mut self) {
        (self.n_boxes, self.n_waiting, self.len) = (0, 0, 0);
    }

    /// Appends a link to those of its box.
    pub(super) fn add(&mut self, link: Link) {
        let place = self.place_of(link.n).unwrap_or_else(|| {
            if self.n_boxes == self.queues.len() {
                self.queues.push(BoxQueue::default());
            }
            self.queues[self.n_boxes].links.clear();
            self.queues[self.n_boxes].n_played = 0;
            self.n_boxes += 1;
            self.n_boxes - 1
        });
        self.queues[place].links.push(link);
        self.n_waiting += 1;
        self.len += 1;
    }

    fn place_of(&self, n: u16) -> Option<usize> {
        self.queues[..self.n_boxes].iter().position(|queue| queue.links[0].n == n)
    }

    pub(super) fn has_box(&self, n: u16) -> bool {
        self.place_of(n).is_some()
    }

    pub(super) const fn n_boxes(&self) -> usize {
        self.n_boxes
    }

    /// Returns the number of pushes, played or not.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of pushes not played yet.
    pub(super) const fn n_waiting(&self) -> u32 {
        self.n_waiting
    }

    pub(super) const fn is_played(&self) -> bool {
        self.n_waiting == 0
    }

    /// Returns whether all pushes of box `n` are played.
    pub(super) fn is_done_with(&self, n: u16) -> bool {
        self.place_of(n).is_none_or(|place| self.next_of(place).is_none())
    }

    /// Returns the next push of the box at this place.
    pub(super) fn next_of(&self, place: usize) -> Option<Link> {
        let queue = &self.queues[place];
        queue.links.get(queue.n_played).copied()
    }

    pub(super) fn advance(&mut self, place: usize) {
        self.queues[place].n_played += 1;
        self.n_waiting -= 1;
    }

    pub(super) fn retreat(&mut self, place: usize) {
        self.queues[place].n_played -= 1;
        self.n_waiting += 1;
    }
}
