//! Where the server is, and how a program shows who it is.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::ConnectOptions;

use crate::FleetError;

/// The longest time for a connection, and for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a silent server is asked whether it is there: after three times without an answer the connection is made anew.
/// Without that a connection whose network was cut waits for minutes, as long as the system repeats what was lost.
const ARE_YOU_THERE: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Where the server is, and how a program shows who it is.
///
/// ```
/// use sokofleet::FleetAddress;
///
/// let address = FleetAddress::new("nats://club:secret@attic.local,cellar.local:4333");
/// assert_eq!(address.to_string(), "attic.local,cellar.local:4333");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FleetAddress {
    /// Addresses of servers, joined by commas: `nats://host:4222`, `tls://host`, `host`, with `user:password@` before the
    /// host if the server asks for that.
    pub servers: String,
    /// A file of credentials, as the server's tools make it.
    pub credentials: Option<PathBuf>,
    /// A file with the certificate that the server's own is signed by, if the system does not know it.
    pub root_certificate: Option<PathBuf>,
}

impl FleetAddress {
    /// Makes the address of servers.
    #[must_use]
    pub fn new(servers: impl Into<String>) -> Self {
        Self { servers: servers.into(), ..Self::default() }
    }

    /// Sets [`FleetAddress::credentials`].
    #[must_use]
    pub fn with_credentials(self, credentials: Option<PathBuf>) -> Self {
        Self { credentials, ..self }
    }

    /// Sets [`FleetAddress::root_certificate`].
    #[must_use]
    pub fn with_root_certificate(self, root_certificate: Option<PathBuf>) -> Self {
        Self { root_certificate, ..self }
    }

    /// Connects, once.
    pub(crate) async fn connect(&self) -> Result<async_nats::Client, FleetError> {
        let servers: Vec<_> = self.servers.split(',').map(str::trim).filter(|server| !server.is_empty()).collect();
        if servers.is_empty() {
            return Err(FleetError::Address { what: "no server is named; use --nats nats://HOST:4222".to_owned() });
        }
        let mut options = ConnectOptions::new()
            .name("soko")
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(ARE_YOU_THERE)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                let tenths = u64::try_from(attempts).unwrap_or(u64::MAX).saturating_mul(100);
                LONGEST_PAUSE.min(Duration::from_millis(tenths))
            });
        if let Some(path) = &self.credentials {
            let text = std::fs::read_to_string(path).map_err(|error| FleetError::Address {
                what: format!("cannot read the credentials {}: {error}", path.display()),
            })?;
            options = options.credentials(&text).map_err(|error| FleetError::Address {
                what: format!("{} has no credentials: {error}", path.display()),
            })?;
        }
        if let Some(path) = &self.root_certificate {
            if !path.is_file() {
                let what = format!("there is no certificate {}", path.display());
                return Err(FleetError::Address { what });
            }
            options = options.add_root_certificates(path.clone());
        }
        options.connect(servers).await.map_err(|error| FleetError::Unreachable {
            address: self.to_string(),
            cause: crate::fleet_error::causes(&error),
        })
    }
}

impl fmt::Display for FleetAddress {
    /// Writes the servers without names of users and passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, server) in self.servers.split(',').enumerate() {
            let host = server.rsplit_once('@').map_or(server, |(_, host)| host);
            let host = host.split_once("://").map_or(host, |(_, host)| host);
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}", host.trim())?;
        }
        Ok(())
    }
}
