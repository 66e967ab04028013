//! Which solutions are kept.

use proptest::prelude::*;
use sokocore::{Level, Lurd, Metric, Metrics, Objective, PlantSpec, n_cases, optimum, planted, replay};
use sokoio::{LevelId, Proved};
use sokolibrary::{Library, LibraryProblem, NewProof, NewSolution, Offer, Origin};

/// A room in which many solutions differ: the box goes two squares to the right.
const ROOM: &str = "########\n#      #\n#@ $ . #\n#      #\n########";

fn room() -> Level {
    ROOM.parse().unwrap()
}

fn moves(text: &str) -> NewSolution {
    NewSolution::new(text.parse().unwrap())
}

fn offer(library: &mut Library, level: &Level, find: &NewSolution) -> Offer {
    library.write(|changes| changes.offer(level, find)).unwrap()
}

fn kept(library: &Library, level: &Level) -> Vec<Metrics> {
    library.solutions(LevelId::of(level)).unwrap().iter().map(|solution| solution.metrics).collect()
}

#[test]
fn a_solution_that_is_better_in_nothing_does_not_stay() {
    let (mut library, level) = (Library::in_memory().unwrap(), room());
    let best = Offer::Added { is_best_moves: true, is_best_pushes: true };
    assert_eq!(offer(&mut library, &level, &moves("udrRR")), best);
    assert_eq!(offer(&mut library, &level, &moves("udrRR")), Offer::Dominated);
    assert_eq!(offer(&mut library, &level, &moves("rRR")), best);
    assert_eq!(kept(&library, &level).len(), 1);
    assert_eq!(library.best(LevelId::of(&level), Objective::MOVES).unwrap().unwrap().metrics.moves, 3);
}

#[test]
fn moves_that_do_not_solve_the_level_change_nothing() {
    let (mut library, level) = (Library::in_memory().unwrap(), room());
    let error = library.write(|changes| {
        changes.offer(&level, &moves("rRR"))?;
        changes.offer(&level, &moves("rR"))
    });
    assert!(matches!(error.unwrap_err().problem, LibraryProblem::Replay(_)));
    assert!(library.level(LevelId::of(&level)).unwrap().is_none(), "all of a change or nothing");
}

#[test]
fn a_solution_keeps_where_it_is_from() {
    let (mut library, level) = (Library::in_memory().unwrap(), room());
    let origin = Origin::of_run("--time 30s").by("Soko", "0.1.0");
    let find = moves("rRR").from(origin.clone()).for_objective(Objective::PUSHES).with_method("vicinity");
    offer(&mut library, &level, &find.after_seconds(2.5).with_notes(["A note".to_owned()]));
    let kept = library.solutions(LevelId::of(&level)).unwrap().remove(0);
    assert_eq!((kept.origin, kept.objective, &*kept.method), (origin, Some(Objective::PUSHES), "vicinity"));
    assert_eq!((kept.seconds, kept.notes, kept.found_at.len()), (Some(2.5), vec!["A note".to_owned()], 24));
}

#[test]
fn a_solution_refutes_a_claim_of_a_file() {
    let (mut library, level) = (Library::in_memory().unwrap(), room());
    let claim = |proved| NewProof::new(proved, Origin::of_file("friend.sok"));
    library
        .write(|changes| {
            changes.add_proof(&level, &claim(Proved::AtLeastMoves(4)))?;
            changes.add_proof(&level, &claim(Proved::FewestPushes(2)))
        })
        .unwrap();
    let bounds = |library: &Library| {
        let stored = library.level(LevelId::of(&level)).unwrap().unwrap();
        (stored.least_moves, stored.least_pushes)
    };
    assert_eq!(bounds(&library), (4, 2));
    offer(&mut library, &level, &moves("rRR"));
    assert_eq!(bounds(&library), (2, 2));
    let claims: Vec<_> = library.proofs(LevelId::of(&level)).unwrap().iter().map(|proof| proof.proved).collect();
    assert_eq!(claims, [Proved::FewestPushes(2)]);
    assert!(library.check().unwrap().is_clean());
}

fn config() -> ProptestConfig {
    ProptestConfig::with_cases(u32::try_from(n_cases(24, 500)).unwrap())
}

/// Detours of a solution: it goes there and back at some steps.
fn detours(level: &Level, moves: &Lurd, at: &[usize]) -> Vec<Lurd> {
    let steps: Vec<_> = moves.iter().collect();
    let mut found = Vec::new();
    for &at in at {
        for back in ["ud", "du", "lr", "rl"] {
            let text: String = steps.iter().map(|step| step.letter()).collect();
            let at = at % (steps.len() + 1);
            let text = format!("{}{back}{}", &text[..at], &text[at..]);
            let moves: Lurd = text.parse().unwrap();
            if replay(level, &moves).is_ok() {
                found.push(moves);
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(config())]

    /// In whatever order solutions come: what is kept are those that nothing dominates, and no best is ever lost.
    #[test]
    fn what_is_kept_does_not_depend_on_the_order(
        (level, moves) in planted(PlantSpec { boxes: 1..=3, ..PlantSpec::default() }),
        at in prop::collection::vec(0..60_usize, 1..6),
        turn in 0..20_usize,
    ) {
        let mut all = detours(&level, &moves, &at);
        all.push(moves);
        let metrics: Vec<_> = all.iter().map(|moves| replay(&level, moves).unwrap().metrics()).collect();
        let n = all.len();
        all.rotate_left(turn % n);
        let mut library = Library::in_memory().unwrap();
        for (n_offered, moves) in all.iter().enumerate() {
            offer(&mut library, &level, &NewSolution::new(moves.clone()));
            let best = library.best(LevelId::of(&level), Objective::MOVES).unwrap().unwrap();
            let least = all[..=n_offered].iter().map(|moves| replay(&level, moves).unwrap().metrics().moves).min();
            prop_assert_eq!(Some(best.metrics.moves), least);
        }
        let kept = kept(&library, &level);
        for one in &kept {
            prop_assert!(!metrics.iter().any(|other| other != one && other.dominates(one)));
        }
        for one in &metrics {
            prop_assert!(kept.iter().any(|other| other.dominates(one)));
        }
        for metric in Metric::ALL {
            let least = |of: &[Metrics]| of.iter().map(|metrics| metric.of(metrics)).min();
            prop_assert_eq!(least(&kept), least(&metrics));
        }
        prop_assert!(library.check().unwrap().is_clean());
    }

    /// The best by any order stays, though another solution is as good in every metric.
    #[test]
    fn what_was_searched_for_stays(
        (level, moves) in planted(PlantSpec { boxes: 1..=2, pulls: 1..=6, ..PlantSpec::default() }),
        is_reversed in any::<bool>(),
    ) {
        let orders = ["moves", "pushes", "moves/most-pushes", "boxlines"].map(|name| name.parse::<Objective>().unwrap());
        let mut finds = vec![NewSolution::new(moves)];
        for order in orders {
            if let Some(best) = optimum(&level, order) {
                finds.push(NewSolution::new(best.into()).for_objective(order));
            }
        }
        if is_reversed {
            finds.reverse();
        }
        let mut library = Library::in_memory().unwrap();
        finds.iter().for_each(|find| _ = offer(&mut library, &level, find));
        for order in orders {
            let best = library.best(LevelId::of(&level), order).unwrap().unwrap();
            let optimum = optimum(&level, order).map(|best| order.score(&best.metrics()));
            prop_assert_eq!(Some(order.score(&best.metrics)), optimum);
        }
        let n_orders = orders.len();
        prop_assert!(kept(&library, &level).len() <= n_orders + 1);
    }
}
