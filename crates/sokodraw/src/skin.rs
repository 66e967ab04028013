//! How boards look: symbols of a square's size, drawn in flat shapes, and colors for light and dark pages.
//!
//! ```text
//!   0        32
//!   ┌─────────┐ 0     a square is 32 units wide, in every symbol and on every board
//!   │  ▗▄▄▄▖  │
//!   │  ▐███▌  │       each shape has a role (`box`, `box-edge`), and the theme gives the role its color:
//!   │  ▝▀▀▀▘  │       as an attribute in files, and by the class `soko-box` in pages
//!   └─────────┘ 32
//! ```
//!
//! Walls have no symbol: they are one path, which joins neighbors, see [`FloorPlan`](crate::FloorPlan).

pub(crate) mod symbol;
pub(crate) mod theme;

/// The width and height of a square in the units of symbols and boards.
pub(crate) const UNITS: usize = 32;
