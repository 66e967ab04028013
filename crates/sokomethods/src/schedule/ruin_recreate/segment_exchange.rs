//! The exchange of two neighboring segments of the solution.
//!
//! ```text
//!   solution     a₁ a₂ ╷ b₁ c₁ ╷ d₁ d₂ e₁ ╷ f₁       pushes of the boxes a to f; ╷ is where a segment may begin
//!   exchanged    a₁ a₂ ╷ d₁ d₂ e₁ ╷ b₁ c₁ ╷ f₁       three walks begin elsewhere; others may become shorter or longer
//! ```
//!
//! An insertion takes one box to another turn. An exchange takes the player to another part of the board first, with all boxes
//! that are pushed there. Both segments keep their order, so most of what one push needs of another stays. Squares decide which
//! box a push moves, so boxes may take each other's turns.
//!
//! A candidate is priced by its three new walks, as if there were walls alone, before a push of it is made. Source: the
//! path-preserving 3-exchange for the sequential ordering problem, a tour with precedences, of Gambardella and Dorigo, *An ant colony
//! system hybridized with a new local search for the sequential ordering problem*, INFORMS Journal on Computing 12, 2000; without
//! reversal it is Or-opt (Or 1976).

use sokocore::Level;

use crate::push_order::{Link, WalkedBoard};
use crate::schedule::draws::Draws;

/// Two segments: pushes `first..second`, and those up to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segments {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) end: usize,
}

/// What an exchange that is possible makes of the walks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExchangedWalks {
    /// Steps walked to the pushes of both segments and to the push after them, before and after.
    pub(super) old_steps: u32,
    pub(super) new_steps: u32,
    /// Steps of the walk to the push after them, if there is one.
    pub(super) exit_walk: Option<u32>,
}

/// The scratch space of exchanges.
#[derive(Debug, Default)]
pub(super) struct SegmentExchange {
    /// The pushes that a segment may begin with, in ascending order, and the end of the last one.
    heads: Vec<usize>,
    /// The pushes of both segments in their new order.
    order: Vec<Link>,
}

impl SegmentExchange {
    /// Finds the heads of a solution, of which only the first `n_pushes` pushes may change their turn. A segment begins after a
    /// walk, or with a box other than the one before.
    pub(super) fn find_heads(&mut self, current: &[Link], n_pushes: usize) {
        let is_head = |at: usize| {
            let prior = at.checked_sub(1).map(|prior| current[prior].to);
            current[at].walk > 0 || prior != Some(current[at].push.from)
        };
        self.heads.clear();
        self.heads.extend((0..n_pushes).filter(|&at| is_head(at)));
        self.heads.push(n_pushes);
    }

    /// Draws two segments: short ones as often as ones that are twice as long. `None` if they do not fit.
    pub(super) fn draw(&self, draws: &mut Draws) -> Option<Segments> {
        let n_segments = self.heads.len().checked_sub(1).filter(|&n| n >= 2)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no more than there are")]
        let mut length = || ((n_segments as f64).powf(draws.share()) as usize).clamp(1, n_segments - 1);
        let (first, second) = (length(), length());
        let n_places = (n_segments + 1).checked_sub(first + second).filter(|&n| n > 0)?;
        let at = draws.below(n_places);
        let head = |at: usize| self.heads[at];
        Some(Segments { first: head(at), second: head(at + first), end: head(at + first + second) })
    }

    /// Returns whether the three new walks may be at most `slack` steps longer than the old ones.
    pub(super) fn may_pay(
        current: &[Link],
        Segments { first, second, end }: Segments,
        slack: u32,
        level: &Level,
        board: &WalkedBoard<'_>,
    ) -> bool {
        let walls = board.walls();
        let before = first.checked_sub(1).map_or(level.start().player, |prior| current[prior].push.from);
        let exit = current.get(end);
        let old = current[first].walk + current[second].walk + exit.map_or(0, |exit| exit.walk);
        let new = walls.distance(before, current[second].stand)
            + walls.distance(current[end - 1].push.from, current[first].stand)
            + exit.map_or(0, |exit| walls.distance(current[second - 1].push.from, exit.stand));
        new <= old + slack
    }

    /// Tries to exchange two segments, for at most `slack` steps more. The new order is in [`SegmentExchange::order`] then.
    pub(super) fn try_exchange(
        &mut self,
        current: &[Link],
        Segments { first, second, end }: Segments,
        slack: u32,
        level: &Level,
        board: &mut WalkedBoard<'_>,
    ) -> Option<ExchangedWalks> {
        self.order.clear();
        self.order.extend_from_slice(&current[second..end]);
        self.order.extend_from_slice(&current[first..second]);
        board.place(&level.start().boxes, level.start().player);
        current[..first].iter().for_each(|link| _ = board.push(link));
        if board.first_misfit(&self.order).is_some() {
            return None;
        }
        let exit = current.get(end);
        let old_steps: u32 = current[first..end].iter().chain(exit).map(|link| link.walk).sum();
        let most: u32 = old_steps + slack;
        // A lower bound of all walks, of which each one that is computed replaces its part.
        let mut steps: u32 = 0;
        let mut from = board.player();
        for link in self.order.iter().chain(exit) {
            steps += board.walls().distance(from, link.stand);
            from = link.push.from;
        }
        let mut walk = |link: &Link, board: &mut WalkedBoard<'_>| {
            let least = board.walls().distance(board.player(), link.stand);
            let walk = board.steps(board.player(), link.stand, (most + least).checked_sub(steps)?)?;
            steps += walk - least;
            Some(walk)
        };
        for link in &mut self.order {
            link.walk = walk(link, board)?;
            board.push(link);
        }
        let exit_walk = match exit {
            Some(exit) => Some(walk(exit, board)?),
            None => None,
        };
        (steps <= most).then_some(ExchangedWalks { old_steps, new_steps: steps, exit_walk })
    }

    /// Returns the pushes of both segments in the order that was tried last.
    pub(super) fn order(&self) -> &[Link] {
        &self.order
    }
}
