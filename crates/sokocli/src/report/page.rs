//! The page: one HTML file with its data, its styles and its scripts.
//!
//! The policy in its head names the digests of the style and of the script, and forbids everything else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sokodraw::{escaped, web};

use super::charts::{bars, named_bars, sum_over_time};
use super::level::{OBJECTIVES, ReportContent, ReportLevel};
use super::sums::sums;
use super::totals::ReportTotals;
use crate::wording::{capitalized, count, thousands};

/// Letters of names that are the title of a page; of more names, their number is.
const LONGEST_TITLE: usize = 60;

/// What the script gets.
#[derive(Debug, Serialize)]
struct PageData<'a> {
    levels: &'a [ReportLevel],
}

/// Makes the page.
pub(super) fn page(report: &ReportContent) -> anyhow::Result<String> {
    let style = web::replay_css() + include_str!("page/report.css");
    let script = web::REPLAY_JS.to_owned() + include_str!("page/report.js");
    let data = serde_json::to_string(&PageData { levels: &report.levels })?;
    // What ends a script element, or begins another one in it, has this letter.
    let data = data.replace('<', "\\u003c");
    let title = title(report);
    let mut body = String::new();
    for at in 0..OBJECTIVES.len() {
        body += &overview(report, at)?;
    }
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(&style),
        digest(&script)
    );
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n\
         <body class=\"by-0\">\n{symbols}<header>\n<h1>{title}</h1>\n<p class=\"muted\">{about}</p>\n{choice}</header>\n\
         <main>\n{body}{levels}</main>\n<script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script type=\"module\">{script}</script>\n</body>\n</html>\n",
        symbols = web::symbols(),
        about = about(report),
        choice = include_str!("page/choice.html"),
        levels = include_str!("page/levels.html"),
    ))
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

/// The title, as markup: the names if they are short.
fn title(report: &ReportContent) -> String {
    let names = report.sources.join(", ");
    if report.sources.len() == 1 || names.chars().count() <= LONGEST_TITLE {
        escaped(&names)
    } else {
        count(report.sources.len(), "collection")
    }
}

/// What is read, as markup.
fn about(report: &ReportContent) -> String {
    const MOST: usize = 6;
    let names = report.sources.iter().take(MOST).map(|name| escaped(name)).collect::<Vec<_>>().join(" · ");
    let more = report.sources.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let is_title = report.sources.join(", ").chars().count() <= LONGEST_TITLE;
    let sources = if report.sources.len() > 1 && !is_title { format!("{names}{more}<br>") } else { String::new() };
    format!("{sources}Soko {}", env!("CARGO_PKG_VERSION"))
}

/// The figures and the charts by an objective.
fn overview(report: &ReportContent, at: usize) -> anyhow::Result<String> {
    let totals = ReportTotals::of(report, at);
    let what = ["moves", "pushes"][at];
    let (tiles, charts) = (tiles(&totals, what), charts(report, &totals, at, what)?);
    Ok(format!(
        "<section class=\"overview of-{at}\" aria-label=\"By {what}\">\n<div class=\"tiles\">\n{tiles}</div>\n\
         <div class=\"charts\">\n{charts}</div>\n</section>\n"
    ))
}

fn tiles(totals: &ReportTotals, what: &str) -> String {
    let number = |n: usize| thousands(n as u64);
    let (gain, of) = match totals.gain_percent() {
        Some(percent) => (
            match totals.before - totals.after {
                0 => "0".to_owned(),
                gain => format!("−{}", thousands(gain)),
            },
            format!("{} → {} {what}, {percent:.1}\u{a0}%", thousands(totals.before), thousands(totals.after)),
        ),
        None => ("–".to_owned(), "no level came with a solution".to_owned()),
    };
    let solved = (totals.n_solved * 100).checked_div(totals.n_levels).unwrap_or(0);
    let tiles = [
        (format!("{what} gained"), gain, of),
        ("improved".to_owned(), number(totals.n_improved), format!("of {}", count(totals.n_levels, "level"))),
        ("newly solved".to_owned(), number(totals.n_newly_solved), "came without a solution".to_owned()),
        (
            "solved".to_owned(),
            format!("{solved}\u{a0}%"),
            format!("{} of {}", number(totals.n_solved), number(totals.n_levels)),
        ),
        ("proved".to_owned(), number(totals.n_proved), format!("with the fewest {what}")),
    ];
    tiles.iter().map(|(name, value, more)| tile(name, value, more)).collect()
}

fn charts(report: &ReportContent, totals: &ReportTotals, at: usize, what: &str) -> anyhow::Result<String> {
    // Where levels are only solved, none better than before, the levels are what counts.
    let has_gain = totals.finders.iter().any(|(_, _, gain)| *gain > 0);
    let gained = totals.finders.iter().map(|(name, n, gain)| (name.clone(), if has_gain { *gain } else { *n as u64 }));
    let gained: Vec<_> = gained.collect();
    let gaps: Vec<_> = totals.gaps.iter().map(|(name, n)| (name.clone(), *n as u64)).collect();
    let names = [
        format!("Sum of {what} over time"),
        format!("{} gained, by who found them", capitalized(if has_gain { what } else { "levels" })),
        format!("Levels by gap of {what}, in percent"),
    ];
    let charts = [
        sum_over_time(&sums(&report.counts[at]), &names[0])?,
        named_bars(&gained, &names[1])?,
        bars(&gaps, &names[2])?,
    ];
    // Where files note no times there is nothing to say about them.
    let none = [None, Some("Nothing was gained."), Some("No level has a solution.")];
    let figure = |((name, chart), none): ((&String, Option<String>), Option<&str>)| {
        let chart = chart.or_else(|| none.map(|none| format!("<p class=\"muted none\">{none}</p>\n")))?;
        Some(format!("<figure><figcaption>{name}</figcaption>\n{chart}</figure>\n"))
    };
    Ok(names.iter().zip(charts).zip(none).filter_map(figure).collect())
}

fn tile(name: &str, value: &str, more: &str) -> String {
    format!(
        "<div class=\"tile\"><span class=\"name\">{name}</span> <strong>{value}</strong> \
         <span class=\"muted\">{more}</span></div>\n"
    )
}
