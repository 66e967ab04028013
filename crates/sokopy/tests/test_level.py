import collections.abc
import copy
import pickle

import pytest

import soko


def test_a_level_is_a_sequence_of_rows(two_steps):
    assert len(two_steps) == two_steps.height == 3
    assert list(two_steps) == two_steps.rows == ["######", "#@$ .#", "######"]
    assert isinstance(two_steps, collections.abc.Iterable)
    assert two_steps[-1] == "######"
    assert two_steps[0:2] == ["######", "#@$ .#"]
    assert two_steps[::-2] == ["######", "######"]
    assert two_steps[1, 2] == two_steps[-2, -4] == "$"
    for place in (3, -4, (0, 6), (-4, 0)):
        with pytest.raises(IndexError, match="counted from 0"):
            two_steps[place]
    with pytest.raises(TypeError):
        two_steps["row"]


def test_what_is_known_of_it(two_steps, small):
    assert (two_steps.title, two_steps.author, two_steps.notes, two_steps.number) == ("Two steps", None, [], None)
    assert (small.width, small.height, small.n_boxes) == (6, 5, 2)
    assert small.goals == [(3, 1), (3, 4)]
    assert small.start.boxes == [(2, 2), (2, 4)]
    assert small.start.player == (2, 1)
    assert len(small.id) == 32


def test_equality_is_identity_of_the_board(two_steps):
    same = soko.Level(["######", "#p$-.###", "######*#"], title="Another title")
    mirrored = soko.Level("######\n#. $@#\n######")
    assert two_steps == same and hash(two_steps) == hash(same) and two_steps.id == same.id
    assert two_steps != mirrored and two_steps.id_up_to_symmetry == mirrored.id_up_to_symmetry
    assert {two_steps, same, mirrored} == {two_steps, mirrored}
    assert two_steps != "######\n#@$ .#\n######"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_keep_what_is_known(protocol):
    level = soko.Level("######\n#@$ .#\n######", title="A", author="B", notes=["C"], number=4)
    for again in (pickle.loads(pickle.dumps(level, protocol)), copy.deepcopy(level)):
        assert again == level and str(again) == str(level)
        assert (again.title, again.author, again.notes, again.number) == ("A", "B", ["C"], 4)


def test_it_is_drawn(two_steps):
    assert repr(two_steps) == "Level('Two steps', 6 x 3, 1 box)\n######\n#@$ .#\n######"
    assert str(two_steps) == "######\n#@$ .#\n######"
    assert two_steps.to_svg().startswith("<svg ") and two_steps.to_svg() != two_steps.to_svg(theme="dark")
    assert two_steps.to_png(square_size=8).startswith(b"\x89PNG")
    html = soko.Level(str(two_steps), title="<b>")._repr_html_()
    assert html.startswith('<img alt="Level(&#39;&lt;b&gt;&#39;, 6 x 3, 1 box)" src="data:image/svg+xml;base64,')
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        two_steps.to_svg(theme="red")
    with pytest.raises(ValueError, match="from 1 to 512"):
        two_steps.to_png(square_size=0)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "the board is empty"),
        ("####\n#@x#\n####", "row 2, column 3: 'x' is not a board letter"),
        ("######\n#$ . #\n######", "no player; mark one with @"),
        ("#####\n#@$. \n#####", "the border is open at row 2, column 5; close it with #"),
        ("#####\n#@..#\n#####", "nothing to push"),
    ],
)
def test_what_is_wrong_is_named(board, message):
    with pytest.raises(soko.LevelError, match=message) as caught:
        soko.Level(board)
    assert isinstance(caught.value, ValueError)


def test_text_is_not_bytes():
    with pytest.raises(TypeError):
        soko.Level(b"#####\n#@$.#\n#####")
