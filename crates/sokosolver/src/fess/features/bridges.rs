//! Free floor on no cycle of free floor: where a box would cut the board in two.
//!
//! Bridges of the free floor by depth-first numbers and low points (Tarjan, 1974), without recursion.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

/// Scratch space for counting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bridges {
    number: Vec<u16>,
    low: Vec<u16>,
    on_ring: Vec<bool>,
    path: Vec<(FloorSquare, usize)>,
}

impl Bridges {
    /// Returns how many squares of the player's region are on no cycle; squares that `spares` accepts do not count.
    pub(crate) fn off<const W: usize>(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        player: FloorSquare,
        spares: impl Fn(FloorSquare) -> bool,
    ) -> u64 {
        let n = board.n_squares();
        self.number.clear();
        self.number.resize(n, 0);
        self.low.resize(n, 0);
        self.on_ring.clear();
        self.on_ring.resize(n, false);
        self.path.clear();
        self.path.push((player, 4));
        let mut last = 1;
        self.number[player.idx()] = last;
        self.low[player.idx()] = last;
        let mut next_dir = vec![0usize; n];
        while let Some(&(sq, came)) = self.path.last() {
            let at = sq.idx();
            let dir = next_dir[at];
            if dir == 4 {
                self.path.pop();
                if let Some(&(parent, _)) = self.path.last() {
                    let up = parent.idx();
                    if self.low[at] <= self.number[up] {
                        self.on_ring[at] = true;
                        self.on_ring[up] = true;
                    }
                    self.low[up] = self.low[up].min(self.low[at]);
                }
                continue;
            }
            next_dir[at] += 1;
            let next = board.step(sq, dir);
            if next == board.wall() || boxes.has(next) || dir == came {
                continue;
            }
            let to = next.idx();
            if self.number[to] == 0 {
                last += 1;
                self.number[to] = last;
                self.low[to] = last;
                self.path.push((next, dir ^ 2));
            } else {
                self.low[at] = self.low[at].min(self.number[to]);
            }
        }
        let off = |sq: &FloorSquare| self.number[sq.idx()] != 0 && !self.on_ring[sq.idx()] && !spares(*sq);
        board.squares().filter(off).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    #[test]
    fn a_dead_end_is_on_no_cycle_and_a_box_opens_one() {
        let level = Level::parse("########\n#   #. #\n# # #$ #\n#   @  #\n########").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let off = |boxes: BitSet<2>| Bridges::default().off(&board, &boxes, board.player(), |_| false);
        // Two cycles of floor, and the square of the player between them.
        assert_eq!(off(BitSet::default()), 1);
        // The box leaves a path of four squares on the right, and the corner behind it.
        assert_eq!(off(SearchBoard::set(board.starts())), 6);
    }
}
