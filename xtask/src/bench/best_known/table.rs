//! The table of best known solutions: for each level and objective the best that any program or run has found.
//!
//! It only ever improves: a solution replaces one that costs more by the objective, and a proof is never taken back.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use sokocore::{Level, Lurd, Metrics, Objective, Solution, replay};

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BestKnownRow {
    /// The collection, and the level's number and title in it.
    pub(crate) set: String,
    pub(crate) number: usize,
    pub(crate) title: String,
    /// Identity of the level.
    pub(crate) id: String,
    pub(crate) objective: String,
    /// The six metrics; none but the first by the objective is known where people tell no more.
    pub(crate) moves: Option<u64>,
    pub(crate) pushes: Option<u64>,
    pub(crate) box_lines: Option<u64>,
    pub(crate) box_changes: Option<u64>,
    pub(crate) pushing_sessions: Option<u64>,
    pub(crate) player_lines: Option<u64>,
    /// Whether it is proved optimal by the objective.
    pub(crate) proved: bool,
    /// The proved lower bound of the metric that counts first; 0 if there is none.
    #[serde(default)]
    pub(crate) lower_bound: u64,
    /// The program and the run that found it, or the people.
    pub(crate) source: String,
    /// The day on which it was found.
    pub(crate) date: String,
    /// Long runs so far, and their seconds, of this level and objective.
    pub(crate) runs: u64,
    pub(crate) seconds: f64,
    /// The solution, if it is known.
    pub(crate) solution: String,
}

/// Level and objective.
type Key = (String, String);

/// The best known solutions, by level and objective.
#[derive(Clone, Debug, Default)]
pub(crate) struct BestKnownTable {
    rows: BTreeMap<Key, BestKnownRow>,
}

/// Who found a solution, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundBy<'a> {
    pub(crate) source: &'a str,
    pub(crate) date: &'a str,
}

impl BestKnownRow {
    /// Returns the metric that counts first.
    pub(crate) fn cost(&self) -> Option<u64> {
        let objective: Objective = self.objective.parse().ok()?;
        match objective.order()[0] {
            sokocore::Metric::Moves => self.moves,
            sokocore::Metric::Pushes => self.pushes,
            _ => self.metrics().map(|metrics| objective.score(&metrics).primary()),
        }
    }

    /// Returns whether no solution is better in the metric that counts first.
    pub(crate) fn is_closed(&self) -> bool {
        self.proved || self.cost().is_some_and(|cost| cost <= self.lower_bound)
    }

    /// Returns all six metrics, if they are known.
    pub(crate) fn metrics(&self) -> Option<Metrics> {
        Some(Metrics {
            moves: self.moves?,
            pushes: self.pushes?,
            box_lines: self.box_lines?,
            box_changes: self.box_changes?,
            pushing_sessions: self.pushing_sessions?,
            player_lines: self.player_lines?,
        })
    }

    /// Returns the solution, replayed.
    pub(crate) fn replayed(&self, level: &Level) -> Option<Solution> {
        let lurd: Lurd = self.solution.parse().ok().filter(|_| !self.solution.is_empty())?;
        replay(level, &lurd).ok()
    }

    fn set_solution(&mut self, solution: &Solution, origin: FoundBy<'_>) {
        let Metrics { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines } = solution.metrics();
        (self.moves, self.pushes, self.box_lines) = (Some(moves), Some(pushes), Some(box_lines));
        (self.box_changes, self.pushing_sessions) = (Some(box_changes), Some(pushing_sessions));
        self.player_lines = Some(player_lines);
        self.solution = solution.lurd().to_string();
        (self.source, self.date) = (origin.source.to_owned(), origin.date.to_owned());
    }
}

impl BestKnownTable {
    /// Reads a table; a file that does not exist is an empty one.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let mut reader = csv::Reader::from_path(path).with_context(|| format!("reading {}", path.display()))?;
        let mut table = Self::default();
        for (line, row) in (2..).zip(reader.deserialize()) {
            let row: BestKnownRow = row.with_context(|| format!("{}, line {line}", path.display()))?;
            let key = (row.id.clone(), row.objective.clone());
            let before = table.rows.insert(key, row);
            ensure!(before.is_none(), "{}, line {line}: a second line for a level and objective", path.display());
        }
        Ok(table)
    }

    /// Writes the table, sorted by set, number and objective.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut rows: Vec<&BestKnownRow> = self.rows.values().collect();
        rows.sort_by_key(|row| (&row.set, row.number, &row.objective));
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row)?;
        }
        let bytes = writer.into_inner().context("writing the table")?;
        Ok(sokoio::write_file(path, &bytes)?)
    }

    /// Returns the line of a level and an objective.
    pub(crate) fn row(&self, id: &str, objective: Objective) -> Option<&BestKnownRow> {
        self.rows.get(&(id.to_owned(), objective.to_string()))
    }

    #[cfg(test)]
    fn rows(&self) -> impl Iterator<Item = &BestKnownRow> {
        self.rows.values()
    }

    /// Returns the line of a level and an objective, made without a solution if there is none.
    pub(crate) fn row_mut(&mut self, place: &LevelKey, objective: Objective) -> &mut BestKnownRow {
        let LevelKey { set, number, title, id } = place;
        self.rows.entry((id.clone(), objective.to_string())).or_insert_with(|| BestKnownRow {
            set: set.clone(),
            number: *number,
            title: title.clone(),
            id: id.clone(),
            objective: objective.to_string(),
            moves: None,
            pushes: None,
            box_lines: None,
            box_changes: None,
            pushing_sessions: None,
            player_lines: None,
            proved: false,
            lower_bound: 0,
            source: String::new(),
            date: String::new(),
            runs: 0,
            seconds: 0.0,
            solution: String::new(),
        })
    }

    /// Records a solution if none as good is known. Returns whether it was recorded.
    pub(crate) fn offer(
        &mut self,
        place: &LevelKey,
        objective: Objective,
        solution: &Solution,
        origin: FoundBy<'_>,
    ) -> bool {
        let row = self.row_mut(place, objective);
        let score = |metrics: &Metrics| objective.score(metrics);
        let is_better = match row.metrics() {
            Some(known) => score(&solution.metrics()) < score(&known),
            // Of a solution that is not here only the first metric is known; an equal one is worth having.
            None => row.cost().is_none_or(|known| score(&solution.metrics()).primary() <= known),
        };
        if is_better {
            row.set_solution(solution, origin);
        }
        is_better
    }
}

/// Where a level stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelKey {
    /// Name of the collection, without folder and extension.
    pub(crate) set: String,
    pub(crate) number: usize,
    pub(crate) title: String,
    pub(crate) id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level() -> Level {
        "#######\n#@$  .#\n#     #\n#######".parse().unwrap()
    }

    fn solution(lurd: &str) -> Solution {
        replay(&level(), &lurd.parse().unwrap()).unwrap()
    }

    fn place() -> LevelKey {
        LevelKey { set: "set".into(), number: 1, title: "A, \"quoted\"\ntitle".into(), id: "abc".into() }
    }

    const FOUND_BY: FoundBy<'_> = FoundBy { source: "a test", date: "2026-11-23" };

    /// The table only ever improves, and comes back from its file.
    #[test]
    fn only_better_solutions_are_recorded() {
        let mut table = BestKnownTable::default();
        let short = solution("RRR");
        let detour = solution("duRRR");
        for objective in [Objective::MOVES, Objective::PUSHES] {
            assert!(table.offer(&place(), objective, &detour, FOUND_BY));
            assert!(!table.offer(&place(), objective, &detour, FOUND_BY), "not better");
            assert!(table.offer(&place(), objective, &short, FOUND_BY));
            assert!(!table.offer(&place(), objective, &detour, FOUND_BY), "worse");
        }
        table.row_mut(&place(), Objective::MOVES).proved = true;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        table.write(&path).unwrap();
        let again = BestKnownTable::read(&path).unwrap();
        assert!(again.rows().eq(table.rows()));
        assert_eq!(again.rows().count(), 2);
        let row = again.row("abc", Objective::MOVES).unwrap();
        assert_eq!((row.cost(), row.proved, row.metrics()), (Some(3), true, Some(short.metrics())));
        assert_eq!(row.replayed(&level()).unwrap().metrics(), short.metrics());
    }

    /// People tell the pushes of their best solutions, and no more.
    #[test]
    fn a_metric_alone_is_a_bound() {
        let mut table = BestKnownTable::default();
        table.row_mut(&place(), Objective::PUSHES).pushes = Some(2);
        assert!(!table.offer(&place(), Objective::PUSHES, &solution("RRR"), FOUND_BY));
        table.row_mut(&place(), Objective::PUSHES).pushes = Some(3);
        assert!(table.offer(&place(), Objective::PUSHES, &solution("RRR"), FOUND_BY), "now there is a solution");
    }

    #[test]
    fn damaged_tables_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        assert_eq!(BestKnownTable::read(&path).unwrap().rows().count(), 0);
        let mut table = BestKnownTable::default();
        table.offer(&place(), Objective::MOVES, &solution("RRR"), FOUND_BY);
        table.write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let last = text.lines().skip(1).collect::<Vec<_>>().join("\n");
        std::fs::write(&path, format!("{text}{last}\n")).unwrap();
        assert!(BestKnownTable::read(&path).unwrap_err().to_string().contains("a second line"));
        std::fs::write(&path, text.replace("2026-11-23", "")).unwrap();
        assert!(BestKnownTable::read(&path).is_ok());
        std::fs::write(&path, text.replace("true", "maybe").replace("false", "maybe")).unwrap();
        assert!(BestKnownTable::read(&path).is_err());
    }
}
