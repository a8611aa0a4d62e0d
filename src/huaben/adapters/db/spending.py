"""What calls took, added up by the database; apart from the log reads because nobody wants to load
thousands of calls for a few sums."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from huaben.adapters.db import schema
from huaben.adapters.db.codec import a_text
from huaben.adapters.db.rows import AnyRow
from huaben.ports import Spent


def spent(connection: Connection, project_id: str) -> list[Spent]:
    call = schema.call
    currency = func.coalesce(call.c.cost_currency, "")
    groups = (call.c.turn_id, call.c.purpose, call.c.model, currency)
    sums = [
        func.coalesce(func.sum(column), 0).label(name)
        for name, column in (
            ("prompt", call.c.prompt_tokens),
            ("completion", call.c.completion_tokens),
            ("reasoning", call.c.reasoning_tokens),
            ("cached", call.c.cached_tokens),
            ("cache_written", call.c.cache_written_tokens),
            ("cost_micros", call.c.cost_micros),
        )
    ]
    found = connection.execute(
        select(*groups[:3], currency.label("currency"), func.count().label("calls"), *sums)
        .where(call.c.project_id == project_id, call.c.state == "done")
        .group_by(*groups)
        .order_by(func.min(call.c.ordinal), currency)
    )
    return [_spent(row) for row in found]


def _spent(row: AnyRow) -> Spent:
    return Spent(
        turn_id=a_text(row.turn_id),
        purpose=a_text(row.purpose),
        model=a_text(row.model),
        currency=a_text(row.currency),
        calls=int(row.calls),
        prompt=int(row.prompt),
        completion=int(row.completion),
        reasoning=int(row.reasoning),
        cached=int(row.cached),
        cache_written=int(row.cache_written),
        cost_micros=int(row.cost_micros),
    )
