//! The flood of the inner loops against its plain twin.

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use sokocore::{Flood, FloorGraph, PlantSpec, Reach, planted};

proptest! {
    /// Wherever the player stands among any boxes: the same region, under a name of its own, and the same distances.
    #[test]
    fn floods_agree_with_reach((level, _) in planted(PlantSpec::default()), choice in any::<u64>()) {
        let (board, graph) = (level.board(), FloorGraph::new(&level));
        let (mut flood, mut reach) = (Flood::new(&graph), Reach::new(board));
        let mut boxes = board.no_squares();
        board.squares().filter(|sq| choice >> (sq.idx() % 64) & 1 != 0).for_each(|sq| _ = boxes.insert(sq));
        let placed = || boxes.iter().map(|sq| graph.number(sq));
        for player in board.squares().filter(|&sq| !boxes.contains(sq)) {
            let region = reach.flood(board, &boxes, player);
            let zone = flood.run(&graph, placed(), graph.number(player));
            let least = region.squares().iter().map(|&sq| graph.number(sq)).min();
            prop_assert_eq!(Some(zone), least);
            prop_assert_eq!(flood.n_reached(), region.squares().len());
            flood.place(placed());
            prop_assert_eq!(flood.measure(&graph, graph.number(player)), zone);
            prop_assert!(flood.region().iter().all(|&sq| region.contains(graph.square(sq))));
            for sq in board.squares() {
                let number = graph.number(sq);
                prop_assert_eq!(flood.reaches(number), region.contains(sq));
                prop_assert_eq!(flood.is_free(number), !boxes.contains(sq));
                if let Some(distance) = region.distance(sq) {
                    prop_assert_eq!(u32::from(flood.distance(number)), distance);
                }
            }
        }
    }
}
