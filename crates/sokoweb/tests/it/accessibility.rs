//! Each page before axe-core, light, dark and narrow. axe comes from npm, for this test alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::browser::{Browser, Colors};
use crate::desk::Desk;
use crate::levels::{SMALL, planted};
use crate::patience::note;

/// The version that the test was written with.
const AXE: &str = "axe-core@4.10.3";

/// Returns the script of axe, from the folder of built things, or from npm. Says so where it cannot be had.
fn axe() -> Option<String> {
    let target =
        env::var_os("CARGO_TARGET_TMPDIR").map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    let folder = target.join(AXE);
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        fs::create_dir_all(&folder).unwrap();
        let is_done = fetch(&folder);
        if !is_done {
            note("axe-core cannot be had from npm; the pages were not checked for accessibility");
            return None;
        }
    }
    Some(fs::read_to_string(script).unwrap())
}

fn fetch(folder: &Path) -> bool {
    let run = |program: &str, args: &[&str]| {
        let done = Command::new(program).args(args).current_dir(folder).output();
        done.is_ok_and(|done| done.status.success())
    };
    let archive = AXE.replace('@', "-") + ".tgz";
    run("npm", &["pack", "--silent", AXE]) && run("tar", &["-xzf", &archive, "package/axe.min.js"])
}

#[test]
fn every_page_is_accessible() {
    let Some(browser) = Browser::start() else { return };
    let Some(axe) = axe() else { return };
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    desk.post("upload?name=gardens.sok", planted(2, 10, 4));
    desk.run(r#"{"kind": "optimize", "seconds": 2, "memory_mib": 128}"#);
    desk.post("runs", r#"{"kind": "night", "threads": 1, "memory_mib": 128}"#);
    desk.post("upload?name=corner.sok", "One\n\n#####\n#@$.#\n#####\n");
    desk.post("forget?name=corner", "");
    browser.open(&format!("{}/", desk.origin()));
    check(&browser, &axe, "the locked page");
    let pages = [
        "/".to_owned(),
        "/collection?loose=true".to_owned(),
        "/collection?name=gardens".to_owned(),
        format!("/level?id={}&in=gardens", desk.first_id("gardens")),
        "/runs".to_owned(),
        "/edit".to_owned(),
    ];
    browser.open(&desk.link);
    browser.wait_for_text("h1", "Library");
    for (colors, width) in [(Colors::Light, 1100), (Colors::Dark, 360)] {
        browser.set_colors(colors);
        browser.resize(width, 900);
        for page in &pages {
            browser.open(&format!("{}{page}", desk.origin()));
            check(&browser, &axe, &format!("{page} {colors:?}"));
        }
    }
    browser.open(&format!("{}/", desk.origin()));
    browser.click("#night");
    browser.wait_until("document.querySelector('dialog[open]') !== null");
    check(&browser, &axe, "the dialog of a run");
    browser.click("dialog button");
    browser.click("#export-all");
    browser.wait_until("document.querySelector('dialog[open]') !== null");
    check(&browser, &axe, "the dialog of an export");
}

fn check(browser: &Browser, axe: &str, place: &str) {
    browser.script(axe);
    let found = browser.script(
        "return axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations.map((violation) =>
            `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.html + node.failureSummary).join(' | ')}`))",
    );
    assert!(found.as_array().is_some_and(Vec::is_empty), "{place}: {found:#}");
}
