//! The recorder of a run: it makes checkpoints, one at the end, and some on the way for a run that may be killed.

use std::fmt;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::Square;
use sokosearch::{Context, Stop};

use super::arm::SavedArm;
use super::arm_context::ArmContext;
use super::arm_queue::ArmQueue;
use super::resumption::{Resumption, settings_fingerprint};
use crate::Knobs;
use crate::checkpoint::field::Bits;
use crate::checkpoint::{Checkpoint, level_fingerprint};
use crate::fingerprints::moves_fingerprint;

/// Time between two checkpoints on the way; after a gain a fifth of it.
const PERIOD: Duration = Duration::from_secs(5);
/// Most windows without a gain in a checkpoint.
const MOST_WINDOWS: usize = 1 << 16;
/// Most given solutions in a checkpoint.
const MOST_RELINKED: usize = 1 << 10;

/// What is called with each checkpoint on the way.
pub(crate) type OnCheckpoint<'a> = &'a (dyn Fn(&Checkpoint) + Sync);

/// Makes the checkpoints of a run.
pub(super) struct Recorder<'a> {
    /// What all checkpoints of the run have in common, with the time of earlier runs. Its arms are those of the run that
    /// this one continues: they count until the run has its own.
    blank: Checkpoint,
    /// Given solutions that this run and earlier ones have relinked, if this one was not cut off.
    relinked: Vec<Bits>,
    /// Time on the budget's clock when the run began.
    begun: Duration,
    listener: Option<OnCheckpoint<'a>>,
    period: Duration,
    /// When the last checkpoint was made.
    last: Mutex<Duration>,
}

impl fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("blank", &self.blank).field("begun", &self.begun).finish_non_exhaustive()
    }
}

impl<'a> Recorder<'a> {
    /// Makes the recorder of a run that begins now.
    pub(super) fn new(
        knobs: &Knobs,
        past: Option<&Resumption>,
        listener: Option<OnCheckpoint<'a>>,
        cx: &Context<'_>,
    ) -> Self {
        let before = past.map(Resumption::checkpoint);
        let begun = cx.budget().elapsed();
        let blank = Checkpoint {
            level: level_fingerprint(cx.level()),
            objective: cx.objective(),
            settings: settings_fingerprint(knobs),
            kept_end: cx.kept_end().map(Square::idx),
            solution: cx.best().lurd().clone(),
            n_runs: before.map_or(0, |before| before.n_runs) + 1,
            elapsed: before.map_or(Duration::ZERO, |before| before.elapsed),
            memory: cx.budget().memory().limit(),
            is_short_of_memory: false,
            is_exhausted: false,
            is_proved: false,
            ticks_before: before.map_or(0, |before| before.ticks_before),
            ticks_of_arms: 0,
            ticks_of_proofs: 0,
            has_failed_proof: before.is_some_and(|before| before.has_failed_proof),
            led_in: before.and_then(|before| before.led_in),
            relinked: before.map_or_else(Vec::new, |before| before.relinked.clone()),
            searched: Vec::new(),
            arms: before.map_or_else(Vec::new, |before| before.arms.iter().map(SavedArm::outdated).collect()),
        };
        let mut relinked = blank.relinked.clone();
        relinked.extend(knobs.others.iter().map(|other| Bits(moves_fingerprint(other.lurd()))));
        relinked.sort_unstable();
        relinked.dedup();
        relinked.truncate(MOST_RELINKED);
        Self { blank, relinked, begun, listener, period: PERIOD, last: Mutex::new(begun) }
    }

    /// Returns the checkpoint of the end of the run.
    pub(super) fn last(
        &self,
        queue: &mut ArmQueue,
        end: Result<(), Stop>,
        arm_cx: ArmContext<'_>,
        cx: &Context<'_>,
    ) -> Checkpoint {
        let is_exhausted = end.is_ok() && !queue.has_cut_relinking;
        Checkpoint { is_exhausted, ..self.record(queue, arm_cx, cx) }
    }

    /// Returns a checkpoint if a listener waits for one.
    pub(super) fn due(
        &self,
        queue: &mut ArmQueue,
        has_gained: bool,
        arm_cx: ArmContext<'_>,
        cx: &Context<'_>,
    ) -> Option<Checkpoint> {
        self.listener?;
        let (now, period) = (cx.budget().elapsed(), if has_gained { self.period / 5 } else { self.period });
        let mut last = self.last.lock();
        if now < *last + period {
            return None;
        }
        *last = now;
        Some(self.record(queue, arm_cx, cx))
    }

    /// Hands a checkpoint to the listener.
    pub(super) fn hand_out(&self, checkpoint: &Checkpoint) {
        if let Some(listener) = self.listener {
            listener(checkpoint);
        }
    }

    fn record(&self, queue: &mut ArmQueue, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Checkpoint {
        let so_far = Checkpoint {
            solution: cx.best().lurd().clone(),
            elapsed: whole_millis(self.blank.elapsed + cx.budget().elapsed().saturating_sub(self.begun)),
            is_short_of_memory: cx.is_short_of_memory(),
            is_proved: cx.is_proved(),
            ticks_of_arms: queue.ticks,
            ticks_of_proofs: queue.ticks_of_proofs,
            searched: arm_cx.searched.save(MOST_WINDOWS),
            ..self.blank.clone()
        };
        if queue.is_empty() {
            return so_far;
        }
        Checkpoint {
            has_failed_proof: queue.has_failed_proof,
            led_in: queue.led_in,
            relinked: if queue.has_cut_relinking { so_far.relinked.clone() } else { self.relinked.clone() },
            arms: queue.save(cx.best().metrics()),
            ..so_far
        }
    }
}

/// Returns a time without what the bytes of a checkpoint leave out.
fn whole_millis(time: Duration) -> Duration {
    time.saturating_sub(Duration::from_nanos((time.subsec_nanos() % 1_000_000).into()))
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

    use super::*;
    use crate::schedule::run_queue;
    use crate::schedule::searched_windows::SearchedWindows;
    use crate::schedule::window_locks::WindowLocks;
    use crate::{Technique, optimize_from};

    /// A run that is killed is continued from any of the checkpoints that it has handed out on the way.
    #[test]
    fn checkpoints_on_the_way_are_taken_up() {
        let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
        let start = replay(&level, &"RurrDLulDrdL".parse().unwrap()).unwrap();
        let run = |n_threads: usize| {
            let mut knobs = Knobs { n_threads, ..Knobs::default() };
            // The first would prove the level, and the second anneals long after the others are done.
            knobs.techniques = knobs.techniques.without(Technique::Exhaustive).without(Technique::RuinRecreate);
            let pool = Pool::new(&level, &start, &[Objective::MOVES]);
            let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
            let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
            let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
            let arm_cx =
                ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
            let handed_out = Mutex::new(Vec::new());
            let listener = |checkpoint: &Checkpoint| handed_out.lock().push(checkpoint.clone());
            let recorder = Recorder { period: Duration::ZERO, ..Recorder::new(&knobs, None, Some(&listener), &cx) };
            let mut queue = ArmQueue::default();
            assert_eq!(run_queue(&mut queue, None, Some(&recorder), arm_cx, &mut cx), Ok(()));
            assert!(recorder.last(&mut queue, Ok(()), arm_cx, &cx).is_exhausted());
            (knobs, handed_out.into_inner(), pool.best(Objective::MOVES))
        };
        for n_threads in [1, 3] {
            let (knobs, checkpoints, best) = run(n_threads);
            assert!(checkpoints.len() > 10, "one after each slice");
            for checkpoint in checkpoints.iter().step_by(checkpoints.len() / 4) {
                assert!(!checkpoint.is_exhausted());
                let pool = Pool::new(&level, &start, &[Objective::MOVES]);
                let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
                let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
                assert_eq!(optimize_from(&knobs, Some(checkpoint), None, &mut cx).0, Ok(()));
                assert_eq!(pool.best(Objective::MOVES).metrics(), best.metrics());
            }
        }
    }

    #[test]
    fn without_a_listener_nothing_is_recorded_on_the_way() {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        let start = replay(&level, &"R".parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
        let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
        let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
        let mut queue = ArmQueue::default();
        let listener = |_: &Checkpoint| {};
        let silent = Recorder { period: Duration::ZERO, ..Recorder::new(&knobs, None, None, &cx) };
        assert_eq!(silent.due(&mut queue, true, arm_cx, &cx), None);
        let early = Recorder::new(&knobs, None, Some(&listener), &cx);
        assert_eq!(early.due(&mut queue, true, arm_cx, &cx), None);
    }
}
