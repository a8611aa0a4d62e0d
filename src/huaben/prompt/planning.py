"""What the models of a planning job are sent, and the block in which a writer is shown the plan; apart from
the stage because a planner looks at a scene and writes no prose of it (`planner.md` §§2–3).

Six experts and the director are sent the same system text and the same material, byte for byte; only a
short last message is the role's own, so that a provider's cache serves all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.domain.messages import ToolSpec
from huaben.domain.plan.material import LoreText, Material, Said
from huaben.domain.plan.notes import GROUPS, PlanNote, is_advisory
from huaben.domain.plan.projection import (
    Labels,
    Projection,
    for_planner,
    planner_state_chars,
)
from huaben.domain.plan.rules import DIRECTOR, Asked, Function
from huaben.domain.plan.state import headings
from huaben.domain.project import Language
from huaben.prompt.actor import rendered
from huaben.prompt.blocks import plain
from huaben.prompt.segments import LeftOut, Piece, Prompt, Segment, segment
from huaben.prompt.texts import phrases

Role: TypeAlias = Function | Literal["orchestrator"]
AUDITOR: Final = "audit_knowledge"


@dataclass(frozen=True, slots=True)
class PlanScene:
    """What all calls of a job are made of. `own` holds a scenario's own prompts by role, which take the
    place of the role's last message; `max_state_chars` bounds a state."""

    material: Material
    max_state_chars: int
    own: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def language(self) -> Language:
        return self.material.language


# ---- the route ---------------------------------------------------------------------------------


def compose_route(
    scene: PlanScene,
    offered: Sequence[Function],
    advice: Sequence[PlanNote] | None = None,
    *,
    as_text: bool = False,
) -> Prompt:
    """The prompt of a route: its first phase, or with `advice`, be it empty, its second. `as_text` is
    for a model that cannot call functions."""
    language = scene.language
    close = _text(language, "route_first" if advice is None else "route_second_close")
    pieces = [Piece("route.close", close)]
    if advice is not None:
        pieces.insert(0, _advice(language, "route_second", advice))
    if as_text:
        listed = "\n".join(f"- {name}: {_text(language, f'tool.{name}')}" for name in offered)
        pieces.append(Piece("route.as_text", f"{_text(language, 'as_text')}\n{listed}"))
    duty = Piece("orchestrator", _text(language, "orchestrator"))
    material, left_out = _material(scene, greeting=False)
    own = _own(scene, "orchestrator", Asked(DIRECTOR), advice or ())
    return Prompt(
        (segment("prefix", "system", duty), material, segment("tail", "user", *(own or pieces))),
        () if as_text else tuple(tool(language, name) for name in offered),
        left_out,
    )


def tool(language: Language, name: Function) -> ToolSpec:
    """A function as it is offered; both arguments may be left out."""
    parameters = {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "description": _text(language, "tool.reason")},
            "focus": {"type": "string", "description": _text(language, "tool.focus")},
        },
        "required": list[str](),
        "additionalProperties": False,
    }
    return ToolSpec(name, _text(language, f"tool.{name}"), parameters)


# ---- experts and director ----------------------------------------------------------------------


def compose_expert(scene: PlanScene, asked: Asked, given: Sequence[PlanNote] = ()) -> Prompt:
    """The prompt of an expert. `given` is the advice that a graph passes on to it. Whoever audits
    knowledge also gets in full what the others only see the titles of."""
    language = scene.language
    own = _own(scene, asked.function, asked, given) or [
        Piece("role", _filled(language, "turn_of", role=asked.function)),
        _said(language, "reason", asked.reason),
        _said(language, "focus", asked.focus),
        *([_advice(language, "given", given)] if given else []),
    ]
    if asked.function == AUDITOR:
        own = [*own, _full_lore(scene)]
    return _shared(scene, own)


def compose_director(scene: PlanScene, asked: Asked, advice: Sequence[PlanNote]) -> Prompt:
    """The prompt of the director, with the notes that the experts of this job have made."""
    language = scene.language
    own = _own(scene, DIRECTOR, asked, advice)
    return _shared(
        scene,
        own
        or [
            Piece("role", _text(language, "director")),
            Piece("headings", "\n".join(headings(language))),
            Piece("director.rules", _filled(language, "director_rules", limit=_limit(scene))),
            _locked(scene),
            _said(language, "reason", asked.reason),
            _said(language, "focus", asked.focus),
            _advice(language, "advice", advice),
        ],
    )


def _shared(scene: PlanScene, own: Sequence[Piece]) -> Prompt:
    material, left_out = _material(scene, greeting=True)
    duty = Piece("planners", _text(scene.language, "planners"))
    return Prompt(
        (segment("prefix", "system", duty), material, segment("tail", "user", *own)),
        left_out=left_out,
    )


def _limit(scene: PlanScene) -> int:
    """What a director is asked to keep to: a longer state would be valid, but the next director could
    not be shown all of it."""
    return min(scene.max_state_chars, planner_state_chars())


def _locked(scene: PlanScene) -> Piece:
    locks = scene.material.plan.locks
    lines = [_text(scene.language, "locked"), *(f"  - {line}" for line in locks)]
    return Piece("locked", "\n".join(lines) if locks else "")


def _own(
    scene: PlanScene, role: Role, asked: Asked, advice: Sequence[PlanNote]
) -> list[Piece] | None:
    """The role's own prompt as the scenario has it; None where it has none. What fills its variables is
    no template."""
    template = scene.own.get(role, "").strip()
    if not template:
        return None
    language, material = scene.language, scene.material
    shown = for_planner(material.plan, language, labels(language))
    variables = {
        "role": [Piece("role", role)],
        "reason": [Piece("reason", asked.reason)],
        "focus": [Piece("focus", asked.focus)],
        "character": [_character(scene)],
        "persona": [Piece("persona", material.persona)],
        "reader": [Piece("reader", material.reader)],
        "greeting": [Piece("greeting", material.greeting.text if material.greeting else "")],
        "summary": [Piece("summary", material.summary)],
        "history": [Piece("history", _messages(language, material.messages))],
        "words": [Piece("words", material.words.text)],
        "plan": [Piece("plan.state", shown.state)],
        "notes": [Piece("plan.notes", shown.notes)],
        "lore": [Piece("lore", _lore(language, material.lore))],
        "memory": [Piece("memory", material.memory)],
        "advice": [Piece("advice", _noted(language, advice))],
        "headings": [Piece("headings", "\n".join(headings(language)))],
        "limit": [Piece("limit", str(_limit(scene)))],
    }
    return rendered(template, variables)


# ---- the material ------------------------------------------------------------------------------


def _material(scene: PlanScene, *, greeting: bool) -> tuple[Segment, tuple[LeftOut, ...]]:
    """The message that all are shown, and what of the plan and the lore is not in it."""
    language, material = scene.language, scene.material
    shown = for_planner(material.plan, language, labels(language))
    opening = material.greeting if greeting else None
    pieces = (
        _character(scene),
        _block(language, "persona", material.persona),
        Piece(
            "reader", _filled(language, "reader", name=material.reader) if material.reader else ""
        ),
        _block(language, "greeting", f"[{opening.label}] {opening.text}" if opening else ""),
        _block(language, "lore", _lore(language, material.lore)),
        _block(language, "memory", material.memory),
        _block(language, "summary", material.summary),
        _block(language, "plan_state", shown.state or _text(language, "no_plan")),
        _block(language, "plan_notes", shown.notes),
        _block(
            language,
            "history",
            _messages(language, material.messages) or _text(language, "no_history"),
        ),
        _block(language, "words", f"[{material.words.label}] {material.words.text}"),
    )
    return segment("log", "user", *pieces), (*left_out(shown), *_titles_only(material.lore))


def left_out(shown: Projection) -> tuple[LeftOut, ...]:
    """What a projection left out of the plan, counted by its reason."""
    out = shown.left_out
    counted = (
        ("lines over the budget", out.lines),
        ("notes over the budget", out.notes),
        ("notes older than the latest sixty", out.old),
        ("notes beyond six of a group", out.crowded),
        ("secrets", out.secrets),
    )
    return tuple(LeftOut("plan", f"{count} {what}") for what, count in counted if count)


def _titles_only(lore: Sequence[LoreText]) -> tuple[LeftOut, ...]:
    return tuple(
        LeftOut(f"lore:{one.title}", "text over the budget") for one in lore if not one.given
    )


def _character(scene: PlanScene) -> Piece:
    language, one = scene.language, scene.material.character
    parts = [_text(language, "character"), _filled(language, "named", name=one.name)]
    for key, text in (("description", one.description), ("definition", one.definition)):
        if text.strip():
            parts += [_text(language, key), text.strip()]
    return Piece("character", plain("\n".join(parts)) if one.name else "")


def _messages(language: Language, messages: Sequence[Said]) -> str:
    return "\n\n".join(f"[{one.label}] {_text(language, one.role)}: {one.text}" for one in messages)


def _lore(language: Language, lore: Sequence[LoreText]) -> str:
    mark = _text(language, "title_only")
    return "\n".join(
        f"# {one.title}\n{one.text}" if one.given and one.text else f"# {one.title} {mark}"
        for one in lore
    )


def _full_lore(scene: PlanScene) -> Piece:
    rest = [one for one in scene.material.lore if not one.given and one.text]
    body = "\n".join(f"# {one.title}\n{one.text}" for one in rest)
    return _block(scene.language, "full_lore", body)


def _advice(language: Language, key: str, notes: Sequence[PlanNote]) -> Piece:
    return _block(language, key, _noted(language, notes) or _text(language, "no_advice"))


def _noted(language: Language, notes: Sequence[PlanNote]) -> str:
    mark = _text(language, "advisory")
    return "\n".join(
        f"- [{note.label}] {_text(language, note.group)} {f'{mark} ' if is_advisory(note) else ''}"
        + " ".join(note.text.split())
        for note in notes
    )


# ---- what a writer sees ------------------------------------------------------------------------


def labels(language: Language) -> Labels:
    """How notes are titled and marked in a language."""
    return Labels({group: _text(language, group) for group in GROUPS}, _text(language, "advisory"))


def plan_block(language: Language, shown: Projection | None) -> Piece:
    """The block that a writer is shown: the plan, or, where there is none or it could not be read
    (None), what to do without."""
    text = shown.text if shown is not None else ""
    title = _text(language, "block_title")
    body = text or _text(language, "fallback")
    return Piece("plan", plain(f"{title}\n{body}"), "" if text else "no plan")


def plan_explained(language: Language) -> Piece:
    """What the block is, once, for the system text."""
    return Piece("plan.explained", _text(language, "explained"))


def principle(language: Language) -> str:
    """The fixed principle that stands among the notes of every plan."""
    return _text(language, "principle")


def _block(language: Language, key: str, body: str) -> Piece:
    """A block under its title; whatever brackets its text holds, titles alone keep theirs."""
    if not body.strip():
        return Piece(key, "")
    return Piece(key.replace("_", "."), plain(f"{_text(language, key)}\n{body.strip()}"))


def _said(language: Language, key: str, text: str) -> Piece:
    return Piece(key, f"{_text(language, key)} {text}" if text.strip() else "")


def _text(language: Language, key: str) -> str:
    return phrases(language, "planning")[key]


def _filled(language: Language, key: str, **facts: str | int) -> str:
    return _text(language, key).format_map(facts)
