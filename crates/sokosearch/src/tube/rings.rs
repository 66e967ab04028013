//! The nearest live squares of a square, ring by ring.
//!
//! Breadth-first over live squares: dead squares and walls are neither counted nor crossed. The squares of a ring are
//! visited clockwise or counter-clockwise from some direction; where a limit cuts a ring, this order decides which of its
//! squares are taken, so passes vary it.
//!
//! ```text
//!  5 squares, counter-clockwise from up:   2        10 squares:   6
//!                                        3 1 5                  7 2 8
//!                                          4                  9 3 1 5
//!                                                               A 4
//! ```

use sokocore::{Board, Direction, Square};

use crate::{Charge, LiveIndex, MemoryAccount, Stop};

/// The order in which the squares of a ring are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingOrder([Direction; 4]);

impl RingOrder {
    /// All eight orders: counter-clockwise and clockwise in turn, starting from each direction.
    pub const ALL: [Self; 8] = {
        let mut all = [Self(Direction::ALL); 8];
        let mut at = 0;
        while at < 8 {
            let first = Direction::ALL[at / 2];
            let second = if at % 2 == 0 { first.clockwise().opposite() } else { first.clockwise() };
            all[at] = Self([first, second, first.opposite(), second.opposite()]);
            at += 1;
        }
        all
    };

    /// Returns the directions in the order in which they are tried.
    #[must_use]
    pub const fn directions(self) -> [Direction; 4] {
        self.0
    }
}

/// The nearest squares of every live square, computed on first use.
#[derive(Debug)]
pub struct Rings {
    order: RingOrder,
    limit: usize,
    near: Vec<Option<Box<[u32]>>>,
    seen: Vec<bool>,
    charge: Charge,
}

impl Rings {
    /// Prepares rings of up to `limit` *other* squares; the square itself always comes first, on top.
    #[must_use]
    pub fn new(live: &LiveIndex, order: RingOrder, limit: usize, account: &MemoryAccount) -> Self {
        let n_live = live.n_live();
        Self { order, limit, near: vec![None; n_live], seen: vec![false; n_live], charge: account.nothing() }
    }

    /// Returns the bits of the nearest squares of the square with this bit, itself first.
    ///
    /// # Errors
    /// The list does not fit into the account.
    pub fn of(&mut self, board: &Board, live: &LiveIndex, bit: usize) -> Result<&[u32], Stop> {
        if self.near[bit].is_none() {
            self.charge.add(4 * (self.limit + 1).min(live.n_live()) as u64)?;
            self.near[bit] = Some(self.search(board, live, bit).into());
        }
        Ok(self.near[bit].as_deref().unwrap_or(&[]))
    }

    fn search(&mut self, board: &Board, live: &LiveIndex, bit: usize) -> Vec<u32> {
        let enough = (self.limit + 1).min(live.n_live());
        let number = |bit: usize| u32::try_from(bit).expect("invariant: bits are numbers of squares");
        let mut near = Vec::with_capacity(enough);
        near.push(number(bit));
        self.seen[bit] = true;
        let mut head = 0;
        while let Some(&bit) = near.get(head) {
            head += 1;
            for dir in self.order.0 {
                let next = board.step(live.square(bit as usize), dir).and_then(|sq: Square| live.bit(sq));
                let Some(next) = next.filter(|&next| near.len() < enough && !self.seen[next]) else { continue };
                self.seen[next] = true;
                near.push(number(next));
            }
        }
        near.iter().for_each(|&bit| self.seen[bit as usize] = false);
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    /// Draws the rings around the box of an open room of live squares.
    fn check(order: RingOrder, limit: usize, expect: &[&str]) {
        let rows = [
            "#########",
            "#.......#",
            "#.......#",
            "#.......#",
            "#...$...#",
            "#.......#",
            "#.......#",
            "#@......#",
            "#########",
        ];
        let level = Level::parse(&rows.join("\n")).unwrap();
        let live = LiveIndex::new(&level);
        let center = live.bit(level.board().square_at(4, 4).unwrap()).unwrap();
        let mut rings = Rings::new(&live, order, limit, &MemoryAccount::new(1 << 20));
        let near = rings.of(level.board(), &live, center).unwrap();
        let mark = |row, column| {
            let bit = level.board().square_at(row, column).and_then(|sq| live.bit(sq));
            let at = near.iter().position(|&near| Some(near as usize) == bit);
            at.and_then(|at| char::from_digit(u32::try_from(at).unwrap() + 1, 36)).unwrap_or('-')
        };
        let drawn: Vec<String> = (2..7).map(|row| (2..7).map(|column| mark(row, column)).collect()).collect();
        assert_eq!(drawn, expect);
    }

    /// The drawings of the YASO description: the own square is number 1.
    #[test]
    fn rings_are_those_of_the_description() {
        let counter_clockwise = RingOrder::ALL[0];
        check(counter_clockwise, 4, &["-----", "--2--", "-315-", "--4--", "-----"]);
        check(counter_clockwise, 12, &["--6--", "-728-", "9315d", "-a4c-", "--b--"]);
        let clockwise = RingOrder::ALL[1];
        check(clockwise, 4, &["-----", "--2--", "-513-", "--4--", "-----"]);
    }

    #[test]
    fn there_are_eight_orders() {
        for (at, order) in RingOrder::ALL.iter().enumerate() {
            assert!(!RingOrder::ALL[..at].contains(order));
        }
    }
}
