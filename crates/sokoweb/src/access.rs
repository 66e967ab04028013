//! Who may ask: the checks that stand before every route, and the headers that go with every answer.
//!
//! | threat | what stands against it |
//! |---|---|
//! | another machine connects | the socket is bound to 127.0.0.1 |
//! | a web site's name is pointed at 127.0.0.1 (DNS rebinding) | `Host` must be ours, with our port |
//! | a web site sends a form or a request (CSRF) | `Origin` must be ours, `Sec-Fetch-Site` no other site; a change needs the token in a header of its own |
//! | a web site embeds the page | `frame-ancestors 'none'` |
//! | markup in a title, a note, a name of a file | pages set text, never markup; the policy runs scripts from our files only |
//! | endless bodies | sizes are limited, by what the request says and by what comes |
//! | another user of the machine | a change needs the token, which is printed; the link that a browser is started with, which others can read in the list of processes, has a key that works once |
//!
//! Invariant: a route is reached only by a request that passed [`Access::admits`].

mod token;

use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response};

use parking_lot::Mutex;
use sokoio::Collection;

pub(crate) use self::token::Token;
use crate::problem::Problem;

/// The header that carries the token.
pub(crate) const TOKEN_HEADER: &str = "x-soko-token";

/// Nothing from elsewhere, no inline script, no inline style, no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// What requests are compared with.
#[derive(Debug)]
pub(crate) struct Access {
    /// `127.0.0.1:PORT` and `localhost:PORT`.
    hosts: [String; 2],
    token: Token,
    /// Can be exchanged for the token, once.
    key: Mutex<Option<Token>>,
}

/// The route that exchanges the key for the token.
pub(crate) const EXCHANGE: &str = "/api/open";

impl Access {
    /// Admits requests to a port.
    pub(crate) fn new(port: u16, token: Token, key: Token) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Self { hosts, token, key: Mutex::new(Some(key)) }
    }

    /// Returns the address of a page with the token behind it.
    pub(crate) fn link(&self) -> String {
        format!("http://{}/#token={}", self.hosts[0], self.token)
    }

    /// Returns the address of a page with the key behind it; `None` if it was used.
    pub(crate) fn opening_link(&self) -> Option<String> {
        let key = self.key.lock();
        key.as_ref().map(|key| format!("http://{}/#open={key}", self.hosts[0]))
    }

    /// Takes the key, and returns the token for it.
    pub(crate) fn exchange(&self, shown: &[u8]) -> Option<String> {
        let mut key = self.key.lock();
        key.take_if(|key| key.is(shown)).map(|_| self.token.to_string())
    }

    /// Checks a request.
    pub(crate) fn admits<B>(&self, request: &Request<B>) -> Result<(), Problem> {
        let headers = request.headers();
        // A target such as `GET http://elsewhere/` has a host of its own.
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours == host);
        let target = request.uri().authority().is_none_or(|authority| is_ours(authority.as_str()));
        if !target || !only(headers, &header::HOST).is_some_and(is_ours) {
            return Err(Problem::forbidden("the request is for another host than this server"));
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(is_ours) {
                return Err(Problem::forbidden("the request comes from another site"));
            }
        }
        let is_page = !request.uri().path().starts_with("/api/");
        match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
            None | Some(b"same-origin" | b"none") => {}
            // A link on another site may lead to a page, which shows nothing to that site.
            Some(_) if is_page && request.method() == Method::GET => {}
            Some(_) => return Err(Problem::forbidden("the request comes from another site")),
        }
        let n_bytes = only(headers, &header::CONTENT_LENGTH).and_then(|text| text.parse::<usize>().ok());
        if n_bytes.is_some_and(|n_bytes| n_bytes > Collection::MAX_FILE_SIZE) {
            let most = Collection::MAX_FILE_SIZE >> 20;
            return Err(Problem::bad(format!("it is larger than {most} MiB; nothing was read")));
        }
        let is_change = !matches!(*request.method(), Method::GET | Method::HEAD);
        // The exchange checks its key itself.
        let is_change = is_change && request.uri().path() != EXCHANGE;
        if is_change && !headers.get(TOKEN_HEADER).is_some_and(|token| self.token.is(token.as_bytes())) {
            return Err(Problem::forbidden(
                "this page may only look: open the link that `soko serve` prints, which has the key to changes",
            ));
        }
        Ok(())
    }
}

/// Adds the headers of every answer. Nothing is stored by the browser unless the route says so.
pub(crate) fn add_headers<B>(response: &mut Response<B>) {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// The value of a header that is there once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        Access::new(4000, Token::of_digits("ab12"), Token::of_digits("cd34"))
    }

    fn check(method: &str, target: &str, headers: &[(&str, &str)], expect: Result<(), &str>) {
        let access = access();
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let result = access.admits(&request.body(()).unwrap()).map_err(|problem| problem.to_string());
        match expect {
            Ok(()) => assert_eq!(result, Ok(()), "{method} {target} {headers:?}"),
            Err(expect) => assert!(result.clone().unwrap_err().contains(expect), "{headers:?}: {result:?}"),
        }
    }

    #[test]
    fn only_our_own_hosts_are_answered() {
        check("GET", "/", &[("host", "127.0.0.1:4000")], Ok(()));
        check("GET", "/", &[("host", "localhost:4000")], Ok(()));
        let other = Err("another host");
        check("GET", "/", &[], other);
        check("GET", "/", &[("host", "127.0.0.1:4001")], other);
        check("GET", "/", &[("host", "evil.example:4000")], other);
        check("GET", "/", &[("host", "127.0.0.1")], other);
        check("GET", "/", &[("host", "127.0.0.1:4000"), ("host", "evil.example")], other);
        check("GET", "http://evil.example/", &[("host", "127.0.0.1:4000")], other);
    }

    #[test]
    fn other_sites_are_refused() {
        let host = ("host", "127.0.0.1:4000");
        check("GET", "/api/x", &[host, ("origin", "http://127.0.0.1:4000")], Ok(()));
        for origin in ["null", "http://evil.example", "https://127.0.0.1:4000", "http://127.0.0.1:4000.evil.example"] {
            check("GET", "/api/x", &[host, ("origin", origin)], Err("another site"));
        }
        check("GET", "/api/x", &[host, ("sec-fetch-site", "same-origin")], Ok(()));
        check("GET", "/api/x", &[host, ("sec-fetch-site", "same-site")], Err("another site"));
        check("GET", "/level", &[host, ("sec-fetch-site", "cross-site")], Ok(()));
    }

    #[test]
    fn changes_need_the_token() {
        let host = ("host", "localhost:4000");
        check("POST", "/api/x", &[host], Err("may only look"));
        check("POST", "/api/x", &[host, (TOKEN_HEADER, "ab1")], Err("may only look"));
        check("DELETE", "/api/x", &[host, (TOKEN_HEADER, "")], Err("may only look"));
        check("POST", "/api/x", &[host, (TOKEN_HEADER, "ab12")], Ok(()));
        check("POST", "/", &[host, (TOKEN_HEADER, "ab12"), ("sec-fetch-site", "cross-site")], Err("another site"));
    }

    #[test]
    fn the_link_carries_the_token_where_no_server_and_no_log_sees_it() {
        assert_eq!(access().link(), "http://127.0.0.1:4000/#token=ab12");
    }

    #[test]
    fn the_key_is_exchanged_once() {
        let access = access();
        assert_eq!(access.opening_link().as_deref(), Some("http://127.0.0.1:4000/#open=cd34"));
        assert_eq!(access.exchange(b"ab12"), None);
        assert_eq!(access.exchange(b"cd34").as_deref(), Some("ab12"));
        assert_eq!((access.exchange(b"cd34"), access.opening_link()), (None, None));
    }
}
