//! The layer table: what each crate may be built with. A change here is a change of the architecture.
//!
//! ```text
//!                  sokocli
//!                     │
//!                  sokoweb
//!                     │
//!               sokofleet │
//!                     ├───┘
//!   sokoplugin    sokonight     sokopy
//!          ├──────────┼──────────┼──────────┐
//!     sokomethods sokosolver  sokolibrary   │
//!          └────┬────┘          │           │
//!          sokosearch         sokoio     sokodraw
//!               └─────┬─────────┴───────────┘
//!                 sokocore                 xtask: not a layer, nothing depends on it
//! ```
//!
//! Dependencies of tests are free: they do not reach the users of a crate.

use crate::tidy::Finding;
use crate::workspace::Package;

/// What one crate may be built with.
struct CrateLayer {
    name: &'static str,
    ours: &'static [&'static str],
    others: &'static [&'static str],
}

const LAYERS: &[CrateLayer] = &[
    // proptest only behind the feature `testing`, for the tests of the crates above.
    CrateLayer { name: "sokocore", ours: &[], others: &["proptest", "thiserror"] },
    CrateLayer { name: "sokosearch", ours: &["sokocore"], others: &["crossbeam", "hashbrown", "parking_lot"] },
    CrateLayer {
        name: "sokomethods",
        ours: &["sokocore", "sokosearch"],
        others: &["hashbrown", "parking_lot", "thiserror", "tracing"],
    },
    CrateLayer {
        name: "sokosolver",
        ours: &["sokocore", "sokosearch"],
        others: &["hashbrown", "parking_lot", "tracing"],
    },
    CrateLayer {
        name: "sokoio",
        ours: &["sokocore"],
        others: &["flate2", "quick-xml", "sha2", "tempfile", "thiserror"],
    },
    CrateLayer {
        name: "sokolibrary",
        ours: &["sokocore", "sokoio"],
        others: &["flate2", "hashbrown", "rusqlite", "sha2", "thiserror"],
    },
    CrateLayer { name: "sokodraw", ours: &["sokocore"], others: &["gif", "hashbrown", "resvg", "thiserror"] },
    // libc and windows-sys, each on its system, for the place of the library.
    CrateLayer {
        name: "sokoplugin",
        ours: &["sokocore", "sokosearch", "sokomethods", "sokosolver"],
        others: &["libc", "open", "parking_lot", "serde", "thiserror", "toml", "windows-sys"],
    },
    CrateLayer {
        name: "sokonight",
        ours: &["sokocore", "sokosearch", "sokomethods", "sokosolver", "sokoio", "sokolibrary"],
        others: &["crossbeam", "hashbrown", "parking_lot", "thiserror", "tracing"],
    },
    CrateLayer {
        name: "sokofleet",
        ours: &["sokocore", "sokosearch", "sokomethods", "sokoio", "sokonight"],
        others: &[
            "async-nats",
            "crossbeam",
            "flate2",
            "getrandom",
            "hashbrown",
            "parking_lot",
            "percent-encoding",
            "serde",
            "serde_json",
            "tempfile",
            "thiserror",
            "tokio",
            "tokio-stream",
            "tracing",
        ],
    },
    CrateLayer {
        name: "sokoweb",
        ours: &["sokocore", "sokosearch", "sokosolver", "sokoio", "sokolibrary", "sokonight", "sokodraw"],
        others: &[
            "axum",
            "getrandom",
            "hashbrown",
            "parking_lot",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-stream",
        ],
    },
    CrateLayer {
        name: "sokopy",
        ours: &["sokocore", "sokosearch", "sokomethods", "sokosolver", "sokoio", "sokodraw"],
        others: &["base64", "crossbeam", "pyo3"],
    },
    CrateLayer {
        name: "sokocli",
        ours: &[
            "sokocore",
            "sokosearch",
            "sokomethods",
            "sokosolver",
            "sokoio",
            "sokolibrary",
            "sokodraw",
            "sokonight",
            "sokofleet",
            "sokoweb",
        ],
        others: &[
            "anyhow",
            "base64",
            "clap",
            "clap_complete",
            "clap_mangen",
            "crossbeam",
            "ctrlc",
            "directories",
            "gethostname",
            "hashbrown",
            "indicatif",
            "jiff",
            "libc",
            "nix",
            "open",
            "parking_lot",
            "plotters",
            "ratatui",
            "serde",
            "serde_json",
            "sha2",
            "terminal_size",
            "tracing",
            "tracing-subscriber",
            "unicode-width",
        ],
    },
    CrateLayer {
        name: "xtask",
        ours: &["sokocore", "sokosearch", "sokomethods", "sokosolver", "sokoio", "sokonight", "sokofleet"],
        others: &[
            "anyhow",
            "clap",
            "comfy-table",
            "csv",
            "hashbrown",
            "jiff",
            "libm",
            "minreq",
            "nix",
            "parking_lot",
            "plotters",
            "proc-macro2",
            "serde",
            "serde_json",
            "syn",
            "tempfile",
            "terminal_size",
            "toml",
        ],
    },
];

/// Compares what a crate is built with to the table.
pub(crate) fn check(package: &Package) -> Vec<Finding> {
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == package.name) else {
        return vec![Finding::error(&*package.name, "give this crate a row in xtask/src/tidy/layers.rs")];
    };
    let is_ours = |name: &str| LAYERS.iter().any(|layer| layer.name == name);
    let excess = package.built_with().filter(|name| !layer.ours.contains(name) && !layer.others.contains(name));
    let report = |name: &str| {
        let message = if is_ours(name) {
            format!("may not know {name}, which is not in a layer below it")
        } else {
            format!(
                "{name} is not among its dependencies in xtask/src/tidy/layers.rs; adding one is an architecture change"
            )
        };
        Finding::error(&*package.name, message)
    };
    excess.map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn check_layers(name: &str, dependencies: &[(&str, Option<&str>)], expect: &[&str]) {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        let dependencies = dependencies.iter().map(dependency).collect();
        let package = Package { name: name.to_owned(), dependencies, ..Package::default() };
        let found: Vec<String> = check(&package).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{found:?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found} should contain {expect}");
        }
    }

    #[test]
    fn a_crate_knows_only_those_below_it() {
        check_layers("sokomethods", &[("sokocore", None), ("sokosearch", None)], &[]);
        check_layers("sokocore", &[("sokosearch", None)], &["sokocore: may not know sokosearch"]);
        check_layers("sokoio", &[("sokosearch", Some("build"))], &["may not know sokosearch"]);
        check_layers("sokocli", &[("xtask", None)], &["may not know xtask"]);
    }

    #[test]
    fn a_dependency_from_outside_is_in_the_table() {
        check_layers("sokocore", &[("thiserror", None), ("serde", None)], &["sokocore: serde is not among"]);
    }

    #[test]
    fn tests_may_use_anything() {
        check_layers("sokocore", &[("proptest", Some("dev")), ("sokoio", Some("dev"))], &[]);
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        check_layers("sokonew", &[], &["sokonew: give this crate a row"]);
    }

    #[test]
    fn the_table_itself_points_downward() {
        for (idx, layer) in LAYERS.iter().enumerate() {
            let below: Vec<_> = LAYERS[..idx].iter().map(|layer| layer.name).collect();
            assert!(layer.ours.iter().all(|name| below.contains(name)), "{}", layer.name);
        }
    }
}
