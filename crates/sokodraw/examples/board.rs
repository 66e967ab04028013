//! Draws a level as SVG: `cargo run -p sokodraw --example board < level.txt > level.svg`.

use std::error::Error;
use std::io::{self, Write as _};

use sokocore::Level;
use sokodraw::BoardImage;

fn main() -> Result<(), Box<dyn Error>> {
    let level: Level = io::read_to_string(io::stdin())?.parse()?;
    io::stdout().write_all(BoardImage::of(&level).with_title("A level").to_svg().as_bytes())?;
    Ok(())
}
