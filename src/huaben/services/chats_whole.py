"""The whole tree of a project as the entries of one chat, every branch and variant a message of its own;
pure, and apart from `chats_merging`, which tells one path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from huaben.domain.story import Node
from huaben.formats.chats.values import Entry, Message, Variant
from huaben.services.chats_merging import Cast, Part, Telling, played, reply

Held: TypeAlias = Mapping[tuple[int, int], Entry]
"""The entries of the imported chats by chat and place."""


@dataclass(slots=True)
class _Tree:
    """Entries while they are put together; `ends` is where each turn's last one is."""

    held: Held
    cast: Cast
    entries: list[Entry] = field(default_factory=list[Entry])
    ends: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    _said: dict[str, str | None] = field(default_factory=dict[str, "str | None"])

    def add(self, node: Node, telling: Telling) -> None:
        """The entries of a turn. Words that are the same for all tellings of a reply are there once."""
        above = self.ends.get(node.parent) if node.parent is not None else None
        entries = list(self._of(telling))
        if telling.text and node.beat in self._said:
            above = self._said[node.beat]
            entries = [entry for entry in entries if not _is_users(entry)]
        for entry in entries:
            name = telling.turn.id
            if _is_users(entry):
                above = self._put(entry, f"{name}.{entry.place or 'words'}", above)
            else:
                if telling.text:
                    self._said.setdefault(node.beat, above)
                above = self._put(entry, name, above)
        self.ends[node.id] = above

    def _put(self, entry: Entry, name: str, above: str | None) -> str:
        place = len(self.entries) + 1
        self.entries.append(replace(entry, id=name, parent=above, place=place))
        return name

    def _of(self, telling: Telling) -> Iterator[Entry]:
        origin = telling.origin
        if origin is None:
            yield from played(Part(telling, (telling,)), self.cast)
            return
        entry: Entry | None = None
        for row in origin.rows:
            entry = self.held.get((origin.seq, row.place))
            if isinstance(entry, Message):
                yield _alone(entry, row.variant, telling)
            elif entry is not None:
                yield entry
        if entry is not None and _is_users(entry) and telling.text:
            yield from reply(Part(telling, (telling,)), self.cast)


def whole_tree(
    nodes: Sequence[Node], tellings: Mapping[str, Telling], held: Held, cast: Cast
) -> tuple[list[Entry], Mapping[str, str | None]]:
    """The entries of all nodes, parents first, and at which entry each node ends. A node that only
    revises another has no entry."""
    tree = _Tree(held, cast)
    for node in nodes:
        if node.kind == "edit":
            tree.ends[node.id] = tree.ends.get(node.parent) if node.parent is not None else None
        else:
            tree.add(node, tellings[node.id])
    return tree.entries, tree.ends


def _is_users(entry: Entry) -> bool:
    return isinstance(entry, Message) and entry.role == "user"


def _alone(message: Message, n: int, telling: Telling) -> Message:
    """One variant of a message; the message's own fields stay with the one that it had in force."""
    variant: Variant = message.variants[n]
    if message.role != "user" and variant.text != telling.text:
        variant = replace(variant, text=telling.text, written=None)
    return replace(
        message, variants=(variant,), active=0, raw=message.raw if n == message.active else {}
    )
