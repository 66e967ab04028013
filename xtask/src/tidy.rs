//! `cargo xtask tidy`: rules of the house that neither the compiler nor clippy checks.
//!
//! Every rule is a function from something small (one file, one manifest) to findings, so that its tests need no
//! checkout. A rule that a machine does not check well does not belong here.

mod dependencies;
mod layers;
mod links;
mod manifests;
mod methods;
mod source;
mod words;

use std::fmt;

use anyhow::bail;

use crate::api;
use crate::source_tree::Tree;
use crate::workspace::{self, Metadata};

/// Something that a rule noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    weight: Weight,
    /// A path below the root, with a line number where there is one, or the name of a crate.
    place: String,
    message: String,
}

/// Whether a finding fails the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    Error,
    Note,
}

impl Finding {
    fn error(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { weight: Weight::Error, place: place.into(), message: message.into() }
    }

    fn note(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { weight: Weight::Note, place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = if self.weight == Weight::Note { "note: " } else { "" };
        write!(f, "{}: {weight}{}", self.place, self.message)
    }
}

/// Checks the whole checkout.
pub(crate) fn run() -> anyhow::Result<()> {
    let tree = Tree::load(&workspace::root())?;
    let metadata = Metadata::load()?;
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        findings.extend(source::check(file));
    }
    for file in tree.with_extension("md") {
        findings.extend(links::check(file, &|path| tree.has(path)));
    }
    for package in &metadata.packages {
        findings.extend(layers::check(package));
        findings.extend(manifests::check(package, &tree));
    }
    findings.extend(manifests::check_order(&metadata, &tree));
    findings.extend(dependencies::check(&metadata, &tree));
    findings.extend(methods::check(&tree));
    findings.extend(words::check(&tree));
    findings.extend(api::check(&tree, &metadata).into_iter().map(|message| Finding::error("api", message)));
    for finding in &findings {
        println!("{finding}");
    }
    let n_errors = findings.iter().filter(|finding| finding.weight == Weight::Error).count();
    if n_errors > 0 {
        bail!("tidy found {n_errors} things to put right");
    }
    println!("tidy: {} files, {} crates", tree.len(), metadata.packages.len());
    Ok(())
}
