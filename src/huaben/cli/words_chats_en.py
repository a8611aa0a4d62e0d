"""Sentences about chats in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "import.project_name": "STORY",
    "import.card_name": "CARD",
    "import.project": "Chats become branches of this story: an id, the beginning of one, a title, “latest”.",
    "import.card_option": "Chats begin stories of this card: an id, the beginning of one, or a name.",
    "import.bare": "Where no card has the name of a chat's character, make one of the name alone.",
    "import.one_target": "Name either a story or a card for the chats, not both.",
    "chat.planting": "Taking in “{title}”",
    "chat.founded": "chat “{title}”, a new story ({project}): {counts}",
    "chat.added": "chat “{title}”, a branch of the story {project}: {counts}",
    "chat.already": "chat “{title}” was here already ({project}): {counts}",
    "chat.counts": "{messages} messages, {turns} turns",
    "chat.hidden": "{n} hidden from the model",
    "chat.quarantined": "{n} lines cannot be read and are kept as they are",
    "chat.quarantined.one": "one line cannot be read and is kept as it is",
    "jobs.chat": "import of a chat",
    "export.at": "Of a story: the branch that ends at this turn, by its number, its id, or “latest”.",
    "note.torn_line": "a torn line: kept, and written back in its place",
    "note.not_a_message": "no message: kept, and written back in its place",
    "note.too_deep": "nested too deeply: kept, and written back in its place",
    "note.swipe_mended": "swipes and text disagreed; the text holds",
    "note.text_mended": "the text was no text",
    "note.date_not_understood": "a date that cannot be read, kept as it is",
    "note.date_without_zone": "a date without its time zone",
    "note.media_not_shown": "names files that are elsewhere; kept, not shown",
    "note.roles_guessed": "who is the user is a guess",
    "note.visible_text_read": "read from the text as it was shown",
    "note.greeting_missing": "the opening is not in the file; the card has none of that number",
    "note.orphan_recovered": "its place is lost; it hangs on a branch of its own",
    "note.beginning_missing": "the story's beginning is missing",
    "note.current_missing": "where the story stood is missing; it stands at its newest end",
    "note.doubled_id": "an id that occurs twice",
    "note.chat_file_missing": "the imported file is gone; rows are made of the turns",
    "note.other_branches": "other branches are not in this file",
    "note.reply_unfinished": "an unfinished reply is not in this file",
    "note.hidden_left_out": "what is hidden from the model is not in this file",
    "note.quarantine_without_place": "unread lines that no longer have a place",
}
