//! Requests of any bytes to the server of the pages.
//!
//! Each input is a few requests on one connection, of routes and queries by number or of any bytes, with the token and
//! without. The server must answer one plain request after them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use sokosearch::Cancel;
use sokoweb::{Server, ServerOptions};
use tempfile::TempDir;

/// A request.
#[derive(Debug, Arbitrary)]
pub enum Call {
    /// A route with a query and a body.
    Route { route: u8, posts: bool, query: Vec<(u8, Value)>, body: Body, has_token: bool },
    /// Any bytes.
    Bytes(Vec<u8>),
}

/// The value of a query.
#[derive(Debug, Arbitrary)]
pub enum Value {
    Known(u8),
    Text(String),
    Number(i64),
}

/// What is sent.
#[derive(Debug, Arbitrary)]
pub enum Body {
    Empty,
    Bytes(Vec<u8>),
    Fields(Vec<(u8, Value)>),
    Levels(Vec<crate::collection::Part>),
}

const ROUTES: [&str; 20] = [
    "api/library",
    "api/collection",
    "api/level",
    "api/picture",
    "api/compare",
    "api/upload",
    "api/forget",
    "api/export",
    "api/check",
    "api/check/stop",
    "api/save",
    "api/open",
    "api/permission",
    "api/run",
    "",
    "index.html",
    "level",
    "api/../api/library",
    "api/none",
    "%00",
];
const KEYS: [&str; 18] = [
    "name",
    "id",
    "in",
    "page",
    "find",
    "sort",
    "only",
    "a",
    "b",
    "do",
    "board",
    "seconds",
    "token",
    "key",
    "moves",
    "title",
    "collection",
    "number",
];
const VALUES: [&str; 12] = [
    "small",
    "title",
    "unsolved",
    "0",
    "######\n#@$ .#\n######",
    "RR",
    "small.sok",
    "stop",
    "..",
    "00000000",
    "moves",
    "1",
];

static SERVER: LazyLock<(TempDir, String, String)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is room for files");
    let options = ServerOptions::of_library(folder.path().join("library.sqlite")).with_memory(64 << 20);
    let server = Server::bind(&options).expect("a port is free");
    let link = server.link();
    let host = link.split("/#").next().unwrap_or_default().trim_start_matches("http://").to_owned();
    let token = link.split("token=").nth(1).unwrap_or_default().to_owned();
    // It ends with the process.
    let _serves = thread::spawn(move || server.run(&Cancel::default()));
    (folder, host, token)
});

fn value(value: &Value) -> String {
    match value {
        Value::Known(which) => VALUES[usize::from(*which) % VALUES.len()].to_owned(),
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn quoted(text: &str) -> String {
    let plain = |letter: char| letter != '"' && letter != '\\' && !letter.is_control();
    text.chars()
        .map(|letter| if plain(letter) { letter.to_string() } else { format!("\\u{:04x}", u32::from(letter) & 0xFFFF) })
        .collect()
}

fn bytes_of(call: &Call, host: &str, token: &str) -> Vec<u8> {
    let Call::Route { route, posts, query, body, has_token } = call else {
        let Call::Bytes(bytes) = call else { return Vec::new() };
        return bytes.clone();
    };
    let key = |key: u8| KEYS[usize::from(key) % KEYS.len()];
    let query: Vec<_> =
        query.iter().take(6).map(|(name, text)| format!("{}={}", key(*name), escaped(&value(text)))).collect();
    let body = match body {
        Body::Empty => Vec::new(),
        Body::Bytes(bytes) => bytes.clone(),
        Body::Fields(fields) => {
            let field = |(name, text): &(u8, Value)| match text {
                Value::Number(number) => format!("\"{}\": {number}", key(*name)),
                text => format!("\"{}\": \"{}\"", key(*name), quoted(&value(text))),
            };
            format!("{{{}}}", fields.iter().take(8).map(field).collect::<Vec<_>>().join(", ")).into_bytes()
        }
        Body::Levels(parts) => crate::collection::text(parts, "\n").into_bytes(),
    };
    let token = if *has_token { format!("x-soko-token: {token}\r\n") } else { String::new() };
    let head = format!(
        "{} /{}?{} HTTP/1.1\r\nHost: {host}\r\n{token}Content-Length: {}\r\n\r\n",
        if *posts { "POST" } else { "GET" },
        ROUTES[usize::from(*route) % ROUTES.len()],
        query.join("&"),
        body.len()
    );
    [head.into_bytes(), body].concat()
}

/// Sends the requests, then asks for something plain.
pub fn check(calls: &[Call]) {
    let (_, host, token) = &*SERVER;
    let mut stream = TcpStream::connect(host).expect("the server accepts connections");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("it can be set");
    for call in calls.iter().take(4) {
        // The server may have closed the connection after a bad request.
        if stream.write_all(&bytes_of(call, host, token)).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _cut = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(!answer.contains("HTTP/1.1 500"), "{answer}");
    let mut stream = TcpStream::connect(host).expect("the server accepts connections");
    let plain =
        format!("GET /api/permission HTTP/1.1\r\nHost: {host}\r\nx-soko-token: {token}\r\nConnection: close\r\n\r\n");
    stream.write_all(plain.as_bytes()).expect("the server reads");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("it can be set");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
