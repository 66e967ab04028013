//! The kernels of the engine: `cargo bench -p sokosearch`, in less than two minutes.
//!
//! Private parts are measured by the smallest public operation that consists of little else, so the benches survive a
//! rewrite of the engine. Levels are our own and the same on every machine.
//!
//! | bench | one item is | operation |
//! |---|---|---|
//! | `lookup_hash` | a configuration looked up, there or not | `find` in a store of so many MiB: beyond the caches it is memory latency |
//! | `lookup_tree` | a configuration looked up | `find` of all configurations of a small tube in the compact store |
//! | `insertion` | a configuration added | a `HashStore` filled from nothing, growing on the way |
//! | `flood_step` | a state | one box in an empty hall: the players of a configuration walk, layer by layer |
//! | `layer_step` | a state | twelve boxes, limits 20/10: floods, pulls, look-ups and membership tests |
//! | `membership` | a state | the same with three limits, where membership tests are most of the work |
//! | `generation` | a configuration kept | `Tube::around`, limits 10/5 |
//! | `backward_layer_step` | a state | the engine that generates, in a tube of limits 4/2 |
//! | `refinement` | a search | a hall with one push at the end: a short search, many equal paths |
//!
//! Searches are stopped by ticks before they end, so that no refinement is measured with them. One iteration takes some
//! milliseconds at most: on a busy machine a short one is sometimes not disturbed, so read the fastest.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sokocore::{Carving, Level, Lurd, Objective, PlantSpec, Solution, WEYL_STEP, mix64, plant, replay};
use sokosearch::{
    Boxes, Budget, Cancel, ConfigStore, Context, Engine, HashStore, LiveIndex, MemoryAccount, Neighborhood, Order,
    Pool, RingOrder, SearchWindow, Spine, StoreKind, TreeStore, Tube, TubeOptions, search, search_near,
};

/// MiB of slots: in the second cache, in the third, in memory.
const STORE_MIB: [u64; 3] = [1, 16, 256];
/// Look-ups in one iteration.
const N_LOOKUPS: u64 = 1 << 12;
/// Ticks after which a search is stopped.
const WORK: u64 = 2_000;
/// The last spine state that a tube is generated around, and the last one that is searched to.
const N_STATES: usize = 3;
const N_SEARCHED: usize = 60;

fn main() {
    divan::main();
}

/// The generator of Steele, Lea and Flood (2014): the number at a place of its stream.
fn random(place: u64) -> u64 {
    mix64(place.wrapping_add(1).wrapping_mul(WEYL_STEP))
}

/// The key with this number; never zero.
fn key(number: u64) -> [u64; 1] {
    [random(number) | 1 << 63]
}

/// A level and a solution that the benches improve.
struct Case {
    level: Level,
    start: Solution,
    objective: Objective,
    neighborhood: Neighborhood,
}

impl Case {
    fn new((level, moves): (Level, Lurd), limits: &[usize]) -> Self {
        let start = replay(&level, &moves).expect("the solution solves it");
        let neighborhood = Neighborhood { limits: limits.to_vec(), ring: RingOrder::ALL[0], boxes: Boxes::All };
        Self { level, start, objective: Objective::MOVES, neighborhood }
    }

    /// A hall of this size: the box is pushed from the left to the right, or only at the end, in the lower right corner.
    fn hall((width, height): (usize, usize), n_pushes: usize) -> Self {
        let wall = "#".repeat(width + 2);
        let empty = format!("#{}#\n", " ".repeat(width));
        let player = format!("#@{}#\n", " ".repeat(width - 1));
        let lane = format!("#{}${}.#\n", " ".repeat(width - n_pushes - 1), " ".repeat(n_pushes - 1));
        let board = format!("{wall}\n{player}{}{lane}{wall}\n", empty.repeat(height - 2));
        let walk = "d".repeat(height - 1) + &"r".repeat(width - n_pushes - 2);
        let moves = walk + &"R".repeat(n_pushes);
        Self::new((Level::parse(&board).expect("a level"), moves.parse().expect("moves")), &[])
    }

    /// Twelve boxes in a hall with pillars, and a roundabout solution.
    fn planted(limits: &[usize]) -> Self {
        let spec = PlantSpec {
            width: 24..=24,
            height: 18..=18,
            carving: Carving::Pillars(12),
            boxes: 12..=12,
            spare_goals: 0..=0,
            pulls: 400..=400,
            detours: 35,
        };
        let mut place = 0;
        let mut choose = |n: usize| {
            place += 1;
            usize::try_from(random(place) % n as u64).expect("a number below n")
        };
        Self::new((0..100).find_map(|_| plant(&spec, &mut choose)).expect("one of many tries succeeds"), limits)
    }

    /// Runs with a context that is stopped after so many ticks.
    fn with<T>(&self, work: Option<u64>, run: impl FnOnce(&LiveIndex, SearchWindow<'_>, &mut Context<'_>) -> T) -> T {
        let pool = Pool::new(&self.level, &self.start, &[self.objective]);
        let budget = Budget::new(None, MemoryAccount::new(4 << 30), Cancel::default()).with_work(work);
        let mut cx = Context::new(&pool, self.objective, &budget, &());
        let live = LiveIndex::new(&self.level);
        let spine = Spine::new(&self.level, &live, &self.start, budget.memory()).expect("there is room");
        let order = Order::of(&self.objective);
        let directions = self.neighborhood.ring.directions();
        let (to, engine) = (spine.end(), Engine::Fast);
        run(&live, SearchWindow { live: &live, spine: &spine, from: 0, to, order, directions, engine }, &mut cx)
    }

    /// Generates the tube of the first states.
    fn tube(&self, live: &LiveIndex, window: SearchWindow<'_>, cx: &mut Context<'_>) -> Tube {
        let options = TubeOptions { engine: window.engine, order: window.order, store: StoreKind::Hash };
        Tube::around(live, window.spine, 0..=N_STATES, &self.neighborhood, options, cx).expect("there is room")
    }

    /// Searches without generating a tube; returns the states expanded.
    fn search_near(&self, work: Option<u64>) -> u64 {
        self.with(work, |_, window, cx| {
            // Whether it was stopped does not matter here.
            let _ = black_box(search_near(window, &self.neighborhood, cx));
            cx.tally().n_states
        })
    }

    /// Benches a search that is stopped by its work; an item is a state.
    fn bench(&self, bencher: Bencher<'_, '_>) {
        let n_states = self.search_near(Some(WORK));
        bencher.counter(ItemsCount::new(n_states)).bench_local(|| self.search_near(Some(WORK)));
    }
}

/// Makes a store of about so many MiB of slots; returns it with the number of its configurations.
fn with_store(mib: u64, run: impl FnOnce(&HashStore, u64)) {
    let n_configs = (mib << 20) / 8 / 16 * 13 - 32;
    Case::hall((8, 8), 1).with(None, |_, _, cx| {
        let account = cx.budget().memory();
        let mut store = HashStore::with_room(1, n_configs, account, u64::MAX, 0).expect("there is room");
        for number in 0..n_configs {
            store.insert(&key(number), cx).expect("there is room");
        }
        run(&store, n_configs);
    });
}

/// Looks up configurations all over a store; of each two, one is there.
fn look_up(bencher: Bencher<'_, '_>, store: &HashStore, n_configs: u64) {
    let mut turn = 0;
    bencher.counter(ItemsCount::new(N_LOOKUPS)).bench_local(|| {
        turn += 1;
        let places = (0..N_LOOKUPS).map(|place| random(turn * N_LOOKUPS + place) % (2 * n_configs));
        places.filter(|&number| store.find(&key(number)).is_some()).count()
    });
}

#[divan::bench(args = STORE_MIB, sample_count = 40)]
fn lookup_hash(bencher: Bencher<'_, '_>, mib: u64) {
    with_store(mib, |store, n_configs| look_up(bencher, store, n_configs));
}

#[divan::bench(max_time = 4)]
fn lookup_tree(bencher: Bencher<'_, '_>) {
    let case = Case::planted(&[2, 4]);
    case.with(None, |live, window, cx| {
        let store = case.tube(live, window, cx).store;
        let keys: Vec<Vec<u64>> = store.ids().map(|id| store.key(id).to_vec()).collect();
        let room = TreeStore::room_for(&store, live.n_live(), cx.budget().memory()).expect("there is room");
        let tree = TreeStore::new(store, live.n_live(), room, cx).expect("nothing stops it");
        bencher
            .counter(ItemsCount::new(keys.len()))
            .bench_local(|| keys.iter().filter(|key| tree.find(key).is_some()).count());
    });
}

#[divan::bench(args = [10_000, 50_000], max_time = 4)]
fn insertion(bencher: Bencher<'_, '_>, n: u64) {
    Case::hall((8, 8), 1).with(None, |_, _, cx| {
        let account = cx.budget().memory();
        bencher.counter(ItemsCount::new(n)).bench_local(|| {
            let mut store = HashStore::new(1, account, u64::MAX, 0).expect("there is room");
            for number in 0..n {
                store.insert(&key(number), cx).expect("there is room");
            }
            store
        });
    });
}

#[divan::bench(max_time = 4)]
fn flood_step(bencher: Bencher<'_, '_>) {
    Case::hall((30, 30), 28).bench(bencher);
}

#[divan::bench(max_time = 4)]
fn layer_step(bencher: Bencher<'_, '_>) {
    Case::planted(&[10, 20]).bench(bencher);
}

#[divan::bench(max_time = 4)]
fn membership(bencher: Bencher<'_, '_>) {
    Case::planted(&[5, 10, 20]).bench(bencher);
}

#[divan::bench(max_time = 4)]
fn generation(bencher: Bencher<'_, '_>) {
    let case = Case::planted(&[5, 10]);
    let generate = || case.with(None, |live, window, cx| case.tube(live, window, cx).store.n_configs() as u64);
    bencher.counter(ItemsCount::new(generate())).bench_local(generate);
}

#[divan::bench(max_time = 4)]
fn backward_layer_step(bencher: Bencher<'_, '_>) {
    let case = Case::planted(&[2, 4]);
    case.with(None, |live, window, cx| {
        let SearchWindow { spine, order, engine, .. } = window;
        let tube = Tube::around(
            live,
            spine,
            0..=N_SEARCHED,
            &case.neighborhood,
            TubeOptions { engine, order, store: StoreKind::Hash },
            cx,
        );
        let tube = tube.expect("there is room");
        let run = || {
            case.with(Some(WORK), |_, window, cx| {
                // Whether it was stopped does not matter here.
                let _ = black_box(search(SearchWindow { to: N_SEARCHED, ..window }, &tube.store, cx));
                cx.tally().n_states
            })
        };
        bencher.counter(ItemsCount::new(run())).bench_local(run);
    });
}

#[divan::bench(max_time = 4)]
fn refinement(bencher: Bencher<'_, '_>) {
    let case = Case::hall((30, 30), 1);
    bencher.counter(ItemsCount::new(1_u64)).bench_local(|| case.search_near(None));
}
