//! What a page needs to show boards and to replay solutions: a script, a style sheet, and the symbols.
//!
//! Pages may forbid inline scripts and styles (`Content-Security-Policy: default-src 'self'`): the script sets only
//! attributes and classes.

use crate::skin::theme::style_sheet;
use crate::{Theme, symbol_defs};

/// The module `replay.js`: `drawBoard(rows)` and the class `Replay`. Its first lines say how it is used.
pub const REPLAY_JS: &str = include_str!("web/replay.js");

/// Returns the style sheet of boards and of the replay, with the colors of both themes.
#[must_use]
pub fn replay_css() -> String {
    style_sheet() + include_str!("web/replay.css")
}

/// Returns an invisible `<svg>` element with the symbols, to be put into the page once.
///
/// ```
/// assert!(sokodraw::web::symbols().starts_with("<svg class=\"soko-symbols\""));
/// ```
#[must_use]
pub fn symbols() -> String {
    let symbols = symbol_defs(Theme::Light);
    format!(
        "<svg class=\"soko-symbols\" xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" \
         aria-hidden=\"true\"><defs>\n{symbols}</defs></svg>\n"
    )
}
