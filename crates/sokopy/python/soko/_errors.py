"""What goes wrong with levels and moves. Both are kinds of `ValueError`."""

from __future__ import annotations

__all__ = ["LevelError", "MovesError"]


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
