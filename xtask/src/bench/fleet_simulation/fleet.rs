//! The workers of a simulated fleet, and the slices that they take.
//!
//! ```text
//!   ask class 0, 1, ... ─▶ read ─▶ search ─▶ write ─▶ ask class 0 ...
//!        └─ none ─▶ pause, longer each time
//! ```
//!
//! Invariant: an item is in one queue, or taken by one worker, or settled.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use sokonight::{Item, SliceEnding, SliceGain};

use super::server::{RequestTimes, SimulatedServer};
use crate::bench::night::{ItemCurve, TICKS_A_SECOND};

/// Classes of rates, the lowest rate of the first, and how many times the rates of a class those of the next one are: as
/// `sokofleet` has them.
const N_CLASSES: usize = 12;
const FIRST_CLASS: f64 = 64.0;
const CLASS_STEP: f64 = 4.0;
/// The first and the longest pause of a worker for which there is no slice.
const FIRST_PAUSE: f64 = 0.1;
const LONGEST_PAUSE: f64 = 5.0;

/// An item of the fleet.
#[derive(Clone, Debug)]
pub(super) struct SimulatedItem<'a> {
    curve: &'a ItemCurve,
    bound: u64,
    /// Ticks of the curve in a second.
    ticks_a_second: f64,
    item: Item,
    /// Ticks of the curve that it has had.
    spent: f64,
}

/// What is simulated.
#[derive(Clone, Debug)]
pub(super) struct FleetPlan {
    pub(super) n_workers: usize,
    pub(super) seconds: f64,
    pub(super) times: RequestTimes,
    /// Requests before a slice, once it was taken.
    pub(super) n_reads: u32,
    /// Requests after a slice.
    pub(super) n_writes: u32,
    /// Requests of each worker a second beside those.
    pub(super) beats: f64,
}

/// What came of it. Parts of the time of all workers are ratios.
#[derive(Clone, Debug, Default)]
pub(super) struct FleetEnd {
    pub(super) seconds: f64,
    pub(super) n_slices: u64,
    pub(super) searching: f64,
    /// Waiting for answers of the server.
    pub(super) asking: f64,
    /// Without a slice.
    pub(super) idle: f64,
    pub(super) server_load: f64,
    pub(super) busiest_minute: f64,
    /// Mean seconds between a request and its answer.
    pub(super) answer: f64,
    pub(super) gain: f64,
    /// What all curves gain to their ends.
    pub(super) possible: f64,
}

/// What a worker does next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum WorkerStep {
    /// Its request for a slice of this class arrives.
    Ask { class: usize, pause: f64 },
    /// A request before its slice arrives; so many follow.
    Read { item: usize, n_left: u32 },
    /// A request after its slice arrives; so many follow.
    Write { item: usize, n_left: u32 },
}

/// A step at a time. Steps at one time are taken in the order of their numbers.
#[derive(Clone, Copy, Debug)]
struct TimedStep {
    at: f64,
    number: u64,
    worker: usize,
    step: WorkerStep,
}

impl Ord for TimedStep {
    /// The earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.total_cmp(&self.at).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for TimedStep {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TimedStep {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for TimedStep {}

impl<'a> SimulatedItem<'a> {
    /// Makes the item of a level that takes `stretch` times as long as the recorded one.
    pub(super) fn new(curve: &'a ItemCurve, bound: u64, stretch: f64) -> Self {
        let start = curve.at(0.0);
        let item = Item::improving(curve.counted(start), start.pushes).with_bound(bound);
        Self { curve, bound, ticks_a_second: TICKS_A_SECOND / stretch, item, spent: 0.0 }
    }

    fn counted(&self, ticks: f64) -> f64 {
        self.curve.counted(self.curve.at(ticks)) as f64
    }

    /// What it may gain to the end of its curve.
    fn possible(&self) -> f64 {
        self.counted(0.0) - self.counted(f64::MAX)
    }

    /// Runs a slice. Returns its seconds.
    fn run_slice(&mut self) -> f64 {
        let from = self.spent;
        let mut to = from + self.item.slice().as_secs_f64() * self.ticks_a_second;
        let settled_at = self.curve.settled_at().filter(|&settled_at| settled_at <= to);
        to = settled_at.map_or(to, |settled_at| settled_at.max(from));
        self.spent = to;
        let seconds = (to - from) / self.ticks_a_second;
        let gain = self.counted(from) - self.counted(to);
        let ending = if settled_at.is_some() { SliceEnding::Settled } else { SliceEnding::Open };
        self.item.end(&SliceGain::new(Duration::from_secs_f64(seconds), gain, ending));
        self.item.update(self.curve.counted(self.curve.at(to)), self.bound);
        seconds
    }

    fn class(&self) -> usize {
        let mut lowest = FIRST_CLASS;
        let mut class = 0;
        while class + 1 < N_CLASSES && self.item.rate() < lowest {
            lowest /= CLASS_STEP;
            class += 1;
        }
        class
    }
}

impl FleetEnd {
    pub(super) fn slices_a_second(&self) -> f64 {
        self.n_slices as f64 / self.seconds
    }
}

/// A simulation that is running.
struct Simulation<'a, 'p> {
    plan: &'p FleetPlan,
    server: SimulatedServer,
    items: Vec<SimulatedItem<'a>>,
    queues: Vec<VecDeque<usize>>,
    steps: BinaryHeap<TimedStep>,
    n_steps: u64,
    /// Seconds of all workers together.
    searching: f64,
    idle: f64,
    n_slices: u64,
    gain: f64,
}

impl FleetPlan {
    /// Simulates the fleet on items that are all waiting.
    pub(super) fn run(&self, items: Vec<SimulatedItem<'_>>) -> FleetEnd {
        let possible = items.iter().map(SimulatedItem::possible).sum();
        let mut queues = vec![VecDeque::new(); N_CLASSES];
        items.iter().enumerate().for_each(|(at, item)| queues[item.class()].push_back(at));
        let mut simulation = Simulation {
            plan: self,
            server: SimulatedServer::new(self.times, self.n_workers as f64 * self.beats),
            items,
            queues,
            steps: BinaryHeap::new(),
            n_steps: 0,
            searching: 0.0,
            idle: 0.0,
            n_slices: 0,
            gain: 0.0,
        };
        simulation.run();
        let all = self.n_workers as f64 * self.seconds;
        let (searching, idle) = (simulation.searching / all, simulation.idle / all);
        FleetEnd {
            seconds: self.seconds,
            n_slices: simulation.n_slices,
            searching,
            asking: (1.0 - searching - idle).max(0.0),
            idle,
            server_load: simulation.server.load(self.seconds).min(1.0),
            busiest_minute: simulation.server.busiest_minute().min(1.0),
            answer: simulation.server.mean_answer(),
            gain: simulation.gain,
            possible,
        }
    }
}

impl Simulation<'_, '_> {
    fn run(&mut self) {
        for worker in 0..self.plan.n_workers {
            // They do not all begin in the same moment.
            let begun = worker as f64 / self.plan.n_workers as f64;
            self.send(begun, worker, WorkerStep::Ask { class: 0, pause: FIRST_PAUSE });
        }
        while let Some(TimedStep { at, worker, step, .. }) = self.steps.pop() {
            if at >= self.plan.seconds {
                return;
            }
            let answered = self.server.answer(at);
            self.take_step(answered, worker, step);
        }
    }

    /// Sends a request.
    fn send(&mut self, now: f64, worker: usize, step: WorkerStep) {
        let at = self.server.arrival(now);
        self.n_steps += 1;
        self.steps.push(TimedStep { at, number: self.n_steps, worker, step });
    }

    /// Does what follows a request whose answer is back at this time.
    fn take_step(&mut self, answered: f64, worker: usize, step: WorkerStep) {
        match step {
            WorkerStep::Ask { class, pause } => match self.queues[class].pop_front() {
                Some(item) => self.send(answered, worker, WorkerStep::Read { item, n_left: self.plan.n_reads }),
                None if class + 1 < N_CLASSES => {
                    self.send(answered, worker, WorkerStep::Ask { class: class + 1, pause });
                }
                None => {
                    self.idle += pause.min((self.plan.seconds - answered).max(0.0));
                    let longer = (2.0 * pause).min(LONGEST_PAUSE);
                    self.send(answered + pause, worker, WorkerStep::Ask { class: 0, pause: longer });
                }
            },
            WorkerStep::Read { item, n_left } if n_left > 1 => {
                self.send(answered, worker, WorkerStep::Read { item, n_left: n_left - 1 });
            }
            WorkerStep::Read { item, .. } => {
                let before = self.items[item].counted(self.items[item].spent);
                let seconds = self.items[item].run_slice();
                let end = answered + seconds;
                self.searching += end.min(self.plan.seconds) - answered.min(self.plan.seconds);
                if end < self.plan.seconds {
                    self.gain += before - self.items[item].counted(self.items[item].spent);
                    self.n_slices += 1;
                }
                self.send(end, worker, WorkerStep::Write { item, n_left: self.plan.n_writes });
            }
            WorkerStep::Write { item, n_left } if n_left > 1 => {
                self.send(answered, worker, WorkerStep::Write { item, n_left: n_left - 1 });
            }
            WorkerStep::Write { item, .. } => {
                if !self.items[item].item.is_settled() {
                    let class = self.items[item].class();
                    self.queues[class].push_back(item);
                }
                self.send(answered, worker, WorkerStep::Ask { class: 0, pause: FIRST_PAUSE });
            }
        }
    }
}

#[cfg(test)]
mod tests;
