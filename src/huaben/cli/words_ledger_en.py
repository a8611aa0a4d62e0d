"""Sentences about the ledger in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "ledger.short": "Show what holds in a story, and change it.",
    "ledger.help": """Show the ledger of PROJECT: the current facts, and who ever appeared. With --set, --patch,
    --lock, --unlock or --revert a version of your own is written at the present end of the story; each
    can be taken back. A place is a dotted path: time, location, inventory, plot_threads,
    characters.NAME.affinity (status, location, notes), flags.NAME.""",
    "ledger.at": "The ledger as it stood at TURN: a number, an id, or “latest”.",
    "ledger.turn_name": "TURN",
    "ledger.history": "List the versions instead, newest first.",
    "ledger.set": "Set a place; may be given several times. Lists are parted by commas, nothing removes.",
    "ledger.assignment": "PATH=VALUE",
    "ledger.patch": "Apply a whole patch.",
    "ledger.json_name": "JSON",
    "ledger.lock": "No model may change this place any more.",
    "ledger.unlock": "Models may change it again.",
    "ledger.path": "PATH",
    "ledger.revert": "Take back version N of the list that --history shows.",
    "ledger.time": "time",
    "ledger.location": "place",
    "ledger.inventory": "carried",
    "ledger.threads": "open",
    "ledger.roster": "appeared",
    "ledger.claimed": "claimed",
    "ledger.locked": "locked",
    "ledger.empty": "Nothing is recorded.",
    "ledger.behind": "The ledger is {n} turns behind; catching up with the next turn.",
    "ledger.changed": "Earlier text changed; the ledger may be behind. See: huaben recompute",
    "ledger.version": "{n:>3}  {at}  {author}  {reason}  {node}",
    "ledger.by.user": "user",
    "ledger.by.scribe": "scribe",
    "ledger.bad_assignment": "“{text}” is no PATH=VALUE.",
    "ledger.bad_json": "The patch is no JSON object.",
    "ledger.no_version": "There is no version {n} in the list.",
    "recompute.short": "Read the ledger again from a turn on.",
    "recompute.help": """Let the scribe read again from TURN of PROJECT to the present end, show what would change,
    and with --yes apply it. Costs one small model call for each turn.""",
    "recompute.yes": "Apply what was read.",
    "recompute.nothing": "Nothing would change.",
    "recompute.change": "{path}: {before} → {after}",
    "recompute.applied": "Applied.",
    "recompute.kept": "Nothing was changed. With --yes it is applied.",
    "recompute.failed": "Reading failed: {why}",
}
