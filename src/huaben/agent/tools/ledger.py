"""The tool that shows the world state: the ledger as it stood when the turn began, as the block says it and as
values."""

from __future__ import annotations

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.spoken import as_json
from huaben.domain.ledger import dotted, ledger_to_json, roster_to_json
from huaben.prompt.worldstate import world_state_block


def world_state_get(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    standing = sources.standing
    answer: dict[str, object] = {
        "text": world_state_block(sources.language, standing.ledger).text,
        "ledger": ledger_to_json(standing.ledger),
        "roster": roster_to_json(standing.roster),
        "claimed": sorted(dotted(path) for path in standing.claimed),
    }
    return Outcome(ok=True, result=as_json(answer))
