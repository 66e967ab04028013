//! What linkers are told: the names of 32-bit Windows, and that Linux keeps the code of an unloaded library.
//!
//! On 32-bit Windows the functions are `stdcall`: to linkers `Optimize` is `_Optimize@28`, and hosts look for `Optimize`.
//!
//! On Linux the standard library takes one of the 1,024 thread-local keys of a process with the first call, whose destructor
//! is code of the library, and never gives it back. If the code were unmapped, each load would cost a key, and the
//! 1,024th abort the host. So the code stays where it is, once for all loads, and `dlclose` is safe at any time.

use std::{env, fs};

/// Names without decoration, and what they are to the linker of Visual Studio.
const DEFINITION: &str = "sokoplugin.def";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(soko_check_windows)");
    println!("cargo::rerun-if-changed={DEFINITION}");
    let of_target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if of_target("OS") == "linux" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    if of_target("OS") != "windows" || of_target("ARCH") != "x86" {
        return;
    }
    if of_target("ENV") == "msvc" {
        // One by one: the compiler hands in a definition of its own, and the linker takes only one.
        let definition = fs::read_to_string(DEFINITION).expect("the definition is part of the package");
        let exports = definition.lines().filter_map(|line| line.split_once(" = "));
        exports
            .for_each(|(name, decorated)| println!("cargo::rustc-cdylib-link-arg=/EXPORT:{}={decorated}", name.trim()));
    } else {
        // The linker of MinGW takes the decoration away by itself.
        println!("cargo::rustc-cdylib-link-arg=-Wl,--kill-at");
    }
}
