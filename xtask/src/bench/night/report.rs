//! What the simulated nights say: the sums at several points of time, and the time that the same sum takes.

use std::fmt;

use comfy_table::{CellAlignment, Table, presets};

use super::TICKS_A_SECOND;
use super::simulation::SumCurve;

/// The parts of the time that are looked at. At the end of the curves no schedule can save any.
const PARTS: [f64; 7] = [1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 3.0 / 4.0];

/// Nights of the same length on the same curves.
#[derive(Clone, Debug)]
pub(super) struct NightReport {
    pub(super) n_items: usize,
    /// Ticks that each item has had before.
    pub(super) before: u64,
    /// Ticks of the nights.
    pub(super) limit: f64,
    pub(super) equal: SumCurve,
    pub(super) ours: SumCurve,
    pub(super) oracle: SumCurve,
}

impl NightReport {
    /// Returns the part of the time of equal slices, up to `ticks`, that another night needs for the same sum; `None` if
    /// it does not reach that.
    pub(super) fn part_of_time(&self, other: &SumCurve, ticks: f64) -> Option<f64> {
        let sum = self.equal.at(ticks);
        // Equal slices may have had that sum for a while.
        let reached = self.equal.reaches(sum)?;
        Some(other.reaches(sum)? / reached)
    }
}

impl fmt::Display for NightReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ticks: f64| format!("{:.2}", ticks / TICKS_A_SECOND / self.n_items as f64);
        writeln!(
            f,
            "{} levels and objectives, {} s each before, {} in sum at the start",
            self.n_items,
            self.before as f64 / TICKS_A_SECOND,
            self.equal.start
        )?;
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header([
            "seconds each",
            "equal slices",
            "ours",
            "what knows all",
            "time of ours",
            "of what knows all",
        ]);
        for part in PARTS {
            let ticks = self.limit * part;
            let share = |other: &SumCurve| match self.part_of_time(other, ticks) {
                _ if self.equal.at(ticks) >= self.equal.start => "–".to_owned(),
                Some(part) => format!("{:.0} %", part * 100.0),
                None => "more".to_owned(),
            };
            let sums = [&self.equal, &self.ours, &self.oracle].map(|sums| sums.at(ticks).to_string());
            table.add_row([seconds(ticks)].into_iter().chain(sums).chain([share(&self.ours), share(&self.oracle)]));
        }
        for column in table.column_iter_mut() {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(f, "{table}")
    }
}
