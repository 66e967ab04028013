//! What the linker is told: on macOS, that Python's symbols come from the program that loads the library.
//!
//! `maturin` says so itself; this is for `cargo build` and `cargo test`. Linux allows it for every library, and Windows has
//! the symbols in an import library that PyO3 writes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-undefined");
        println!("cargo::rustc-cdylib-link-arg=dynamic_lookup");
    }
}
