"""Which connections there are and which of them plays a role: given by the environment, kept by the user,
found by a key or on this machine. Apart from changing them (`connecting`), because every turn asks and
few people change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from huaben.domain.connection import (
    Capabilities,
    Connection,
    Credentials,
    StoredConnection,
    ToolProtocol,
)
from huaben.errors import NoConnection, NotFound
from huaben.formats.connections import Settings, capabilities_of, connection_of
from huaben.ports import Images, Model, Secrets, Store

Source: TypeAlias = Literal["environment", "kept", "key", "here"]
"""Where a connection comes from: the settings of this program, the user's own keeping, a provider's key
in the environment, a server that was found on this machine."""

ROLES: Final = ("story", "control", "scribe", "planner", "escalation", "image")
IN_JOBS: Final = frozenset({"scribe", "planner", "escalation"})
"""Roles that are played inside durable jobs, which try again by themselves: the adapter must not."""
FOUND_HERE: Final = "found_here"
"""The field of kept settings that marks a server which nobody chose yet."""
_ORDER: Final[Sequence[Source]] = ("environment", "kept", "key", "here")

Opening: TypeAlias = Callable[[Connection, ToolProtocol], Model]
Easel: TypeAlias = Callable[[Connection], Images]
"""Opens a connection that draws."""
Setting: TypeAlias = Callable[[Connection], Connection]
"""Puts on a connection what is set for all of them: times and retries."""


@dataclass(frozen=True, slots=True)
class Painting:
    """What pictures are drawn with: how a connection is opened for it, and what needs none. `given` names
    the one that the environment gives for this role alone."""

    open_images: Easel
    embedded: Mapping[str, Images]
    given: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A connection with what is known of it. `roles` are those it was given; `revision` is 0 where
    the library keeps nothing of it; `own_key`: its key is the user's, kept by this program."""

    connection: Connection
    source: Source
    capabilities: Capabilities
    roles: tuple[str, ...] = ()
    revision: int = 0
    own_key: bool = False

    @property
    def name(self) -> str:
        return self.connection.name

    @property
    def usable(self) -> bool:
        """Whether a model is chosen; a key alone opens nothing."""
        return bool(self.connection.base_url and self.connection.model)

    @property
    def draws_only(self) -> bool:
        """Whether its one role is to draw: then it speaks no part."""
        return self.roles == ("image",)

    @property
    def protocol(self) -> ToolProtocol:
        """How its model calls tools."""
        return self.connection.tools_in_force(self.capabilities)

    @property
    def window(self) -> int | None:
        """The window that was set, else the one that its endpoint lists."""
        return self.connection.window or self.capabilities.window


class Connections:
    """The connections by role (`house.Models`). Models are opened when they are first needed and
    stay open as long as nothing about their connection changes."""

    def __init__(
        self,
        given: Sequence[tuple[Source, Connection]],
        open_model: Opening,
        embedded: Mapping[str, Model] | None = None,
        *,
        common: Setting = lambda connection: connection,
        painting: Painting | None = None,
    ) -> None:
        self._given = tuple(given)
        self._open_model = open_model
        self._common = common
        self._embedded = dict(embedded or {})
        self._painting = painting
        self._known: tuple[Known, ...] = ()
        self._opened: dict[tuple[str, bool], tuple[Known, Model]] = {}
        self._easels: dict[str, tuple[Known, Images]] = {}
        self._arrange([], {})

    @property
    def embedded(self) -> frozenset[str]:
        """The names of models that need no connection."""
        return frozenset(self._embedded)

    @property
    def known(self) -> tuple[Known, ...]:
        """All connections, in the order in which one is taken for a role that nobody gave away."""
        return self._known

    def named(self, name: str) -> Known:
        """Raises `NotFound`."""
        for one in self._known:
            if one.name == name:
                return one
        raise NotFound("connection_not_found", f"There is no connection {name}.")

    def for_role(self, role: str, name: str = "") -> Model:
        """The model for a role: that of the named connection; of an unknown name, and of none, the
        one that was given the role, else the first that can be used. Raises `NoConnection`."""
        if name in self._embedded:
            return self._embedded[name]
        return self._model(self._chosen(role, name), in_job=role in IN_JOBS)

    def painter(self, name: str = "") -> Images | None:
        """What draws pictures: the connection of that name, else the one that was given the role. No
        other one is ever asked, because a model of words draws nothing."""
        if self._painting is None:
            return None
        if name in self._painting.embedded:
            return self._painting.embedded[name]
        able = [one for one in self._known if one.usable and one.connection.kind == "openai"]
        named = [one for one in able if name and one.name == name]
        for one in (*named, *(one for one in able if "image" in one.roles)):
            kept = self._easels.get(one.name)
            if kept is None or kept[0] != one:
                kept = (one, self._painting.open_images(self._common(one.connection)))
                self._easels[one.name] = kept
            return kept[1]
        return None

    async def refresh(self, store: Store, secrets: Secrets, user_id: str) -> None:
        """Read again what the user keeps."""
        self._arrange(await store.connections(user_id), await secrets.all())

    # ---- choosing ------------------------------------------------------------------------------

    def _chosen(self, role: str, name: str) -> Known:
        usable = [one for one in self._known if one.usable and not one.draws_only]
        for one in usable:
            if name and one.name == name:
                return one
        # A role that has no connection of its own is played by the storyteller's.
        for wanted in dict.fromkeys((role, "story")):
            for one in usable:
                if wanted in one.roles:
                    return one
        if usable:
            return usable[0]
        raise self._none()

    def _none(self) -> NoConnection:
        keys = [one.name for one in self._known if not one.usable]
        if keys:
            return NoConnection(
                "no_model_chosen",
                f"The connection {keys[0]} has no model yet.",
                "Name one with HUABEN_MODEL, or choose one among the connections.",
                connection=keys[0],
            )
        return NoConnection(
            "no_connection",
            "No model is connected.",
            "Set a provider's key (DEEPSEEK_API_KEY, OPENAI_API_KEY …), or HUABEN_BASE_URL,"
            " HUABEN_MODEL and, where needed, HUABEN_API_KEY; `huaben doctor` looks for a model on"
            " this machine. Or play the rehearsal.",
        )

    def _model(self, known: Known, *, in_job: bool) -> Model:
        kept = self._opened.get((known.name, in_job))
        if kept is not None and kept[0] == known:
            return kept[1]
        connection = replace(self._common(known.connection), window=known.window)
        if in_job:
            connection = replace(connection, retries=0)
        model = self._open_model(connection, known.protocol)
        self._opened[known.name, in_job] = (known, model)
        return model

    # ---- what there is -------------------------------------------------------------------------

    def _arrange(self, rows: Sequence[StoredConnection], keys: Mapping[str, Credentials]) -> None:
        stored = {row.name: row for row in rows}
        found: dict[str, Known] = {}
        for source, given in self._given:
            one = _known(given, source, stored.get(given.name))
            draws = self._painting is not None and given.name == self._painting.given
            found[given.name] = replace(one, roles=("image",)) if draws else one
        for row in sorted(rows, key=lambda row: (row.created_at, row.name)):
            before = found.get(row.name)
            if row.kept and (before is None or before.source != "environment"):
                found[row.name] = _kept(row, keys.get(row.name), before)
        order = list(_ORDER)
        self._known = tuple(sorted(found.values(), key=lambda one: order.index(one.source)))


def _known(given: Connection, source: Source, row: StoredConnection | None) -> Known:
    if row is None:
        return Known(given, source, Capabilities())
    found = capabilities_of(row.capabilities, given.origin)
    return Known(given, source, found, revision=row.revision)


def _kept(row: StoredConnection, own: Credentials | None, before: Known | None) -> Known:
    """What the user keeps; without a key of its own it goes on using the one that was found under
    its name."""
    credentials = own or Credentials()
    if not credentials.key and before is not None:
        credentials = replace(credentials, key=before.connection.api_key)
    made = connection_of(row.name, row.settings, credentials.key, credentials.headers)
    return Known(
        made,
        "here" if row.settings.get(FOUND_HERE) is True else "kept",
        capabilities_of(row.capabilities, made.origin),
        roles_in(row.settings),
        row.revision,
        own_key=own is not None and bool(own.key),
    )


def roles_in(settings: Settings) -> tuple[str, ...]:
    """The roles that kept settings give to their connection."""
    given = settings.get("roles")
    return tuple(role for role in ROLES if role in given) if isinstance(given, list) else ()
