//! Any objective, metric by metric: A* over pushes.
//!
//! Just after a push the player stands behind the box, facing it: configuration, player and direction are all that
//! the metrics can see of the past. And of the walk to the next push only steps and turns count, so the best pair of
//! both will do ([`BestWalks`]). So states are those after a push, and all six metrics are exact.
//!
//! ```text
//!   prefix ──push from──▶ window ──push to──▶ joint ──▶ suffix     the joint is the first push of the suffix: after
//!   kept, sets the past   searched            kept      kept       that nothing depends on how the window ended
//! ```
//!
//! What is still to come is estimated from below: every box that stands where none stands at the end has to be pushed,
//! which makes a box change unless it was the last one pushed. The estimate is consistent, metric by metric.
//!
//! Invariant: states leave the open list in ascending order of their metrics with what is still to come at least, so
//! the first end that does is best.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokocore::{Board, Direction, Lurd, Metric, Objective, Push, Square, Step, moves_of, pushes_of};

use crate::best_walks::{BestWalks, WalkCost};
use crate::{Charge, ConfigId, ConfigStore, Context, LiveIndex, Report, Spine, Stop, Stretch};

/// The player just after a push, or before the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    config: ConfigId,
    player: Square,
    /// Direction of the push; `None` before the first one.
    facing: Option<Direction>,
}

/// A place that was reached, and how.
#[derive(Clone, Copy)]
struct Reached {
    place: Place,
    score: [u32; 6],
    /// What is still to come, at least.
    to_go: [u32; 6],
    came_from: u32,
    /// The push that led here; `None` at the start.
    push: Option<Push>,
}

/// What waits to be looked at: its cost to the end, at least; its number among the reached; whether it is at the end
/// and the cost counts the joint.
type Waiting = Reverse<([u32; 6], u32, bool)>;

/// Bytes for each place: itself, its place in the index, and its entries in the open list.
const BYTES_EACH: u64 = (size_of::<Reached>() + size_of::<Place>() + 8 + 2 * size_of::<Waiting>()) as u64 * 2;
/// Ticks for each place, by steps and by turns first: it takes as long as so many states of an engine.
const TICKS_EACH: [u64; 2] = [40, 100];

/// Searches the stretch by the context's objective, visiting only configurations of `store`, and offers the best way.
/// All six metrics of the way are counted as the whole solution has them, and are the best that there are.
///
/// # Errors
/// The run was stopped; nothing is offered then. Lack of memory is not an error but a report that says that the
/// search did not finish.
///
/// # Panics
/// If the store lacks the start or the end of the stretch.
pub fn search_exact<S: ConfigStore>(stretch: Stretch<'_>, store: &S, cx: &mut Context<'_>) -> Result<Report, Stop> {
    let Stretch { from, to, .. } = stretch;
    let mut search = Exact::new(stretch, store, cx);
    let end = search.run(cx);
    let (n_states, bytes) = (search.reached.len() as u64, search.charge.bytes());
    cx.count_tube(store.n_configs() as u64, n_states, store.bytes() + bytes);
    let report = |reached, finished| Report { improved: false, n_states, bytes, reached, finished, refined: finished };
    match end {
        Ok(best) => {
            let improved = best.is_some_and(|best| cx.found(&search.solution(best, cx)));
            // What was priced is what it costs, unless the incumbent has got better meanwhile.
            debug_assert!(
                improved || best.is_none() || cx.has_improved_on(&stretch.spine.states()[stretch.spine.end()].metrics)
            );
            Ok(Report { improved, ..report(to, true) })
        }
        Err(Stop::Memory) => Ok(report(from + (to - from) / 2, false)),
        Err(stop) => Err(stop),
    }
}

/// The moves of the incumbent, if it is what the spine was made of; else the best moves for the spine's pushes.
fn moves_along(spine: &Spine, cx: &Context<'_>) -> Lurd {
    let incumbent = cx.incumbent();
    if pushes_of(cx.level(), incumbent.lurd()) == spine.pushes() {
        return incumbent.lurd().clone();
    }
    moves_of(cx.level(), spine.pushes()).expect("the pushes of a spine can be made")
}

/// The number of steps up to and with the push that leads to a state of the spine.
fn after_push(steps: &[Step], n_pushes: usize) -> usize {
    let pushes = steps.iter().enumerate().filter(|(_, step)| step.is_push());
    n_pushes.checked_sub(1).and_then(|last| pushes.map(|(at, _)| at + 1).nth(last)).unwrap_or(0)
}

/// What the solution costs between two states of its spine.
fn cost_between(spine: &Spine, from: usize, to: usize, objective: &Objective) -> [u32; 6] {
    let cost = |at: usize, metric: Metric| metric.of(&spine.states()[at].metrics);
    objective.order().map(|metric| u32::try_from(cost(to, metric) - cost(from, metric)).unwrap_or(u32::MAX))
}

struct Exact<'a, S> {
    live: &'a LiveIndex,
    store: &'a S,
    /// The solution, and how many of its steps lead to the start of the stretch and to the end of the joint.
    moves: Lurd,
    window: (usize, usize),
    /// Configuration at the end of the stretch, and the push that follows; `None` where every solved one is an end.
    end: Option<(ConfigId, Push)>,
    /// Squares that boxes may stand on at the end, as bits.
    targets: Vec<u64>,
    objective: Objective,
    /// What is to be improved: paths that cost as much are not followed.
    bound: [u32; 6],
    walks: BestWalks,
    charge: Charge,
    reached: Vec<Reached>,
    places: HashMap<Place, u32>,
    open: BinaryHeap<Waiting>,
    key: Vec<u64>,
}

impl<'a, S: ConfigStore> Exact<'a, S> {
    fn new(stretch: Stretch<'a>, store: &'a S, cx: &Context<'_>) -> Self {
        let Stretch { live, spine, from, to, .. } = stretch;
        let objective = cx.objective();
        let find = |at: usize| store.find(&spine.states()[at].key).expect("the store holds both ends");
        let end = spine.pushes().get(to).map(|&joint| (find(to), joint));
        let last = to + usize::from(end.is_some());
        let moves = moves_along(spine, cx);
        let window = (after_push(moves.steps(), from), after_push(moves.steps(), last));
        let facing = from.checked_sub(1).map(|before| spine.pushes()[before].dir);
        let place = Place { config: find(from), player: spine.states()[from].player, facing };
        let mut search = Self {
            live,
            store,
            moves,
            window,
            end,
            targets: if end.is_some() { spine.states()[to].key.to_vec() } else { live.goal_key().to_vec() },
            objective,
            bound: cost_between(spine, from, last, &objective),
            walks: BestWalks::new(cx.level().board(), &objective),
            charge: cx.budget().memory().nothing(),
            reached: Vec::new(),
            places: HashMap::from([(place, 0)]),
            open: BinaryHeap::new(),
            key: spine.states()[from].key.to_vec(),
        };
        let box_sq = facing.and_then(|dir| cx.level().board().step(place.player, dir));
        let to_go = search.to_go(box_sq);
        search.reached.push(Reached { place, score: [0; 6], to_go, came_from: 0, push: None });
        search.open.push(Reverse((to_go, 0, false)));
        search
    }

    /// Returns the best place at an end that beats the bound.
    fn run(&mut self, cx: &mut Context<'_>) -> Result<Option<u32>, Stop> {
        let kept_end = cx.kept_end();
        let ticks_each = TICKS_EACH[usize::from(self.walks.prefers_straight())];
        while let Some(Reverse((estimate, at, counts_joint))) = self.open.pop() {
            cx.tick_by(ticks_each)?;
            if counts_joint {
                return Ok(Some(at));
            }
            let Reached { place, score, to_go, push, .. } = self.reached[at as usize];
            if sum(score, to_go) < estimate {
                continue;
            }
            self.store.read(place.config, &mut self.key);
            if push.is_some() && self.live.is_solved(&self.key) {
                if self.end.is_none() && kept_end.is_none_or(|end| end == place.player) {
                    return Ok(Some(at));
                }
                // A solved position ends the game, wherever the player is.
                continue;
            }
            self.expand(at, cx.level().board())?;
        }
        Ok(None)
    }

    /// Makes all pushes from a place, whose configuration is in `self.key`.
    fn expand(&mut self, at: u32, board: &Board) -> Result<(), Stop> {
        let place = self.reached[at as usize].place;
        let mut walks = std::mem::take(&mut self.walks);
        walks.fill(board, (place.player, place.facing), |sq| self.live.has_box(&self.key, sq));
        let boxes: Vec<usize> = LiveIndex::bits_of(&self.key).collect();
        let mut result = Ok(());
        for (bit, dir) in boxes.iter().flat_map(|&bit| Direction::ALL.map(|dir| (bit, dir))) {
            let push = Push { from: self.live.square(bit), dir };
            let walk = push.stand(board).and_then(|stand| walks.onward(stand, dir));
            if let Some(walk) = walk {
                result = result.and_then(|()| self.push(at, push, walk, board));
            }
        }
        self.walks = walks;
        result
    }

    /// Makes a push from a place, whose configuration is in `self.key`.
    fn push(&mut self, at: u32, push: Push, walk: WalkCost, board: &Board) -> Result<(), Stop> {
        let Reached { place, score, .. } = self.reached[at as usize];
        let ahead = push.to(board).filter(|&ahead| !self.live.has_box(&self.key, ahead));
        let Some((ahead, (from, to))) =
            ahead.and_then(|sq| Some((sq, self.live.bit(push.from).zip(self.live.bit(sq))?)))
        else {
            return Ok(());
        };
        let last_box = place.facing.and_then(|dir| Some((board.step(place.player, dir)?, dir)));
        let score = sum(score, self.price(push, walk, last_box));
        if score >= self.bound {
            return Ok(());
        }
        if self.end == Some((place.config, push)) {
            // The joint: not a place of the search but the end of it.
            return self.reach(Reached { place, score, to_go: [0; 6], came_from: at, push: Some(push) }, true);
        }
        self.toggle(from, to);
        let found = self.store.find(&self.key);
        let to_go = self.to_go(Some(ahead));
        self.toggle(from, to);
        let Some(config) = found else { return Ok(()) };
        let place = Place { config, player: push.from, facing: Some(push.dir) };
        self.reach(Reached { place, score, to_go, came_from: at, push: Some(push) }, false)
    }

    /// What a push costs after the walk to it.
    fn price(&self, push: Push, walk: WalkCost, last_push: Option<(Square, Direction)>) -> [u32; 6] {
        let same_box = last_push.is_some_and(|(sq, _)| sq == push.from);
        let same_line = last_push == Some((push.from, push.dir));
        self.objective.order().map(|metric| match metric {
            Metric::Moves => walk.steps + 1,
            Metric::Pushes => 1,
            Metric::MostPushes => walk.steps,
            Metric::BoxLines => u32::from(!same_line),
            Metric::BoxChanges => u32::from(!same_box),
            Metric::PushingSessions => u32::from(walk.steps > 0 || last_push.is_none()),
            Metric::PlayerLines => walk.turns,
        })
    }

    /// What is still to come at least after a push of the box that stands on `box_sq` now, from the configuration in
    /// `self.key`.
    fn to_go(&self, box_sq: Option<Square>) -> [u32; 6] {
        let displaced = self.key.iter().zip(&self.targets).map(|(boxes, targets)| (boxes & !targets).count_ones());
        let n_displaced: u32 = displaced.sum();
        let is_displaced = |bit: usize| self.targets[bit / 64] >> (bit % 64) & 1 == 0;
        let goes_on = box_sq.and_then(|sq| self.live.bit(sq)).is_some_and(is_displaced);
        let joint = u32::from(self.end.is_some());
        self.objective.order().map(|metric| match metric {
            Metric::Moves | Metric::Pushes => n_displaced + joint,
            Metric::BoxLines | Metric::BoxChanges => n_displaced - u32::from(goes_on),
            Metric::PushingSessions | Metric::PlayerLines | Metric::MostPushes => 0,
        })
    }

    /// Reaches a place, if it is new or cheaper this way; or the end.
    fn reach(&mut self, new: Reached, is_end: bool) -> Result<(), Stop> {
        let estimate = sum(new.score, new.to_go);
        if estimate >= self.bound {
            return Ok(());
        }
        let known = if is_end { None } else { self.places.get(&new.place).copied() };
        let at = match known {
            Some(at) if self.reached[at as usize].score <= new.score => return Ok(()),
            Some(at) => {
                self.reached[at as usize] = new;
                at
            }
            None => {
                self.charge.add(BYTES_EACH)?;
                let at = u32::try_from(self.reached.len()).map_err(|_| Stop::Memory)?;
                if !is_end {
                    self.places.insert(new.place, at);
                }
                self.reached.push(new);
                at
            }
        };
        self.open.push(Reverse((estimate, at, is_end)));
        Ok(())
    }

    fn toggle(&mut self, one: usize, other: usize) {
        self.key[one / 64] ^= 1 << (one % 64);
        self.key[other / 64] ^= 1 << (other % 64);
    }

    /// The whole solution, with the way to this end in place of the window. Walks are made anew: where few player lines
    /// count more than few moves, the best one need not be a shortest.
    fn solution(&mut self, end: u32, cx: &Context<'_>) -> Lurd {
        let board = cx.level().board();
        let mut numbers = vec![end];
        while let Some(&at) = numbers.last()
            && at != 0
        {
            numbers.push(self.reached[at as usize].came_from);
        }
        let mut middle = Vec::new();
        for pair in numbers.windows(2).rev() {
            let (place, push) = (self.reached[pair[1] as usize].place, self.reached[pair[0] as usize].push);
            let Some((push, stand)) = push.and_then(|push| Some((push, push.stand(board)?))) else { continue };
            self.store.read(place.config, &mut self.key);
            self.walks.fill(board, (place.player, place.facing), |sq| self.live.has_box(&self.key, sq));
            middle.extend(self.walks.way(board, stand, push.dir).into_iter().map(Step::Walk));
            middle.push(Step::Push(push.dir));
        }
        let steps = self.moves.steps();
        steps[..self.window.0].iter().chain(&middle).chain(&steps[self.window.1..]).copied().collect()
    }
}

fn sum(one: [u32; 6], other: [u32; 6]) -> [u32; 6] {
    std::array::from_fn(|at| one[at] + other[at])
}
