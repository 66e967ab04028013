//! Who takes part in a run, what each has had so far, and whose turn it is.
//!
//! ```text
//!   waiting ──turn──▶ playing ──slice used up──▶ waiting        the least work for its weight goes next
//!      ▲                 │
//!      └── room again ── out of memory            an answer ends the run; who gave up has left
//! ```
//!
//! A slice is a sixteenth of what the strategy had before, and not too short ([`Shares::slice`]). Searches keep
//! their trees between slices, so short slices cost nothing but a cold cache, and no strategy waits long behind another:
//! with weights w1, w2, ... the first one to answer had its share of the work up to a sixteenth.
//!
//! Memory: each strategy charges a part of the run's account, its *quota*. Quotas promise more than there is, so
//! when the account runs dry the strategy that holds most for its weight is dropped and its memory freed. A strategy
//! that was refused memory by the hunger of others begins anew; one that used up its quota is out, until nobody else
//! is left and it may have everything.
//!
//! Where time is shared out and a strategy's share comes to more than one thread, it gets another *hand*, which works
//! on the same search with the same account ([`Search::another_hand`](crate::Search::another_hand)).
//!
//! A run for the best solution has two *lanes*: strategies that prove, and *finders*, which look for a first solution to
//! prune by. Once the former have had their head start, the lanes get alike, each sharing out its part by weight; with the
//! first solution the finders leave ([`Roster::dismiss_finders`]). So what is proved at once costs nothing more.
//!
//! **Invariant**: with one thread all is counted in ticks, so the turns are the same on every machine. With more, which
//! never repeat themselves, time is shared out instead: so that nobody gets less than its share because its ticks are
//! short.

use std::sync::Arc;
use std::time::Duration;

use sokosearch::{Budget, Cancel, End, Stop};

use super::entrant::{Entrant, Runner};
use super::leftovers::Leftovers;
use super::member::Member;
use super::shares::{Share, Shares, Slice};
use crate::systematic::CostRule;
use crate::{Attempt, AttemptEnd};

/// When less than the account divided by this is free, the hungriest strategy is dropped.
const RESERVE: u64 = 32;
/// How often a strategy begins anew because others had taken the memory.
const MAX_RESTARTS: u32 = 3;

/// Work and time that those who prove have before finders have a turn, at most; of a limited run, this part.
const HEAD_START: (u64, Duration) = (60_000, Duration::from_millis(60));
const HEAD_START_PART: u32 = 8;

/// Who looks for a proof, and who for any solution.
const LANES: [bool; 2] = [true, false];

/// The state of a run.
#[derive(Debug)]
pub(crate) struct Roster {
    share: Share,
    /// How each lane shares out what it gets.
    shares: [Shares; 2],
    entrants: Vec<Arc<Entrant>>,
    members: Vec<Member>,
    budget: Budget,
    done: Cancel,
    /// Raised for the finders when there is a solution.
    found: Cancel,
    ticks: u64,
    /// Ticks of slices that are being played.
    under_way: u64,
    n_playing: usize,
    leftovers: Leftovers,
    /// How many threads may play one strategy at a time.
    max_hands: usize,
}

/// A slice to be played.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) number: usize,
    pub(crate) entrant: Arc<Entrant>,
    pub(crate) slice: Slice,
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
    pub(crate) fn new(entrants: Vec<Entrant>, share: Share, n_threads: usize, budget: &Budget, done: &Cancel) -> Self {
        let shares = LANES.map(|proves| Shares::new(share, entrants.iter().filter(|one| one.proves == proves)));
        let member = |entrant: &Entrant| {
            let limit = budget.memory().limit();
            let lane = entrants.iter().filter(|one| one.proves == entrant.proves);
            let weights = lane.map(|one| u64::from(one.weights.work)).sum::<u64>().max(1);
            let share = limit / weights * u64::from(entrant.weights.work);
            let quota = if entrants.len() == 1 { limit } else { limit.min((2 * share).max(limit / 4)) };
            Member::new(budget.memory().part(quota))
        };
        let members = entrants.iter().map(member).collect();
        let entrants = entrants.into_iter().map(Arc::new).collect();
        let (budget, done) = (budget.clone(), done.clone());
        Self {
            share,
            shares,
            entrants,
            members,
            budget,
            done,
            found: Cancel::default(),
            ticks: 0,
            under_way: 0,
            n_playing: 0,
            leftovers: Leftovers::default(),
            max_hands: if share == Share::Time { n_threads } else { 1 },
        }
    }

    /// Returns the ticks of all strategies together.
    pub(crate) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Takes the next turn, of at most so many ticks; give it back with [`Roster::put_back`] or [`Roster::leave`].
    pub(crate) fn next(&mut self, most: u64) -> Next {
        let left = self.budget.work().map_or(u64::MAX, |work| work.saturating_sub(self.ticks + self.under_way));
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
        let done = if self.entrants[number].proves { self.done.clone() } else { self.found.clone() };
        let shares = self.shares(number);
        let member = &mut self.members[number];
        let slice = match shares.slice(member.had_by_hand()) {
            Slice::Ticks(ticks) => Slice::Ticks(ticks.min(left).min(most.max(1))),
            slice @ Slice::Time(_) => slice,
        };
        let begun = member.take(slice.time());
        let begin = || Box::new(Runner::new(&self.budget, member.memory.clone(), done));
        let runner = begun.unwrap_or_else(begin);
        self.under_way += slice.ticks();
        self.n_playing += 1;
        Next::Play(Turn { number, entrant: Arc::clone(&self.entrants[number]), slice, runner })
    }

    /// Returns the strategy that has had least for its weight, in the lane whose turn it is unless no strategy waits there.
    /// A strategy that is played already is chosen for another worker only if its share is more than one thread, or if no
    /// other strategy waits.
    fn first_waiting(&self) -> Option<usize> {
        let spare = || (0..self.members.len()).filter(|&number| self.members[number].has_spare());
        let spent =
            |number: usize| self.shares(number).spent(self.entrants[number].weights, self.members[number].had());
        let by_spent = |&one: &usize, &other: &usize| spent(one).total_cmp(&spent(other));
        let first_in = |proves: bool| {
            let waiting = (0..self.members.len()).filter(|&number| self.members[number].is_waiting());
            let due = spare().filter(|&number| self.is_due_more_than_a_thread(number));
            waiting.chain(due).filter(|&number| self.entrants[number].proves == proves).min_by(by_spent)
        };
        let proves = !self.is_finders_turn();
        first_in(proves).or_else(|| first_in(!proves)).or_else(|| spare().min_by(by_spent))
    }

    /// Whether the finders have had less than those who prove, who have had their head start.
    fn is_finders_turn(&self) -> bool {
        let lane = |proves: bool| {
            let members = self.entrants.iter().zip(&self.members).filter(move |(one, _)| one.proves == proves);
            members.map(|(_, member)| member.had())
        };
        let (ticks, time) = HEAD_START;
        match self.share {
            Share::Work => {
                let [proof, find] = LANES.map(|proves| lane(proves).map(|had| had.ticks).sum::<u64>());
                let part = self.budget.work().map_or(ticks, |work| work / u64::from(HEAD_START_PART));
                proof >= ticks.min(part) && find < proof
            }
            Share::Time => {
                let [proof, find] = LANES.map(|proves| lane(proves).map(|had| had.time).sum::<Duration>());
                let part = self.budget.time().map_or(time, |time| time / HEAD_START_PART);
                proof >= time.min(part) && find < proof
            }
        }
    }

    /// How the lane of this strategy shares out what it gets.
    fn shares(&self, number: usize) -> Shares {
        self.shares[usize::from(self.entrants[number].proves != LANES[0])]
    }

    /// Those that have not left and are in the same lane as this one.
    fn active_beside(&self, number: usize) -> impl Iterator<Item = usize> {
        let proves = self.entrants[number].proves;
        (0..self.members.len()).filter(move |&at| self.is_active(at) && self.entrants[at].proves == proves)
    }

    fn is_active(&self, number: usize) -> bool {
        self.members[number].left.is_none()
    }

    /// Returns the number of lanes with a strategy that has not left.
    fn n_lanes(&self) -> usize {
        let has_any = |&&proves: &&bool| {
            (0..self.members.len()).any(|at| self.is_active(at) && self.entrants[at].proves == proves)
        };
        LANES.iter().filter(has_any).count().max(1)
    }

    /// Whether its part of the time, among those that have not left, is more than one thread.
    fn is_due_more_than_a_thread(&self, number: usize) -> bool {
        let stage = Shares::stage(self.members[number].elapsed);
        let weight = |at: usize| self.entrants[at].weights.time[stage];
        let all = self.active_beside(number).map(weight).sum::<u32>() as usize;
        self.max_hands * weight(number) as usize > all * self.n_lanes()
    }

    /// Counts a slice.
    fn count(&mut self, turn: &Turn, ticks: u64, elapsed: Duration) {
        let runner = &turn.runner;
        let member = &mut self.members[turn.number];
        self.under_way -= turn.slice.ticks();
        self.n_playing -= 1;
        member.under_way -= turn.slice.time();
        member.n_playing -= 1;
        self.ticks += ticks;
        member.ticks += ticks;
        member.elapsed += elapsed;
        member.set_up = member.set_up.max(runner.set_up);
        let stats = runner.stats();
        if stats.expanded >= member.stats.expanded {
            member.stats = stats;
        }
        member.proved_cost = member.proved_cost.max(runner.proved_cost());
        member.promise = member.promise.max(runner.promise());
        member.peak_bytes = member.peak_bytes.max(member.memory.peak());
    }

    /// Takes back a strategy whose slice is used up.
    pub(crate) fn put_back(&mut self, turn: Turn, ticks: u64, elapsed: Duration) {
        self.count(&turn, ticks, elapsed);
        let is_wanted = self.is_due_more_than_a_thread(turn.number);
        let member = &mut self.members[turn.number];
        if member.left.is_some() {
            return;
        }
        if is_wanted && !member.has_hands_enough && member.spare.is_none() && member.n_hands() + 1 < self.max_hands {
            let done = if turn.entrant.proves { &self.done } else { &self.found };
            let hand = || turn.runner.another_hand(&self.budget, member.memory.clone(), done.clone());
            member.spare = hand().map(Box::new);
        }
        member.waiting.push_back(turn.runner);
    }

    /// Lets all leave that look for any solution, now that there is one, and frees the memory of those that wait.
    pub(crate) fn dismiss_finders(&mut self) {
        if self.found.is_cancelled() {
            return;
        }
        self.found.cancel();
        for (_, member) in self.entrants.iter().zip(&mut self.members).filter(|(entrant, _)| !entrant.proves) {
            member.leave(if member.ticks == 0 { AttemptEnd::NotBegun } else { AttemptEnd::Overtaken });
        }
    }

    /// Ends the slices that are being played.
    pub(crate) fn stop(&self) {
        self.done.cancel();
        self.found.cancel();
    }

    /// Takes note that a strategy has left, and frees its memory. Returns how it ended; `None` if it begins anew, or if
    /// others play it still.
    pub(crate) fn leave(&mut self, turn: Turn, end: AttemptEnd, ticks: u64, elapsed: Duration) -> Option<AttemptEnd> {
        self.count(&turn, ticks, elapsed);
        let member = &mut self.members[turn.number];
        member.spare = None;
        member.has_hands_enough = member.n_hands() > 0;
        if member.has_hands_enough {
            return None;
        }
        let used = turn.runner.effort.memory().used();
        drop(turn.runner);
        self.note_end(turn.number, end, used)
    }

    /// Takes note that a strategy has left with which the run ends. Its memory is not freed yet.
    pub(crate) fn leave_last(&mut self, turn: Turn, end: AttemptEnd, ticks: u64, elapsed: Duration) {
        self.count(&turn, ticks, elapsed);
        let member = &mut self.members[turn.number];
        member.left = member.left.filter(|_| end == AttemptEnd::Overtaken).or(Some(end));
        self.leftovers.add(*turn.runner);
    }

    /// Returns how the strategy ended, which had so many bytes in use; `None` if it begins anew.
    fn note_end(&mut self, number: usize, end: AttemptEnd, used: u64) -> Option<AttemptEnd> {
        let is_starved = self.members.len() > 1 && used < self.fair_share(number);
        let member = &mut self.members[number];
        let is_dropped = member.left.is_some();
        if end == AttemptEnd::Stopped(Stop::Memory) && is_starved && !is_dropped && member.n_restarts < MAX_RESTARTS {
            member.n_restarts += 1;
            self.drop_hungriest();
            return None;
        }
        member.leave(end);
        member.left
    }

    /// What everybody may hold without being dropped for it.
    fn fair_share(&self, number: usize) -> u64 {
        let weight = |at: usize| u64::from(self.entrants[at].weights.work);
        let others = self.active_beside(number).filter(|&at| at != number).map(weight).sum::<u64>();
        let own = weight(number);
        self.budget.memory().limit() / self.n_lanes() as u64 / (own + others) * own
    }

    /// Frees memory while little is left.
    fn make_room(&mut self) {
        while self.budget.memory().free() < self.budget.memory().limit() / RESERVE && self.drop_hungriest() {}
    }

    /// Drops the waiting strategy that holds most beyond its fair share, if others are left to profit from it. Returns
    /// whether that has freed memory; if several threads play it, the last of them will.
    fn drop_hungriest(&mut self) -> bool {
        let n_active = self.members.iter().filter(|member| member.left.is_none()).count();
        let excess = |number: usize| {
            let used = self.members[number].memory.used();
            used.checked_sub(self.fair_share(number)).filter(|&excess| excess > 0)
        };
        let is_about_to = self.members.iter().any(|member| member.left.is_some() && member.n_playing > 0);
        let waiting = (0..self.members.len()).filter(|&at| self.members[at].can_be_dropped());
        let hungriest = waiting.filter_map(|at| Some((excess(at)?, at))).max();
        match hungriest {
            Some((_, number)) if n_active > 1 && !is_about_to => {
                self.members[number].leave(AttemptEnd::Stopped(Stop::Memory));
                self.members[number].n_playing == 0
            }
            _ => false,
        }
    }

    /// When nobody is left, gives the first of those that ran out of memory all there is.
    fn bring_back(&mut self) -> bool {
        let memory = self.budget.memory();
        let can_have_more = |member: &&mut Member| {
            let is_out = member.left == Some(AttemptEnd::Stopped(Stop::Memory));
            is_out && member.memory.limit() < memory.limit()
        };
        let Some(member) = self.members.iter_mut().find(can_have_more) else { return false };
        member.memory = memory.part(memory.limit());
        member.left = None;
        true
    }

    /// Why nobody is left.
    fn end(&self) -> End {
        let is_out = |member: &Member| member.left == Some(AttemptEnd::Stopped(Stop::Memory));
        if self.members.iter().any(is_out) { End::Stopped(Stop::Memory) } else { End::Exhausted }
    }

    /// Ends the run; a strategy that has not left by itself ends with `end`. Costs proved are told by their first part, where
    /// there is a rule of costs. Frees no memory.
    pub(crate) fn close(self, end: AttemptEnd, rule: Option<CostRule>) -> (Vec<Attempt>, Leftovers) {
        let mut leftovers = self.leftovers;
        let mut attempt = |(entrant, member): (&Arc<Entrant>, Member)| {
            let hands = member.waiting.into_iter().chain(member.spare);
            hands.for_each(|runner| leftovers.add(*runner));
            let own = if member.ticks == 0 { AttemptEnd::NotBegun } else { end };
            Attempt {
                strategy: entrant.name.clone(),
                ticks: member.ticks,
                stats: member.stats,
                lower_bound: rule.map(|rule| rule.first_part(member.proved_cost)).filter(|&bound| bound > 0),
                elapsed: member.elapsed,
                set_up: member.set_up,
                peak_bytes: member.peak_bytes,
                end: member.left.unwrap_or(own),
            }
        };
        let attempts = self.entrants.iter().zip(self.members).map(&mut attempt).collect();
        (attempts, leftovers)
    }
}
