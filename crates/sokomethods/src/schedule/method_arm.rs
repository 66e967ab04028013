//! An arm that runs a whole method, slice by slice, and keeps its place between slices.
//!
//! A method that lists its pieces is run piece by piece. Pieces that brought nothing are remembered by their content,
//! so after a gain only those are done again that it has changed. One that is cut off by the end of its slice is done
//! again with a longer slice; so is a method that only runs as a whole.

use std::collections::VecDeque;

use sokosearch::{Context, LiveIndex, Spine, Stop};

use super::arm::Slice;
use crate::fingerprints::{Fingerprints, fingerprint, mix};
use crate::{Knobs, Method, Piece, Spec};

/// Ticks of a first slice.
const FIRST_SLICE: u64 = 2_000_000;
/// How much longer the next slice is after one that was too short.
const GROWTH: u64 = 4;

/// A method, how long it takes, and what is left to do.
#[derive(Debug)]
pub(crate) struct MethodArm {
    name: &'static str,
    method: Box<dyn Method>,
    slice: u64,
    is_done: bool,
    /// The solution that the pieces belong to.
    laid_out: Option<u64>,
    todo: VecDeque<Piece>,
    /// Fingerprints of pieces that brought nothing.
    vain: Fingerprints,
}

impl MethodArm {
    pub(crate) fn new(spec: &Spec, knobs: &Knobs) -> Self {
        Self {
            name: spec.name,
            method: (spec.build)(knobs),
            slice: FIRST_SLICE,
            is_done: false,
            laid_out: None,
            todo: VecDeque::new(),
            vain: Fingerprints::default(),
        }
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
        let start = cx.ticks();
        let Some(laid_out) = cx.sliced(self.slice, |cx| self.lay_out(cx))? else { return Ok(self.cut_short()) };
        let Some(spine) = laid_out else { return self.run_whole(cx) };
        while let Some(piece) = self.todo.pop_front() {
            let content = content(&spine, &piece);
            if self.vain.contains(content) {
                continue;
            }
            let spent = cx.ticks() - start;
            match cx.sliced(self.slice.saturating_sub(spent), |cx| self.method.run_piece(&piece, cx)) {
                Ok(Some(true)) => return Ok(Slice::Finished),
                Ok(Some(false)) => {
                    self.vain.insert(content, cx.budget().memory());
                }
                Ok(None) => {
                    self.todo.push_front(piece);
                    return Ok(if spent > self.slice / 2 { Slice::CutShort } else { self.cut_short() });
                }
                // The others may be smaller.
                Err(Stop::Memory) => cx.note_short_of_memory(),
                Err(stop) => return Err(stop),
            }
        }
        self.is_done = true;
        Ok(Slice::Finished)
    }

    /// Lists the pieces of the incumbent, unless they are those at hand. `None` if there are none.
    fn lay_out(&mut self, cx: &mut Context<'_>) -> Result<Option<Spine>, Stop> {
        let spine = Spine::new(cx.level(), &LiveIndex::new(cx.level()), &cx.incumbent(), cx.budget().memory())?;
        let whole = fingerprint(&spine, 0, spine.end(), 0);
        if self.laid_out != Some(whole) || self.todo.is_empty() {
            self.todo = self.method.pieces(cx)?.into();
            self.laid_out = Some(whole);
        }
        Ok((!self.todo.is_empty()).then_some(spine))
    }

    fn run_whole(&mut self, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        match cx.sliced(self.slice, |cx| self.method.run(cx))? {
            Some(improved) => {
                self.is_done = !improved;
                Ok(Slice::Finished)
            }
            None => Ok(self.cut_short()),
        }
    }

    /// The next slice will be longer.
    const fn cut_short(&mut self) -> Slice {
        self.slice = self.slice.saturating_mul(GROWTH);
        Slice::CutShort
    }
}

fn content(spine: &Spine, piece: &Piece) -> u64 {
    let end = piece.pushes.end.min(spine.end());
    fingerprint(spine, piece.pushes.start.min(end), end, mix(piece.kind as u64, 1))
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

    use super::*;

    /// Three pieces, the second of which takes more than a first slice; notes what is done.
    #[derive(Debug, Default)]
    struct ThreePieces(std::sync::Arc<Mutex<Vec<usize>>>);

    impl Method for ThreePieces {
        fn run(&self, _: &mut Context<'_>) -> Result<bool, Stop> {
            panic!("it has pieces")
        }

        fn pieces(&self, _: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
            Ok((0..3).map(|kind| Piece { pushes: 0..1, kind }).collect())
        }

        fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
            self.0.lock().push(piece.kind);
            cx.tick_by(if piece.kind == 1 { 2 * FIRST_SLICE } else { 10 })?;
            Ok(false)
        }
    }

    #[test]
    fn an_arm_goes_on_where_it_was_and_does_nothing_twice() {
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        let solution = replay(&level, &"RR".parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let done = std::sync::Arc::<Mutex<Vec<usize>>>::default();
        let method = Box::new(ThreePieces(std::sync::Arc::clone(&done)));
        let mut arm = MethodArm { method, ..MethodArm::new(&crate::METHODS[0], &Knobs::default()) };
        assert_eq!(arm.run_slice(&mut cx), Ok(Slice::CutShort));
        assert_eq!(std::mem::take(&mut *done.lock()), [0, 1]);
        assert!(!arm.is_done());
        assert_eq!(arm.run_slice(&mut cx), Ok(Slice::Finished));
        assert_eq!(std::mem::take(&mut *done.lock()), [1, 2]);
        assert!(arm.is_done());
        arm.revive();
        assert_eq!(arm.run_slice(&mut cx), Ok(Slice::Finished));
        assert!(done.lock().is_empty(), "the pieces are the same");
    }
}
