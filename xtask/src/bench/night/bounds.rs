//! The lower bounds of the levels, computed once and kept beside the curves.

use std::path::Path;

use anyhow::Context as _;
use sokocore::{Metric, Objective};
use sokosolver::LevelBounds;

use super::curve::ItemCurve;
use crate::bench::csv_table::CsvTable;
use crate::bench::level_set::BenchLevel;

/// Number of a level, least moves, least pushes.
#[derive(Clone, Debug)]
pub(in crate::bench) struct BoundTable(Vec<(usize, u64, u64)>);

impl BoundTable {
    /// Reads the bounds; computes and writes those that are missing.
    pub(in crate::bench) fn read_or_make(folder: &Path, items: &[(BenchLevel, Objective)]) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let path = folder.join("bounds.csv");
        let mut table = Self(Vec::new());
        if path.exists() {
            let rows = csv::Reader::from_path(&path)?.into_deserialize().collect::<Result<_, _>>();
            table.0 = rows.with_context(|| format!("reading {}", path.display()))?;
        }
        let n_before = table.0.len();
        for (level, _) in items {
            if table.row(level.number).is_none() {
                let bounds = LevelBounds::of(&level.level);
                let of = |metric| bounds.and_then(|bounds| bounds.at_least(metric)).unwrap_or(0);
                table.0.push((level.number, of(Metric::Moves), of(Metric::Pushes)));
            }
        }
        if table.0.len() > n_before {
            let mut rows = CsvTable::new(&["number", "moves", "pushes"]);
            table.0.iter().for_each(|(number, moves, pushes)| rows.row(&[number, moves, pushes]));
            sokoio::write_file(&path, &rows.to_bytes()?)?;
        }
        Ok(table)
    }

    fn row(&self, number: usize) -> Option<&(usize, u64, u64)> {
        self.0.iter().find(|row| row.0 == number)
    }

    /// Returns what every solution counts at least of what the objective of a curve counts first.
    pub(in crate::bench) fn of(&self, curve: &ItemCurve) -> u64 {
        let metric = curve.objective.order()[0];
        self.row(curve.number).map_or(0, |&(_, moves, pushes)| match metric {
            Metric::Moves => moves,
            Metric::Pushes => pushes,
            _ => 0,
        })
    }
}
