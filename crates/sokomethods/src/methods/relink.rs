//! Relinking: the best path through the configurations of several solutions.
//!
//! ```text
//!   spine   o──o──o──o──o──o──o      a shared configuration (or one that a single displaced box makes shared)
//!                 │     │            is where a path can change from one solution to another;
//!   other      o──o──o──o──o         the search finds the best of all such paths
//! ```
//!
//! Solutions of one lineage share most of their states, so relinking them gains little. It gains by diversity:
//! solutions by other objectives, of other authors, or mirror images.

use sokocore::Solution;
use sokosearch::{
    Charge, ConfigSet, Context, Engine, Inserted, LiveIndex, Order, RingOrder, Rings, SearchWindow, Spine, Stop,
    search_by_objective,
};

use crate::board_image::BoardImage;
use crate::next_start::next_start;
use crate::{Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "relink",
    about: "best path through the configurations of several solutions, and of their mirror images",
    build: |knobs| Box::new(Relink::new(Vec::new(), knobs.relink_ring, knobs.engine)),
};

/// One search through the configurations of the incumbent, of other solutions, and of the images of all of them.
#[derive(Clone, Debug)]
pub struct Relink {
    others: Vec<Solution>,
    ring: usize,
    engine: Engine,
}

impl Relink {
    /// Relinks the incumbent with these solutions of the same level, with one box moved to each of its `ring` nearest
    /// squares around every configuration. With nothing to relink a run does nothing.
    #[must_use]
    pub const fn new(others: Vec<Solution>, ring: usize, engine: Engine) -> Self {
        Self { others, ring, engine }
    }
}

impl Method for Relink {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working("relink", "generating");
        cx.poll()?;
        let better = self.others.iter().fold(false, |better, other| better | cx.found(other.lurd()));
        let incumbent = cx.incumbent();
        let images = BoardImage::all(cx.level().board());
        let others: Vec<&Solution> = self.others.iter().filter(|other| other.lurd() != incumbent.lurd()).collect();
        if images.is_empty() && others.is_empty() {
            return Ok(better);
        }
        let live = LiveIndex::new(cx.level());
        let account = cx.budget().memory().clone();
        let spine = Spine::new(cx.level(), &live, &incumbent, &account)?;
        let mut union = ConfigUnion {
            live: &live,
            set: ConfigSet::new(&live, self.engine, cx)?,
            centers: Vec::new(),
            charge: account.nothing(),
        };
        union.add_states(&spine, cx)?;
        match union.add_all(&others, &images, self.ring, cx) {
            // The configurations that fit are searched.
            Ok(()) | Err(Stop::Memory) => {}
            Err(stop) => return Err(stop),
        }
        self.search(spine, &live, &mut union, cx)?;
        Ok(better || cx.has_improved_on(&incumbent.metrics()))
    }
}

impl Relink {
    /// Searches the whole solution at once, or a long one in overlapping windows.
    fn search(
        &self,
        mut spine: Spine,
        live: &LiveIndex,
        union: &mut ConfigUnion<'_>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        cx.working(SPEC.name, "searching");
        let (order, directions) = (Order::of(&cx.objective()), RingOrder::ALL[0].directions());
        let mut from = 0;
        loop {
            let to = if spine.end() <= MAX_WHOLE { spine.end() } else { spine.end().min(from + WINDOW) };
            let search_window = SearchWindow { live, spine: &spine, from, to, order, directions, engine: self.engine };
            let before = cx.incumbent().metrics();
            search_by_objective(search_window, union.set.store(), cx)?;
            if to == spine.end() {
                return Ok(());
            }
            let n_left = spine.end() - to;
            if cx.has_improved_on(&before) {
                spine = Spine::new(cx.level(), live, &cx.incumbent(), cx.budget().memory())?;
                union.add_states(&spine, cx)?;
            }
            // The window ends in the same state, after another number of pushes.
            let to = spine.end().saturating_sub(n_left);
            if from < to {
                from = next_start(cx.level().board(), spine.pushes(), from..to);
            }
            if from >= spine.end() {
                return Ok(());
            }
        }
    }
}

/// Most pushes of a solution that is searched as a whole.
const MAX_WHOLE: usize = 600;
/// Pushes in a window of a longer solution.
const WINDOW: usize = 400;

/// The configurations of several solutions, and those near them.
struct ConfigUnion<'a> {
    live: &'a LiveIndex,
    set: ConfigSet<'a>,
    /// The configurations of the solutions and their images, each once.
    centers: Vec<Box<[u64]>>,
    charge: Charge,
}

impl ConfigUnion<'_> {
    /// Adds the configurations of all solutions, then their images, then the rings.
    fn add_all(
        &mut self,
        others: &[&Solution],
        images: &[BoardImage],
        ring: usize,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let account = cx.budget().memory().clone();
        for other in others {
            self.add_states(&Spine::new(cx.level(), self.live, other, &account)?, cx)?;
        }
        let n_originals = self.centers.len();
        for image in images {
            for at in 0..n_originals {
                if let Some(key) = self.image_of(&self.centers[at], image) {
                    self.add_center(&key, cx)?;
                }
            }
        }
        if ring > 0 {
            let mut rings = Rings::new(self.live, RingOrder::ALL[0], ring, &account);
            for center in &self.centers {
                self.set.add_ring(center, &mut rings, ring, cx)?;
            }
        }
        Ok(())
    }

    fn add_states(&mut self, spine: &Spine, cx: &mut Context<'_>) -> Result<(), Stop> {
        spine.states().iter().try_for_each(|state| self.add_center(&state.key, cx))
    }

    fn add_center(&mut self, key: &[u64], cx: &mut Context<'_>) -> Result<(), Stop> {
        if self.set.add(key, cx)? == Inserted::New {
            self.charge.add((size_of::<Box<[u64]>>() + size_of_val(key)) as u64)?;
            self.centers.push(key.into());
        }
        Ok(())
    }

    /// The image of a configuration, unless it has a box on a dead square: live squares are those that the boxes of the
    /// start can reach.
    fn image_of(&self, key: &[u64], image: &BoardImage) -> Option<Vec<u64>> {
        let mut mapped = vec![0; key.len()];
        for bit in LiveIndex::bits_of(key) {
            let bit = self.live.bit(image.square(self.live.square(bit)))?;
            mapped[bit / 64] |= 1 << (bit % 64);
        }
        Some(mapped)
    }
}
