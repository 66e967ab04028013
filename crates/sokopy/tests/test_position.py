import pickle

import pytest

import soko


def test_moves_and_pushes_return_other_positions(two_steps):
    start = two_steps.start
    assert start.moves() == "R" and start.pushes() == [(1, 2, "r")]
    after = start.move("R")
    assert (after.player, after.boxes, after.is_solved) == ((1, 2), [(1, 3)], False)
    assert (start.player, start.boxes) == ((1, 1), [(1, 2)])
    assert start.push(1, 2, "r") == start.push(1, 2, "R") == after
    assert start.move("rr").is_solved


def test_what_cannot_be_done_is_named(two_steps):
    start = two_steps.start
    for moves, message in [("u", r"move 1 \(u\) walks into a wall"), ("rrr", "move 3 .* blocked"), ("x", "'x' is not")]:
        with pytest.raises(soko.MovesError, match=message):
            start.move(moves)
    with pytest.raises(soko.MovesError, match=r"row 1, column 2 can be pushed up; see pushes\(\)"):
        start.push(1, 2, "u")
    with pytest.raises(soko.MovesError, match="use l, u, r or d"):
        start.push(1, 2, "x")
    with pytest.raises(ValueError, match="row 0, column 0 is no square"):
        start.push(0, 0, "r")


def test_a_position_can_be_made_of_squares(small):
    position = soko.Position(small, [(1, 3), (2, 3)], (3, 3))
    assert str(position) == "######\n## $ #\n#  $ #\n#. @.#\n######"
    assert position.as_level().start.boxes == [(1, 3), (2, 3)]
    for boxes, player in [([(1, 3)], (3, 3)), ([(1, 3), (1, 3)], (3, 3)), ([(1, 3), (3, 3)], (3, 3)), ([(9, 9)], (3, 3))]:
        with pytest.raises(ValueError):
            soko.Position(small, boxes, player)


def test_equality_pickles_and_pictures(small, two_steps):
    position = small.start.move("rr") if "r" in small.start.moves() else small.start.move("R")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and hash(again) == hash(position) and again != small.start
    assert small.start != two_steps.start
    assert repr(two_steps.start) == "Position(player (1, 1), 1 box off goal)\n######\n#@$ .#\n######"
    assert repr(two_steps.start.move("RR")).startswith("Position(player (1, 3), solved)\n")
    assert position._repr_html_().startswith("<img ")
    assert position.to_png(square_size=4).startswith(b"\x89PNG")


def test_decoration_stays_where_it_is():
    level = soko.Level(["######", "#p$-.###", "######*#"])
    assert str(level.start.move("R")) == "######\n# @$.###\n######*#"
