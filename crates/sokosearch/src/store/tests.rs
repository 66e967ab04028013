//! Both stores against a sorted set of the standard library.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sokocore::{Level, Objective, replay};

use super::*;
use crate::{Budget, Cancel, Context, HashStore, Inserted, MemoryAccount, Pool, Stop, TreeStore};

/// Runs `test` with a context; stores need one only to be stopped while they grow.
fn with_context(memory: u64, test: impl FnOnce(&Context<'_>, &MemoryAccount)) {
    let level = Level::parse("#####\n#@$.#\n#####").unwrap();
    let start = replay(&level, &"R".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
    test(&Context::new(&pool, Objective::MOVES, &budget, &()), budget.memory());
}

fn check(keys: &[Vec<u64>], n_bits: usize) {
    with_context(1 << 24, |cx, account| {
        let words = n_bits.div_ceil(64);
        let mut hash = HashStore::new(words, account, 1 << 24, 8).unwrap();
        let mut oracle = BTreeSet::new();
        for key in keys {
            let expect = if oracle.insert(key.clone()) { Inserted::New } else { Inserted::Known };
            assert_eq!(hash.insert(key, cx), Ok(expect));
        }
        agrees(&hash, &oracle, words);
        let room = TreeStore::room_for(&hash, n_bits, account).unwrap();
        let tree = TreeStore::new(hash, n_bits, room, cx).unwrap();
        agrees(&tree, &oracle, words);
        assert_eq!(tree.bytes(), (n_bits.div_ceil(8) * oracle.len()) as u64);
    });
}

/// Trap 20: keys are compared in full, so a number never stands for two configurations.
fn agrees(store: &impl ConfigStore, oracle: &BTreeSet<Vec<u64>>, words: usize) {
    assert_eq!(store.n_configs(), oracle.len());
    let mut seen = BTreeSet::new();
    let mut key = vec![0; words];
    for expect in oracle {
        let id = store.find(expect).expect("every key is found");
        assert!(id.idx() < store.n_ids() && seen.insert(id), "numbers are unique");
        store.read(id, &mut key);
        assert_eq!(&key, expect);
        key[0] ^= 1;
        assert_eq!(store.find(&key).is_some(), oracle.contains(&key));
    }
}

proptest! {
    #[test]
    fn trap_20_stores_agree_with_a_sorted_set(
        keys in prop::collection::vec(prop::collection::vec(0..16_u64, 2).prop_map(|mut key| { key[0] |= 2; key }), 0..200),
        wide in prop::collection::vec(any::<u64>().prop_map(|key| key & ((1 << 37) - 1) | 4), 0..2_000),
    ) {
        check(&keys, 70);
        check(&wide.into_iter().map(|key| vec![key]).collect::<Vec<_>>(), 37);
    }
}

#[test]
fn a_full_store_says_so_and_stays_as_it_is() {
    with_context(64 << 10, |cx, account| {
        let mut store = HashStore::new(1, account, account.limit(), 0).unwrap();
        let stopped = (1..).find_map(|key| store.insert(&[key], cx).err());
        assert_eq!(stopped, Some(Stop::Memory));
        let n_configs = store.n_configs() as u64;
        assert!(n_configs > 2_000 && account.used() <= account.limit());
        assert!((1..=n_configs).all(|key| store.find(&[key]).is_some()));
        assert_eq!(store.find(&[n_configs + 1]), None);
    });
}

/// 64 KiB and twice as much are on either side of the limit.
#[test]
fn a_store_grows_by_quarters_where_memory_is_short() {
    with_context(1 << 20, |cx, account| {
        let mut store = HashStore::new(1, account, 100 << 10, 0).unwrap();
        let n_configs = (1..).take_while(|&key| store.insert(&[key], cx).is_ok()).count();
        assert_eq!(store.bytes(), 100 << 10);
        assert_eq!(n_configs, (100 << 10) / 8 / 16 * 15);
    });
}

#[test]
fn a_tree_that_does_not_fit_beside_the_set_leaves_it_as_it_is() {
    with_context(64 << 10, |cx, account| {
        let mut store = HashStore::new(1, account, account.limit(), 0).unwrap();
        (1..2_000).for_each(|key| _ = store.insert(&[key], cx).unwrap());
        let beside = account.charge(account.free() - 1_000).unwrap();
        assert!(TreeStore::room_for(&store, 11, account).is_err());
        assert!((1..2_000).all(|key| store.find(&[key]).is_some()));
        drop(beside);
        let room = TreeStore::room_for(&store, 11, account).unwrap();
        let tree = TreeStore::new(store, 11, room, cx).unwrap();
        assert_eq!(account.used(), tree.bytes(), "the set is given back");
    });
}

#[test]
fn packing_ends_when_the_run_does() {
    let level = Level::parse("#####\n#@$.#\n#####").unwrap();
    let start = replay(&level, &"R".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let cancel = Cancel::default();
    let budget = Budget::new(None, MemoryAccount::new(1 << 24), cancel.clone());
    let cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let mut store = HashStore::new(1, budget.memory(), 1 << 24, 0).unwrap();
    (1..100_000).for_each(|key| _ = store.insert(&[key], &cx).unwrap());
    let room = TreeStore::room_for(&store, 17, budget.memory()).unwrap();
    cancel.cancel();
    assert!(matches!(TreeStore::new(store, 17, room, &cx), Err(Stop::Cancelled)));
    assert_eq!(budget.memory().used(), 0);
}
