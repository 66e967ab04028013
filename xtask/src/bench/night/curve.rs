//! The best solution of a level for an objective as a function of work.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sokocore::{Metric, Objective};

use crate::bench::csv_table::CsvTable;

/// The curve of a level and an objective.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bench) struct ItemCurve {
    /// Number of the level in its set, from 1.
    pub(in crate::bench) number: usize,
    pub(in crate::bench) objective: Objective,
    /// The start, each gain, and the end of each segment, in the order of work.
    pub(in crate::bench) points: Vec<CurvePoint>,
}

/// A place on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::bench) struct CurvePoint {
    pub(in crate::bench) ticks: u64,
    pub(in crate::bench) moves: u64,
    pub(in crate::bench) pushes: u64,
    /// Whether nothing is left to try from here on.
    pub(in crate::bench) is_settled: bool,
}

impl ItemCurve {
    /// Returns the ticks that were recorded.
    pub(in crate::bench) fn n_ticks(&self) -> u64 {
        self.points.last().map_or(0, |last| last.ticks)
    }

    /// Returns whether the recording ended because nothing was left to try.
    pub(in crate::bench) fn is_settled(&self) -> bool {
        self.points.last().is_some_and(|last| last.is_settled)
    }

    /// Returns the ticks after which nothing was left to try, if it came to that.
    pub(in crate::bench) fn settled_at(&self) -> Option<f64> {
        self.points.last().filter(|last| last.is_settled).map(|last| last.ticks as f64)
    }

    /// Returns the curve as far as so many ticks.
    pub(in crate::bench) fn until(mut self, ticks: u64) -> Self {
        self.points.retain(|point| point.ticks <= ticks);
        self
    }

    /// Returns what the objective counts first at a point.
    pub(in crate::bench) fn counted(&self, point: &CurvePoint) -> u64 {
        if self.objective.order()[0] == Metric::Moves { point.moves } else { point.pushes }
    }

    /// Returns the last point that is not beyond so many ticks.
    pub(in crate::bench) fn at(&self, ticks: f64) -> &CurvePoint {
        &self.points[self.n_points_until(ticks).saturating_sub(1)]
    }

    /// Returns each point between two amounts of work, without the first amount and with the second, after the point
    /// before it.
    pub(in crate::bench) fn steps(&self, from: f64, to: f64) -> impl Iterator<Item = (&CurvePoint, &CurvePoint)> {
        let first = self.n_points_until(from).max(1);
        let last = self.n_points_until(to).max(first);
        self.points[first - 1..last].iter().zip(&self.points[first..last])
    }

    /// Returns the point at an amount of work, and all that follow it.
    pub(in crate::bench) fn places_from(&self, ticks: u64) -> impl Iterator<Item = CurvePoint> {
        let here = CurvePoint { ticks, ..*self.at(ticks as f64) };
        let after = self.points.iter().copied().filter(move |point| point.ticks > ticks);
        [here].into_iter().chain(after)
    }

    /// Returns the ticks of the last point before so many that counts less than the one before it; 0 without one.
    pub(in crate::bench) fn last_gain(&self, before: u64) -> u64 {
        let steps = self.steps(0.0, before as f64).filter(|(one, other)| self.counted(other) < self.counted(one));
        steps.last().map_or(0, |(_, gain)| gain.ticks)
    }

    fn n_points_until(&self, ticks: f64) -> usize {
        self.points.partition_point(|point| point.ticks as f64 <= ticks)
    }

    /// Names the file of a curve.
    pub(in crate::bench) fn path(folder: &Path, number: usize, objective: Objective) -> PathBuf {
        folder.join(format!("{objective}-{number:03}.csv"))
    }

    /// Reads a curve; `None` if there is no such file.
    pub(in crate::bench) fn read(folder: &Path, number: usize, objective: Objective) -> anyhow::Result<Option<Self>> {
        let path = Self::path(folder, number, objective);
        if !path.exists() {
            return Ok(None);
        }
        let read = || -> anyhow::Result<Vec<CurvePoint>> {
            let mut points = Vec::new();
            for row in csv::Reader::from_path(&path)?.deserialize() {
                let (ticks, moves, pushes, is_settled) = row?;
                points.push(CurvePoint { ticks, moves, pushes, is_settled });
            }
            Ok(points)
        };
        let points = read().with_context(|| format!("reading {}", path.display()))?;
        Ok(Some(Self { number, objective, points }))
    }

    /// Writes it into the folder.
    pub(in crate::bench) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut table = CsvTable::new(&["ticks", "moves", "pushes", "settled"]);
        for CurvePoint { ticks, moves, pushes, is_settled } in &self.points {
            table.row(&[ticks, moves, pushes, is_settled]);
        }
        sokoio::write_file(&Self::path(folder, self.number, self.objective), &table.to_bytes()?)?;
        Ok(())
    }
}
