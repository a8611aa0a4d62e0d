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
    "backup.short": "Write the whole library to one file.",
    "backup.help": """Write stories, cards, lorebooks and all that belongs to them to FILE, or into the folder
    “backups” of the data folder. Works while the program runs; the file is read back before it gets
    its name, and can be restored on another machine or another database.

    Keys of connections are not in it.""",
    "backup.force": "Write over a file that is there.",
    "backup.list": "List the backups in the data folder, and how long ago the last one was.",
    "backup.doing": "Backing up",
    "backup.done": "Backed up: {path} ({size})",
    "backup.no_keys": "The keys of your connections are not in it.",
    "backup.left_out": "Not taken along, damaged or with a name that no other system takes: {name}",
    "backup.more_left_out": "and {n} more",
    "backup.stories": "{n} stories",
    "backup.stories.one": "1 story",
    "backup.turns": "{n} turns",
    "backup.turns.one": "1 turn",
    "backup.cards": "{n} cards",
    "backup.cards.one": "1 card",
    "backup.lorebooks": "{n} lorebooks",
    "backup.lorebooks.one": "1 lorebook",
    "backup.before_restore": "(before a restore)",
    "backup.never": "There was no backup yet.",
    "backup.turns_in_all": "{n} turns are told.",
    "backup.turns_in_all.one": "One turn is told.",
    "backup.today": "The last backup is not a day old ({path}).",
    "backup.days_ago": "The last backup was {n} days ago ({path}).",
    "backup.days_ago.one": "The last backup was yesterday ({path}).",
    "backup.turns_since": "{n} turns since.",
    "backup.turns_since.one": "1 turn since.",
    "restore.short": "Put a backup in the place of the library.",
    "restore.help": """Put the library of FILE in the place of the present one: all of it, or nothing. FILE is
    a path, or the name of one that “huaben backup --list” lists.

    What is here and not in the backup is told first. The present library is backed up into the
    folder “backups” before anything is changed, so that a restore can be undone by another. The
    program must not be running.""",
    "restore.preview": "Only tell what it would do.",
    "restore.yes": "Do not ask.",
    "restore.looking": "Reading the backup",
    "restore.doing": "Restoring",
    "restore.archive": "{path}: {at} ({size})",
    "restore.nothing_newer": "All that is here is in it.",
    "restore.newer": "Here and not in the backup:",
    "restore.project": "the story {title}, {n} turns",
    "restore.project.one": "the story {title}, 1 turn",
    "restore.turns": "{n} turns of {title}",
    "restore.turns.one": "1 turn of {title}",
    "restore.more": "and {n} more stories",
    "restore.cards": "{n} cards",
    "restore.cards.one": "1 card",
    "restore.lorebooks": "{n} lorebooks",
    "restore.lorebooks.one": "1 lorebook",
    "restore.confirm": "Put the backup in the place of the present library? [y/N] ",
    "restore.unconfirmed": "Nothing was restored.",
    "restore.unconfirmed_hint": "Say --yes where nobody can be asked.",
    "restore.done": "Restored. What was here before: {path}",
}
