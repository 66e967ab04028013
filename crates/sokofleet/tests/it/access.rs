//! Users with permissions, as the document has them, and with keys.

use std::fs;
use std::time::Duration;

use async_nats::ConnectOptions;
use nkeys::KeyPair;
use sokofleet::testing::{NatsServer, ServerKnobs};
use sokofleet::{Fleet, FleetAddress, FleetName, WorkEvent};
use sokonight::NightControl;

use super::desk::{LEVELS, PATIENCE, best_moves, knobs, submit, work};

/// The document for users.
const DOCUMENT: &str = include_str!("../../../../docs/fleet.md");

/// The settings of a server that the document shows, with passwords.
fn settings() -> String {
    let block = DOCUMENT.split("```text\n").find(|block| block.starts_with("authorization")).unwrap();
    block.split("```").next().unwrap().replace("\"...\"", "secret")
}

#[test]
fn a_worker_with_the_permissions_of_the_document_works_and_spoils_nothing() {
    let Some(server) = NatsServer::start_with(ServerKnobs::default().with_settings(settings())).unwrap() else {
        return;
    };
    let address = |user: &str| FleetAddress::new(format!("nats://{user}:secret@{}", server.host_and_port()));
    let club = Fleet::create_with(&address("club"), &FleetName::default(), PATIENCE, None).unwrap();
    submit(&club, LEVELS);
    let attic = Fleet::create_or_open(&address("attic"), &FleetName::default()).unwrap();
    let outcome = work(&attic, "attic");
    assert_eq!((outcome.n_waiting, outcome.n_failed, outcome.ended), (0, 0, "nothing left to do"));
    let found = best_moves(&club);
    assert_eq!(found.len(), 3);

    // Under another name it does not begin, and it ends nothing of the fleet.
    let quiet = |_: WorkEvent<'_>| {};
    let other = attic.work(&knobs("other"), &NightControl::default(), &quiet).unwrap_err().to_string();
    assert!(other.contains("$KV.soko-workers.other") && other.contains("permissions"), "{other}");
    let drained = attic.drain().unwrap_err().to_string();
    assert!(drained.starts_with("the server refuses: "), "{drained}");

    let level = club.collect().unwrap()[0].id;
    // A program that is none of ours does not get further.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let short = Some(Duration::from_millis(300));
        let options = ConnectOptions::new().user_and_password("attic".into(), "secret".into()).request_timeout(short);
        let client = options.connect(server.url()).await.unwrap();
        let mut refused = vec![format!("$KV.soko-finds.{level}.moves.other"), format!("$KV.soko-levels.{level}")];
        for stream in ["KV_soko-finds", "KV_soko-levels", "soko-work"] {
            refused.extend(["DELETE", "PURGE", "UPDATE"].map(|what| format!("$JS.API.STREAM.{what}.{stream}")));
        }
        for subject in refused {
            assert!(client.request(subject.clone(), "".into()).await.is_err(), "{subject}");
        }
    });
    assert_eq!(best_moves(&club), found);
}

#[test]
fn a_key_takes_the_place_of_a_password() {
    let key = KeyPair::new_user();
    let settings = format!("authorization {{ users = [ {{ nkey: {} }} ] }}", key.public_key());
    let Some(server) = NatsServer::start_with(ServerKnobs::default().with_settings(settings)).unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let address = server.address().with_credentials(Some(path));
        Fleet::create_or_open(&address, &FleetName::default()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(open("mine", &format!("{}\n", key.seed().unwrap())), Ok(()));
    let other = open("other", &KeyPair::new_user().seed().unwrap()).unwrap_err();
    assert!(other.contains("it asks for another user and password"), "{other}");
    let none = open("none", "nothing of that kind").unwrap_err();
    assert!(none.contains("none has no credentials"), "{none}");
}
