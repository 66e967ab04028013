//! The C header, which cbindgen makes out of the sources, and the names of 32-bit Windows.

use std::env;
use std::fs;
use std::path::Path;

/// `SOKO_UPDATE_HEADER=1` writes it, and without the variable it is compared.
#[test]
fn the_header_is_that_of_the_sources() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(package.join("cbindgen.toml")).unwrap();
    let source = |file: &str| package.join("src").join(file);
    // It knows functions of C only. Those of the system differ on 32-bit Windows, which the header says by itself.
    let folder = tempfile::tempdir().unwrap();
    let exports = folder.path().join("exports.rs");
    let of_system = fs::read_to_string(source("exports.rs")).unwrap();
    fs::write(&exports, of_system.replace("extern \"system\"", "extern \"C\"")).unwrap();
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(exports)
        .with_src(source("result_code.rs"))
        .with_src(source("host/status.rs"))
        .generate()
        .unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = package.join("include/sokoplugin.h");
    if env::var_os("SOKO_UPDATE_HEADER").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "{} has changed; SOKO_UPDATE_HEADER=1 cargo test -p sokoplugin header writes it",
        path.display()
    );
}

/// Every function that is exported stands in the definition of its names on 32-bit Windows, with the bytes of its
/// arguments, which are four each.
#[test]
fn the_names_of_32_bit_windows_are_those_of_the_header() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(package.join("src/exports.rs")).unwrap();
    let mut expected: Vec<String> = source
        .split("#[unsafe(no_mangle)]")
        .skip(1)
        .map(|item| {
            let (name, rest) = item.split_once("fn ").unwrap().1.split_once('(').unwrap();
            let arguments = rest.split_once(')').unwrap().0;
            format!("{name} = _{name}@{}", 4 * arguments.matches(": ").count())
        })
        .collect();
    expected.sort();
    let definition = fs::read_to_string(package.join("sokoplugin.def")).unwrap();
    let written: Vec<_> = definition.lines().filter(|line| line.starts_with("    ")).map(str::trim).collect();
    assert_eq!(written, expected);
}
