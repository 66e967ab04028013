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
//! | another user of the machine | what is asked for needs the token, which is printed, or the cookie that was given for it; the link that a browser is started with, which others can read in the list of processes, has a key that works once |
//! | a server of another user, on another port | browsers send it the cookie, which lets it look at most: a change needs the token, which is in the storage of our own address |
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
    /// Lets a page change something.
    token: Token,
    /// Lets a page look, from a cookie.
    reader: Token,
    /// The name of the cookie, which has the port: browsers keep those of all ports together.
    cookie: String,
    /// Can be exchanged for the token, once.
    key: Mutex<Option<Token>>,
}

/// What a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    Nothing,
    Look,
    Change,
}

/// The route that gives the cookie for the token, and the token for the key. It checks them itself.
const EXCHANGE: &str = "/api/open";
/// The route that tells what a page may do.
const PERMISSION: &str = "/api/permission";

impl Access {
    /// Admits requests to a port.
    pub(crate) fn new(port: u16, [token, reader, key]: [Token; 3]) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Self { hosts, token, reader, cookie: format!("soko-{port}"), key: Mutex::new(Some(key)) }
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

    /// Returns the token for the key, which is taken, or for itself.
    pub(crate) fn exchange(&self, shown: &[u8]) -> Option<String> {
        let is_key = || self.key.lock().take_if(|key| key.is(shown)).is_some();
        (self.token.is(shown) || is_key()).then(|| self.token.to_string())
    }

    /// Returns the cookie that lets a page look: no script reads it, and no other site's page sends it.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}; Path=/api; HttpOnly; SameSite=Strict", self.cookie, self.reader)
    }

    /// Returns what a request may do, by its token or its cookie.
    pub(crate) fn permission(&self, headers: &HeaderMap) -> Permission {
        if headers.get(TOKEN_HEADER).is_some_and(|token| self.token.is(token.as_bytes())) {
            return Permission::Change;
        }
        if self.has_cookie(headers) { Permission::Look } else { Permission::Nothing }
    }

    /// Whether a request has the cookie.
    pub(crate) fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut cookies = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.split_once('='));
        cookies.any(|(name, value)| name.trim() == self.cookie && self.reader.is(value.trim().as_bytes()))
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
        let path = request.uri().path();
        let is_page = !path.starts_with("/api/");
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
        if path == EXCHANGE || (!is_change && (is_page || path == PERMISSION)) {
            // A page without what it asks for tells nothing.
            return Ok(());
        }
        match self.permission(headers) {
            Permission::Change => Ok(()),
            Permission::Look if !is_change => Ok(()),
            Permission::Look => Err(Problem::forbidden(
                "this page may only look: open the link that `soko serve` prints, which has the key to changes",
            )),
            Permission::Nothing => {
                Err(Problem::locked("this needs the link that `soko serve` prints, which has the key to the library"))
            }
        }
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
        Access::new(4000, ["ab12", "ef56", "cd34"].map(Token::of_digits))
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
        let token = (TOKEN_HEADER, "ab12");
        check("GET", "/api/x", &[host, token, ("origin", "http://127.0.0.1:4000")], Ok(()));
        for origin in ["null", "http://evil.example", "https://127.0.0.1:4000", "http://127.0.0.1:4000.evil.example"] {
            check("GET", "/api/x", &[host, ("origin", origin)], Err("another site"));
        }
        check("GET", "/api/x", &[host, token, ("sec-fetch-site", "same-origin")], Ok(()));
        check("GET", "/api/x", &[host, ("sec-fetch-site", "same-site")], Err("another site"));
        check("GET", "/level", &[host, ("sec-fetch-site", "cross-site")], Ok(()));
    }

    #[test]
    fn changes_need_the_token() {
        let host = ("host", "localhost:4000");
        let cookie = ("cookie", "other=1; soko-4000=ef56");
        check("POST", "/api/x", &[host], Err("needs the link"));
        check("POST", "/api/x", &[host, cookie], Err("may only look"));
        check("POST", "/api/x", &[host, cookie, (TOKEN_HEADER, "ab1")], Err("may only look"));
        check("POST", "/", &[host, cookie], Err("may only look"));
        check("DELETE", "/api/x", &[host, (TOKEN_HEADER, "")], Err("needs the link"));
        check("POST", "/api/x", &[host, (TOKEN_HEADER, "ab12")], Ok(()));
        check("POST", "/", &[host, (TOKEN_HEADER, "ab12"), ("sec-fetch-site", "cross-site")], Err("another site"));
    }

    #[test]
    fn looking_needs_the_cookie_or_the_token() {
        let host = ("host", "localhost:4000");
        check("GET", "/", &[host], Ok(()));
        check("GET", "/api/permission", &[host], Ok(()));
        check("GET", "/api/x", &[host, ("cookie", "soko-4000=ef56")], Ok(()));
        check("GET", "/api/x", &[host, ("cookie", "a=b"), ("cookie", "c=d;soko-4000=ef56")], Ok(()));
        check("GET", "/api/x", &[host, (TOKEN_HEADER, "ab12")], Ok(()));
        for cookie in ["", "soko-4000", "soko-4000=", "soko-4000=ab12", "soko-4000=ef5", "soko-4001=ef56", "=ef56"] {
            check("GET", "/api/x", &[host, ("cookie", cookie)], Err("needs the link"));
        }
        assert_eq!(access().cookie(), "soko-4000=ef56; Path=/api; HttpOnly; SameSite=Strict");
    }

    #[test]
    fn the_link_carries_the_token_where_no_server_and_no_log_sees_it() {
        assert_eq!(access().link(), "http://127.0.0.1:4000/#token=ab12");
    }

    #[test]
    fn the_key_is_exchanged_once() {
        let access = access();
        assert_eq!(access.opening_link().as_deref(), Some("http://127.0.0.1:4000/#open=cd34"));
        assert_eq!(access.exchange(b"ab1"), None);
        assert_eq!(access.exchange(b"ab12").as_deref(), Some("ab12"));
        assert_eq!(access.exchange(b"cd34").as_deref(), Some("ab12"));
        assert_eq!((access.exchange(b"cd34"), access.opening_link()), (None, None));
    }
}
