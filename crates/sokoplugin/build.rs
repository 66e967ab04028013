//! Links the names of 32-bit Windows, where the functions are `stdcall`: the compiler would export `Optimize` as
//! `_Optimize@28`, and hosts look for `Optimize`.

use std::env;

/// Names without decoration for the linker of Visual Studio, as a module definition says them.
const DEFINITION: &str = "sokoplugin.def";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(soko_check_windows)");
    println!("cargo::rerun-if-changed={DEFINITION}");
    let of_target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if of_target("OS") != "windows" || of_target("ARCH") != "x86" {
        return;
    }
    match &*of_target("ENV") {
        "msvc" => {
            let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
            println!("cargo::rustc-cdylib-link-arg=/DEF:{folder}\\{DEFINITION}");
        }
        // The linkers of MinGW take the decoration away by themselves.
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,--kill-at"),
    }
}
