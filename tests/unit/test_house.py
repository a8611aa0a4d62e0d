"""The rules of the house that no linter knows, and the conditions of the tests themselves; here so
that a rule is refused by name and not by a reviewer's memory."""

from __future__ import annotations

import ast
import os
import re
import socket
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pydantic import BaseModel, Field

from tests.conftest import NetworkForbidden, is_personal

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "huaben").rglob("*.py"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without the docstring: promises may be as long as they need."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_function_is_longer_than_fifty_lines() -> None:
    """A function can be read on one screen."""
    long = [
        f"{place(path)}:{function.lineno} {function.name}: {length(function)} lines"
        for path in SOURCES
        for function in functions(path)
        if length(function) > 50
    ]
    assert long == []


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    """A room holds one thing."""
    sizes = {place(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: lines for name, lines in sizes.items() if lines > 400} == {}


def test_every_module_says_what_it_is() -> None:
    """Whoever opens a room reads first what it is for."""
    silent = [
        place(path)
        for path in SOURCES
        if path.read_text("utf-8").strip()
        and ast.get_docstring(ast.parse(path.read_text("utf-8"))) is None
    ]
    assert silent == []


# ---- the lock files ------------------------------------------------------------------------------


class Named(BaseModel):
    dependencies: list[str]


class Project(BaseModel):
    """What `pyproject.toml` asks for."""

    project: Named
    groups: dict[str, list[str]] = Field(alias="dependency-groups")


def asked_for() -> list[tuple[str, str]]:
    """Each lock file with each requirement that it must satisfy."""
    asked = Project.model_validate(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8")))
    wanted = {"run": asked.project.dependencies, **asked.groups}
    return [(lock, requirement) for lock, listed in wanted.items() for requirement in listed]


@pytest.mark.parametrize(("lock", "requirement"), asked_for())
def test_what_is_asked_for_is_locked(lock: str, requirement: str) -> None:
    """A dependency that was added or raised cannot be forgotten in the lock files: `make lock`."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text("utf-8")
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, flags=re.MULTILINE))
    wanted = Requirement(requirement)
    assert wanted.specifier.contains(pins.get(canonicalize_name(wanted.name), "0"))


def imported(path: Path) -> set[str]:
    """The top names of everything that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def test_what_is_imported_is_asked_for() -> None:
    """A library that came along with another one may leave with it, so each is asked for by name."""
    declared = {
        canonicalize_name(Requirement(text).name) for lock, text in asked_for() if lock == "run"
    }
    owners = packages_distributions()
    names = {name for path in SOURCES for name in imported(path)}
    foreign = names - sys.stdlib_module_names - {"huaben"}
    bringers = {name: {canonicalize_name(owner) for owner in owners[name]} for name in foreign}
    optional = {"psycopg"}
    assert {name for name, by in bringers.items() if not by & declared} - optional == set()


# ---- the conditions of the tests ---------------------------------------------------------------


def test_a_connection_to_another_machine_is_refused() -> None:
    """No test reaches a host beyond loopback, by address or by name."""
    with socket.socket() as line, pytest.raises(NetworkForbidden):
        line.connect(("192.0.2.1", 80))
    with socket.socket(socket.AF_INET6) as line, pytest.raises(NetworkForbidden):
        line.connect(("2001:db8::1", 80))
    with pytest.raises(NetworkForbidden):
        socket.getaddrinfo("模型.example", 443)


def test_a_server_on_loopback_is_reached() -> None:
    """Tests may talk to servers that they started themselves."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = int(server.getsockname()[1])
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        socket.create_connection(("localhost", port), timeout=5).close()


@pytest.mark.parametrize(
    ("name", "personal"),
    [
        ("HUABEN_BASE_URL", True),
        ("HUABEN_DATA", True),
        ("DEEPSEEK_API_KEY", True),
        ("https_proxy", True),
        ("HUABEN_REQUIRE_ALL", False),
        ("HUABEN_CHAOS_RUNS", False),
        ("PATH", False),
    ],
)
def test_personal_settings_are_told_from_those_of_the_tests(name: str, personal: bool) -> None:
    """What belongs to the person at the keyboard is known by its name."""
    assert is_personal(name) is personal


def test_no_personal_setting_reaches_a_test() -> None:
    """A key or an address in the environment changes no test's outcome."""
    assert [name for name in os.environ if is_personal(name)] == []


SKIPPING = """
import pytest

@pytest.mark.skip(reason="no browser")
def test_page(): pass

def test_server():
    pytest.skip("没有数据库")

@pytest.mark.xfail(strict=True)
def test_known(): raise ValueError

def test_plain(): pass
"""


@pytest.fixture
def inner(pytester: pytest.Pytester) -> pytest.Pytester:
    """A run of pytest under the conditions of this one."""
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text("utf-8"))
    return pytester


def test_a_skip_is_a_failure_where_everything_is_required(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A skipped test cannot pass for one that ran, an expected failure stays one."""
    monkeypatch.setenv("HUABEN_REQUIRE_ALL", "1")
    inner.makepyfile(SKIPPING)
    run = inner.runpytest_subprocess("-p", "no:cacheprovider")
    run.assert_outcomes(passed=1, failed=1, errors=1, xfailed=1)
    run.stdout.fnmatch_lines(["*HUABEN_REQUIRE_ALL=1, but this was not run.*没有数据库*"])


def test_a_skipped_module_is_an_error_where_everything_is_required(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole file cannot leave unseen because an import is missing."""
    monkeypatch.setenv("HUABEN_REQUIRE_ALL", "1")
    inner.makepyfile('import pytest\npytest.importorskip("no_such_module_话本")')
    run = inner.runpytest_subprocess("-p", "no:cacheprovider")
    run.assert_outcomes(errors=1)


def test_a_skip_is_a_skip_otherwise(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that lacks something, the rest can still be tested."""
    monkeypatch.delenv("HUABEN_REQUIRE_ALL", raising=False)
    inner.makepyfile(SKIPPING)
    run = inner.runpytest_subprocess("-p", "no:cacheprovider")
    run.assert_outcomes(passed=1, skipped=2, xfailed=1)
