import pytest

import soko

numpy = pytest.importorskip("numpy")
CODES = [[0, 0, 0, 0, 0, 0], [0, 5, 4, 1, 2, 0], [0, 0, 0, 0, 0, 0]]


def test_boards_become_arrays(two_steps):
    array = two_steps.to_array()
    assert array.dtype == numpy.uint8 and array.shape == (3, 6) and array.tolist() == CODES
    assert numpy.asarray(two_steps).tolist() == CODES
    assert numpy.array(two_steps, dtype=float).dtype == float
    array[0, 0] = 7
    assert two_steps.to_array()[0, 0] == 0
    assert two_steps.start.move("R").to_array()[1].tolist() == [0, 1, 5, 4, 2, 0]
    assert two_steps.start.move("RR").to_array()[1].tolist() == [0, 1, 1, 5, 3, 0]
    assert numpy.stack([two_steps, two_steps]).shape == (2, 3, 6)


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_become_boards(two_steps, dtype, order):
    assert soko.Level.from_array(numpy.array(CODES, dtype=dtype, order=order)) == two_steps
    assert soko.Level.from_array(CODES, title="A").title == "A"


@pytest.mark.parametrize("planes", ["first", "last"])
def test_one_hot(small, planes):
    level = small.start.as_level()
    array = level.to_one_hot(planes=planes)
    axis = {"first": 0, "last": 2}[planes]
    assert array.shape == ((7, 5, 6) if planes == "first" else (5, 6, 7))
    assert (array.sum(axis=axis) == 1).all() and (array.argmax(axis=axis) == level.to_array()).all()
    for dtype in ("uint8", "bool", "float32"):
        assert soko.Level.from_array(array.astype(dtype), planes=planes) == level
    assert soko.Level.from_array(array[:, ::-1][:, ::-1], planes=planes) == level
    assert (small.start.to_one_hot(planes=planes) == array).all()


def test_boxoban_boards_survive():
    board = "##########\n#   .    #\n# $  .## #\n#  $   # #\n#. $ $ . #\n####  ####\n# @      #\n##########\n##########\n##########"
    level = soko.Level(board)
    assert level.to_one_hot().shape == (10, 10, 7)
    assert str(soko.Level.from_array(level.to_one_hot())) == board


def test_what_is_wrong_is_named(two_steps):
    wrong = numpy.array(CODES)
    wrong[1, 3] = 9
    with pytest.raises(soko.LevelError, match="row 2, column 4: 9 is no code from 0 to 6"):
        soko.Level.from_array(wrong)
    with pytest.raises(soko.LevelError, match="row 1, column 1 is not one-hot"):
        soko.Level.from_array(two_steps.to_one_hot() * 0)
    with pytest.raises(soko.LevelError, match="is not one-hot"):
        soko.Level.from_array(two_steps.to_one_hot(), planes="first")
    with pytest.raises(soko.LevelError, match="the board is empty"):
        soko.Level.from_array(numpy.zeros((0, 5)))
    for array in (numpy.zeros(3), numpy.zeros((2, 2, 2, 2)), "######", 4):
        with pytest.raises(TypeError, match="shape"):
            soko.Level.from_array(array)
    with pytest.raises(ValueError, match="'first' or 'last'"):
        two_steps.to_one_hot(planes="middle")


def test_without_numpy_the_message_says_what_to_do(two_steps, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(ImportError, match="pip install numpy"):
        two_steps.to_array()
    assert soko.Level.from_array(CODES) == two_steps
