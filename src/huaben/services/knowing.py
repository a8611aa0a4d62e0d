"""What a turn knows of the state of its story before it begins: ledger and roster as they stand at the node
that it continues, as blocks for the prompt; apart from the story's words because each may be late."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.events import Notice
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.prompt.blocks import NO_MEMORY
from huaben.prompt.segments import LeftOut, Piece
from huaben.prompt.worldstate import roster_block, world_state_block
from huaben.services.aftermath.waiting import ledger_in_time
from huaben.services.house import House
from huaben.services.standing import LedgerAt


@dataclass(frozen=True, slots=True)
class Known:
    """`state` are the blocks of ledger and roster, `memory` that of what was recalled; `left_out` is
    what was recalled and is not in it, `notices` say what was late. `ledger` is what the tools show;
    None where none is kept."""

    ledger: LedgerAt | None = None
    state: tuple[Piece, ...] = ()
    memory: Piece = NO_MEMORY
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[Notice, ...] = ()


async def what_is_known(house: House, project: Project, scenario: Scenario, turn: Turn) -> Known:
    """The state at the node that a turn continues. Waits for the scribe as long as the scenario says,
    then goes on with the older ledger and says so."""
    if turn.parent is None:
        return Known()
    tree = Tree(await house.store.skeleton(project.id))
    wait_s = scenario.scribe.wait_s if scenario.scribe.enabled else 0
    ledger = await ledger_in_time(house, project.id, tree, turn.parent, wait_s)
    standing = ledger.stood.standing
    blocks = (
        world_state_block(project.language, standing.ledger),
        roster_block(project.language, standing.roster),
    )
    notices: list[Notice] = []
    if scenario.scribe.enabled and ledger.behind:
        notices.append(Notice("ledger_behind", str(len(ledger.behind))))
    return Known(ledger, blocks, notices=tuple(notices))
