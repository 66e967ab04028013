//! A report in a real browser, opened from the disk: nothing is loaded, nothing complains, and both solutions replay.

use crate::browser::{Browser, Colors};
use crate::cmd::Desk;

const SOLVED: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 16/3\ndudrruurDullDrdL\n\n\
                      Best Solution 14/3 (Soko)\ndrruurDullDrdL\n";

#[test]
fn a_report_is_opened_from_the_disk() {
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::with(SOLVED);
    desk.soko("report levels.sok -o report.html").expect(0);
    let page = std::fs::canonicalize(desk.path("report.html")).unwrap();
    for colors in [Colors::Light, Colors::Dark] {
        browser.set_colors(colors);
        browser.open(&format!("file://{}", page.display()));
        browser.wait_for_text("#shown", "1 of 1");
        browser.click("#levels tbody button");
        browser.wait_until("document.querySelectorAll('.details .soko-replay').length === 2");
        let ends = "document.querySelectorAll('.details button[aria-label=\"To the end\"]')";
        assert_eq!(browser.script(&format!("{ends}.forEach((end) => end.click()); return {ends}.length")), 2);
        browser.wait_for_text(".details", "move 14 of 14, push 3 of 3");
        browser.type_into("#search", "nothing of this name");
        browser.wait_until("!document.querySelector('#none').hidden");
        assert_eq!(browser.script("return performance.getEntriesByType('resource').length"), 0, "nothing is loaded");
        browser.assert_silent("the report");
    }
}
