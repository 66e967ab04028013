//! Who takes part in a run, what each has had so far, and whose turn it is.
//!
//! ```text
//!   waiting ──turn──▶ playing ──slice used up──▶ waiting        the least work for its weight goes next
//!      ▲                 │
//!      └── room again ── out of memory            an answer ends the run; who gave up has left
//! ```
//!
//! A slice is an eighth of what the strategy had before, and at least [`FIRST_SLICE`]. Searches keep their trees
//! between slices, so short slices cost nothing but a cold cache, and no strategy waits long behind another: with
//! weights w1, w2, ... the first one to answer had its share of the work up to an eighth.
//!
//! Memory: each strategy charges a part of the run's account, its *quota*. Quotas promise more than there is, so
//! when the account runs dry the strategy that holds most for its weight is dropped and its memory freed. A strategy
//! that was refused memory by the hunger of others begins anew; one that used up its quota is out, until nobody else
//! is left and it may have everything.
//!
//! **Invariant**: with one thread all is counted in ticks, so the turns are the same on every machine. With more, which
//! never repeat themselves, time is shared out instead: so that nobody gets less than its share because its ticks are
//! short.

use std::sync::Arc;
use std::time::Duration;

use sokosearch::{Budget, Cancel, End, MemoryAccount, Stop};

use super::entrant::{Entrant, Runner};
use super::leftovers::Leftovers;
use crate::{Attempt, AttemptEnd};

/// Ticks of the shortest slice, some twenty milliseconds.
pub(crate) const FIRST_SLICE: u64 = 20_000;
/// A slice is what the strategy had before, divided by this.
const GROWTH: u64 = 8;
/// Where time is shared out, everybody gets as much until each has had this. On two threads four strategies then cost
/// twice what the best of them takes alone, and a little for slices; weights that favor some cost the others more. Of
/// 40 levels that took one thread 0.2 to 3 seconds, the best strategy took less than 0.9 on each. What takes longer
/// goes to feature space search on large boards nearly always, so later on weights decide.
const FAIR_START: Duration = Duration::from_millis(1_500);
/// When less than the account divided by this is free, the hungriest strategy is dropped.
const RESERVE: u64 = 32;
/// How often a strategy begins anew because others had taken the memory.
const MAX_RESTARTS: u32 = 3;

/// What is shared out by weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// Ticks: repeatable.
    Work,
    /// Time on a processor. Ticks of one strategy take up to ten times as long as those of another.
    Time,
}

/// The state of a run.
#[derive(Debug)]
pub(crate) struct Roster {
    share: Share,
    entrants: Vec<Arc<Entrant>>,
    members: Vec<Member>,
    budget: Budget,
    done: Cancel,
    ticks: u64,
    /// Ticks promised to slices that are being played.
    promised: u64,
    n_playing: usize,
    leftovers: Leftovers,
    /// The sum of all late weights.
    late_weights: f64,
}

#[derive(Debug)]
struct Member {
    seat: Seat,
    memory: MemoryAccount,
    ticks: u64,
    n_nodes: u64,
    elapsed: Duration,
    /// Ticks that it may still have at once because it made a hit.
    bonus: u64,
    has_hit: bool,
    n_restarts: u32,
    promised: u64,
    peak_bytes: u64,
}

#[derive(Debug)]
enum Seat {
    Waiting(Option<Box<Runner>>),
    Playing,
    Left(AttemptEnd),
}

/// A slice to be played.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) number: usize,
    pub(crate) entrant: Arc<Entrant>,
    pub(crate) ticks: u64,
    pub(crate) runner: Box<Runner>,
}

/// What the roster has to say when it is asked for a turn.
#[derive(Debug)]
pub(crate) enum Next {
    Play(Turn),
    /// Everybody is playing.
    Wait,
    /// Nobody is left, or the work is used up.
    Over(End),
}

impl Roster {
    /// Lets everybody take a seat; `done` is raised when there is an answer.
    pub(crate) fn new(entrants: Vec<Entrant>, share: Share, budget: &Budget, done: &Cancel) -> Self {
        let weights = entrants.iter().map(|entrant| u64::from(entrant.weight)).sum::<u64>().max(1);
        let late_weights = entrants.iter().map(|entrant| f64::from(entrant.late_weight.max(1))).sum();
        let member = |entrant: &Entrant| {
            let limit = budget.memory().limit();
            let share = limit / weights * u64::from(entrant.weight);
            let quota = if entrants.len() == 1 { limit } else { limit.min((2 * share).max(limit / 4)) };
            Member::new(budget.memory().part(quota))
        };
        let members = entrants.iter().map(member).collect();
        let entrants = entrants.into_iter().map(Arc::new).collect();
        let (budget, done) = (budget.clone(), done.clone());
        Self {
            share,
            entrants,
            members,
            budget,
            done,
            ticks: 0,
            promised: 0,
            n_playing: 0,
            leftovers: Leftovers::default(),
            late_weights,
        }
    }

    /// Returns the ticks of all strategies together.
    pub(crate) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Takes the next turn, of at most so many ticks; give it back with [`Roster::put_back`] or [`Roster::leave`].
    pub(crate) fn next(&mut self, most: u64) -> Next {
        let left = self.budget.work().map_or(u64::MAX, |work| work.saturating_sub(self.ticks + self.promised));
        if left == 0 {
            return if self.n_playing > 0 { Next::Wait } else { Next::Over(End::Stopped(Stop::Work)) };
        }
        self.make_room();
        let Some(number) = self.first_waiting() else {
            if self.n_playing > 0 {
                return Next::Wait;
            }
            return if self.bring_back() { self.next(most) } else { Next::Over(self.end()) };
        };
        let member = &mut self.members[number];
        let Seat::Waiting(runner) = std::mem::replace(&mut member.seat, Seat::Playing) else {
            unreachable!("invariant: only who waits is chosen");
        };
        let runner =
            runner.unwrap_or_else(|| Box::new(Runner::new(&self.budget, member.memory.clone(), self.done.clone())));
        let ticks = (member.ticks / GROWTH).max(FIRST_SLICE).min(left).min(most.max(1));
        member.promised = ticks;
        self.promised += ticks;
        self.n_playing += 1;
        Next::Play(Turn { number, entrant: Arc::clone(&self.entrants[number]), ticks, runner })
    }

    /// The one that has hit something, or else the one that has had least for its weight.
    fn first_waiting(&self) -> Option<usize> {
        let waiting =
            || (0..self.members.len()).filter(|&number| matches!(self.members[number].seat, Seat::Waiting(_)));
        let hit = waiting().find(|&number| self.members[number].has_hit && self.members[number].bonus > 0);
        let weight = |number: usize| f64::from(self.entrants[number].weight.max(1));
        let late_weight = |number: usize| f64::from(self.entrants[number].late_weight.max(1)) / self.late_weights;
        let n_members = self.members.len() as f64;
        let worth = |number: usize| {
            let member = &self.members[number];
            match self.share {
                Share::Work => member.ticks as f64 / weight(number),
                Share::Time => {
                    let late = member.elapsed.saturating_sub(FAIR_START);
                    let early = member.elapsed.saturating_sub(late);
                    early.as_secs_f64() * n_members + late.as_secs_f64() / late_weight(number)
                }
            }
        };
        hit.or_else(|| waiting().min_by(|&one, &other| worth(one).total_cmp(&worth(other))))
    }

    /// Counts a slice.
    fn count(&mut self, number: usize, runner: &Runner, ticks: u64, elapsed: Duration) {
        let has_hit = runner.has_hit();
        let member = &mut self.members[number];
        self.promised -= std::mem::take(&mut member.promised);
        self.n_playing -= 1;
        self.ticks += ticks;
        member.ticks += ticks;
        member.elapsed += elapsed;
        member.n_nodes = member.n_nodes.max(runner.n_nodes());
        member.peak_bytes = member.peak_bytes.max(member.memory.peak());
        // A hit keeps the processor for as much work as all have done so far, which at worst doubles the run.
        member.bonus = if has_hit && !member.has_hit { self.ticks } else { member.bonus.saturating_sub(ticks) };
        member.has_hit = has_hit;
    }

    /// Takes back a strategy whose slice is used up.
    pub(crate) fn put_back(&mut self, turn: Turn, ticks: u64, elapsed: Duration) {
        self.count(turn.number, &turn.runner, ticks, elapsed);
        self.members[turn.number].seat = Seat::Waiting(Some(turn.runner));
    }

    /// Takes note that a strategy has left, and frees its memory. Returns how it ended; `None` if it begins anew.
    pub(crate) fn leave(&mut self, turn: Turn, end: AttemptEnd, ticks: u64, elapsed: Duration) -> Option<AttemptEnd> {
        self.count(turn.number, &turn.runner, ticks, elapsed);
        let used = turn.runner.effort.memory().used();
        drop(turn.runner);
        self.note_end(turn.number, end, used)
    }

    /// Takes note that a strategy has left with which the run ends. Its memory is not freed yet.
    pub(crate) fn leave_last(&mut self, turn: Turn, end: AttemptEnd, ticks: u64, elapsed: Duration) {
        self.count(turn.number, &turn.runner, ticks, elapsed);
        self.members[turn.number].seat = Seat::Left(end);
        self.leftovers.add(*turn.runner);
    }

    /// Returns how the strategy ended, which had so many bytes in use; `None` if it begins anew.
    fn note_end(&mut self, number: usize, end: AttemptEnd, used: u64) -> Option<AttemptEnd> {
        let is_starved = self.members.len() > 1 && used < self.fair_share(number);
        let member = &mut self.members[number];
        member.has_hit = false;
        if end == AttemptEnd::Stopped(Stop::Memory) && is_starved && member.n_restarts < MAX_RESTARTS {
            member.n_restarts += 1;
            member.seat = Seat::Waiting(None);
            self.drop_hungriest();
            return None;
        }
        member.seat = Seat::Left(end);
        Some(end)
    }

    /// What everybody may hold without being dropped for it.
    fn fair_share(&self, number: usize) -> u64 {
        let active = |at: &usize| !matches!(self.members[*at].seat, Seat::Left(_));
        let weight = |at: usize| u64::from(self.entrants[at].weight.max(1));
        let others = (0..self.members.len()).filter(active).filter(|&at| at != number).map(weight).sum::<u64>();
        let own = weight(number);
        self.budget.memory().limit() / (own + others) * own
    }

    /// Frees memory while little is left.
    fn make_room(&mut self) {
        while self.budget.memory().free() < self.budget.memory().limit() / RESERVE && self.drop_hungriest() {}
    }

    /// Drops the waiting strategy that holds most beyond its fair share, if others are left to profit from it.
    fn drop_hungriest(&mut self) -> bool {
        let n_active = self.members.iter().filter(|member| !matches!(member.seat, Seat::Left(_))).count();
        let excess = |number: usize| {
            let used = self.members[number].memory.used();
            used.checked_sub(self.fair_share(number)).filter(|&excess| excess > 0)
        };
        let waiting = (0..self.members.len()).filter(|&at| matches!(self.members[at].seat, Seat::Waiting(Some(_))));
        let hungriest = waiting.filter_map(|at| Some((excess(at)?, at))).max();
        match hungriest {
            Some((_, number)) if n_active > 1 => {
                self.members[number].seat = Seat::Left(AttemptEnd::Stopped(Stop::Memory));
                true
            }
            _ => false,
        }
    }

    /// When nobody is left, gives the first of those that ran out of memory all there is.
    fn bring_back(&mut self) -> bool {
        let memory = self.budget.memory();
        let can_have_more = |member: &&mut Member| {
            let is_out = matches!(member.seat, Seat::Left(AttemptEnd::Stopped(Stop::Memory)));
            is_out && member.memory.limit() < memory.limit()
        };
        let Some(member) = self.members.iter_mut().find(can_have_more) else { return false };
        member.memory = memory.part(memory.limit());
        member.seat = Seat::Waiting(None);
        true
    }

    /// Why nobody is left.
    fn end(&self) -> End {
        let is_out = |member: &Member| matches!(member.seat, Seat::Left(AttemptEnd::Stopped(Stop::Memory)));
        if self.members.iter().any(is_out) { End::Stopped(Stop::Memory) } else { End::Exhausted }
    }

    /// Closes the books; whoever has not left by itself ends with `end`. Frees no memory.
    pub(crate) fn close(self, end: AttemptEnd) -> (Vec<Attempt>, Leftovers) {
        let mut leftovers = self.leftovers;
        let mut attempt = |(entrant, member): (&Arc<Entrant>, Member)| Attempt {
            strategy: entrant.name.clone(),
            ticks: member.ticks,
            n_nodes: member.n_nodes,
            elapsed: member.elapsed,
            peak_bytes: member.peak_bytes,
            end: match member.seat {
                Seat::Left(end) => end,
                Seat::Waiting(Some(runner)) => {
                    leftovers.add(*runner);
                    if member.ticks == 0 { AttemptEnd::NotBegun } else { end }
                }
                _ if member.ticks == 0 => AttemptEnd::NotBegun,
                _ => end,
            },
        };
        let attempts = self.entrants.iter().zip(self.members).map(&mut attempt).collect();
        (attempts, leftovers)
    }
}

impl Member {
    const fn new(memory: MemoryAccount) -> Self {
        Self {
            seat: Seat::Waiting(None),
            memory,
            ticks: 0,
            n_nodes: 0,
            elapsed: Duration::ZERO,
            bonus: 0,
            has_hit: false,
            n_restarts: 0,
            promised: 0,
            peak_bytes: 0,
        }
    }
}
