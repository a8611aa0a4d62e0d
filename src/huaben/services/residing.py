"""The card's resident summary as one story carries it: it stays as it was when the summary in force was made, so
that another story's end moves no byte of this one's prompt; apart from keeping it, which every story does."""

from __future__ import annotations

from huaben.domain.project import Project
from huaben.ports import Commit
from huaben.prompt.resident import resident_block
from huaben.prompt.segments import Piece
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.memory import card_notes
from huaben.services.past import Past


async def resident_piece(house: House, project: Project, node: str, past: Past) -> Piece:
    """The resident summary for the head of the log, as the story first saw it behind its summary in
    force or, without one, at its beginning. A user's later word is heeded at once, and so is a removal."""
    if project.card_id is None:
        return resident_block(project.language, "")
    notes = await card_notes(house, project, node)
    now = next((note for note in notes if note.kind == "resident"), None)

    async def look() -> Made:
        seen = {"version": now.version, "text": now.text} if now else {"version": 0, "text": ""}
        return Commit(), seen

    anchor = past.summary.node if past.summary else past.greeting.id
    seen = await once(house, f"{project.id}/resident_at/{anchor}", look)
    if now is None:
        return resident_block(project.language, "")
    if now.author == "user":
        return resident_block(project.language, now.text, f"version {now.version}, by the user")
    return resident_block(project.language, str(seen["text"]), f"version {seen['version']}")
