"""The manuscript as a running turn's tools see it, and changes that the turn's log and the files take
together."""

from __future__ import annotations

from huaben.agent.filedesk import ChangedByUser, FileEdit, NotWritten, Recorded
from huaben.agent.log import Superseded
from huaben.domain.checkpoint import FileChange, delta_data
from huaben.domain.project import Project
from huaben.errors import Conflict, HuabenError, StorageFailed
from huaben.ports.manuscripts import Found, Rewrite
from huaben.services.house import House
from huaben.services.writing.ending import is_recorded
from huaben.services.writing.recording import notice
from huaben.services.writing.room import desk_lock, finished, manuscripts_of


class TurnFiles:
    """The files of one project for one run of a turn (`agent.filedesk.FileDesk`)."""

    def __init__(self, house: House, project: Project, turn_id: str) -> None:
        self._house = house
        self._project = project
        self._turn_id = turn_id

    async def listing(self) -> Found:
        return await manuscripts_of(self._house).look(self._project.id)

    async def read(self, name: str) -> bytes | None:
        return await manuscripts_of(self._house).read(self._project.id, name)

    async def make(self, edit: FileEdit, recorded: Recorded) -> ChangedByUser | NotWritten | None:
        return await finished(self._make(edit, recorded))

    async def _make(self, edit: FileEdit, recorded: Recorded) -> ChangedByUser | NotWritten | None:
        home, project = manuscripts_of(self._house), self._project
        async with desk_lock(self._house, project.id):
            try:
                standing = await notice(self._house, project)
                now = standing.files
                moved = [name for name, seen in edit.expected.items() if now.get(name) != seen]
                if moved:
                    return ChangedByUser(tuple(sorted(moved)))
                steps: dict[str, FileChange] = {}
                for name, content in sorted(edit.contents.items()):
                    after = None if content is None else await home.keep(project.id, content)
                    if after != now.get(name):
                        steps[name] = FileChange(now.get(name), after)
                change = Rewrite(self._house.ids.new(), project.id, steps, self._turn_id)
                found = await home.change(change) if steps else None
            except (StorageFailed, Conflict) as fault:
                return NotWritten(fault.code, fault.message)
            if found is not None:
                return ChangedByUser(found.names)
            if not steps:
                await recorded({})
                return None
            await self._record(change, standing.number, recorded)
        return None

    async def _record(self, change: Rewrite, number: int, recorded: Recorded) -> None:
        """Have the log say it; where it cannot, the files are as before."""
        home = manuscripts_of(self._house)
        effect: dict[str, object] = {
            "files": delta_data(change.steps),
            "after": number,
            "change": change.id,
        }
        try:
            await recorded(effect)
        except (HuabenError, Superseded):
            await home.settle(change, made=await is_recorded(self._house, change))
            raise
        await home.settle(change, made=True)
