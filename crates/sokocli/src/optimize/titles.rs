//! Writes the bests of a level into its collection, titled as players' programs expect it.
//!
//! | best in | title |
//! |---|---|
//! | moves and pushes | `Best Solution 230/97/...` |
//! | moves | `Solution/Moves 96/25/...` |
//! | pushes | `Solution/Pushes 116/19/...` |
//! | another objective | `Solution 120/30/... (Soko boxlines)` |
//!
//! Invariant: nothing is removed, and a level without gain is not touched. A title that a person worded is left as
//! it is; a title in the usual form that has become false is corrected, `Solution ...` for a best of the past.

use sokocore::{Metrics, Objective, Solution};
use sokoio::{Collection, EditError, LevelEntry, SolutionKind, SolutionTitle};

use super::level_task::{Change, LevelTask};
use super::snapshot;

/// The name that our solutions carry.
pub(super) const PROGRAM: &str = "Soko";

/// Adds what the task has gained so far to its level. Returns whether there was anything.
pub(super) fn add_gains(collection: &mut Collection, task: &LevelTask<'_>) -> Result<bool, EditError> {
    if let Some(snapshot) = task.snapshot {
        return snapshot::add_gains(collection, task, snapshot);
    }
    let changes = task.changes();
    if !changes.iter().any(Change::is_gain) {
        return Ok(false);
    }
    let level_idx = task.at.entry.number() - 1;
    let best = Bests::of(&changes);
    retitle(collection, level_idx, task, &best)?;
    let mut added: Vec<Metrics> = Vec::new();
    for change in named_first(&changes).filter(|change| change.is_gain()) {
        let Change { objective, after, .. } = change;
        let metrics = after.metrics();
        let serves = |other: &Metrics| objective.score(other) == objective.score(&metrics);
        if !added.iter().any(serves) {
            let title = best.title(*objective, after);
            collection.add_solution(level_idx, &title, after.lurd(), &[])?;
            added.push(metrics);
        }
    }
    Ok(true)
}

/// Moves and pushes first: their titles say more.
fn named_first(changes: &[Change]) -> impl Iterator<Item = &Change> {
    let is_named = |change: &&Change| [Objective::MOVES, Objective::PUSHES].contains(&change.objective);
    let others = changes.iter().filter(move |change| !is_named(change));
    changes.iter().filter(move |change| is_named(change)).chain(others)
}

/// What the best solutions in moves and in pushes measure.
#[derive(Clone, Copy)]
struct Bests {
    moves: Metrics,
    pushes: Metrics,
}

impl Bests {
    fn of(changes: &[Change]) -> Self {
        let metrics = |objective: Objective| {
            let all = changes.iter().map(|change| change.after.metrics());
            all.min_by_key(|metrics| objective.score(metrics)).expect("invariant: a task keeps moves and pushes")
        };
        Self { moves: metrics(Objective::MOVES), pushes: metrics(Objective::PUSHES) }
    }

    /// What a solution with these metrics is best in.
    fn kind(&self, metrics: &Metrics) -> SolutionKind {
        let same = |objective: Objective, best| objective.score(metrics) == objective.score(best);
        match (same(Objective::MOVES, &self.moves), same(Objective::PUSHES, &self.pushes)) {
            (true, true) => SolutionKind::Best,
            (true, false) => SolutionKind::Moves,
            (false, true) => SolutionKind::Pushes,
            (false, false) => SolutionKind::Plain,
        }
    }

    fn title(&self, objective: Objective, solution: &Solution) -> SolutionTitle {
        let kind = self.kind(&solution.metrics());
        let program = match kind {
            SolutionKind::Plain => format!("{PROGRAM} {objective}"),
            _ => PROGRAM.to_owned(),
        };
        SolutionTitle::new(kind, solution.metrics()).with_program(&program)
    }
}

/// Corrects the titles of the solutions that were there before: claims that are false now, and the claim of one that
/// is still best in something.
fn retitle(collection: &mut Collection, level_idx: usize, task: &LevelTask<'_>, best: &Bests) -> Result<(), EditError> {
    let mut claimed = Vec::new();
    for &(game, metrics) in &task.known {
        let kind = best.kind(&metrics);
        let old = old_title(task.at.entry, game, metrics);
        let is_first = !claimed.contains(&kind);
        claimed.push(kind);
        let Some(old) = old.filter(|old| old.kind() != kind) else { continue };
        if is_first || old.kind() != SolutionKind::Plain {
            let kind = if is_first { kind } else { SolutionKind::Plain };
            collection.retitle(level_idx, game, &old.with_kind(kind).with_number(1))?;
        }
    }
    Ok(())
}

/// The title as it could be rewritten without loss: `None` if a person worded it.
fn old_title(entry: &LevelEntry, game: usize, metrics: Metrics) -> Option<SolutionTitle> {
    let Some(text) = entry.games()[game].title() else {
        return Some(SolutionTitle::new(SolutionKind::Plain, metrics));
    };
    let title = SolutionTitle::parse(text)?;
    let letters = |text: &str| text.to_lowercase().replace([' ', ':'], "").replace("/steps", "/moves");
    (letters(&title.to_string()) == letters(text)).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::InputLevel;
    use crate::optimize::time_share::TimeShare;
    use crate::plan::Plan;

    const T2: &str = "T2\n######\n##   #\n#@$ $#\n#.  .#\n######\n";
    const FEW_PUSHES: &str = "drruurDullDrdL";
    const FEW_MOVES: &str = "RurrDLulDrdL";

    fn gained(file: &str, finds: &[&str], objectives: &[Objective]) -> Vec<String> {
        let mut collection = Collection::parse(file.as_bytes());
        let original = collection.clone();
        let entry = &original.levels()[0];
        let solutions: Vec<_> = entry.solutions().map(|(game, solution)| (game, solution.unwrap())).collect();
        let at = InputLevel { number: 1, input_idx: 0, path: "t2.sok".as_ref(), entry };
        let time = TimeShare::new(None, 1, 1);
        let task = LevelTask::new(at, entry.level().unwrap(), &solutions, &Plan::searching(objectives), time).unwrap();
        for find in finds {
            task.pool.offer(&find.parse().unwrap()).unwrap();
        }
        assert_eq!(add_gains(&mut collection, &task), Ok(!finds.is_empty()));
        collection.levels()[0].games().iter().map(|game| game.title().unwrap_or("-").to_owned()).collect()
    }

    #[test]
    fn two_bests_are_told_apart() {
        let file = format!("{T2}\nBest Solution 14/3\n{FEW_PUSHES}\n");
        assert_eq!(
            gained(&file, &[FEW_MOVES], &[Objective::MOVES]),
            ["Solution/Pushes 14/3", "Solution/Moves 12/5/5/3/4/11 (Soko)"]
        );
        let untitled = format!("{T2}\n{FEW_PUSHES}\n");
        let titles = gained(&untitled, &[FEW_MOVES], &[Objective::MOVES]);
        assert_eq!(titles, ["Solution/Pushes 14/3/3/2/3/11", "Solution/Moves 12/5/5/3/4/11 (Soko)"]);
    }

    #[test]
    fn a_best_of_the_past_stays_as_a_solution() {
        let file = format!("{T2}\nBest Solution 16/3\ndu{FEW_PUSHES}\n");
        let titles = gained(&file, &[FEW_MOVES, FEW_PUSHES], &[Objective::MOVES, Objective::PUSHES]);
        let expect = ["Solution 16/3", "Solution/Moves 12/5/5/3/4/11 (Soko)", "Solution/Pushes 14/3/3/2/3/11 (Soko)"];
        assert_eq!(titles, expect);
    }

    #[test]
    fn words_of_a_person_stay() {
        let file = format!("{T2}\nBest solution by my sister\ndu{FEW_PUSHES}\n");
        assert_eq!(gained(&file, &[FEW_PUSHES], &[Objective::PUSHES])[0], "Best solution by my sister");
    }

    #[test]
    fn nothing_gained_nothing_changed() {
        let file = format!("{T2}\nSolution 99/99\n{FEW_PUSHES}\n");
        assert_eq!(gained(&file, &[], &[Objective::PUSHES]), ["Solution 99/99"]);
    }
}
