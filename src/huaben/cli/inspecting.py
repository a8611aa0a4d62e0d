"""`huaben inspect`: what was sent to the model in a turn, what came back, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import (
    one_line,
    printable,
    put,
    put_bytes,
    put_json,
    shortened,
    voice,
)

if TYPE_CHECKING:
    from huaben.cli.traces import CallSeen, TurnSeen
    from huaben.prompt.breaks import Break
    from huaben.services.stories import Story

WIDTH = 100
"""Characters of a tool's arguments or result that are shown without `--call`."""
OVERVIEW = 12
"""Turns that the overview lists; earlier ones are counted."""
_TOKENS = {
    "prompt": "inspect.prompt_tokens",
    "cached": "inspect.cached",
    "completion": "inspect.completion",
    "reasoning": "inspect.reasoning",
}
"""The fields of a usage that are shown, with their words."""
_say = voice().say


@command("inspect")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.argument("turn", required=False, metavar=_say("inspect.turn_name"))
@click.option("--call", type=click.IntRange(0), metavar="N", help=_say("inspect.call"))
@click.option("--raw", is_flag=True, help=_say("inspect.raw"))
@click.option("--lore", is_flag=True, help=_say("inspect.lore"))
@click.option("--plan", is_flag=True, help=_say("inspect.plan"))
@json_option
@data_option
@click.pass_obj
def inspect(
    invocation: Invocation,
    project: str,
    turn: str | None,
    call: int | None,
    raw: bool,
    lore: bool,
    plan: bool,
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    async def work() -> int:
        if lore:
            return await _show_lore(project, turn, data, as_json=as_json)
        if plan:
            return await _show_plan(project, turn, data, as_json=as_json)
        story, seen = await _look(project, turn, data)
        if raw:
            put_bytes(raw_body(seen, call))
        elif as_json:
            _print_json(seen, call)
        else:
            _print(story, seen, call, overview=turn is None)
        return FINE

    return run(lambda _: work(), debug=invocation.debug)


async def _look(project: str, turn: str | None, data: Path | None) -> tuple[Story, TurnSeen]:
    from huaben.cli.finding import LATEST, find_project, find_turn
    from huaben.cli.traces import look
    from huaben.config import load_settings
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        found = await find_project(studio.house, project)
        story = await load_story(studio.house, found.id)
        seen = await look(studio.house, find_turn(story, turn or LATEST))
        return story, seen


async def _show_lore(project: str, turn: str | None, data: Path | None, *, as_json: bool) -> int:
    from huaben.cli.finding import LATEST, find_project, find_turn
    from huaben.cli.lore import show_explained
    from huaben.config import load_settings
    from huaben.services.explaining import explain_turn
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        found = await find_project(studio.house, project)
        node = find_turn(await load_story(studio.house, found.id), turn or LATEST)
        show_explained(await explain_turn(studio.house, node.id), as_json=as_json)
    return FINE


async def _show_plan(project: str, turn: str | None, data: Path | None, *, as_json: bool) -> int:
    from huaben.cli.finding import LATEST, find_project, find_turn
    from huaben.cli.planning import show_planning
    from huaben.config import load_settings
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=True) as studio:
        found = await find_project(studio.house, project)
        node = find_turn(await load_story(studio.house, found.id), turn or LATEST)
        await show_planning(studio.house, found.id, node.id, as_json=as_json)
    return FINE


def raw_body(seen: TurnSeen, number: int | None) -> bytes:
    """The exact body of a call: of the only one, or of the one that is named. Raises `Told`."""
    return _call(seen, number).trace.request.body


def _call(seen: TurnSeen, number: int | None) -> CallSeen:
    if number is None and len(seen.calls) == 1:
        return seen.calls[0]
    if number is None and seen.calls:
        message = _say("inspect.which_call", n=len(seen.calls))
        raise Told("which_call", message, _say("inspect.which_call_hint"))
    found = [call for call in seen.calls if call.record.n == number]
    if not found:
        message = _say("inspect.no_call", number=number or 0, n=len(seen.calls))
        raise Told("call_not_found", message)
    return found[-1]  # of a call that was made again, the last attempt


def _print_json(seen: TurnSeen, number: int | None) -> None:
    from huaben.cli.traces import call_seen_json, turn_seen_json

    put_json(turn_seen_json(seen) if number is None else call_seen_json(_call(seen, number)))


# ---- text --------------------------------------------------------------------------------------


def _print(story: Story, seen: TurnSeen, number: int | None, *, overview: bool) -> None:
    if number is not None:
        _print_call(_call(seen, number))
        return
    if overview:
        _print_overview(story)
    status = _say(f"status.{_status(seen)}")
    put(_say("inspect.turn", id=seen.turn.id, status=status), "bold")
    if seen.turn.message or seen.turn.code:
        put(f"  {one_line(f'{seen.turn.code} {seen.turn.message}')}")
    put(f"  {shortened(seen.turn.user_text, WIDTH)}", "dim")
    if not seen.calls:
        put(f"  {_say('inspect.no_calls')}")
    for call in seen.calls:
        _print_summary(call)


def _print_overview(story: Story) -> None:
    from huaben.domain.story import status_of

    put(one_line(f"{story.project.title} ({story.project.id})"), "bold")
    path = [node for node in story.tree.path(story.head.turn_id) if node.kind == "turn"]
    if len(path) > OVERVIEW:
        put(f"  {_say('inspect.earlier', n=len(path) - OVERVIEW)}", "dim")
    numbers = {node.id: story.tree.turn_number(node.id) for node in path[-OVERVIEW:]}
    for node in path[-OVERVIEW:]:
        number = f"{numbers[node.id]}" if node.outcome == "sealed" else "–"
        put(f"  {number:>4}  {node.id}  {_say(f'status.{status_of(node.run, node.outcome)}')}")
    put()


def _print_summary(call: CallSeen) -> None:
    from huaben.cli.traces import left_out

    record = call.record
    put(_headline(call), "cyan")
    put(f"    {_costs(call)}")
    if record.error:
        put(f"    {_say('inspect.error', what=one_line(record.error))}", "red")
    _print_prefix(call)
    for tool in call.tools:
        put(f"    {tool.name}({shortened(tool.arguments, WIDTH)})")
        result = voice().join(_outcome(tool.ok), shortened(tool.result, WIDTH))
        put(f"      → {result}", "dim")
    for row in left_out(record.outline):
        put(_left_out(row), "dim")


def _print_call(call: CallSeen) -> None:
    from huaben.cli.traces import listed

    record = call.record
    put(_headline(call), "cyan")
    put(f"    {_costs(call)}")
    _print_prefix(call)
    put(_say("inspect.prompt"), "bold")
    for row in record.outline:
        for piece in listed(row.get("pieces")):
            where = f"{row.get('zone', '')} · {row.get('role', '')}"
            size = voice().count("inspect.chars", int(piece.get("chars", "0")))
            reason = one_line(piece.get("reason", ""))
            put(f"    {where}  {piece.get('source', '')}  {size}  {reason}".rstrip())
        for out in listed(row.get("left_out")):
            put(_left_out(out))
    if record.reply is not None and record.reply.text:
        put(_say("inspect.reply"), "bold")
        put(printable(record.reply.text))
    for tool in call.tools:
        put(f"{tool.name}({printable(tool.arguments)})", "bold")
        put(f"→ {voice().join(_outcome(tool.ok), printable(tool.result))}")


def _print_prefix(call: CallSeen) -> None:
    """Why the repetition ended, and what would end it in a program that resolved macros anew."""
    if call.ended is not None:
        put(f"    {_say('inspect.break', what=_cause(call.ended))}", "yellow")
    if call.volatile:
        put(f"    {_say('inspect.volatile', names=', '.join(call.volatile))}", "dim")


def _cause(ended: Break) -> str:
    """Why the shared head ended, and the pieces that differ."""
    named = f" ({', '.join(ended.pieces)})" if ended.pieces else ""
    return one_line(f"{_say(f'inspect.break.{ended.code}')}{named}")


def _left_out(row: Mapping[str, str]) -> str:
    source, reason = row.get("source", ""), row.get("reason", "")
    return f"    {one_line(_say('inspect.left_out', source=source, reason=reason))}"


def _headline(call: CallSeen) -> str:
    record = call.record
    state = _say(f"call.{record.state}")
    model = (record.reply.model if record.reply else "") or record.model
    return f"  {record.n}  {record.purpose}  {one_line(model)}  {state}"


def _costs(call: CallSeen) -> str:
    """Sizes, the shared head, and the tokens as the provider reported them."""
    record, usage = call.record, call.record.usage
    parts = [_say("inspect.bytes", n=record.request_bytes)]
    if call.share is not None and call.shared_bytes is not None:
        percent = round(100 * call.share)
        parts.append(_say("inspect.shared", percent=percent, n=call.shared_bytes))
    for name, key in _TOKENS.items():
        count: int | None = getattr(usage, name)
        if count is not None:
            parts.append(_say(key, n=count))
        if name == "prompt":
            parts.append(_say("inspect.estimated", n=call.trace.estimated))
    if record.first_token_ms is not None:
        parts.append(_say("inspect.first_token", n=record.first_token_ms))
    if record.cost is not None:
        amount = f"{record.cost.amount:.6f}".rstrip("0").rstrip(".")
        parts.append(_say("inspect.cost", amount=amount, currency=record.cost.currency))
    return " · ".join(parts)


def _outcome(ok: bool | None) -> str:
    return _say("tool.open" if ok is None else "tool.ok" if ok else "tool.refused")


def _status(seen: TurnSeen) -> str:
    from huaben.domain.story import status_of

    return status_of(seen.turn.run, seen.turn.outcome)
