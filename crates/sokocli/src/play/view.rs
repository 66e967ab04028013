//! What the screen shows of the state.
//!
//! ```text
//!  2. The bay window        level 2 of 3                 title
//!            board          board beside it
//!                 moves  pushes  ...                     metrics
//!  plays  ████░░░░  34 %  8 moves/s                      or what is said
//!  space play   ← → step   ...   ? help   q quit         keys
//! ```

mod board;
mod help;
mod metrics;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr as _;

use self::board::BoardView;
use super::looks::Looks;
use super::player::Player;
use super::replay::Replay;
use crate::terminal::Paint;
use crate::wording::{count, harmless};

/// The smallest screen.
const MIN_WIDTH: u16 = 20;
const MIN_HEIGHT: u16 = 7;
/// The least width of two boards beside each other; in less they are above each other.
const MIN_BESIDE: u16 = 40;
/// Columns of the bar that shows how far a replay is, of one game and of two.
const BARS: [usize; 2] = [20, 10];

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, player: &Player<'_>, looks: &Looks) {
    let area = frame.area();
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        frame.render_widget(Line::raw(format!("needs {MIN_WIDTH} x {MIN_HEIGHT}")), area);
        return;
    }
    let metrics = metrics::lines(player, looks, area.width);
    let n_metrics = u16::try_from(metrics.len()).unwrap_or(1);
    let rows = [1, 0, n_metrics, 1, 1].map(|n| if n == 0 { Constraint::Fill(1) } else { Constraint::Length(n) });
    let [title, boards, table, status, keys] = Layout::vertical(rows).areas(area);
    frame.render_widget(Line::styled(title_line(player, title.width), looks.paint(Paint::Strong)), title);
    draw_boards(frame, boards, player, looks);
    for (line, y) in metrics.into_iter().zip(table.y..table.bottom()) {
        frame.render_widget(line, Rect { y, height: 1, ..table });
    }
    frame.render_widget(status_line(player, looks), status);
    frame.render_widget(help::hint(player.keys(), looks, keys.width), keys);
    if let Some(from) = player.help_from() {
        help::draw(frame, area, player.keys(), from, looks);
    }
}

/// The title of the level and, of one game alone, that of the game.
fn title_line(player: &Player<'_>, width: u16) -> String {
    let (at, n) = player.level_place();
    let mut parts = vec![player.level_title()];
    match player.shown_replay() {
        Some(replay) if replay.sides().len() == 1 => parts.push(side_title(player, replay, 0)),
        Some(_) => {}
        None => parts.push("your game".to_owned()),
    }
    let place = if n > 1 { format!("level {at} of {n}") } else { String::new() };
    let text = parts.join("   ");
    let blanks = usize::from(width).saturating_sub(text.width() + place.width());
    if blanks < 2 { text } else { format!("{text}{}{place}", " ".repeat(blanks)) }
}

/// The title of a recording, and which of how many it is.
fn side_title(player: &Player<'_>, replay: &Replay<'_>, side: usize) -> String {
    let side = &replay.sides()[side];
    let n = player.recordings().list.len();
    let place = if n > 1 { format!(" ({} of {n})", side.recording_idx + 1) } else { String::new() };
    format!("{}{place}", harmless(&side.title))
}

fn draw_boards(frame: &mut Frame<'_>, area: Rect, player: &Player<'_>, looks: &Looks) {
    let playbacks = player.playbacks();
    let path_of = player.path_of();
    let [left, right] = &playbacks[..] else {
        for playback in playbacks {
            BoardView { playback, other: None, path_of, looks }.draw(frame, area);
        }
        return;
    };
    let areas: [Rect; 2] = if area.width >= MIN_BESIDE {
        Layout::horizontal([Constraint::Fill(1); 2]).spacing(2).areas(area)
    } else {
        Layout::vertical([Constraint::Fill(1); 2]).areas(area)
    };
    for (side, (playback, other)) in [(left, right), (right, left)].into_iter().enumerate() {
        let [caption, board] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(areas[side]);
        if let Some(replay) = player.shown_replay() {
            let (mark, paint) = if replay.focus() == side { ("> ", Paint::Strong) } else { ("  ", Paint::Dim) };
            let title = format!("{mark}{}", side_title(player, replay, side));
            frame.render_widget(Line::styled(title, looks.paint(paint)), caption);
        }
        BoardView { playback, other: Some(other), path_of, looks }.draw(frame, board);
    }
}

/// What is said, what is typed, or how the replay or the game stands.
fn status_line(player: &Player<'_>, looks: &Looks) -> Line<'static> {
    if let Some(number) = player.number() {
        let what = player.shown_replay().map_or("moves", |replay| replay.stride().name());
        return Line::styled(format!("go to after so many {what}: {number}_"), looks.paint(Paint::Strong));
    }
    if !player.message().is_empty() {
        return Line::styled(player.message().to_owned(), looks.paint(Paint::Warning));
    }
    let Some(replay) = player.shown_replay() else {
        let playback = player.game().playback();
        let taken_back = playback.n_moves() - playback.at();
        let more = if taken_back > 0 { format!(", {} taken back", count(taken_back, "move")) } else { String::new() };
        return Line::raw(format!("{} on goals{more}", boxes_on_goals(playback.n_on_goals(), playback.boxes().len())));
    };
    let (at, end) = replay.progress();
    #[expect(clippy::cast_precision_loss, reason = "a bar has some dozens of columns")]
    let share = if end == 0 { 1.0 } else { at as f64 / end as f64 };
    let state = if replay.is_playing() { "plays " } else { "paused" };
    let bar = looks.terminal().bar(share, BARS[usize::from(replay.in_step().is_some())]);
    let percent = at * 100 / end.max(1);
    let mut text = format!("{state} {bar} {percent:>3} %  {} {}/s", replay.speed(), replay.stride().name());
    if let (Some(in_step), [left, right]) = (replay.in_step(), replay.sides()) {
        let stands_here = |sq: &&sokocore::Square| right.playback.box_at(**sq).is_some();
        let n_elsewhere = left.playback.boxes().iter().filter(|sq| !stands_here(sq)).count();
        text += &format!("  in step by {}, {} elsewhere", in_step.name(), count(n_elsewhere, "box"));
    }
    Line::raw(text)
}

fn boxes_on_goals(n: usize, n_boxes: usize) -> String {
    format!("{n} of {}", count(n_boxes, "box"))
}

#[cfg(test)]
mod tests;
