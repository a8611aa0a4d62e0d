"""Sentences about the library, its lore and the user's own texts in English; apart from `words_en` only
because one table of everything would be too long to read."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "export.short": "Give something of the library, or a story, back as a file.",
    "export.help": """Write a card or lorebook of the library to a file, whole as it was imported.

    THING is an id, the beginning of one, or a name. Without --to it leaves in the form it came in.
    What the file cannot hold is named. “lorebook” of a card is the card's own book; “lorebook-v3” is
    the stand-alone form of the specification.

    A preset, persona, file of regex scripts or set of quick replies leaves in the other program's form;
    say which with --to where several things have the name. A preset leaves without what opens a
    connection.

    With jsonl (SillyTavern's chat), txt, md or tree (every branch, as JSON) THING is a story: an id, the
    beginning of one, a title, or “latest”.""",
    "export.thing_name": "THING",
    "export.to": "The form of the file.",
    "export.output": "Where to write it; “-” is standard output. Otherwise its own name, in this folder.",
    "export.force": "Write over a file that is there.",
    "export.done": "{path}: {n} bytes",
    "export.exists": "{path} is there already.",
    "export.exists_hint": "Name another with -o, or write over it with --force.",
    "export.wrong_form": "{name} is a lorebook and cannot be written as {form}.",
    "export.wrong_form_hint": "Use lorebook or lorebook-v3.",
    "note.original_missing": "the bytes that were imported are gone; only the card itself is left",
    "trash.short": "See what was deleted, take it back, delete.",
    "trash.help": "List what lies in the trash, latest first; it is kept for thirty days.",
    "trash.restore": "Take the thing of this id back, as it was.",
    "trash.discard": "Put the card, lorebook or story of this id into the trash.",
    "trash.row": "{at}  {what}  {name}  {id}",
    "trash.restored": "{what} {name} is back ({id}, deleted {at}).",
    "trash.discarded": "{what} {name} lies in the trash now ({id}).",
    "trash.none": "The trash is empty.",
    "trash.card": "card",
    "trash.lorebook": "lorebook",
    "trash.project": "story",
    "trash.save": "save",
    "trash.not_there": "Nothing with the id {id} lies in the trash.",
    "trash.unknown": "There is no card, lorebook or story with the id {id}.",
    "list.short": "List cards, lorebooks or stories.",
    "list.help": "List what is in the library, the newest first, with the id that other commands take.",
    "list.broken": "broken: {what}",
    "list.unused": "for text completion ({form}): kept, not used",
    "list.none": "There is none yet.",
    "lorebook.short": "Try a text on lorebooks.",
    "lorebook.help": "Lorebooks: what they would tell.",
    "lorebook_test.short": "What a text would bring, and why not the rest.",
    "lorebook_test.help": """Show which entries of BOOKS a text would bring, with the key that was found
    and where, and why the others stay out. Nothing is stored, nothing is sent.

    Each of BOOKS is an id, the beginning of one, or a name.""",
    "lorebook.books_name": "BOOKS...",
    "lorebook.text": "The text, as if somebody said it.",
    "lorebook.card": "Speak as this card: its own book and its name take part.",
    "lorebook.scenario": "The scenario whose rules hold.",
    "lorebook.missing": "There is no lorebook “{name}” in the library.",
    "lorebook.missing_hint": "“huaben list lorebooks” shows those that are there.",
    "lorebook.nothing": "Name a lorebook, or a card with --card.",
    "library.missing": "Nothing in the library is called “{name}”.",
    "library.missing_hint": "“huaben list cards”, “huaben list lorebooks”, “huaben list presets” and so on show what is there.",
    "library.ambiguous": "“{name}” means several things: {things}.",
    "library.ambiguous_hint": "Name one by its id.",
    "guidance.short": "Your own texts: SYSTEM.md, APPEND_SYSTEM.md, AGENTS.md.",
    "guidance.help": """The texts of your own that shape what a model is told, for every card or for one.

    SYSTEM.md takes the place of the base text, APPEND_SYSTEM.md is added to it, AGENTS.md holds your
    rules; a card's AGENTS.md takes the place of its fields.""",
    "guidance_import.short": "Take such files in.",
    "guidance_import.help": "Take FILES of those names in. A file without any text takes its text out of force.",
    "guidance_export.short": "Write them to files.",
    "guidance_export.help": "Write the texts that there are to files of their names in a folder.",
    "guidance.card": "Only for this card.",
    "guidance.taken": "{name}: {n} characters",
    "guidance.taken.one": "{name}: 1 character",
    "guidance.wrong_name": "{path} is not called {names}.",
    "guidance.not_text": "{path} is not a UTF-8 text.",
    "guidance.none": "There is no such text.",
    "inspect.lore": "Which lore was in the turn and which was not, with the reasons.",
    "inspect.lore_none": "No lore was chosen for this turn.",
    "inspect.lore_in": "In: {n}",
    "inspect.lore_out": "Out: {n}",
    "inspect.lore_more": "{n} more; --json lists them all",
    "inspect.lore_found": "“{named}” in {where}",
    "inspect.lore_tokens": "{n} tokens",
    "inspect.lore_unplaced": "its position {position} has no place here",
    "inspect.lore_uncounted": "{n} entries of books that are no longer in the library",
    "inspect.lore.prefix": "in the system text",
    "inspect.lore.title": "by its title alone",
    "inspect.lore.key": "a key",
    "inspect.lore.constant": "always on",
    "inspect.lore.sticky": "still from an earlier turn",
    "inspect.lore.kept": "kept since it fired",
    "inspect.lore.decorator": "told to by its decorator",
    "inspect.lore.external": "found from outside",
    "inspect.lore.search": "found by search",
    "inspect.lore.book_elsewhere": "its book is read in another place",
    "inspect.lore.other_speaker": "another character's book",
    "inspect.lore.disabled": "switched off",
    "inspect.lore.trigger": "not for this kind of turn",
    "inspect.lore.filter": "not for this character",
    "inspect.lore.greeting": "not for this opening",
    "inspect.lore.too_early": "too early",
    "inspect.lore.not_this_turn": "not every turn",
    "inspect.lore.dont_activate": "told not to by its decorator",
    "inspect.lore.spent": "fired before, once only",
    "inspect.lore.delay": "the story is too short yet",
    "inspect.lore.cooldown": "it rests",
    "inspect.lore.recursion_only": "waits for another entry",
    "inspect.lore.recursion_excluded": "only another entry speaks of it",
    "inspect.lore.no_keys": "has no keys",
    "inspect.lore.no_match": "no key was found",
    "inspect.lore.unsupported_key": "a pattern that cannot be run",
    "inspect.lore.stopped_key": "a pattern that took too long",
    "inspect.lore.secondary": "its second keys say no",
    "inspect.lore.required": "a required key is missing",
    "inspect.lore.forbidden": "a forbidden key was found",
    "inspect.lore.group_taken": "its group has spoken",
    "inspect.lore.group_sticky": "another of its group stays",
    "inspect.lore.group_score": "another of its group fits better",
    "inspect.lore.group_priority": "another of its group comes first",
    "inspect.lore.group_draw": "another of its group was drawn",
    "inspect.lore.probability": "the dice said no",
    "inspect.lore.max_entries": "too many entries",
    "inspect.lore.book_budget": "its book's budget is spent",
    "inspect.lore.budget": "the budget is spent",
    "inspect.lore.empty": "says nothing",
}
