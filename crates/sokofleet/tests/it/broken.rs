//! Broken and malicious members: they waste time, and spoil nothing.

use sokofleet::{Fleet, FleetName};

use super::desk::{LEVELS, as_anybody, best_moves, fleet, server, submit, work};

#[test]
fn a_solution_that_solves_nothing_counts_for_nothing() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, LEVELS);
    work(&fleet, "attic");
    let honest = best_moves(&fleet);
    assert_eq!((honest.len(), honest[1].1, &*honest[1].2), (3, 3, "attic"));
    let id = fleet.collect().unwrap().iter().find(|level| level.name.contains("Second")).unwrap().id;
    as_anybody(&server, async |jetstream| {
        let finds = jetstream.get_key_value("soko-finds").await.unwrap();
        let of_attic = finds.entry(format!("{id}.moves.attic")).await.unwrap().unwrap().value;
        let moves = &of_attic[of_attic.iter().position(|&byte| byte == b'\n').unwrap()..];
        let best = r#"{"metrics":{"moves":1,"pushes":1,"box_lines":1,"box_changes":1,"pushing_sessions":1,"player_lines":1},"method":"luck"}"#;
        // Right moves under wrong metrics, no moves at all, and bytes that are nothing.
        let lie = [best.as_bytes(), moves].concat();
        let empty = [best.as_bytes(), b"\n"].concat();
        for (worker, bytes) in [("liar", lie), ("empty", empty), ("noise", b"noise".to_vec())] {
            finds.put(format!("{id}.moves.{worker}"), bytes.into()).await.unwrap();
        }
        finds.put(format!("{id}.proofs.noise"), "noise".into()).await.unwrap();
        finds.put("no.key.of-ours".to_owned(), "noise".into()).await.unwrap();
    });
    let after = best_moves(&fleet);
    let moves =
        |all: &[(String, u64, String)]| all.iter().map(|(name, moves, _)| (name.clone(), *moves)).collect::<Vec<_>>();
    assert_eq!(moves(&after), moves(&honest));
}

#[test]
fn a_board_that_is_not_the_one_of_its_name_is_left_alone() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, LEVELS);
    as_anybody(&server, async |jetstream| {
        let levels = jetstream.get_key_value("soko-levels").await.unwrap();
        let record = r#"{"board":"BOARD","collection":"small","number":2,"title":"Second"}"#;
        let board = record.replace("BOARD", "######\\n#@ $.#\\n######");
        let mut stream = levels.stream.info_with_subjects("$KV.soko-levels.>").await.unwrap();
        while let Some(Ok((subject, _))) = tokio_stream::StreamExt::next(&mut stream).await {
            levels.put(subject.strip_prefix("$KV.soko-levels.").unwrap(), board.clone().into()).await.unwrap();
        }
    });
    let outcome = work(&fleet, "attic");
    assert_eq!((outcome.n_finds, outcome.ended), (0, "nothing left to do"));
    assert!(best_moves(&fleet).is_empty());
}

#[test]
fn messages_that_deal_out_nothing_are_dropped() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, LEVELS);
    as_anybody(&server, async |jetstream| {
        let mut work = jetstream.get_stream("soko-work").await.unwrap();
        let n_messages = work.info().await.unwrap().state.messages;
        assert_eq!(n_messages, 4);
        // Each message once more, as a worker that died before it wrote its record, and what no worker sends.
        for sequence in 1..=n_messages {
            let message = work.get_raw_message(sequence).await.unwrap();
            jetstream.publish("soko.work.00", message.payload).await.unwrap().await.unwrap();
        }
        for noise in ["noise", r#"{"item":"noise","slice":0}"#] {
            jetstream.publish("soko.work.00", noise.into()).await.unwrap().await.unwrap();
        }
    });
    let outcome = work(&fleet, "attic");
    assert_eq!((outcome.ended, best_moves(&fleet).len()), ("nothing left to do", 3));
    let view = fleet.view().unwrap();
    assert!(view.n_queued == 0 && view.items.iter().all(|item| item.is_settled), "{view:?}");
    let n_slices: u64 = view.items.iter().map(|item| item.n_slices).sum();
    assert_eq!(n_slices, outcome.n_slices, "no slice was begun twice");
}

#[test]
fn a_fleet_of_other_rules_is_not_joined() {
    let Some(server) = server() else { return };
    drop(fleet(&server));
    let settings = |text: &'static str| {
        as_anybody(&server, async |jetstream| {
            let fleet = jetstream.get_key_value("soko-fleet").await.unwrap();
            fleet.put("settings", text.into()).await.unwrap();
        });
        Fleet::open(&server.address(), &FleetName::default()).unwrap_err().to_string()
    };
    let newer = settings(r#"{"protocol":99,"patience_ms":2000}"#);
    assert!(newer.contains("version 99") && newer.ends_with("use a newer program"), "{newer}");
    let damaged = settings("noise");
    assert!(damaged.contains("no fleet 'soko'"), "{damaged}");
}
