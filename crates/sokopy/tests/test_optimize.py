import pickle

import pytest

import soko

START = "drruurDullDrdL"


def test_solutions_get_better(small):
    start = soko.Solution(small, START)
    result = soko.optimize(start)
    assert result.before == start and result.solution.metrics.moves == 12 and result.improved and result.proved
    assert result.history and result.history[-1].metrics == result.metrics
    assert result.objective == "moves" and result.end == "exhausted"
    assert soko.optimize(start, objective="pushes/moves").metrics.pushes == 3


def test_several_objectives_in_one_call(small):
    start = soko.Solution(small, START)
    told = []
    results = soko.optimize(start, objective=["moves", "pushes/moves"], progress=told.append)
    assert [result.objective for result in results] == ["moves", "pushes"]
    assert [(result.metrics.moves, result.metrics.pushes) for result in results] == [(12, 5), (14, 3)]
    assert all(result.history[-1].metrics == result.metrics for result in results if result.improved)
    assert {progress.objective for progress in told if progress.kind == "improved"} <= {"moves", "pushes"}
    assert soko.optimize(start, objective=("pushes",))[0].metrics.pushes == 3
    with pytest.raises(ValueError, match="empty list"):
        soko.optimize(start, objective=[])
    with pytest.raises(TypeError):
        soko.optimize(start, objective=7)


def test_the_solver_helps(large):
    start = soko.solve(large, threads=1, work=3_000_000).solution
    # Later both have the fewest moves.
    without, with_solver = (soko.optimize(start, work=300_000, solver=solver) for solver in (False, True))
    assert without.solution != with_solver.solution, "the solver has its share of the work"


def test_equal_work_gives_equal_results(large):
    start = soko.solve(large, threads=1, work=3_000_000).solution
    runs = [soko.optimize(start, work=30_000, seed=4) for _ in range(2)]
    assert runs[0].solution == runs[1].solution and runs[0].ticks == runs[1].ticks
    assert soko.verify(large, runs[0].solution.moves) and runs[0].metrics.moves <= start.metrics.moves


def test_progress(small):
    told = []
    result = soko.optimize(soko.Solution(small, START), progress=told.append)
    found = [progress for progress in told if progress.kind == "improved"]
    assert [progress.metrics for progress in found] == [gain.metrics for gain in result.history]
    assert found[-1].solution == result.solution

    def progress(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        soko.optimize(soko.Solution(small, START), progress=progress)


def test_wrong_arguments_are_named(small, two_steps):
    start = soko.Solution(small, START)
    with pytest.raises(ValueError, match="'speed' is not a metric"):
        soko.optimize(start, objective="speed")
    with pytest.raises(soko.MovesError):
        soko.optimize(start, known=[soko.Solution(two_steps, "RR")])
    with pytest.raises(ValueError, match="from 1 to 1024"):
        soko.optimize(start, threads=-3)


def test_results_are_rows(small):
    result = soko.optimize(soko.Solution(small, START), threads=1)
    assert pickle.loads(pickle.dumps(result)) == result
    row = result.to_dict()
    assert (row["before_moves"], row["moves"], row["solution"]) == (14, 12, result.solution.moves)
    assert [gain.to_dict()["moves"] for gain in result.history][-1] == 12
