"""Properties of checkpoints: differences lead there and back, undo and redo are inverse."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.checkpoint import (
    Manifest,
    MoveConflict,
    applied,
    changed_of,
    difference,
    move_plan,
)

HASHES = st.sampled_from(["a" * 64, "b" * 64, "c" * 64])
NAMES = st.sampled_from([f"{number:03d}-章.md" for number in range(6)])
MANIFESTS = st.dictionaries(NAMES, HASHES, max_size=6)


@given(MANIFESTS, MANIFESTS)
def test_a_difference_leads_there_and_back(old: Manifest, new: Manifest) -> None:
    """Applied to the old manifest it gives the new one."""
    assert applied(old, difference(old, new)) == new


@given(MANIFESTS, MANIFESTS)
def test_every_changed_file_is_told_once(old: Manifest, new: Manifest) -> None:
    """Added, modified, renamed and removed share out the names that differ."""
    delta = difference(old, new)
    told = changed_of(delta)
    names = [
        *told.added,
        *told.modified,
        *told.removed,
        *(n for pair in told.renamed for n in pair),
    ]
    assert sorted(names) == sorted(delta)
    for source, target in told.renamed:
        assert old[source] == new[target]
        assert source not in new
        assert target not in old


@given(st.lists(MANIFESTS, min_size=1, max_size=5))
def test_undoing_all_turns_and_redoing_them_is_nothing(states: list[Manifest]) -> None:
    """Without hand edits there is no conflict, and each way leads to where it says."""
    deltas = [difference(a, b) for a, b in pairwise(states)]
    back = move_plan(states[-1], list(reversed(deltas)), [])
    assert not isinstance(back, MoveConflict)
    assert applied(states[-1], back) == states[0]
    on = move_plan(states[0], [], deltas)
    assert not isinstance(on, MoveConflict)
    assert applied(states[0], on) == states[-1]
