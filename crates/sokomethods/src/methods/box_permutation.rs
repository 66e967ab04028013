//! Box permutation: windows of the solution in which few boxes are pushed, searched with these boxes free.
//!
//! ```text
//!   boxes pushed   a a b b a c c b d d a ...
//!   N = 3          └──── window ────┘           all other boxes are walls; the end state is fixed
//!                      └── next one ───┘
//! ```
//!
//! A window starts at a box session and extends while at most N different boxes are pushed. If it pushes fewer, the
//! boxes nearest to them are free as well: a box that the solution does not push may be the obstacle.
//!
//! The configurations of a window are generated best-first, by a lower bound on the pushes of a path through them
//! (see `discovery`), then searched exactly. If all of them fit into the slice, no better path through the window
//! exists (in the two metrics of the search); otherwise those with the largest bounds are missing. Windows with long
//! walks and many box changes are searched first.

mod discovery;
mod open_list;
mod push_bound;
pub(crate) mod window;

use std::ops::Range;

use sokosearch::{Context, Engine, LiveIndex, Order, RingOrder, SearchWindow, Spine, Stop, search_by_objective};

use crate::fingerprints::WindowSet;
use crate::{Method, Piece, Spec};
use discovery::Discovery;
use window::Window;

pub(crate) const SPEC: Spec = Spec {
    name: "box permutation",
    about: "exact search in windows of the solution with N free boxes, all others being walls",
    build: |knobs| {
        Box::new(BoxPermutationPasses { most: knobs.free_boxes, slice: knobs.window_slice, engine: knobs.engine })
    },
};

/// Windows with N free boxes: one of them, or all.
#[derive(Clone, Debug)]
pub struct BoxPermutation {
    n_free: usize,
    choice: WindowChoice,
    slice: u64,
    engine: Engine,
}

#[derive(Clone, Debug)]
enum WindowChoice {
    /// All windows that push up to so many boxes.
    Pushing(usize),
    /// The window of these pushes.
    Only(Range<usize>),
}

impl BoxPermutation {
    /// Makes a pass over all windows in which up to `n_pushed` boxes are pushed and `n_free` boxes are free, best
    /// potential first, each within `slice` ticks. With both numbers equal these are the windows of the YASO
    /// description.
    #[must_use]
    pub const fn all(n_pushed: usize, n_free: usize, slice: u64, engine: Engine) -> Self {
        Self { n_free, choice: WindowChoice::Pushing(n_pushed), slice, engine }
    }

    /// Makes a search in one window of the incumbent: `n_free` boxes are free, and all boxes that these pushes move.
    #[must_use]
    pub const fn within(pushes: Range<usize>, n_free: usize, slice: u64, engine: Engine) -> Self {
        Self { n_free, choice: WindowChoice::Only(pushes), slice, engine }
    }

    /// Lists the windows of the incumbent in which at most `n_pushed` boxes are pushed, best potential first.
    ///
    /// # Errors
    /// The states of the solution do not fit into the account.
    pub fn windows(n_pushed: usize, cx: &Context<'_>) -> Result<Vec<Window>, Stop> {
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        Ok(window::windows(cx.level(), &spine, n_pushed))
    }

    /// Searches one window within the slice. Returns whether the incumbent got better.
    fn search(
        &self,
        live: &LiveIndex,
        spine: &Spine,
        pushes: &Range<usize>,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        let before = cx.incumbent().metrics();
        // Half of the slice is for discovery; a search expands some four states of each configuration. Searches by the
        // objective itself take longer.
        let is_counted = Engine::counts(&cx.objective());
        let (slice, enough) = if is_counted { (self.slice, self.slice / 8) } else { (self.slice * 4, self.slice / 16) };
        let slice = cx.sliced(slice, |cx| {
            let mut discovery = Discovery::new(live, spine, pushes, (self.n_free, self.engine), cx)?;
            discovery.run(spine, enough, self.slice / 2, cx)?;
            let (from, to, order) = (pushes.start, pushes.end, Order::of(&cx.objective()));
            let directions = RingOrder::ALL[0].directions();
            let search_window = SearchWindow { live, spine, from, to, order, directions, engine: self.engine };
            search_by_objective(search_window, discovery.store(), cx)?;
            cx.poll()
        });
        match slice {
            Ok(_) | Err(Stop::Memory) => {}
            Err(stop) => return Err(stop),
        }
        Ok(cx.has_improved_on(&before))
    }

    /// Searches the one window, if the incumbent has these pushes.
    fn run_within(&self, pushes: &Range<usize>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        let pushes = pushes.start..pushes.end.min(spine.end());
        if pushes.is_empty() { Ok(false) } else { self.search(&live, &spine, &pushes, cx) }
    }

    /// Searches all windows, and all changed windows after every gain.
    fn run_all(&self, n_pushed: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let live = LiveIndex::new(cx.level());
        let account = cx.budget().memory();
        let (mut done, mut improved) = (WindowSet::default(), false);
        loop {
            let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
            let windows = window::windows(cx.level(), &spine, n_pushed);
            let mut gain = false;
            for window in windows {
                if done.insert(window.fingerprint(&spine), account) && self.search(&live, &spine, &window.pushes, cx)? {
                    gain = true;
                    break;
                }
            }
            if !gain {
                return Ok(improved);
            }
            improved = true;
        }
    }
}

impl Method for BoxPermutation {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.poll()?;
        cx.working(&format!("box permutation {}", self.n_free), "in windows");
        match &self.choice {
            WindowChoice::Pushing(n_pushed) => self.run_all(*n_pushed, cx),
            WindowChoice::Only(pushes) => self.run_within(pushes, cx),
        }
    }
}

/// All windows for N = 2, 3, ... boxes; from 4 on also those that push half as many.
#[derive(Clone, Copy, Debug)]
struct BoxPermutationPasses {
    most: usize,
    slice: u64,
    engine: Engine,
}

impl BoxPermutationPasses {
    /// The passes: how many boxes are pushed in their windows, and how many are free.
    fn passes(&self, n_boxes: usize) -> impl Iterator<Item = (usize, usize)> {
        let n_free = 2..=self.most.min(n_boxes.max(2));
        n_free
            .flat_map(|n_free| [(n_free, n_free), (n_free / 2, n_free)].into_iter().take(1 + usize::from(n_free >= 4)))
    }
}

impl Method for BoxPermutationPasses {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.passes(cx.level().n_boxes()).try_fold(false, |improved, (n_pushed, n_free)| {
            let pass = BoxPermutation::all(n_pushed, n_free, self.slice, self.engine);
            pass.run(cx).map(|gain| improved | gain)
        })
    }

    /// The windows of all passes; the kind is the number of free boxes.
    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let live = LiveIndex::new(cx.level());
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        let windows = |(n_pushed, n_free)| {
            let windows = window::windows(cx.level(), &spine, n_pushed).into_iter();
            windows.map(move |window| Piece { pushes: window.pushes, kind: n_free })
        };
        Ok(self.passes(cx.level().n_boxes()).flat_map(windows).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        BoxPermutation::within(piece.pushes.clone(), piece.kind, self.slice, self.engine).run(cx)
    }
}
