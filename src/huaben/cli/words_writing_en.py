"""Sentences about manuscripts in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "write.short": "Write a book with a model: chapters are files.",
    "write.help": """Talk about the manuscript of PROJECT; the model reads and changes its chapters.

    What you say is discussion and what it answers is a report; prose goes into the files alone, and
    every change can be taken back (huaben checkpoints). With --say each line is a turn; without, you are
    asked line by line, or each line of standard input is said.""",
    "write.new": "Begin a new writing project of that title.",
    "write.card": "With --new: a card of the library, as requirements on the manuscript; `rehearsal` needs no model.",
    "write.greeting": "With --new: the card's greeting becomes the first chapter.",
    "write.say": "Say this, as a turn of its own; may be repeated.",
    "write.only_new": "--card, --greeting and --from belong to a new project: add --new.",
    "check.short": "Check an edited manuscript against ledger and later chapters.",
    "check.help": """Let the planner's experts read what changed in PROJECT since the last check, or CHAPTERS whole, against
    the ledger and the later chapters, and report conflicts with quotations. Nothing is changed.

    Facts whose words have gone from the text are listed too. With --show no model is asked.""",
    "check.chapters_name": "[CHAPTER]…",
    "check.since": "Check what changed since this checkpoint.",
    "check.show": "Show what is to be checked and what was found, and ask nobody.",
    "check.read": "Let the scribe read CHAPTERS, or all that it lacks, into the ledger.",
    "check.accept": "Accept finding N; may be repeated.",
    "check.dismiss": "Dismiss finding N; may be repeated.",
    "check.hold": "Say that a marked fact (by its path) or note (by its id) holds; may be repeated.",
    "check.failed": "The check failed: {why}",
    "check.fact": "to be checked: {path}  ({chapter}: “{quotation}” is not there any more)",
    "check.note": "to be checked: note {id} {title}  ({chapter} has changed)",
    "check.may_differ": "An earlier text was restored; the ledger may differ from it: {names}",
    "check.unread": "Not in the ledger yet: {names}",
    "check.left_out": "Left out as too many: {names}",
    "check.experts_failed": "Without an answer: {names}",
    "check.nothing": "Nothing was found.",
    "check.accepted": "[accepted]",
    "check.dismissed": "[dismissed]",
    "check.advisory": "(unproved)",
    "check.quote": "   {chapter}: “{quote}”",
    "check.in_ledger": "ledger",
    "chapters.short": "Show the chapters of a manuscript, or bring files in as chapters.",
    "chapters.help": """List the chapters of PROJECT, show one, or bring files in.

    The chapters are Markdown files in the data folder and may be edited with any editor; such edits are
    noticed and get a checkpoint of their own.""",
    "chapters.name": "CHAPTER",
    "chapters.show": "Print a chapter, by its file name.",
    "chapters.import": "Bring a Markdown or text file in behind the last chapter; may be repeated.",
    "chapters.apart": "With --import: take each file apart at its headings.",
    "chapters.imported": "Brought in: {name}",
    "chapters.row": "{name}  {chars}  {changed}",
    "chapters.bytes": "not UTF-8",
    "chapters.left_out": "Left out: {name} ({reason})",
    "chapters.none": "There is no chapter yet.",
    "replace.short": "Find words in all chapters of a manuscript and replace them.",
    "replace.help": """Show where OLD stands in the chapters of PROJECT and what it would become.

    Nothing changes before --yes; then all places are replaced as one checkpoint, which can be taken
    back (huaben checkpoints).""",
    "replace.old": "OLD",
    "replace.new": "NEW",
    "replace.in": "Only in this chapter; may be repeated.",
    "replace.pattern": "OLD is a regular expression; NEW may hold $1, $<name> and $&.",
    "replace.whole_words": "Only whole words, in scripts that part words by spaces.",
    "replace.ignore_case": "Upper and lower case are alike.",
    "replace.yes": "Replace all that was found.",
    "replace.more": "{name}: {n} more",
    "replace.none": "Nothing was found.",
    "replace.shown": "{n} found; nothing is changed. --yes replaces them.",
    "replace.done": "{n} replaced; it is checkpoint {checkpoint}.",
    "checkpoints.short": "Show the history of a manuscript, and go back in it.",
    "checkpoints.help": """List the checkpoints of PROJECT, newest first, name one, or restore one.

    CHECKPOINT is an id, the beginning of one, a number, or a name. Restoring is a checkpoint itself, and
    what was edited by hand gets one first: nothing is ever out of reach.""",
    "checkpoints.id": "CHECKPOINT",
    "checkpoints.rename_names": "CHECKPOINT NAME",
    "checkpoints.make": "Make a checkpoint of that name now.",
    "checkpoints.rename": "Give a checkpoint a name.",
    "checkpoints.restore": "Make the chapters what they were at a checkpoint; the discussion stays.",
    "checkpoints.undo_turn": "Take back the turn of a checkpoint and all since, discussion and chapters.",
    "checkpoints.force": "With --undo-turn: also over chapters that were edited by hand since.",
    "checkpoints.row": "{number}  {at}  {author}  {changed}  {id}",
    "checkpoints.by_user": "you",
    "checkpoints.by_agent": "model",
    "checkpoints.aborted": "(stopped)",
    "checkpoints.restored": "(restored)",
    "checkpoints.more": "{shown} and {n} more",
    "checkpoints.same": "The manuscript is as it was at that checkpoint already.",
    "checkpoints.undone": "Taken back; you had said: {words}",
    "checkpoints.no_turn": "That checkpoint is your own; there is no turn to take back.",
    "checkpoints.none": "There is no checkpoint yet.",
    "checkpoints.missing": "There is no checkpoint {name}.",
    "checkpoints.ambiguous": "{name} names several checkpoints: {ids}",
    "export.no_book": "{name} is no manuscript, and only one can leave as {form}.",
    "export.no_book_hint": "huaben write TITLE --new --from STORY makes one of a story.",
    "write.from": "With --new: make it of a story, a chapter for each turn.",
    "why.no_reply": "The model said nothing and changed nothing.",
    "why.manuscript_gone": "The folder of the manuscript is gone.",
    "why.no_tools": "This model cannot call tools, and a manuscript needs one that can.",
    "doing.read": "Reading",
    "doing.grep": "Searching the manuscript",
    "doing.find": "Looking for chapters",
    "doing.ls": "Looking at the chapters",
    "doing.edit": "Changed",
    "doing.write": "Wrote",
    "doing.rename": "Renamed",
    "doing.remove": "Removed",
}
