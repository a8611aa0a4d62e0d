"""Sentences about moving in, in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "move.short": "Bring a whole old installation in.",
    "move.help": """Show what is in FOLDER, the data of a SillyTavern installation, and bring it in.

    Cards come first, then lorebooks, personas with their pictures and regex scripts, presets and
    templates, quick replies, chats, each to the card of its folder, and group chats. It is one
    background job that goes on at the next start if it is interrupted; a second time adds nothing.
    Keys are never opened, and nothing in FOLDER is changed.""",
    "move.folder_name": "FOLDER",
    "move.only": "Only these kinds, with commas between them: {kinds}.",
    "move.only_name": "KINDS",
    "move.yes": "Do not ask.",
    "move.bad_kind": "There is no kind “{kind}”; there are {kinds}.",
    "move.root": "{root} holds:",
    "move.part": "{kind}: {files} ({size})",
    "move.left_heading": "What stays behind:",
    "move.left": "{place}: {files} ({size}), {reason}",
    "move.link": "{place}: a link, not followed",
    "moving.cards": "cards",
    "moving.lorebooks": "lorebooks",
    "moving.settings": "settings with personas and regex scripts",
    "moving.avatars": "pictures of personas",
    "moving.presets": "presets",
    "moving.templates": "templates",
    "moving.quick_replies": "quick replies",
    "moving.chats": "chats",
    "moving.groups": "group chats",
    "moving.secret": "keys are never opened",
    "moving.made_again": "made again when it is needed",
    "moving.backup": "copies of what is here",
    "moving.appearance": "the look of the other program",
    "moving.picture": "pictures have no place here yet",
    "moving.program": "another program's code is not run",
    "moving.group_rules": "read for who is in a group; how it takes turns is not taken over",
    "moving.unknown": "not known",
    "move.confirm": "Bring this in? [y/N] ",
    "move.unconfirmed": "Nothing was brought in.",
    "move.unconfirmed_hint": "Say --yes to bring it in.",
    "move.storing": "Storing",
    "move.taking": "Taking in",
    "move.goes_on": "What is stored is safe; the move goes on at the next start.",
    "move.refused": "{place}: {message}",
    "move.total": "{kind}: {imported} new, {already} here already, {refused} not taken",
    "jobs.move": "moving in",
}
