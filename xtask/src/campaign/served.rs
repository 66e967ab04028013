//! A server of the pages, asked over its interface as a page asks it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail, ensure};
use serde_json::Value;
use sokosearch::Clock;

use super::soko::{Desk, Started};

/// Most time for an answer, or for a server to begin.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time between two looks at what the server has printed.
const LOOK: Duration = Duration::from_millis(5);

/// A server in progress.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) program: Started,
    host: String,
    token: String,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
}

impl Answer {
    /// What a successful answer says.
    pub(super) fn json(&self) -> anyhow::Result<Value> {
        ensure!(self.status == 200, "the server answers {}: {}", self.status, self.body);
        serde_json::from_str(&self.body).with_context(|| format!("the server answers no JSON: {}", self.body))
    }
}

impl Served {
    /// Starts `soko serve` with more options, and waits until it tells its link.
    pub(super) fn start(desk: &Desk, options: &str) -> anyhow::Result<Self> {
        let program = desk.started(desk.command(&format!("serve --no-open {options}")))?;
        Self::begin(program)?.map_err(|program| anyhow!("the server tells no link: {}", program.stdout()))
    }

    /// Waits until a server tells its link; returns the program if it has ended or tells none.
    pub(super) fn begin(mut program: Started) -> anyhow::Result<Result<Self, Started>> {
        let clock = Clock::start();
        loop {
            let said = program.stdout();
            let link = said.lines().find_map(|line| line.strip_prefix("Open http://"));
            // The end of the line has come with the token.
            if let Some((host, token)) =
                link.and_then(|link| link.split_once("/#token=")).filter(|_| said.ends_with('\n'))
            {
                let (host, token) = (host.to_owned(), token.to_owned());
                return Ok(Ok(Self { program, host, token }));
            }
            if program.child.try_wait()?.is_some() || clock.elapsed() > PATIENCE {
                return Ok(Err(program));
            }
            sleep(LOOK);
        }
    }

    /// Sends a request, and waits for the answer.
    pub(super) fn ask(&self, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let mut stream = self.request(method, path, body)?;
        let mut text = Vec::new();
        stream.read_to_end(&mut text).with_context(|| format!("no answer to {path}"))?;
        let text = String::from_utf8_lossy(&text);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { bail!("{path}: the answer has no end: {text}") };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
        Ok(Answer { status, body: body.to_owned() })
    }

    /// Sends a request, and does not wait for the answer: a page that is closed.
    pub(super) fn request(&self, method: &str, path: &str, body: &str) -> anyhow::Result<TcpStream> {
        let (host, token, length) = (&self.host, &self.token, body.len());
        let mut stream = TcpStream::connect(host).context("the server does not listen")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!(
            "{method} /api/{path} HTTP/1.1\r\nHost: {host}\r\nx-soko-token: {token}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).context("the server does not read")?;
        Ok(stream)
    }
}
