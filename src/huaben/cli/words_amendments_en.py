"""Sentences about lasting changes of a story in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "jobs.amendment": "working out of a lasting change",
    "amendments.short": "Lasting changes that were proposed in a story.",
    "amendments.help": """List the lasting changes that were ordered in PROJECT, or give your word on one.

    A change holds for the turns that begin after it was accepted; the card and the lorebooks themselves
    stay as they are. TURN is the id of the turn that ordered it, or the end of one.""",
    "amendments.turn_name": "TURN",
    "amendments.accept": "Let the change hold for later turns.",
    "amendments.refuse": "Leave everything as it is.",
    "amendments.undo": "Take an accepted change back.",
    "amendments.row": "{turn}  {state}  {request}",
    "amendments.none": "No lasting change was ordered in this story.",
    "amendments.unknown": "This story has no lasting change {turn}.",
    "amendments.proposed": "waits for your word",
    "amendments.applied": "in force",
    "amendments.refused": "refused",
    "amendments.undone": "undone",
    "amendments.failed": "failed",
}
