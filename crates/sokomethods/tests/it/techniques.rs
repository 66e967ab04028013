//! Every technique can be switched off, and one that is off never runs.

use parking_lot::Mutex;
use sokocore::{Level, Metric, Objective, Solution, replay};
use sokomethods::{Knobs, SharedOptimalSearcher, Technique, TechniqueKind, TechniqueSet, optimize};
use sokosearch::{Budget, Cancel, Context, Event, MemoryAccount, OptimalSearch, OptimalSearcher, Pool, Progress};

/// The techniques that were entered, and how deep they were nested.
#[derive(Default)]
struct Entries(Mutex<(Vec<String>, Vec<String>)>);

impl Progress for Entries {
    fn on(&self, event: Event<'_>) {
        let (stack, seen) = &mut *self.0.lock();
        match event {
            Event::Entered { technique } => {
                stack.push(technique.to_owned());
                seen.push(technique.to_owned());
            }
            Event::Left { technique, .. } => assert_eq!(stack.pop().as_deref(), Some(technique), "they are nested"),
            _ => {}
        }
    }
}

/// Has no search for any level.
#[derive(Debug)]
struct NoSearch;

impl OptimalSearcher for NoSearch {
    fn begin(&self, _: &Level, _: Metric, _: &Budget) -> Option<Box<dyn OptimalSearch>> {
        None
    }
}

/// A small level, so that every arm has its turn soon, and two solutions.
fn level() -> (Level, Solution, Solution) {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let of = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let (start, other) = (of("RurrDLulDrdL"), of("drruurDullDrdL"));
    (level, start, other)
}

/// Runs with these techniques, and returns those that ran.
fn run(techniques: TechniqueSet, objective: Objective) -> TechniqueSet {
    let (level, start, other) = level();
    let pool = Pool::new(&level, &start, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(WORK));
    let entries = Entries::default();
    let mut cx = Context::new(&pool, objective, &budget, &entries);
    let mut knobs = Knobs::default();
    (knobs.techniques, knobs.others) = (techniques, vec![other]);
    knobs.searcher = Some(SharedOptimalSearcher::new(NoSearch));
    // It may end by itself or by its limit.
    let _ = optimize(&knobs, &mut cx);
    let (stack, seen) = entries.0.into_inner();
    assert!(stack.is_empty(), "all were left: {stack:?}");
    seen.iter().map(|name| name.parse::<Technique>().unwrap()).collect()
}

/// Ticks of a run, enough for every arm.
const WORK: u64 = 10_000_000;

/// All techniques but two, in groups that are switched off together. The plateau and the lineages, which run all others,
/// are left on in the first three.
const OFF_TOGETHER: [&[Technique]; 5] = {
    use Technique as T;
    [
        &[
            T::TidyPath,
            T::Permute,
            T::Spine,
            T::Rearrange,
            T::RingOrders,
            T::PushedBoxes,
            T::Crossover,
            T::SegmentExchange,
        ],
        &[
            T::RearrangeFull,
            T::Symmetry,
            T::Delay,
            T::SessionExchange,
            T::PhaseLattice,
            T::BoxGroups,
            T::BoxPermutation,
            T::Relink,
        ],
        &[T::OneBox, T::TwoBoxes, T::ThreeBoxes, T::FourBoxes, T::OptimalWindows],
        &[T::RuinRecreate, T::Plateau, T::MultiStart, T::PushesFirst, T::Reformulation, T::OptimalSearch],
        &[T::Lineages],
    ]
};

/// Everything runs, unless it is switched off: within the plateau and the lineages, too.
#[test]
fn a_technique_that_is_off_never_runs() {
    let everything: TechniqueSet = Technique::ALL.into_iter().collect();
    let concerned = |objective: Objective| everything.iter().filter(move |technique| technique.affects(objective));
    let by_moves = |techniques| run(techniques, Objective::MOVES);
    // A proof would end the run.
    let unproved = everything.without(Technique::Exhaustive);
    let all: TechniqueSet = concerned(Objective::MOVES).collect();
    assert_eq!(by_moves(unproved), all.without(Technique::Exhaustive));
    assert!(by_moves(everything).contains(Technique::Exhaustive));
    for off in OFF_TOGETHER {
        let on = off.iter().copied().fold(unproved, TechniqueSet::without);
        let ran = by_moves(on);
        assert!(off.iter().all(|&technique| !ran.contains(technique)), "{ran:?} without {off:?}");
    }
    assert_eq!(OFF_TOGETHER.concat().into_iter().collect::<TechniqueSet>(), all.without(Technique::Exhaustive));
    let by_lines = Objective::starting_with(&[Metric::PlayerLines]);
    assert!(run(everything, by_lines).contains(Technique::MovesFirst));
    assert!(!run(everything.without(Technique::MovesFirst), by_lines).contains(Technique::MovesFirst));
    assert_eq!(by_moves(TechniqueSet::EMPTY), TechniqueSet::EMPTY);
}

/// The page on methods says of each technique what the registry says.
#[test]
fn the_page_on_methods_lists_all_techniques() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/methods.md")).unwrap();
    for technique in Technique::ALL {
        let kind = match technique.kind() {
            TechniqueKind::LeadIn => "lead-in",
            TechniqueKind::Arm => "arm",
            TechniqueKind::Rule => "rule",
            kind => panic!("{kind:?} has no word yet"),
        };
        let default = if technique.is_on_by_default() { "on" } else { "off" };
        let row = format!("| `{technique}` | {kind} | {default} | {} |", technique.about());
        assert!(page.lines().any(|line| line.starts_with(&row)), "docs/methods.md lacks a row that begins\n{row}");
    }
}
