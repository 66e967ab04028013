//! Threads that search one layer together, each with shards of its own.
//!
//! ```text
//!  leader   say phase ─▶ own shards ─▶ wait for all ─▶ take the ticks together, decide ─▶ say phase ─▶ ...
//!              │ turn                     ▲ done
//!              ▼                          │
//!  helper   wait ─────▶ own shards ───────┘                                       wait ─▶ own shards ─▶ ...
//! ```
//!
//! The waits spin first: a phase takes some hundred microseconds, and to wake a thread takes ten. What a search finds does not
//! depend on who does what when, only, and as little as with one thread, on when it is stopped.
//!
//! Invariant: between two phases the locks of all shards are free, and the leader's context has all the ticks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};

use crossbeam::utils::CachePadded;
use parking_lot::{Mutex, MutexGuard};

use super::mail::Mail;
use super::pace::Pace;
use super::shard::{Phase, Shard};
use super::sweep::Hands;
use super::terrain::Terrain;
use crate::{Clock, Context, Stop};

/// What the threads share.
struct Deck<'s, 'a, 'c, const K: usize, const W: usize> {
    terrain: &'s Terrain<'a, K, W>,
    mail: &'s Mail<K>,
    /// Apart from each other: what one thread writes all the time must not lie beside what another one reads.
    shards: Vec<CachePadded<Mutex<Shard<K, W>>>>,
    helpers: Vec<CachePadded<Mutex<Helper<'c>>>>,
    orders: Mutex<Orders>,
    /// Goes up by one when there are new orders.
    turn: CachePadded<AtomicUsize>,
    /// How many helpers have carried them out.
    n_done: CachePadded<AtomicUsize>,
    /// Whether a helper has panicked.
    is_broken: AtomicBool,
    leader: Thread,
}

/// What a helper keeps between two phases.
struct Helper<'c> {
    cx: Context<'c>,
    done: Result<(), Stop>,
}

/// What to do; nothing more if there is no phase.
#[derive(Clone, Copy)]
struct Orders {
    phase: Option<Phase>,
    n_threads: usize,
}

/// The leader's side. Sends the helpers home when dropped.
pub(super) struct Crew<'d, 's, 'a, 'c, const K: usize, const W: usize> {
    deck: &'d Deck<'s, 'a, 'c, K, W>,
    helpers: Vec<Thread>,
    clock: Clock,
    pace: Pace,
}

/// Runs `lead` with so many helpers, or with as many of them as the system grants.
pub(super) fn with_crew<'c, R, const K: usize, const W: usize>(
    (shards, terrain, mail): (&mut Vec<Shard<K, W>>, &Terrain<'_, K, W>, &Mail<K>),
    n_helpers: usize,
    cx: &mut Context<'c>,
    lead: impl FnOnce(&mut Crew<'_, '_, '_, 'c, K, W>, &mut Context<'c>) -> R,
) -> R {
    let helper = || Helper { cx: cx.part(cx.pool(), cx.progress(), 1.0), done: Ok(()) };
    let deck = Deck {
        terrain,
        mail,
        shards: shards.drain(..).map(|shard| CachePadded::new(Mutex::new(shard))).collect(),
        helpers: std::iter::repeat_with(|| CachePadded::new(Mutex::new(helper()))).take(n_helpers).collect(),
        orders: Mutex::new(Orders { phase: None, n_threads: 1 }),
        turn: CachePadded::default(),
        n_done: CachePadded::default(),
        is_broken: AtomicBool::new(false),
        leader: thread::current(),
    };
    let led = thread::scope(|scope| {
        let deck = &deck;
        let mut crew =
            Crew { deck, helpers: Vec::with_capacity(n_helpers), clock: Clock::start(), pace: Pace::default() };
        for number in 0..n_helpers {
            let Ok(helper) = thread::Builder::new().spawn_scoped(scope, move || deck.help(number)) else { break };
            crew.helpers.push(helper.thread().clone());
        }
        lead(&mut crew, cx)
    });
    shards.extend(deck.shards.into_iter().map(|shard| shard.into_inner().into_inner()));
    led
}

impl<const K: usize, const W: usize> Deck<'_, '_, '_, K, W> {
    /// Carries out orders until there are no more.
    fn help(&self, number: usize) {
        let _breaking = Breaking(&self.is_broken, &self.leader);
        for turn in 1.. {
            wait_until(|| self.turn.load(Ordering::Acquire) >= turn);
            let Orders { phase, n_threads } = *self.orders.lock();
            let Some(phase) = phase else { return };
            let mut helper = self.helpers[number].lock();
            helper.done = self.run_shards(number + 1, n_threads, phase, &mut helper.cx);
            drop(helper);
            self.n_done.fetch_add(1, Ordering::Release);
            self.leader.unpark();
        }
    }

    /// Carries out a phase for the shards of one thread.
    fn run_shards(&self, thread: usize, n_threads: usize, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut own = self.shards.iter().skip(thread).step_by(n_threads);
        own.try_for_each(|shard| shard.lock().run(phase, (self.terrain, self.mail), cx))
    }
}

impl<const K: usize, const W: usize> Crew<'_, '_, '_, '_, K, W> {
    fn give(&self, phase: Option<Phase>) {
        *self.deck.orders.lock() = Orders { phase, n_threads: self.helpers.len() + 1 };
        self.deck.n_done.store(0, Ordering::Relaxed);
        self.deck.turn.fetch_add(1, Ordering::Release);
        self.helpers.iter().for_each(Thread::unpark);
    }
}

impl<const K: usize, const W: usize> Hands<K, W> for Crew<'_, '_, '_, '_, K, W> {
    fn all(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        let (deck, n_helpers) = (self.deck, self.helpers.len());
        if self.pace.is_alone() {
            return deck.run_shards(0, 1, phase, cx);
        }
        let began = self.clock.elapsed();
        self.give(Some(phase));
        let mut done = deck.run_shards(0, n_helpers + 1, phase, cx);
        let worked = self.clock.elapsed();
        let is_broken = || deck.is_broken.load(Ordering::Acquire);
        wait_until(|| deck.n_done.load(Ordering::Acquire) == n_helpers || is_broken());
        if is_broken() {
            return Err(Stop::Cancelled);
        }
        self.pace.note(n_helpers + 1, worked - began, self.clock.elapsed() - worked);
        for helper in &deck.helpers[..n_helpers] {
            let mut helper = helper.lock();
            cx.rejoin(&mut helper.cx);
            done = done.and(helper.done);
        }
        done
    }

    fn visit(&mut self, mut look: impl FnMut(&mut Shard<K, W>)) {
        self.deck.shards.iter().for_each(|shard| look(&mut shard.lock()));
    }

    fn show(&mut self, look: impl FnOnce(&[&Shard<K, W>])) {
        let shards: Vec<MutexGuard<'_, Shard<K, W>>> = self.deck.shards.iter().map(|shard| shard.lock()).collect();
        look(&shards.iter().map(|shard| &**shard).collect::<Vec<_>>());
    }

    fn may_grow(&self, _n_items: usize) -> bool {
        false
    }
}

impl<const K: usize, const W: usize> Drop for Crew<'_, '_, '_, '_, K, W> {
    fn drop(&mut self) {
        self.give(None);
    }
}

/// Says so if the thread panics: the leader would wait for it.
struct Breaking<'a>(&'a AtomicBool, &'a Thread);

impl Drop for Breaking<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
            self.1.unpark();
        }
    }
}

/// Spins before a thread that waits offers its processor to others: some 50 microseconds, rarely passed on a machine with
/// nothing else to do.
const SPINS: usize = 3_000;
/// Times that it offers it before it sleeps: up to a millisecond. A thread that sleeps sooner is often woken on the
/// processor of the one that wakes it, and then both share that for a while.
const OFFERS: usize = 1_000;

/// Waits for what will be very soon, or when unparked.
fn wait_until(is_so: impl Fn() -> bool) {
    for spin in 0.. {
        if is_so() {
            return;
        }
        if spin < SPINS {
            std::hint::spin_loop();
        } else if spin < SPINS + OFFERS {
            thread::yield_now();
        } else {
            thread::park();
        }
    }
}
