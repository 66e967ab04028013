//! The files of the pages, a part of the program: no path of a request is ever opened.
//!
//! A page is its content in the shell that all pages share. The replay and the symbols are those of `sokodraw`.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

/// A file as it is sent.
#[derive(Clone, Debug)]
struct Asset {
    path: &'static str,
    kind: &'static str,
    text: String,
}

/// A page: its path, its title, its script, and its content.
const PAGES: [(&str, &str, &str, &str); 5] = [
    ("/", "Library", "/library.js", include_str!("../pages/library.html")),
    ("/collection", "Collection", "/collection.js", include_str!("../pages/collection.html")),
    ("/level", "Level", "/level.js", include_str!("../pages/level.html")),
    ("/runs", "Runs", "/runs.js", include_str!("../pages/runs.html")),
    ("/edit", "Edit", "/edit.js", include_str!("../pages/edit.html")),
];

const SCRIPTS: [(&str, &str); 8] = [
    ("/page.js", include_str!("../pages/page.js")),
    ("/chart.js", include_str!("../pages/chart.js")),
    ("/dialogs.js", include_str!("../pages/dialogs.js")),
    ("/library.js", include_str!("../pages/library.js")),
    ("/collection.js", include_str!("../pages/collection.js")),
    ("/level.js", include_str!("../pages/level.js")),
    ("/runs.js", include_str!("../pages/runs.js")),
    ("/edit.js", include_str!("../pages/edit.js")),
];

const SHELL: &str = include_str!("../pages/shell.html");

/// Adds a route for each file.
pub(crate) fn add_routes<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    all().into_iter().fold(router, |router, Asset { path, kind, text }| {
        let text: axum::body::Bytes = text.into();
        router.route(path, get(move || async move { ([(header::CONTENT_TYPE, kind)], text).into_response() }))
    })
}

/// Makes the files.
fn all() -> Vec<Asset> {
    let symbols = sokodraw::web::symbols();
    let pages = PAGES.iter().map(|&(path, title, script, main)| Asset {
        path,
        kind: "text/html; charset=utf-8",
        text: SHELL
            .replace("{{title}}", title)
            .replace("{{script}}", script)
            .replace("{{symbols}}", &symbols)
            .replace("{{main}}", main),
    });
    let script = |path, text: &str| Asset { path, kind: "text/javascript; charset=utf-8", text: text.to_owned() };
    let style = |path, text| Asset { path, kind: "text/css; charset=utf-8", text };
    let mut all: Vec<_> = pages.collect();
    all.extend(SCRIPTS.iter().map(|&(path, text)| script(path, text)));
    all.extend([
        script("/replay.js", sokodraw::web::REPLAY_JS),
        style("/replay.css", sokodraw::web::replay_css()),
        style("/soko.css", include_str!("../pages/soko.css").to_owned()),
        Asset { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("../pages/icon.svg").to_owned() },
    ]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What could load from elsewhere, run text, or make text markup.
    const REFUSED: [&str; 12] = [
        "http://",
        "https://",
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        " style=",
        " onclick=",
        "javascript:",
        "@import",
    ];

    #[test]
    fn nothing_is_loaded_from_elsewhere_and_no_text_becomes_markup() {
        for Asset { path, text, .. } in all() {
            // The names of XML's vocabularies look like addresses; nothing is loaded from there.
            let text = text.replace("http://www.w3.org/", "");
            for word in REFUSED {
                assert!(!text.contains(word), "{path} has {word}");
            }
            assert!(!text.contains("{{"), "{path} has a gap");
        }
    }

    #[test]
    fn pages_and_scripts_name_files_that_are_there() {
        let files = all();
        for Asset { path, text, .. } in &files {
            let named = text.split(['"', '(']).filter(|part| part.starts_with('/') && !part.contains(['?', ' ', '\n']));
            for part in named.filter(|part| part.ends_with(".js") || part.ends_with(".css") || part.ends_with(".svg")) {
                assert!(files.iter().any(|file| file.path == part), "{path} names {part}");
            }
        }
    }
}
