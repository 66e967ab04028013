//! Symbols: goal, box, box on goal, player, player on goal.

use super::UNITS;
use super::theme::{Role, Theme};

/// What stands on a square, by the symbol that draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A goal, drawn below whatever stands on it.
    Goal,
    /// A box off goal.
    Box,
    /// A box on a goal.
    BoxOnGoal,
    /// The player.
    Player,
    /// The player on a goal.
    PlayerOnGoal,
}

/// A shape of a symbol: its element without the colors.
type Shape = (Role, &'static str);

impl Symbol {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Goal, Self::Box, Self::BoxOnGoal, Self::Player, Self::PlayerOnGoal];

    /// Returns the id of its element in the text of [`symbol_defs`], such as `soko-box`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Goal => "soko-goal",
            Self::Box => "soko-box",
            Self::BoxOnGoal => "soko-box-on-goal",
            Self::Player => "soko-player",
            Self::PlayerOnGoal => "soko-player-on-goal",
        }
    }

    const fn shapes(self) -> &'static [Shape] {
        match self {
            Self::Goal => GOAL,
            Self::Box => BOX,
            Self::BoxOnGoal => BOX_ON_GOAL,
            Self::Player => PLAYER,
            Self::PlayerOnGoal => PLAYER_ON_GOAL,
        }
    }
}

const GOAL: &[Shape] =
    &[(Role::GoalRing, r#"circle cx="16" cy="16" r="8.5""#), (Role::Goal, r#"circle cx="16" cy="16" r="5""#)];

/// A crate with a frame and a brace.
const BOX: &[Shape] = &[
    (Role::BoxEdge, r#"rect x="2.5" y="2.5" width="27" height="27" rx="4.5""#),
    (Role::Box, r#"rect x="4.5" y="4.5" width="23" height="23" rx="2.5""#),
    (Role::BoxMark, r#"path d="M8 8h16v16h-16z""#),
    (Role::Box, r#"path d="M10.5 10.5h7.5l-7.5 7.5zM21.5 21.5h-7.5l7.5 -7.5z""#),
];

/// A box that has a lit disc instead of the brace, so that the difference does not rest on the color.
const BOX_ON_GOAL: &[Shape] = &[
    (Role::BoxOnGoalEdge, r#"rect x="2.5" y="2.5" width="27" height="27" rx="4.5""#),
    (Role::BoxOnGoal, r#"rect x="4.5" y="4.5" width="23" height="23" rx="2.5""#),
    (Role::BoxOnGoalMark, r#"circle cx="16" cy="16" r="5.5""#),
];

const PLAYER: &[Shape] = &[
    (Role::PlayerEdge, r#"circle cx="16" cy="16" r="12.5""#),
    (Role::Player, r#"circle cx="16" cy="16" r="10.5""#),
    (Role::PlayerEye, r#"circle cx="11.8" cy="14" r="2.8""#),
    (Role::PlayerEye, r#"circle cx="20.2" cy="14" r="2.8""#),
    (Role::PlayerEdge, r#"circle cx="12.3" cy="14.4" r="1.3""#),
    (Role::PlayerEdge, r#"circle cx="19.7" cy="14.4" r="1.3""#),
];

const PLAYER_ON_GOAL: &[Shape] = &[
    (Role::Goal, r#"circle cx="16" cy="16" r="14.5""#),
    (Role::GoalRing, r#"circle cx="16" cy="16" r="13""#),
    (Role::PlayerEdge, r#"circle cx="16" cy="16" r="11.5""#),
    (Role::Player, r#"circle cx="16" cy="16" r="9.8""#),
    (Role::PlayerEye, r#"circle cx="12" cy="14" r="2.7""#),
    (Role::PlayerEye, r#"circle cx="20" cy="14" r="2.7""#),
    (Role::PlayerEdge, r#"circle cx="12.5" cy="14.4" r="1.2""#),
    (Role::PlayerEdge, r#"circle cx="19.5" cy="14.4" r="1.2""#),
];

/// The checkered floor.
const FLOOR: &[Shape] =
    &[(Role::Floor, r#"path d="M0 0h64v64h-64z""#), (Role::FloorOther, r#"path d="M32 0h32v32h-32zM0 32h32v32h-32z""#)];

/// Returns the elements that boards refer to by their ids, to be put into `<defs>` once in a picture or a page: each
/// [`Symbol`], and the pattern `soko-floor`.
///
/// ```
/// use sokodraw::{Symbol, Theme, symbol_defs};
///
/// let symbols = symbol_defs(Theme::Light);
/// assert!(Symbol::ALL.iter().all(|symbol| symbols.contains(&format!("id=\"{}\"", symbol.id()))));
/// ```
#[must_use]
pub fn symbol_defs(theme: Theme) -> String {
    let draw = |shapes: &[Shape]| -> String {
        let draw_shape = |(role, shape): &Shape| {
            format!(r#"<{shape} class="soko-{role}" fill="{}" stroke-width="0"/>"#, role.color(theme))
        };
        shapes.iter().map(draw_shape).collect()
    };
    let tile = 2 * UNITS;
    let floor = format!(
        r#"<pattern id="soko-floor" width="{tile}" height="{tile}" patternUnits="userSpaceOnUse">{}</pattern>"#,
        draw(FLOOR)
    );
    let symbol = |symbol: Symbol| {
        let (id, shapes) = (symbol.id(), draw(symbol.shapes()));
        format!("\n<g id=\"{id}\">{shapes}</g>")
    };
    floor + &Symbol::ALL.map(symbol).concat() + "\n"
}
