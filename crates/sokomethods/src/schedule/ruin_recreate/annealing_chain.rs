//! The chain of solutions: each step exchanges segments of the current solution, then ruins a random window and recreates it.

use sokocore::{Level, Push, Square, pushes_of};
use sokosearch::{Context, Stop};

use super::box_insertion::BoxInsertion;
use super::cost_weights::CostWeights;
use super::ruined_window::{RuinedWindow, unwalked};
use super::segment_exchange::SegmentExchange;
use crate::push_order::{EXPANDED_PER_TICK, Link};
use crate::schedule::draws::Draws;

/// Pushes of the shortest and of the longest window.
const FEWEST_PUSHES: usize = 20;
const MOST_PUSHES: usize = 400;
/// Most boxes that are taken out at once.
const MOST_BOXES: usize = 6;
/// In how many of a hundred cases the first box is one that is pushed in the window.
const PUSHED: u64 = 75;
/// In how many of a hundred cases a near box is taken out, and a target is left out.
const TAKEN_OUT: u64 = 70;
const LEFT_OUT: u64 = 2;
/// Pushes of the longest solution in which insertions interrupt box lines. In longer ones that takes too much time.
const LONGEST_INTERRUPTED: usize = 100;
/// Exchanges of segments that a step draws, and most of them that it tries.
const EXCHANGES_DRAWN: usize = 64;
const EXCHANGES_TRIED: usize = 4;
/// Exchanges that are drawn and priced in the time of a tick.
const EXCHANGES_PER_TICK: usize = 32;
/// Pushes before a window that are replayed in the time of a tick.
const PUSHES_PER_TICK: usize = 16;

/// The current solution of the chain, with the scratch space of a step.
pub(super) struct AnnealingChain<'a> {
    level: &'a Level,
    window: RuinedWindow<'a>,
    insertion: BoxInsertion,
    exchange: SegmentExchange,
    exchanges_segments: bool,
    /// The current solution with its walks. Boxes are numbered in windows only.
    current: Vec<Link>,
    cost: u64,
    /// The best [`AnnealingChain::metrics`] that the chain has had.
    best: (u64, u64),
    /// Pushes at the end that no window contains: the last one, where the player has to end on its square.
    n_kept: usize,
}

impl<'a> AnnealingChain<'a> {
    /// Begins at the context's incumbent; `None` if that has no pushes to change.
    pub(super) fn from_best(weights: CostWeights, exchanges_segments: bool, cx: &Context<'a>) -> Option<Self> {
        let level = cx.level();
        let best = pushes_of(level, cx.incumbent().lurd());
        let n_kept = usize::from(cx.kept_end().is_some());
        let mut chain = Self {
            level,
            window: RuinedWindow::new(level, weights),
            // A push left is estimated as one that is not on the player's way.
            insertion: BoxInsertion::new(level.board(), weights.cost_of_push(0)),
            exchange: SegmentExchange::default(),
            exchanges_segments,
            current: Vec::new(),
            cost: 0,
            best: (0, 0),
            n_kept,
        };
        chain.move_to(&best);
        chain.best = chain.metrics();
        (chain.current.len() > n_kept).then_some(chain)
    }

    /// Makes another solution the current one.
    pub(super) fn move_to(&mut self, pushes: &[Push]) {
        let links: Vec<Link> = pushes.iter().filter_map(|&push| unwalked(self.level.board(), push)).collect();
        self.window.open(self.level.start(), &links, None);
        if self.window.compute_walks() {
            self.cost = self.window.cost();
            self.current = self.window.links().to_vec();
        }
    }

    /// Returns the pushes of the current solution.
    pub(super) fn current(&self) -> Vec<Push> {
        self.current.iter().map(|link| link.push).collect()
    }

    /// Returns the moves and the pushes of the current solution, the first metric in front.
    pub(super) const fn metrics(&self) -> (u64, u64) {
        self.window.weights.metrics(self.cost, self.current.len() as u64)
    }

    /// Exchanges segments of the current solution, then ruins and recreates a random window of it. Returns whether the run has
    /// gained.
    ///
    /// # Errors
    /// Why it was stopped. The current solution is a whole one, then.
    pub(super) fn step(&mut self, temperature: f64, mut draws: Draws, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let gains = self.exchanges_segments && self.exchange_segments(temperature, &mut draws, cx)?;
        Ok(self.ruin_and_recreate(temperature, draws, cx)? || gains)
    }

    /// Draws pairs of neighboring segments, and exchanges those for which that is possible and accepted.
    fn exchange_segments(&mut self, temperature: f64, draws: &mut Draws, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick_by((self.current.len() / PUSHES_PER_TICK + EXCHANGES_DRAWN / EXCHANGES_PER_TICK) as u64)?;
        let n_pushes = self.current.len().saturating_sub(self.n_kept);
        self.exchange.find_heads(&self.current, n_pushes);
        let (mut n_tried, mut gains) = (0, false);
        for _ in 0..EXCHANGES_DRAWN {
            let Some(segments) = self.exchange.draw(draws) else { continue };
            let slack = self.window.weights.most_steps(self.draw_slack(temperature, draws));
            let board = &mut self.window.board;
            if !SegmentExchange::may_pay(&self.current, segments, slack, self.level, board) {
                continue;
            }
            if n_tried == EXCHANGES_TRIED {
                break;
            }
            n_tried += 1;
            cx.tick_by((segments.end / PUSHES_PER_TICK) as u64 + board.take_expanded() / EXPANDED_PER_TICK)?;
            let Some(exchanged) = self.exchange.try_exchange(&self.current, segments, slack, self.level, board) else {
                continue;
            };
            self.current[segments.first..segments.end].copy_from_slice(self.exchange.order());
            if let (Some(next), Some(walk)) = (self.current.get_mut(segments.end), exchanged.exit_walk) {
                next.walk = walk;
            }
            let cost_of = |steps| self.window.weights.cost_of_walk(steps);
            self.cost = self.cost + cost_of(exchanged.new_steps) - cost_of(exchanged.old_steps);
            self.exchange.find_heads(&self.current, n_pushes);
            gains |= self.offer(cx);
        }
        Ok(gains)
    }

    /// Draws how much more than the current solution one may cost that is accepted.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    fn draw_slack(&self, temperature: f64, draws: &mut Draws) -> u64 {
        // -ln of a uniform number is exponentially distributed: the Metropolis criterion, drawn beforehand.
        (temperature * self.window.weights.unit() as f64 * -draws.share().ln()) as u64
    }

    /// Offers the current solution to the run if it is the best of the chain. Returns whether the run has gained.
    fn offer(&mut self, cx: &mut Context<'_>) -> bool {
        if self.metrics() >= self.best {
            return false;
        }
        self.best = self.metrics();
        cx.found_pushes(&self.current())
    }

    /// Ruins and recreates a random window of the current solution.
    fn ruin_and_recreate(&mut self, temperature: f64, mut draws: Draws, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let n_pushes = self.current.len().saturating_sub(self.n_kept);
        let range = draws.window(n_pushes, FEWEST_PUSHES, MOST_PUSHES);
        cx.tick_by(1 + (range.start / PUSHES_PER_TICK) as u64)?;
        let mut position = self.level.start().clone();
        self.current[..range.start].iter().for_each(|link| _ = position.push(self.level.board(), link.push));
        self.window.open(&position, &self.current[range.clone()], self.current.get(range.end));
        let old = self.window.cost();
        let slack = self.draw_slack(temperature, &mut draws);
        let mut boxes = self.draw_boxes(&mut draws);
        let mut targets = self.targets(&boxes);
        let is_ruined = self.window.take_out(&boxes);
        debug_assert!(is_ruined, "a box less blocks no push");
        draws.shuffle(&mut boxes);
        self.insertion.interrupts_box_lines = self.current.len() <= LONGEST_INTERRUPTED;
        for n in boxes {
            let left: Vec<Square> = targets.iter().copied().filter(|_| !draws.chance(LEFT_OUT)).collect();
            let Some(target) = self.insertion.insert(&mut self.window, n, &left, old + slack, cx)? else {
                return Ok(false);
            };
            targets.retain(|&sq| sq != target);
        }
        // A level that starts solved still needs a push.
        if self.window.links().is_empty() && range.len() == self.current.len() {
            return Ok(false);
        }
        let new = self.window.cost();
        self.cost = self.cost + new - old;
        if let (Some(next), Some(exit)) = (self.current.get_mut(range.end), self.window.exit()) {
            next.walk = exit.walk;
        }
        self.current.splice(range, self.window.links().iter().copied());
        Ok(self.offer(cx))
    }

    /// Draws boxes that are near each other.
    fn draw_boxes(&self, draws: &mut Draws) -> Vec<u16> {
        let (homes, links) = (self.window.homes(), self.window.links());
        let (first, center) = if draws.chance(PUSHED) && !links.is_empty() {
            let link = links[draws.below(links.len())];
            (link.n, link.to)
        } else {
            let n = draws.below(homes.len());
            (u16::try_from(n).expect("invariant: a board has fewer boxes than squares"), homes[n])
        };
        let distance = |sq| self.window.board.walls().distance(center, sq);
        let mut near: Vec<(u32, u64, u16)> =
            (0..).zip(homes).map(|(n, &home)| (distance(home), draws.next(), n)).collect();
        for link in links {
            let least = &mut near[usize::from(link.n)].0;
            *least = distance(link.to).min(*least);
        }
        near.sort_unstable();
        let n_boxes = 1 + draws.below(MOST_BOXES);
        let others = near.into_iter().map(|(.., n)| n).filter(|&n| n != first && draws.chance(TAKEN_OUT));
        std::iter::once(first).chain(others.take(n_boxes - 1)).collect()
    }

    /// Returns the squares on which these boxes may end: those where they do, and at the end of the solution the goals that no
    /// other box is on.
    fn targets(&self, boxes: &[u16]) -> Vec<Square> {
        let ends = self.window.ends();
        if self.window.exit().is_some() {
            return boxes.iter().map(|&n| ends[usize::from(n)]).collect();
        }
        let others = (0..).zip(ends).filter(|(n, _)| !boxes.contains(n)).map(|(_, &end)| end);
        let mut free = self.level.board().goals().clone();
        others.for_each(|sq| _ = free.remove(sq));
        free.iter().collect()
    }
}
