"""Stories out again as chats: a branch as SillyTavern's lines, as text or Markdown, or the whole tree as our
own file. Apart from `exporting`, whose cards and books know no turns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.story import Node, Tree, Turn
from huaben.errors import HuabenError, NotFound, StorageFailed
from huaben.formats.authors_note import metadata_of, note_of
from huaben.formats.chats.jsonl import new_header, write_lines
from huaben.formats.chats.native import write_native
from huaben.formats.chats.plain import write_markdown, write_plain
from huaben.formats.chats.values import Chat, Entry, Held, Message
from huaben.formats.report import Findings, Report
from huaben.services.chats_merging import SHOWN, Cast, Part, Telling, merged
from huaben.services.chats_origins import Origins, load_origins
from huaben.services.chats_planting import chat_of
from huaben.services.chats_whole import whole_tree
from huaben.services.expanding import user_name
from huaben.services.exporting import File
from huaben.services.filenames import safe_name
from huaben.services.house import House
from huaben.services.illustrating import illustrated
from huaben.services.past import text_in_force
from huaben.services.stories import Story, check_standing, load_story

StoryForm: TypeAlias = Literal["jsonl", "txt", "md", "json"]
STORY_FORMS: tuple[StoryForm, ...] = ("jsonl", "txt", "md", "json")
_MEDIA: Mapping[StoryForm, str] = {
    "jsonl": "application/jsonl",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A story with all that its export needs; `seq` is the chat that the path lies in, if in any."""

    story: Story
    tree: Tree
    path: Sequence[Node]
    overlay: Mapping[str, str]
    turns: Mapping[str, Turn]
    origins: Origins
    seq: int | None
    cast: Cast

    def telling(self, turn_id: str, seq: int | None) -> Telling:
        text = text_in_force(self.turns, self.overlay, turn_id).text
        return Telling(self.turns[turn_id], text, self.origins.of(turn_id, seq))


async def export_story(
    house: House, project_id: str, form: StoryForm, at: str | None = None
) -> File:
    """The path to a node, by default to the head, or with `json` the whole tree. What was imported goes
    out as it came, with what was told since. Raises `NotFound`."""
    loaded = await _load(house, project_id, at, whole=form == "json")
    findings = Findings()
    if form == "json":
        content = await _whole(house, loaded, findings)
        texts = [turn.final_text for turn in loaded.turns.values()]
    else:
        content = await _path(house, loaded, form, findings)
        texts = [loaded.telling(node.id, None).text for node in loaded.path]
    content = await illustrated(house, form, content, texts, findings)
    project = loaded.story.project
    report = _plain(findings.report())
    return File(content, safe_name(project.title, form), _MEDIA[form], report)


async def _load(house: House, project_id: str, at: str | None, *, whole: bool) -> _Loaded:
    story = await load_story(house, project_id)
    tree = story.tree
    head = at or story.head.turn_id
    if head not in tree or tree[head].run == "queued":
        raise NotFound.of("turn", head)
    check_standing(story, head)
    path = tree.path(head)
    wanted = (
        [node.id for node in _standing(tree)]
        if whole
        else [one.id for node in path for one in (node, *tree.variants(node.id))]
    )
    overlay = tree.in_force(head)
    turns = await house.store.turns([*wanted, *overlay.values()])
    origins = await load_origins(house, project_id)
    project = story.project
    card = await house.shelf.card(project.card_id, house.user_id) if project.card_id else None
    cast = Cast(user_name(project), card.called if card else project.title, project.language)
    return _Loaded(story, tree, path, overlay, turns, origins, origins.chat_of(path, tree), cast)


# ---- a path ------------------------------------------------------------------------------------


async def _path(
    house: House, loaded: _Loaded, form: Literal["jsonl", "txt", "md"], findings: Findings
) -> bytes:
    chat = await _chat(house, loaded, findings)
    parts = _parts(loaded, chat is not None)
    _note_left_out(loaded, parts, form, findings)
    source = await _with_note(house, loaded, chat or _own_chat(loaded))
    return await asyncio.to_thread(_written, form, loaded, source, parts)


async def _chat(house: House, loaded: _Loaded, findings: Findings) -> Chat | None:
    """The chat that the path lies in; None for one without, or whose file is gone, which is told."""
    if loaded.seq is None:
        return None
    try:
        return await chat_of(house, loaded.origins.jobs[loaded.seq])
    except HuabenError as fault:
        if isinstance(fault, StorageFailed) and fault.code not in _GONE:
            raise
        findings.warn("chat_file_missing", "", fault.message, fault=fault.message)
        return None


_GONE = frozenset({"object_missing", "object_damaged", "chat_unreadable"})


async def _with_note(house: House, loaded: _Loaded, chat: Chat) -> Chat:
    """The chat with the author's note that the story wears now; a chat that came into a story that was
    there keeps its own."""
    worn = await house.store.dressing(loaded.story.project.id)
    ours = loaded.seq is None or bool(loaded.origins.jobs[loaded.seq].payload.get("founded"))
    if worn is None or not ours or not worn.note.text.strip():
        return chat
    metadata = chat.header.get("chat_metadata")
    before = metadata if isinstance(metadata, dict) else {}
    if note_of(before) == worn.note:
        return chat
    header = chat.header or new_header(chat)
    changed: JsonObject = {**before, **metadata_of(worn.note)}
    return replace(chat, header={**header, "chat_metadata": changed}, headed=True)


def _own_chat(loaded: _Loaded) -> Chat:
    return Chat(
        "huaben",
        Held(()),
        loaded.story.project.title,
        user=loaded.cast.user,
        character=loaded.cast.character,
    )


def _parts(loaded: _Loaded, planted: bool) -> list[Part]:
    seq = loaded.seq if planted else None
    parts: list[Part] = []
    for node in loaded.path:
        if node.kind == "edit":
            continue
        told = loaded.telling(node.id, seq)
        siblings = [one.id for one in loaded.tree.variants(node.id)]
        variants = tuple(loaded.telling(i, seq) for i in siblings if node.id in siblings)
        parts.append(Part(told, variants or (told,)))
    return parts


def _written(
    form: Literal["jsonl", "txt", "md"], loaded: _Loaded, chat: Chat, parts: Sequence[Part]
) -> bytes:
    entries = merged(parts, chat.entries.read(Findings()), loaded.cast)
    match form:
        case "jsonl":
            return b"".join(write_lines(chat, entries))
        case "txt":
            return "".join(write_plain(_named(entries, loaded.cast))).encode()
        case "md":
            title = loaded.story.project.title
            return "".join(write_markdown(title, _named(entries, loaded.cast))).encode()


def _named(entries: Iterator[Entry], who: Cast) -> Iterator[Entry]:
    """The entries with the names that the file leaves out."""
    for entry in entries:
        if isinstance(entry, Message) and not entry.name:
            name = who.user if entry.role == "user" else who.character
            yield replace(entry, name=name)
        else:
            yield entry


def _note_left_out(
    loaded: _Loaded, parts: Sequence[Part], form: StoryForm, findings: Findings
) -> None:
    """Other branches are in no file of one path; what was left unfinished here has no reply."""
    there = {one.turn.id for part in parts for one in (part.told, *part.variants)}
    elsewhere = [
        node for node in _standing(loaded.tree) if node.id not in there and node.kind == "turn"
    ]
    if elsewhere:
        findings.dropped("other_branches", "", _turns(len(elsewhere)), n=len(elsewhere))
    # Words of an old chat that nobody has answered leave as they came: no reply is missing.
    unfinished = [
        part
        for part in parts
        if part.told.turn.outcome not in SHOWN and part.told.turn.code != "unanswered"
    ]
    if unfinished:
        findings.dropped("reply_unfinished", "", _turns(len(unfinished)), n=len(unfinished))
    unseen = [part for part in parts if part.told.turn.outcome == "done"]
    if unseen and form != "jsonl":
        findings.dropped("hidden_left_out", "", _turns(len(unseen)), n=len(unseen))


def _turns(n: int) -> str:
    return f"{n} turn{'' if n == 1 else 's'}"


# ---- the whole tree ----------------------------------------------------------------------------


async def _whole(house: House, loaded: _Loaded, findings: Findings) -> bytes:
    held: dict[tuple[int, int], Entry] = {}
    for seq, job in loaded.origins.jobs.items():
        try:
            chat = await chat_of(house, job)
        except StorageFailed as fault:
            findings.warn("chat_file_missing", f"chat {seq}", fault.message, fault=fault.message)
            continue
        held |= await asyncio.to_thread(_by_place, seq, chat)
    nodes = _standing(loaded.tree)
    tellings = {node.id: loaded.telling(node.id, _seq_of(loaded, node, held)) for node in nodes}
    return await asyncio.to_thread(_written_whole, loaded, nodes, tellings, held)


def _by_place(seq: int, chat: Chat) -> dict[tuple[int, int], Entry]:
    return {(seq, entry.place): entry for entry in chat.entries.read(Findings())}


def _seq_of(loaded: _Loaded, node: Node, held: Mapping[tuple[int, int], Entry]) -> int | None:
    """The chat that a node was made for, if its file is there."""
    for origin in loaded.origins.by_turn.get(node.id, ()):
        if origin.made and all((origin.seq, row.place) in held for row in origin.rows):
            return origin.seq
    return None


def _written_whole(
    loaded: _Loaded,
    nodes: Sequence[Node],
    tellings: Mapping[str, Telling],
    held: Mapping[tuple[int, int], Entry],
) -> bytes:
    entries, ends = whole_tree(nodes, tellings, held, loaded.cast)
    chat = replace(_own_chat(loaded), stands=ends[loaded.path[-1].id])
    return write_native(chat, entries)


def _standing(tree: Tree) -> list[Node]:
    """The nodes that are there, parents first: neither queued nor put aside, nor below one that is."""
    found: list[Node] = []
    pending = list(reversed(tree.roots()))
    while pending:
        node = pending.pop()
        found.append(node)
        pending += reversed(tree.children(node.id))
    return found


def _plain(report: Report) -> Mapping[str, object]:
    json: Mapping[str, Json] = report.to_json()
    return cast("Mapping[str, object]", json)  # JSON is less than any object
