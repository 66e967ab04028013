//! Finds levels that are the same up to rotation and reflection, in files of any format.
//!
//! Run: `cargo run -p sokoio --example same_levels [FILE]...`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sokoio::{Collection, LevelId};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    run(&if paths.is_empty() { default_paths() } else { paths }, &mut io::stdout())
}

/// The files that are compared if none is named.
pub(crate) fn default_paths() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus/file");
    ["latin-1.slc", "levels.json", "packed.sok.gz", "rows.digits.txt", "two-maps.ssx"]
        .map(|name| directory.join(name))
        .into()
}

/// Writes what the program prints.
pub(crate) fn run(paths: &[PathBuf], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut places: BTreeMap<LevelId, Vec<String>> = BTreeMap::new();
    for path in paths {
        let collection = Collection::read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for entry in &collection {
            let Ok(level) = entry.level() else { continue };
            let place = format!("{name}, {}: {}", collection.format(), entry.title_or_number());
            places.entry(LevelId::up_to_symmetry(level)).or_default().push(place);
        }
    }
    for (id, places) in places.iter().filter(|(_, places)| places.len() > 1) {
        writeln!(out, "{id}")?;
        places.iter().try_for_each(|place| writeln!(out, "   {place}"))?;
    }
    Ok(())
}
