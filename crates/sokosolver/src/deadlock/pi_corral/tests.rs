//! Which boxes a corral restricts the pushes to, on small boards.

use hashbrown::{HashMap, HashSet};
use sokocore::{FloorSquare, Level};
use sokosearch::{Budget, Cancel, MemoryAccount};

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchDirection};
use crate::deadlock::pi_corral::*;
use crate::search_kind::SearchKind;
use crate::systematic::tests::small_levels;
use crate::systematic::{PlayerKey, roots};
use crate::{Settings, WorkMeter};

fn check(rows: &[&str], expect: impl Fn(&SearchBoard, &Level) -> Prune) {
    check_choice(rows, CorralChoice::FewestPushes, expect);
}

fn check_choice(rows: &[&str], choice: CorralChoice, expect: impl Fn(&SearchBoard, &Level) -> Prune) {
    at_start(rows, |level, cx, position| {
        let found = PiCorrals::new(cx.board, choice).find(cx.board, cx.areas, position);
        assert_eq!(found, expect(cx.board, level), "{level:?}");
    });
}

/// Asks about the start position of a level.
fn at_start<T>(rows: &[&str], ask: impl FnOnce(&Level, &mut TestContext<'_>, &FloodedPosition<'_>) -> T) -> T {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let boxes = SearchBoard::set::<2>(board.starts());
    let mut flood = Flood::new(&board);
    flood.run(&board, &boxes, board.player());
    let mut areas = EnclosedAreas::new(&board);
    areas.label(&board, &flood);
    let position = FloodedPosition::new(boxes.view(), board.starts(), board.player(), &flood);
    ask(&level, &mut TestContext { board: &board, learner: None, areas: &areas }, &position)
}

fn only(board: &SearchBoard, level: &Level, places: &[(usize, usize)]) -> Prune {
    let mut squares: Vec<FloorSquare> =
        places.iter().map(|&(row, column)| board.number(level.board().square_at(row, column).unwrap())).collect();
    squares.sort_unstable();
    Prune::Only(squares)
}

/// The left room is closed by one box that can only go in; the box on the right can wait.
#[test]
fn a_closed_room_is_opened_first() {
    let rows = ["##########", "#  #     #", "#. $@  $ #", "#. #     #", "##########"];
    check(&rows, |board, level| only(board, level, &[(2, 3)]));
}

/// The box in the door between the rooms can be pushed from either one, so neither is a corral without the other.
#[test]
fn two_rooms_are_one_corral() {
    let rows = [
        "##########",
        "#   #    #",
        "#.  $@   #",
        "#   #    #",
        "##$##    #",
        "#   #    #",
        "#.  $    #",
        "#  .#    #",
        "##########",
    ];
    check(&rows, |board, level| only(board, level, &[(2, 4), (4, 2), (6, 4)]));
}

#[test]
fn a_room_that_is_open_restricts_nothing() {
    check(&["##########", "#        #", "#. $@  $.#", "#  #     #", "##########"], |_, _| Prune::All);
}

/// Two boxes at a gap: the upper one could be pushed down the gap's far side, so it is not the corral's own.
#[test]
fn boxes_on_goals_around_nothing_need_not_move() {
    check(&["##########", "#  #     #", "#  *@  $.#", "#  #     #", "##########"], |_, _| Prune::All);
}

/// The room on the left takes one push, the one on the right two of boxes that are on goals.
const TWO_CORRALS: [&str; 7] =
    ["###########", "#  #   #  #", "#. $ @ * .#", "#  #   *  #", "#  # $ #  #", "#  #   #  #", "###########"];

#[test]
fn the_first_of_two_corrals_is_chosen_by_pushes_or_by_boxes_on_goals() {
    check_choice(&TWO_CORRALS, CorralChoice::FewestPushes, |board, level| only(board, level, &[(2, 3)]));
    check_choice(&TWO_CORRALS, CorralChoice::MostBoxesOnGoals, |board, level| only(board, level, &[(2, 7), (3, 7)]));
}

/// The boxes between the three rooms can be pushed from either side, so all that is unreachable is one corral.
#[test]
fn all_unreachable_rooms_can_be_one_corral() {
    let rows = [
        "##########",
        "#   #    #",
        "#.  $@   #",
        "##$##    #",
        "#   #    #",
        "#.  #    #",
        "##$##    #",
        "#   #    #",
        "#.  $    #",
        "#  .#    #",
        "##########",
    ];
    check(&rows, |board, level| only(board, level, &[(2, 4), (3, 2), (6, 2), (8, 4)]));
}

/// In front of the door the box can also be pushed up and down, but only to squares from which it reaches no goal.
#[test]
fn pushes_to_dead_squares_do_not_lead_out() {
    let rows = ["##########", "#  #     #", "#.  $@   #", "#. #     #", "##########"];
    check(&rows, |board, level| only(board, level, &[(2, 4)]));
}

/// Each of two boxes in front of a wide door is in the way of a push of the other along the wall.
#[test]
fn a_box_of_the_corral_blocks_pushes_of_another() {
    let rows = ["##########", "#. #     #", "#.  $@   #", "#.  $    #", "#. #     #", "##########"];
    check(&rows, |board, level| only(board, level, &[(2, 4), (3, 4)]));
}

/// Two rooms with a box in front of each; the smaller one is on either side.
#[test]
fn of_equal_corrals_that_with_the_least_floor_is_chosen() {
    let rows = ["#############", "#  #     # ##", "#.  $ @ $  .#", "#. #     # ##", "#############"];
    check_choice(&rows, CorralChoice::MostBoxesOnGoals, |board, level| only(board, level, &[(2, 8)]));
    let mirrored = rows.map(|row| row.chars().rev().collect::<String>());
    let mirrored = mirrored.each_ref().map(String::as_str);
    check_choice(&mirrored, CorralChoice::MostBoxesOnGoals, |board, level| only(board, level, &[(2, 4)]));
}

/// Two boxes in a row close the room on the right for good; the corral on the left, whose box is on a goal, is found
/// before.
const DEAD_BEHIND: [&str; 5] =
    ["###############", "#  #     ##   #", "#.  * @  $$  .#", "#  #     ##   #", "###############"];

#[test]
fn a_corral_without_a_push_is_dead_though_another_comes_first() {
    check_choice(&DEAD_BEHIND, CorralChoice::MostBoxesOnGoals, |_, _| Prune::Dead);
    check_choice(&DEAD_BEHIND, CorralChoice::FewestPushes, |_, _| Prune::Dead);
}

/// The same boxes on goals need not move, and cannot; that on the left need not, and can.
#[test]
fn boxes_around_an_area_that_need_not_be_opened_and_cannot_are_immovable() {
    let rows = ["###############", "#  #     ##   #", "#.  * @  **  .#", "#  #     ##   #", "###############"];
    at_start(&rows, |level, cx, position| {
        let mut corrals = PiCorrals::new(cx.board, CorralChoice::FewestPushes);
        assert!(corrals.reads_areas());
        assert_eq!(corrals.restrict(position, cx), Prune::All);
        assert_eq!(only(cx.board, level, &[(2, 9), (2, 10)]), Prune::Only(corrals.immovable().to_vec()));
    });
}

#[test]
fn a_search_that_does_not_restrict_only_finds_deadlocks() {
    let restrict = |rows: &[&str], restricts: bool| {
        at_start(rows, |_, cx, position| {
            PiCorrals::new(cx.board, CorralChoice::FewestPushes).restricting(restricts).restrict(position, cx)
        })
    };
    let corral = at_start(&TWO_CORRALS, |level, cx, _| only(cx.board, level, &[(2, 3)]));
    assert_eq!([true, false].map(|restricts| restrict(&TWO_CORRALS, restricts)), [corral, Prune::All]);
    assert_eq!([true, false].map(|restricts| restrict(&DEAD_BEHIND, restricts)), [Prune::Dead, Prune::Dead]);
}

/// Every kind of search with every set of the techniques that decide.
#[test]
fn the_test_is_made_for_searches_by_pushes_and_for_feature_space_search() {
    use Technique::{FrozenCorrals, GoalCorrals, PiCorrals};
    let meter = WorkMeter::new(Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default()), Cancel::default());
    at_start(&TWO_CORRALS, |level, cx, position| {
        let board = cx.board;
        let [fewest, most] = [&[(2, 3)][..], &[(2, 7), (3, 7)]].map(|places| only(board, level, places));
        for set in 0..8 {
            let techniques = [PiCorrals, FrozenCorrals, GoalCorrals];
            let mut settings = Settings::default().plain();
            (0..3).for_each(|at| settings.switch(techniques[at], set >> at & 1 != 0));
            let [restricts, freezes, by_goals] = techniques.map(|technique| settings.uses(technique));
            let mut made = |search, direction| {
                let (patterns, settings) = (None, &settings);
                let meter = &meter;
                let parts = LibraryParts { level, board, tables: None, patterns, search, direction, settings, meter };
                make(&parts).map(|mut test| test.restrict(position, cx))
            };
            let systematic = SearchKind::of(&Settings::default());
            let chosen = if by_goals { &most } else { &fewest };
            let forward = if restricts { chosen.clone() } else { Prune::All };
            assert_eq!(made(SearchKind::Fess, SearchDirection::Forward), Some(forward.clone()), "{set}");
            assert_eq!(made(SearchKind::Fess, SearchDirection::Backward), Some(fewest.clone()), "{set}");
            let is_wanted = restricts || freezes;
            assert_eq!(made(systematic, SearchDirection::Forward), is_wanted.then_some(forward), "{set}");
            assert_eq!(made(systematic, SearchDirection::Backward), None, "{set}");
            for direction in [SearchDirection::Forward, SearchDirection::Backward] {
                assert_eq!(made(SearchKind::Packing, direction), None, "{set}");
            }
        }
    });
}

/// Boxes, and the name of the player's region.
type Position = (BitSet<2>, FloorSquare);

/// The positions before or after one step, dead squares left out; each with the square where the box was.
fn neighbors(
    board: &SearchBoard,
    (boxes, player): Position,
    direction: SearchDirection,
) -> Vec<(FloorSquare, Position)> {
    let (mut flood, mut after) = (Flood::new(board), Flood::new(board));
    flood.run(board, &boxes, player);
    let mut found = Vec::new();
    for (sq, side) in boxes.iter().flat_map(|sq| (0..4).map(move |side| (sq, side))) {
        let stand = board.step(sq, side);
        if !flood.reaches(stand) {
            continue;
        }
        let (to, player, room) = match direction {
            SearchDirection::Forward => (board.step(sq, side + 2), sq, board.step(sq, side + 2)),
            SearchDirection::Backward => (stand, board.step(stand, side), board.step(stand, side)),
        };
        if board.is_live(to) && flood.is_free(room) {
            let moved = boxes.moved(sq, to);
            found.push((sq, (moved, after.run(board, &moved, player))));
        }
    }
    found
}

/// The fewest pushes of every position that has a solution.
fn fewest_pushes(board: &SearchBoard) -> HashMap<Position, u32> {
    let mut fewest = HashMap::new();
    let mut layer = roots::<2>(board, SearchDirection::Backward, PlayerKey::Region).unwrap();
    for n_pushes in 0.. {
        layer.retain(|&position| fewest.try_insert(position, n_pushes).is_ok());
        if layer.is_empty() {
            break;
        }
        let pulled = layer.iter().flat_map(|&position| neighbors(board, position, SearchDirection::Backward));
        layer = pulled.map(|(_, position)| position).collect();
    }
    fewest
}

/// Every position with as many boxes as the level has.
fn positions(board: &SearchBoard) -> Vec<Position> {
    let mut sets = vec![BitSet::<2>::default()];
    for _ in 0..board.n_boxes() {
        let beyond = |set: &BitSet<2>| set.iter().last().map_or(0, |last| last.idx() + 1);
        let more = |set: BitSet<2>| board.live_squares().skip(beyond(&set)).map(move |sq| (set, sq));
        let with = |(mut set, sq): (BitSet<2>, FloorSquare)| {
            set.insert(sq);
            set
        };
        sets = sets.into_iter().flat_map(more).map(with).collect();
    }
    let mut flood = Flood::new(board);
    let regions = |set: BitSet<2>| {
        let players = board.squares().filter(|&sq| !set.has(sq));
        players.filter(|&sq| flood.run(board, &set, sq) == sq).map(|sq| (set, sq)).collect::<Vec<_>>()
    };
    sets.into_iter().flat_map(regions).collect()
}

/// Whether all boxes of a set stay where they are in every game from a position.
fn are_never_pushed(board: &SearchBoard, position: Position, kept: &[FloorSquare]) -> bool {
    let (mut todo, mut seen) = (vec![position], HashSet::new());
    while let Some(position) = todo.pop() {
        if !kept.iter().all(|&sq| position.0.has(sq)) {
            return false;
        }
        if seen.insert(position) {
            todo.extend(neighbors(board, position, SearchDirection::Forward).into_iter().map(|(_, next)| next));
        }
    }
    true
}

/// Grows a candidate from an area without regard to areas before; returns the areas of its corral, if there is one.
fn corral_of(
    board: &SearchBoard,
    areas: &EnclosedAreas,
    position: &FloodedPosition<'_>,
    area: AreaIndex,
) -> Option<u64> {
    let mut corrals = PiCorrals::new(board, CorralChoice::FewestPushes);
    corrals.grow(board, areas, position, area).map(|_| corrals.candidate.areas)
}

/// In every position of small levels: no push of a corral needs anything more, its possible pushes are counted, and what is
/// known of the areas before hides no corral.
#[test]
fn corrals_need_nothing_more_and_are_found_once() {
    let mut n = [0; 3];
    let levels = (0..).filter_map(|number| small_levels::level(number, 4));
    let boards = levels.filter_map(|level| SearchBoard::new(&level)).filter(|board| (9..=14).contains(&board.n_live()));
    for board in boards.take(40) {
        let (mut flood, mut areas) = (Flood::new(&board), EnclosedAreas::new(&board));
        let mut corrals = PiCorrals::new(&board, CorralChoice::FewestPushes);
        for (boxes, player) in positions(&board) {
            flood.run(&board, &boxes, player);
            areas.label(&board, &flood);
            let squares: Vec<FloorSquare> = boxes.iter().collect();
            let position = FloodedPosition::new(boxes.view(), &squares, player, &flood);
            corrals.forget_areas();
            let mut before = 0;
            for area in areas.indices() {
                let grown = corrals.grow(&board, &areas, &position, area);
                let alone = corral_of(&board, &areas, &position, area);
                let Some(n_pushes) = grown else {
                    let is_known = before & area.bit() != 0;
                    assert!(alone.is_none() || is_known, "{alone:?} {boxes:?} {player:?} {board:?}");
                    n[usize::from(is_known)] += 1;
                    continue;
                };
                let candidate = &corrals.candidate;
                let pushes = candidate.view().iter().flat_map(|sq| (0..4).map(move |dir| (sq, dir)));
                let needs: Vec<_> = pushes.map(|push| need(&board, &areas, &position, candidate, push)).collect();
                let is_met = |need: &PushNeed| matches!(need, PushNeed::Nothing | PushNeed::Possible);
                assert!(needs.iter().all(is_met), "{needs:?} {boxes:?} {player:?} {board:?}");
                let possible = needs.iter().filter(|need| matches!(need, PushNeed::Possible));
                assert_eq!(possible.count(), n_pushes, "{boxes:?} {player:?} {board:?}");
                before |= candidate.areas;
                n[2] += 1;
            }
        }
    }
    assert!(n.iter().all(|&n| n >= 100), "{n:?}");
}

/// In every position of small levels, by either choice: a deadlock has no solution, a corral has a push of the shortest
/// solution, and immovable boxes stay.
#[test]
fn corrals_lose_neither_solutions_nor_fewest_pushes() {
    let mut n = [0; 4];
    let levels = (0..).filter_map(|number| small_levels::level(number, 4));
    let boards = levels.filter_map(|level| SearchBoard::new(&level)).filter(|board| (9..=14).contains(&board.n_live()));
    for board in boards.take(40) {
        let fewest = fewest_pushes(&board);
        let (mut flood, mut areas) = (Flood::new(&board), EnclosedAreas::new(&board));
        for (boxes, player) in positions(&board) {
            flood.run(&board, &boxes, player);
            areas.label(&board, &flood);
            let squares: Vec<FloorSquare> = boxes.iter().collect();
            let position = FloodedPosition::new(boxes.view(), &squares, player, &flood);
            let least = fewest.get(&(boxes, player));
            for choice in [CorralChoice::FewestPushes, CorralChoice::MostBoxesOnGoals] {
                let mut corrals = PiCorrals::new(&board, choice);
                match corrals.find(&board, &areas, &position) {
                    Prune::All => n[0] += 1,
                    Prune::Dead => {
                        assert_eq!(least, None, "{boxes:?} {player:?} {board:?}");
                        n[1] += 1;
                    }
                    Prune::Only(corral) => {
                        let pushed = neighbors(&board, (boxes, player), SearchDirection::Forward);
                        let mut next = pushed.iter().filter(|(sq, _)| corral.contains(sq));
                        let has_best = |least: &u32| next.any(|(_, next)| fewest.get(next) == Some(&(least - 1)));
                        assert!(least.is_none_or(has_best), "{corral:?} of {boxes:?} {player:?} {board:?}");
                        n[2] += 1;
                    }
                }
                if !corrals.immovable().is_empty() && n[3] < 100 {
                    assert!(
                        are_never_pushed(&board, (boxes, player), corrals.immovable()),
                        "{boxes:?} {player:?} {board:?}"
                    );
                    n[3] += 1;
                }
            }
        }
    }
    assert!(n.iter().all(|&n| n >= 100), "{n:?}");
}
