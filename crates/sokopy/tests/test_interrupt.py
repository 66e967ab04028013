"""Ctrl-C, and other threads, while a search runs."""

import os
import pickle
import signal
import threading
import time

import pytest

import soko

LATENCY = 0.05


@pytest.fixture(autouse=True)
def heeds_interrupts():
    """Heed Ctrl-C: a shell starts what runs in the background with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(run):
    """Interrupt a call soon after it has begun, and return how long it took to end, and what it raised."""
    sent = []

    def interrupt():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(soko.Interrupted) as raised:
        run()
    ended = time.perf_counter()
    thread.join()
    assert isinstance(raised.value, KeyboardInterrupt)
    return ended - sent[0], raised.value


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way")
@pytest.mark.parametrize("function", ["solve", "solve_many", "optimize"])
def test_a_signal_ends_a_run(large, function):
    start = soko.solve(large, threads=1, work=3_000_000).solution
    runs = {
        "solve": lambda: soko.solve(large, optimal="moves", time=60),
        "solve_many": lambda: soko.solve_many([large] * 4, optimal="moves", time=60),
        "optimize": lambda: soko.optimize(start, time=60),
    }
    # A machine with much else to do may be late now and then.
    assert any(interrupted(runs[function])[0] < LATENCY for _ in range(6))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way")
def test_what_was_found_is_not_lost(large, small):
    known = soko.solve(large, threads=1, work=3_000_000).solution
    _, raised = interrupted(lambda: soko.optimize(known, objective=["moves", "pushes"], time=60))
    assert soko.verify(large, raised.solution.moves)
    if raised.result is not None:
        moves, pushes = raised.result
        assert moves.end == "interrupted" and moves.metrics.moves <= known.metrics.moves
        assert pushes.objective == "pushes" and soko.verify(large, pushes.solution.moves)

    _, raised = interrupted(lambda: soko.solve(large, optimal="moves", known=[known], time=60, threads=1, memory=64 << 20))
    if raised.result is not None:
        assert raised.result.end == "interrupted" and raised.result.lower_bound > 0
        assert raised.solution is not None and raised.solution == raised.result.solution

    levels = [small, large, small]
    _, raised = interrupted(lambda: soko.solve_many(levels, optimal="moves", time=60, threads=1))
    first, *others = raised.result
    assert others == [None, None] and (first is None or first.proved)
    assert pickle.loads(pickle.dumps(raised)).result == raised.result


def test_other_threads_run_meanwhile(large):
    counted = 0
    done = threading.Event()

    def search():
        soko.solve(large, optimal="moves", time=0.5, threads=1)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 10


def test_several_searches_at_a_time(small, two_steps):
    results = {}

    def search(at, level):
        results[at] = soko.solve(level, optimal="pushes", threads=1)

    threads = [threading.Thread(target=search, args=(at, [small, two_steps][at % 2])) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[at].metrics.pushes for at in range(8)] == [3, 2] * 4
