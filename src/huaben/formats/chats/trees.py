"""LibreChat, Open WebUI, ChatGPT and llama.cpp's page to chats; apart from `grove`, which mends what they
keep, whatever they call it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject
from huaben.formats.chats.chain import told
from huaben.formats.chats.fields import (
    first_text,
    list_of,
    object_of,
    objects_of,
    text_of,
    truth_of,
    without,
)
from huaben.formats.chats.grove import Node, mended
from huaben.formats.chats.lines import lines_of, object_in
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Dialect, Message, Moment, Role
from huaben.formats.report import Findings

_NOBODY: Final = "00000000-0000-0000-0000-000000000000"
_ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "system": "system"}


def is_librechat(raw: JsonObject) -> bool:
    """Whether its messages have a `messageId`."""
    return any("messageId" in one for one in objects_of(raw.get("messages")))


def is_open_webui(raw: JsonObject) -> bool:
    """Whether it has `history.messages`, in itself or in its `chat`."""
    return bool(_history(raw))


def is_chatgpt(raw: JsonObject) -> bool:
    """Whether it has a `mapping` of nodes."""
    return any("message" in object_of(node) for node in object_of(raw.get("mapping")).values())


def is_llamacpp(raw: JsonObject) -> bool:
    """Whether it is a conversation with its messages."""
    return isinstance(raw.get("conv"), dict) and isinstance(raw.get("messages"), list)


# ---- LibreChat ---------------------------------------------------------------------------------


def read_librechat(raw: JsonObject, findings: Findings) -> Chat:
    """Messages in a list or within each other (`children`)."""
    nodes = list(_librechat_nodes(objects_of(raw.get("messages")), None))
    header = without(raw, "messages")
    return _chat("librechat", nodes, None, first_text(raw, "title"), header, findings)


def _librechat_nodes(messages: Sequence[JsonObject], above: str | None) -> Iterator[Node]:
    pending = [(message, above) for message in reversed(messages)]
    while pending:
        raw, parent = pending.pop()
        node_id = text_of(raw.get("messageId"))
        own = first_text(raw, "parentMessageId") or parent
        role: Role = "user" if truth_of(raw.get("isCreatedByUser")) else "assistant"
        message = _message(role, first_text(raw, "sender"), raw, raw.get("createdAt"))
        yield Node(node_id, None if own == _NOBODY else own, message)
        inner = objects_of(raw.get("children"))
        pending += [(child, node_id) for child in reversed(inner)]


# ---- Open WebUI --------------------------------------------------------------------------------


def read_open_webui(raw: JsonObject, findings: Findings) -> Chat:
    """`history.messages` by id, with `parentId`, `childrenIds` and `currentId`."""
    history = _history(raw)
    nodes = [
        Node(
            node_id,
            first_text(message, "parentId") or None,
            _message(_role(message.get("role")), "", message, message.get("timestamp")),
            [text_of(child) for child in list_of(message.get("childrenIds"))],
        )
        for node_id, value in object_of(history.get("messages")).items()
        if (message := object_of(value))
    ]
    current = first_text(history, "currentId") or None
    title = first_text(raw, "title") or first_text(object_of(raw.get("chat")), "title")
    header = without(raw, "history", "messages")
    if isinstance(raw.get("chat"), dict):
        header["chat"] = without(object_of(raw.get("chat")), "history", "messages")
    return _chat("open_webui", nodes, current, title, header, findings)


def _history(raw: JsonObject) -> JsonObject:
    holder = object_of(raw.get("chat")) or raw
    history = object_of(holder.get("history"))
    return history if isinstance(history.get("messages"), dict) else {}


# ---- ChatGPT -----------------------------------------------------------------------------------


def read_chatgpt(raw: JsonObject, findings: Findings) -> Chat:
    """`mapping` by id; a node without a message only holds others together."""
    nodes: list[Node] = []
    for node_id, value in object_of(raw.get("mapping")).items():
        node = object_of(value)
        inner = object_of(node.get("message"))
        parent = first_text(node, "parent") or None
        children = [text_of(child) for child in list_of(node.get("children"))]
        nodes.append(Node(node_id, parent, _chatgpt_message(inner) if inner else None, children))
    current = first_text(raw, "current_node") or None
    header = without(raw, "mapping")
    return _chat("chatgpt", nodes, current, first_text(raw, "title"), header, findings)


def _chatgpt_message(raw: JsonObject) -> Message:
    """Tools' words, instructions and thoughts of their own are seen and not sent."""
    author, metadata = object_of(raw.get("author")), object_of(raw.get("metadata"))
    role = _role(author.get("role"))
    message = _message(role, first_text(author, "name"), raw, raw.get("create_time"))
    model = first_text(metadata, "model_slug")
    message = replace(message, variants=(replace(message.variant, model=model),))
    unseen = truth_of(metadata.get("is_visually_hidden_from_conversation"))
    silent = role == "assistant" and not message.text.strip()
    return replace(message, hidden=message.hidden or unseen or silent)


# ---- llama.cpp ---------------------------------------------------------------------------------


def read_llamacpp(raw: JsonObject, findings: Findings) -> Chat:
    """A conversation and its messages with `parent` and `children`; or the rows of a file of lines."""
    conv = object_of(raw.get("conv"))
    nodes = [_llamacpp_node(one, n) for n, one in enumerate(objects_of(raw.get("messages")))]
    current = text_of(conv.get("currNode")) or None
    header = without(raw, "messages")
    return _chat("llamacpp", nodes, current, first_text(conv, "name", "title"), header, findings)


def read_session(data: bytes, findings: Findings) -> Chat:
    """A file of lines whose first is of `type: "session"`; lines that cannot be read are named."""
    header: JsonObject = {}
    nodes: list[Node] = []
    for place, line in lines_of(data):
        raw = object_in(line)
        if isinstance(raw, JsonFault):
            findings.warn("torn_line", f"line {place}", raw.detail)
        elif raw.get("type") == "session":
            header = raw
        else:
            above = nodes[-1].id if nodes else None
            node = _llamacpp_node(raw, place)
            named = "parentId" in raw or "parent" in raw
            nodes.append(node if named else replace(node, parent=above))
    title = first_text(header, "name", "title")
    return _chat("llamacpp", nodes, None, title, {"session": header}, findings)


def _llamacpp_node(raw: JsonObject, n: int) -> Node:
    inner = object_of(raw.get("message")) or raw
    role = _role(inner.get("role"))
    when = raw.get("timestamp") or inner.get("timestamp")
    message = replace(_message(role, "", inner, when), raw=raw)
    node_id = first_text(raw, "id") or str(n)
    parent = first_text(raw, "parentId", "parent")
    is_root = raw.get("type") == "root" or "role" not in inner
    children = [text_of(child) for child in list_of(raw.get("children"))]
    none = parent in ("", "-1")
    return Node(node_id, None if none else parent, None if is_root else message, children)


# ---- what they share ---------------------------------------------------------------------------


def _chat(
    dialect: Dialect,
    nodes: Sequence[Node],
    current: str | None,
    title: str,
    header: JsonObject,
    findings: Findings,
) -> Chat:
    grove = mended(nodes, current, findings)
    return Chat(dialect, grove.held, title, header, stands=grove.stands)


def _role(value: Json) -> Role:
    """Tools and whatever else speaks there are no part of the story."""
    return _ROLES.get(text_of(value), "system")


def _message(role: Role, name: str, raw: JsonObject, when: Json) -> Message:
    thought, text = _content(raw)
    model = first_text(raw, "model", "modelName")
    variant = told(text, role, model=model, moment=_moment(when))
    if thought:
        both = "\n\n".join(part for part in (thought, variant.reasoning) if part)
        variant = replace(variant, reasoning=both)
    return Message("", None, role, name, (variant,), hidden=role == "system", raw=raw)


def _moment(when: Json) -> Moment | None:
    """Seconds, milliseconds or ISO-8601; one program counts nanoseconds."""
    number = number_of(when)
    if number is not None and number > 1e14:
        return replace(moment_of(number // 1_000_000) or Moment(when), raw=when)
    return moment_of(when)


def _content(raw: JsonObject) -> tuple[str, str]:
    """Thought and text of a message, whose content may be a text, parts, or parts within an object."""
    content = raw.get("content")
    thoughts = [first_text(raw, "reasoning_content", "thinking", "reasoning")]
    texts: list[str] = []
    if isinstance(content, dict):
        # ChatGPT: {content_type, parts[] | text | thoughts[]}
        thoughts += [first_text(one, "content") for one in objects_of(content.get("thoughts"))]
        texts = [
            text_of(part) or first_text(object_of(part), "text")
            for part in list_of(content.get("parts"))
        ]
        texts.append(first_text(content, "text", "result"))
    elif isinstance(content, list):
        for part in content:
            one = object_of(part)
            texts.append(text_of(part) or _inner(one.get("text")))
            thoughts.append(_inner(one.get("think")) or _inner(one.get("thinking")))
    else:
        texts.append(text_of(content) or first_text(raw, "text"))
    return _joined(thoughts), _joined(texts)


def _inner(value: Json) -> str:
    """A text, or the `value` of an object in its place."""
    return text_of(value) or first_text(object_of(value), "value")


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part.strip())
