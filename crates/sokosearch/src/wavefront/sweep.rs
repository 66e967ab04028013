//! The search itself: layers of equal cost, from the end of the stretch to its start.
//!
//! ```text
//!  Course: which cost comes next, joins, the limit            the same for any number of shards and threads
//!     │ phase
//!     ▼
//!  Hands ── Alone: one thread does the part of each shard in turn
//!        └─ Crew:  threads do the parts of theirs at the same time (see `crew`)
//! ```

use super::crew::with_crew;
use super::mail::Mail;
use super::shard::{Phase, Shard, Step, shards};
use super::terrain::Terrain;
use super::view::View;
use crate::join::{Join, Joins};
use crate::wavefront::Around;
use crate::{ConfigStore, Context, Cost, Order, Places, Stop, Stretch};

/// What carries out a phase.
pub(super) trait Hands<const K: usize, const W: usize> {
    /// Has every shard do its part.
    fn all(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop>;

    /// Visits every shard.
    fn visit(&mut self, look: impl FnMut(&mut Shard<K, W>));

    /// Shows all shards at once.
    fn show(&mut self, look: impl FnOnce(&[&Shard<K, W>]));

    /// Whether there are more hands for a layer of so many items.
    fn may_grow(&self, n_items: usize) -> bool;
}

/// How a course ended.
enum Ended {
    /// At the start of the stretch, or where nothing cheaper is left.
    Arrived,
    /// With a layer so large that more hands are wanted.
    Grown,
}

/// One thread for all shards.
struct Alone<'s, 'a, const K: usize, const W: usize> {
    shards: &'s mut [Shard<K, W>],
    terrain: &'s Terrain<'a, K, W>,
    mail: &'s Mail<K>,
    /// Of threads that may be taken for large layers.
    places: Option<&'s Places>,
}

impl<const K: usize, const W: usize> Hands<K, W> for Alone<'_, '_, K, W> {
    fn all(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.shards.iter_mut().try_for_each(|shard| shard.run(phase, (self.terrain, self.mail), cx))
    }

    fn visit(&mut self, look: impl FnMut(&mut Shard<K, W>)) {
        self.shards.iter_mut().for_each(look);
    }

    fn show(&mut self, look: impl FnOnce(&[&Shard<K, W>])) {
        look(&self.shards.iter().collect::<Vec<_>>());
    }

    fn may_grow(&self, n_items: usize) -> bool {
        self.places.is_some_and(|places| n_items >= places.least_items() && places.n_free() > 0)
    }
}

/// A search and all that it holds.
pub(super) struct Sweep<'a, const K: usize, const W: usize> {
    terrain: Terrain<'a, K, W>,
    mail: Mail<K>,
    shards: Vec<Shard<K, W>>,
    course: Course<'a>,
}

impl<'a, const K: usize, const W: usize> Sweep<'a, K, W> {
    pub(super) fn new(stretch: Stretch<'a>, around: Option<Around<'_>>, cx: &Context<'a>) -> Result<Self, Stop> {
        let n_shards = 1 + cx.places().map_or(0, Places::n_promised);
        let terrain = Terrain::new(stretch, around, n_shards, cx)?;
        let shards = shards(&terrain, cx)?;
        let mail = Mail::new(n_shards, cx.budget().memory());
        let course = Course::new(stretch, Joins::new(stretch, terrain.kept_end, cx.budget().memory())?);
        Ok(Self { terrain, mail, shards, course })
    }

    pub(super) fn n_states(&self) -> u64 {
        self.shards.iter().map(Shard::n_states).sum()
    }

    pub(super) fn n_configs(&self) -> usize {
        self.shards.iter().map(|shard| shard.reached.n_configs()).sum()
    }

    /// Returns the bytes of all that grows.
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum::<u64>() + self.mail.bytes()
    }

    pub(super) const fn joins(&self) -> &Joins<'a> {
        &self.course.joins
    }

    /// Searches, with as many threads as there are shards and free places once the layers are large.
    pub(super) fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Self { terrain, mail, shards, course } = self;
        let places = cx.places().filter(|_| shards.len() > 1);
        let mut alone = Alone { shards, terrain, mail, places };
        course.begin(&mut alone, cx)?;
        if let Ended::Arrived = course.follow(&mut alone, terrain, cx)? {
            return Ok(());
        }
        let loan = places.map(|places| places.lend(terrain.n_shards - 1));
        let n_helpers = loan.as_ref().map_or(0, |loan| loan.n());
        with_crew((shards, terrain, mail), n_helpers, cx, |crew, cx| course.follow(crew, terrain, cx))
            .map(|_: Ended| ())
    }

    /// Offers a join; if asked, the best of all ways from there.
    pub(super) fn offer(&mut self, join: (Join, bool), cx: &mut Context<'_>) {
        let shards: Vec<_> = self.shards.iter().collect();
        let view = View { terrain: &self.terrain, shards: &shards };
        self.course.joins.offer(join, &view, &view, cx);
    }

    /// Turns to a random one of the best ways from a join on; returns whether one could be read.
    pub(super) fn wander(&mut self, join: Join, seed: u64, cx: &mut Context<'_>) -> bool {
        let shards: Vec<_> = self.shards.iter().collect();
        let view = View { terrain: &self.terrain, shards: &shards };
        self.course.joins.wander((join, seed), &view, &view, cx)
    }
}

/// What is decided between the phases.
struct Course<'a> {
    stretch: Stretch<'a>,
    /// Number of a spine state, counted from the start of the stretch, with about the current cost to go.
    guess: usize,
    joins: Joins<'a>,
}

impl<'a> Course<'a> {
    fn new(stretch: Stretch<'a>, joins: Joins<'a>) -> Self {
        Self { stretch, guess: stretch.to - stretch.from, joins }
    }

    /// Enters the end of the stretch.
    fn begin<const K: usize, const W: usize>(
        &self,
        hands: &mut impl Hands<K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let cost = Cost::default();
        hands.all(Phase::Seed(Step { cost, guess: self.guess }), cx)?;
        hands.all(Phase::Receive, cx)
    }

    /// Goes through layer after layer.
    fn follow<const K: usize, const W: usize>(
        &mut self,
        hands: &mut impl Hands<K, W>,
        terrain: &Terrain<'a, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<Ended, Stop> {
        loop {
            let (mut cost, mut n_items): (Option<Cost>, usize) = (None, 0);
            hands.visit(|shard| {
                let next = shard.next_cost(terrain);
                cost = cost.into_iter().chain(next.map(|(cost, _)| cost)).min();
                n_items += next.map_or(0, |(_, n_items)| n_items);
            });
            let Some(cost) = cost else { return Ok(Ended::Arrived) };
            if hands.may_grow(n_items) {
                return Ok(Ended::Grown);
            }
            self.guess_state(cost);
            let mut met: Option<usize> = None;
            hands.visit(|shard| met = met.into_iter().chain(shard.begin(cost, terrain)).min());
            if met.is_some_and(|state| self.meet_spine(state, (hands, terrain), cost, cx)) {
                return Ok(Ended::Arrived);
            }
            hands.all(Phase::Enter(Step { cost, guess: self.guess }), cx)?;
            if terrain.n_shards > 1 {
                hands.all(Phase::Receive, cx)?;
            }
        }
    }

    /// Moves the guess to the first spine state with no more to go than this.
    fn guess_state(&mut self, cost: Cost) {
        let Stretch { spine, from, to, order, .. } = self.stretch;
        let total = order.cost(&spine.states()[to].metrics).primary;
        let to_go = |at: usize| total.saturating_sub(order.cost(&spine.states()[from + at].metrics).primary);
        while self.guess > 0 && to_go(self.guess) < cost.primary {
            self.guess -= 1;
        }
    }

    /// Compares the layer with the spine: of the spine states in one layer the first gains most. Returns whether that is
    /// the start of the stretch.
    fn meet_spine<const K: usize, const W: usize>(
        &mut self,
        state: usize,
        (hands, terrain): (&mut impl Hands<K, W>, &Terrain<'a, K, W>),
        cost: Cost,
        cx: &mut Context<'_>,
    ) -> bool {
        let Stretch { spine, from, to, order, .. } = self.stretch;
        let mut to_go = cost;
        if order == Order::MovesPushes {
            // Pushes are not counted on the way: they count as the spine's own.
            let old = order.cost(&spine.states()[to].metrics).minus(order.cost(&spine.states()[state].metrics));
            to_go.secondary = old.secondary;
        }
        if let Some(join) = self.joins.note(state, to_go) {
            hands.show(|shards| {
                let view = View { terrain, shards };
                self.joins.offer((join, false), &view, &view, cx);
            });
        }
        state == from
    }
}
