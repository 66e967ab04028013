//! Pause, resume, stop: what may be asked of a night in progress.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use sokosearch::{Cancel, Clock};

/// A handle on a night, for other threads. All copies are of one night.
///
/// A pause ends the running slices at a checkpoint, within some 50 milliseconds, and no slice begins before the night is
/// resumed. A night that lasts a number of hours does not count those of its pauses.
///
/// ```
/// use sokonight::NightControl;
///
/// let control = NightControl::default();
/// control.pause();
/// assert!(control.is_paused());
/// control.resume();
/// control.stop();
/// assert!(control.is_stopped() && !control.is_paused());
/// ```
#[derive(Clone, Debug, Default)]
pub struct NightControl(Arc<Mutex<ControlState>>);

#[derive(Debug, Default)]
struct ControlState {
    /// Raised to end the running slices; another one for those after a pause.
    slices: Cancel,
    /// Since when it is paused.
    pause: Option<Clock>,
    /// How long the pauses took that have ended.
    paused: Duration,
    is_stopped: bool,
}

impl NightControl {
    /// Ends the running slices; none begins before [`NightControl::resume`].
    pub fn pause(&self) {
        let mut state = self.0.lock();
        state.pause.get_or_insert_with(Clock::start);
        state.slices.cancel();
    }

    /// Ends a pause. Does nothing without one.
    pub fn resume(&self) {
        let mut state = self.0.lock();
        let Some(pause) = state.pause.take() else { return };
        state.paused += pause.elapsed();
        if !state.is_stopped {
            state.slices = Cancel::default();
        }
    }

    /// Ends the night, for good.
    pub fn stop(&self) {
        let mut state = self.0.lock();
        state.is_stopped = true;
        state.slices.cancel();
    }

    /// Returns whether it is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.0.lock().pause.is_some()
    }

    /// Returns whether it was told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.lock().is_stopped
    }

    /// Returns the time of all pauses so far.
    #[must_use]
    pub fn paused(&self) -> Duration {
        let state = self.0.lock();
        state.paused + state.pause.map_or(Duration::ZERO, |pause| pause.elapsed())
    }

    /// Returns the flag of a slice that begins now.
    #[must_use]
    pub fn of_slice(&self) -> Cancel {
        self.0.lock().slices.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_the_slices_before_it_alone() {
        let control = NightControl::default();
        let before = control.of_slice();
        control.pause();
        control.pause();
        let meanwhile = control.of_slice();
        assert!(before.is_cancelled() && meanwhile.is_cancelled() && control.is_paused());
        control.resume();
        let after = control.of_slice();
        assert!(before.is_cancelled() && !after.is_cancelled() && !control.is_paused());
        let paused = control.paused();
        assert!(paused > Duration::ZERO && control.paused() == paused);
    }

    #[test]
    fn a_stop_outlives_a_pause() {
        let control = NightControl::default();
        control.pause();
        control.clone().stop();
        control.resume();
        assert!(control.is_stopped() && control.of_slice().is_cancelled());
    }
}
