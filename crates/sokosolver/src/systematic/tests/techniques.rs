//! Each technique alone, on a level of our own: it saves positions and changes no answer.

use super::*;

/// Boxes at walls, corners, and around a room that closes.
const HALL: &[&str] = &[
    "############",
    "#     ##   #",
    "# $ $    $ #",
    "## # ### $ #",
    "#  #...#   #",
    "#  #.   @ ##",
    "## #..## $ #",
    "#  $  ##   #",
    "#     ######",
    "############",
];

/// Two halls, and a tunnel that is the only path between them.
const CORRIDOR: &[&str] =
    &["###############", "#     ###     #", "# $ $     . . #", "#  @$ ###   . #", "#     ###   # #", "###############"];

/// Two halls and two tunnels between them: a box in one of them can be met from both sides.
const LOOP: &[&str] = &[
    "############",
    "#   ####   #",
    "# $      . #",
    "# $ #### . #",
    "#  $#### # #",
    "#@       . #",
    "#   ####   #",
    "############",
];

/// Two boxes at the upper wall, which has only one goal.
const TWO_FOR_ONE: &[&str] =
    &["###########", "#  $   $ .#", "#         #", "# .  $  . #", "#    @    #", "#         #", "###########"];

/// The boxes on the right are in conflict.
const QUEUE: &[&str] =
    &["##########", "#   #    #", "#. $     #", "# #  $  ##", "#$ $   ..#", "#     $. #", "#    #  +#", "##########"];

/// The box on the goal in the corner closes a pocket that no box may be pushed into.
const POCKET: &[&str] =
    &["########", "#    .##", "# $    #", "# # *+ #", "##.    #", "# #$ $ #", "# #  ###", "########"];

/// Two rooms with two links: the upper one is filled, and the lower one can only be filled from both sides.
const LINKS: &[&str] = &[
    "############",
    "#     ######",
    "#     *#####",
    "# @  #    ##",
    "#  $ #### ##",
    "#     . # ##",
    "#######.# ##",
    "####       #",
    "####  $    #",
    "####       #",
    "############",
];

/// A room of goals that is entered in the middle of them.
const STORE: &[&str] = &[
    "###############",
    "#      ##### .#",
    "#  $$  ##### .#",
    "#  $  @      .#",
    "#  $   #####  #",
    "#      ##### .#",
    "###############",
];

/// A room that boxes are pulled apart in.
const NARROW: &[&str] = &[
    "##########",
    "# .  #####",
    "# $*$#####",
    "#@$  * .##",
    "# $  **$ #",
    "###  .   #",
    "###   .###",
    "###. #####",
    "##########",
];

/// Another room of goals, and four boxes that can never move.
const BLOCKED_STORE: &[&str] = &[
    "###############",
    "#      ###    #",
    "# $$   ###    #",
    "# $$ $@    ...#",
    "#      ###  ..#",
    "#      ###    #",
    "###############",
];

/// Goals that bar each other when filled from the front.
const NOOKS: &[&str] =
    &["##########", "##  @  # #", "#  $     #", "## #$ $  #", "#  # . . #", "# #. .$  #", "##########"];

/// A box that needs a detour to its goal.
const SHELF: &[&str] =
    &["##########", "#  .#    #", "#.  #  $ #", "#$.#  $ @#", "#        #", "#        #", "# #     ##", "##########"];

/// Three and four boxes that hold each other.
const HEAP: &[&str] = &["#######", "#  @  #", "# $**$#", "# $.$ #", "# $ . #", "##. ..#", "##    #", "#######"];

/// Boxes corner to corner, with nothing between them.
const SLOPE: &[&str] =
    &["########", "# .   ##", "# $ $$ #", "#      #", "#  ..$@#", "##.    #", "###$$ .#", "### .  #", "########"];

/// A box in front of a closet closes it for good.
const CLOSET: &[&str] = &[
    "###########",
    "###       #",
    "###. $$ $ #",
    "##  *@##  #",
    "#.   $ ####",
    "#  .  $  ##",
    "####. #.$ #",
    "#### .    #",
    "###########",
];

/// A long tunnel, and one that leads off from it.
const BRANCH: &[&str] = &[
    "############",
    "#@$       .#",
    "##$#########",
    "#   ###   ##",
    "#   #.#   ##",
    "#$. #.$    #",
    "#.#  $*##* #",
    "####      ##",
    "############",
];

/// Boxes in a room with a step in its wall.
const CLUSTER: &[&str] =
    &["##########", "### .   .#", "###$$  * #", "###   *$ #", "#    $+###", "#    .####", "##########"];

/// A box that is held on its goal shuts others out of theirs.
const WEDGED: &[&str] = &["########", "##@$. .#", "##$$  .#", "#* $.  #", "#      #", "#     ##", "########"];

/// A passage that boxes are pulled through to either end.
const DEAD_ENDS: &[&str] =
    &["##########", "##    ##.#", "# *    # #", "# *    #$#", "#    . $@#", "#  #  ##*#", "#   * ####", "##########"];

/// Boxes among goals that a pull brings too close to each other.
const PULLED_CROWD: &[&str] =
    &["#########", "#    .###", "# $ $ ###", "#   . ###", "# $.* $ #", "#.$ . *@#", "#########"];

/// The same in a narrow room.
const PULLED_HALL: &[&str] =
    &["###########", "#. *  $.*@#", "#*      $$#", "##   .* *.#", "##     $  #", "###     ###", "###########"];

/// Two rooms with one door: which side of the boxes the player is on makes a difference.
const DOOR: &[&str] = &[
    "###########",
    "#    ##  @#",
    "##  ## $ ##",
    "#    .    #",
    "##$  #    #",
    "#  $ #   .#",
    "#    #.   #",
    "###########",
];

/// The verdict of a search, and how many positions it expanded.
pub(super) fn run(rows: &[&str], settings: &Settings) -> (Verdict, u64) {
    let mut search = systematic(&Level::parse(&rows.join("\n")).unwrap(), settings);
    (search.resume(&mut meter()).expect("no limit is set"), search.n_nodes())
}

/// Compares a technique with the plain matching bound and the techniques that it needs; returns a message if it does
/// not pay.
fn check(name: &str, rows: &[&str], needs: &[&str], at_most: u64, base: &Settings) -> Option<String> {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let mut settings = base.clone().plain();
    settings.switch(Technique::Matching, name != "matching");
    needs.iter().for_each(|name| settings.switch(name.parse().unwrap(), true));
    let (verdict, plain) = run(rows, &settings);
    settings.switch(name.parse().unwrap(), true);
    let (other, nodes) = run(rows, &settings);
    if verdict == Verdict::Unsolvable {
        assert_eq!(verdict, other, "{name}");
    } else if base.optimal == Optimal::Pushes {
        assert_eq!(replayed(&level, &verdict).metrics().pushes, replayed(&level, &other).metrics().pushes, "{name}");
    } else {
        replayed(&level, &other);
    }
    let pays = nodes < plain && nodes * 100 <= plain * at_most;
    println!("{name}: {nodes} positions of {plain}");
    (!pays).then(|| format!("{name}: {nodes} positions of {plain}"))
}

/// Proofs of fewest pushes, by A* forward.
fn forward_proof() -> Settings {
    Settings { algorithm: Algorithm::AStar, heading: Heading::Forward, optimal: Optimal::Pushes, ..Settings::default() }
}

#[track_caller]
fn assert_none(failures: impl IntoIterator<Item = Option<String>>) {
    assert_eq!(failures.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// Percents of the positions without it, for a proof of fewest pushes.
#[test]
fn bounds_lose_nothing_and_save_positions() {
    let forward = forward_proof();
    let pulls = Settings { heading: Heading::Backward, ..forward.clone() };
    assert_none([
        check("matching", HALL, &[], 10, &forward),
        check("side-distances", DOOR, &[], 20, &forward),
        check("side-distances", DOOR, &[], 30, &pulls),
        check("penalties", QUEUE, &[], 10, &forward),
    ]);
}

/// Percents of the positions without it, for a proof of fewest pushes.
#[test]
fn patterns_lose_nothing_and_save_positions() {
    let forward = forward_proof();
    let backward = Settings { algorithm: Algorithm::Bfs, heading: Heading::Backward, ..forward.clone() };
    let pulls = Settings { heading: Heading::Backward, ..forward.clone() };
    assert_none([
        check("pairs", HALL, &[], 90, &forward),
        check("pairs", CLUSTER, &[], 90, &backward),
        check("triples", CLUSTER, &["pairs"], 50, &forward),
        check("triples", PULLED_CROWD, &["pairs"], 50, &pulls),
        check("triples", PULLED_HALL, &["pairs"], 50, &pulls),
    ]);
}

/// Percents of the positions without it, for a proof of fewest pushes.
#[test]
fn deadlock_tests_lose_nothing_and_save_positions() {
    let forward = forward_proof();
    assert_none([
        check("freeze", HALL, &[], 90, &forward),
        check("freeze", HEAP, &["pairs"], 60, &forward),
        check("diagonals", SLOPE, &["freeze"], 10, &forward),
        check("frozen-walls", WEDGED, &["freeze"], 20, &forward),
        check("frozen-corrals", POCKET, &["freeze", "frozen-walls"], 60, &forward),
        check("goal-pairs", LINKS, &["freeze", "frozen-walls"], 10, &forward),
        check("corral-proofs", CLOSET, &["pairs", "freeze"], 10, &forward),
    ]);
}

/// Percents of the positions without it, for a proof of fewest pushes.
#[test]
fn tunnels_lose_nothing_and_save_positions() {
    let forward = forward_proof();
    let backward = Settings { algorithm: Algorithm::Bfs, heading: Heading::Backward, ..forward.clone() };
    assert_none([
        check("tunnels", CORRIDOR, &[], 70, &forward),
        check("tunnels", BRANCH, &[], 20, &forward),
        check("tunnels", DEAD_ENDS, &[], 10, &backward),
        check("tunnels", LOOP, &[], 95, &forward),
        check("tunnels", LOOP, &[], 95, &backward),
    ]);
}

/// Percents of the positions without it, until any solution is found.
#[test]
fn techniques_that_lead_save_positions() {
    let greedy = Settings { heading: Heading::Forward, ..Settings::default() };
    let pulls = Settings { heading: Heading::Backward, ..Settings::default() };
    let needs = ["pairs", "freeze", "frozen-walls"];
    assert_none([
        check("triples", NARROW, &["pairs"], 40, &pulls),
        check("goal-rooms", STORE, &needs, 10, &greedy),
        check("goal-order", NOOKS, &needs, 20, &greedy),
        check("goal-cuts", SHELF, &needs, 20, &greedy),
    ]);
}

/// The pushes that a goal room postpones are expanded later: *unsolvable* is not said before.
#[test]
fn a_goal_room_puts_off_and_never_loses() {
    let mut settings = Settings { heading: Heading::Forward, ..Settings::default().plain() };
    let (verdict, without) = run(BLOCKED_STORE, &settings);
    settings.switch(Technique::GoalRooms, true);
    let (other, with) = run(BLOCKED_STORE, &settings);
    assert_eq!((verdict, other), (Verdict::Unsolvable, Verdict::Unsolvable));
    assert!(with >= without && without > 20, "{with} {without}");
}

/// Each box can get to some goal, but not all to goals of their own: the matching sees it at the first look.
#[test]
fn boxes_that_share_too_few_goals_are_a_deadlock() {
    let mut settings = Settings { heading: Heading::Forward, ..Settings::default().plain() };
    let (verdict, without) = run(TWO_FOR_ONE, &settings);
    settings.switch(Technique::Matching, true);
    let (other, with) = run(TWO_FOR_ONE, &settings);
    assert_eq!((verdict, other), (Verdict::Unsolvable, Verdict::Unsolvable));
    assert!(with <= 1 && without > 200, "{with} {without}");
}
