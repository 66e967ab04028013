//! Turns of islands in one process: one works at a time, so that runs are the same on every machine.

use parking_lot::{Condvar, Mutex};
use sokosearch::{Event, Progress};

/// Whose turn it is.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnState>,
    changed: Condvar,
}

#[derive(Debug)]
struct TurnState {
    current: usize,
    has_ended: Vec<bool>,
}

impl Turns {
    /// Begins with the first of `n`.
    pub(super) fn new(n: usize) -> Self {
        Self { state: Mutex::new(TurnState { current: 0, has_ended: vec![false; n] }), changed: Condvar::new() }
    }

    /// Waits for a turn.
    pub(super) fn wait(&self, me: usize) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.current != me);
    }

    /// Gives the turn to the next one, and waits for another.
    fn pass(&self, me: usize) {
        self.state.lock().advance();
        self.changed.notify_all();
        self.wait(me);
    }

    /// Gives the turn to the next one for good.
    pub(super) fn end(&self, me: usize) {
        let mut state = self.state.lock();
        state.has_ended[me] = true;
        state.advance();
        drop(state);
        self.changed.notify_all();
    }
}

impl TurnState {
    /// Goes to the next one that has not ended, if there is one.
    fn advance(&mut self) {
        let n = self.has_ended.len();
        let next = (1..=n).map(|step| (self.current + step) % n).find(|&next| !self.has_ended[next]);
        self.current = next.unwrap_or(self.current);
    }
}

/// Observes one island, and ends its turn when what it runs has taken so many ticks.
pub(super) struct TurnWatch<'a> {
    turns: &'a Turns,
    me: usize,
    /// Ticks of a turn. It ends with the slice of an arm.
    length: u64,
    /// Called at the end of a turn.
    exchange: &'a (dyn Fn() + Sync),
    /// Techniques that are at work, one within the other, and the ticks of this turn.
    state: Mutex<(usize, u64)>,
}

impl<'a> TurnWatch<'a> {
    pub(super) fn new(turns: &'a Turns, me: usize, length: u64, exchange: &'a (dyn Fn() + Sync)) -> Self {
        Self { turns, me, length, exchange, state: Mutex::default() }
    }
}

impl Progress for TurnWatch<'_> {
    fn on(&self, event: Event<'_>) {
        let mut state = self.state.lock();
        let (depth, spent) = &mut *state;
        match event {
            Event::Entered { .. } => *depth += 1,
            Event::Left { ticks, .. } => {
                *depth -= 1;
                *spent += if *depth == 0 { ticks } else { 0 };
                if *depth == 0 && *spent >= self.length {
                    *spent = 0;
                    drop(state);
                    (self.exchange)();
                    self.turns.pass(self.me);
                }
            }
            _ => {}
        }
    }
}
