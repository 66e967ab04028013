"""What the functions return: frozen dataclasses, each with a flat `to_dict` for tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

if TYPE_CHECKING:
    from soko._soko import Level, Solution

__all__ = [
    "Deadlocks",
    "Improvement",
    "Metrics",
    "OptimizeResult",
    "Progress",
    "SearchStats",
    "SolveResult",
    "Verification",
]


@dataclass(frozen=True)
class Metrics:
    """The six metrics of a solution. It is written in the order of its fields.

    >>> import soko
    >>> metrics = soko.metrics(soko.Level("######\\n#@$ .#\\n######"), "RR")
    >>> metrics.pushes
    2
    >>> print(metrics)
    2/2/1/1/1/1
    """

    __module__ = "soko"

    moves: int
    pushes: int
    box_lines: int
    box_changes: int
    pushing_sessions: int
    player_lines: int

    def to_dict(self) -> dict[str, int]:
        """Return the metrics by their names."""
        return asdict(self)

    def __str__(self) -> str:
        return "/".join(str(value) for value in asdict(self).values())


@dataclass(frozen=True)
class Deadlocks:
    """Positions pruned as deadlocks, by what showed it, in the words of the JSON lines of `soko solve`."""

    __module__ = "soko"

    #: A box was moved to a square from which it can reach no goal.
    dead_squares: int
    #: Boxes hold each other in place off goal.
    frozen: int
    #: The boxes cannot all be given goals of their own.
    unmatched: int
    #: The position was found dead when it was to be expanded.
    expanded: int

    def to_dict(self) -> dict[str, int]:
        """Return the counters by their names."""
        return asdict(self)


@dataclass(frozen=True)
class SearchStats:
    """The counters of the searches of a run; `None` where no search counts it."""

    __module__ = "soko"

    expanded: int
    generated: Optional[int]
    duplicates: Optional[int]
    pruned: Optional[int]
    reopened: Optional[int]
    max_depth: Optional[int]
    #: What `pruned` is made of.
    deadlocks: Optional[Deadlocks]

    @property
    def branching(self) -> Optional[float]:
        """Positions generated for each one expanded."""
        return None if self.generated is None or self.expanded == 0 else self.generated / self.expanded

    def to_dict(self) -> dict[str, Union[int, float, None]]:
        """Return the counters by their names, and those of deadlocks by names that begin with `deadlocks_`."""
        kinds = {f"deadlocks_{name}": None for name in Deadlocks.__dataclass_fields__}
        if self.deadlocks is not None:
            kinds = {f"deadlocks_{name}": count for name, count in self.deadlocks.to_dict().items()}
        counters = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "deadlocks"}
        return {**counters, **kinds, "branching": self.branching}


@dataclass(frozen=True)
class SolveResult:
    """What `solve` knows about a level when it ends.

    >>> import soko
    >>> result = soko.solve(soko.Level("######\\n#@$ .#\\n######"), optimal="pushes")
    >>> result.status, result.proved, result.metrics.pushes
    ('solved', True, 2)
    >>> sorted(result.to_dict())[:4]
    ['author', 'box_changes', 'box_lines', 'branching']
    """

    __module__ = "soko"

    level: Level
    #: `solved`, `unsolvable` if that is proved, or `unsolved`.
    status: str
    solution: Optional[Solution]
    #: The strategy or the rule that gave the answer.
    by: Optional[str]
    #: Whether the answer is final: there is no solution, or none better by what the run was asked for.
    proved: bool
    #: The fewest pushes or moves that a solution can have, as far as that is proved; for runs with `optimal`.
    lower_bound: Optional[int]
    #: `exhausted`, or what stopped the run: `time`, `memory`, `work`, `interrupted`.
    end: str
    seconds: float
    #: Units of work; one is about one position generated.
    ticks: int
    peak_bytes: int
    stats: SearchStats

    @property
    def solved(self) -> bool:
        """Whether there is a solution."""
        return self.solution is not None

    @property
    def metrics(self) -> Optional[Metrics]:
        """The metrics of the solution, if there is one."""
        return None if self.solution is None else self.solution.metrics

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers and text by name, so that a list of them makes a table:
        `pandas.DataFrame(result.to_dict() for result in results)`.
        """
        metrics = dict.fromkeys(Metrics.__dataclass_fields__) if self.metrics is None else self.metrics.to_dict()
        return {
            "level": self.level.id,
            "number": self.level.number,
            "title": self.level.title,
            "author": self.level.author,
            "status": self.status,
            "by": self.by,
            "proved": self.proved,
            "lower_bound": self.lower_bound,
            **metrics,
            "end": self.end,
            "seconds": self.seconds,
            "ticks": self.ticks,
            "peak_bytes": self.peak_bytes,
            **self.stats.to_dict(),
            "solution": None if self.solution is None else self.solution.moves,
        }


@dataclass(frozen=True)
class Improvement:
    """A better solution, at the moment when it was found."""

    __module__ = "soko"

    #: Since the run began.
    seconds: float
    metrics: Metrics
    #: The method that found it.
    by: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers and text by name."""
        return {"seconds": self.seconds, "by": self.by, **self.metrics.to_dict()}


@dataclass(frozen=True)
class OptimizeResult:
    """What `optimize` has made of a solution.

    >>> import soko
    >>> level = soko.Level("######\\n##   #\\n#@$ $#\\n#.  .#\\n######")
    >>> result = soko.optimize(soko.Solution(level, "drruurDullDrdL"))
    >>> result.before.metrics.moves, result.solution.metrics.moves, result.improved, result.proved
    (14, 12, True, True)
    """

    __module__ = "soko"

    before: Solution
    #: The best solution now; never worse than the one before.
    solution: Solution
    objective: str
    #: Whether no solution of the level is better in any of the six metrics.
    proved: bool
    #: `exhausted` if no method gains anything more, or what stopped the run: `time`, `memory`, `work`, `interrupted`.
    end: str
    seconds: float
    #: Units of work; one is about one state expanded.
    ticks: int
    peak_bytes: int
    #: The improvements, in the order in which they were found.
    history: tuple[Improvement, ...]

    @property
    def improved(self) -> bool:
        """Whether the solution is another one than before."""
        return self.solution != self.before

    @property
    def metrics(self) -> Metrics:
        """The metrics of the solution."""
        return self.solution.metrics

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the history as numbers and text by name. The metrics of the solution before have
        names that begin with `before_`.
        """
        level = self.solution.level
        before = {f"before_{name}": value for name, value in self.before.metrics.to_dict().items()}
        return {
            "level": level.id,
            "number": level.number,
            "title": level.title,
            "author": level.author,
            "objective": self.objective,
            "improved": self.improved,
            "proved": self.proved,
            **before,
            **self.metrics.to_dict(),
            "end": self.end,
            "seconds": self.seconds,
            "ticks": self.ticks,
            "peak_bytes": self.peak_bytes,
            "solution": self.solution.moves,
        }


@dataclass(frozen=True)
class Progress:
    """What a run tells the function that it was given as `progress`."""

    __module__ = "soko"

    #: `solved`, `improved`, `bound` for a higher lower bound, or `running` about once a second.
    kind: str
    #: Since the run began.
    seconds: float
    #: The strategy or the method.
    by: Optional[str] = None
    metrics: Optional[Metrics] = None
    #: The solution of `improved`.
    solution: Optional[Solution] = None
    #: The fewest pushes or moves of a solution, of `bound`.
    bound: Optional[int] = None
    #: What the solution is better in, of `improved` in a run of `optimize`.
    objective: Optional[str] = None


@dataclass(frozen=True)
class Verification:
    """What `verify` says of moves. It is true if they solve the level.

    >>> import soko
    >>> level = soko.Level("######\\n#@$ .#\\n######")
    >>> bool(soko.verify(level, "RR"))
    True
    >>> soko.verify(level, "R").error
    'the moves end with 1 box off goal; the level is not solved'
    """

    __module__ = "soko"

    #: The moves as they were played, in the right case.
    solution: Optional[Solution]
    #: Why they do not solve the level.
    error: Optional[str]
    #: Moves whose letter had the wrong case.
    case_corrected: int
    #: Moves dropped because the level was solved before them.
    cut_after_solved: int

    def __bool__(self) -> bool:
        return self.solution is not None

    @property
    def metrics(self) -> Optional[Metrics]:
        """The metrics of the moves, if they solve the level."""
        return None if self.solution is None else self.solution.metrics
