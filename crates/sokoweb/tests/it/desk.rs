//! A server with a library in a folder of its own, and requests to it.

use std::io;
use std::thread::{self, JoinHandle};

use serde_json::Value;
use sokolibrary::Library;
use sokosearch::Cancel;
use sokoweb::{Server, ServerOptions};
use tempfile::TempDir;

use crate::patience::{PATIENCE, wait};

/// A server that runs in a thread of this process.
pub(crate) struct Desk {
    folder: Option<TempDir>,
    pub(crate) link: String,
    /// The link with the key that works once.
    pub(crate) opening_link: String,
    stop: Cancel,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Desk {
    /// Serves an empty library.
    pub(crate) fn new() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap())
    }

    /// Serves what is in a folder.
    fn in_folder(folder: TempDir) -> Self {
        let options = ServerOptions::of_library(folder.path().join("library.sqlite"));
        let options = options.with_threads(2).with_memory(1 << 30).with_resident_memory(|| 123 << 20);
        let server = Server::bind(&options).unwrap();
        let (link, stop) = (server.link(), Cancel::default());
        let opening_link = server.opening_link().expect("it was not used");
        let thread = {
            let stop = stop.clone();
            thread::spawn(move || server.run(&stop))
        };
        Self { folder: Some(folder), link, opening_link, stop, thread: Some(thread) }
    }

    /// Stops the server, and begins another one on the same library.
    pub(crate) fn restart(mut self) -> Self {
        self.end().unwrap();
        Self::in_folder(self.folder.take().expect("it has a folder"))
    }

    fn end(&mut self) -> io::Result<()> {
        self.stop.cancel();
        self.thread.take().map_or(Ok(()), |thread| thread.join().expect("the server does not panic"))
    }

    /// The address without a path.
    pub(crate) fn origin(&self) -> &str {
        self.link.split("/#").next().unwrap()
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> &str {
        self.origin().trim_start_matches("http://")
    }

    pub(crate) fn token(&self) -> &str {
        self.link.split("token=").nth(1).unwrap()
    }

    pub(crate) fn library(&self) -> Library {
        let folder = self.folder.as_ref().expect("it has a folder");
        Library::open(&folder.path().join("library.sqlite")).unwrap()
    }

    /// Asks for something; returns the status and the answer.
    pub(crate) fn ask(&self, path: &str) -> (u16, Value) {
        let request = minreq::get(format!("{}/api/{path}", self.origin()));
        answer_of(request.with_header("x-soko-token", self.token()))
    }

    /// Asks for something that is there.
    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(path);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Changes something; returns the status and the answer.
    pub(crate) fn try_post(&self, path: &str, body: impl Into<Vec<u8>>) -> (u16, Value) {
        let request = minreq::post(format!("{}/api/{path}", self.origin())).with_body(body);
        answer_of(request.with_header("x-soko-token", self.token()))
    }

    /// Changes something that can be changed.
    pub(crate) fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> Value {
        let (status, answer) = self.try_post(path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Checks a board; returns the stages that the search has told, and the answer.
    pub(crate) fn check(&self, board: &str, seconds: f64) -> (Vec<String>, Value) {
        let answer = self.post("check", serde_json::json!({ "board": board, "seconds": seconds }).to_string());
        let Value::String(lines) = answer else {
            // One line of a board that is no level is JSON as a whole.
            return (Vec::new(), answer.get("check").cloned().unwrap_or(answer));
        };
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let stages = lines.iter().filter_map(|line| Some(line["stage"].as_str()?.to_owned())).collect();
        (stages, lines.last().expect("an answer")["check"].clone())
    }

    /// Begins a run, and waits until it has ended.
    pub(crate) fn run(&self, request: &str) -> Value {
        let id = self.post("runs", request)["id"].clone();
        let run = || self.get("runs")["runs"].as_array().unwrap().iter().find(|run| run["id"] == id).cloned();
        wait("the run ends", || run().filter(|run| run["phase"] == "ended" || run["phase"] == "failed"))
    }

    /// The identity of the first level of a collection.
    pub(crate) fn first_id(&self, collection: &str) -> String {
        let answer = self.get(&format!("collection?name={collection}"));
        answer["levels"][0]["id"].as_str().unwrap().to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A test that fails says so itself.
            let _ = thread.join();
        }
    }
}

fn answer_of(request: minreq::Request) -> (u16, Value) {
    let response = request.with_timeout(PATIENCE).send().unwrap();
    let status = response.status_code;
    let text = response.as_str().unwrap_or_default();
    (status, serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())))
}
