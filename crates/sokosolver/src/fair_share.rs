//! Fair shares: tasks that can be paused take turns, and each gets a part of one resource in proportion to its weight.
//!
//! ```text
//!   virtual time of a task = what it has used / its weight
//!
//!   task 0   ├───────────┤                    waiting ──begin──▶ running ──end──▶ waiting
//!   task 1   ├──────┤  ◀── gets the next slice               charged for what it used
//!   task 2   ├─────────────────┤              a task that is over gets no further slice
//! ```
//!
//! Stride scheduling (Waldspurger and Weihl 1995): the waiting task with the least virtual time runs next, the first of
//! those with equal ones. The tasks define the resource and the weight: ticks or time of a strategy in a portfolio,
//! ticks of a variant in feature space search, slices of a packing order. How long a slice is, and which tasks take
//! part at all, is for the scheduler of these tasks to say.
//!
//! **Invariant**: with one slice at a time and constant weights, the virtual times of tasks that do not end differ by at
//! most one slice divided by its weight. So each task gets its share, and none starves.

use std::ops::{Index, IndexMut};

/// A task that shares a resource with others.
pub(crate) trait FairShareTask {
    /// What a slice uses.
    type Usage;

    /// Returns what the task has used divided by its weight.
    fn virtual_time(&self) -> f64;

    /// Adds what a slice has used.
    fn charge(&mut self, used: Self::Usage);

    /// Returns whether the task has ended.
    fn is_over(&self) -> bool;

    /// Returns whether a slice may begin while another one of this task is running.
    fn has_idle_worker(&self) -> bool {
        false
    }
}

/// Tasks by number, from 0 up, with the slices that are running.
#[derive(Debug)]
pub(crate) struct FairShareQueue<T> {
    tasks: Vec<T>,
    /// The running slices of each task.
    n_running: Vec<usize>,
}

impl<T: FairShareTask> FairShareQueue<T> {
    /// Makes a queue of tasks of which none is running.
    pub(crate) fn new(tasks: impl IntoIterator<Item = T>) -> Self {
        let tasks: Vec<T> = tasks.into_iter().collect();
        Self { n_running: vec![0; tasks.len()], tasks }
    }

    /// Returns all tasks, in the order of their numbers.
    pub(crate) fn tasks(&self) -> &[T] {
        &self.tasks
    }

    /// Returns all tasks, to be changed.
    pub(crate) fn tasks_mut(&mut self) -> &mut [T] {
        &mut self.tasks
    }

    /// Returns all tasks by value.
    pub(crate) fn into_tasks(self) -> Vec<T> {
        self.tasks
    }

    /// Returns the number of running slices of a task.
    pub(crate) fn n_running(&self, number: usize) -> usize {
        self.n_running[number]
    }

    /// Returns whether a slice of any task is running.
    pub(crate) fn is_any_running(&self) -> bool {
        self.n_running.iter().any(|&n_running| n_running > 0)
    }

    /// Returns the tasks that wait for a slice.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = usize> {
        let is_waiting =
            |(number, task): &(usize, &T)| !task.is_over() && (self.n_running[*number] == 0 || task.has_idle_worker());
        self.tasks.iter().enumerate().filter(is_waiting).map(|(number, _)| number)
    }

    /// Returns the task with the least virtual time, the first of those with equal ones.
    pub(crate) fn least_used(&self, numbers: impl Iterator<Item = usize>) -> Option<usize> {
        let virtual_time = |number: &usize| self.tasks[*number].virtual_time();
        numbers.min_by(|one, other| virtual_time(one).total_cmp(&virtual_time(other)))
    }

    /// Returns the task that runs next; `None` if none is waiting.
    pub(crate) fn next(&self) -> Option<usize> {
        self.least_used(self.waiting())
    }

    /// Begins a slice of a task, to be ended with [`FairShareQueue::end`].
    pub(crate) fn begin(&mut self, number: usize) -> &mut T {
        self.n_running[number] += 1;
        &mut self.tasks[number]
    }

    /// Ends a slice of a task, and charges the task for it.
    ///
    /// # Panics
    /// If no slice of the task is running.
    pub(crate) fn end(&mut self, number: usize, used: T::Usage) -> &mut T {
        let n_running = &mut self.n_running[number];
        *n_running = n_running.checked_sub(1).expect("invariant: a slice was begun before it ends");
        let task = &mut self.tasks[number];
        task.charge(used);
        task
    }
}

impl<T> Index<usize> for FairShareQueue<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        &self.tasks[number]
    }
}

impl<T> IndexMut<usize> for FairShareQueue<T> {
    fn index_mut(&mut self, number: usize) -> &mut T {
        &mut self.tasks[number]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    struct Toy {
        used: u32,
        weight: u32,
        is_over: bool,
    }

    impl Toy {
        fn new(weight: u32) -> Self {
            Self { used: 0, weight, is_over: false }
        }
    }

    impl FairShareTask for Toy {
        type Usage = u32;

        fn virtual_time(&self) -> f64 {
            f64::from(self.used) / f64::from(self.weight)
        }

        fn charge(&mut self, used: u32) {
            self.used += used;
        }

        fn is_over(&self) -> bool {
            self.is_over
        }
    }

    /// The rule again, in whole numbers: no task that waits has used less for its weight, and none before it as little.
    fn naive(queue: &FairShareQueue<Toy>, is_waiting: &[bool]) -> Option<usize> {
        let is_better = |one: &Toy, other: &Toy| {
            u64::from(one.used) * u64::from(other.weight) < u64::from(other.used) * u64::from(one.weight)
        };
        let mut best: Option<usize> = None;
        for number in (0..is_waiting.len()).filter(|&number| is_waiting[number]) {
            if best.is_none_or(|best| is_better(&queue[number], &queue[best])) {
                best = Some(number);
            }
        }
        best
    }

    #[test]
    fn equal_tasks_run_in_the_order_of_their_numbers() {
        let mut queue = FairShareQueue::new([3, 3, 3].map(Toy::new));
        let mut order = Vec::new();
        for _ in 0..6 {
            let number = queue.next().expect("a task waits");
            order.push(number);
            queue.begin(number);
            queue.end(number, 7);
        }
        assert_eq!(order, [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn a_running_task_is_passed_over_and_one_that_is_over_gets_no_slice() {
        let mut queue = FairShareQueue::new([1, 1].map(Toy::new));
        queue.begin(0);
        assert_eq!((queue.next(), queue.n_running(0)), (Some(1), 1));
        queue[1].is_over = true;
        assert_eq!((queue.next(), queue.is_any_running()), (None, true));
        queue.end(0, 1);
        assert_eq!((queue.next(), queue.is_any_running()), (Some(0), false));
    }

    /// A task that waits after the others have used much catches up, then takes turns with them.
    #[test]
    fn a_late_task_catches_up() {
        let mut queue = FairShareQueue::new([1, 1].map(Toy::new));
        queue[0].used = 100;
        let mut slice = || {
            let number = queue.next().expect("a task waits");
            queue.begin(number);
            queue.end(number, 10);
            number
        };
        let numbers: Vec<usize> = (0..14).map(|_| slice()).collect();
        assert_eq!(numbers[..10], [1; 10]);
        assert_eq!(numbers[10..], [0, 1, 0, 1]);
    }

    proptest! {
        /// With slices of any length, in several threads, which end in any order: the choice is that of the naive rule,
        /// and shares stay as near to the weights as the invariant says.
        #[test]
        fn shares_follow_the_weights(
            weights in prop::collection::vec(1u32..20, 1..6),
            n_threads in 1usize..4,
            slices in prop::collection::vec((1u32..=100, any::<prop::sample::Index>()), 1..400),
        ) {
            let mut queue = FairShareQueue::new(weights.iter().copied().map(Toy::new));
            let mut running: Vec<usize> = Vec::new();
            for (length, which) in slices {
                while running.len() < n_threads {
                    let is_waiting: Vec<bool> = (0..weights.len()).map(|number| !running.contains(&number)).collect();
                    let next = queue.next();
                    prop_assert_eq!(next, naive(&queue, &is_waiting));
                    let Some(number) = next else { break };
                    queue.begin(number);
                    running.push(number);
                }
                let number = running.swap_remove(which.index(running.len()));
                queue.end(number, length);
                if n_threads == 1 {
                    let times: Vec<f64> = queue.tasks().iter().map(Toy::virtual_time).collect();
                    let (least, most) = times.iter().fold((f64::MAX, 0.0f64), |(least, most), &time| {
                        (least.min(time), most.max(time))
                    });
                    let slice = 100.0 / f64::from(*weights.iter().min().expect("there is one"));
                    prop_assert!(most - least <= slice + 1e-9, "{:?}", queue);
                }
            }
        }
    }
}
