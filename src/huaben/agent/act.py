"""What a performance is given and what it can come to; apart because every performer shares both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from huaben.agent.calling import CallStreamer
from huaben.agent.desk import Sources
from huaben.agent.log import TurnLog
from huaben.agent.tools.table import Tool
from huaben.domain.events import TurnEvent
from huaben.domain.messages import Reply, Sampling
from huaben.domain.scenario import Limits
from huaben.domain.story import Revision
from huaben.domain.turnview import TurnView
from huaben.prompt.segments import Prompt


@dataclass(frozen=True, slots=True)
class Sealed:
    """The draft is to become the final text."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The previous turn was changed; that was this turn's work."""

    revision: Revision


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The model stopped without sealing what it wrote."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An ask card is to be shown; `events` belong into the commit that lets the turn wait."""

    events: tuple[TurnEvent, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing was produced, or a limit was reached: `code` and what is shown."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """A discussion about a manuscript has been answered: `text` is what the model reports."""

    text: str


Ending: TypeAlias = Sealed | Revised | Unsealed | Waiting | Ended | Done


@dataclass(frozen=True, slots=True)
class Act:
    """Everything that one performance needs. `recorded` are the replies already paid for, in
    order; `view` is the turn's log as it stands. `usual` and `prefill` are a preset's: the samplers
    that all others go before, and how a reply is to begin."""

    prompt: Prompt
    tools: tuple[Tool, ...]
    sources: Sources
    limits: Limits
    sampling: Sampling
    view: TurnView
    recorded: tuple[Reply, ...] = ()
    usual: Sampling = field(default_factory=Sampling)
    prefill: str = ""

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def went_beyond(self, n: int) -> bool:
        """Whether the record shows that the turn went on after call `n`, by itself or at the user's
        word; what would have ended it there has been decided."""
        return n + 1 < len(self.recorded) or n + 1 in self.view.notes


Performance: TypeAlias = Callable[[Act, TurnLog, CallStreamer], Awaitable[Ending]]
"""Walks a turn to its ending. Raises `ProviderFailed` when a call fails for good and `Superseded` when
another run took over; what was produced until then is in the log."""
