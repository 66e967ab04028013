//! Pictures of every page, for `docs/looks`: written with `SOKO_UPDATE_LOOKS=1`, looked at by people.
//!
//! Without the variable the pictures go to a folder that is thrown away: the pages are opened all the same, light and
//! dark, wide and narrow, and must be silent and keep within the width.

use std::env;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::browser::{Browser, Colors};
use crate::desk::Desk;
use crate::levels::{BAY_WINDOW, SMALL, huge, many, planted};
use crate::patience::wait;

/// Where pictures go.
enum Looks {
    Kept(PathBuf),
    Thrown(TempDir),
}

impl Looks {
    fn new() -> Self {
        if env::var_os("SOKO_UPDATE_LOOKS").is_none() {
            return Self::Thrown(tempfile::tempdir().unwrap());
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/looks");
        std::fs::create_dir_all(&folder).unwrap();
        Self::Kept(folder)
    }

    /// Takes a picture, after a look at what could be wrong with it.
    fn take(&self, browser: &Browser, name: &str) {
        let folder = match self {
            Self::Kept(folder) => folder.as_path(),
            Self::Thrown(folder) => folder.path(),
        };
        browser.wait_until("[...document.images].every((image) => image.complete || image.loading === 'lazy')");
        browser.picture(&folder.join(format!("{name}.png")));
        let excess =
            browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(excess, 0, "{name} is wider than the window");
        browser.assert_silent(name);
    }
}

const WIDE: (u32, u32) = (1100, 800);
const PHONE: (u32, u32) = (360, 800);

#[test]
fn every_page_is_silent_and_keeps_its_width() {
    let Some(browser) = Browser::start() else { return };
    let looks = Looks::new();
    let desk = Desk::new();
    browser.resize(WIDE.0, WIDE.1);
    browser.open(&format!("{}/", desk.origin()));
    browser.wait_for_text("h1", "This page needs its link");
    looks.take(&browser, "locked");
    browser.open(&desk.link);
    browser.wait_for_text("h1", "Library");
    browser.settle();
    looks.take(&browser, "library-empty");
    browser.open(&format!("{}/runs", desk.origin()));
    looks.take(&browser, "runs-empty");

    desk.post("upload?name=small.sok", SMALL);
    desk.post("upload?name=gardens.sok", planted(8, 12, 6));
    desk.post("upload?name=corridors.sok", many(5_000));
    desk.post("upload?name=huge.xsb", huge());
    desk.post("upload?name=bay.sok", BAY_WINDOW);
    let title = format!("{}{}", "A very long title that goes on and on ".repeat(8), "x".repeat(400));
    let long = format!("{title}\n\n#####\n#@$.#\n#####\n");
    desk.post(&format!("upload?name=a_name_that_is_{}.xsb", "long_".repeat(30)), long);
    desk.run(r#"{"kind": "optimize", "collections": ["small"], "seconds": 3, "threads": 1, "memory_mib": 128}"#);
    desk.post(
        "runs",
        r#"{"kind": "night", "collections": ["gardens"], "seconds": 600, "threads": 1, "memory_mib": 128}"#,
    );

    if let Looks::Kept(_) = &looks {
        wait("a curve to look at", || {
            desk.get("runs")["runs"][0]["moves_gained"].as_u64().filter(|gained| *gained > 3_000)
        });
    }
    let garden = desk.first_id("gardens");
    let pages = [
        ("library", "/".to_owned()),
        ("collection", "/collection?name=gardens".to_owned()),
        ("collection-5000", "/collection?name=corridors&page=17".to_owned()),
        ("level", format!("/level?id={garden}&in=gardens")),
        ("level-huge", format!("/level?id={}&in=huge", desk.first_id("huge"))),
        ("runs", "/runs".to_owned()),
        ("edit", "/edit".to_owned()),
    ];
    for (width, height, colors, end) in [
        (WIDE.0, WIDE.1, Colors::Light, ""),
        (WIDE.0, WIDE.1, Colors::Dark, "-dark"),
        (PHONE.0, PHONE.1, Colors::Light, "-phone"),
    ] {
        browser.resize(width, height);
        browser.set_colors(colors);
        for (name, path) in &pages {
            browser.open(&format!("{}{path}", desk.origin()));
            if *name == "edit" {
                browser.wait_until("document.querySelector('#verdict').textContent !== ''");
                browser.click("#check");
                browser.wait_for_text("#verdict", "Solvable");
                browser.type_into("#picture", "\u{e015}\u{e015}\u{e014}\u{e014}\u{e014}");
            }
            if *name == "runs" {
                browser.wait_until("document.querySelectorAll('.best .soko-replay').length >= 1");
            }
            looks.take(&browser, &format!("{name}{end}"));
        }
    }
    browser.resize(WIDE.0, WIDE.1);
    browser.set_colors(Colors::Light);
    browser.open(&format!("{}/level?id={}", desk.origin(), desk.first_id("bay")));
    browser.script("document.querySelectorAll('#solutions input[type=checkbox]').forEach((box) => box.click())");
    browser.click("#compare");
    browser.wait_until("document.querySelectorAll('#both .soko-replay').length === 2");
    browser.script("document.querySelector('#solutions').scrollIntoView()");
    looks.take(&browser, "compare");
    take_dialogs(&browser, &looks, &desk);
    take_after_restart(&browser, &looks, desk);
}

fn take_dialogs(browser: &Browser, looks: &Looks, desk: &Desk) {
    browser.open(&format!("{}/collection?name=gardens", desk.origin()));
    browser.click("#run");
    browser.wait_until("document.querySelector('dialog[open]') !== null");
    looks.take(browser, "run-dialog");
    browser.open(&format!("{}/collection?name=gardens", desk.origin()));
    browser.click("#export");
    browser.wait_until("document.querySelector('dialog[open]') !== null");
    looks.take(browser, "export-dialog");
}

/// What a person sees after the server was started anew.
fn take_after_restart(browser: &Browser, looks: &Looks, desk: Desk) {
    desk.post("forget?name=small", "");
    let desk = desk.restart();
    browser.open(&desk.link);
    browser.open(&format!("{}/runs", desk.origin()));
    browser.wait_for_text(".run .phase", "cut off");
    browser.wait_until("document.querySelectorAll('.best .soko-replay').length >= 1");
    looks.take(browser, "runs-found-again");
    browser.open(&format!("{}/collection?loose=true", desk.origin()));
    looks.take(browser, "collection-none");
    browser.set_paper();
    browser.open(&format!("{}/collection?name=gardens", desk.origin()));
    let buttons = "return [...document.querySelectorAll('button, .top nav a')].every((it) => it.offsetParent === null)";
    assert_eq!(browser.script(buttons), true, "nothing on paper can be clicked");
    looks.take(browser, "collection-paper");
}
