//! Links between files: a Markdown link to a path leads to something in the checkout, and so does the name of a source
//! file such as `sokocore/replay.rs`, which stands for `crates/sokocore/src/replay.rs`.
//!
//! Links to other sites are not followed. Code, in fences or between backticks, holds no links.

use crate::source_tree::TextFile;
use crate::tidy::Finding;

/// Checks every link of one Markdown file.
pub(crate) fn check(file: &TextFile, exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_fence = false;
    for (line_idx, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            let broken = targets(&without_code(line)).into_iter().filter(|target| {
                let path = target.split('#').next().unwrap_or_default();
                is_path(target) && !resolve(&file.path, path).is_some_and(|path| exists(&path))
            });
            let place = format!("{}:{}", file.path, line_idx + 1);
            findings
                .extend(broken.map(|target| Finding::error(&*place, format!("the link to {target} leads nowhere"))));
            let gone = source_files(line, exists).filter(|(_, path)| !exists(path));
            findings.extend(gone.map(|(name, _)| Finding::error(&*place, format!("there is no source file {name}"))));
        }
    }
    findings
}

/// Returns the source files that a line names between backticks, each with its path: those below a crate of ours.
fn source_files<'a>(
    line: &'a str,
    exists: &'a dyn Fn(&str) -> bool,
) -> impl Iterator<Item = (&'a str, String)> + use<'a> {
    let code = line.split('`').skip(1).step_by(2).filter(|code| code.ends_with(".rs") && !code.contains([' ', '*']));
    let in_crate = code.filter_map(|code| Some((code, code.split_once('/')?)));
    let ours = in_crate.filter(|(_, (name, _))| exists(&format!("crates/{name}/src")));
    ours.map(|(code, (name, rest))| (code, format!("crates/{name}/src/{rest}")))
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Returns what stands between `](` and `)`, and after `]:` at the start of a line, titles left out.
fn targets(line: &str) -> Vec<String> {
    let inline = line.split("](").skip(1).filter_map(|tail| tail.split(')').next());
    let reference = line.strip_prefix('[').and_then(|tail| tail.split_once("]:")).map(|(_, target)| target);
    let words = inline.chain(reference).filter_map(|target| target.split_whitespace().next());
    words.map(|target| target.trim_matches(['<', '>']).to_owned()).collect()
}

fn is_path(target: &str) -> bool {
    !target.starts_with('#') && !target.contains("://") && !target.starts_with("mailto:")
}

/// Returns the path below the root that a link means, if it stays below the root.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_links(path: &str, text: &str, expect: &[&str]) {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        let exists = |path: &str| ["", "README.md", "docs", "docs/a.md", "docs/b.md"].contains(&path);
        let found: Vec<String> = check(&file, &exists).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{found:?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found} should contain {expect}");
        }
    }

    #[test]
    fn links_lead_to_files_and_directories() {
        check_links("docs/a.md", "[b](b.md) [top](../README.md#part) [here](.) [up](..)", &[]);
        check_links("README.md", "[docs](docs/)\n[b](docs/b.md \"title\")", &[]);
        check_links("README.md", "fine\n[c](docs/c.md)", &["README.md:2: the link to docs/c.md"]);
        check_links("docs/a.md", "[a](docs/a.md)", &["docs/a.md leads nowhere"]);
    }

    #[test]
    fn reference_links_count() {
        check_links("README.md", "[a]: docs/a.md\n[c]: docs/c.md", &["README.md:2"]);
    }

    #[test]
    fn a_link_does_not_leave_the_checkout() {
        check_links("docs/a.md", "[out](../../elsewhere.md)", &["leads nowhere"]);
    }

    #[test]
    fn source_files_that_are_named_exist() {
        let exists = |path: &str| ["crates/a/src", "crates/a/src/b/c.rs"].contains(&path);
        let text = "`a/b/c.rs`, `a/c.rs` and `b.rs`\n`x/c.rs` `a/*.rs`";
        let file = TextFile { path: "docs/a.md".to_owned(), text: text.to_owned() };
        let found: Vec<String> = check(&file, &exists).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["docs/a.md:1: there is no source file a/c.rs"]);
    }

    #[test]
    fn other_sites_anchors_and_code_are_left_alone() {
        check_links("README.md", "[web](https://example.org/x) [part](#part) `[c](c.md)`", &[]);
        check_links("README.md", "```text\n[c](c.md)\n```\n[c](c.md)", &["README.md:4"]);
    }
}
