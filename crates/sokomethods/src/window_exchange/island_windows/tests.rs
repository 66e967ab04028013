//! Islands in one process tell each other of windows.

use super::*;

fn window(number: u64) -> IslandWindow {
    IslandWindow::alone(number)
}

fn island(key: u64) -> IslandWindows {
    IslandWindows::new(ExchangeKey::from_bits(key), MemoryAccount::new(1 << 20))
}

#[test]
fn what_one_has_searched_no_other_searches() {
    let (one, other) = (island(1), island(1));
    assert_eq!(one.claim(&window(5)), WindowClaim::Granted);
    one.note_searched(&window(5));
    assert_eq!(other.claim(&window(5)), WindowClaim::Granted, "it was not told yet");
    other.release(&window(5));
    assert!(other.absorb("one", &one.take_news()));
    assert_eq!((other.claim(&window(5)), one.claim(&window(5))), (WindowClaim::Searched, WindowClaim::Searched));
    assert_eq!((other.n_skipped(), one.n_skipped()), (1, 1));
    assert!(one.take_news().is_empty(), "told once");
    let third = island(1);
    assert!(third.absorb("other", &other.all(10)));
    assert_eq!(third.claim(&window(5)), WindowClaim::Searched);
}

#[test]
fn windows_within_a_searched_one_are_skipped_and_overlapping_ones_wait() {
    let (one, other) = (island(1), island(1));
    let [long, inside, across] = [(1, 0..64), (2, 8..24), (3, 50..80)].map(|(n, at)| IslandWindow::new(n, 9, at));
    assert_eq!(one.claim(&long), WindowClaim::Granted);
    assert!(other.absorb("one", &one.take_news()));
    assert_eq!((other.claim(&inside), other.claim(&across)), (WindowClaim::Taken, WindowClaim::Taken));
    one.note_searched(&long);
    assert!(other.absorb("one", &one.take_news()));
    assert_eq!((other.claim(&inside), other.claim(&across)), (WindowClaim::Searched, WindowClaim::Granted));
    let other_solution = IslandWindow::new(4, 10, 8..24);
    assert_eq!(other.claim(&other_solution), WindowClaim::Granted);
}

#[test]
fn what_one_searches_no_other_begins_until_the_claim_ends() {
    let (one, other) = (island(1), island(1));
    assert_eq!(one.claim(&window(5)), WindowClaim::Granted);
    assert!(other.absorb("one", &one.take_news()));
    assert!(one.take_news().is_empty(), "the claim was told");
    assert_eq!((other.claim(&window(5)), other.n_ended()), (WindowClaim::Taken, 0));
    one.release(&window(5));
    assert_eq!(one.claim(&window(6)), WindowClaim::Granted);
    assert!(other.absorb("one", &one.take_news()));
    assert_eq!((other.claim(&window(5)), other.n_ended()), (WindowClaim::Granted, 1));
    assert_eq!(other.claim(&window(6)), WindowClaim::Taken);
    other.forget("one");
    assert_eq!((other.claim(&window(6)), other.n_ended()), (WindowClaim::Granted, 2));
}

#[test]
fn news_of_another_key_change_nothing() {
    let (one, other) = (island(1), island(2));
    assert_eq!(one.claim(&window(5)), WindowClaim::Granted);
    one.note_searched(&window(5));
    assert!(!other.absorb("one", &one.take_news()));
    assert_eq!(other.claim(&window(5)), WindowClaim::Granted);
}

#[test]
fn what_others_send_is_bounded() {
    let listener = island(1);
    let windows: Vec<_> = (0..2 * MOST_RECENT as u64).map(window).collect();
    let news = WindowNews::new(listener.key(), true, windows.clone(), windows);
    assert!(listener.absorb("one that claims all", &news));
    let news = WindowNews::new(listener.key(), true, Vec::new(), vec![window(1)]);
    for number in 0..MOST_ISLANDS + 5 {
        assert!(listener.absorb(&format!("island {number}"), &news));
    }
    let state = listener.state.lock();
    assert_eq!((state.claims_of_others.len(), state.recent.len()), (MOST_ISLANDS, MOST_RECENT));
    assert!(state.claims_of_others.values().all(|claims| claims.len() <= MOST_CLAIMS));
}

#[test]
fn without_memory_the_last_windows_are_remembered() {
    let island = IslandWindows::new(ExchangeKey::from_bits(1), MemoryAccount::new(0));
    (0..=MOST_RECENT as u64).for_each(|number| island.note_searched(&window(number)));
    assert_eq!(island.claim(&window(1)), WindowClaim::Searched);
    assert_eq!(island.claim(&window(0)), WindowClaim::Granted);
}
