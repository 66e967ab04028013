import dataclasses
import math
import pickle

import pytest

import soko


def test_any_solution(small):
    result = soko.solve(small)
    assert result.solved and result.status == "solved" and result.level == small
    assert soko.verify(small, result.solution.moves)


@pytest.mark.parametrize(
    ("optimal", "moves", "pushes"), [("pushes", None, 3), ("moves", 12, None), ("pushes/moves", 14, 3), ("moves/pushes", 12, 5)]
)
def test_best_solutions_are_proved(small, optimal, moves, pushes):
    result = soko.solve(small, optimal=optimal)
    assert result.proved and result.end == "exhausted"
    assert moves in (None, result.metrics.moves) and pushes in (None, result.metrics.pushes)
    assert result.lower_bound == (pushes if optimal.startswith("pushes") else moves)


def test_no_solution(unsolvable):
    result = soko.solve(unsolvable)
    assert (result.status, result.proved, result.solution, result.metrics) == ("unsolvable", True, None, None)
    assert result.to_dict()["moves"] is None


def test_equal_work_gives_equal_results(large):
    runs = [soko.solve(large, optimal="moves", work=20_000, threads=1) for _ in range(2)]
    assert runs[0].stats == runs[1].stats and runs[0].ticks == runs[1].ticks and runs[0].end == "work"


def test_counts_are_told_by_kind(small):
    stats = soko.solve(small, strategy="a-star", threads=1).stats
    assert stats.deadlocks.frozen > 0 and sum(stats.deadlocks.to_dict().values()) == stats.pruned
    assert stats.to_dict()["deadlocks_frozen"] == stats.deadlocks.frozen and stats.branching > 1


def test_limits(large):
    assert soko.solve(large, optimal="moves", time=0.05).end == "time"
    limits = {"work": 300_000, "threads": 1}
    assert soko.solve(large, optimal="moves", memory=4 << 20, **limits).peak_bytes <= 4 << 20
    assert soko.solve(large, optimal="moves", **limits).peak_bytes > 4 << 20


def test_known_solutions(small, two_steps):
    known = soko.Solution(small, "drruurDullDrdL")
    assert soko.solve(small, optimal="pushes", known=[known]).proved
    with pytest.raises(soko.MovesError):
        soko.solve(two_steps, optimal="pushes", known=[known])


def test_wrong_arguments_are_named(small):
    for arguments, message in [
        ({"optimal": "boxes"}, "'pushes/moves'"),
        ({"strategy": "no such"}, "a-star"),
        ({"time": -1}, "number of seconds"),
        ({"time": math.nan}, "number of seconds"),
        ({"memory": -1}, "number of bytes"),
        ({"work": -1}, "number of ticks"),
        ({"threads": 0}, "from 1 to 1024"),
    ]:
        with pytest.raises(ValueError, match=message):
            soko.solve(small, **arguments)
    with pytest.raises(TypeError):
        soko.solve("######")


def test_every_strategy_has_a_name(small):
    assert len(soko.strategies()) > 10
    assert soko.solve(small, strategy="a-star", time=math.inf).by.startswith("a-star")


def test_progress_is_told_in_the_thread_of_the_caller(small):
    told = []
    soko.solve(small, optimal="pushes", progress=told.append)
    kinds = {progress.kind for progress in told}
    assert "bound" in kinds and kinds <= {"bound", "improved", "solved", "running"}
    assert all(progress.seconds >= 0 for progress in told)
    best = [progress for progress in told if progress.kind == "improved"]
    assert all(progress.solution.metrics == progress.metrics for progress in best)


def test_progress_may_stop_the_run(large):
    result = soko.solve(large, optimal="moves", time=60, progress=lambda _: False)
    assert result.end == "interrupted"


def test_progress_may_raise(large):
    def progress(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        soko.solve(large, optimal="moves", time=60, progress=progress)


def test_many_levels_keep_their_order(two_steps, small, unsolvable):
    levels = [two_steps, unsolvable, small] * 20
    seen = []
    results = soko.solve_many(levels, optimal="pushes", progress=lambda at, result: seen.append((at, result)))
    assert [result.level for result in results] == levels
    assert [result.status for result in results[:3]] == ["solved", "unsolvable", "solved"]
    assert sorted(at for at, _ in seen) == list(range(60)) and all(results[at] == result for at, result in seen)
    again = soko.solve_many(iter(levels), optimal="pushes", threads=1)
    assert [result.ticks for result in again] == [result.ticks for result in results]
    assert soko.solve_many([]) == []
    with pytest.raises(TypeError):
        soko.solve_many([two_steps, "######"])


def test_many_levels_can_be_stopped(large, two_steps):
    results = soko.solve_many([two_steps, large, large], optimal="moves", time=60, threads=1, progress=lambda *_: False)
    assert [result.status for result in results][0] == "solved"
    assert [result.end for result in results[1:]] == ["interrupted", "interrupted"]


def test_results_are_dataclasses(small):
    result = soko.solve(small, optimal="pushes", threads=1)
    assert pickle.loads(pickle.dumps(result)) == result
    assert dataclasses.replace(result, status="unsolved").status == "unsolved"
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.status = "unsolved"
    row = result.to_dict()
    assert row["pushes"] == 3 and row["expanded"] == result.stats.expanded and row["level"] == small.id
    assert all(value is None or isinstance(value, (int, float, str)) for value in row.values())
