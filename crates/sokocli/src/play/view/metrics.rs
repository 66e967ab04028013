//! The six metrics as they run, as a table or, where there is no room, as one line for each game.
//!
//! ```text
//!              moves      pushes   box lines  ...
//!  left        12/77        3/15         2/9
//!  right       10/81        3/15         2/8
//!  differ         -2           0           0      right against left, at this moment
//! ```

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sokocore::{Metric, Metrics};

use crate::play::looks::Looks;
use crate::play::player::{PlayMode, Player};
use crate::terminal::Paint;

/// Columns of the names of rows.
const NAME: usize = 6;
/// Columns of each metric; the name of the last one is long.
const CELLS: [usize; 6] = [12, 12, 12, 12, 12, 14];
/// The least width of a table.
const TABLE: usize = 80;
/// What each of the numbers is called, in their order.
const NAMES: [&str; 6] = ["moves", "pushes", "box lines", "changes", "sessions", "player lines"];

/// Returns the lines for a screen of this width.
pub(super) fn lines(player: &Player<'_>, looks: &Looks, width: u16) -> Vec<Line<'static>> {
    let rows = rows(player);
    let is_table = usize::from(width) >= TABLE;
    let differ = match &rows[..] {
        [left, right] if player.shown() == PlayMode::Replay => Some(difference(left.now, right.now)),
        _ => None,
    };
    let cells = |numbers: [String; 6]| -> String {
        if !is_table {
            return numbers.join("/");
        }
        numbers.iter().zip(CELLS).map(|(text, width)| format!("{text:>width$}")).collect()
    };
    let label = |name: &str| if is_table { format!("{name:<NAME$}") } else { format!("{name} ") };
    let mut lines = Vec::new();
    if is_table {
        let names = cells(NAMES.map(str::to_owned));
        lines.push(Line::styled(format!("{}{names}", label("")), looks.paint(Paint::Dim)));
    }
    for row in &rows {
        let numbers = Metric::ALL.map(|metric| {
            let now = metric.of(&row.now);
            match row.of.as_ref().filter(|_| is_table) {
                Some(total) => format!("{now}/{}", metric.of(total)),
                None => now.to_string(),
            }
        });
        let total = row.of.filter(|_| !is_table).map(|total| format!(" of {total}")).unwrap_or_default();
        let style = if row.is_solved { looks.paint(Paint::Good) } else { Style::new() };
        let text = cells(numbers);
        // The end is left out where there is no room for it.
        let has_room = row.name.len() + 1 + text.len() + total.len() <= usize::from(width);
        let text = if has_room { text + &total } else { text };
        lines.push(Line::from(vec![Span::styled(label(row.name), looks.paint(Paint::Dim)), Span::styled(text, style)]));
    }
    if let Some(differ) = differ {
        let signed = |n: i128| if n == 0 { "0".to_owned() } else { format!("{n:+}") };
        let text = cells(differ.map(signed));
        lines.push(Line::from(vec![Span::styled(label("differ"), looks.paint(Paint::Dim)), Span::raw(text)]));
    }
    lines
}

/// One row of numbers.
struct Row {
    name: &'static str,
    now: Metrics,
    /// What it becomes in the end.
    of: Option<Metrics>,
    is_solved: bool,
}

fn rows(player: &Player<'_>) -> Vec<Row> {
    match player.shown() {
        PlayMode::Replay => {
            let playbacks = player.playbacks();
            let names = if playbacks.len() == 2 { ["left", "right"] } else { ["now", ""] };
            let row = |(playback, name): (&&crate::play::move_history::MoveHistory<'_>, &'static str)| Row {
                name,
                now: playback.metrics(),
                of: Some(playback.total()),
                is_solved: playback.is_solved(),
            };
            playbacks.iter().zip(names).map(row).collect()
        }
        PlayMode::Game => {
            let playback = player.game().playback();
            let game = Row { name: "game", now: playback.metrics(), of: None, is_solved: playback.is_solved() };
            let solutions = player.recordings().list.iter().filter(|recording| recording.is_solution);
            let best =
                solutions.map(|recording| recording.metrics).min_by_key(|metrics| (metrics.moves, metrics.pushes));
            let best = best.map(|now| Row { name: "best", now, of: None, is_solved: false });
            std::iter::once(game).chain(best).collect()
        }
    }
}

fn difference(left: Metrics, right: Metrics) -> [i128; 6] {
    Metric::ALL.map(|metric| i128::from(metric.of(&right)) - i128::from(metric.of(&left)))
}
