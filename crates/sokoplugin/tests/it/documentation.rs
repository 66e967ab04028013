//! What `docs/plugin.md` shows.

use std::fs;
use std::path::Path;

/// The page shows the settings file as `Configure` makes it.
#[test]
fn the_page_shows_the_settings() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(package.join("../../docs/plugin.md")).unwrap();
    let made = fs::read_to_string(package.join("src/settings_file/template.toml")).unwrap();
    assert!(
        page.contains(&format!("```toml\n{made}```\n")),
        "copy src/settings_file/template.toml into docs/plugin.md"
    );
}
