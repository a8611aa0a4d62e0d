"""Carries out the folding of a log in the database; what folds into what is the domain's."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, select, update

from huaben.adapters.db import logs, rows, schema
from huaben.domain.folding import fold


def fold_log(connection: Connection, turn_id: str) -> int:
    """Fold the log of a turn that has ended; any other is left alone. How many rows went."""
    turn, table = schema.turn, schema.turn_event
    run = select(turn.c.run).where(turn.c.id == turn_id).with_for_update()
    if connection.execute(run).scalar_one_or_none() != "ended":
        return 0
    log = logs.events(connection, turn_id, 0, None)
    folded = fold([(logged.seq, logged.event) for logged in log])
    this = (table.c.turn_id == turn_id, table.c.seq == bindparam("of"))
    if folded.gone:
        connection.execute(delete(table).where(*this), [{"of": seq} for seq in folded.gone])
    if folded.joined:
        texts = [{"of": seq, "to": rows.payload_of(event)} for seq, event in folded.joined.items()]
        connection.execute(update(table).where(*this).values(payload=bindparam("to")), texts)
    return len(folded.gone)
