//! A set of positions by 42 bits of their hashes, in about five bytes each.
//!
//! ```text
//!   10 bits: the drawer     32 bits: what lies there, in lines of 16, which are lines of a cache
//!
//!   drawer 0 ── line ── line ── line         a print belongs to the line at its share of the drawer,
//!   drawer 1 ── line ── line                 and lies in the next one that has room
//!   ...
//! ```
//!
//! **Invariant**: no line between the one where a print belongs and the one where it lies has an empty place. In each
//! drawer some places are empty. A position that was never put in may be found, one in 2^42 for each that is there:
//! whoever finds one looks whether it is true.

use std::hint::black_box;

/// The set.
#[derive(Debug, Default)]
pub(crate) struct Prints {
    drawers: Vec<Drawer>,
    /// In all drawers.
    n_lines: usize,
    /// In the largest drawer.
    most_lines: usize,
    #[cfg(test)]
    len: usize,
}

#[derive(Clone, Debug, Default)]
struct Drawer {
    lines: Vec<Line>,
    len: usize,
}

/// Prints; 0 is an empty place, and these come last.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([u32; 16]);

impl Prints {
    /// Drawers, by the first ten bits of a hash.
    const N_DRAWERS: usize = 1 << 10;
    /// Bytes of a drawer without its lines, and what the allocator takes for them.
    const DRAWER_BYTES: usize = size_of::<Drawer>() + size_of::<Line>();

    /// Returns how many there are.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes in use once one more is put in. While a drawer grows, it is there twice.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        let n_lines = self.n_lines + Drawer::grown(self.most_lines);
        Self::N_DRAWERS * Self::DRAWER_BYTES + n_lines * size_of::<Line>()
    }

    /// Fetches the line where a position may be, without waiting for it.
    pub(crate) fn touch(&self, hash: u64) {
        let (drawer, print) = place(hash);
        if let Some(drawer) = self.drawers.get(drawer) {
            black_box(drawer.lines.get(drawer.line_of(print)).map(|line| line.0[0]));
        }
    }

    /// Returns whether a position is there.
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (drawer, print) = place(hash);
        self.drawers.get(drawer).is_some_and(|drawer| drawer.has(print))
    }

    /// Puts a position in.
    pub(crate) fn insert(&mut self, hash: u64) {
        if self.drawers.is_empty() {
            self.drawers = vec![Drawer::default(); Self::N_DRAWERS];
        }
        let (drawer, print) = place(hash);
        let drawer = &mut self.drawers[drawer];
        if drawer.is_full() {
            self.n_lines += drawer.grow();
            self.most_lines = self.most_lines.max(drawer.lines.len());
        }
        let is_new = drawer.insert(print);
        drawer.len += usize::from(is_new);
        #[cfg(test)]
        (self.len += usize::from(is_new));
    }
}

impl Drawer {
    /// Returns the number of lines after so many.
    const fn grown(n_lines: usize) -> usize {
        n_lines + n_lines / 8 + 1
    }

    /// Seven eighths of the places may be taken.
    const fn is_full(&self) -> bool {
        self.len >= self.lines.len() * 14
    }

    fn has(&self, print: u32) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let mut at = self.line_of(print);
        loop {
            let line = &self.lines[at];
            if line.has(print) {
                return true;
            }
            if !line.is_full() {
                return false;
            }
            at = self.after(at);
        }
    }

    /// Puts a print in, while there is room; returns whether it is new.
    fn insert(&mut self, print: u32) -> bool {
        let mut at = self.line_of(print);
        loop {
            if self.lines[at].has(print) {
                return false;
            }
            if self.lines[at].put(print) {
                return true;
            }
            at = self.after(at);
        }
    }

    /// Makes more lines; returns how many.
    fn grow(&mut self) -> usize {
        let n_lines = self.lines.len();
        let before = std::mem::replace(&mut self.lines, vec![Line::default(); Self::grown(n_lines)]);
        for print in before.iter().flat_map(|line| line.0).filter(|&print| print != 0) {
            self.insert(print);
        }
        self.lines.len() - n_lines
    }

    /// Returns the line where a print belongs; lines are in the order of what belongs there.
    const fn line_of(&self, print: u32) -> usize {
        ((print as u64 * self.lines.len() as u64) >> 32) as usize
    }

    const fn after(&self, line: usize) -> usize {
        if line + 1 < self.lines.len() { line + 1 } else { 0 }
    }
}

impl Line {
    /// Looks at all places without a branch, so that many are compared at once.
    fn has(&self, print: u32) -> bool {
        self.0.iter().fold(false, |has, &other| has | (other == print))
    }

    const fn is_full(&self) -> bool {
        self.0[15] != 0
    }

    /// Puts a print in; returns whether there was room.
    fn put(&mut self, print: u32) -> bool {
        let empty = self.0.iter_mut().find(|other| **other == 0);
        empty.map(|empty| *empty = print).is_some()
    }
}

/// Returns the drawer of a hash, and what is put there.
#[expect(clippy::cast_possible_truncation, reason = "ten bits, and then 32")]
fn place(hash: u64) -> (usize, u32) {
    ((hash >> 54) as usize, ((hash >> 22) as u32).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn hash(n: u64) -> u64 {
        (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn what_was_put_in_is_found_and_nothing_else() {
        let mut prints = Prints::default();
        assert!(!prints.has(hash(0)));
        let n = 500 * Prints::N_DRAWERS as u64;
        for each in 0..n {
            let ahead = prints.bytes_ahead();
            prints.insert(hash(each));
            assert!(Prints::N_DRAWERS * size_of::<Drawer>() + size_of::<Line>() * prints.n_lines <= ahead);
        }
        assert!((0..n).all(|each| prints.has(hash(each))) && (n..2 * n).all(|each| !prints.has(hash(each))));
        (0..n).for_each(|each| prints.insert(hash(each)));
        assert_eq!(prints.len() as u64, n);
        assert_eq!(prints.n_lines, prints.drawers.iter().map(|drawer| drawer.lines.capacity()).sum());
        assert!(prints.bytes_ahead() < 6 * prints.len());
    }

    /// All in one drawer, and most of these in its last line, so that they go on in the first.
    #[test]
    fn prints_that_crowd_lie_in_the_lines_that_follow() {
        let mut prints = Prints::default();
        let hashes = || (0..200).map(|n: u64| (0xffff_ffff - n) << 22).chain((0..20).map(|n| n << 22));
        hashes().for_each(|hash| prints.insert(hash));
        // The prints 0 and 1 are the same.
        assert_eq!((prints.len(), prints.drawers[0].len), (219, 219));
        assert!(hashes().all(|hash| prints.has(hash)) && !prints.has(0xffff_0000 << 22));
    }
}
