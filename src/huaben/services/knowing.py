"""What a turn knows of the state of its story before it begins: ledger and roster as they stand at the node
that it continues, as blocks for the prompt; apart from the story's words because each may be late."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.events import Notice
from huaben.domain.ledgerversion import Standing
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.prompt.blocks import NO_MEMORY, NO_RESIDENT
from huaben.prompt.segments import LeftOut, Piece
from huaben.prompt.tables import table_rows
from huaben.prompt.worldstate import roster_block, world_state_block
from huaben.services.aftermath.tabulating import speech_of
from huaben.services.aftermath.waiting import ledger_in_time
from huaben.services.house import House
from huaben.services.past import Past
from huaben.services.recalling import Remembered, Told, remembered
from huaben.services.residing import resident_piece
from huaben.services.standing import LedgerAt


@dataclass(frozen=True, slots=True)
class Known:
    """`state` are the blocks of ledger and roster, `memory` that of what was recalled; `left_out` is
    what was recalled and is not in it, `notices` say what was late. `resident` is the card's resident
    summary, for the head of the log. `ledger` is what the tools show; None where none is kept."""

    ledger: LedgerAt | None = None
    state: tuple[Piece, ...] = ()
    memory: Piece = NO_MEMORY
    resident: Piece = NO_RESIDENT
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def standing(self) -> Standing:
        """The facts themselves."""
        return Standing() if self.ledger is None else self.ledger.stood.standing


async def what_is_known(
    house: House, project: Project, scenario: Scenario, turn: Turn, past: Past
) -> Known:
    """The state at the node that a turn continues, and what is remembered there of what `past` does
    not say. Waits for the scribe and for memory as long as the scenario says, then goes on with what
    there is and says so."""
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
    made = await _remembered(house, project, scenario, turn, past, ledger)
    resident = NO_RESIDENT
    if "card" in scenario.memory.sources:
        resident = await resident_piece(house, project, turn.parent, past)
    told = (*notices, *made.notices)
    return Known(ledger, blocks, made.block, resident, made.left_out, told)


async def _remembered(
    house: House, project: Project, scenario: Scenario, turn: Turn, past: Past, ledger: LedgerAt
) -> Remembered:
    """What memory has beyond the live turns and the world state."""
    standing = ledger.stood.standing
    rows = table_rows(speech_of(project), standing.ledger, standing.roster)
    turns = frozenset(one.turn_id for one in past.turns)
    told = Told(turns, frozenset(rows.values()))
    return await remembered(house, project, scenario.memory, turn, told)
