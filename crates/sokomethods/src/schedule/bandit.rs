//! The step of the bandit: the arm with the best gain per tick runs for a slice, and is rewarded for its gain.

use sokosearch::{Context, Stop};
use tracing::debug;

use super::announce::announced;
use super::arm::{Arm, ArmSliceEnd};
use super::arm_context::ArmContext;
use super::worth::PriorGain;
use crate::{Knobs, Method, Rearrange, Technique, TechniqueSet};

/// Runs a slice of the best arm. Returns false if every arm is retired or blocked.
pub(crate) fn run_best(arms: &mut [Arm], arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
    let ready = arms.iter_mut().filter(|arm| !arm.is_retired() && !arm.is_blocked(arm_cx.locks));
    let prior_gain = PriorGain::on(cx);
    let Some(arm) = ready.max_by(|one, other| one.compare_worth(other, prior_gain)) else { return Ok(false) };
    if run_arm(arm, arm_cx, cx)? {
        arms.iter_mut().for_each(Arm::revive);
    }
    Ok(true)
}

/// Runs a slice of an arm, and a quick rearrangement after a gain. Returns whether it gained.
pub(crate) fn run_arm(arm: &mut Arm, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<bool, Stop> {
    // A slice may do no work at all: count one tick, and poll the limits.
    cx.tick()?;
    cx.poll()?;
    let (before, start) = (cx.objective().score(&cx.incumbent().metrics()), cx.ticks());
    let end = match arm.run_slice(arm_cx, cx) {
        Err(Stop::Memory) => {
            cx.note_short_of_memory();
            ArmSliceEnd::Hopeless
        }
        end => end?,
    };
    let improved = cx.objective().score(&cx.incumbent().metrics()) < before;
    if improved {
        let rearrange = Rearrange::new(arm_cx.knobs.rearrange_ahead);
        run_technique(Technique::Rearrange, &rearrange, arm_cx.knobs, cx)?;
    } else if end == ArmSliceEnd::Hopeless {
        arm.give_up();
    }
    let metrics = cx.incumbent().metrics();
    let gain = before.gain_of(cx.objective().score(&metrics));
    arm.reward(gain, cx.ticks() - start, metrics.pushes);
    if end != ArmSliceEnd::Skipped {
        debug!(arm = arm.name(), ?end, gain, ticks = cx.ticks() - start, "slice");
    }
    Ok(improved)
}

/// Runs a method once, unless its technique is off. One that runs out of memory gains nothing; the run continues with
/// the others.
pub(crate) fn run_technique(
    technique: Technique,
    method: &dyn Method,
    knobs: &Knobs,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    if !knobs.techniques.contains(technique) {
        return Ok(false);
    }
    match announced(TechniqueSet::EMPTY.with(technique), cx, |cx| method.run(cx)) {
        Err(Stop::Memory) => {
            cx.note_short_of_memory();
            Ok(false)
        }
        result => result,
    }
}
