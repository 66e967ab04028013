//! A person's way through the pages: drop a file, run, watch, replay, compare, stop the server, find everything.

use sokocore::Grid;
use sokodraw::{BoardImage, FloorPlan};

use crate::browser::Browser;
use crate::desk::Desk;
use crate::levels::{BAY_WINDOW, huge, planted};

/// Drops a file on the page.
fn drop_file(browser: &Browser, name: &str, text: &str) {
    let text = serde_json::to_string(text).unwrap();
    browser.script(&format!(
        "const files = new DataTransfer();
         files.items.add(new File([{text}], '{name}'));
         document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, bubbles: true, cancelable: true }}));"
    ));
}

#[test]
fn a_file_is_dropped_run_watched_and_replayed_and_is_there_after_a_restart() {
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::new();
    browser.open(&desk.opening_link);
    assert_eq!(browser.script("return location.hash"), "", "the key is not left in the address");
    drop_file(&browser, "gardens.sok", &planted(1, 14, 8));
    browser.wait_for_text("#added", "1 level");
    browser.click("#list tbody a");
    browser.wait_for_text("#levels tbody", "Garden 1");
    browser.assert_silent("the collection");

    // A run, begun with the keyboard.
    browser.script("document.querySelector('#run').focus()");
    browser.type_into("#run", "\u{e007}");
    browser.wait_until("document.querySelector('dialog[open]') !== null");
    browser.type_into("dialog button.main", "\u{e007}");
    browser.wait_until("location.pathname === '/runs'");
    browser.wait_for_text(".run .gains", "by ");
    browser.wait_until("document.querySelectorAll('.run .chart svg').length === 2");
    let curve = "return document.querySelector('.run .chart .line').getAttribute('d')";
    let first = browser.script(curve);
    browser.wait_until(&format!("document.querySelector('.run .chart .line').getAttribute('d') !== {first}"));
    browser.wait_until("document.querySelector('.run .best .soko-replay') !== null");
    browser.assert_silent("the run");
    browser.click(".run .bar button");
    browser.wait_for_text(".run .phase", "paused");
    browser.click(".run .bar button");
    browser.wait_for_text(".run .phase", "running");

    // The page goes; the run stays.
    browser.open(&format!("{}/", desk.origin()));
    assert_eq!(desk.get("runs")["runs"][0]["phase"], "running");
    let id = desk.first_id("gardens");
    let moves = |desk: &Desk| desk.get(&format!("level?id={id}"))["moves"]["best"].as_u64().unwrap();
    let before = moves(&desk);
    let desk = desk.restart();
    assert!(moves(&desk) <= before);

    // A page with the link of the start before shows nothing, and takes the new one.
    browser.open(&format!("{}/runs", desk.origin()));
    browser.wait_for_text("h1", "This page needs its link");
    assert_eq!(browser.script("return document.querySelector('.run') === null"), true);
    browser.assert_silent("the locked page");
    browser.type_into("#link", &desk.link);
    browser.click("form button");

    // The run is there, and one click continues it.
    browser.wait_for_text(".run .phase", "cut off");
    browser.wait_for_text(".run h2", "gardens");
    browser.wait_for_text(".run .gains", "by ");
    browser.wait_until("document.querySelector('.run .best .soko-replay') !== null");
    browser.click(".run .bar button");
    browser.wait_for_text(".run .phase", "running");
    browser.click(".run .bar button + button");
    browser.wait_for_text(".run .phase", "ended");
    browser.assert_silent("the run that was continued");

    // Replayed to the end, everything is on its goal.
    browser.open(&format!("{}/level?id={id}&in=gardens", desk.origin()));
    browser.type_into(".soko-replay", "\u{e010}");
    browser.wait_until("document.querySelectorAll('#board use[href=\"#soko-box\"]').length === 0");
    browser.wait_until("document.querySelectorAll('#board use[href=\"#soko-box-on-goal\"]').length === 8");
    browser.click("#export");
    browser.wait_for_text("#notices", "Downloaded Garden_1.sok");
    browser.assert_silent("the level");
    // Without its token it may look.
    browser.script("localStorage.clear()");
    browser.open(&format!("{}/level?id={id}&in=gardens", desk.origin()));
    browser.wait_for_text("#name", "Garden 1");
    browser.wait_for_text("#notices", "may only look");

    // The server goes; the page says so.
    browser.open(&desk.link);
    browser.open(&format!("{}/runs", desk.origin()));
    drop(desk);
    browser.wait_for_text("#notices", "The server does not answer");
}

#[test]
fn two_solutions_are_compared_and_a_level_is_drawn_and_kept() {
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::new();
    desk.post("upload?name=bay.sok", BAY_WINDOW);
    browser.open(&desk.link);
    browser.open(&format!("{}/level?id={}", desk.origin(), desk.first_id("bay")));
    browser.script("document.querySelectorAll('#solutions input[type=checkbox]').forEach((box) => box.click())");
    browser.click("#compare");
    browser.wait_for_text("#remarks", "They part at the first move.");
    browser.wait_for_text("#metrics tbody tr:nth-child(2)", "−2");
    browser.wait_until("document.querySelectorAll('#both .soko-replay').length === 2");
    browser.assert_silent("the comparison");
    browser.open(&format!("{}/edit", desk.origin()));
    let board = "#######\n#@ $ .#\n#######";
    browser.script(&format!(
        "const text = document.querySelector('#board');
         text.value = {board:?};
         text.dispatchEvent(new Event('input'));"
    ));
    browser.wait_for_text("#findings", "7 by 3");
    browser.click("#check");
    browser.wait_for_text("#findings", "No solution has fewer than 2 pushes");
    browser.type_into("#title", "Drawn here");
    browser.click("#save button");
    browser.wait_for_text("#notices", "Kept in My levels as number 1");
    assert_eq!(desk.get("collection?name=My+levels")["levels"][0]["title"], "Drawn here");
    browser.assert_silent("the editor");

    // Painted with the mouse: a wall on the only goal.
    browser.click("#tools input[value='#']");
    let paint = "const svg = document.querySelector('#picture svg').getBoundingClientRect();
        const [x, y] = [svg.left + svg.width * 5.5 / 7, svg.top + svg.height / 2];
        document.querySelector('#picture svg').dispatchEvent(new PointerEvent('pointerdown', { clientX: x, clientY: y }));";
    browser.script(paint);
    browser.wait_for_text("#verdict", "No solution");
    browser.wait_until("document.querySelector('#board').value.split('\\n')[1] === '#@ $ ##'");

    // Painted with keys alone: the frame appears, moves to the square, and the goal is there again, and said.
    browser.type_into("#picture", "\u{e015}\u{e015}\u{e014}\u{e014}\u{e014}\u{e014}\u{e014}.");
    browser.wait_until("document.querySelector('#board').value.split('\\n')[1] === '#@ $ .#'");
    browser.wait_for_text("#said", "placed, row 2, column 6: goal");
    browser.wait_for_text("#verdict", "Solvable");
    browser.wait_until("document.querySelectorAll('#picture .frame').length === 1");
    browser.assert_silent("painting");
}

#[test]
fn the_pages_draw_boards_as_files_have_them() {
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::new();
    browser.open(&desk.link);
    let of_files = |board: &str| {
        let grid = Grid::parse(board).unwrap();
        let group = BoardImage::of_grid(grid.clone()).to_group();
        let paths = group.split(" d=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        (FloorPlan::of(&grid).rows(), paths.collect::<Vec<_>>())
    };
    let garden = planted(1, 12, 6).split("\n\n").nth(2).unwrap().to_owned();
    for board in
        ["  ####\n###  #\n#@ $.#\n######", "#", "####\n#@.#\n#  ##\n##*$ #\n ## +#\n  ####", &garden, &huge_board()]
    {
        let (rows, expect) = of_files(board);
        let rows = serde_json::to_string(&rows).unwrap();
        let drawn = browser.script(&format!(
            "return import('/replay.js').then(({{ Board }}) =>
                [...new Board({rows}).element.querySelectorAll('path')].map((path) => path.getAttribute('d')))"
        ));
        assert_eq!(drawn, serde_json::json!(expect), "{board}");
    }
}

fn huge_board() -> String {
    huge().split("\n\n").nth(1).unwrap().to_owned()
}
