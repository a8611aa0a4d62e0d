"""Messages put one behind the other; apart because most programs keep a chat as a plain list."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.thought import split_thought
from huaben.formats.chats.values import Held, Message, Moment, Role, Variant


@dataclass(slots=True)
class Chain:
    """A chat without branches while it is read."""

    messages: list[Message] = field(default_factory=list[Message])

    def add(
        self,
        role: Role,
        name: str,
        variants: Sequence[Variant],
        raw: JsonObject,
        *,
        active: int = 0,
        hidden: bool = False,
    ) -> None:
        """Puts a message behind the last one; its id is its place."""
        place = len(self.messages) + 1
        parent = self.messages[-1].id if self.messages else None
        self.messages.append(
            Message(str(place), parent, role, name, tuple(variants), active, hidden, place, raw)
        )

    def begin_with(self, message: Message) -> None:
        """Puts a message that no file holds before all others."""
        first = replace(message, parent=None, place=0)
        rest = [m if m.parent else replace(m, parent=first.id) for m in self.messages]
        self.messages = [first, *rest]

    @property
    def held(self) -> Held:
        return Held(tuple(self.messages))


def told(
    text: str,
    role: Role = "assistant",
    *,
    model: str = "",
    moment: Moment | None = None,
    info: JsonObject | None = None,
) -> Variant:
    """A variant of a text; a thought that a reply begins with is told apart."""
    thought, rest = split_thought(text) if role == "assistant" else ("", text)
    written = text if thought or rest != text else None
    return Variant(rest, thought, model, moment, written, info or {})
