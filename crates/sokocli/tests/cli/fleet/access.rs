//! Users, passwords and certificates.

use std::process::Command;

use sokofleet::testing::ServerKnobs;

use super::desk::FleetDesk;
use super::fake_time::FakeTime;
use super::skipped;
use crate::cmd::{Desk, Done, T2};

/// Makes a certificate `ca.pem`, one of a server that it has signed, and one of another authority.
const CERTIFICATES: &str = "
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=club
openssl req -x509 $key -keyout other.key -out other.pem -days 2 -subj /CN=other
openssl req $key -keyout server.key -out server.csr -subj /CN=attic
echo 'subjectAltName=IP:127.0.0.1,DNS:localhost' > names
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem
";

/// A desk with a server that asks for a password, and for TLS if there is `openssl`.
fn protected(has_tls: bool) -> Option<FleetDesk> {
    let desk = Desk::new();
    let mut settings = "authorization { users = [ { user: club, password: \"s@c/r#t\" } ] }\n".to_owned();
    if has_tls {
        let made = Command::new("sh").args(["-ec", CERTIFICATES]).current_dir(desk.path("")).output().unwrap();
        if !made.status.success() {
            skipped("certificates cannot be made (apt install openssl)");
            return None;
        }
        let path = |name: &str| desk.path(name).display().to_string();
        settings += &format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}\n", path("server.pem"), path("server.key"));
    }
    let mut at = FleetDesk::with(ServerKnobs::default().with_settings(settings))?;
    at.desk = desk;
    at.desk.write("t2.sok", T2);
    Some(at)
}

#[test]
fn a_password_is_asked_for_and_shown_nowhere() {
    let Some(mut at) = protected(false) else { return };
    let host = at.servers[0].host_and_port();
    let right = format!("nats://club:s@c/r#t@{host}");
    at.nats.clone_from(&right);
    at.fleet("submit t2.sok").expect(0);
    let status = at.fleet("status --json").expect(0);
    assert_eq!(status.lines("run")[0]["servers"], host.as_str());
    at.nats = format!("nats://club:s%40c%2Fr%23t@{host}");
    at.fleet("status").expect(0);
    let asked = "it asks for another user and password: --nats nats://USER:PASSWORD@HOST, or --credentials FILE";
    for wrong in ["club:hidden@", "hidden@", "hidden:s@c/r#t@", ""] {
        at.nats = format!("nats://{wrong}{host}");
        let refused = at.fleet("status").expect(1).says(&[&format!("cannot reach the server at {host}: "), asked]);
        assert!(!refused.stderr.contains("hidden") && !refused.stderr.contains("s@c"), "{}", refused.stderr);
    }
    let variable = Done::of(at.desk.command("fleet status").env("SOKO_NATS", &right).output().unwrap());
    variable.expect(0);
}

#[test]
fn a_server_with_a_certificate_is_told_by_it() {
    let Some(mut at) = protected(true) else { return };
    let host = at.servers[0].host_and_port();
    at.nats = format!("tls://club:s@c/r#t@{host}");
    at.fleet("submit t2.sok --certificate ca.pem").expect(0);
    at.worker("attic", "--until-empty --certificate ca.pem").wait();
    let solved = at.fleet("collect --json --certificate ca.pem").expect(0).lines("level");
    assert!(solved[0]["solutions"].as_array().is_some_and(|solutions| solutions.len() > 1), "{solved:?}");

    let sign = "name the certificate that has signed the server's with --certificate";
    at.fleet("status").expect(1).says(&["invalid peer certificate", sign]);
    at.fleet("status --certificate other.pem").expect(1).says(&["invalid peer certificate", sign]);
    at.fleet("status --certificate none.pem").expect(1).says(&["cannot read the certificate none.pem"]);
    at.fleet("status --certificate t2.sok").expect(1).says(&["t2.sok has no certificate; a line '-----BEGIN"]);
    if let Some(fake) = FakeTime::find() {
        for time in ["-1d", "+99d"] {
            let mut late = at.command("status --certificate ca.pem");
            fake.set(&mut late, time);
            let late = Done::of(late.output().unwrap()).expect(1);
            late.says(&["look at the clock of this computer, and at the dates of the server's certificate"]);
        }
    }
    let Some(plain) = FleetDesk::new() else { return };
    at.nats = plain.nats.replace("nats://", "tls://");
    at.fleet("status --certificate ca.pem").expect(1).says(&["use nats:// in place of tls://"]);
}
