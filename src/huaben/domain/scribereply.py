"""What a scribe answered: finding the one JSON object that was asked for in whatever came; apart from the
patch itself because a reply is text first, and hostile until read.

Wanted is `{"patch": {…}, "evidence": {"dotted.path": "quotation"}}` (`state.md` §2.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.ledger import SECTIONS
from huaben.domain.ledgerchange import Warned
from huaben.domain.text import is_blank

FaultCode: TypeAlias = Literal["blank", "no_object", "no_patch", "broken", "tangled"]

_OPENING: Final = re.compile(r'\{\s*["}]')
_OBJECTS: Final = 400  # an object that breaks costs a look over the whole text, for its line
_EFFORT: Final = 32  # how often the length of a reply may be read in all


@dataclass(frozen=True, slots=True)
class ScribeReply:
    """A patch as it was written, with the quotation for each path, and what was left out."""

    patch: JsonObject = field(default_factory=dict[str, Json])
    evidence: Mapping[str, str] = field(default_factory=dict[str, str])
    warnings: tuple[Warned, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """Why a reply holds no patch.

    `blank`: it shows nothing; `no_object`: no JSON object begins in it; `broken`: one begins and
    cannot be read, `detail` says where; `no_patch`: its objects are about something else;
    `tangled`: so many objects begin and break that reading was given up.
    """

    code: FaultCode
    detail: str = ""


def read_reply(text: str) -> ScribeReply | ReplyFault:
    """The first object in `text` that holds a patch, whatever stands around it.

    Without one, a patch that was written bare is taken, also an empty one; but only if no object
    in the reply broke, because what is left of a broken one may look like a patch. Whatever the
    text is, the work is linear in its length.
    """
    if is_blank(text):
        return ReplyFault("blank")
    bare: JsonObject | None = None
    broken: ReplyFault | None = None
    fault = ReplyFault("no_object")
    for found in _objects(text):
        if isinstance(found, ReplyFault):
            broken = found if found.code == "tangled" else broken or found
            continue
        fault = ReplyFault("no_patch")
        if found.keys() <= SECTIONS:
            bare = bare or found
        elif (whole := _with_patch(found)) is not None:
            return _reply(whole)
    if broken is None and bare is not None:
        return ScribeReply(bare)
    return broken or fault


def _objects(text: str) -> Iterator[JsonObject | ReplyFault]:
    """Each outermost object of a text, and a fault for each that cannot be read to its end."""
    at = spent = 0
    for _ in range(_OBJECTS):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        start = opening.start()
        found, end = _object_at(text, start)
        yield found
        at = start + 1 if isinstance(found, ReplyFault) else end
        spent += end - start
        if spent > _EFFORT * len(text):
            break
    yield ReplyFault("tangled")


def _object_at(text: str, start: int) -> tuple[JsonObject | ReplyFault, int]:
    """The object that begins at `start`, or a fault, and how far the text was read."""
    value: Json
    try:
        value, end = _DECODER.raw_decode(text, start)
        value = _within_bounds(value)
    except json.JSONDecodeError as why:
        return ReplyFault("broken", f"{why.msg} at {why.pos}"), max(why.pos, start)
    except (RecursionError, ValueError) as why:
        return ReplyFault("broken", str(why)[:80]), len(text)
    if isinstance(value, dict):
        return value, end
    return ReplyFault("broken", "no object"), end


def _within_bounds(value: Json) -> Json:
    """The value as the program holds values: not too deep, no half characters. Else ValueError."""
    held = parse_json(dump_json(value))
    if isinstance(held, JsonFault):
        raise ValueError(held.detail)
    return held


def _with_patch(value: JsonObject) -> JsonObject | None:
    """The outermost object with a patch, in `value` or within it, in the order of the text."""
    waiting: list[Json] = [value]
    for here in waiting:  # what is appended on the way is visited too
        if isinstance(here, dict):
            if isinstance(here.get("patch"), dict):
                return here
            waiting.extend(here.values())
        elif isinstance(here, list):
            waiting.extend(here)
    return None


def _reply(whole: JsonObject) -> ScribeReply:
    patch, written = whole["patch"], whole.get("evidence", {})
    warnings = [Warned("unknown_key", key) for key in whole if key not in ("patch", "evidence")]
    evidence: dict[str, str] = {}
    if isinstance(written, dict):
        evidence = {path: said for path, said in written.items() if isinstance(said, str)}
        wrong = (path for path in written if path not in evidence)
        warnings += [Warned("wrong_type", f"evidence.{path}") for path in wrong]
    else:
        warnings.append(Warned("wrong_type", "evidence"))
    return ScribeReply(patch if isinstance(patch, dict) else {}, evidence, tuple(warnings))


# Line ends inside a string are let pass: quotations of prose have them.
_DECODER: Final = json.JSONDecoder(strict=False)
