"""What goes wrong with levels and moves, both kinds of `ValueError`, and what Ctrl-C raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from soko._soko import Solution

__all__ = ["Interrupted", "LevelError", "MovesError"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run, with what the run had found. It is a `KeyboardInterrupt`, so that what handles that handles it.

    `result` is what the function would have returned, with `interrupted` as its end, if the search has stopped within
    20 milliseconds, and None otherwise. `solution` is the best solution that was known, if there was one. For
    `solve_many`, `result` is a list that has None for each level that was not done, and `solution` is None.

    >>> import soko
    >>> try:
    ...     result = soko.solve(soko.Level("######\\n#@$ .#\\n######"))
    ... except soko.Interrupted as interrupted:
    ...     result = interrupted.result
    """

    __module__ = "soko"

    def __init__(self, result: Any = None, solution: Optional[Solution] = None) -> None:
        super().__init__()
        self.result = result
        found = getattr(result, "solution", None)
        self.solution = solution if found is None else found

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Any, Optional[Solution]]]:
        return type(self), (self.result, self.solution)


class LevelError(ValueError):
    """A board that cannot be played, or a file without levels; the message says where and what to do.

    >>> import soko
    >>> soko.Level("#####\\n#@$ #\\n#####")
    Traceback (most recent call last):
        ...
    soko.LevelError: the player can reach 1 boxes but only 0 goals; such a level has no solution
    """

    __module__ = "soko"


class MovesError(ValueError):
    """Moves that cannot be read or made, or that do not solve their level; the message says which.

    >>> import soko
    >>> soko.Solution(soko.Level("######\\n#@$ .#\\n######"), "RU")
    Traceback (most recent call last):
        ...
    soko.MovesError: move 2 (U) walks into a wall
    """

    __module__ = "soko"
