"""Properties of ledgers: patches in any form, taking back, names, paths, caps, stored forms, replies."""

import json
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.evidence import stands
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.domain.ledger import (
    CHARACTER_FIELDS,
    Ledger,
    Path,
    Roster,
    dotted,
    folded,
    known_names,
    ledger_from_json,
    ledger_to_json,
    named,
    path_of,
    roster_from_json,
    roster_to_json,
)
from huaben.domain.ledgerchange import (
    Patched,
    changes_between,
    changes_from_json,
    changes_to_json,
    revert,
)
from huaben.domain.ledgerpatch import Patch, apply, leaves, read_patch, without
from huaben.domain.ledgerversion import (
    Rules,
    Standing,
    reverted,
    scribed,
    standing_from_json,
    standing_to_json,
)
from huaben.domain.matching import BlankQuotation, Missing, locate
from huaben.domain.scribereply import ReplyFault, ScribeReply, read_reply

AnyJson: TypeAlias = st.SearchStrategy[Json]


def some(*strategies: AnyJson) -> AnyJson:
    """One of these; the type checker forgets their narrower types here."""
    return st.one_of(*strategies)


FEW = st.sampled_from(["阿迟", "沈砚", "Mira", "MIRA ", "J.R.", "a.status", "暗号", " "])
TEXTS = some(FEW, st.text(st.characters(codec="utf-8"), max_size=8))
SCALARS = some(st.none(), st.booleans(), st.integers(-300, 300), TEXTS)
ANYTHING = some(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(FEW, SCALARS, max_size=3))
FIELDS = some(st.dictionaries(st.sampled_from([*CHARACTER_FIELDS, "mood"]), SCALARS, max_size=5))
PEOPLE = some(st.dictionaries(FEW, some(st.none(), FIELDS, FIELDS, ANYTHING), max_size=4))
LISTS = some(st.lists(TEXTS, max_size=4))
FLAGS = some(st.dictionaries(FEW, some(st.none(), TEXTS, ANYTHING), max_size=4))
SECTIONS: dict[str, AnyJson] = {
    "time": TEXTS,
    "location": st.one_of(TEXTS, ANYTHING),
    "characters": PEOPLE,
    "inventory": st.one_of(LISTS, ANYTHING),
    "flags": FLAGS,
    "plot_threads": LISTS,
    "mood": SCALARS,
}
PATCHES: st.SearchStrategy[JsonObject] = st.fixed_dictionaries({}, optional=SECTIONS)


def step(ledger: Ledger, roster: Roster, patch: JsonObject) -> Patched:
    return apply(ledger, roster, read_patch(patch, known_names(ledger, roster)))


def played(patches: list[JsonObject]) -> tuple[Ledger, Roster]:
    """Where a story stands after some turns."""
    ledger, roster = Ledger(), Roster()
    for patch in patches:
        done = step(ledger, roster, patch)
        ledger, roster = done.ledger, done.roster
    return ledger, roster


STORIES = st.lists(PATCHES, max_size=4).map(played)


def form(ledger: Ledger, roster: Roster) -> str:
    """Both to the byte, with the order of everything in them."""
    return dump_json({"ledger": ledger_to_json(ledger), "roster": roster_to_json(roster)})


@given(STORIES, PATCHES)
def test_a_patch_taken_back_leaves_no_trace(
    story: tuple[Ledger, Roster], patch: JsonObject
) -> None:
    """Apply then revert is identity, to the byte; and so is taking that back again."""
    done = step(*story, patch)
    back = revert(done.ledger, done.roster, done.changes)
    assert form(back.ledger, back.roster) == form(*story)
    assert back.warnings == ()
    again = revert(back.ledger, back.roster, back.changes)
    assert (again.ledger, again.roster) == (done.ledger, done.roster)


@given(STORIES, PATCHES, PATCHES)
def test_an_old_patch_is_taken_back_without_harm(
    story: tuple[Ledger, Roster], first: JsonObject, second: JsonObject
) -> None:
    """Whatever came after it: what the second one wrote is still there."""
    one = step(*story, first)
    two = step(one.ledger, one.roster, second)
    back = revert(two.ledger, two.roster, one.changes)
    warned = {warning.path for warning in back.warnings}
    for change in two.changes:
        if change.path[0] != "roster" and dotted(change.path) in warned:
            assert change not in back.changes
    assert all(folded(name) in map(folded, back.roster.people) for name in back.ledger.characters)


@given(STORIES, PATCHES)
def test_changes_are_exactly_what_differs(story: tuple[Ledger, Roster], patch: JsonObject) -> None:
    """None if nothing does, each true of both sides, and they survive being stored."""
    done = step(*story, patch)
    assert bool(done.changes) == (form(*story) != form(done.ledger, done.roster))
    assert done.changes == changes_between(story, (done.ledger, done.roster))
    assert all(change.before != change.after for change in done.changes)
    stored = json.loads(dump_json(changes_to_json(done.changes)))
    assert changes_from_json(stored) == done.changes


@given(STORIES, PATCHES)
def test_a_patch_is_read_whole_or_item_by_item(
    story: tuple[Ledger, Roster], patch: JsonObject
) -> None:
    """Applying its items one after the other comes to the same; applying it twice changes nothing."""
    read = read_patch(patch, known_names(*story))
    whole = apply(*story, read)
    ledger, roster = story
    items = leaves(read)
    for path in items:
        alone = without(read, {other: "" for other in items if other != path}, "locked")
        done = apply(ledger, roster, alone, whole.ledger.time)
        ledger, roster = done.ledger, done.roster
    assert ledger == whole.ledger
    assert apply(whole.ledger, whole.roster, read).ledger == whole.ledger


@given(STORIES, PATCHES)
def test_what_is_not_named_stays(story: tuple[Ledger, Roster], patch: JsonObject) -> None:
    """Changes of the ledger lie on items of the patch and nowhere else."""
    read = read_patch(patch, known_names(*story))
    items = set(leaves(read))
    within = {path[:2] for path in items}
    for change in apply(*story, read).changes:
        path = change.path
        if path[0] != "roster":
            assert path in items or (path in within and len(path) == 2)


@given(st.one_of(ANYTHING, PATCHES))
def test_any_value_is_read_as_a_patch_that_holds(value: Json) -> None:
    """Nothing raises, affinities keep their limits, and names are neither blank nor doubled."""
    read = read_patch(value, known_names(Ledger(), Roster()))
    after = apply(Ledger(), Roster(), read).ledger
    assert all(-100 <= person.affinity <= 100 for person in after.characters.values())
    for names in (after.characters, after.flags):
        assert all(name == " ".join(name.split()) != "" for name in names)
        assert len({folded(name) for name in names}) == len(names)
    assert isinstance(value, dict) or read == Patch(warnings=read.warnings)


@given(STORIES, st.floats(allow_nan=False, allow_infinity=False))
def test_affinity_is_the_nearest_whole_number_within_its_limits(
    story: tuple[Ledger, Roster], written: float
) -> None:
    """Never further than a half from what was written, unless that lies outside."""
    done = step(*story, {"characters": {"Rina": {"affinity": written}}})
    kept = done.ledger.characters["Rina"].affinity
    assert -100 <= kept <= 100
    assert abs(kept - max(-100.0, min(100.0, written))) <= 0.5


@given(st.lists(PATCHES, max_size=5))
def test_the_roster_only_grows(patches: list[JsonObject]) -> None:
    """Every name that was ever in the ledger is in it, with its first time, of thirty characters."""
    ledger, roster = Ledger(), Roster()
    for patch in patches:
        done = step(ledger, roster, patch)
        for before, after in zip(_groups(roster), _groups(done.roster), strict=True):
            assert list(after.items())[: len(before)] == list(before.items())
            assert all(len(time) <= 30 for time in after.values())
        for names, group in zip(_groups(named(done.ledger)), _groups(done.roster), strict=True):
            assert {folded(name) for name in names} <= {folded(name) for name in group}
        ledger, roster = done.ledger, done.roster


@given(st.lists(st.integers(0, 250), min_size=1, max_size=40), st.integers(60, 220))
def test_the_roster_keeps_its_caps(starts: list[int], width: int) -> None:
    """A hundred people, items and places, sixty threads; those that stay are the newest."""
    ledger, roster = Ledger(), Roster()
    for start in starts[:6]:
        things = [f"物{number}" for number in range(start, start + width)]
        done = step(ledger, roster, {"inventory": [*things], "plot_threads": [*things]})
        for cap, old, new in (
            (100, roster.items, done.roster.items),
            (60, roster.threads, done.roster.threads),
        ):
            assert len(new) <= cap
            stayed = [name for name in old if name in new]
            assert list(new)[: len(stayed)] == stayed
        ledger, roster = done.ledger, done.roster


NAMES = (
    st.lists(st.sampled_from([*"阿a. \t", ".status", ".affinity", "characters"]), min_size=1)
    .map("".join)
    .filter(lambda name: name.strip() != "")
)
PATHS: st.SearchStrategy[Path] = st.one_of(
    st.sampled_from([("time",), ("location",), ("characters",), ("inventory",), ("flags",)]),
    NAMES.map(lambda name: ("flags", name)),
    NAMES.map(lambda name: ("characters", name)),
    st.tuples(st.just("characters"), NAMES, st.sampled_from(CHARACTER_FIELDS)),
)


@given(PATHS)
def test_every_path_has_one_spelling(path: Path) -> None:
    """And that spelling leads back to it, whatever dots are in the name."""
    assert path_of(dotted(path)) == path


@given(st.lists(st.sampled_from([*"ab.", "characters.", "flags.", "time", ".status"])).map("".join))
def test_every_spelling_means_one_place_or_none(spelling: str) -> None:
    """What means a place means the place that is spelled so, or as near as names allow."""
    path = path_of(spelling)
    assert path is None or path_of(dotted(path)) == path


@given(st.text(st.sampled_from("天亮了 \n“”\"'a.。")), st.text(st.sampled_from('天亮 “"a。')))
def test_evidence_agrees_with_the_ladder(text: str, quotation: str) -> None:
    """What a quotation of letters finds on some rung stands in the text, and nothing else does."""
    found = not isinstance(locate(text, quotation), Missing | BlankQuotation)
    says = any(char.isalnum() for char in quotation)
    assert stands(text, quotation) is (found and says)


@given(STORIES)
def test_stored_forms_are_read_back(story: tuple[Ledger, Roster]) -> None:
    """Equal values, with their order."""
    ledger, roster = story
    stored: JsonObject = json.loads(form(ledger, roster))
    assert form(ledger_from_json(stored["ledger"]), roster_from_json(stored["roster"])) == form(
        ledger, roster
    )


@given(STORIES, PATCHES, st.dictionaries(FEW, TEXTS, max_size=2), st.booleans())
def test_a_scribes_version_is_sound(
    story: tuple[Ledger, Roster], patch: JsonObject, said: JsonObject, require: bool
) -> None:
    """Claims are places that exist, locks are kept, it can be stored and taken back."""
    standing = Standing(*story, locked=frozenset({("characters", "阿迟"), ("flags",)}))
    read = read_reply(dump_json({"patch": patch, "evidence": {"time": "阿迟", **said}}))
    assert isinstance(read, ScribeReply)
    version = scribed(standing, read, ("阿迟 Mira 暗号",), Rules(require_evidence=require))
    after = version.standing
    assert standing_from_json(json.loads(dump_json(standing_to_json(after)))) == after
    assert after.ledger.flags == story[0].flags
    assert after.ledger.characters.get("阿迟") == story[0].characters.get("阿迟")
    assert not (require and version.claims)
    back = reverted(after, version.changes).standing
    assert form(back.ledger, back.roster) == form(*story)


@given(PATCHES, st.text(max_size=20), st.text(max_size=20))
def test_the_object_is_found_in_any_prose(patch: JsonObject, before: str, after: str) -> None:
    """Prose that opens no object of its own hides nothing."""
    written: JsonObject = {"patch": patch, "evidence": {}}
    text = f"{before.replace('{', '')}\n{dump_json(written, indent=1)}\n{after}"
    assert read_reply(text) == ScribeReply(json.loads(dump_json(patch)))


SCRAPS = st.sampled_from([*'{}[]":,\\ a1', '{"patch":', '"evidence"', "null"])


@given(st.lists(SCRAPS, max_size=60).map("".join))
def test_any_text_is_a_reply_or_a_fault(text: str) -> None:
    """Nothing raises; a cut reply is never taken for another one."""
    assert isinstance(read_reply(text), ReplyFault | ScribeReply)


@given(PATCHES, st.integers(0, 400))
def test_a_reply_that_was_cut_is_a_fault(patch: JsonObject, at: int) -> None:
    """Half a patch is none."""
    text = dump_json({"patch": patch, "evidence": {}})
    assert isinstance(read_reply(text[: min(at, len(text) - 1)]), ReplyFault)


def _groups(roster: Roster) -> tuple[dict[str, str], ...]:
    return (
        dict(roster.people),
        dict(roster.items),
        dict(roster.places),
        dict(roster.threads),
    )
