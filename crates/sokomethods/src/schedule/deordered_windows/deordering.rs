//! A window of the solution in another order: the pushes of a cluster of boxes in one piece, all others before or after them.

use std::ops::Range;

use sokocore::{Level, MinCostMatching, Push, Square};

use super::cluster_search::{BoxCluster, MAX_CLUSTER};
use crate::push_order::{Link, WalkedBoard};
use crate::schedule::draws::Draws;

/// Pushes of the shortest window that a cluster is gathered from.
const FEWEST_PUSHES: usize = 40;
/// Pushes that a cluster is to have, at least and at most. Smaller clusters mostly have nothing to save, and larger ones
/// cannot be gathered.
const LEAST_AIM: usize = 10;
const MOST_AIM: usize = 36;
/// In how many of a hundred cases a near box belongs to the cluster.
const TAKEN: u64 = 90;
/// In how many of a hundred cases the cluster has its turn as late as possible.
const LATE: u64 = 50;
/// Fewest pushes that are worth a search.
const FEWEST_GATHERED: usize = 3;

/// The whole solution with the pushes of a cluster in one piece.
#[derive(Debug)]
pub(super) struct DeorderedWindow {
    pub(super) pushes: Vec<Push>,
    /// The pushes of the cluster.
    pub(super) range: Range<usize>,
    pub(super) cluster: BoxCluster,
}

/// Scratch space for drawing clusters and gathering their pushes.
pub(super) struct Deordering<'a> {
    level: &'a Level,
    board: WalkedBoard<'a>,
    matching: MinCostMatching,
}

impl<'a> Deordering<'a> {
    pub(super) fn new(level: &'a Level) -> Self {
        Self { level, board: WalkedBoard::new(level), matching: MinCostMatching::default() }
    }

    /// Returns how many squares walks have expanded since the last call.
    pub(super) const fn take_expanded(&mut self) -> u64 {
        self.board.take_expanded()
    }

    /// Draws a window of the first `n_pushes` pushes and a cluster of boxes, and gathers the pushes of the cluster. `None` if
    /// the cluster needs as many pushes anyway, or if what is left would not be possible.
    pub(super) fn draw(&mut self, links: &[Link], n_pushes: usize, draws: &mut Draws) -> Option<DeorderedWindow> {
        let range = draws.window(n_pushes, FEWEST_PUSHES, n_pushes);
        let window = &links[range.clone()];
        let is_member = self.draw_cluster(window, draws)?;
        let turn = if draws.chance(LATE) { window.len() } else { draws.below(window.len() + 1) };
        if !self.has_excess(window.iter().filter(|link| is_member[usize::from(link.n)])) {
            return None;
        }
        self.board.place(&self.level.start().boxes, self.level.start().player);
        for link in &links[..range.start] {
            self.board.push(link);
        }
        let (before, rest) = self.make(window, |at, link| at < turn && !is_member[usize::from(link.n)]);
        let board = self.level.board();
        let mut fixed = board.set_of(board.squares().filter(|&sq| self.board.has_box(sq)));
        let player = self.board.player();
        let (own, rest) = self.make(&rest, |_, link| is_member[usize::from(link.n)]);
        let exit = self.board.player();
        if own.len() < FEWEST_GATHERED || !self.has_excess(&own) {
            return None;
        }
        let (after, impossible) = self.make(&rest, |_, _| true);
        if !impossible.is_empty() || !links.get(range.end).is_none_or(|next| self.is_possible(next)) {
            return None;
        }
        let (homes, targets) = ends_of(&own);
        homes.iter().for_each(|&sq| _ = fixed.remove(sq));
        let from = range.start + before.len();
        let own_range = from..from + own.len();
        let others = [&links[..range.start], &before, &own, &after, &links[range.end..]];
        let pushes = others.into_iter().flatten().map(|link| link.push).collect();
        let cluster = BoxCluster { homes, targets, fixed, player, exit };
        Some(DeorderedWindow { pushes, range: own_range, cluster })
    }

    /// Draws a number of pushes, and the boxes nearest to a push of the window until they have so many. Returns for each box
    /// whether it belongs to the cluster; `None` if there is nothing to draw from.
    fn draw_cluster(&self, window: &[Link], draws: &mut Draws) -> Option<Vec<bool>> {
        let aim = draws.log_uniform(LEAST_AIM, MOST_AIM);
        let center = window.get(draws.below(window.len()))?.to;
        let walls = self.board.walls();
        // Distance, a number that decides between equal ones, the box, and its pushes.
        let mut near: Vec<(u32, u64, usize, usize)> =
            (0..self.level.n_boxes()).map(|n| (u32::MAX, draws.next(), n, 0)).collect();
        for link in window {
            let (distance, .., n_pushes) = &mut near[usize::from(link.n)];
            let nearer = walls.distance(center, link.to).min(walls.distance(center, link.push.from));
            *distance = nearer.min(*distance);
            *n_pushes += 1;
        }
        near.retain(|&(.., n_pushes)| n_pushes > 0);
        near.sort_unstable();
        let mut is_member = vec![false; self.level.n_boxes()];
        let (mut n_members, mut n_gathered) = (0, 0);
        for (.., n, n_pushes) in near {
            if n_gathered >= aim || n_members == MAX_CLUSTER {
                break;
            }
            if draws.chance(TAKEN) {
                is_member[n] = true;
                n_members += 1;
                n_gathered += n_pushes;
            }
        }
        Some(is_member)
    }

    /// Returns whether these pushes are more than their boxes need by the walls alone, whichever ends where.
    fn has_excess<'b>(&mut self, links: impl IntoIterator<Item = &'b Link>) -> bool {
        let links: Vec<Link> = links.into_iter().copied().collect();
        let (homes, targets) = ends_of(&links);
        let walls = self.board.walls();
        let least = self.matching.least_cost(homes.len(), targets.len(), |home, target| {
            // A box is pushed at least as far as the player would walk.
            Some(walls.distance(homes[home], targets[target]))
        });
        least.is_some_and(|least| least < links.len() as u64)
    }

    /// Makes the pushes that are wanted and possible, in their order. Returns them, and the others: once a push of a box is
    /// left out, all its later ones are.
    fn make(&mut self, links: &[Link], is_wanted: impl Fn(usize, &Link) -> bool) -> (Vec<Link>, Vec<Link>) {
        let mut is_late = vec![false; self.level.n_boxes()];
        let (mut made, mut left) = (Vec::with_capacity(links.len()), Vec::new());
        for (at, link) in links.iter().enumerate() {
            let is_late = &mut is_late[usize::from(link.n)];
            if !*is_late && is_wanted(at, link) && self.is_possible(link) {
                self.board.push(link);
                made.push(*link);
            } else {
                *is_late = true;
                left.push(*link);
            }
        }
        (made, left)
    }

    fn is_possible(&mut self, link: &Link) -> bool {
        self.board.fits(link) && self.board.walk(link).is_some()
    }
}

/// Returns where the boxes of these pushes begin, and where they end, in the order of their first pushes.
fn ends_of(links: &[Link]) -> (Vec<Square>, Vec<Square>) {
    let mut numbers: Vec<u16> = Vec::new();
    let (mut homes, mut targets) = (Vec::new(), Vec::new());
    for link in links {
        match numbers.iter().position(|&n| n == link.n) {
            Some(at) => targets[at] = link.to,
            None => {
                numbers.push(link.n);
                homes.push(link.push.from);
                targets.push(link.to);
            }
        }
    }
    (homes, targets)
}
