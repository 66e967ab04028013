//! What is exchanged between searches, and what it is charged.

use crate::deadlock::shared::*;

fn deadlock(boxes: &[u16], player: &[u16]) -> Deadlock {
    let squares = |numbers: &[u16]| numbers.iter().map(|&number| FloorSquare::new(number)).collect();
    Deadlock { boxes: squares(boxes), player: squares(player) }
}

#[test]
fn each_subscription_receives_the_proofs_of_the_others_once() {
    let deadlocks = SharedDeadlocks::new(&MemoryAccount::new(1 << 20));
    let (mut one, mut other) = (deadlocks.subscribe(), deadlocks.subscribe());
    one.publish(&deadlock(&[1, 2], &[3]));
    assert!(other.has_new() && one.receive().is_empty());
    let proofs = [deadlock(&[1, 2], &[3])];
    assert_eq!(other.receive(), proofs);
    assert!(!other.has_new() && other.receive().is_empty());
    assert_eq!(deadlocks.subscribe().receive(), proofs);
}

#[test]
fn an_area_is_claimed_once() {
    let deadlocks = SharedDeadlocks::new(&MemoryAccount::new(1 << 20));
    let (one, other) = (deadlocks.subscribe(), deadlocks.subscribe());
    assert!(one.claim(7) && !other.claim(7) && !one.claim(7) && other.claim(8));
}

/// What does not fit is not kept, and nothing is charged beyond the account.
#[test]
fn the_store_keeps_within_the_account() {
    let account = MemoryAccount::new(3 * SharedDeadlocks::STEP);
    let deadlocks = SharedDeadlocks::new(&account);
    let mut subscription = deadlocks.subscribe();
    let squares: Vec<u16> = (0..500).collect();
    (0..1_000).for_each(|_| deadlocks.subscribe().publish(&deadlock(&squares, &squares)));
    let n_kept = subscription.receive().len();
    assert!((50..200).contains(&n_kept), "{n_kept}");
    assert_eq!(account.used(), 3 * SharedDeadlocks::STEP);
    assert!(subscription.claim(1), "without memory an area is examined all the same");
    drop((subscription, deadlocks));
    assert_eq!(account.used(), 0);
}

/// Two bytes for each square and room for four entries: those of the proof, of growing vectors and of allocators.
#[test]
fn a_proof_is_charged_by_its_squares() {
    let account = MemoryAccount::new(1 << 20);
    let deadlocks = SharedDeadlocks::new(&account);
    let subscription = deadlocks.subscribe();
    let used = || deadlocks.0.store.lock().used;
    subscription.publish(&deadlock(&[1, 2], &[3, 4, 5]));
    let first = 10 + 4 * size_of::<(usize, Deadlock)>() as u64;
    assert_eq!(used(), first);
    subscription.publish(&deadlock(&[1, 2, 3], &[]));
    assert_eq!(used(), 2 * first - 4);
    assert!(subscription.claim(9));
    assert_eq!((used(), account.used()), (2 * first - 4 + 20, 1 << 16));
}

/// What is charged is used to its last byte before more is charged, a step at least.
#[test]
fn memory_is_charged_in_steps() {
    let account = MemoryAccount::new(1 << 20);
    let deadlocks = SharedDeadlocks::new(&account);
    let mut store = deadlocks.0.store.lock();
    let mut charged_after = |bytes: u64| store.take(bytes).then(|| account.used());
    assert_eq!([charged_after(1), charged_after((1 << 16) - 1)], [Some(1 << 16); 2]);
    assert_eq!([charged_after(1), charged_after(1 << 17)], [Some(2 << 16), Some(4 << 16)]);
    assert_eq!([charged_after(1 << 20), charged_after(1)], [None, Some(4 << 16)]);
}

#[test]
fn only_so_many_proofs_and_areas_are_kept() {
    let deadlocks = SharedDeadlocks::new(&MemoryAccount::new(1 << 30));
    let subscription = deadlocks.subscribe();
    let proof = deadlock(&[1], &[2]);
    (0..(1 << 15) + 2).for_each(|_| subscription.publish(&proof));
    assert_eq!(deadlocks.subscribe().receive().len(), 1 << 15);
    deadlocks.0.store.lock().areas.extend(0..(1 << 20) - 1);
    let n_areas = || deadlocks.0.store.lock().areas.len();
    assert!(subscription.claim(u64::MAX) && n_areas() == 1 << 20);
    assert!(subscription.claim(1 << 30) && subscription.claim(1 << 30), "it is not remembered");
    assert_eq!(n_areas(), 1 << 20);
}

#[test]
fn an_area_is_not_remembered_without_memory() {
    let account = MemoryAccount::new((1 << 16) - 1);
    let subscription = SharedDeadlocks::new(&account).subscribe();
    assert!(subscription.claim(7) && subscription.claim(7));
    assert_eq!(account.used(), 0);
}
