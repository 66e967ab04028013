"""The types of the package name what the module has, and take what it takes."""

import ast
import inspect
import sys
from pathlib import Path

import soko
from soko import _soko

STUBS = ast.parse((Path(soko.__file__).parent / "_soko.pyi").read_text())


def names_of_arguments(function):
    arguments = function.args
    return [each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]


def definitions(body):
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def check_function(stub, function):
    expected = [name for name in inspect.signature(function).parameters if name != "self"]
    assert [name for name in names_of_arguments(stub) if name not in ("self", "cls")] == expected, stub.name


def test_every_public_name_has_types():
    stubs = definitions(STUBS.body)
    public = {name for name in dir(_soko) if not name.startswith("_")}
    assert {name for name in stubs if not name.startswith("_")} == public
    for name in public:
        value = getattr(_soko, name)
        if inspect.isclass(value):
            check_class(stubs[name], value)
        else:
            check_function(stubs[name], value)


def check_class(stub, value):
    members = definitions(stub.body)
    own = {name for name in vars(value) if not name.startswith("_")}
    assert {name for name in members if not name.startswith("_")} == own, stub.name
    for name, member in members.items():
        is_property = any(getattr(each, "id", "") == "property" for each in member.decorator_list)
        if name == "__new__":
            # Before 3.11, Python does not tell what a class of the stable interface takes.
            if sys.version_info >= (3, 11):
                check_function(member, value)
        elif not is_property and name in own:
            check_function(member, getattr(value, name))


def test_every_public_name_is_exported():
    assert set(soko.__all__) == {name for name in dir(soko) if not name.startswith("_")} - {"annotations"} | {"__version__"}
    assert all(getattr(soko, name).__module__ == "soko" for name in ("Level", "Solution", "Metrics", "LevelError"))


def test_it_is_typed():
    assert (Path(soko.__file__).parent / "py.typed").exists()
