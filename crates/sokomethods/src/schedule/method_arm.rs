//! An arm that runs a whole method, slice by slice.

use sokosearch::{Context, Stop};

use super::arm::Slice;
use crate::{Knobs, Method, Spec};

/// Ticks of a first slice.
const FIRST_SLICE: u64 = 2_000_000;
/// How much longer the next slice is after one that was too short.
const GROWTH: u64 = 4;

/// A method, and how long it takes.
#[derive(Debug)]
pub(crate) struct MethodArm {
    name: &'static str,
    method: Box<dyn Method>,
    slice: u64,
    is_done: bool,
}

impl MethodArm {
    pub(crate) fn new(spec: &Spec, knobs: &Knobs) -> Self {
        Self { name: spec.name, method: (spec.build)(knobs), slice: FIRST_SLICE, is_done: false }
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }

    pub(crate) const fn revive(&mut self) {
        self.is_done = false;
    }

    /// Runs the method for one slice; one that ends without a gain is done until the spine changes.
    pub(crate) fn run_slice(&mut self, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        match cx.sliced(self.slice, |cx| self.method.run(cx))? {
            Some(improved) => {
                self.is_done = !improved;
                Ok(Slice::Finished)
            }
            None => {
                self.slice = self.slice.saturating_mul(GROWTH);
                Ok(Slice::CutShort)
            }
        }
    }
}
