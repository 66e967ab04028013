//! Colors of the light and the dark theme.

use std::fmt;

/// The colors that a picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark walls on a light page.
    #[default]
    Light,
    /// Muted walls on a dark page.
    Dark,
}

/// What a shape is part of. The role names its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The page around the board, where a picture cannot be transparent.
    Page,
    /// Every other square of the floor.
    Floor,
    /// The other squares of the floor.
    FloorOther,
    /// The top of walls.
    Wall,
    /// The border of walls.
    WallEdge,
    /// The middle of a goal.
    Goal,
    /// The ring of a goal.
    GoalRing,
    /// A box off goal.
    Box,
    /// Its border.
    BoxEdge,
    /// Its brace.
    BoxMark,
    /// A box on a goal.
    BoxOnGoal,
    /// Its border.
    BoxOnGoalEdge,
    /// Its mark.
    BoxOnGoalMark,
    /// The player.
    Player,
    /// The player's border.
    PlayerEdge,
    /// The player's eyes.
    PlayerEye,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Page,
        Self::Floor,
        Self::FloorOther,
        Self::Wall,
        Self::WallEdge,
        Self::Goal,
        Self::GoalRing,
        Self::Box,
        Self::BoxEdge,
        Self::BoxMark,
        Self::BoxOnGoal,
        Self::BoxOnGoalEdge,
        Self::BoxOnGoalMark,
        Self::Player,
        Self::PlayerEdge,
        Self::PlayerEye,
    ];

    /// Returns its class in pages, without `soko-`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Floor => "floor",
            Self::FloorOther => "floor-other",
            Self::Wall => "wall",
            Self::WallEdge => "wall-edge",
            Self::Goal => "goal",
            Self::GoalRing => "goal-ring",
            Self::Box => "box",
            Self::BoxEdge => "box-edge",
            Self::BoxMark => "box-mark",
            Self::BoxOnGoal => "done",
            Self::BoxOnGoalEdge => "done-edge",
            Self::BoxOnGoalMark => "done-mark",
            Self::Player => "player",
            Self::PlayerEdge => "player-edge",
            Self::PlayerEye => "player-eye",
        }
    }

    /// Returns its color, such as `#5c6675`.
    #[must_use]
    pub const fn color(self, theme: Theme) -> &'static str {
        let (light, dark) = self.colors();
        match theme {
            Theme::Light => light,
            Theme::Dark => dark,
        }
    }

    const fn colors(self) -> (&'static str, &'static str) {
        match self {
            Self::Page => ("#ffffff", "#15181d"),
            Self::Floor => ("#f0ebe1", "#2b3038"),
            Self::FloorOther => ("#e8e2d5", "#30363f"),
            Self::Wall => ("#6b7788", "#6a7686"),
            Self::WallEdge => ("#465060", "#8b98a9"),
            Self::Goal => ("#c2413a", "#ef6f66"),
            Self::GoalRing => ("#e6b0a5", "#74413f"),
            Self::Box => ("#e3a44c", "#d79a49"),
            Self::BoxEdge => ("#8a5414", "#7d4d14"),
            Self::BoxMark => ("#c07f28", "#ad7327"),
            Self::BoxOnGoal => ("#5aa469", "#62ad72"),
            Self::BoxOnGoalEdge => ("#24613a", "#1f5634"),
            Self::BoxOnGoalMark => ("#eaf6ea", "#e9f7ea"),
            Self::Player => ("#3b7dd8", "#5d9bea"),
            Self::PlayerEdge => ("#1d4481", "#1b3f77"),
            Self::PlayerEye => ("#ffffff", "#ffffff"),
        }
    }
}

impl fmt::Display for Role {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the style sheet that gives the symbols of a page the theme of the reader's system. A page whose root element
/// has the class `soko-light` or `soko-dark` has that theme whatever the system says.
pub(crate) fn style_sheet() -> String {
    let colors = |theme: Theme| -> String {
        Role::ALL.iter().map(|role| format!("--soko-{role}:{};", role.color(theme))).collect()
    };
    let classes: String = Role::ALL
        .iter()
        .map(|role| format!(".soko-{role}{{fill:var(--soko-{role});stroke:var(--soko-{role})}}\n"))
        .collect();
    let (light, dark) = (colors(Theme::Light), colors(Theme::Dark));
    format!(
        ":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root:not(.soko-light){{{dark}}}}}\n\
         :root.soko-dark{{{dark}}}\n@media print{{:root:root:root{{{light}}}}}\n{classes}"
    )
}
