//! Several threads that improve one solution: each takes the best arm that no other has, and plays it for a slice.
//!
//! ```text
//!   thread 1   take ─▶ fork ─▶ slice of "20/10" ─▶ put back ─▶ take ─▶ ...
//!                        ▲            │ finds
//!                 the run's pool ◀────┤ relinked where both have gained
//!                        ▼            │ finds
//!   thread 2   take ─▶ fork ─▶ slice of "10" ────▶ put back ─▶ take ─▶ ...
//! ```
//!
//! A slice works on a pool of its own, so nothing changes under it. When it has gained and meanwhile another has
//! gained too, the two solutions are relinked: they share most of their configurations, so both gains are kept.
//!
//! Different arms search in different ways, but the plateau and the lineages bring some of the same arms with them. So
//! every window is taken before it is searched (`windows_in_hand`): never are two threads at the same window, nor at two
//! of one solution that overlap, in the same way. Not of this kind are the steps of the plateau, of which there is one,
//! and the crossings of the lineages, all of which belong to one arm; nor are the threads of one search, which share
//! its layers.
//!
//! A thread that finds no arm to play, since all others are retired, taken, or wait for windows, lends its place to the
//! searches that go on: a large one lets another thread work for it until it has ended (see [`Places`]). While one
//! proves, all others lend theirs as soon as their slices have ended.
//!
//! Which thread comes first is chance: such a run is not repeatable. One that is limited in ticks has one thread.

use parking_lot::{Condvar, Mutex, MutexGuard};
use sokocore::{Objective, Solution};
use sokosearch::{Cancel, Context, Places, Stop, run_jobs};
use tracing::debug;

use super::arm::Arm;
use super::field::Field;
use super::heralds::Heralds;
use super::windows_in_hand::{Window, WindowsInHand};
use super::{play, step};
use crate::fingerprints::mix;
use crate::{Exhaustive, Relink};

/// What the threads share.
struct Team<'a> {
    field: Field<'a>,
    /// Raised when the run has ended.
    over: Cancel,
    roster: Mutex<Roster>,
    /// Raised when an arm was put back or the run has ended.
    changed: Condvar,
    /// Places of the threads that wait.
    idle: Places,
}

struct Roster {
    /// An arm that is being played is taken out.
    arms: Vec<Option<Arm>>,
    n_playing: usize,
    /// Whether the whole space is being searched by all threads.
    is_proving: bool,
    /// Ticks after which a proof is worth trying.
    proof: Option<u64>,
    ticks: u64,
    /// How often an arm has gained.
    n_gains: u64,
    end: Option<Result<(), Stop>>,
}

/// What a thread is to do next.
enum Task {
    /// An arm, by its number, and how often any had gained when it was taken.
    Play(usize, Box<Arm>, u64),
    Prove,
}

/// Plays the arms with so many threads until none brings anything.
///
/// # Errors
/// Why it was stopped before that.
pub(super) fn play_in_team(
    arms: Vec<Arm>,
    proof: Option<u64>,
    field: Field<'_>,
    cx: &mut Context<'_>,
) -> Result<(), Stop> {
    let roster = Roster {
        arms: arms.into_iter().map(Some).collect(),
        n_playing: 0,
        is_proving: false,
        proof,
        ticks: cx.ticks(),
        n_gains: 0,
        end: None,
    };
    let (roster, changed, idle) = (Mutex::new(roster), Condvar::new(), Places::new(0));
    let team = Team { field, over: Cancel::default(), roster, changed, idle };
    let n_threads = field.knobs.n_threads;
    let members = Mutex::new(Vec::new());
    run_jobs(n_threads, 0..n_threads, |_| {
        let mut member = cx.part(cx.pool(), cx.progress(), 1.0).ending_with(team.over.clone()).helped_from(&team.idle);
        team.work(&mut member);
        members.lock().push(member);
    });
    for member in members.into_inner() {
        cx.take_back(&member);
    }
    team.roster.into_inner().end.unwrap_or(Ok(()))
}

impl Team<'_> {
    /// Does one task after the other until the run ends.
    fn work(&self, cx: &mut Context<'_>) {
        while let Some(task) = self.next() {
            let _turn = Turn(self);
            let done = match task {
                Task::Play(number, arm, n_gains) => self.play((number, *arm), n_gains, cx),
                Task::Prove => self.prove(cx),
            };
            if done.is_err() || cx.is_proved() {
                self.end(done);
            }
        }
    }

    /// Ends the run for all threads; the first to say how it ended is believed.
    fn end(&self, how: Result<(), Stop>) {
        self.roster.lock().end.get_or_insert(how);
        self.over.cancel();
    }

    /// Takes the next task, if need be when others have put their arms back; `None` when the run has ended.
    fn next(&self) -> Option<Task> {
        let mut roster = self.roster.lock();
        loop {
            if roster.end.is_some() {
                return None;
            }
            let best = if roster.is_proving { None } else { roster.best(self.field.in_hand) };
            if roster.proof.is_some_and(|ticks| ticks <= roster.ticks || (best.is_none() && roster.n_playing == 0)) {
                roster.proof = None;
                roster.n_playing += 1;
                return Some(Task::Prove);
            }
            if let Some((number, arm)) = best.and_then(|number| Some((number, roster.arms[number].take()?))) {
                roster.n_playing += 1;
                return Some(Task::Play(number, Box::new(arm), roster.n_gains));
            }
            if roster.n_playing == 0 {
                roster.end = Some(Ok(()));
                self.changed.notify_all();
                return None;
            }
            self.wait(&mut roster);
        }
    }

    /// Waits for a change, and longer while the place is lent.
    fn wait(&self, roster: &mut MutexGuard<'_, Roster>) {
        self.idle.offer();
        loop {
            self.changed.wait(roster);
            if roster.end.is_some() || self.idle.take_back() {
                return;
            }
        }
    }

    /// Plays an arm on a pool of its own, joins what it gains with what others have gained, and puts it back. What others
    /// have gained since the arm was taken brings it back as it does all others.
    fn play(&self, (number, mut arm): (usize, Arm), n_gains: u64, cx: &mut Context<'_>) -> Result<(), Stop> {
        let start = cx.ticks();
        let (objective, base) = (cx.objective(), cx.best().metrics());
        let pool = cx.pool().fork();
        let heralds = Heralds { from: &pool, to: cx.pool(), progress: cx.progress() };
        let mut part = cx.part(&pool, &heralds, 1.0);
        let played = play(&mut arm, self.field, &mut part);
        cx.take_back(&part);
        let (mine, best) = (pool.best(objective), cx.best());
        let has_gained = objective.score(&mine.metrics()) < objective.score(&base);
        if has_gained && mine.lurd() != best.lurd() && played.is_ok() {
            // Another thread may have found the same, and be about it.
            if let Some(_hand) = self.field.in_hand.take(joining(&mine, &best, objective)) {
                step(&Relink::new(vec![mine], 0, self.field.knobs.engine), cx)?;
            }
        }
        if has_gained {
            cx.note_gain();
        }
        let mut roster = self.roster.lock();
        roster.ticks += cx.ticks() - start;
        let name = arm.name().to_owned();
        if roster.n_gains != n_gains {
            arm.revive();
        }
        roster.arms[number] = Some(arm);
        if has_gained {
            roster.n_gains += 1;
            roster.arms.iter_mut().flatten().for_each(Arm::revive);
            debug!(arm = name, metrics = %cx.best().metrics(), "improved");
        }
        played.map(|_: bool| ())
    }

    /// Searches the whole space. If that can be shared, the others join in as soon as they have ended their slices.
    fn prove(&self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let knobs = self.field.knobs;
        let is_shared = Exhaustive::is_shared(knobs, cx);
        self.roster.lock().is_proving = is_shared;
        self.idle.expect(if is_shared { knobs.n_threads - 1 } else { 0 });
        let done = step(&Exhaustive::new(knobs), cx).map(|_: bool| ());
        self.idle.expect(0);
        self.roster.lock().is_proving = false;
        done
    }
}

/// The relinking of two solutions, as a window that is searched in a way of its own.
fn joining(mine: &Solution, best: &Solution, objective: Objective) -> Window {
    let of = |solution: &Solution| {
        let letters =
            solution.lurd().steps().iter().map(|step| u64::from(step.is_push()) << 2 | step.dir().idx() as u64);
        letters.fold(0, mix)
    };
    Window { way: (of(mine), objective), solution: of(best), content: of(best), pushes: 0..usize::MAX }
}

/// The turn of a thread, over when dropped. A thread that panics takes the others with it: they would wait for it.
struct Turn<'a>(&'a Team<'a>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Err(Stop::Cancelled));
        }
        self.0.roster.lock().n_playing -= 1;
        self.0.changed.notify_all();
    }
}

impl Roster {
    /// The best arm that nobody plays and that has a window that nobody is at.
    fn best(&self, in_hand: &WindowsInHand) -> Option<usize> {
        let waiting = self.arms.iter().enumerate().filter_map(|(number, arm)| Some((number, arm.as_ref()?)));
        let ready = waiting.filter(|(_, arm)| !arm.is_retired() && !arm.waits(in_hand));
        let best = ready.max_by(|(_, one), (_, other)| one.compare_worth(other));
        best.map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests;
