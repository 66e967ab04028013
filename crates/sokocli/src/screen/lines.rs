//! The lines that are drawn: one about the run, one about each level in work.

use std::time::Duration;

use sokocore::{Metrics, Objective};

use super::state::{RunState, Work};
use crate::proofs::gap_percent;
use crate::table::{columns_of, shorten_end, shorten_middle};
use crate::terminal::{Paint, Terminal};
use crate::wording::{count, duration, harmless, noun, thousands};

/// Most columns of the bar.
const BAR: usize = 24;
/// Most levels in work that have a line.
const MAX_WORKS: usize = 8;
/// What lies between two parts of a level's line.
const GAP: &str = "  ";

/// Draws the run and the levels in work. No line is as wide as the terminal: some of them break such lines.
pub(super) fn draw(state: &mut RunState, terminal: &Terminal) -> String {
    let width = terminal.width().map_or(usize::MAX, |width| width.saturating_sub(1));
    let mut lines = vec![run_line(state, width, terminal)];
    lines.extend(state.works.iter().take(MAX_WORKS).map(|work| work_line(work, width, terminal)));
    if let Some(n_more) = state.works.len().checked_sub(MAX_WORKS).filter(|&n_more| n_more > 0) {
        lines.push(shorten_end(&format!("{GAP}and {}", count(n_more, "more level")), width, terminal.ellipsis()));
    }
    lines.join("\n")
}

fn run_line(state: &mut RunState, width: usize, terminal: &Terminal) -> String {
    let share = state.share();
    let bar = terminal.bar(share, BAR.min(width / 4));
    let of_how_many = format!("{} of {}", number(state.sums.n_finished), number(state.facts.n_levels));
    let mut parts = vec![of_how_many];
    let counts =
        [(state.sums.n_improved, "improved"), (state.sums.n_solved, "solved"), (state.sums.n_failed, "failed")];
    parts.extend(counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))));
    parts.extend(state.time_left().map(|left| format!("{} left", coarse(left))));
    parts.extend(
        state
            .gained
            .iter()
            .filter(|(_, sum)| *sum > 0)
            .map(|&(metric, sum)| format!("{} saved", count(sum, noun(metric)))),
    );
    parts.push(format!("{} gone", coarse(state.clock.elapsed())));
    let room = width.saturating_sub(columns_of(&bar) + GAP.len());
    format!("{}{GAP}{}", terminal.paint(Paint::Good, &bar), joined(&parts, terminal.dot(), room, terminal))
}

/// Title, time, bests and gaps, what is tried: what does not fit is left out, from the end.
fn work_line(work: &Work, width: usize, terminal: &Terminal) -> String {
    let title = shorten_middle(&harmless(&work.title), (width / 3).max(10), terminal.ellipsis());
    let mut parts = vec![title, duration_in_seconds(work.clock.elapsed())];
    parts.extend(Some(bests(work)).filter(|bests| !bests.is_empty()));
    parts.extend(Some(work.doing.to_owned()).filter(|doing| !doing.is_empty()));
    format!("{GAP}{}", joined(&parts, GAP, width.saturating_sub(GAP.len()), terminal))
}

/// `230/97 (gap 8.5 %)`, or `moves 230/97 (gap 8.5 %), pushes 236/91 (gap 1.1 %)` where they differ; the bound alone
/// while there is no solution.
fn bests(work: &Work) -> String {
    let text = |metrics: &Metrics| format!("{}/{}", metrics.moves, metrics.pushes);
    match &work.bests[..] {
        [] => {
            let bounds: Vec<_> = work.at_least.iter().map(|&(metric, least)| count(least, noun(metric))).collect();
            if bounds.is_empty() { String::new() } else { format!("at least {}", bounds.join(", ")) }
        }
        [(objective, metrics)] => format!("{}{}", text(metrics), gap(work, *objective, metrics)),
        bests => {
            let best = |(objective, metrics): &(Objective, Metrics)| {
                format!("{objective} {}{}", text(metrics), gap(work, *objective, metrics))
            };
            bests.iter().map(best).collect::<Vec<_>>().join(", ")
        }
    }
}

/// How far a solution may be from the best by what counts first, as far as a bound tells.
fn gap(work: &Work, objective: Objective, best: &Metrics) -> String {
    let metric = objective.order()[0];
    let least = work.at_least.iter().find(|(other, _)| *other == metric).map(|&(_, least)| least);
    match least.and_then(|least| gap_percent(metric.of(best), least)) {
        Some(gap) if gap > 0.0 => format!(" (gap {gap:.1} %)"),
        Some(_) => format!(" (no fewer {} possible)", metric.name()),
        None => String::new(),
    }
}

/// Joins as many parts as there is room for; the one that is too long is cut, unless little of it would be left.
fn joined(parts: &[String], gap: &str, room: usize, terminal: &Terminal) -> String {
    const LEAST: usize = 8;
    let mut text = String::new();
    for part in parts {
        let gap = if text.is_empty() { "" } else { gap };
        let left = room.saturating_sub(columns_of(&text) + columns_of(gap));
        if columns_of(part) > left && left < LEAST && !text.is_empty() {
            break;
        }
        text.push_str(gap);
        text.push_str(&shorten_end(part, left, terminal.ellipsis()));
        if columns_of(part) > left {
            break;
        }
    }
    text
}

fn number(n: usize) -> String {
    thousands(u64::try_from(n).unwrap_or(u64::MAX))
}

/// A time without tenths: they would only flicker.
fn coarse(time: Duration) -> String {
    let secs = time.as_secs();
    if secs < 60 { format!("{secs} s") } else { duration(Duration::from_secs(secs)) }
}

/// The same, of a width that seldom changes.
fn duration_in_seconds(time: Duration) -> String {
    format!("{:>5}", coarse(time))
}
