//! Servers for tests: real ones, on this computer, with their files in a folder that goes with them.

mod made_up_values;

use std::io;
use std::net::{TcpListener, TcpStream};
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
pub use made_up_values::read_values;

/// The longest time until a server answers.
const PATIENCE: Duration = Duration::from_secs(20);
/// The servers of a cluster.
const CLUSTER: usize = 3;

/// A NATS server with JetStream; it is killed when the value is dropped.
#[derive(Debug)]
pub struct NatsServer {
    process: Option<Child>,
    port: u16,
    arguments: Vec<String>,
    files: PathBuf,
    _folder: Option<TempDir>,
}

/// Returns whether there is a server program here.
#[must_use]
pub fn has_nats_server() -> bool {
    let command = Command::new("nats-server").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    command.is_ok_and(|status| status.success())
}

impl NatsServer {
    /// Starts a server on a free port; `None` without the program. Arguments such as `--user` may be added.
    ///
    /// # Errors
    /// It does not start.
    pub fn start(arguments: &[&str]) -> io::Result<Option<Self>> {
        if !has_nats_server() {
            return Ok(None);
        }
        let folder = tempfile::tempdir()?;
        let files = folder.path().to_owned();
        let mut server = Self {
            process: None,
            port: free_port()?,
            arguments: arguments.iter().map(ToString::to_string).collect(),
            files,
            _folder: Some(folder),
        };
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
        let mut servers = Vec::new();
        for (at, (&port, route)) in ports.iter().zip(routes).enumerate() {
            let folder = tempfile::tempdir()?;
            let arguments = [
                "--server_name".to_owned(),
                format!("n{at}"),
                "--cluster_name".to_owned(),
                "club".to_owned(),
                "--cluster".to_owned(),
                format!("nats://127.0.0.1:{route}"),
                "--routes".to_owned(),
                all.join(","),
            ];
            let files = folder.path().to_owned();
            let server = Self { process: None, port, arguments: arguments.to_vec(), files, _folder: Some(folder) };
            servers.push(server);
        }
        for server in &mut servers {
            server.spawn()?;
        }
        for server in &servers {
            server.wait()?;
        }
        // The servers elect one of them before streams can be made.
        sleep(Duration::from_secs(3));
        Ok(Some(servers))
    }

    /// Returns its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> FleetAddress {
        FleetAddress::new(self.url())
    }

    /// Returns the folder of its files.
    #[must_use]
    pub fn files(&self) -> &Path {
        &self.files
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

    fn spawn(&mut self) -> io::Result<()> {
        self.kill();
        let process = Command::new("nats-server")
            .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
            .arg(&self.files)
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        self.process = Some(process);
        Ok(())
    }

    fn wait(&self) -> io::Result<()> {
        let clock = Clock::start();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if clock.elapsed() > PATIENCE {
                return Err(io::Error::other("nats-server does not answer"));
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
