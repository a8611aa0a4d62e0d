"""Damage done to plans behind the store's back: the audit names it, and no read hides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.errors import StorageFailed
from tests.contract.test_store_audit import faults
from tests.contract.test_store_plans import a_revision, a_story, a_trace, stored
from tests.unit.adapters.test_audit import damage, opened


async def planned(root: Path) -> tuple[str, str]:
    """A project with three revisions and a trace: its id and the beat that they are bound to."""
    async with opened(root) as store:
        project, (_, here, _) = await a_story(store)
        for number in range(3):
            await stored(store, a_revision(project, here, number=number + 1, base=number))
        await stored(store, a_trace(project, here, 1))
        assert await faults(store) == []
    return project.id, here.beat


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM plan_revision WHERE serial = 2", "lacks revisions"),
        ("UPDATE plan_revision SET base = 3 WHERE serial = 2", "made from revision 3"),
        ("UPDATE plan_revision SET content = x'707b' WHERE serial = 2", "revision 2 of the plan"),
        ("UPDATE plan_revision SET content = CAST('p{}' AS BLOB) WHERE serial = 2", "is damaged"),
        ("UPDATE plan_revision SET author = 'nobody' WHERE serial = 2", "nobody writes no plans"),
        ("UPDATE plan_trace SET nodes = CAST('p{}' AS BLOB)", "the trace of job 1"),
        ("UPDATE plan_trace SET outcome = 'lost'", "lost is no outcome of planning"),
    ],
)
async def test_each_damage_to_a_plan_is_named(
    tmp_path: Path, statement: str, expected: str
) -> None:
    """A sentence says which revision or trace, and what is wrong with it."""
    await planned(tmp_path)
    damage(tmp_path, statement)
    async with opened(tmp_path) as store:
        found = await faults(store)
    assert any(expected in fault for fault in found), found


async def test_a_plan_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """Never an empty or an older plan; those before it stay readable."""
    project_id, beat = await planned(tmp_path)
    damage(tmp_path, "UPDATE plan_revision SET content = x'00' WHERE serial = 3")
    async with opened(tmp_path) as store:
        with pytest.raises(StorageFailed):
            await store.plan_at(project_id, [beat])
        before = await store.plan_revision(project_id, 2)
        assert before is not None
        assert before.number == 2
