//! A collection that means harm: markup, control characters, endless lines. It harms nothing.

use crate::browser::Browser;
use crate::desk::Desk;

const MARKUP: &str = "<img src=x onerror=\"window.harmed=true\"><script>window.harmed=true</script>";

fn hostile() -> Vec<u8> {
    let board = "#######\n#@ $ .#\n#######\n";
    let mut text = format!("Title: {MARKUP}\nAuthor: </title>{MARKUP}\n\n{MARKUP}\n\n{board}\n").into_bytes();
    text.extend(format!("Solution {MARKUP}\nrRR\n{MARKUP}\n\n").bytes());
    text.extend(b"a\x00\x01\x1b[2J\x07\xe2\x80\xae\xff\xfe\n\n########\n#@ $  .#\n########\n\n");
    text.extend(std::iter::repeat_n(b'x', 2 << 20));
    text.extend(b"\n\n#########\n#@ $   .#\n#########\n\n####\n#@ \n");
    text
}

#[test]
fn a_hostile_collection_harms_nothing() {
    let desk = Desk::new();
    let added = desk.post("upload?name=%3Cb%3Ebold%3C%2Fb%3E%22%27%26.sok", hostile());
    assert_eq!(added["name"], "b>\"'&");
    let page = desk.get("collection?name=b%3E%22%27%26");
    assert!(page.to_string().len() < 20_000, "long lines are shortened");
    assert!(!page.to_string().contains("\\u0000") && !page.to_string().contains("\\u001b"));
    let Some(browser) = Browser::start() else { return };
    let id = desk.get("collection?name=b%3E%22%27%26")["levels"][0]["id"].as_str().unwrap().to_owned();
    desk.run(r#"{"kind": "optimize", "seconds": 20, "memory_mib": 128}"#);
    browser.open(&desk.link);
    for path in ["/", "/collection?name=b%3E%22%27%26", "/runs", "/edit", &format!("/level?id={id}")] {
        browser.open(&format!("{}{path}", desk.origin()));
        let harmed = "return window.harmed === true || document.querySelector('main script, img[src=x]') !== null";
        assert_eq!(browser.script(harmed), false, "{path}");
        browser.assert_silent(path);
    }
    browser.wait_for_text("h1", "<img src=x");
    // Values in addresses are text, too.
    browser.open(&format!("{}/collection?name=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", desk.origin()));
    browser.wait_for_text("#notices", "there is no collection <img");
}
