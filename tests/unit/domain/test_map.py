"""The map of a story: what is a point, what folds into a run, what is only counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain import map as maps
from huaben.domain.map import MapItem, MapPoint, MapRun
from huaben.domain.saves import Save
from huaben.domain.story import Node, Outcome, Tree, TurnKind


def node(
    name: str,
    parent: str | None,
    *,
    beat: str = "",
    kind: TurnKind = "turn",
    outcome: Outcome = "sealed",
    last_child: str | None = None,
) -> Node:
    made = Node(name, parent, kind, beat or name, 0, "ended", outcome, prose=True)
    return replace(made, last_child=last_child)


def chain(first: str, parent: str | None, length: int) -> list[Node]:
    """Turns behind one another: `first` followed by numbers."""
    names = [f"{first}{n:05d}" for n in range(length)]
    return [node(name, before) for name, before in zip(names, [parent, *names], strict=False)]


def a_save(at: str, name: str = "雨停之前") -> Save:
    return Save(f"s-{at}", "local", "p", at, name, "user", "2026-11-01T08:00:00.000Z")


def fold(nodes: Sequence[Node], head: str, saves: Mapping[str, Sequence[Save]]) -> list[MapItem]:
    return maps.fold(Tree(nodes), head, saves)


def told(items: Sequence[MapItem]) -> list[str]:
    """Each item on a line: a point by its marks, a run by its turns."""
    return [
        f"{item.id} < {item.after}: {' '.join(item.marks)}"
        if isinstance(item, MapPoint)
        else f"{item.id} < {item.after}: {item.turns} turns"
        for item in items
    ]


ROOT = node("a", None, kind="greeting")


def test_a_straight_story_is_a_run_and_the_present() -> None:
    """However long it is."""
    turns = chain("b", "a", 10_000)
    assert told(fold([ROOT, *turns], turns[-1].id, {})) == [
        "b09998 < None: 9999 turns",
        "b09999 < b09998: present",
    ]


def test_a_story_that_has_not_begun_is_the_present_alone() -> None:
    """Other openings are variants, however many there are."""
    others = [node("b", None, kind="greeting"), node("c", None, kind="greeting")]
    (only,) = fold([ROOT, *others], "b", {})
    assert told([only]) == ["b < None: present"]
    assert only.variants == 2


def test_other_words_make_a_fork() -> None:
    """Both branches follow it, the older first; the way to the present is told."""
    nodes = [ROOT, node("b", "a"), node("c", "b"), node("d", "c"), node("e", "b"), node("f", "e")]
    items = fold(nodes, "f", {})
    assert told(items) == [
        "a < None: 0 turns",
        "b < a: fork",
        "d < b: 2 turns",
        "e < b: 1 turns",
        "f < e: present",
    ]
    assert [item.on_path for item in items] == [True, True, False, True, True]
    assert [item.number for item in items] == [0, 1, 3, 2, 3]


def test_variants_that_nobody_went_on_from_are_counted() -> None:
    """They are no fork: the one that the story goes on from stands for them."""
    nodes = [
        ROOT,
        node("b", "a", beat="x"),
        node("c", "a", beat="x"),
        node("d", "a", beat="x"),
        node("e", "c"),
    ]
    run, present = fold(nodes, "e", {})
    assert told([run, present]) == ["c < None: 1 turns", "e < c: present"]
    assert isinstance(run, MapRun)
    assert (run.first, run.variants, present.variants) == ("a", 2, 0)


def test_variants_that_were_gone_on_from_are_branches() -> None:
    """Each with what follows it; a third one without children is counted beside the first."""
    nodes = [
        ROOT,
        *(node(name, "a", beat="x") for name in "bcd"),
        node("e", "b"),
        node("f", "d"),
    ]
    items = fold(nodes, "f", {})
    assert told(items) == [
        "a < None: fork",
        "e < a: 2 turns",
        "d < a: 1 turns",
        "f < d: present",
    ]
    assert [item.variants for item in items] == [0, 1, 0, 0]


def test_of_variants_at_an_end_the_one_that_was_read_last_stands_for_all() -> None:
    """Also when the story has gone back behind them."""
    nodes = [replace(ROOT, last_child="c"), *(node(name, "a", beat="x") for name in "bcd")]
    present, run = fold(nodes, "a", {})
    assert told([present, run]) == ["a < None: present", "c < a: 1 turns"]
    assert run.variants == 2


def test_saves_and_edits_are_points_with_their_names() -> None:
    """A save on a variant keeps it in sight; an edit is one too, whoever made it."""
    nodes = [
        ROOT,
        node("b", "a", beat="x"),
        node("c", "a", beat="x"),
        node("d", "c", kind="edit", outcome="revised"),
        node("e", "d", outcome="revised"),
        node("f", "e"),
        node("g", "f"),
    ]
    saves = {"b": [a_save("b"), a_save("b", "Before the rain")]}
    items = fold(nodes, "g", saves)
    assert told(items) == [
        "a < None: fork",
        "b < a: save",
        "c < a: 1 turns",
        "d < c: edit",
        "e < d: edit",
        "f < e: 1 turns",
        "g < f: present",
    ]
    assert isinstance(items[1], MapPoint)
    assert [save.name for save in items[1].saves] == ["雨停之前", "Before the rain"]


def test_what_was_put_aside_is_not_on_the_map() -> None:
    """Discarded, deleted and waiting turns go with all that hangs on them, and fruitless tries."""
    nodes = [
        ROOT,
        node("b", "a"),
        node("c", "a", outcome="discarded"),
        replace(node("d", "a"), deleted=True),
        node("e", "d"),
        replace(node("f", None), run="queued", outcome=None),
        replace(node("g", "a", outcome="failed"), prose=False),
    ]
    assert told(fold(nodes, "b", {})) == ["a < None: 0 turns", "b < a: present"]


def test_a_turn_at_work_is_the_present() -> None:
    """Although nothing of it is written yet."""
    running = replace(node("b", "a"), run="running", outcome=None, prose=False)
    (_, present) = fold([ROOT, running], "b", {})
    assert isinstance(present, MapPoint)
    assert (present.status, present.number) == ("running", 0)


@given(st.lists(st.tuples(st.integers(0, 10_000), st.booleans()), max_size=60), st.data())
def test_every_turn_is_on_the_map_once(steps: list[tuple[int, bool]], data: st.DataObject) -> None:
    """Turns of points and runs, and the siblings folded beside them, add up to the whole tree."""
    nodes = [ROOT]
    for number, (where, again) in enumerate(steps):
        parent = nodes[where % len(nodes)]
        siblings = [one for one in nodes if one.parent == parent.id]
        beat = siblings[0].beat if again and siblings else ""
        nodes.append(node(f"n{number:03d}", parent.id, beat=beat))
    head = data.draw(st.sampled_from(nodes)).id
    items = fold(nodes, head, {})
    counted = sum(
        item.variants + (item.turns if isinstance(item, MapRun) else int(item.id != ROOT.id))
        for item in items
    )
    assert counted == len(nodes) - 1
    known = {item.id for item in items}
    assert all(item.after is None or item.after in known for item in items)
    assert [
        item.id for item in items if isinstance(item, MapPoint) and "present" in item.marks
    ] == [head]
