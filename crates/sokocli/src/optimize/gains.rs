//! What a task has gained, as additions to a document.

use sokocore::{Metric, Metrics, Objective};
use sokoio::{EditError, ProofNote, Proved, SolutionKind, SolutionTitle};
use sokolibrary::{Document, Find, Keep, PROGRAM, RunDone};
use sokonight::LevelFinds;

use super::level_task::{Ending, JobReport, LevelTask, ObjectiveChange};
use super::snapshot::SnapshotLevel;
use crate::inputs::InputLevel;
use crate::outputs::saver::{Gains, TargetLevel};
use crate::proofs;

impl Gains for LevelTask<'_> {
    fn key(&self) -> (usize, Option<usize>) {
        (self.work.at.number, self.snapshot.map(|snapshot| snapshot.game))
    }

    fn at(&self) -> &InputLevel<'_> {
        &self.work.at
    }

    fn places(&self) -> &[TargetLevel] {
        &self.work.places
    }

    fn finds(&self) -> Option<LevelFinds> {
        let (Ok(level), None) = (self.work.level(), self.snapshot) else { return None };
        let mut finds = LevelFinds::of(level);
        for change in &self.changes() {
            // A solution of the file may be new to the library.
            finds.solutions.push(self.finders.found(change.after.clone(), change.objective));
            let proof = proof(self, change.objective, &change.after.metrics());
            finds.proofs.extend(proof.map(|proof| proof.proved()));
        }
        Some(finds)
    }

    fn runs(&self) -> Vec<RunDone> {
        let reports = self.objectives.iter().filter_map(|&objective| self.report(objective));
        let begun = reports.filter(|report| report.ending != Ending::NotBegun && !report.elapsed.is_zero());
        let run = |report: JobReport| {
            let mut run = RunDone::new(report.objective.to_string(), report.elapsed, report.ending.name());
            run.ticks = report.ticks;
            run.has_gain = self.change(report.objective).is_some_and(|change| change.is_gain());
            run
        };
        begun.map(run).collect()
    }

    fn bounds(&self) -> Option<(u64, u64)> {
        // With squares to be avoided, more may be needed.
        let least = |metric| self.lower_bound(metric).filter(|_| self.is_as_read());
        least(Metric::Moves).zip(least(Metric::Pushes))
    }

    fn add_to(&self, document: &mut Document, level_idx: usize, keep: Keep) -> Result<bool, EditError> {
        match self.snapshot {
            Some(snapshot) => add_snapshots(document, level_idx, self, snapshot),
            None => add_gains(document, level_idx, self, keep),
        }
    }
}

/// Adds what the task has gained so far to its level. Returns whether there was anything.
fn add_gains(document: &mut Document, level_idx: usize, task: &LevelTask<'_>, keep: Keep) -> Result<bool, EditError> {
    let changes = task.changes();
    let mut finds: Vec<Find> = Vec::new();
    for change in named_first(&changes).filter(|change| change.is_gain()) {
        let (objective, metrics) = (change.objective, change.after.metrics());
        let serves = |find: &Find| objective.score(&find.metrics) == objective.score(&metrics);
        if !finds.iter().any(serves) {
            let notes = proof(task, objective, &metrics).map(|proof| proof.to_string()).into_iter().collect();
            finds.push(Find { objective: Some(objective), notes, ..Find::ours(&change.after) });
        }
    }
    let mut has_gain = document.add(level_idx, finds, keep)?;
    for change in &changes {
        if let Some(proof) = proof(task, change.objective, &change.after.metrics()) {
            has_gain |= document.add_proof(level_idx, change.objective, &proof)?;
        }
    }
    for (objective, proof) in task.new_proofs() {
        has_gain |= document.add_proof(level_idx, objective, &proof)?;
    }
    Ok(has_gain)
}

/// What is proved about the best solution by an objective, if it was proved now.
fn proof(task: &LevelTask<'_>, objective: Objective, metrics: &Metrics) -> Option<ProofNote> {
    let is_proved = task.start().is_some_and(|start| start.pool.is_proved(objective));
    // What keeps off some squares is not best of all.
    let is_whole = task.work.level().is_ok_and(|level| std::ptr::eq(level, task.level));
    (is_proved && is_whole).then(|| proofs::note(Proved::Best { objective, metrics: *metrics }))
}

/// Moves and pushes first: their titles say more.
fn named_first(changes: &[ObjectiveChange]) -> impl Iterator<Item = &ObjectiveChange> {
    let is_named = |change: &&ObjectiveChange| [Objective::MOVES, Objective::PUSHES].contains(&change.objective);
    let others = changes.iter().filter(move |change| !is_named(change));
    changes.iter().filter(move |change| is_named(change)).chain(others)
}

/// Adds what the task has gained so far as further snapshots of its level. Returns whether there was anything.
fn add_snapshots(
    document: &mut Document,
    level_idx: usize,
    task: &LevelTask<'_>,
    snapshot: &SnapshotLevel,
) -> Result<bool, EditError> {
    let mut has_gain = false;
    for change in task.changes().iter().filter(|change| change.is_gain()) {
        let moves = snapshot.game(change.after.lurd());
        let title = SolutionTitle::new(SolutionKind::Plain, task.metrics(&change.after));
        let title = title.with_program(&format!("{PROGRAM} {}", change.objective));
        has_gain |= document.add_snapshot(level_idx, &title, &moves)?;
    }
    Ok(has_gain)
}
