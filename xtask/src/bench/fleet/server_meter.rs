//! What a server has used: memory, time of processors, and messages.

use std::fs;

use anyhow::Context as _;
use sokofleet::testing::{NatsServer, ServerKnobs, free_port};

/// Seconds after which the server is not waited for.
const PATIENCE: u64 = 10;

/// Reads what a server has used.
#[derive(Debug)]
pub(super) struct ServerMeter {
    pid: u32,
    /// The server's own page of figures.
    port: u16,
}

/// What a server has used since it was started.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerUse {
    /// Seconds of processors, to a hundredth.
    pub(super) seconds: f64,
    /// Messages that it was sent.
    pub(super) n_messages: u64,
}

impl ServerMeter {
    /// Starts a server that can be metered.
    ///
    /// # Errors
    /// There is no program for one, or it does not start.
    pub(super) fn start() -> anyhow::Result<(NatsServer, Self)> {
        let port = free_port()?;
        let server = NatsServer::start_with(ServerKnobs::default().with_arguments(&["-m", &port.to_string()]))?;
        let server = server.context("there is no nats-server; install it (apt install nats-server)")?;
        let pid = server.pid().context("the server is gone")?;
        Ok((server, Self { pid, port }))
    }

    /// Returns the resident memory, in words.
    pub(super) fn memory(&self) -> anyhow::Result<String> {
        let status = self.proc("status")?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("VmRSS: unknown");
        Ok(line.trim_start_matches("VmRSS:").trim().to_owned() + " resident")
    }

    /// Returns what it has used so far.
    pub(super) fn read(&self) -> anyhow::Result<ServerUse> {
        let stat = self.proc("stat")?;
        // The name of the program, in parentheses, may hold spaces; user and system time are 11 and 12 fields after it.
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let ticks: Vec<u32> =
            after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
        // Linux counts them in hundredths on all of its machines.
        let seconds = f64::from(ticks.iter().sum::<u32>()) / 100.0;
        Ok(ServerUse { seconds, n_messages: self.n_messages()? })
    }

    fn proc(&self, file: &str) -> anyhow::Result<String> {
        let path = format!("/proc/{}/{file}", self.pid);
        fs::read_to_string(path).context("what a process uses is read on Linux")
    }

    fn n_messages(&self) -> anyhow::Result<u64> {
        let request = minreq::get(format!("http://127.0.0.1:{}/varz", self.port)).with_timeout(PATIENCE);
        let answer = request.send().context("the server does not tell its figures")?;
        let figures: serde_json::Value =
            serde_json::from_slice(answer.as_bytes()).context("the server's figures cannot be read")?;
        figures["in_msgs"].as_u64().context("the server does not count messages")
    }
}
