"""Domain values to table rows and back; apart from the statements, so that a field has one home.

`*_values` give the columns of a row (without the counters that only the store moves), `*_of` read
a selected row. A resolved configuration is a segment; its row holds only the hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, cast

from sqlalchemy import ColumnElement, Row

from huaben.adapters.db import codec, schema
from huaben.adapters.db.codec import a_bytes, a_number, a_text, maybe_text
from huaben.domain.events import ProjectEvent, TurnEvent, from_data, to_data
from huaben.domain.messages import Usage
from huaben.domain.pricing import Cost
from huaben.domain.project import Guidance, Language, Mode, Project, StoredBook, StoredCard
from huaben.domain.story import Node, Outcome, Revision, Run, Turn, TurnKind
from huaben.ports import (
    CallClosed,
    CallOpened,
    CallRecord,
    DueJob,
    Head,
    LoggedEvent,
    LoggedProjectEvent,
)

AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"  # pyright: ignore[reportExplicitAny] - a driver's values
"""A row whose columns are named by one of the `*_COLUMNS` here; each is checked as it is read."""
Values: TypeAlias = dict[str, object]
Stored = TypeVar("Stored", StoredCard, StoredBook)

NODE_COLUMNS: Sequence[ColumnElement[Any]] = (  # pyright: ignore[reportExplicitAny] - of many types
    schema.turn.c.id,
    schema.turn.c.parent,
    schema.turn.c.kind,
    schema.turn.c.beat,
    schema.turn.c.depth,
    schema.turn.c.run,
    schema.turn.c.outcome,
    schema.turn.c.revises_turn,
    schema.turn.c.revises_version,
    schema.visit.c.child_id,
    schema.turn.c.deleted,
    schema.turn.c.prose,
)


def digest(content: bytes) -> bytes:
    """The name of a segment."""
    return hashlib.sha256(content).digest()


def config_bytes(config: Mapping[str, object]) -> bytes:
    """A resolved configuration as the content of a segment."""
    return codec.to_json(config).encode()


# ---- projects and the library ------------------------------------------------------------------


def project_values(project: Project) -> Values:
    return {
        "id": project.id,
        "user_id": project.user_id,
        "title": project.title,
        "mode": project.mode,
        "language": project.language,
        "created_at": project.created_at,
        "card_id": project.card_id,
        "lorebook_ids": codec.to_json(project.lorebook_ids),
        "persona": codec.to_json(codec.fields_of(project.persona)),
        "config": digest(config_bytes(project.config)),
        "deleted": project.deleted,
        "deleted_at": project.deleted_at or None,
    }


def project_of(row: AnyRow, config: Mapping[str, object]) -> Project:
    return Project(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        title=a_text(row.title),
        mode=cast("Mode", a_text(row.mode)),  # written from the same type
        language=cast("Language", a_text(row.language)),  # written from the same type
        created_at=a_text(row.created_at),
        card_id=maybe_text(row.card_id),
        lorebook_ids=codec.texts_from(a_text(row.lorebook_ids)),
        persona=codec.persona_from(a_text(row.persona)),
        config=config,
        deleted=bool(row.deleted),
        revision=a_number(row.revision),
        deleted_at=maybe_text(row.deleted_at) or "",
    )


def library_values(item: StoredCard | StoredBook) -> Values:
    return {
        "id": item.id,
        "user_id": item.user_id,
        "name": item.name,
        "object_hash": item.object_hash,
        "filename": item.filename,
        "created_at": item.created_at,
        "deleted": item.deleted,
        "deleted_at": item.deleted_at or None,
        "report": codec.to_json(item.report),
        "content": codec.to_json(item.content),
        "follows": item.follows or None,
    }


def card_of(row: AnyRow) -> StoredCard:
    return StoredCard(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        name=a_text(row.name),
        object_hash=a_text(row.object_hash),
        filename=a_text(row.filename),
        content=codec.object_from(a_text(row.content)),
        report=codec.object_from(a_text(row.report)),
        created_at=a_text(row.created_at),
        deleted=bool(row.deleted),
        revision=a_number(row.revision),
        deleted_at=maybe_text(row.deleted_at) or "",
        follows=maybe_text(row.follows) or "",
    )


def book_of(row: AnyRow) -> StoredBook:
    return StoredBook(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        name=a_text(row.name),
        object_hash=a_text(row.object_hash),
        filename=a_text(row.filename),
        content=codec.object_from(a_text(row.content)),
        report=codec.object_from(a_text(row.report)),
        created_at=a_text(row.created_at),
        deleted=bool(row.deleted),
        revision=a_number(row.revision),
        deleted_at=maybe_text(row.deleted_at) or "",
        follows=maybe_text(row.follows) or "",
    )


def listed(row: AnyRow, read: Callable[[AnyRow], Stored], kind: type[Stored]) -> Stored:
    """The row as a list shows it: one that cannot be read is marked, and hides no other."""
    try:
        return read(row)
    except codec.Undecodable as fault:
        return kind(
            id=str(row.id),
            user_id=str(row.user_id),
            name=str(row.name),
            object_hash=str(row.object_hash),
            filename=str(row.filename),
            content={},
            report={},
            created_at=str(row.created_at),
            revision=int(row.revision),
            broken=str(fault),
        )


def guidance_values(guidance: Guidance) -> Values:
    return {
        "user_id": guidance.user_id,
        "card_id": guidance.card_id,
        "name": guidance.name,
        "text": guidance.text,
    }


def guidance_of(row: AnyRow) -> Guidance:
    return Guidance(
        user_id=a_text(row.user_id),
        card_id=a_text(row.card_id),
        name=a_text(row.name),
        text=a_text(row.text),
        revision=a_number(row.revision),
    )


# ---- the tree ----------------------------------------------------------------------------------


def turn_values(turn: Turn) -> Values:
    revises = turn.revises
    return {
        "id": turn.id,
        "project_id": turn.project_id,
        "user_id": turn.user_id,
        "parent": turn.parent,
        "kind": turn.kind,
        "beat": turn.beat,
        "depth": turn.depth,
        "run": turn.run,
        "outcome": turn.outcome,
        "revises_turn": revises.turn if revises else None,
        "revises_version": revises.version if revises else None,
        "revises_text": revises.text if revises else None,
        "deleted": turn.deleted,
        "prose": turn.prose,
        "at_once": turn.at_once,
        "rerolls": turn.rerolls,
        "epoch": turn.epoch,
        "request_id": turn.request_id,
        "owner": turn.owner,
        "created_at": turn.created_at,
        "ended_at": turn.ended_at,
        "code": turn.code,
        "version": turn.version,
        "config": digest(config_bytes(turn.config)),
        "message": turn.message,
        "title": turn.title,
        "asked": codec.asked_to(turn.asked),
        "user_text": turn.user_text,
        "final_text": turn.final_text,
    }


def turn_of(row: AnyRow, config: Mapping[str, object]) -> Turn:
    revises_turn = maybe_text(row.revises_turn)
    return Turn(
        id=a_text(row.id),
        project_id=a_text(row.project_id),
        user_id=a_text(row.user_id),
        parent=maybe_text(row.parent),
        kind=cast("TurnKind", a_text(row.kind)),  # written from the same type
        beat=a_text(row.beat),
        depth=a_number(row.depth),
        created_at=a_text(row.created_at),
        run=cast("Run", a_text(row.run)),  # written from the same type
        outcome=cast("Outcome | None", maybe_text(row.outcome)),  # written from the same type
        code=a_text(row.code),
        message=a_text(row.message),
        title=a_text(row.title),
        user_text=a_text(row.user_text),
        asked=codec.asked_from(a_text(row.asked)),
        final_text=a_text(row.final_text),
        version=a_number(row.version),
        prose=bool(row.prose),
        at_once=bool(row.at_once),
        rerolls=maybe_text(row.rerolls),
        revises=Revision(revises_turn, a_number(row.revises_version), a_text(row.revises_text))
        if revises_turn is not None
        else None,
        request_id=maybe_text(row.request_id),
        owner=a_text(row.owner),
        epoch=a_number(row.epoch),
        config=config,
        deleted=bool(row.deleted),
        ended_at=a_text(row.ended_at),
        revision=a_number(row.revision),
    )


def nodes_of(rows: Sequence[AnyRow]) -> list[Node]:
    """Many skeletons of `NODE_COLUMNS`; unchecked, because a tree has ten thousand of them and the
    columns' types are the database's."""
    return [
        Node(
            id, parent, kind, beat, depth, run, outcome,
            None if target is None else (target, version),
            last_child, deleted, prose,
        )
        for (
            id, parent, kind, beat, depth, run, outcome, target, version, last_child, deleted, prose
        ) in rows
    ]  # fmt: skip


def head_values(head: Head) -> Values:
    return {"project_id": head.project_id, "turn_id": head.turn_id}


def head_of(row: AnyRow) -> Head:
    return Head(a_text(row.project_id), a_text(row.turn_id), a_number(row.revision))


# ---- logs --------------------------------------------------------------------------------------


def payload_of(event: TurnEvent) -> bytes:
    return codec.packed(codec.to_json(to_data(event)).encode())


def event_of(row: AnyRow) -> LoggedEvent:
    try:
        event = from_data(a_text(row.kind), codec.object_from(codec.unpacked(a_bytes(row.payload))))
    except (KeyError, TypeError) as fault:
        raise codec.Undecodable(f"an event of kind {row.kind} does not decode: {fault}") from fault
    return LoggedEvent(a_number(row.seq), a_number(row.epoch), a_text(row.at), event)


def project_event_values(project_id: str, seq: int, at: str, event: ProjectEvent) -> Values:
    return {
        "project_id": project_id,
        "seq": seq,
        "at": at,
        "kind": event.kind,
        "turn": event.turn,
        "detail": None if event.detail is None else codec.to_json(event.detail),
    }


def project_event_of(row: AnyRow) -> LoggedProjectEvent:
    detail = maybe_text(row.detail)
    event = ProjectEvent(
        a_text(row.kind),
        maybe_text(row.turn),
        None if detail is None else codec.object_from(detail),
    )
    return LoggedProjectEvent(a_number(row.seq), a_text(row.at), event)


def opened_values(opened: CallOpened) -> Values:
    return {
        "id": opened.id,
        "turn_id": opened.turn_id,
        "project_id": opened.project_id,
        "user_id": opened.user_id,
        "n": opened.n,
        "purpose": opened.purpose,
        "model": opened.model,
        "state": "open",
        "request_bytes": sum(map(len, opened.request.parts)),
        "break_cause": opened.break_cause,
        "opened_at": opened.opened_at,
        "closed_at": "",
        "error": "",
    }


def closed_values(closed: CallClosed) -> Values:
    usage = closed.usage
    return {
        "state": "done" if closed.reply is not None else "failed",
        "reply": None if closed.reply is None else codec.reply_to(closed.reply),
        "error": closed.error,
        "closed_at": closed.closed_at,
        "first_token_ms": closed.first_token_ms,
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "reasoning_tokens": usage.reasoning,
        "cached_tokens": usage.cached,
        "cache_written_tokens": usage.cache_written,
        "cost_micros": None if closed.cost is None else closed.cost.micros,
        "cost_currency": None if closed.cost is None else closed.cost.currency,
    }


def call_of(row: AnyRow, outline: Sequence[Mapping[str, object]]) -> CallRecord:
    return CallRecord(
        id=a_text(row.id),
        turn_id=a_text(row.turn_id),
        n=a_number(row.n),
        purpose=a_text(row.purpose),
        model=a_text(row.model),
        state=cast(
            "Literal['open', 'done', 'failed']", a_text(row.state)
        ),  # only these are written
        reply=None if row.reply is None else codec.reply_from(a_bytes(row.reply)),
        error=a_text(row.error),
        usage=Usage(
            prompt=codec.maybe_number(row.prompt_tokens),
            completion=codec.maybe_number(row.completion_tokens),
            reasoning=codec.maybe_number(row.reasoning_tokens),
            cached=codec.maybe_number(row.cached_tokens),
            cache_written=codec.maybe_number(row.cache_written_tokens),
        ),
        outline=outline,
        break_cause=a_text(row.break_cause),
        request_bytes=a_number(row.request_bytes),
        opened_at=a_text(row.opened_at),
        closed_at=a_text(row.closed_at),
        first_token_ms=codec.maybe_number(row.first_token_ms),
        cost=_cost_of(row),
    )


def _cost_of(row: AnyRow) -> Cost | None:
    micros, currency = codec.maybe_number(row.cost_micros), maybe_text(row.cost_currency)
    return None if micros is None or currency is None else Cost(micros, currency)


def job_of(row: AnyRow) -> DueJob:
    return DueJob(
        lane=a_text(row.lane),
        seq=a_number(row.seq),
        kind=a_text(row.kind),
        payload=codec.object_from(a_text(row.payload)),
        outcome=a_text(row.outcome),
        made_at=a_text(row.made_at),
    )
