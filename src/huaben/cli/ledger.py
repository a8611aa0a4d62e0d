"""`huaben ledger`: what holds in a story, who says so, and the user's own hand in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.jsonvalue import Json, JsonObject
    from huaben.domain.ledger import Ledger, Roster
    from huaben.services.aftermath.building import Estimate
    from huaben.services.bookkeeping import Written
    from huaben.services.house import House
    from huaben.services.standing import LedgerAt

LISTED = 100
_LISTS = ("inventory", "plot_threads")
_MARKS = {"claimed": "ledger.claimed", "locked": "ledger.locked"}
_AUTHORS = {"user": "ledger.by.user", "scribe": "ledger.by.scribe"}
_SINGLES = {"time": "ledger.time", "location": "ledger.location"}
_say = voice().say


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be done; without anything the ledger is shown."""

    project: str
    at: str | None
    history: bool
    assignments: tuple[str, ...]
    patch: str | None
    lock: tuple[str, ...]
    unlock: tuple[str, ...]
    revert: int | None
    build: bool = False
    yes: bool = False

    @property
    def edits(self) -> bool:
        return bool(self.assignments or self.patch or self.lock or self.unlock)


@command("ledger")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--at", metavar=_say("ledger.turn_name"), help=_say("ledger.at"))
@click.option("--history", is_flag=True, help=_say("ledger.history"))
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar=_say("ledger.assignment"),
    help=_say("ledger.set"),
)
@click.option("--patch", metavar=_say("ledger.json_name"), help=_say("ledger.patch"))
@click.option("--lock", multiple=True, metavar=_say("ledger.path"), help=_say("ledger.lock"))
@click.option("--unlock", multiple=True, metavar=_say("ledger.path"), help=_say("ledger.unlock"))
@click.option("--revert", type=click.IntRange(1), metavar="N", help=_say("ledger.revert"))
@click.option("--build", is_flag=True, help=_say("ledger.build"))
@click.option("--yes", is_flag=True, help=_say("ledger.yes"))
@json_option
@data_option
@click.pass_obj
def ledger(
    invocation: Invocation,
    project: str,
    at: str | None,
    history: bool,
    assignments: tuple[str, ...],
    patch: str | None,
    lock: tuple[str, ...],
    unlock: tuple[str, ...],
    revert: int | None,
    build: bool,
    yes: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    wish = _Wish(project, at, history, assignments, patch, lock, unlock, revert, build, yes)
    return run(lambda _: _carry_out(wish, as_json, data), debug=invocation.debug)


async def _carry_out(wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.cli.finding import find_project, find_turn
    from huaben.config import load_settings
    from huaben.services.bookkeeping import ledger_json, show_ledger
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    looks_only = not (wish.edits or wish.revert or wish.build)
    async with Studio.open(settings=settings, read_only=looks_only) as studio:
        house = studio.house
        project = (await find_project(house, wish.project)).id
        at = None
        if wish.at is not None:
            at = find_turn(await load_story(house, project), wish.at).id
        if wish.build:
            await _build(house, project, yes=wish.yes, as_json=as_json)
            return FINE
        if wish.edits:
            await _edit(house, project, wish)
        if wish.revert is not None:
            await _revert(house, project, wish.revert)
        if wish.history:
            await _list(house, project, at, as_json)
            return FINE
        shown = await show_ledger(house, project, at)
    if as_json:
        put_json({"kind": "ledger", "ledger": ledger_json(shown)})
    else:
        _print(shown)
    return FINE


# ---- changing ----------------------------------------------------------------------------------


async def _edit(house: House, project: str, wish: _Wish) -> None:
    from huaben.domain.ledger import dotted
    from huaben.services.bookkeeping import Edit, edit_ledger, revision_of, show_ledger

    stood = (await show_ledger(house, project)).stood
    locked: tuple[str, ...] | None = None
    if wish.lock or wish.unlock:
        before = [dotted(path) for path in stood.standing.locked]
        locked = tuple(one for one in (*before, *wish.lock) if one not in wish.unlock)
    await edit_ledger(house, project, Edit(revision_of(stood), _patch(wish), locked))


def _patch(wish: _Wish) -> JsonObject:
    patch: JsonObject = {}
    if wish.patch is not None:
        try:
            given: object = json.loads(wish.patch)
        except ValueError:
            given = None
        if not isinstance(given, dict):
            raise Told("bad_patch", _say("ledger.bad_json"))
        patch = cast("JsonObject", given)  # JSON has only string keys
    for assignment in wish.assignments:
        path, sign, value = assignment.partition("=")
        if not sign or not path.strip():
            raise Told("bad_patch", _say("ledger.bad_assignment", text=one_line(assignment)))
        _put(patch, path.strip(), value.strip())
    return patch


def _put(patch: JsonObject, path: str, value: str) -> None:
    """Write one place into the patch. Names may hold dots; a character's last part is the field."""
    from huaben.domain.ledger import path_of

    parts = path_of(path) or (path,)
    here = patch
    for part in parts[:-1]:
        inner = here.setdefault(part, {})
        if not isinstance(inner, dict):
            raise Told("bad_patch", _say("ledger.bad_assignment", text=one_line(path)))
        here = inner
    here[parts[-1]] = _value(parts, value)


def _value(parts: Sequence[str], value: str) -> Json:
    if parts[0] in _LISTS:
        items = value.replace("，", ",").replace("、", ",").split(",")
        return [item.strip() for item in items if item.strip()]
    if parts[-1] == "affinity" and value.removeprefix("-").isdigit():
        return int(value)
    removes = not value and parts[0] in ("flags", "characters") and len(parts) == 2
    return None if removes else value


async def _revert(house: House, project: str, number: int) -> None:
    from huaben.ports import Page
    from huaben.services.bookkeeping import history, revert_version, revision_of, show_ledger

    found, _ = await history(house, project, Page(limit=LISTED))
    if number > len(found):
        raise Told("no_version", _say("ledger.no_version", n=number))
    state = found[number - 1].state
    now = revision_of((await show_ledger(house, project)).stood)
    await revert_version(house, project, now, state.node, state.revision)


async def _build(house: House, project: str, *, yes: bool, as_json: bool) -> None:
    """Tell what it would take; on the user's word do it and wait."""
    from huaben.services.aftermath import building
    from huaben.services.aftermath.chain import lane_of

    found = await building.estimate(house, project)
    if as_json:
        put_json({"kind": "estimate", "estimate": building.estimate_json(found)})
    else:
        tell(_estimated(found))
    if not yes:
        return
    await building.build(house, project)
    await house.jobs.idle(lane_of(project))
    made = await building.building(house, project)
    assert made is not None  # it was made above
    tell(_say("ledger.built", done=made.done, turns=made.turns))
    if made.state == "failed":
        raise Told("build_failed", _say("ledger.built_part", what=made.outcome))


def _estimated(found: Estimate) -> str:
    cost = ""
    if found.cost is not None:
        amount = f"{found.cost.micros / 1e6:.4f}"
        cost = _say("ledger.estimate_cost", amount=amount, currency=found.cost.currency)
    facts = {"turns": found.turns, "model": found.model, "cost": cost}
    tokens = {"prompt": found.prompt_tokens, "answer": found.completion_tokens}
    return _say("ledger.estimate", **facts, **tokens)


# ---- showing -----------------------------------------------------------------------------------


async def _list(house: House, project: str, at: str | None, as_json: bool) -> None:
    from huaben.ports import Page
    from huaben.services.bookkeeping import history, version_json

    found, _ = await history(house, project, Page(limit=LISTED), at)
    for n, one in enumerate(found, 1):
        if as_json:
            put_json({"kind": "ledger_version", "n": n, "version": version_json(one)})
        else:
            _print_version(n, one)


def _print_version(n: int, one: Written) -> None:
    author = _say(_AUTHORS[one.state.author])
    facts = {"n": n, "at": one.state.at[:16], "author": author, "node": one.state.node}
    put(_say("ledger.version", reason=one.stood.reason, **facts), "dim")
    changes = cast("list[Mapping[str, Json]]", one.stood.version.get("changes", []))  # as stored
    for change in changes:
        path = ".".join(cast("list[str]", change["path"]))  # as stored
        if not path.startswith("roster."):
            put(f"     {change_line(path, change.get('before'), change.get('after'))}")


def change_line(path: str, before: Json, after: Json) -> str:
    """One place that became different, on one line."""
    shown = {"before": _shown(before), "after": _shown(after)}
    return one_line(_say("recompute.change", path=path, **shown))


def _shown(value: Json) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print(shown: LedgerAt) -> None:
    if shown.behind:
        tell(_say("ledger.behind", n=len(shown.behind)))
    if shown.changed:
        tell(_say("ledger.changed"))
    standing = shown.stood.standing
    lines = list(_facts(standing.ledger))
    if not lines:
        tell(_say("ledger.empty"))
        return
    marks = _marks(shown)
    for path, line in lines:
        mark = [_say(_MARKS[name]) for name, paths in marks.items() if _touches(path, paths)]
        put(f"{line}  〔{'、'.join(mark)}〕" if mark else line)
    names = _names(standing.roster)
    if names:
        put(f"{_say('ledger.roster')}  {names}", "dim")


def _marks(shown: LedgerAt) -> Mapping[str, frozenset[tuple[str, ...]]]:
    return {"claimed": shown.stood.standing.claimed, "locked": shown.stood.standing.locked}


def _touches(path: tuple[str, ...], paths: frozenset[tuple[str, ...]]) -> bool:
    """Whether any of the paths lies within what the line shows."""
    return any(one[: len(path)] == path or path[: len(one)] == one for one in paths)


def _facts(ledger: Ledger) -> list[tuple[tuple[str, ...], str]]:
    lines: list[tuple[tuple[str, ...], str]] = []
    for key, text in (("time", ledger.time), ("location", ledger.location)):
        if text:
            lines.append(((key,), f"{_say(_SINGLES[key])}  {one_line(text)}"))
    for name, one in ledger.characters.items():
        facts = (f"{one.affinity:+d}", one.status, one.location, one.notes)
        told = " · ".join(one_line(fact) for fact in facts if fact)
        lines.append((("characters", name), f"{one_line(name)}  {told}"))
    for name, text in ledger.flags.items():
        lines.append((("flags", name), f"{one_line(name)}  {one_line(text)}"))
    if ledger.inventory:
        told = "、".join(map(one_line, ledger.inventory))
        lines.append((("inventory",), f"{_say('ledger.inventory')}  {told}"))
    if ledger.plot_threads:
        told = "；".join(map(one_line, ledger.plot_threads))
        lines.append((("plot_threads",), f"{_say('ledger.threads')}  {told}"))
    return lines


def _names(roster: Roster) -> str:
    names = (*roster.people, *roster.places, *roster.items, *roster.threads)
    return "、".join(map(one_line, names))
