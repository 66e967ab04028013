//! Servers for tests: real ones, on this computer, with their files in a folder that goes with them.

pub mod made_up_values;

use std::fs::{self, File};
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use sokosearch::Clock;
use tempfile::TempDir;

use crate::class::class_of;
use crate::keys::checked_name;
use crate::record::ItemRecord;
use crate::work::Boards;
use crate::{Fleet, FleetAddress, FleetError};

/// The longest time until a server answers.
const PATIENCE: Duration = Duration::from_secs(20);
/// The servers of a cluster.
const CLUSTER: usize = 3;
/// The program.
const PROGRAM: &str = "nats-server";
/// What it says when it takes connections.
const READY: &str = "Server is ready";

/// How a server is started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerKnobs {
    /// Arguments such as `--user`.
    pub arguments: Vec<String>,
    /// The text of its file of settings. Default none.
    pub settings: String,
    /// The address that it listens at. Default 127.0.0.1.
    pub host: String,
    /// The folder of its files. Default one that goes with the server.
    pub files: Option<PathBuf>,
    /// A command that starts the program, such as one that enters a name space.
    pub within: Vec<String>,
    /// Whether it has JetStream, as fleets need it.
    pub has_jetstream: bool,
}

impl Default for ServerKnobs {
    fn default() -> Self {
        let (arguments, settings, files, within) = Default::default();
        Self { arguments, settings, host: "127.0.0.1".to_owned(), files, within, has_jetstream: true }
    }
}

impl ServerKnobs {
    /// Sets [`ServerKnobs::arguments`].
    #[must_use]
    pub fn with_arguments(self, arguments: &[&str]) -> Self {
        Self { arguments: arguments.iter().map(ToString::to_string).collect(), ..self }
    }

    /// Sets [`ServerKnobs::settings`].
    #[must_use]
    pub fn with_settings(self, settings: impl Into<String>) -> Self {
        Self { settings: settings.into(), ..self }
    }

    /// Sets [`ServerKnobs::host`].
    #[must_use]
    pub fn with_host(self, host: impl Into<String>) -> Self {
        Self { host: host.into(), ..self }
    }

    /// Sets [`ServerKnobs::files`].
    #[must_use]
    pub fn with_files(self, files: impl Into<PathBuf>) -> Self {
        Self { files: Some(files.into()), ..self }
    }

    /// Sets [`ServerKnobs::within`].
    #[must_use]
    pub fn within(self, command: Vec<String>) -> Self {
        Self { within: command, ..self }
    }

    /// Sets [`ServerKnobs::has_jetstream`].
    #[must_use]
    pub fn with_jetstream(self, has_jetstream: bool) -> Self {
        Self { has_jetstream, ..self }
    }
}

/// A NATS server; it is killed when the value is dropped.
#[derive(Debug)]
pub struct NatsServer {
    process: Option<Child>,
    port: u16,
    knobs: ServerKnobs,
    /// Its settings and what it says; also its files, unless they are elsewhere.
    folder: TempDir,
}

/// Returns whether there is a server program here.
#[must_use]
pub fn has_nats_server() -> bool {
    let command = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    command.is_ok_and(|status| status.success())
}

impl NatsServer {
    /// Starts a server with JetStream on a free port; `None` without the program.
    ///
    /// # Errors
    /// It does not start.
    pub fn start() -> io::Result<Option<Self>> {
        Self::start_with(ServerKnobs::default())
    }

    /// Starts a server on a free port; `None` without the program.
    ///
    /// # Errors
    /// It does not start.
    pub fn start_with(knobs: ServerKnobs) -> io::Result<Option<Self>> {
        if !has_nats_server() {
            return Ok(None);
        }
        let mut server = Self { process: None, port: free_port()?, knobs, folder: tempfile::tempdir()? };
        server.start_again()?;
        Ok(Some(server))
    }

    /// Starts a cluster of three servers on free ports; `None` without the program.
    ///
    /// # Errors
    /// They do not start.
    pub fn cluster() -> io::Result<Option<Vec<Self>>> {
        if !has_nats_server() {
            return Ok(None);
        }
        let ports = (0..2 * CLUSTER).map(|_| free_port()).collect::<io::Result<Vec<_>>>()?;
        let (ports, routes) = ports.split_at(CLUSTER);
        let all: Vec<String> = routes.iter().map(|port| format!("nats-route://127.0.0.1:{port}")).collect();
        let all = all.join(",");
        let mut servers = Vec::new();
        for (at, (&port, route)) in ports.iter().zip(routes).enumerate() {
            let (name, route) = (format!("n{at}"), format!("nats://127.0.0.1:{route}"));
            let of_cluster = ["--cluster_name", "club", "--cluster", &route, "--routes", &all, "--server_name", &name];
            let knobs = ServerKnobs::default().with_arguments(&of_cluster);
            servers.push(Self { process: None, port, knobs, folder: tempfile::tempdir()? });
        }
        for server in &mut servers {
            server.spawn()?;
        }
        for server in &mut servers {
            server.wait()?;
        }
        // The servers elect one of them before streams can be made.
        sleep(Duration::from_secs(3));
        Ok(Some(servers))
    }

    /// Returns its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://{}", self.host_and_port())
    }

    /// Returns its address without the protocol.
    #[must_use]
    pub fn host_and_port(&self) -> String {
        format!("{}:{}", self.knobs.host, self.port)
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> FleetAddress {
        FleetAddress::new(self.url())
    }

    /// Returns the folder of its files.
    #[must_use]
    pub fn files(&self) -> &Path {
        self.knobs.files.as_deref().unwrap_or_else(|| self.folder.path())
    }

    /// Returns the number of its process; `None` while it is not there.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().ok();
            process.wait().ok();
        }
    }

    /// Starts it again, on its port and with its files.
    ///
    /// # Errors
    /// It does not start.
    pub fn start_again(&mut self) -> io::Result<()> {
        self.spawn()?;
        self.wait()
    }

    /// Starts it again, with other settings.
    ///
    /// # Errors
    /// It does not start.
    pub fn start_again_with(&mut self, settings: impl Into<String>) -> io::Result<()> {
        self.knobs.settings = settings.into();
        self.start_again()
    }

    /// Returns what it has said since it was started.
    #[must_use]
    pub fn said(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("said.log")
    }

    fn spawn(&mut self) -> io::Result<()> {
        self.kill();
        let mut words = self.knobs.within.iter().cloned().chain([PROGRAM.to_owned()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(["-a", &self.knobs.host, "-p", &self.port.to_string(), "-sd"]).arg(self.files());
        if self.knobs.has_jetstream {
            command.arg("-js");
        }
        if !self.knobs.settings.is_empty() {
            let path = self.folder.path().join("server.conf");
            fs::write(&path, &self.knobs.settings)?;
            command.arg("-c").arg(path);
        }
        let said = File::create(self.log())?;
        command.args(&self.knobs.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        self.process = Some(command.spawn()?);
        Ok(())
    }

    fn wait(&mut self) -> io::Result<()> {
        let clock = Clock::start();
        while !self.said().contains(READY) {
            let has_ended = self.process.as_mut().is_none_or(|process| !matches!(process.try_wait(), Ok(None)));
            if has_ended || clock.elapsed() > PATIENCE {
                return Err(io::Error::other(format!("{PROGRAM} does not start: {}", self.said())));
            }
            sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Does what a worker does with a slice, but for the search: takes one, reads what the fleet knows, and ends it without a
/// gain. Returns how long that took; `None` if no slice is left. For measurements of servers.
///
/// # Errors
/// The server cannot be reached, or the name is none.
pub fn run_empty_slice(fleet: &Fleet, worker: &str) -> Result<Option<Duration>, FleetError> {
    let clock = Clock::start();
    let by = checked_name(worker).map_err(|error| FleetError::Address { what: error.to_string() })?;
    fleet.block_on(async {
        let server = fleet.server();
        let Some(deal) = server.take().await? else { return Ok(None) };
        Boards::default().known(server, deal.key.level).await?;
        server.checkpoint(&deal.key).await?;
        let record = deal.record.clone();
        let after = ItemRecord { n_slices: record.n_slices + 1, by, ..record };
        // Classes as an item goes through them that gains nothing.
        let rate = 100.0 / (1.0 + 10.0 * f64::from(u32::try_from(after.n_slices).unwrap_or(u32::MAX)));
        server.end(&deal, after, class_of(rate)).await?;
        Ok(Some(clock.elapsed()))
    })
}

/// Returns a port of this computer that no program listens to.
///
/// # Errors
/// There is none.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
