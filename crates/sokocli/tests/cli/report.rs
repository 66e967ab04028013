//! What `report` writes: a page that needs nothing else, and whose texts stay texts.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::cmd::{Desk, T2};

/// Solved poorly by a person, and better by us.
const RESULTS: &str = "T2\n\n######\n##   #\n#@$ $#\n#.  .#\n######\n\nSolution 16/3\ndudrruurDullDrdL\n\n\
                       Best Solution 14/3 (Soko)\ndrruurDullDrdL\nSolver: Soko 0.1.0, a-star\nSolver time: 0.25 s\n";

/// A page, taken apart.
struct Page {
    text: String,
    levels: Vec<Value>,
}

impl Page {
    fn of(text: String) -> Self {
        let start = text.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let end = start + text[start..].find("</script>").unwrap();
        let data: Value = serde_json::from_str(&text[start..end]).unwrap();
        Self { levels: data["levels"].as_array().unwrap().clone(), text }
    }

    /// What is between the first such element's tags.
    fn element(&self, start: &str, end: &str) -> &str {
        self.text.split_once(start).unwrap().1.split_once(end).unwrap().0
    }
}

#[test]
fn gains_are_what_the_best_has_less_than_what_the_level_came_with() {
    let desk = Desk::with(T2);
    desk.write("levels.soko.sok", RESULTS);
    let page = Page::of(desk.soko("report levels.sok levels.soko.sok -o -").expect(0).stdout);
    assert_eq!(page.levels.len(), 1, "the same level in two files is one");
    let best = &page.levels[0]["best"][0];
    assert_eq!((&best["before"]["moves"], &best["after"]["moves"], &best["gain"]), (&16.into(), &14.into(), &2.into()));
    assert_eq!((&best["by"], &best["seconds"]), (&"Soko 0.1.0, a-star".into(), &0.25.into()));
    assert_eq!(page.levels[0]["rows"][1], "##---#");
    assert_eq!(page.levels[0]["solutions"][1], "drruurDullDrdL");
    assert!(page.text.contains("<strong>−2</strong>") && page.text.contains("16 → 14 moves, 12.5\u{a0}%"));
    // By pushes the two are equal in what counts first.
    assert_eq!(
        (&page.levels[0]["best"][1]["gain"], &page.levels[0]["best"][1]["is_better"]),
        (&0.into(), &true.into())
    );
}

#[test]
fn dates_of_files_are_times_of_the_page() {
    let dated = format!("{RESULTS}Solver date: 2026-11-23 21:04:09\n\nSolution\ndrruurDullDrdL\nDate: 2026-11-20\n");
    let page = Page::of(Desk::with(dated).soko("report levels.sok -o -").expect(0).stdout);
    assert_eq!(page.levels[0]["best"][0]["at"], "2026-11-20", "equal ones: the first to be found without Soko");
    assert!(page.text.contains("Sum of moves over time"));
    let page = Page::of(Desk::with(RESULTS).soko("report levels.sok -o -").expect(0).stdout);
    assert_eq!(page.levels[0]["best"][0]["at"], "");
    assert!(!page.text.contains("Sum of moves over time"));
}

#[test]
fn the_page_loads_nothing_and_runs_only_its_script() {
    let page = Page::of(Desk::with(RESULTS).soko("report levels.sok -o -").expect(0).stdout);
    let digest = |text: &str| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()))
    };
    let script = page.element("<script type=\"module\">", "</script>");
    let policy = page.element("Content-Security-Policy\" content=\"", "\"");
    assert!(
        policy.contains("default-src 'none'") && policy.contains(&format!("script-src 'sha256-{}'", digest(script)))
    );
    assert!(policy.contains(&format!("style-src 'sha256-{}'", digest(page.element("<style>", "</style>")))));
    let rest = page.text.replace(script, "").replace("http://www.w3.org/2000/svg", "");
    for text in ["http:", "https:", "src=", "@import", " style=", " onclick="] {
        assert!(!rest.contains(text), "{text}");
    }
}

#[test]
fn texts_of_files_never_become_markup() {
    let evil = "</script><img src=x onerror=alert(1)><!--";
    let text = RESULTS.replacen("T2", evil, 1).replace("a-star", "<b>a</b>") + "\nAuthor: <i>\"'&\n";
    let desk = Desk::new();
    desk.write("a.sok", &text);
    std::fs::rename(desk.path("a.sok"), desk.path("<u>.sok")).unwrap();
    let page = Page::of(desk.soko("report <u>.sok -o -").expect(0).stdout);
    assert_eq!(page.levels[0]["title"], evil);
    let script = page.element("<script type=\"module\">", "</script>");
    let rest = page.text.replace(script, "");
    assert_eq!(rest.matches("<script").count(), 2);
    for text in ["<img", "<!--", "<b>", "<u>", "<i>"] {
        assert!(!rest.contains(text), "{text}");
    }
    assert!(rest.contains("<h1>&lt;u&gt;.sok</h1>"));
}

#[test]
fn bad_boards_and_unsolved_levels_are_in_it() {
    let text =
        "A\n\n#####\n#@$ \n#####\n\nB\n\n#####\n#@$.#\n#####\n\nC\n\n#####\n#.$@#\n#####\n\nSolution (Soko)\nL\n";
    let page = Page::of(Desk::with(text).soko("report levels.sok -o -").expect(0).stdout);
    assert!(page.levels[0]["fault"].as_str().unwrap().contains("border is open"));
    assert_eq!((&page.levels[1]["fault"], &page.levels[1]["best"][0]), (&Value::Null, &Value::Null));
    assert_eq!(page.levels[2]["best"][0]["before"], Value::Null);
    assert!(page.text.contains("no level came with a solution") && page.text.contains("1 of 3"));
}

#[test]
fn a_collection_of_the_library_has_times() {
    let desk = Desk::with(T2);
    desk.soko("library add levels.sok --library l.sqlite").expect(0);
    desk.soko("optimize levels.sok --library l.sqlite --no-output --work 20000 --threads 1 -q").expect(0);
    let first = desk.soko("report levels -o - --library l.sqlite").expect(0).stdout;
    let page = Page::of(first.clone());
    let best = &page.levels[0]["best"][0];
    assert_eq!(best["before"]["moves"], 16);
    assert!(best["after"]["moves"].as_u64().unwrap() < 16 && best["gain"].as_u64().unwrap() > 0, "{best}");
    assert!(best["by"].as_str().unwrap().starts_with("Soko ") && best["at"].as_str().unwrap().starts_with("20"));
    assert!(best["least"].as_u64().is_some() && best["gap"].as_f64().is_some());
    assert!(first == desk.soko("report -o - --library l.sqlite").expect(0).stdout, "equal libraries, equal pages");
}

#[test]
fn what_cannot_be_reported_is_said() {
    let desk = Desk::with(T2);
    desk.soko("report levels.sok -o page.html").expect(0);
    desk.soko("report levels.sok -o page.html").expect(1).says(&["page.html exists", "--force"]);
    desk.soko("report levels.sok -o page.html --force").expect(0);
    desk.soko("report gone.sok -o other.html").expect(1);
    desk.soko("library add levels.sok --library l.sqlite").expect(0);
    desk.soko("report gone.sok -o other.html --library l.sqlite").expect(2).says(&["there is no file gone.sok"]);
    desk.soko("report none -o other.html --library l.sqlite").expect(2).says(&["no collection 'none'"]);
    assert_eq!(desk.files(), ["l.sqlite", "levels.sok", "page.html"]);
}
