"""Background jobs: what carries out the due rows of the store, and how a job takes its steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeAlias

Action: TypeAlias = Callable[[], Awaitable[Mapping[str, object]]]
"""What a step does; its result is a JSON object."""


class Step(Protocol):
    async def __call__(self, name: str, action: Action) -> Mapping[str, object]:
        """The result of the action: carried out now and recorded, or recorded in an earlier run.

        A job must take the same steps in the same order each time it runs: what it decides, it
        decides by what steps gave. Steps that run side by side are begun in a fixed order."""
        ...


Work: TypeAlias = Callable[[str, int, Step], Awaitable[None]]
"""Carries out the due job of that lane and number, and commits its `DueDone` before it returns."""


class Jobs(Protocol):
    """Carries out what is due: the jobs of a lane one at a time and in their order, different lanes
    side by side. A job that was cut short runs again with what its steps had recorded."""

    def start(self, work: Work) -> None:
        """Begin with what an earlier process left undone. Without it nothing is ever run."""
        ...

    def nudge(self) -> None:
        """Something may have become due; called after the commit, returns at once."""
        ...

    def expect(self) -> None:
        """Something will become due before long: be ready for it by then. Returns at once."""
        ...

    @property
    def begun(self) -> bool:
        """Whether `start` was called and `close` was not: what is due will be carried out."""
        ...

    @property
    def running(self) -> frozenset[str]:
        """The ids, `{lane}:{seq:010d}`, of the jobs that are being carried out here."""
        ...

    async def idle(self, lane: str | None = None) -> None:
        """Wait until nothing is due, in that lane or in all. Raises what kept jobs from running."""
        ...

    async def close(self) -> None:
        """Cut short what runs; it is due again at the next start."""
        ...
