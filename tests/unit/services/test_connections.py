"""Which connection plays a role, and how connections are changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import pytest

from huaben.adapters.system import SystemClock
from huaben.domain.connection import Capabilities, Connection, Secret, ToolProtocol
from huaben.domain.messages import WireRequest
from huaben.domain.providers import LOCAL, known
from huaben.domain.scenario import Scenario
from huaben.errors import BadInput, Conflict, HuabenError, NoConnection, NotFound
from huaben.ports import Drawn, Model
from huaben.services import connecting
from huaben.services.connecting import Switchboard, Wish
from huaben.services.connections import Connections, Known, Painting, Source
from huaben.services.doctor import examine
from huaben.services.house import House
from huaben.services.shelf import Shelf
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.prober import ScriptedProber
from huaben.testing.secrets import MemorySecrets
from huaben.testing.store import MemoryStore

KEY = "sk-kept-0123456789"
REHEARSAL = ScriptedModel([], name="rehearsal")
ENVIRONMENT = Connection("environment", "https://models.example/v1", "env-1", Secret("sk-env"))


def found(name: str, key: str = "sk-found") -> Connection:
    provider = known(name)
    assert provider is not None
    return provider.connection(Secret(key))


REHEARSED = Connection("rehearsal", "", "")


@dataclass(frozen=True)
class Painter:
    """Implements `Images` as far as being chosen goes."""

    connection: Connection

    @property
    def name(self) -> str:
        return self.connection.name

    @property
    def origin(self) -> str:
        return self.connection.origin

    def encode(self, prompt: str) -> WireRequest:
        return WireRequest((prompt.encode(),), ("tail",))

    async def draw(self, wire: WireRequest, hosts: Collection[str] = ()) -> Drawn:
        raise NotImplementedError


class NoScenarios:
    def named(self, name: str) -> Scenario:
        raise NotFound("scenario_not_found", name)

    def names(self) -> list[str]:
        return []


@dataclass
class Office:
    """A house whose connections can be changed, and what was opened in it."""

    given: list[tuple[Source, Connection]] = field(default_factory=list[tuple[Source, Connection]])
    opened: list[tuple[Connection, ToolProtocol]] = field(
        default_factory=list[tuple[Connection, ToolProtocol]]
    )
    prober: ScriptedProber = field(default_factory=ScriptedProber)

    def __post_init__(self) -> None:
        store = MemoryStore()
        self.secrets = MemorySecrets()
        self.connections = Connections(
            self.given,
            self._open,
            {"rehearsal": REHEARSAL},
            painting=Painting(Painter, {"rehearsal": Painter(REHEARSED)}, "easel"),
        )
        self.board = Switchboard(self.connections, self.secrets, self.prober, self._open)
        self.house = House(
            store=store,
            objects=MemoryObjects(),
            clock=SystemClock(),
            ids=CountedIds(),
            models=self.connections,
            scenarios=NoScenarios(),
            shelf=Shelf(store),
            jobs=InlineJobs(store),
            owner="test",
        )

    def _open(self, connection: Connection, protocol: ToolProtocol) -> Model:
        if not connection.base_url.startswith("http"):
            raise BadInput("bad_address", "no address")
        self.opened.append((connection, protocol))
        return ScriptedModel([], name=connection.name, calls_tools=protocol != "none")

    async def keep(
        self,
        name: str,
        *roles: str,
        key: str | None = None,
        expected: int = 0,
        **settings: object,
    ) -> Known:
        usual = {"base_url": f"https://{name}.example/v1", "model": f"{name}-1"}
        wish = Wish(name, {**usual, **settings}, roles, key)
        return await connecting.keep(self.house, self.board, wish, expected)

    def plays(self, role: str, name: str = "") -> str:
        return self.connections.for_role(role, name).name


# ---- roles ---------------------------------------------------------------------------------------


async def test_without_any_connection_the_answer_says_what_to_do() -> None:
    """No model is guessed; the rehearsal plays where it is named and nowhere else."""
    office = Office()
    with pytest.raises(NoConnection) as none:
        office.plays("story")
    assert none.value.code == "no_connection"
    assert office.plays("story", "rehearsal") == "rehearsal"


async def test_a_key_alone_opens_nothing() -> None:
    """A provider without a usual model has to be given one."""
    office = Office([("key", found("zhipu"))])
    with pytest.raises(NoConnection) as none:
        office.plays("story")
    assert (none.value.code, none.value.facts) == ("no_model_chosen", {"connection": "zhipu"})
    await office.keep("zhipu", base_url="", model="glm")
    assert office.plays("story") == "zhipu"
    assert office.opened[-1][0].api_key == Secret("sk-found")


async def test_one_is_taken_in_the_order_of_choice() -> None:
    """What the settings name, what the user keeps, what a key opens, what was found here."""
    office = Office([("key", found("openai")), ("key", found("deepseek"))])
    office.prober.near = {"ollama": "qwen3"}
    await connecting.find(office.house, office.board)
    assert [one.name for one in office.connections.known] == ["openai", "deepseek", "ollama"]
    assert office.plays("story") == "openai"
    await office.keep("mine")
    assert office.plays("story") == "mine"
    office = Office([("environment", ENVIRONMENT), ("key", found("openai"))])
    await office.keep("mine")
    assert office.plays("story") == "environment"


async def test_a_role_goes_to_the_connection_that_was_given_it() -> None:
    """Other roles follow the story; a name that exists goes before everything."""
    office = Office([("environment", ENVIRONMENT)])
    await office.keep("writer", "story")
    await office.keep("small", "scribe", "planner")
    assert office.plays("story") == "writer"
    assert office.plays("scribe") == "small"
    assert office.plays("escalation") == "writer"
    assert office.plays("scribe", "environment") == "environment"


async def test_only_who_was_given_the_role_draws() -> None:
    """A model of words is never asked for a picture, nor one that draws for words; the rehearsal draws
    where it is named."""
    office = Office([("environment", ENVIRONMENT)])
    await office.keep("writer", "story")
    assert office.connections.painter() is None
    await office.keep("easel", "image")
    await office.keep("claude", "image", kind="anthropic")
    await office.keep("easel2", "image")
    painter = office.connections.painter()
    assert painter is not None
    assert painter.name == "easel2"
    assert office.connections.painter() is painter
    assert office.connections.painter("writer") == Painter(
        office.connections.named("writer").connection
    )
    assert office.connections.painter("rehearsal") == Painter(REHEARSED)
    lonely = Office()
    await lonely.keep("easel", "image")
    with pytest.raises(NoConnection):
        lonely.plays("story")


async def test_the_environment_may_give_one_that_only_draws() -> None:
    """Beside its storyteller, whose part it never takes; whoever the user gives the role goes after it."""
    easel = replace(ENVIRONMENT, name="easel", model="painter-1")
    office = Office([("environment", easel), ("environment", ENVIRONMENT)])
    assert office.plays("story") == "environment"
    assert office.connections.painter() == Painter(easel)


async def test_who_only_draws_is_tested_without_a_picture() -> None:
    """Its models are listed; nothing is asked that costs more than a test should."""
    office = Office()
    office.prober.found = {"easel": Capabilities("2026-11-01", models=("painter-1",))}
    await office.keep("easel", "image")
    found = (await connecting.probe(office.house, office.board, "easel")).capabilities
    assert (found.reachable, found.models) == (True, ("painter-1",))
    office.prober.found = {}
    found = (await connecting.probe(office.house, office.board, "easel")).capabilities
    assert (found.reachable, found.failure) == (False, "easel cannot be reached")
    assert office.prober.asked == [("models", "easel")] * 2


async def test_an_unknown_name_falls_back() -> None:
    """A scenario from elsewhere still plays; whoever asked sees that another model answered."""
    office = Office([("environment", ENVIRONMENT)])
    await office.keep("writer", "story")
    assert office.plays("story", "somebody else's") == "writer"


async def test_a_role_has_one_connection() -> None:
    """Giving it to another takes it from the first."""
    office = Office()
    await office.keep("a", "story", "scribe")
    await office.keep("b", "story")
    assert {one.name: one.roles for one in office.connections.known} == {
        "a": ("scribe",),
        "b": ("story",),
    }


# ---- models --------------------------------------------------------------------------------------


async def test_a_model_stays_open_while_nothing_changes() -> None:
    """What an endpoint has taught it is not forgotten; a change opens it anew."""
    office = Office()
    await office.keep("a")
    first = office.connections.for_role("story")
    assert office.connections.for_role("control") is first
    await office.keep("a", expected=1, window=4096)
    second = office.connections.for_role("story")
    assert second is not first
    assert office.opened[-1][0].window == 4096


async def test_inside_a_job_the_adapter_does_not_try_again() -> None:
    """Jobs try again by themselves, and three attempts in all are enough; what is set for all
    connections holds there too."""
    connections = Connections(
        [("environment", ENVIRONMENT)],
        lambda connection, _: ScriptedModel([], name=f"{connection.retries}"),
        common=lambda connection: replace(connection, retries=5),
    )
    played = {
        role: connections.for_role(role).name for role in ("story", "control", "scribe", "planner")
    }
    assert played == {"story": "5", "control": "5", "scribe": "0", "planner": "0"}
    assert connections.for_role("scribe") is connections.for_role("planner")


@pytest.mark.parametrize(
    ("capabilities", "protocol"),
    [
        (Capabilities(calls_tools=True, json_schema=True), "native"),
        (Capabilities(), "native"),
        (Capabilities(calls_tools=False, json_schema=True), "json"),
        (Capabilities(calls_tools=False, json_text=True), "json"),
        (Capabilities(calls_tools=False, json_schema=False), "none"),
    ],
)
async def test_the_tool_protocol_follows_what_a_test_found(
    capabilities: Capabilities, protocol: ToolProtocol
) -> None:
    """Function calling unless it is known not to work; and what the user says goes before it."""
    office = Office()
    await office.keep("a")
    office.prober.found = {"a": replace(capabilities, window=777)}
    tested = await connecting.probe(office.house, office.board, "a")
    assert (tested.protocol, tested.window) == (protocol, 777)
    assert office.connections.for_role("story").calls_tools is (protocol != "none")
    assert office.opened[-1][1] == protocol
    chosen = await office.keep("a", expected=tested.revision, tools="json")
    assert chosen.protocol == "json"


async def test_what_was_found_of_one_model_says_nothing_of_another() -> None:
    """A change of the model makes the connection untested."""
    office = Office()
    await office.keep("a")
    office.prober.found = {"a": Capabilities("2026", calls_tools=False)}
    tested = await connecting.probe(office.house, office.board, "a")
    assert tested.protocol == "none"
    changed = await office.keep("a", expected=tested.revision, model="a-2")
    assert changed.capabilities == Capabilities()


# ---- keeping -------------------------------------------------------------------------------------


async def test_a_key_is_kept_apart() -> None:
    """In the keeper of keys; nothing of it is in the library, and a change that does not speak of it
    leaves it."""
    office = Office()
    made = await office.keep("a", key=KEY)
    assert made.own_key
    assert made.connection.api_key == Secret(KEY)
    rows = await office.house.store.connections("local")
    assert KEY not in str(rows)
    changed = await office.keep("a", expected=1, model="a-2")
    assert changed.connection.api_key == Secret(KEY)
    bare = await office.keep("a", expected=2, key="")
    assert not bare.own_key
    assert await office.secrets.all() == {}


async def test_a_found_connection_can_be_changed_without_its_key() -> None:
    """The model is chosen; the key goes on coming from the environment, and a test of it is kept."""
    office = Office([("key", found("deepseek", KEY))])
    office.prober.found = {"deepseek": Capabilities("2026", streams=True)}
    tested = await connecting.probe(office.house, office.board, "deepseek")
    assert (tested.source, tested.capabilities.streams) == ("key", True)
    chosen = await office.keep("deepseek", base_url="", model="deepseek-v4-pro")
    assert chosen.connection.base_url == "https://api.deepseek.com"
    assert (chosen.source, chosen.connection.api_key) == ("kept", Secret(KEY))
    assert await office.secrets.all() == {}
    await connecting.forget(office.house, office.board, "deepseek", chosen.revision)
    assert office.connections.named("deepseek").connection.model == "deepseek-flash"


async def test_a_forgotten_connection_takes_its_key_along() -> None:
    """It can be made anew under the same name."""
    office = Office()
    await office.keep("a", "story", key=KEY)
    await connecting.forget(office.house, office.board, "a", 1)
    assert await office.secrets.all() == {}
    with pytest.raises(NotFound):
        office.connections.named("a")
    again = await office.keep("a")
    assert (again.roles, again.connection.api_key) == ((), Secret())


WRONG: Mapping[str, tuple[dict[str, object], str]] = {
    "bad_name": ({"name": " "}, "bad_name"),
    "a long name": ({"name": "x" * 61}, "bad_name"),
    "a line break": ({"name": "a\nb"}, "bad_name"),
    "the rehearsal's": ({"name": "rehearsal"}, "bad_name"),
    "the environment's": ({"name": "environment"}, "bad_name"),
    "no address": ({"base_url": ""}, "address_missing"),
    "no address at all": ({"base_url": "ftp://x"}, "bad_address"),
    "a password": ({"base_url": "https://me:secret@x.example/v1"}, "key_in_address"),
    "a key": ({"base_url": "https://x.example/v1?key=secret"}, "key_in_address"),
}


@pytest.mark.parametrize(("changes", "code"), WRONG.values(), ids=WRONG)
async def test_what_cannot_be_kept_is_refused(changes: dict[str, object], code: str) -> None:
    """Nothing is stored, and no message repeats a password."""
    office = Office([("environment", ENVIRONMENT)])
    name = str(changes.get("name", "a"))
    usual: dict[str, object] = {"base_url": "https://x.example/v1", "model": "m"}
    settings = {**usual, **{k: v for k, v in changes.items() if k != "name"}}
    with pytest.raises(BadInput) as refused:
        await connecting.keep(office.house, office.board, Wish(name, settings), 0)
    assert refused.value.code == code
    assert "secret" not in refused.value.message
    assert await office.house.store.connections("local") == []


async def test_two_who_change_at_once_are_told_apart() -> None:
    """The second sees that there is one, or that it was changed, or that it is gone."""
    office = Office([("key", found("openai"))])
    await office.keep("a")
    codes: list[str] = []
    for expected, name in ((0, "a"), (7, "a"), (3, "never")):
        with pytest.raises(HuabenError) as refused:
            await office.keep(name, expected=expected)
        codes.append(refused.value.code)
    assert codes == ["connection_exists", "connection_changed", "connection_not_found"]
    with pytest.raises(Conflict) as kept:
        await connecting.forget(office.house, office.board, "openai", 0)
    assert kept.value.code == "connection_not_kept"
    with pytest.raises(NotFound):
        await connecting.forget(office.house, office.board, "nobody", 0)


# ---- finding and testing ---------------------------------------------------------------------------


async def test_nothing_is_asked_until_somebody_asks() -> None:
    """Opening, listing and choosing touch no endpoint."""
    office = Office([("environment", ENVIRONMENT), ("key", found("openai"))])
    await office.keep("a", key=KEY)
    await connecting.refresh(office.house, office.board)
    office.plays("story")
    assert office.prober.asked == []


async def test_servers_on_this_machine_are_found_once() -> None:
    """Each usual port that is not connected already; what is found is kept, last in the order."""
    office = Office()
    office.prober.near = {"ollama": "qwen3", "lmstudio": "gemma"}
    found_here = await connecting.find(office.house, office.board)
    assert [(one.name, one.connection.model, one.source) for one in found_here] == [
        ("ollama", "qwen3", "here"),
        ("lmstudio", "gemma", "here"),
    ]
    office.prober.asked.clear()
    await connecting.find(office.house, office.board)
    assert office.prober.asked == [("find", "llama.cpp")]
    chosen = await office.keep("ollama", base_url=LOCAL[0].base_url, expected=1)
    assert chosen.source == "kept"


async def test_the_doctor_tells_of_each_connection_as_it_goes() -> None:
    """What was found here first of all; a name alone asks nobody else."""
    office = Office([("key", found("openai"))])
    office.prober.found = {"openai": Capabilities("2026", reachable=True)}
    office.prober.near = {"ollama": "qwen3"}
    told = [one async for one in examine(office.house, office.board)]
    assert [(one.name, one.capabilities.reachable) for one in told] == [
        ("openai", True),
        ("ollama", False),
    ]
    office.prober.asked.clear()
    assert [one.name async for one in examine(office.house, office.board, ["openai"])] == ["openai"]
    assert office.prober.asked == [("probe", "openai")]
    with pytest.raises(NotFound):
        _ = [one async for one in examine(office.house, office.board, ["openai", "nobody"])]
    assert office.prober.asked == [("probe", "openai")]
