import pickle

import pytest

import soko


def test_a_solution_is_a_sequence_of_moves(two_steps):
    solution = soko.Solution(two_steps, "rr")
    assert len(solution) == 2 and list(solution) == ["R", "R"] and solution[-1] == "R" and solution[:1] == "R"
    assert solution.moves == str(solution) == "RR" and solution.level == two_steps
    assert repr(solution) == "Solution('Two steps', 2/2/1/1/1/1)\nRR"
    with pytest.raises(IndexError):
        solution[2]


def test_its_positions(two_steps):
    solution = soko.Solution(two_steps, "RR")
    positions = list(solution.positions())
    assert positions == [solution.position(n) for n in range(3)]
    assert positions[0] == two_steps.start and positions[-1] == solution.position() and positions[-1].is_solved
    with pytest.raises(ValueError, match="has 2 moves"):
        solution.position(3)


def test_wrong_moves_are_named(two_steps):
    for moves, message in [
        ("R", "1 box off goal"),
        ("U", r"move 1 \(U\) walks into a wall"),
        ("R?", "line 1, column 2: '\\?' is not a move"),
        ("", "1 box off goal"),
    ]:
        with pytest.raises(soko.MovesError, match=message):
            soko.Solution(two_steps, moves)
        check = soko.verify(two_steps, moves)
        assert not check and check.solution is None and check.metrics is None


def test_verify_and_metrics(two_steps):
    check = soko.verify(two_steps, "RRll")
    assert check and check.error is None and check.cut_after_solved == 2 and check.metrics.moves == 2
    assert soko.metrics(two_steps, "R") == soko.Metrics(1, 1, 1, 1, 1, 1)
    assert str(soko.metrics(two_steps, "RR")) == "2/2/1/1/1/1"
    assert soko.metrics(two_steps, "RR").to_dict()["pushes"] == 2


def test_equality_and_pickles(small):
    solution = soko.Solution(small, "drruurDullDrdL")
    again = pickle.loads(pickle.dumps(solution))
    assert again == solution and hash(again) == hash(solution) and again.metrics == solution.metrics
    assert solution != soko.Solution(small, "RurrDLulDrdL")


def test_it_is_drawn(small):
    solution = soko.Solution(small, "drruurDullDrdL")
    assert solution.to_gif(square_size=8).startswith(b"GIF89a")
    assert solution.to_svg().startswith("<svg ")
    assert solution._repr_html_().startswith("<img ")
    with pytest.raises(ValueError, match="speed must be from 1"):
        solution.to_svg(speed=0)
