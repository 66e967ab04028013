//! Where the server is, and how a program shows who it is.

use std::fmt;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectOptions};
use percent_encoding::percent_decode_str;

use crate::FleetError;
use crate::refusal::{Refusals, unreachable};

/// The longest time for a connection, and for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a silent server is asked whether it is there: after three times without an answer the connection is made anew.
/// Without that a connection whose network was cut waits for minutes, as long as the system repeats what was lost.
const ARE_YOU_THERE: Duration = Duration::from_secs(5);
/// How a certificate begins.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";
/// How the seed of a user's key begins.
const SEED: &str = "SU";
/// What stands before a token that is signed with the key.
const TOKEN: &str = "-----BEGIN NATS USER JWT-----";
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
    /// Addresses of servers, joined by commas: `nats://host:4222`, `tls://host`, `host`, with `user:password@` or `token@`
    /// before the host if the server asks for that, in which `%2C` is a comma, `%3A` a colon, and `%25` a percent sign.
    pub servers: String,
    /// A file of credentials, as the server's tools make it, or with the seed of a user's key alone.
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
    pub(crate) async fn connect(&self, refusals: &Refusals) -> Result<Client, FleetError> {
        let servers = self.servers();
        if servers.is_empty() {
            return Err(FleetError::Address { what: "no server is named; use --nats nats://HOST:4222".to_owned() });
        }
        let refusals = refusals.clone();
        let mut options = ConnectOptions::new()
            .name("soko")
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(ARE_YOU_THERE)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                let tenths = u64::try_from(attempts).unwrap_or(u64::MAX).saturating_mul(100);
                LONGEST_PAUSE.min(Duration::from_millis(tenths))
            })
            .event_callback(move |event| {
                refusals.hear(&event);
                ready(())
            });
        if let Some(path) = &self.credentials {
            let text = read("the credentials", path)?;
            let seed = text.lines().map(str::trim).find(|line| line.starts_with(SEED));
            options = match seed.filter(|_| !text.contains(TOKEN)) {
                Some(seed) => options.nkey(seed.to_owned()),
                None => options.credentials(&text).map_err(|error| FleetError::Address {
                    what: format!("{} has no credentials: {error}", path.display()),
                })?,
            };
        }
        if let Some(path) = &self.root_certificate {
            if !read("the certificate", path)?.contains(CERTIFICATE) {
                let what = format!("{} has no certificate; a line '{CERTIFICATE}' begins one", path.display());
                return Err(FleetError::Address { what });
            }
            options = options.add_root_certificates(path.clone());
        }
        let hosts: Vec<String> = servers.iter().map(ServerText::without_secrets).collect();
        // The client does not read them in addresses.
        options = match servers.iter().find_map(ServerText::secrets) {
            Some((user, Some(password))) => options.user_and_password(user, password),
            Some((token, None)) => options.token(token),
            None => options,
        };
        options.connect(hosts).await.map_err(|error| unreachable(self.to_string(), &error))
    }

    fn servers(&self) -> Vec<ServerText<'_>> {
        let servers = self.servers.split(',').map(str::trim).filter(|server| !server.is_empty());
        servers.map(ServerText::of).collect()
    }
}

/// The parts of an address of a server.
struct ServerText<'a> {
    /// `nats` or `tls`; empty if it is left to the client.
    scheme: &'a str,
    /// What stands before the host.
    secrets: Option<&'a str>,
    host: &'a str,
}

impl<'a> ServerText<'a> {
    fn of(text: &'a str) -> Self {
        let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
        match rest.rsplit_once('@') {
            Some((secrets, host)) => Self { scheme, secrets: Some(secrets), host },
            None => Self { scheme, secrets: None, host: rest },
        }
    }

    fn without_secrets(&self) -> String {
        if self.scheme.is_empty() { self.host.to_owned() } else { format!("{}://{}", self.scheme, self.host) }
    }

    /// Returns the user and the password, or a token alone.
    fn secrets(&self) -> Option<(String, Option<String>)> {
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let secrets = self.secrets?;
        Some(match secrets.split_once(':') {
            Some((user, password)) => (decoded(user), Some(decoded(password))),
            None => (decoded(secrets), None),
        })
    }
}

fn read(what: &str, path: &Path) -> Result<String, FleetError> {
    std::fs::read_to_string(path)
        .map_err(|error| FleetError::Address { what: format!("cannot read {what} {}: {error}", path.display()) })
}

impl fmt::Display for FleetAddress {
    /// Writes the servers without names of users and passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.servers().iter().map(|server| server.host).collect();
        f.write_str(&hosts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_without_its_secrets() {
        let of = |text| {
            let server = ServerText::of(text);
            (server.without_secrets(), server.secrets())
        };
        let secrets = |user: &str, password: Option<&str>| Some((user.to_owned(), password.map(str::to_owned)));
        assert_eq!(of("attic"), ("attic".to_owned(), None));
        assert_eq!(of("tls://attic:4333"), ("tls://attic:4333".to_owned(), None));
        assert_eq!(of("nats://me:secret@attic"), ("nats://attic".to_owned(), secrets("me", Some("secret"))));
        assert_eq!(of("me:a@b/c#%3A@attic"), ("attic".to_owned(), secrets("me", Some("a@b/c#:"))));
        assert_eq!(of("nats://token@attic"), ("nats://attic".to_owned(), secrets("token", None)));
        assert_eq!(FleetAddress::new("nats://a:b@one, ,two:1").to_string(), "one,two:1");
    }
}
