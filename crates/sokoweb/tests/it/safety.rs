//! What is refused on a real socket, and what every answer carries.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::desk::Desk;
use crate::levels::SMALL;

/// Sends a request as it stands, and returns the answer.
fn raw(desk: &Desk, request: &str) -> String {
    let mut stream = TcpStream::connect(desk.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn check(desk: &Desk, first: &str, headers: &str, expect: &str) {
    let answer = raw(desk, &format!("{first} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"));
    assert!(answer.starts_with(&format!("HTTP/1.1 {expect}")), "{first} {headers}: {answer}");
}

#[test]
fn a_name_that_was_pointed_here_gets_nothing() {
    let desk = Desk::new();
    let token = format!("x-soko-token: {}\r\n", desk.token());
    let host = format!("Host: {}\r\n{token}", desk.host());
    check(&desk, "GET /api/library", &host, "200");
    check(&desk, "GET /api/library", &format!("Host: evil.example\r\n{token}"), "403");
    check(&desk, "GET /", &format!("Host: evil.example\r\n{token}"), "403");
    check(&desk, "GET http://evil.example/api/library", &host, "403");
    check(&desk, "GET /api/library", &format!("{host}Origin: http://evil.example\r\n"), "403");
    check(&desk, "GET /api/library", &format!("{host}Sec-Fetch-Site: cross-site\r\n"), "403");
}

#[test]
fn a_change_needs_the_token() {
    let desk = Desk::new();
    let host = format!("Host: {}\r\nContent-Length: 0\r\n", desk.host());
    let token = format!("x-soko-token: {}\r\n", desk.token());
    check(&desk, "POST /api/check/stop", &host, "401");
    check(&desk, "POST /api/check/stop", &format!("{host}x-soko-token: {}\r\n", "0".repeat(32)), "401");
    check(&desk, "POST /api/check/stop", &format!("{host}{token}Origin: http://evil.example\r\n"), "403");
    check(&desk, "POST /api/check/stop", &format!("{host}{token}"), "200");
    let key = desk.opening_link.split("open=").nth(1).unwrap();
    check(&desk, "POST /api/check/stop", &format!("{host}x-soko-token: {key}\r\n"), "401");
    check(&desk, "POST /api/open", &format!("{host}{token}"), "200");
    check(&desk, "POST /api/open", &format!("{host}x-soko-token: {key}\r\n"), "200");
    check(&desk, "POST /api/open", &format!("{host}x-soko-token: {key}\r\n"), "403");
    // What looks never changes.
    check(&desk, "GET /api/upload?name=x", &format!("{host}{token}"), "405");
    check(&desk, "DELETE /api/library", &format!("{host}{token}"), "405");
}

#[test]
fn another_user_of_the_machine_reads_nothing() {
    let desk = Desk::new();
    desk.post("upload?name=small.sok", SMALL);
    let id = desk.first_id("small");
    let host = format!("Host: {}\r\n", desk.host());
    let opened = raw(
        &desk,
        &format!(
            "POST /api/open HTTP/1.1\r\n{host}x-soko-token: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            desk.token()
        ),
    );
    let cookie = opened.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    assert!(cookie.ends_with("; Path=/api; HttpOnly; SameSite=Strict") && !cookie.contains(desk.token()), "{cookie}");
    let cookie = format!("{host}Cookie: {}\r\n", cookie.split(';').next().unwrap());
    let level = format!("level?id={id}");
    for path in ["library", "collection?name=small", &level, &format!("picture?id={id}"), "runs", "run?id=1", "nothing"]
    {
        check(&desk, &format!("GET /api/{path}"), &host, "401");
        check(&desk, &format!("GET /api/{path}"), &format!("{host}Cookie: soko=1\r\n"), "401");
    }
    check(&desk, "GET /api/events", &host, "401");
    check(&desk, &format!("GET /api/picture?id={id}"), &cookie, "200");
    check(&desk, "GET /api/library", &cookie, "200");
    // A server of another user on another port gets the cookie, too; it does not let it change anything.
    check(&desk, "POST /api/check/stop", &format!("{cookie}Content-Length: 0\r\n"), "403");
    for page in ["/", "/level", "/runs", "/page.js"] {
        let answer = raw(&desk, &format!("GET {page} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200") && !answer.contains("Two steps"), "{page}");
    }
}

#[test]
fn every_answer_carries_the_policy() {
    let desk = Desk::new();
    for path in ["/", "/soko.css", "/api/library", "/api/nothing", "/nothing", "/level"] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", desk.host());
        let answer = raw(&desk, &request).to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{path}: {header}: {answer}");
        }
        assert!(!answer.contains(desk.token()), "{path} tells the token");
    }
}

#[test]
fn no_path_of_a_request_is_opened() {
    let desk = Desk::new();
    let host = format!("Host: {}\r\n", desk.host());
    for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/pages/page.js", "/library.sqlite"]
    {
        check(&desk, &format!("GET {path}"), &host, "404");
    }
    let added = desk.post("upload?name=../../../etc/passwd", SMALL);
    assert_eq!(added["name"], "passwd");
    assert_eq!(desk.library().collections().unwrap()[0].file, "");
}

#[test]
fn sizes_are_limited() {
    let desk = Desk::new();
    let (status, answer) = desk.try_post("check", format!("{{\"board\": \"{}\"}}", " ".repeat(2 << 20)));
    assert!(status == 413 || status == 400, "{status} {answer}");
    // Refused by what it says, before it comes.
    let host = format!("Host: {}\r\nx-soko-token: {}\r\n", desk.host(), desk.token());
    check(&desk, "POST /api/upload?name=x", &format!("{host}Content-Length: 99999999999\r\n"), "400");
    assert!(desk.library().collections().unwrap().is_empty());
}
