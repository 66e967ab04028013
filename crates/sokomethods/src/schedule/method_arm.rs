//! An arm that runs a whole method, slice by slice, and keeps its place between slices.
//!
//! A method that lists its pieces is run piece by piece. Pieces that brought nothing are remembered by their content,
//! so after a gain only those are done again that it has changed. One that is cut off by the end of its slice is done
//! again with a longer slice; so is a method that only runs as a whole.

use std::collections::VecDeque;

use sokosearch::{Context, LiveIndex, Spine, Stop};

use super::arm::Slice;
use super::field::Field;
use super::windows_in_hand::{InHand, Window};
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
    pub(crate) fn run_slice(&mut self, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        let start = cx.ticks();
        let Some(spine) = cx.sliced(self.slice, |cx| self.lay_out(cx))? else { return Ok(self.cut_short()) };
        if self.todo.is_empty() {
            let whole = self.window(&spine, &Piece { pushes: 0..spine.end(), kind: 0 }, cx);
            drop(spine);
            return self.run_whole(whole, field, cx);
        }
        while let Some((piece, hand)) = self.next_piece(&spine, field, cx) {
            let spent = cx.ticks() - start;
            match cx.sliced(self.slice.saturating_sub(spent), |cx| self.method.run_piece(&piece, cx)) {
                Ok(Some(true)) => return Ok(Slice::Finished),
                Ok(Some(false)) => {
                    self.vain.insert(hand.content(), cx.budget().memory());
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
        self.is_done = self.todo.is_empty();
        Ok(if self.is_done { Slice::Finished } else { Slice::Taken })
    }

    /// Lists the pieces of the incumbent, unless they are those at hand.
    fn lay_out(&mut self, cx: &mut Context<'_>) -> Result<Spine, Stop> {
        let spine = Spine::new(cx.level(), &LiveIndex::new(cx.level()), &cx.incumbent(), cx.budget().memory())?;
        let whole = fingerprint(&spine, 0, spine.end(), 0);
        if self.laid_out != Some(whole) || self.todo.is_empty() {
            self.todo = self.method.pieces(cx)?.into();
            self.laid_out = Some(whole);
        }
        Ok(spine)
    }

    /// Takes the first piece that may bring something and that no other thread is at; it is not left to do then.
    fn next_piece<'f>(&mut self, spine: &Spine, field: Field<'f>, cx: &Context<'_>) -> Option<(Piece, InHand<'f>)> {
        let mut at = 0;
        while let Some(piece) = self.todo.get(at) {
            let window = self.window(spine, piece, cx);
            if self.vain.contains(window.content) {
                self.todo.remove(at);
            } else if let Some(hand) = field.in_hand.take(window) {
                return self.todo.remove(at).zip(Some(hand));
            } else {
                at += 1;
            }
        }
        None
    }

    fn run_whole(&mut self, whole: Window, field: Field<'_>, cx: &mut Context<'_>) -> Result<Slice, Stop> {
        let Some(_hand) = field.in_hand.take(whole) else { return Ok(Slice::Taken) };
        match cx.sliced(self.slice, |cx| self.method.run(cx))? {
            Some(improved) => {
                self.is_done = !improved;
                Ok(Slice::Finished)
            }
            None => Ok(self.cut_short()),
        }
    }

    /// The window that a piece is about, in the way of the method. Pieces of one kind are told apart by their content.
    fn window(&self, spine: &Spine, piece: &Piece, cx: &Context<'_>) -> Window {
        let end = piece.pushes.end.min(spine.end());
        let pushes = piece.pushes.start.min(end)..end;
        let content = fingerprint(spine, pushes.start, pushes.end, mix(piece.kind as u64, 1));
        let way = self.name.bytes().fold(piece.kind as u64, |way, letter| mix(way, u64::from(letter)));
        Window { way: (way, cx.objective()), solution: self.laid_out.unwrap_or(0), content, pushes }
    }

    /// The next slice will be longer.
    const fn cut_short(&mut self) -> Slice {
        self.slice = self.slice.saturating_mul(GROWTH);
        Slice::CutShort
    }
}

#[cfg(test)]
mod tests;
