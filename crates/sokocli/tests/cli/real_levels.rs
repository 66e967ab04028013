//! A whole set of real levels, if there is one on this machine; they are other people's work and not in this
//! repository.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cmd::Desk;

/// The directory of the levels, from `SOKO_LEVELS` or beside the workspace.
fn levels(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/levels");
    let path = std::env::var_os("SOKO_LEVELS").map_or_else(beside, PathBuf::from).join(name);
    if path.exists() {
        return Some(path);
    }
    let _ = writeln!(io::stderr(), "skipped: there is no {}; set SOKO_LEVELS", path.display());
    None
}

/// Stopped as early as this, most searches are in the middle of something.
#[test]
fn no_level_gets_worse_in_a_moment() {
    let Some(path) = levels("dev.sok") else { return };
    let desk = Desk::with(fs::read(path).unwrap());
    let lines = desk.soko("optimize levels.sok -o out.sok --time 50ms --threads 2 --json").expect(0);
    let (summary, results) = (lines.summary(), lines.results());
    assert_eq!(results.len(), 120);
    for line in &results {
        let metric = line["objective"].as_str().unwrap();
        assert!(line["after"][metric].as_u64() <= line["before"][metric].as_u64(), "{line}");
        assert!(
            ["nothing left to try", "proved optimal", "time"].contains(&line["ended_by"].as_str().unwrap()),
            "{line}"
        );
    }
    assert_eq!((&summary["optimized"], &summary["exit_code"]), (&60.into(), &0.into()));
    desk.soko("verify out.sok").expect(0);
}
