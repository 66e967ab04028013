//! Animated SVG: each piece has its places and their times, by SMIL.
//!
//! ```text
//!   <g><use href="#soko-box"/>                          below, always seen
//!      <use href="#soko-box-on-goal" visibility=…/>     above, seen while the box is on a goal
//!      <animateTransform values="32 32;64 32;64 32" keyTimes="0;0.25;1"/></g>
//! ```
//!
//! A straight line of moves is two places, so the text grows with player lines and box lines, not with moves.

use std::fmt::Write as _;

use super::{END, START};
use crate::playback::Playback;
use crate::skin::UNITS;
use crate::svg_text::{SvgFile, ground};
use crate::{FloorPlan, SolutionImage, Symbol};

/// Parts of the whole time that `keyTimes` tells apart.
const PARTS: usize = 1_000_000;

/// Where a piece is, at times from the start in milliseconds.
#[derive(Clone, Debug)]
struct Track {
    /// Time and cell; between two of them the piece moves evenly.
    places: Vec<(usize, usize)>,
    /// Times at which a push puts it on a goal (true) or off one (false).
    on_goal: Vec<(usize, bool)>,
}

/// Returns the text of the file.
pub(crate) fn text(image: &SolutionImage<'_>) -> String {
    let grid = image.subject.level.grid();
    let (tracks, total) = tracks(image);
    let plan = FloorPlan::of(grid);
    let mut body = ground(&plan, image.theme);
    let n_boxes = tracks.len() - 1;
    for (idx, track) in tracks.iter().enumerate() {
        let symbols =
            if idx < n_boxes { [Symbol::Box, Symbol::BoxOnGoal] } else { [Symbol::Player, Symbol::PlayerOnGoal] };
        push_piece(&mut body, symbols, track, grid.width(), total);
    }
    let file = SvgFile {
        theme: image.theme,
        units: (grid.width() * UNITS, grid.height() * UNITS),
        square_size: image.square_size,
        title: image.title.as_deref(),
    };
    file.text("", &body)
}

/// The tracks of the boxes and, last, of the player; and the time of all.
fn tracks(image: &SolutionImage<'_>) -> (Vec<Track>, usize) {
    let Playback { player, boxes, moves, .. } = &image.subject.playback;
    let is_goal = |cell: usize| image.subject.level.grid().cells()[cell].is_goal();
    let mut tracks: Vec<Track> = boxes.iter().chain([player]).map(|&cell| Track::new(cell, is_goal(cell))).collect();
    let player_idx = boxes.len();
    let mut now = START;
    // Direction and kind of the last move: what continues it only moves the end of the line.
    let mut line = None;
    for played in moves {
        let before = now;
        now += 1_000 / image.subject.pushes_per_second / if played.pushed.is_some() { 1 } else { 2 };
        let this = Some((played.dir, played.pushed.map(|(idx, _)| idx)));
        let is_same = line == this;
        line = this;
        let step = |track: &mut Track, cell: usize| track.step(before, now, cell, is_same, is_goal(cell));
        step(&mut tracks[player_idx], played.player);
        if let Some((idx, cell)) = played.pushed {
            step(&mut tracks[idx], cell);
        }
    }
    (tracks, now + END)
}

impl Track {
    fn new(cell: usize, is_on_goal: bool) -> Self {
        Self { places: vec![(0, cell)], on_goal: vec![(0, is_on_goal)] }
    }

    /// Moves to a cell between two times, on the line of the last step or on a new one.
    fn step(&mut self, from: usize, to: usize, cell: usize, continues: bool, is_on_goal: bool) {
        let last = *self.places.last().expect("invariant: a track has a start");
        if continues {
            self.places.pop();
        } else if last.0 < from {
            self.places.push((from, last.1));
        }
        self.places.push((to, cell));
        let was_on_goal = self.on_goal.last().is_some_and(|(_, is_on_goal)| *is_on_goal);
        if was_on_goal && !is_on_goal {
            self.on_goal.push((from, false));
        } else if is_on_goal && !was_on_goal {
            self.on_goal.push((to, true));
        }
    }
}

fn push_piece(text: &mut String, [symbol, on_goal]: [Symbol; 2], track: &Track, width: usize, total: usize) {
    let place = |cell: usize| format!("{} {}", cell % width * UNITS, cell / width * UNITS);
    let visibility = |is_seen: bool| if is_seen { "visible" } else { "hidden" };
    let start = track.places[0].1;
    let seen = visibility(track.on_goal[0].1);
    let mut line = format!("<g transform=\"translate({})\"><use href=\"#{}\"/>", place(start), symbol.id());
    if track.on_goal.len() > 1 || track.on_goal[0].1 {
        let values = track.on_goal.iter().map(|(time, is_seen)| (*time, visibility(*is_seen).to_owned()));
        let animate = animate(values, total, "animate attributeName=\"visibility\" calcMode=\"discrete\"");
        write!(line, "<use href=\"#{}\" visibility=\"{seen}\">{animate}</use>", on_goal.id())
            .expect("invariant: a String takes all text");
    }
    let places = track.places.iter().map(|(time, cell)| (*time, place(*cell)));
    let end = track.places.last().map(|(_, cell)| (total, place(*cell)));
    line += &animate(places.chain(end), total, "animateTransform attributeName=\"transform\" type=\"translate\"");
    *text += &line;
    text.push_str("</g>\n");
}

/// An animation through values at times; nothing if the value never changes.
fn animate(values: impl Iterator<Item = (usize, String)>, total: usize, element: &str) -> String {
    let (times, values): (Vec<usize>, Vec<String>) = values.unzip();
    if values.iter().all(|value| *value == values[0]) {
        return String::new();
    }
    let part = |time: usize| match time * PARTS / total {
        0 => "0".to_owned(),
        PARTS => "1".to_owned(),
        parts => format!(".{parts:06}").trim_end_matches('0').to_owned(),
    };
    let times: Vec<String> = times.into_iter().map(part).collect();
    format!(
        "<{element} dur=\"{}.{:03}s\" repeatCount=\"indefinite\" keyTimes=\"{}\" values=\"{}\"/>",
        total / 1_000,
        total % 1_000,
        times.join(";"),
        values.join(";"),
    )
}
