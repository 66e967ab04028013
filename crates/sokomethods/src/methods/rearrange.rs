//! Rearrangement: promotes later pushes of a box, or puts off earlier ones, where that gains.
//!
//! ```text
//!   A  x x b x b S S y        promote the chain bb ...          A  b b x x x S S y
//!      ^ here    |            ... and take followers along      A  b b S S x x x y
//!                | chain end
//!   A  b b x b x x y          put the box off                   A  x x x b b b y
//! ```
//!
//! The *quick* form tries only ends of box sessions, with the next pushes of the same box. The *full* form tries
//! every place and every box, with followers of any length, and chains to be put off: this includes moving any
//! session, or any run of sessions, forward or backward in time.
//!
//! Two things make solutions of thousands of pushes affordable. A candidate is priced by its few new joints before
//! anything is played ([`Scan`]). The full form runs in rounds, long walks and near pushes first, so that a run stopped
//! early has done the best part.
//!
//! Invariant: the multiset of pushes never changes; loops that arise are cut when the order is offered.

mod scan;

use std::ops::Range;

use sokosearch::{Context, Stop};

use crate::method::n_pushes;
use crate::push_order::PushOrder;
use crate::{Method, Piece, Spec};
use scan::{BoxFilter, Scan};

pub(crate) const SPEC: Spec = Spec {
    name: "rearrange",
    about: "brings later pushes of a box forward to follow its earlier ones",
    build: |knobs| Box::new(Rearrange::new(knobs.rearrange_ahead)),
};

pub(crate) const FULL: Spec = Spec {
    name: "rearrange full",
    about: "moves pushes of any box forward or backward in time, alone, in chains and with their followers",
    build: |knobs| Box::new(Rearrange::full(knobs.rearrange_ahead)),
};

/// One run of rearrangement over the whole solution.
#[derive(Clone, Copy, Debug)]
pub struct Rearrange {
    ahead: usize,
    boxes: BoxFilter,
}

/// One sweep: tries pushes after walks of at least `min_walk` steps, up to `ahead` pushes ahead.
#[derive(Clone, Copy)]
struct Round {
    min_walk: u32,
    ahead: usize,
}

impl Rearrange {
    /// Makes a quick run that tries pushes up to `ahead` pushes ahead.
    #[must_use]
    pub const fn new(ahead: usize) -> Self {
        Self { ahead, boxes: BoxFilter::SameBox }
    }

    /// Makes a full run that tries pushes up to `ahead` pushes ahead.
    #[must_use]
    pub const fn full(ahead: usize) -> Self {
        Self { ahead, boxes: BoxFilter::AllBoxes }
    }

    const fn name(self) -> &'static str {
        match self.boxes {
            BoxFilter::SameBox => SPEC.name,
            BoxFilter::AllBoxes => FULL.name,
        }
    }

    /// Sweeps over some places of the solution, in one round after the other.
    fn sweeps(self, rounds: &[Round], places: Range<usize>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working(self.name(), "promoting pushes");
        let mut order = PushOrder::new(cx)?;
        let mut scan = Scan::new(&order, self.boxes);
        let mut improved = false;
        for (number, &round) in rounds.iter().enumerate() {
            let share = |of: f64| (number as f64 + of) / rounds.len() as f64;
            let end = sweep(&mut order, &mut scan, round, places.clone(), share, cx);
            order.offer(end, &mut improved, cx)?;
        }
        Ok(improved)
    }

    /// The rounds, cheap and promising ones first.
    fn rounds(self) -> Vec<Round> {
        let all = Round { min_walk: 0, ahead: self.ahead };
        match self.boxes {
            BoxFilter::SameBox => vec![all],
            BoxFilter::AllBoxes => {
                let near = NEAR.into_iter().filter(|&near| near < self.ahead);
                let rounds = |ahead| [LONG_WALK, 1].map(|min_walk| Round { min_walk, ahead });
                near.chain([self.ahead]).flat_map(rounds).chain([all]).collect()
            }
        }
    }
}

/// Pushes ahead in the first rounds. On eight levels of 424 to 2,241 pushes the first window saved 68 % of what the
/// last one (400) saved, the second 97 % (2026-11).
const NEAR: [usize; 2] = [48, 150];
/// Least length of walks that are tried first.
const LONG_WALK: u32 = 8;
/// Pushes that a piece looks at for each push of the solution, which is laid out for each piece.
const BLOCK_WORK: usize = 16;
/// Fewest places of a piece.
const SHORTEST_BLOCK: usize = 32;

impl Method for Rearrange {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.sweeps(&self.rounds(), 0..usize::MAX, cx)
    }

    /// Blocks of places, all of one round before those of the next.
    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let n_pushes = n_pushes(cx);
        let pieces_of = |(kind, round): (usize, Round)| Piece::blocks(round.block(n_pushes), round.ahead, kind, cx);
        Ok(self.rounds().into_iter().enumerate().flat_map(pieces_of).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let Some(&round) = self.rounds().get(piece.kind) else { return Ok(false) };
        let start = piece.pushes.start;
        self.sweeps(&[round], start..start + round.block(n_pushes(cx)), cx)
    }
}

impl Round {
    /// Places of a piece: enough to take far longer than to lay the solution out.
    fn block(self, n_pushes: usize) -> usize {
        (BLOCK_WORK * n_pushes / self.ahead.max(1)).max(SHORTEST_BLOCK)
    }
}

/// Tries each of these places of the solution once, and a place that gains again.
fn sweep(
    order: &mut PushOrder<'_>,
    scan: &mut Scan,
    round: Round,
    places: Range<usize>,
    share: impl Fn(f64) -> f64,
    cx: &mut Context<'_>,
) -> Result<(), Stop> {
    order.seek(places.start.min(order.links().len()));
    for at in places.start..places.end.min(order.links().len()) {
        cx.tick()?;
        if at % 64 == 0 {
            cx.advanced(share(at as f64 / order.links().len() as f64));
        }
        order.seek(at);
        while order.links()[at].walk >= round.min_walk && scan.improve(order, at, round.ahead, cx)? {}
    }
    Ok(())
}
