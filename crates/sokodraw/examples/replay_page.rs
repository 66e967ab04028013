//! Writes a page that replays a solution, with everything in it:
//! `cargo run -p sokodraw --example replay_page > page.html`.

use std::error::Error;
use std::io::{self, Write as _};

use sokocore::{Level, replay};
use sokodraw::{FloorPlan, web};

fn main() -> Result<(), Box<dyn Error>> {
    let level: Level = "########\n# .  .##\n# $  $ #\n#  @   #\n########".parse()?;
    let moves = replay(&level, &"lUdrrrU".parse()?)?.to_string();
    let rows = FloorPlan::of(level.grid()).rows();
    let page = format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Replay</title>\n<style>{}</style>\n{}<main></main>\n\
         <script type=\"module\">\n{}\ndocument.querySelector(\"main\").append(new Replay({{ rows: {rows:?}, moves: \
         \"{moves}\" }}).element);\n</script>\n",
        web::replay_css(),
        web::symbols(),
        web::REPLAY_JS,
    );
    io::stdout().write_all(page.as_bytes())?;
    Ok(())
}
