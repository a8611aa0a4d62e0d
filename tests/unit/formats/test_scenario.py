"""Scenario files are strict: what is not read is an error that names the nearest known field."""

from __future__ import annotations

import pytest

from huaben.domain.scenario import Scenario
from huaben.formats.scenario import Fault, Resolved, flat, read_scenario, resolve, scenario_of


def fault(text: str) -> str:
    tables = read_scenario(text.encode())
    if isinstance(tables, Fault):
        return str(tables)
    found = resolve(("file", tables))
    assert not isinstance(found, Resolved)
    return str(found[0])


def test_the_defaults_are_a_valid_scenario() -> None:
    found = resolve()
    assert isinstance(found, Resolved)
    assert found.scenario == Scenario()


def test_every_value_knows_its_origin() -> None:
    """Later layers win, and each field names the layer that set it."""
    found = resolve(
        ("under", {"lore": {"budget": 100, "scan_depth": 2}}), ("over", {"lore": {"budget": 50}})
    )
    assert isinstance(found, Resolved)
    sources = {origin.path: (origin.value, origin.source) for origin in found.origins}
    assert sources["lore.budget"] == (50, "over")
    assert sources["lore.scan_depth"] == (2, "under")
    assert sources["limits.rounds"] == (20, "default")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[lore]\nbudgte = 5",
            "lore.budgte: is not a field that is read; did you mean lore.budget?",
        ),
        ("[limit]\nrounds = 5", "did you mean limits.rounds?"),
        ("[planner]\nmode = 'auto'", "planner.mode: is not a field that is read"),
        ("[lore]\nbudget = '5'", "lore.budget: must be a whole number"),
        ("[lore]\nbudget = true", "lore.budget: must be a whole number"),
        ("[limits]\nrounds = 21", "limits.rounds: must lie between 1 and 20, not 21"),
        ("[performer]\nkind = 'stag'", "performer.kind: must be one of stage"),
        ("[lore\n", "(file): cannot be read"),
        ("lore = 3", "lore: is not a field that is read"),
    ],
)
def test_each_slip_is_named(text: str, expected: str) -> None:
    assert expected in fault(text)


def test_all_faults_are_named_at_once() -> None:
    found = resolve(("file", {"lore": {"a": 1, "b": 2}}))
    assert not isinstance(found, Resolved)
    assert len(found) == 2


def test_a_turn_keeps_its_configuration_and_gets_it_back() -> None:
    """The stored form and the typed one are the same scenario."""
    found = resolve(("file", {"sampling": {"temperature": 1}}))
    assert isinstance(found, Resolved)
    assert scenario_of(flat(found.scenario)) == found.scenario
    assert found.scenario.sampling.temperature == 1.0


def test_lore_decorates_only_where_a_planner_works() -> None:
    """`decorate` without a planner does not load, and says what is missing."""
    faults = resolve(("file", {"lore": {"placement": "decorate"}}))
    assert isinstance(faults, tuple)
    assert [one.path for one in faults] == ["lore.placement"]
    found = resolve(("file", {"lore": {"placement": "decorate"}, "planner": {"enabled": True}}))
    assert isinstance(found, Resolved)
