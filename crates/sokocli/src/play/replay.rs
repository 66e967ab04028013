//! One recording on the screen, or two beside each other: where it stands, how it steps, how fast it plays.
//!
//! Steps of a pair are those of the side in focus, and of the other one once that has ended.

use std::time::Duration;

use super::move_history::MoveHistory;
use super::stride::{Stride, Way};
use super::timeline::{InStep, Timeline};
use crate::recorded_games::RecordedGame;

/// Moments per second that can be chosen.
const SPEEDS: [u32; 10] = [1, 2, 4, 8, 15, 30, 60, 125, 250, 1000];
/// The speed at the beginning, as a place among them.
const USUAL_SPEED: usize = 3;
/// Steps that a large step takes.
const LARGE_STEP: usize = 10;

/// One of the games that are shown.
#[derive(Clone, Debug)]
pub(super) struct Side<'a> {
    pub(super) title: String,
    /// Place among the recordings of the level, from 0.
    pub(super) recording_idx: usize,
    pub(super) playback: MoveHistory<'a>,
}

/// What is shown, and at which moment.
#[derive(Clone, Debug)]
pub(super) struct Replay<'a> {
    sides: Vec<Side<'a>>,
    /// The side that steps and jumps are of.
    focus: usize,
    timeline: Timeline,
    in_step: InStep,
    at: usize,
    stride: Stride,
    speed_idx: usize,
    is_playing: bool,
    /// The time that has passed since the last moment.
    owed: Duration,
}

impl<'a> Side<'a> {
    /// A recording at its start.
    pub(super) fn of(level: &'a sokocore::Level, recording: &RecordedGame, recording_idx: usize) -> Self {
        Self { title: recording.title.clone(), recording_idx, playback: MoveHistory::of(level, &recording.moves) }
    }
}

impl<'a> Replay<'a> {
    /// One game alone, or two.
    pub(super) fn new(left: Side<'a>, right: Option<Side<'a>>) -> Self {
        let mut replay = Self {
            timeline: Timeline::alone(&left.playback),
            sides: std::iter::once(left).chain(right).collect(),
            focus: 0,
            in_step: InStep::default(),
            at: 0,
            stride: Stride::default(),
            speed_idx: USUAL_SPEED,
            is_playing: false,
            owed: Duration::ZERO,
        };
        replay.keep_in_step(InStep::default());
        replay
    }

    /// The same manner of playing for other games.
    pub(super) fn in_manner_of(mut self, other: &Self) -> Self {
        (self.stride, self.speed_idx) = (other.stride, other.speed_idx);
        self.focus = if self.sides.len() == other.sides.len() { other.focus } else { 0 };
        self.keep_in_step(other.in_step);
        self
    }

    /// Keeps two games in step by something else; the one in focus stays where it is.
    pub(super) fn keep_in_step(&mut self, in_step: InStep) {
        self.in_step = in_step;
        if let [left, right] = &self.sides[..] {
            self.timeline = Timeline::beside(&left.playback, &right.playback, in_step);
            self.go_to(self.timeline.moment_of(self.focus, self.focused().playback.at()));
        }
    }

    /// Goes to a moment, or to the last one.
    pub(super) fn go_to(&mut self, moment: usize) {
        self.at = moment.min(self.timeline.end());
        let at = self.timeline.moves_at(self.at);
        self.sides.iter_mut().zip(at).for_each(|(side, at)| side.playback.seek(at));
        self.owed = Duration::ZERO;
    }

    /// Makes one step.
    pub(super) fn step(&mut self, way: Way) {
        let leader = self.leader(way);
        let to = self.timeline.moment_of(leader, self.stride.step(way, &self.sides[leader].playback));
        // Where the leader waits, one moment after the other is a step.
        let to = match way {
            Way::Forward if to <= self.at => self.at + 1,
            Way::Back if to >= self.at => self.at.saturating_sub(1),
            _ => to,
        };
        self.go_to(to);
    }

    /// Makes several steps.
    pub(super) fn large_step(&mut self, way: Way) {
        (0..LARGE_STEP).for_each(|_| self.step(way));
    }

    /// The side whose steps count.
    fn leader(&self, way: Way) -> usize {
        let other = 1 - self.focus;
        let Some(beside) = self.sides.get(other) else { return self.focus };
        let own = &self.focused().playback;
        let has_ended = match way {
            Way::Forward => own.at() == own.n_moves(),
            // The other one came here alone.
            Way::Back => self.at > self.timeline.moment_of(self.focus, own.n_moves()) && beside.playback.at() > 0,
        };
        if has_ended { other } else { self.focus }
    }

    /// Goes to where so many moves, pushes or box lines of the side in focus are done.
    pub(super) fn jump(&mut self, n: u64) {
        let all = self.focused().playback.all_metrics();
        let end = if n == 0 { 0 } else { self.stride.end_of(n, all) };
        self.go_to(self.timeline.moment_of(self.focus, end));
    }

    /// Brings the other one of two games into focus.
    pub(super) fn focus_other(&mut self) {
        self.focus = (self.focus + 1) % self.sides.len();
    }

    /// Goes to the first moment.
    pub(super) fn go_to_start(&mut self) {
        self.go_to(0);
    }

    /// Goes to the last moment.
    pub(super) fn go_to_end(&mut self) {
        self.go_to(self.timeline.end());
    }

    /// Plays or pauses; at the end it plays from the start.
    pub(super) fn play_or_pause(&mut self) {
        if !self.is_playing && self.has_ended() {
            self.go_to_start();
        }
        self.is_playing = !self.is_playing;
        self.owed = Duration::ZERO;
    }

    /// Stops playing.
    pub(super) const fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Lets time pass. Returns whether something has moved.
    pub(super) fn pass(&mut self, time: Duration) -> bool {
        if !self.is_playing {
            return false;
        }
        self.owed = self.owed.saturating_add(time);
        let moment = Duration::from_secs(1) / self.speed();
        let n = usize::try_from(self.owed.as_nanos() / moment.as_nanos()).unwrap_or(usize::MAX);
        if n == 0 {
            return false;
        }
        let rest = self.owed.as_nanos() % moment.as_nanos();
        match self.stride {
            Stride::Moves => self.go_to(self.at.saturating_add(n)),
            _ => (0..n.min(self.timeline.end() + 1)).for_each(|_| self.step(Way::Forward)),
        }
        self.owed = Duration::from_nanos(u64::try_from(rest).unwrap_or(0));
        self.is_playing = !self.has_ended();
        true
    }

    /// Plays faster.
    pub(super) fn faster(&mut self) {
        self.speed_idx = (self.speed_idx + 1).min(SPEEDS.len() - 1);
    }

    /// Plays slower.
    pub(super) const fn slower(&mut self) {
        self.speed_idx = self.speed_idx.saturating_sub(1);
    }

    /// Changes how far a step goes.
    pub(super) const fn set_stride(&mut self, stride: Stride) {
        self.stride = stride;
    }

    /// Returns the games that are shown, one or two.
    pub(super) fn sides(&self) -> &[Side<'a>] {
        &self.sides
    }

    /// Returns the game in focus.
    pub(super) fn focused(&self) -> &Side<'a> {
        &self.sides[self.focus]
    }

    /// Returns which game is in focus: 0 for the left one, or the only one.
    pub(super) const fn focus(&self) -> usize {
        self.focus
    }

    /// Returns how far a step goes.
    pub(super) const fn stride(&self) -> Stride {
        self.stride
    }

    /// Returns the steps per second.
    pub(super) const fn speed(&self) -> u32 {
        SPEEDS[self.speed_idx]
    }

    /// Returns what a pair is kept in step by.
    pub(super) fn in_step(&self) -> Option<InStep> {
        (self.sides.len() == 2).then_some(self.in_step)
    }

    /// Returns whether it plays.
    pub(super) const fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Returns the moment and the last one.
    pub(super) const fn progress(&self) -> (usize, usize) {
        (self.at, self.timeline.end())
    }

    const fn has_ended(&self) -> bool {
        self.at == self.timeline.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    const BOARD: &str = "#######\n#     #\n#@$ . #\n#######";

    fn replay_of<'a>(level: &'a Level, moves: &[&str]) -> Replay<'a> {
        let mut sides = moves.iter().enumerate().map(|(recording_idx, moves)| Side {
            title: String::new(),
            recording_idx,
            playback: MoveHistory::of(level, &moves.parse().unwrap()),
        });
        let left = sides.next().unwrap();
        Replay::new(left, sides.next())
    }

    fn ats(replay: &Replay<'_>) -> Vec<usize> {
        replay.sides().iter().map(|side| side.playback.at()).collect()
    }

    #[test]
    fn steps_are_moves_pushes_or_box_lines() {
        let level: Level = "########\n#      #\n#@$    #\n#    . #\n########".parse().unwrap();
        let mut replay = replay_of(&level, &["udRRlrRurrdldlDu"]);
        let mut walk = |stride: Stride, way: Way| {
            replay.set_stride(stride);
            match way {
                Way::Forward => replay.go_to_start(),
                Way::Back => replay.go_to_end(),
            }
            let mut seen = vec![replay.at];
            for _ in 0..20 {
                replay.step(way);
                if seen.last() == Some(&replay.at) {
                    break;
                }
                seen.push(replay.at);
            }
            seen
        };
        let n = walk(Stride::Moves, Way::Forward).len() - 1;
        let pushes = walk(Stride::Pushes, Way::Forward);
        assert_eq!(pushes[..4], [0, 3, 4, 7]);
        assert_eq!(*pushes.last().unwrap(), n, "the walk at the end is a step");
        let mut back = walk(Stride::Pushes, Way::Back);
        back.reverse();
        assert_eq!(back, pushes);
        assert_eq!(walk(Stride::BoxLines, Way::Forward)[..2], [0, 7]);
        assert_eq!(walk(Stride::Moves, Way::Back).len(), n + 1);
    }

    #[test]
    fn time_makes_steps_and_the_end_stops() {
        let level: Level = BOARD.parse().unwrap();
        let mut replay = replay_of(&level, &["udRR"]);
        assert!(!replay.pass(Duration::from_secs(9)));
        replay.play_or_pause();
        assert!(!replay.pass(Duration::from_millis(100)) && replay.pass(Duration::from_millis(100)));
        assert_eq!((replay.at, replay.is_playing()), (1, true));
        assert!(replay.pass(Duration::from_secs(3600)));
        assert_eq!((replay.at, replay.is_playing()), (4, false));
        replay.play_or_pause();
        assert_eq!((replay.at, replay.is_playing()), (0, true));
    }

    #[test]
    fn jumps_go_to_the_end_of_a_push() {
        let level: Level = BOARD.parse().unwrap();
        let mut replay = replay_of(&level, &["udRlrR"]);
        replay.set_stride(Stride::Pushes);
        let mut jump = |n| {
            replay.jump(n);
            replay.at
        };
        assert_eq!([0, 1, 2, 99].map(&mut jump), [0, 3, 6, 6]);
    }

    #[test]
    fn a_pair_goes_to_both_ends_and_back() {
        let level: Level = BOARD.parse().unwrap();
        let mut replay = replay_of(&level, &["RR", "udududRR"]);
        for stride in [Stride::Moves, Stride::Pushes, Stride::BoxLines] {
            for in_step in [InStep::Pushes, InStep::Placed, InStep::Moves] {
                replay.set_stride(stride);
                replay.keep_in_step(in_step);
                (0..20).for_each(|_| replay.step(Way::Forward));
                assert_eq!(ats(&replay), [2, 8], "{stride:?} {in_step:?}");
                (0..20).for_each(|_| replay.step(Way::Back));
                assert_eq!(ats(&replay), [0, 0], "{stride:?} {in_step:?}");
            }
        }
        replay.keep_in_step(InStep::Pushes);
        replay.set_stride(Stride::Pushes);
        replay.jump(1);
        assert_eq!(replay.sides()[0].playback.metrics().pushes, 1);
        assert_eq!(ats(&replay), [1, 1]);
        replay.focus_other();
        replay.set_stride(Stride::Moves);
        replay.jump(3);
        assert_eq!(ats(&replay)[1], 3, "moves of the right one");
        replay.step(Way::Forward);
        assert_eq!(ats(&replay)[1], 4);
        replay.keep_in_step(InStep::Moves);
        assert_eq!(ats(&replay), [2, 4], "the one in focus stays");
    }
}
