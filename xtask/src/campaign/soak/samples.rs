//! Measurements of a process over time, and whether they are flat.

use std::fs;
use std::time::Duration;

/// Memory that the last third may have more than the second one, in parts of it, and at least in MiB: one run of the pages
/// more may be in progress, caches of a library
/// and of the allocator grow for long, and ever less.
const MORE_MEMORY: f64 = 0.10;
const MORE_MIB: f64 = 48.0;
/// The account leaves out what the process needs for itself: so many MiB beside the memory of the searches.
const OWN_MIB: f64 = 64.0;
/// Handles that the last third may have more than the second.
const MORE_HANDLES: f64 = 4.0;
/// Latency of the last third in parts of that of the second; a busy machine delays whatever runs.
const MORE_LATENCY: f64 = 3.0;
/// Latency that is never a defect, in milliseconds.
const LITTLE_LATENCY_MS: f64 = 200.0;

/// One look at a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) seconds: f64,
    pub(super) resident_mib: f64,
    pub(super) handles: f64,
    pub(super) threads: f64,
    pub(super) latency_ms: f64,
}

/// All looks at a process, in their order.
#[derive(Debug, Default)]
pub(super) struct Samples(Vec<Sample>);

/// A column: its name, and how it is read.
pub(super) type Column = (&'static str, fn(&Sample) -> f64);

/// What is measured.
pub(super) const COLUMNS: [Column; 4] = [
    ("resident MiB", |sample| sample.resident_mib),
    ("handles", |sample| sample.handles),
    ("threads", |sample| sample.threads),
    ("latency ms", |sample| sample.latency_ms),
];

impl Sample {
    /// Looks at a process; `None` if it has ended, or where the system does not tell.
    pub(super) fn of(process: u32, time: Duration, latency: Duration) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let number = |key: &str| -> Option<f64> {
            let rest = status.lines().find_map(|line| line.strip_prefix(key))?;
            rest.split_whitespace().next()?.parse().ok()
        };
        Some(Self {
            seconds: time.as_secs_f64(),
            resident_mib: number("VmRSS:")? / 1024.0,
            handles: fs::read_dir(format!("/proc/{process}/fd")).ok()?.count() as f64,
            threads: number("Threads:")?,
            latency_ms: latency.as_secs_f64() * 1e3,
        })
    }
}

impl Extend<Sample> for Samples {
    fn extend<I: IntoIterator<Item = Sample>>(&mut self, samples: I) {
        self.0.extend(samples);
    }
}

impl Samples {
    /// The points of a column over the seconds.
    pub(super) fn points(&self, column: fn(&Sample) -> f64) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().map(move |sample| (sample.seconds, column(sample)))
    }

    /// All samples as comma-separated values.
    pub(super) fn csv(&self) -> String {
        let mut text = "seconds,resident_mib,handles,threads,latency_ms\n".to_owned();
        for Sample { seconds, resident_mib, handles, threads, latency_ms } in &self.0 {
            text += &format!("{seconds:.1},{resident_mib:.1},{handles},{threads},{latency_ms:.1}\n");
        }
        text
    }

    /// The medians of a column in the second third and in the last; `None` of too few samples.
    fn medians(&self, column: fn(&Sample) -> f64) -> Option<(f64, f64)> {
        let third = self.0.len() / 3;
        let median = |samples: &[Sample]| {
            let mut values: Vec<f64> = samples.iter().map(column).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        Some((median(&self.0[third..2 * third])?, median(&self.0[2 * third..])?))
    }

    /// A line for each column: the most, and the medians of the second third and of the last.
    pub(super) fn summary(&self, name: &str) -> Vec<String> {
        let line = |(column, read): Column| {
            let most = self.points(read).map(|(_, value)| value).fold(0.0, f64::max);
            let (second, last) = self.medians(read)?;
            Some(format!("{name}: {column}: most {most:.1}, second third {second:.1}, last third {last:.1}"))
        };
        COLUMNS.into_iter().filter_map(line).collect()
    }

    /// What grows, or takes more memory than was allowed.
    pub(super) fn not_flat(&self, memory_mib: u64) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |(name, read): Column, allowed: fn(f64) -> f64| {
            let Some((second, last)) = self.medians(read) else { return };
            if last > allowed(second) {
                found.push(format!("{name} grows from {second:.1} to {last:.1}"));
            }
        };
        let [memory, handles, threads, latency] = COLUMNS;
        compare(memory, |second| second + (second * MORE_MEMORY).max(MORE_MIB));
        compare(handles, |second| second + MORE_HANDLES);
        compare(threads, |second| second + MORE_HANDLES);
        compare(latency, |second| (second * MORE_LATENCY).max(LITTLE_LATENCY_MS));
        let most = self.points(memory.1).map(|(_, value)| value).fold(0.0, f64::max);
        if most > memory_mib as f64 + OWN_MIB {
            found.push(format!("{most:.1} MiB are resident where {memory_mib} were allowed"));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(memory: impl Fn(f64) -> f64, handles: impl Fn(f64) -> f64) -> Samples {
        let sample = |at: u32| {
            let seconds = f64::from(at);
            let (resident_mib, handles) = (memory(seconds), handles(seconds));
            Sample { seconds, resident_mib, handles, threads: 4.0, latency_ms: 5.0 }
        };
        Samples((0..300).map(sample).collect())
    }

    #[test]
    fn what_grows_after_it_is_warm_is_found() {
        let warm = |seconds: f64| seconds.min(90.0) * 2.0;
        assert_eq!(samples(warm, |_| 12.0).not_flat(256), Vec::<String>::new());
        let leaks = samples(|seconds| 40.0 + seconds / 2.0, |seconds| 12.0 + seconds / 10.0).not_flat(256);
        assert_eq!(leaks.len(), 2, "{leaks:?}");
        assert!(leaks[0].contains("resident MiB grows from 115.0 to 165.0"), "{leaks:?}");
        let large = samples(|_| 400.0, |_| 12.0).not_flat(256);
        assert!(large.len() == 1 && large[0].contains("400.0 MiB are resident where 256"), "{large:?}");
        assert!(Samples::default().not_flat(1).is_empty());
    }

    #[test]
    fn samples_become_a_table_and_a_summary() {
        let samples = samples(|_| 40.0, |_| 12.0);
        assert!(samples.csv().starts_with("seconds,resident_mib,handles,threads,latency_ms\n0.0,40.0,12,4,5.0\n"));
        assert_eq!(samples.summary("night")[1], "night: handles: most 12.0, second third 12.0, last third 12.0");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_can_be_looked_at() {
        let sample = Sample::of(std::process::id(), Duration::ZERO, Duration::ZERO).unwrap();
        assert!(sample.resident_mib > 0.0 && sample.handles >= 3.0 && sample.threads >= 1.0);
        assert_eq!(Sample::of(u32::MAX, Duration::ZERO, Duration::ZERO), None);
    }
}
