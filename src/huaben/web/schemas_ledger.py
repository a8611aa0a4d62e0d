"""What answers about the ledger look like, and what is asked of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from huaben.web.schemas import PageOf, Told


class CharacterTold(Told):
    """How somebody stands now; `location` is missing where it is not known."""

    affinity: Annotated[int, Field(ge=-100, le=100)]
    status: str
    location: str | None = None
    notes: str


class LedgerTold(Told):
    """What holds in the story now."""

    time: str
    location: str
    characters: dict[str, CharacterTold]
    inventory: list[str]
    flags: dict[str, str]
    plot_threads: list[str]


class RosterTold(Told):
    """Who and what ever appeared, with the story time of the first appearance."""

    people: dict[str, str]
    items: dict[str, str]
    places: dict[str, str]
    threads: dict[str, str]


class GroundTold(Told):
    """The words that a fact rests on, and the turn that they stand in; in a manuscript the chapter, and
    `turn` is empty."""

    turn: str
    quotation: str
    chapter: str = ""


class LedgerResource(Told):
    """What stands at the node `at`. `revision` is another number for every version (0: nothing was
    ever written) and says nothing of which is newer; `node` is where the version was written.
    `claimed` are the dotted paths whose value has no valid evidence, `locked` those that no model may
    change. `behind` counts the sealed turns that the scribe has yet to read (`behind_turns`); `changed`
    are turns whose text was changed since it read them. `grounds` is keyed by dotted path."""

    at: str
    revision: int
    node: str | None
    author: Literal["scribe", "user"] | None
    ledger: LedgerTold
    roster: RosterTold
    claimed: list[str]
    locked: list[str]
    behind: int
    behind_turns: list[str]
    changed: list[str]
    grounds: dict[str, GroundTold]


class LedgerEdit(BaseModel):
    """A patch by the user against the `revision` that they saw: `time` and `location` replace,
    `characters` merge per field and `flags` per key (null deletes), `inventory` and `plot_threads`
    replace whole. `locked` is the whole list of locked paths; left out, locks stay."""

    model_config = ConfigDict(extra="forbid")

    revision: int
    patch: dict[str, JsonValue] = {}
    locked: Annotated[list[str], Field(max_length=1000)] | None = None


class LedgerRevert(BaseModel):
    """Take back what version `version` at `node` changed; `revision` is what stands now."""

    model_config = ConfigDict(extra="forbid")

    revision: int
    node: str
    version: int


class ChangeTold(Told):
    """One place that became different; null where there was or is nothing."""

    path: list[str]
    before: JsonValue
    after: JsonValue


class WarningTold(Told):
    """Something that was written and not done so."""

    code: str
    path: str
    detail: str


class VersionItem(Told):
    """A version of the ledger: who wrote it, why, what became different, on what evidence, what has
    none (`claims`, with what was quoted in vain), and what of it was not done."""

    node: str
    version: int
    revision: int
    at: str
    author: Literal["scribe", "user"]
    reason: Literal["scribe", "user", "revert", "recompute", "import"]
    changes: list[ChangeTold]
    evidence: dict[str, str]
    claims: dict[str, str]
    warnings: list[WarningTold]


VersionPage = PageOf[VersionItem]


class RecomputeBegun(Told):
    """The background job, and how many turns it reads."""

    job: str
    total: int


class RecomputeTold(Told):
    """A reading again from `turn` to `head`: `done` of `total` turns are read. When it is `ready`,
    `changes` lead from what stands at the head to what would."""

    job: str
    turn: str
    head: str
    state: Literal["reading", "ready", "applied", "dropped", "failed"]
    done: int
    total: int
    changes: list[ChangeTold]
    message: str


class CostTold(Told):
    amount: float
    currency: str


class BuildEstimate(Told):
    """What building would take: one call of the scribe for each of `turns`, and about so many tokens.
    `cost` is null where the model's price is not known."""

    turns: int
    prompt_tokens: int
    completion_tokens: int
    model: str
    cost: CostTold | None


class BuildTold(Told):
    """`done` of `turns` are read; `outcome` is the job's own words once it is over."""

    job: str
    state: Literal["running", "done", "failed"]
    done: int
    turns: int
    outcome: str
