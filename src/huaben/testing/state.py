"""What the in-memory store holds, and how one commit changes it; the rules of the real schema
(what must exist, what is unique) in plain Python, apart from the asynchronous face."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never, cast

from huaben.domain.checkpoint import Snapshot
from huaben.domain.connection import StoredConnection
from huaben.domain.dressing import Dressing
from huaben.domain.events import ProjectEvent, TurnEvent, from_data, to_data
from huaben.domain.libraryitem import Consent, Favourite, ItemVersion, StoredItem
from huaben.domain.notes import Note
from huaben.domain.project import Guidance, Project, StoredBook, StoredCard
from huaben.domain.saves import Save
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import (
    Binned,
    CallClosed,
    CallOpened,
    CheckpointNamed,
    Commit,
    Committed,
    Due,
    DueDone,
    DueJob,
    Effect,
    Head,
    Key,
    LoggedEvent,
    LoggedProjectEvent,
    NodeState,
    Purged,
    Row,
    Stale,
    Visit,
    key_of,
)
from huaben.testing import manuscript_rows, plan_rows

CountedRow: TypeAlias = (
    Project
    | StoredCard
    | StoredBook
    | Guidance
    | Turn
    | Head
    | StoredConnection
    | Note
    | NodeState
    | StoredItem
    | Dressing
    | Consent
    | Favourite
    | Save
    | manuscript_rows.Manuscript
    | plan_rows.Plans
)


@dataclass(slots=True)
class State:
    """Everything stored. Logs of streams are replaced, never changed, so that a copy is cheap.
    `notes` are all versions of all notes, in the order in which they were written."""

    counted: dict[Key, CountedRow] = field(default_factory=dict[Key, CountedRow])
    visits: dict[str, str] = field(default_factory=dict[str, str])
    opened: dict[str, CallOpened] = field(default_factory=dict[str, CallOpened])
    closed: dict[str, CallClosed] = field(default_factory=dict[str, CallClosed])
    effects: dict[str, Effect] = field(default_factory=dict[str, Effect])
    jobs: dict[tuple[str, int], DueJob] = field(default_factory=dict[tuple[str, int], DueJob])
    events: dict[str, tuple[LoggedEvent, ...]] = field(
        default_factory=dict[str, tuple[LoggedEvent, ...]]
    )
    project_events: dict[str, tuple[LoggedProjectEvent, ...]] = field(
        default_factory=dict[str, tuple[LoggedProjectEvent, ...]]
    )
    notes: tuple[Note, ...] = ()
    states: tuple[NodeState, ...] = ()
    item_versions: tuple[tuple[str, ItemVersion], ...] = ()

    def copy(self) -> State:
        return State(
            dict(self.counted),
            dict(self.visits),
            dict(self.opened),
            dict(self.closed),
            dict(self.effects),
            dict(self.jobs),
            dict(self.events),
            dict(self.project_events),
            self.notes,
            self.states,
            self.item_versions,
        )

    def turn(self, turn_id: str) -> Turn | None:
        return cast("Turn | None", self.counted.get(("turn", turn_id)))  # only turns have such keys


class Refused(Exception):
    """Carries a refusal up to where the commit began."""

    def __init__(self, stale: Stale) -> None:
        super().__init__(stale)
        self.stale = stale


def apply(state: State, commit: Commit, now: str) -> Committed:
    """Change the state, which is the caller's own copy. Raises `Refused` or `StorageFailed`."""
    _check_fence(state, commit)
    expected = dict(commit.expected)
    written = {key_of(row) for row in commit.rows}
    for key in [key for key in expected if key not in written]:
        _check(state, key, expected.pop(key))
    revisions: dict[Key, int] = {}
    for row in commit.rows:
        key = key_of(row)
        if key is not None and key in expected:
            _check(state, key, expected.pop(key))
        _write(state, row)
        if key is not None:
            revisions[key] = state.counted[key].revision
    seqs = tuple(_log(state, turn_id, event, now) for turn_id, event in commit.events)
    for project_id, event in commit.project_events:
        _log_project(state, project_id, event, now)
    for job in commit.due:
        _make_due(state, job, now)
    return Committed(revisions, seqs)


def plain(value: Mapping[str, object]) -> dict[str, object]:
    """The value as it comes back from JSON; raises what JSON cannot hold here, in the test."""
    text = json.dumps(value, allow_nan=False, default=dict)
    return cast("dict[str, object]", json.loads(text))  # an object goes in, an object comes out


# ---- checks ------------------------------------------------------------------------------------


def _check_fence(state: State, commit: Commit) -> None:
    if commit.fence is None:
        return
    turn = state.turn(commit.fence.turn_id)
    actual = -1 if turn is None else turn.epoch
    if actual != commit.fence.epoch:
        raise Refused(Stale("epoch", commit.fence.turn_id, commit.fence.epoch, actual))


def _check(state: State, key: Key, expected: int) -> None:
    row = state.counted.get(key)
    actual = 0 if row is None else row.revision
    if actual != expected:
        raise Refused(Stale(*key, expected, actual))


def _require(known: Iterable[object], wanted: object, what: str) -> None:
    if wanted not in known:
        raise StorageFailed("missing_row", f"{what} does not exist; nothing was written")


def _check_request_id(state: State, turn: Turn) -> None:
    for other in state.counted.values():
        if (
            isinstance(other, Turn)
            and turn.request_id is not None
            and other.id != turn.id
            and (other.project_id, other.request_id) == (turn.project_id, turn.request_id)
        ):
            raise Refused(Stale("request", turn.request_id, 0, 1))


# ---- rows --------------------------------------------------------------------------------------


def _write(state: State, row: Row) -> None:  # noqa: C901 - one arm per kind of row
    match row:
        case Project():
            _count(state, ("project", row.id), replace(row, config=plain(row.config)))
        case StoredCard() | StoredBook():
            _count(state, cast("Key", key_of(row)), _plain_book(row))  # these are counted
        case Turn():
            _check_request_id(state, row)
            _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
            _count(state, ("turn", row.id), replace(row, config=plain(row.config)))
        case Head():
            _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
            _count(state, ("head", row.project_id), row)
        case StoredConnection():
            whole = replace(row, settings=plain(row.settings), capabilities=plain(row.capabilities))
            _count(state, ("connection", f"{row.user_id}/{row.name}"), whole)
        case Note():
            _add_version(state, row)
        case NodeState():
            _stand(state, row)
        case StoredItem():
            _keep_item(state, row)
        case Dressing():
            _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
            kept = None if row.kept is None else plain(row.kept)
            _count(state, ("dressing", row.project_id), replace(row, kept=kept))
        case Guidance() | Consent() | Favourite():
            _count(state, cast("Key", key_of(row)), row)  # these are counted
        case Save():
            _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
            _require(state.counted, ("turn", row.node), f"turn {row.node}")
            _count(state, ("save", row.id), row)
        case Snapshot():
            _count(state, *manuscript_rows.grown(state, row))
        case plan_rows.PlanRevision() | plan_rows.PlanTrace():
            state.counted.update(plan_rows.written(state, row))
        case Binned():
            _bin(state, row)
        case _:
            _write_uncounted(state, row)


def _write_uncounted(
    state: State,
    row: Visit | CallOpened | CallClosed | Effect | DueDone | CheckpointNamed | Purged,
) -> None:
    match row:
        case Visit():
            _require(state.counted, ("turn", row.node_id), f"turn {row.node_id}")
            state.visits[row.node_id] = row.child_id
        case CallOpened():
            _open(state, row)
        case CallClosed():
            _require(state.opened, row.id, f"call {row.id}")
            state.closed.setdefault(row.id, row)
        case Effect():
            if row.key in state.effects:
                raise Refused(Stale("effect", row.key, 0, 1))
            state.effects[row.key] = replace(row, result=plain(row.result))
        case DueDone():
            _require(state.jobs, (row.lane, row.seq), f"due job {row.lane}:{row.seq:010d}")
            job = state.jobs[row.lane, row.seq]
            state.jobs[row.lane, row.seq] = replace(job, outcome=job.outcome or row.outcome)
        case CheckpointNamed():
            state.counted.update(manuscript_rows.renamed(state, row))
        case Purged():
            _purge(state, row)
        case _:
            assert_never(row)


def _bin(state: State, row: Binned) -> None:
    _require(state.counted, (row.kind, row.id), f"{row.kind} {row.id}")
    thing = state.counted[row.kind, row.id]
    if isinstance(thing, Project | StoredCard | StoredBook | StoredItem):
        binned = replace(thing, deleted=bool(row.at), deleted_at=row.at)
        _count(state, (row.kind, row.id), binned)
    elif isinstance(thing, Save):
        _count(state, (row.kind, row.id), replace(thing, deleted_at=row.at))


def _keep_item(state: State, row: StoredItem) -> None:
    whole = replace(row, content=plain(row.content), report=plain(row.report))
    _count(state, (row.kind, row.id), whole)
    revision = state.counted[row.kind, row.id].revision
    version = ItemVersion(revision, whole.name, whole.content)
    state.item_versions = (*state.item_versions, (row.id, version))


def _stand(state: State, row: NodeState) -> None:
    _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
    _require(state.counted, ("turn", row.node), f"turn {row.node}")
    key: Key = ("state", f"{row.kind}/{row.node}")
    _count(state, key, replace(row, data=plain(row.data)))
    stands = state.counted[key]
    if isinstance(stands, NodeState):
        state.states = (*state.states, stands)


def _add_version(state: State, row: Note) -> None:
    if row.project_id is not None:
        _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
    if row.node is not None:
        _require(state.counted, ("turn", row.node), f"turn {row.node}")
    first = next((one for one in state.notes if one.id == row.id), row)
    version = 1 + sum(one.id == row.id for one in state.notes)
    row = replace(
        row,
        user_id=first.user_id,
        kind=first.kind,
        project_id=first.project_id,
        card_id=first.card_id,
        version=version,
    )
    _count(state, ("note", row.id), row)
    state.notes = (*state.notes, row)


def _count(state: State, key: Key, row: CountedRow) -> None:
    before = state.counted.get(key)
    state.counted[key] = replace(row, revision=1 if before is None else before.revision + 1)


def _plain_book(row: StoredCard | StoredBook) -> StoredCard | StoredBook:
    return replace(row, content=plain(row.content), report=plain(row.report))


def _open(state: State, row: CallOpened) -> None:
    _require(state.counted, ("project", row.project_id), f"project {row.project_id}")
    _require(state.counted, ("turn", row.turn_id), f"turn {row.turn_id}")
    if row.id in state.opened:
        raise StorageFailed("constraint", f"call {row.id} was opened before; nothing was written")
    state.opened[row.id] = replace(row, outline=[plain(entry) for entry in row.outline])


def _purge(state: State, gone: Purged) -> None:
    row = state.counted.get((gone.kind, gone.id))
    if (
        not isinstance(row, Project | StoredCard | StoredBook | StoredItem | Save)
        or not row.deleted_at
    ):
        return
    projects = [one for one in state.counted.values() if isinstance(one, Project)]
    if any(gone.id == one.card_id or gone.id in one.lorebook_ids for one in projects):
        return
    dressings = [one for one in state.counted.values() if isinstance(one, Dressing)]
    if any(gone.id in (one.preset_id, one.persona_id) for one in dressings):
        return
    if isinstance(row, Project):
        _empty(state, row.id)
    state.item_versions = tuple(one for one in state.item_versions if one[0] != gone.id)
    state.counted.pop(("consent", f"{row.user_id}/{gone.id}"), None)
    state.counted.pop(("favourite", gone.id), None)
    if isinstance(row, StoredCard):
        own = {n.id for n in state.notes if n.card_id == row.id and n.project_id is None}
        _forget_notes(state, own)
    del state.counted[gone.kind, gone.id]


def _empty(state: State, project_id: str) -> None:
    turns = {
        row.id
        for row in state.counted.values()
        if isinstance(row, Turn) and row.project_id == project_id
    }
    for turn_id in turns:
        del state.counted["turn", turn_id]
        state.visits.pop(turn_id, None)
        state.events.pop(turn_id, None)
    _forget_notes(state, {note.id for note in state.notes if note.project_id == project_id})
    for save in [s for s in state.counted.values() if isinstance(s, Save)]:
        if save.project_id == project_id:
            del state.counted["save", save.id]
    for one in [one for one in state.states if one.project_id == project_id]:
        state.counted.pop(("state", f"{one.kind}/{one.node}"), None)
    state.states = tuple(one for one in state.states if one.project_id != project_id)
    for kind in ("head", "dressing", "manuscript", "plan"):
        state.counted.pop((kind, project_id), None)
    state.project_events.pop(project_id, None)
    for call_id in [c.id for c in state.opened.values() if c.project_id == project_id]:
        del state.opened[call_id]
        state.closed.pop(call_id, None)
    for key in [key for key in state.effects if key.startswith(f"{project_id}/")]:
        del state.effects[key]
    for lane in [key for key in state.jobs if key[0].startswith(f"{project_id}/")]:
        del state.jobs[lane]


def _forget_notes(state: State, gone: Collection[str]) -> None:
    state.notes = tuple(note for note in state.notes if note.id not in gone)
    for note_id in gone:
        del state.counted["note", note_id]


# ---- logs --------------------------------------------------------------------------------------


def _log(state: State, turn_id: str, event: TurnEvent, now: str) -> int:
    turn = state.turn(turn_id)
    if turn is None:
        raise StorageFailed("missing_row", f"turn {turn_id} does not exist; nothing was written")
    log = state.events.get(turn_id, ())
    # The last row of a log is never folded away, so it holds the highest number.
    seq = log[-1].seq + 1 if log else 1
    stored = from_data(event.kind, plain(to_data(event)))
    state.events[turn_id] = (*log, LoggedEvent(seq, turn.epoch, now, stored))
    return seq


def _log_project(state: State, project_id: str, event: ProjectEvent, now: str) -> None:
    _require(state.counted, ("project", project_id), f"project {project_id}")
    log = state.project_events.get(project_id, ())
    detail = None if event.detail is None else plain(event.detail)
    logged = LoggedProjectEvent(len(log) + 1, now, replace(event, detail=detail))
    state.project_events[project_id] = (*log, logged)


def _make_due(state: State, job: Due, now: str) -> None:
    seq = 1 + max((known for lane, known in state.jobs if lane == job.lane), default=0)
    made = DueJob(job.lane, seq, job.kind, plain(job.payload), "", now)
    state.jobs[job.lane, seq] = made
