//! The server of the pages as a process: it tells its link, ends at Ctrl-C, and loses nothing when it is killed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use sokosearch::Clock;

use crate::cmd::{Desk, hard_level};

/// A server that runs.
struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    fn start(desk: &Desk) -> Self {
        let mut child = desk.start("serve --library my.sqlite --no-open --threads 1 --memory 256MiB");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let link = lines.map_while(Result::ok).find_map(|line| Some(line.strip_prefix("Open http://")?.to_owned()));
        let link = link.expect("it tells its link");
        let (host, token) = link.split_once("/#token=").expect("with a token");
        Self { host: host.to_owned(), token: token.to_owned(), child }
    }

    /// Sends a request, and returns the answer's body, which is JSON.
    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        serde_json::from_str(&self.text(method, path, body)).unwrap()
    }

    /// Sends a request, and returns the answer's body.
    fn text(&self, method: &str, path: &str, body: &str) -> String {
        let (host, token, length) = (&self.host, &self.token, body.len());
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "{method} /api/{path} HTTP/1.1\r\nHost: {host}\r\nx-soko-token: {token}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        body.to_owned()
    }

    fn best_moves(&self) -> u64 {
        self.ask("GET", "library", "")["collections"][0]["moves"]["best"].as_u64().unwrap()
    }

    /// Waits until a run has gained something.
    fn gained(&self) -> u64 {
        let clock = Clock::start();
        loop {
            let gained = self.ask("GET", "runs", "")["runs"][0]["moves_gained"].as_u64().unwrap();
            if gained > 0 {
                return gained;
            }
            assert!(clock.elapsed() < Duration::from_secs(60), "nothing is gained");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Served {
    /// Leaves no process behind, whatever the test says.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_that_is_killed_has_everything_after_a_restart() {
    let desk = Desk::new();
    let mut server = Served::start(&desk);
    server.ask("POST", "upload?name=hard.sok", &hard_level());
    let before = server.best_moves();
    server.ask("POST", "runs", r#"{"kind": "night"}"#);
    let gained = server.gained();
    // What is found is in the library within a second.
    sleep(Duration::from_millis(1_500));
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let again = Served::start(&desk);
    assert_ne!(again.token, server.token, "a token is for one start");
    assert!(again.best_moves() <= before - gained);
    // The run is there, and is continued.
    let run = || again.ask("GET", "runs", "")["runs"][0].clone();
    assert_eq!(run()["phase"], "cut_off");
    again.ask("POST", "run?id=1&do=continue", "");
    assert_ne!(run()["phase"], "cut_off");
    drop(again);
    desk.soko("library --library my.sqlite check").expect(0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_server_and_its_runs() {
    let desk = Desk::new();
    let mut server = Served::start(&desk);
    server.ask("POST", "upload?name=hard.sok", &hard_level());
    server.ask("POST", "runs", r#"{"kind": "night"}"#);
    let (before, gained) = (server.best_moves(), server.gained());
    assert!(Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap().success());
    let clock = Clock::start();
    assert!(server.child.wait().unwrap().success());
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
    let list = desk.soko("library --library my.sqlite list --json").expect(0).lines("collection");
    assert!(list[0]["moves"].as_u64().unwrap() <= before, "{list:?} {gained}");
}

/// A request for which the system has no thread would have no answer.
#[cfg(target_os = "linux")]
#[test]
fn requests_need_no_new_threads() {
    let desk = Desk::new();
    let server = Served::start(&desk);
    server.ask("POST", "upload?name=hard.sok", &hard_level());
    let n_threads = || std::fs::read_dir(format!("/proc/{}/task", server.child.id())).unwrap().count();
    let before = n_threads();
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| server.ask("GET", "library", ""));
        }
    });
    assert_eq!(n_threads(), before);
}

#[test]
fn a_port_that_is_taken_is_said() {
    let desk = Desk::new();
    let server = Served::start(&desk);
    let port = server.host.rsplit(':').next().unwrap().to_owned();
    let done = desk.soko(&format!("serve --library my.sqlite --no-open --port {port}")).expect(1);
    assert!(
        done.stderr.contains(&format!("cannot listen on 127.0.0.1:{port}; choose another port")),
        "{}",
        done.stderr
    );
}

#[test]
fn the_table_of_the_page_is_that_of_the_command_line() {
    let desk = Desk::new();
    let server = Served::start(&desk);
    server.ask("POST", "upload?name=hard.sok", &hard_level());
    server.ask("POST", "upload?name=steps.sok", "A \"title\", quoted\n\n#######\n#@ $ .#\n#######\n");
    let table = server.text("POST", "export", r#"{"form": "csv"}"#);
    let expect = desk.soko("library --library my.sqlite export --csv").expect(0).stdout;
    assert_eq!(table, expect);
}
