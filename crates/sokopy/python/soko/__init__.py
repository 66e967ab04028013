"""Sokoban: levels, solutions, a solver with proofs and an optimizer.

>>> import soko
>>> level = soko.Level('''
... ######
... ##   #
... #@$ $#
... #.  .#
... ######
... ''')
>>> result = soko.solve(level, optimal="pushes/moves")
>>> result.metrics.pushes, result.metrics.moves, result.proved
(3, 14, True)

What is in it:

* `Level`, `Position`, `Solution`, `Collection`: values that are compared, hashed and pickled, and drawn in notebooks.
* `load`, `loads`: level files in every format that Soko reads.
* `solve`, `solve_many`, `optimize`, `verify`, `metrics`: what can be done with them.
* `SolveResult`, `OptimizeResult`, `Metrics` and others: what these return.
* `LevelError`, `MovesError`: what goes wrong. `Interrupted`: Ctrl-C during a run, with what it had found.

Searches run without Python's lock, end at Ctrl-C, and keep within a limit of memory.
"""

from __future__ import annotations

from soko._errors import Interrupted, LevelError, MovesError
from soko._results import (
    Deadlocks,
    Improvement,
    Metrics,
    OptimizeResult,
    Progress,
    SearchStats,
    SolveResult,
    Verification,
)
from soko._soko import (
    Collection,
    Level,
    Position,
    Solution,
    __version__,
    load,
    loads,
    metrics,
    optimize,
    solve,
    solve_many,
    strategies,
    verify,
)

__all__ = [
    "Collection",
    "Deadlocks",
    "Improvement",
    "Interrupted",
    "Level",
    "LevelError",
    "Metrics",
    "MovesError",
    "OptimizeResult",
    "Position",
    "Progress",
    "SearchStats",
    "Solution",
    "SolveResult",
    "Verification",
    "__version__",
    "load",
    "loads",
    "metrics",
    "optimize",
    "solve",
    "solve_many",
    "strategies",
    "verify",
]
