"""The examples in the documentation are run: of every class and function, of the README and of the guide."""

import doctest
import inspect
from pathlib import Path

import pytest

import soko

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
PAPERS = [Path(__file__).parents[1] / "README.md", Path(__file__).parents[3] / "docs" / "python.md"]


def documented():
    """Every text that `help` shows, by name."""
    yield "soko", soko.__doc__
    for name in soko.__all__:
        value = getattr(soko, name)
        yield f"soko.{name}", value.__doc__ if not isinstance(value, str) else None
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                if not member.startswith("_"):
                    yield f"soko.{name}.{member}", getattr(attribute, "__doc__", None)


TEXTS = {name: text for name, text in documented() if text}
EXAMPLES = {name: text for name, text in TEXTS.items() if ">>>" in text}


def run(name, text):
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    report = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append)
    assert result.attempted > 0, f"{name} has no examples"
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_hold(name):
    pytest.importorskip("numpy")
    run(name, EXAMPLES[name])


def test_functions_and_values_have_examples():
    functions = {f"soko.{name}" for name in soko.__all__ if inspect.isroutine(getattr(soko, name))}
    assert functions | {"soko.Level", "soko.Position", "soko.Solution", "soko.Collection"} <= set(EXAMPLES)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_papers_hold(paper, tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    # A transcript ends where its block does.
    run(paper.name, paper.read_text().replace("\n```\n", "\n\n```\n"))
