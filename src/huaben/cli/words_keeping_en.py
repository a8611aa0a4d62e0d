"""Sentences about saves, backups and restoring in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "saves.short": "Name places of a story, and go back to them.",
    "saves.help": """List the saves of PROJECT, newest first, or change them.

    A save is a name for a turn. Going to one moves the present there and loses nothing; deleting one
    leaves its turn where it is, and the save lies in the trash for thirty days. SAVE is an id, the
    beginning of one, or a name.""",
    "saves.name": "NAME",
    "saves.turn_name": "TURN",
    "saves.save_name": "SAVE",
    "saves.rename_names": "SAVE NAME",
    "saves.add": "Make a save of that name where the story stands.",
    "saves.turn": "With --add: at this turn instead, by its number, its id, or “latest”.",
    "saves.rename": "Give a save another name.",
    "saves.delete": "Put a save into the trash.",
    "saves.go": "Move the present to a save.",
    "saves.row": "{number}  {name}  {id}",
    "saves.aside": "on another branch",
    "saves.lost": "its turn was put aside",
    "saves.by_model": "by the model",
    "saves.none": "This story has no saves.",
    "saves.added": "Saved as {name} ({id}).",
    "saves.renamed": "It is called {name} now ({id}).",
    "saves.deleted": "{name} lies in the trash now ({id}).",
    "saves.gone": "The story stands at {name} now.",
    "saves.missing": "This story has no save {name}.",
    "saves.ambiguous": "Several saves are called {name}: {ids}.",
}
