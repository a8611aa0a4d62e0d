"""The lorebook that some chat files carry beside their story, as a file of its own; apart because only who
makes a story of the chat has a use for it."""

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.fields import list_of, object_of
from huaben.formats.chats.values import Chat


def own_lorebook(chat: Chat) -> JsonObject | None:
    """What a lorebook reader takes for the chat's book; None for a chat that has none.

    KoboldAI's `worldinfo`, NovelAI's `lorebook`, RisuAI's `localLore` (formats §2.8).
    """
    header = chat.header
    match chat.dialect:
        case "kobold_lite" | "kobold_united":
            entries = list_of(header.get("worldinfo"))
            united = object_of(header.get("worldinfo_v2"))
            if entries:
                return {"worldinfo": entries}
            return {"worldinfo_v2": united} if object_of(united.get("entries")) else None
        case "novelai":
            book = object_of((object_of(header.get("content")) or header).get("lorebook"))
            return {"lorebookVersion": 1, **book} if list_of(book.get("entries")) else None
        case "risu":
            entries = list_of(object_of(header.get("chat")).get("localLore"))
            return {"type": "risu", "ver": 1, "data": entries} if entries else None
        case _:
            return None
