//! `Terminate` from another thread, at any moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sokocore::{Level, n_cases, replay};
use sokoplugin::ResultCode;
use tempfile::TempDir;

use crate::calls::LARGE;
use crate::library;
use crate::plugin::{Function, Plugin, Reply, Request};

/// A library of the test's own, since `Terminate` ends all calls of one.
fn own_plugin(folder: &TempDir) -> Plugin {
    Plugin::load(&library::copy_with_settings(folder.path(), "memory-mib = 64\n"))
}

/// A game of the large level, far from good.
fn poor_game(plugin: &Plugin) -> String {
    let reply = plugin.run(Function::SolveEx, Request { buffer: vec![0; 20_000], ..Request::new(&LARGE, "") });
    assert_eq!(reply.code, 0);
    reply.game()
}

/// Calls a function, and `Terminate` until it returns, first after a while.
fn terminated(plugin: &Plugin, function: Function, request: Request<'_>, after: Duration) -> Reply {
    let has_ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let has_ended = &has_ended;
        scope.spawn(move || {
            thread::sleep(after);
            while !has_ended.load(Ordering::Relaxed) {
                assert_eq!(plugin.terminate(), 0);
                thread::sleep(Duration::from_millis(1));
            }
        });
        let reply = plugin.run(function, request);
        has_ended.store(true, Ordering::Relaxed);
        reply
    })
}

#[test]
fn terminate_alone_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = own_plugin(&folder);
    assert_eq!(plugin.terminate(), 0);
    let reply = plugin.run(Function::SolveEx, Request::new(&["#####", "#@$.#", "#####"], ""));
    assert_eq!((reply.code, reply.game().as_str()), (0, "R"));
}

/// What is found by then is handed over, and it solves the level.
#[test]
fn a_call_that_is_terminated_hands_over_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = own_plugin(&folder);
    let game = poor_game(&plugin);
    let level = Level::parse(&LARGE.join("\n")).unwrap();
    let mut n_improved = 0;
    for at in 0..n_cases(40, 1_000) {
        let after = Duration::from_micros(sokocore::mix64(at as u64) % 30_000);
        let request = Request::new(&LARGE, &game).with_flags(258 | 1);
        let reply = terminated(&plugin, Function::Optimize, request, after);
        let is_improved = reply.code == 0;
        n_improved += usize::from(is_improved);
        assert!(is_improved || reply.code == ResultCode::Terminated as i32, "{} {}", reply.code, reply.text());
        assert!(replay(&level, &reply.game().parse().unwrap()).is_ok());
        assert_eq!(is_improved, reply.game() != game);
        if at % 4 == 0 {
            let request = Request { buffer: vec![0; 20_000], ..Request::new(&LARGE, "").with_flags(0) };
            let reply = terminated(&plugin, Function::SolveEx, request, after);
            assert!([0, ResultCode::Terminated as i32].contains(&reply.code), "{} {}", reply.code, reply.text());
        }
    }
    assert!(n_improved > 0, "nothing was improved in any of the calls");
}

#[test]
fn calls_run_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = own_plugin(&folder);
    let game = poor_game(&plugin);
    thread::scope(|scope| {
        let calls: Vec<_> = (0..3)
            .map(|_| {
                let (plugin, game) = (&plugin, &game);
                let request = Request::new(&LARGE, game).with_flags(258);
                scope.spawn(move || terminated(plugin, Function::Optimize, request, Duration::from_millis(50)).code)
            })
            .collect();
        for call in calls {
            assert!([0, ResultCode::Terminated as i32].contains(&call.join().unwrap()));
        }
    });
}
