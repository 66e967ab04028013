//! Threads that expand one layer together, each with shards of its own.
//!
//! ```text
//!  leader   start phase ─▶ own shards ─▶ wait for all ─▶ add up ticks, decide ─▶ start phase ─▶ ...
//!              │ epoch                      ▲ n_done
//!              ▼                            │
//!  helper   wait ───────▶ own shards ───────┘                             wait ─▶ own shards ─▶ ...
//! ```
//!
//! Waits spin first: a phase of a layer of moves takes some hundred microseconds, and waking a thread takes ten. What a
//! search finds does not depend on which thread does what and when; as with one thread, it depends only on when the search
//! is stopped.
//!
//! Invariant: between two phases the locks of all shards are free, and the leader's context has all the ticks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};

use crossbeam::utils::CachePadded;
use parking_lot::{Mutex, MutexGuard};

use super::mailboxes::Mailboxes;
use super::parallel_gate::ParallelGate;
use super::phase_runner::PhaseRunner;
use super::search_input::SearchInput;
use super::shard::{Phase, Shard};
use crate::{Clock, Context, Stop};

/// What the threads share.
struct TeamShared<'s, 'a, 'c, const K: usize, const W: usize> {
    input: &'s SearchInput<'a, K, W>,
    mailboxes: &'s Mailboxes<K>,
    /// Padded: what one thread writes all the time must not share a cache line with what another one reads.
    shards: Vec<CachePadded<Mutex<Shard<K, W>>>>,
    helpers: Vec<CachePadded<Mutex<HelperState<'c>>>>,
    assignment: Mutex<TeamPhase>,
    /// Goes up by one with each assignment.
    epoch: CachePadded<AtomicUsize>,
    /// How many helpers have finished the current one.
    n_done: CachePadded<AtomicUsize>,
    /// Whether a helper has panicked.
    has_panicked: AtomicBool,
    leader: Thread,
}

/// What a helper keeps between two phases.
struct HelperState<'c> {
    cx: Context<'c>,
    done: Result<(), Stop>,
}

/// The phase to run; without one, helpers return.
#[derive(Clone, Copy)]
struct TeamPhase {
    phase: Option<Phase>,
    n_threads: usize,
}

/// The leader's side. Ends the helpers when dropped.
pub(super) struct ThreadTeam<'d, 's, 'a, 'c, const K: usize, const W: usize> {
    shared: &'d TeamShared<'s, 'a, 'c, K, W>,
    helpers: Vec<Thread>,
    clock: Clock,
    gate: ParallelGate,
}

/// Runs `lead` with `n_helpers` helper threads, or with as many as the system grants.
pub(super) fn with_team<'c, R, const K: usize, const W: usize>(
    shards: &mut Vec<Shard<K, W>>,
    input: &SearchInput<'_, K, W>,
    mailboxes: &Mailboxes<K>,
    n_helpers: usize,
    cx: &mut Context<'c>,
    lead: impl FnOnce(&mut ThreadTeam<'_, '_, '_, 'c, K, W>, &mut Context<'c>) -> R,
) -> R {
    let helper = || HelperState { cx: cx.part(cx.pool(), cx.progress(), 1.0), done: Ok(()) };
    let shared = TeamShared {
        input,
        mailboxes,
        shards: shards.drain(..).map(|shard| CachePadded::new(Mutex::new(shard))).collect(),
        helpers: std::iter::repeat_with(|| CachePadded::new(Mutex::new(helper()))).take(n_helpers).collect(),
        assignment: Mutex::new(TeamPhase { phase: None, n_threads: 1 }),
        epoch: CachePadded::default(),
        n_done: CachePadded::default(),
        has_panicked: AtomicBool::new(false),
        leader: thread::current(),
    };
    let led = thread::scope(|scope| {
        let shared = &shared;
        let mut team = ThreadTeam {
            shared,
            helpers: Vec::with_capacity(n_helpers),
            clock: Clock::start(),
            gate: ParallelGate::default(),
        };
        for number in 0..n_helpers {
            let Ok(helper) = thread::Builder::new().spawn_scoped(scope, move || shared.run_helper(number)) else {
                break;
            };
            team.helpers.push(helper.thread().clone());
        }
        lead(&mut team, cx)
    });
    shards.extend(shared.shards.into_iter().map(|shard| shard.into_inner().into_inner()));
    led
}

impl<const K: usize, const W: usize> TeamShared<'_, '_, '_, K, W> {
    /// Runs assignments until there are no more.
    fn run_helper(&self, number: usize) {
        let _guard = PanicGuard(&self.has_panicked, &self.leader);
        for epoch in 1.. {
            wait_until(|| self.epoch.load(Ordering::Acquire) >= epoch);
            let TeamPhase { phase, n_threads } = *self.assignment.lock();
            let Some(phase) = phase else { return };
            let mut helper = self.helpers[number].lock();
            helper.done = self.run_shards(number + 1, n_threads, phase, &mut helper.cx);
            drop(helper);
            self.n_done.fetch_add(1, Ordering::Release);
            self.leader.unpark();
        }
    }

    /// Runs a phase on the shards of one thread.
    fn run_shards(&self, thread: usize, n_threads: usize, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut own = self.shards.iter().skip(thread).step_by(n_threads);
        own.try_for_each(|shard| shard.lock().run(phase, self.input, self.mailboxes, cx))
    }
}

impl<const K: usize, const W: usize> ThreadTeam<'_, '_, '_, '_, K, W> {
    /// Publishes an assignment and wakes the helpers.
    fn assign(&self, phase: Option<Phase>) {
        *self.shared.assignment.lock() = TeamPhase { phase, n_threads: self.helpers.len() + 1 };
        self.shared.n_done.store(0, Ordering::Relaxed);
        self.shared.epoch.fetch_add(1, Ordering::Release);
        self.helpers.iter().for_each(Thread::unpark);
    }
}

impl<const K: usize, const W: usize> PhaseRunner<K, W> for ThreadTeam<'_, '_, '_, '_, K, W> {
    fn run_phase(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        let (shared, n_helpers) = (self.shared, self.helpers.len());
        if self.gate.runs_alone() {
            return shared.run_shards(0, 1, phase, cx);
        }
        let began = self.clock.elapsed();
        self.assign(Some(phase));
        let mut done = shared.run_shards(0, n_helpers + 1, phase, cx);
        let worked = self.clock.elapsed();
        let has_panicked = || shared.has_panicked.load(Ordering::Acquire);
        wait_until(|| shared.n_done.load(Ordering::Acquire) == n_helpers || has_panicked());
        if has_panicked() {
            return Err(Stop::Cancelled);
        }
        self.gate.record(n_helpers + 1, worked - began, self.clock.elapsed() - worked);
        for helper in &shared.helpers[..n_helpers] {
            let mut helper = helper.lock();
            cx.sync_part(&mut helper.cx);
            done = done.and(helper.done);
        }
        done
    }

    fn for_each_shard(&mut self, mut visit: impl FnMut(&mut Shard<K, W>)) {
        self.shared.shards.iter().for_each(|shard| visit(&mut shard.lock()));
    }

    fn with_shards(&mut self, look: impl FnOnce(&[&Shard<K, W>])) {
        let shards: Vec<MutexGuard<'_, Shard<K, W>>> = self.shared.shards.iter().map(|shard| shard.lock()).collect();
        look(&shards.iter().map(|shard| &**shard).collect::<Vec<_>>());
    }

    fn can_add_threads(&self, _n_items: usize) -> bool {
        false
    }
}

impl<const K: usize, const W: usize> Drop for ThreadTeam<'_, '_, '_, '_, K, W> {
    fn drop(&mut self) {
        self.assign(None);
    }
}

/// Tells the leader when the thread panics: it would wait forever.
struct PanicGuard<'a>(&'a AtomicBool, &'a Thread);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
            self.1.unpark();
        }
    }
}

/// Spins before a waiting thread yields: some 50 microseconds, rarely exceeded on an idle machine.
const SPINS: usize = 3_000;
/// Yields before it parks: up to a millisecond. A thread that parks sooner is often woken on the processor of the thread
/// that wakes it, and then both share that for a while.
const YIELDS: usize = 1_000;

/// Waits for a condition that will hold very soon: spins, yields, then parks.
fn wait_until(is_so: impl Fn() -> bool) {
    for spin in 0.. {
        if is_so() {
            return;
        }
        if spin < SPINS {
            std::hint::spin_loop();
        } else if spin < SPINS + YIELDS {
            thread::yield_now();
        } else {
            thread::park();
        }
    }
}
