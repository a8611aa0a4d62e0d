"""One row of SillyTavern's chat files to a message and back; apart from the file, which is lines.

The invariant that the program means, `mes === swipes[swipe_id]` and an info for each swipe, is broken in
many files; here it always holds (formats §3.2).
"""

from collections.abc import Mapping
from typing import Final

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats.chain import told
from huaben.formats.chats.fields import first_text, list_of, object_of, text_of, truth_of
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Dialect, Message, Role, Variant
from huaben.formats.report import Findings

HEADER_FIELDS: Final = ("chat_metadata", "user_name", "character_name")
ROW_FIELDS: Final = frozenset(
    {"name", "is_user", "is_system", "send_date", "mes", "title", "gen_started", "gen_finished"}
    | {"swipe_id", "swipes", "swipe_info", "extra", "force_avatar", "original_avatar"}
    | {"is_name", "chid"}
)
INFO_FIELDS: Final = ("send_date", "gen_started", "gen_finished", "extra")
"""What the file keeps of one swipe."""
MEDIA_FIELDS: Final = ("media", "files", "file", "image", "image_swipes", "video")
UNUSED: Final = "unused"
"""What stands for both names in headers since 1.15."""


def is_header(raw: Mapping[str, Json]) -> bool:
    """Whether a first line is the header: one of its fields, and no message (formats §3.2)."""
    return "mes" not in raw and any(name in raw for name in HEADER_FIELDS)


def header_name(header: Mapping[str, Json], field: str) -> str:
    """A name that the header gives; empty where it says `unused`."""
    name = text_of(header.get(field)).strip()
    return "" if name == UNUSED else name


def read_row(raw: JsonObject, place: int, parent: str | None, findings: Findings) -> Message:
    """The message of a row, whatever is wrong with its swipes. `place` is also its id."""
    role = _role(raw)
    where = f"line {place}"
    variants, active = _variants(raw, role, where, findings)
    return Message(
        id=str(place),
        parent=parent,
        role=role,
        name=text_of(raw.get("name")),
        variants=variants,
        active=active,
        hidden=truth_of(raw.get("is_system")),
        place=place,
        raw=raw,
    )


def _role(raw: JsonObject) -> Role:
    if truth_of(raw.get("is_user")):
        return "user"
    notice = truth_of(object_of(raw.get("extra")).get("uses_system_ui"))
    return "system" if notice and truth_of(raw.get("is_system")) else "assistant"


def _variants(
    raw: JsonObject, role: Role, where: str, findings: Findings
) -> tuple[tuple[Variant, ...], int]:
    """The tellings and which is in force: `mes` always is, and an empty text is one like others."""
    mes = _flat(raw.get("mes"))
    texts = [_flat(swipe) or "" for swipe in list_of(raw.get("swipes"))]
    own = {name: raw[name] for name in INFO_FIELDS if name in raw}
    _note_own(raw, own, where, findings)
    if not texts:
        return (_variant(mes or "", role, own),), 0
    wanted = number_of(raw.get("swipe_id"))
    active = max(0, min(int(wanted or 0), len(texts) - 1))
    if mes is not None and texts[active] != mes:
        active = texts.index(mes) if mes in texts else len(texts)
        texts += [mes] if active == len(texts) else []
    if wanted != active:
        was = str(raw.get("swipe_id"))
        findings.changed(
            "swipe_mended", where, f"swipe_id {was} read as {active}", was=was, now=active
        )
    infos = [object_of(info) for info in list_of(raw.get("swipe_info"))]
    infos += [{} for _ in range(len(texts) - len(infos))]
    infos[active] = {**infos[active], **own}
    made = (_variant(text, role, info) for text, info in zip(texts, infos, strict=False))
    return tuple(made), active


def _variant(text: str, role: Role, info: JsonObject) -> Variant:
    extra = object_of(info.get("extra"))
    reasoning, model = text_of(extra.get("reasoning")), text_of(extra.get("model"))
    moment = moment_of(info.get("send_date"))
    if reasoning:
        return Variant(text, reasoning, model, moment, info=info)
    return told(text, role, model=model, moment=moment, info=info)


def _flat(value: Json) -> str | None:
    """A text; Chub has objects with a `message` in its place."""
    if isinstance(value, dict):
        return first_text(value, "message", "mes", "text")
    return None if value is None else text_of(value)


def _note_own(raw: JsonObject, own: JsonObject, where: str, findings: Findings) -> None:
    extra = object_of(own.get("extra"))
    if any(extra.get(name) for name in MEDIA_FIELDS):
        findings.kept("media_not_shown", where)
    moment = moment_of(own.get("send_date"))
    if moment is not None and not moment.at and moment.raw != "":
        findings.kept("date_not_understood", where, str(moment.raw), value=str(moment.raw))
    elif moment is not None and not moment.zoned:
        findings.changed("date_without_zone", "send_date", "read as UTC")
    if not isinstance(raw.get("mes"), str):
        kind = type(raw.get("mes")).__name__
        findings.changed("text_mended", where, f"mes is a {kind}", value=kind)


# ---- writing -----------------------------------------------------------------------------------


def write_row(message: Message, dialect: Dialect = "sillytavern") -> JsonObject:
    """The row of a message. One that is as it was read is the row that it was read from; a changed one
    keeps what its row held besides, one of another program lies whole in `extra.huaben`."""
    ours = dialect == "sillytavern"
    if ours and message.raw and _as_read(message):
        return message.raw
    row: JsonObject = {
        **({k: v for k, v in message.raw.items() if k not in INFO_FIELDS} if ours else {}),
        "name": message.name,
        "is_user": message.role == "user",
        "is_system": message.hidden,
        "mes": _written(message.variant),
        **_info(message.variant, ours=ours),
    }
    if message.raw and not ours:
        origin: JsonObject = {"dialect": dialect, "message": message.raw}
        row["extra"] = {**object_of(row.get("extra")), "huaben": origin}
    if len(message.variants) > 1 or "swipes" in row:
        row["swipes"] = [_written(variant) for variant in message.variants]
        row["swipe_id"] = message.active
        row["swipe_info"] = [_info(variant, ours=ours) for variant in message.variants]
    return row


def _as_read(message: Message) -> bool:
    return read_row(message.raw, message.place, message.parent, Findings()) == message


def _written(variant: Variant) -> str:
    return variant.text if variant.written is None else variant.written


def _info(variant: Variant, *, ours: bool) -> JsonObject:
    """What a swipe's info holds of the variant; of another program's only what is understood."""
    info: JsonObject = dict(variant.info) if ours else {}
    extra = dict(object_of(info.get("extra")))
    if variant.reasoning and variant.written is None:
        extra["reasoning"] = variant.reasoning
    if variant.model:
        extra["model"] = variant.model
    if variant.moment is not None and "send_date" not in info:
        info["send_date"] = variant.moment.at or variant.moment.raw
    return {**info, "extra": extra}
