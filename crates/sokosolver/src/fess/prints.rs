//! A set of positions by 42 bits of their hashes, in little more than four bytes each.
//!
//! ```text
//!   10 bits or more: the drawer     32 bits: what lies there, in order; the first bits of these are the drawer's, too,
//!                                   once there are more drawers
//! ```
//!
//! **Invariant**: the drawers together are in ascending order. A position that was never put in may be found, one in
//! 2^42 for each that is there: whoever finds one looks whether it is true.

/// The set.
#[derive(Debug, Default)]
pub(crate) struct Prints {
    drawers: Vec<Vec<u32>>,
    /// Entries that fit before some drawer grows, in all.
    capacity: usize,
    len: usize,
}

impl Prints {
    /// Bits of a hash.
    const BITS: u32 = 42;
    /// Bits of the first drawers.
    const FIRST_BITS: u32 = 10;
    /// With more in each, there are twice as many drawers.
    const MEAN: usize = 128;
    /// Bytes of a drawer without what lies in it.
    const DRAWER_BYTES: usize = size_of::<Vec<u32>>() + 16;

    /// Returns how many there are.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes in use once one more is put in.
    pub(crate) fn bytes_ahead(&self) -> usize {
        let n_drawers = self.drawers.len().max(1 << Self::FIRST_BITS);
        let (n_then, passing) =
            if self.is_due() { (2 * n_drawers, n_drawers * size_of::<Vec<u32>>()) } else { (n_drawers, 0) };
        // A drawer that grows is there twice.
        n_then * Self::DRAWER_BYTES + passing + 4 * (self.capacity + 4 * Self::MEAN)
    }

    /// Returns whether a position is there.
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (drawer, print) = self.place(hash);
        self.drawers.get(drawer).is_some_and(|drawer| self.find(drawer, print).is_ok())
    }

    /// Puts a position in.
    pub(crate) fn insert(&mut self, hash: u64) {
        if self.drawers.is_empty() {
            self.drawers.resize_with(1 << Self::FIRST_BITS, Vec::new);
        } else if self.is_due() {
            self.split();
        }
        let (drawer, print) = self.place(hash);
        if let Err(at) = self.find(&self.drawers[drawer], print) {
            let drawer = &mut self.drawers[drawer];
            if drawer.len() == drawer.capacity() {
                let before = drawer.capacity();
                drawer.reserve_exact((before / 8).max(4));
                self.capacity += drawer.capacity() - before;
            }
            drawer.insert(at, print);
            self.len += 1;
        }
    }

    fn is_due(&self) -> bool {
        self.len > self.drawers.len() * Self::MEAN && self.drawers.len() < 1 << (Self::FIRST_BITS + 14)
    }

    /// Makes two drawers of each.
    fn split(&mut self) {
        let half = 1 << (31 - self.n_known());
        self.capacity = 0;
        let mut drawers = Vec::with_capacity(2 * self.drawers.len());
        for drawer in std::mem::take(&mut self.drawers) {
            let (low, high) = drawer.split_at(drawer.partition_point(|print| print & half == 0));
            self.capacity += drawer.len();
            drawers.extend([low.to_vec(), high.to_vec()]);
        }
        self.drawers = drawers;
    }

    /// How many of the first bits of a print are those of its drawer.
    const fn n_known(&self) -> u32 {
        self.drawers.len().ilog2() - Self::FIRST_BITS
    }

    /// Looks a print up in its drawer: near where it lies if all lie evenly. Where it is not, the place for it is told.
    fn find(&self, drawer: &[u32], print: u32) -> Result<usize, usize> {
        let mut at = ((u64::from(print << self.n_known()) * drawer.len() as u64) >> 32) as usize;
        while at > 0 && drawer[at - 1] >= print {
            at -= 1;
        }
        while at < drawer.len() && drawer[at] < print {
            at += 1;
        }
        if drawer.get(at) == Some(&print) { Ok(at) } else { Err(at) }
    }

    /// Returns the drawer of a hash, and what is put there.
    #[expect(clippy::cast_possible_truncation, reason = "the last bits of 42 are wanted, and few bits of the first")]
    fn place(&self, hash: u64) -> (usize, u32) {
        let bits = hash >> (64 - Self::BITS);
        let n_drawers = self.drawers.len().max(1 << Self::FIRST_BITS);
        ((bits >> (Self::BITS - n_drawers.ilog2())) as usize, bits as u32)
    }
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
        let n = (Prints::MEAN as u64) << (Prints::FIRST_BITS + 3);
        for each in 0..n {
            let ahead = prints.bytes_ahead();
            prints.insert(hash(each));
            assert!(prints.drawers.len() * Prints::DRAWER_BYTES + 4 * prints.capacity <= ahead);
        }
        assert!((0..n).all(|each| prints.has(hash(each))) && (n..2 * n).all(|each| !prints.has(hash(each))));
        (0..n).for_each(|each| prints.insert(hash(each)));
        assert_eq!((prints.len() as u64, prints.drawers.len()), (n, 8 << Prints::FIRST_BITS));
        assert_eq!(prints.capacity, prints.drawers.iter().map(Vec::capacity).sum());
        assert!(prints.drawers.iter().all(|drawer| drawer.is_sorted()));
        assert!(prints.bytes_ahead() < 6 * prints.len());
    }
}
