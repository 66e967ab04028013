//! The host in C, `examples/host.c`, compiled and run here as its author would.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sokocore::n_cases;

use crate::library;

/// Compiles the host.
///
/// # Errors
/// There is no C compiler.
fn compiled(folder: &Path) -> Result<PathBuf, String> {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    if !cfg!(unix) || Command::new(&compiler).arg("--version").output().is_err() {
        return Err(format!("the host in C was not tried: there is no C compiler called {}", compiler.display()));
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let host = folder.join("host");
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-I"]);
    command.arg(package.join("include")).arg(package.join("examples/host.c")).arg("-o").arg(&host);
    let output = command.args(["-ldl", "-lpthread"]).output().expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(host)
}

/// Runs the host on a copy of the library, through another program if one is named.
fn run(host: &Path, folder: &Path, n_calls: usize, through: &[&str]) -> Output {
    let plugin = library::copy_with_settings(folder, "threads = 2\nmemory-mib = 64\n");
    let mut words = through.iter().map(AsRef::as_ref).chain([host.as_os_str(), plugin.as_os_str()]);
    let mut command = Command::new(words.next().expect("there is a host"));
    // `Configure` starts an editor, which there is none of here.
    command.args(words).arg(n_calls.to_string()).env("SOKO_PLUGIN_EDITOR", "true");
    command.output().expect("the host runs")
}

fn check(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.ends_with("all went as it should\n"), "{said}");
    assert!(said.contains("14/3 -> 12/5, proved optimal: "), "{said}");
    assert!(text(&output.stderr).contains("\nSettings: "), "ShowAbout says where the settings are");
}

#[test]
fn a_host_in_c_calls_everything() {
    let folder = tempfile::tempdir().unwrap();
    match compiled(folder.path()) {
        Ok(host) => check(&run(&host, folder.path(), n_cases(5, 500), &[])),
        Err(reason) => println!("{reason}"),
    }
}

/// Valgrind runs one thread at a time, and takes a minute or so.
#[test]
fn valgrind_finds_nothing() {
    if n_cases(0, 1) == 0 {
        return;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("the host in C was not run under Valgrind, which is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let valgrind =
        ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"];
    match compiled(folder.path()) {
        Ok(host) => check(&run(&host, folder.path(), 5, &valgrind)),
        Err(reason) => println!("{reason}"),
    }
}
