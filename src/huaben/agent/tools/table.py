"""The tool list: names, kinds and schemas in one literal tuple, in the order that the model sees.

The order and the bytes of the list must stay the same for a whole session (`turn.md` §2), so nothing
is registered at import and nothing is added on the way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools import asking, draft, ledger, memory, previous, reading, saves
from huaben.agent.tools.arguments import Arguments
from huaben.domain.messages import ToolSpec
from huaben.domain.notes import SOURCES
from huaben.domain.project import Language
from huaben.prompt.texts import phrases

Need: TypeAlias = Literal["nothing", "lore", "card", "memory", "ledger", "question"]
ToolKind: TypeAlias = Literal["read", "write", "ask", "plan"]
Schema: TypeAlias = Mapping[str, object]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_EDITS: Schema = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {"old": _TEXT, "new": _TEXT},
        "required": ["old", "new"],
    },
}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `kind` decides its place in the order of a reply: reads run together, writes one
    after another, an ask holds everything behind it. `needs` is what must exist for it to be
    listed at all. What `run` gives may have to be awaited."""

    name: str
    kind: ToolKind
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    run: Callable[[Sources, Desk, Arguments], Outcome | Awaitable[Outcome]]
    needs: Need = "nothing"

    @property
    def schema(self) -> Schema:
        """The bare schema, as arguments are checked against it."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }


TOOLS: tuple[Tool, ...] = (
    Tool(
        "draft_write",
        "write",
        {"version": _COUNT, "content": _TEXT},
        ("version", "content"),
        draft.draft_write,
    ),
    Tool(
        "draft_append",
        "write",
        {"version": _COUNT, "content": _TEXT, "separator": _TEXT},
        ("version", "content"),
        draft.draft_append,
    ),
    Tool("draft_read", "read", {"start": _COUNT, "end": _COUNT}, (), draft.draft_read),
    Tool(
        "draft_search",
        "read",
        {"query": _TEXT, "limit": {"type": "integer", "minimum": 1, "maximum": 50}},
        ("query",),
        draft.draft_search,
    ),
    Tool(
        "draft_edit",
        "write",
        {"version": _COUNT, "edits": _EDITS},
        ("version", "edits"),
        draft.draft_edit,
    ),
    Tool("draft_seal", "write", {"version": _COUNT}, ("version",), draft.draft_seal),
    Tool(
        "previous_draft_read",
        "read",
        {"start": _COUNT, "end": _COUNT},
        (),
        previous.previous_draft_read,
    ),
    Tool(
        "previous_draft_edit",
        "write",
        {"version": _COUNT, "edits": _EDITS},
        ("version", "edits"),
        previous.previous_draft_edit,
    ),
    Tool(
        "ask",
        "ask",
        {
            "question": _TEXT,
            "options": {"type": "array", "minItems": 2, "maxItems": 4, "items": _TEXT},
        },
        ("question", "options"),
        asking.ask,
        "question",
    ),
    Tool("lorebook_search", "read", {"query": _TEXT}, ("query",), reading.lorebook_search, "lore"),
    Tool(
        "lorebook_read",
        "read",
        {"ref": _TEXT, "start": _COUNT, "end": _COUNT},
        ("ref",),
        reading.lorebook_read,
        "lore",
    ),
    Tool("lorebook_list", "read", {"keyword": _TEXT}, (), reading.lorebook_list, "lore"),
    Tool(
        "memory_search",
        "read",
        {"query": _TEXT, "limit": {"type": "integer", "minimum": 1, "maximum": 20}},
        ("query",),
        memory.memory_search,
        "memory",
    ),
    Tool(
        "memory_read",
        "read",
        {"ref": _TEXT, "start": _COUNT, "end": _COUNT},
        ("ref",),
        memory.memory_read,
        "memory",
    ),
    Tool(
        "memory_add",
        "write",
        {"content": _TEXT, "title": _TEXT},
        ("content",),
        memory.memory_add,
        "memory",
    ),
    Tool(
        "memory_list",
        "read",
        {"source": {"type": "string", "enum": list(SOURCES)}, "after": _TEXT},
        (),
        memory.memory_list,
        "memory",
    ),
    Tool("world_state_get", "read", {}, (), ledger.world_state_get, "ledger"),
    Tool("card_read", "read", {}, (), reading.card_read, "card"),
    Tool("save_create", "write", {"name": _TEXT}, ("name",), saves.save_create),
    Tool("save_list", "read", {}, (), saves.save_list),
    Tool(
        "turn_plan",
        "plan",
        {
            "mode": {"type": "string", "enum": ["explore", "write"]},
            "steps": {"type": "array", "maxItems": 20, "items": _TEXT},
        },
        ("mode",),
        asking.turn_plan,
    ),
)


def listed(
    *, lore: bool, card: bool, memory: bool, ledger: bool, ask: bool = True
) -> tuple[Tool, ...]:
    """The tools of a session: one whose dependency is absent is not listed, nor is `ask` where the
    preset has its own way of asking."""
    present: Mapping[Need, bool] = {
        "nothing": True,
        "lore": lore,
        "card": card,
        "memory": memory,
        "ledger": ledger,
        "question": ask,
    }
    return tuple(tool for tool in TOOLS if present[tool.needs])


def specs(tools: tuple[Tool, ...], language: Language) -> tuple[ToolSpec, ...]:
    """The list as a model is sent it, with descriptions in the project's language."""
    return tuple(_spec(tool, *described(language, tool.name)) for tool in tools)


def described(language: Language, name: str) -> tuple[str, Mapping[str, str]]:
    """A tool's description and those of its arguments, from the shipped text."""
    about: list[str] = []
    arguments: dict[str, str] = {}
    for line in phrases(language, "tools")[name].splitlines():
        if line.startswith("- "):
            argument, _, text = line[2:].partition(": ")
            arguments[argument] = text
        elif line.strip():
            about.append(line.strip())
    return " ".join(about), arguments


def _spec(tool: Tool, about: str, arguments: Mapping[str, str]) -> ToolSpec:
    schema = dict(tool.schema)
    schema["properties"] = {
        name: _with_texts(name, prop, arguments) for name, prop in tool.properties.items()
    }
    return ToolSpec(tool.name, about, schema)


def _with_texts(name: str, schema: Schema, texts: Mapping[str, str]) -> Schema:
    if schema is not _EDITS:
        return {**schema, "description": texts[name]}
    inner: Schema = {
        "type": "object",
        "properties": {part: {**_TEXT, "description": texts[part]} for part in ("old", "new")},
        "required": ["old", "new"],
        "additionalProperties": False,
    }
    return {"type": "array", "minItems": 1, "items": inner, "description": texts[name]}
