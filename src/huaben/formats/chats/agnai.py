"""Agnai's chat export to a chat; apart because its retries are what others call swipes."""

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import first_text, list_of, objects_of, text_of, truth_of, without
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Role
from huaben.formats.report import Findings


def is_agnai(raw: JsonObject) -> bool:
    """Whether it has `messages[]` whose text is `msg`."""
    return any("msg" in message for message in objects_of(raw.get("messages")))


def read(raw: JsonObject, findings: Findings) -> tuple[Chat, ...]:
    """The messages; one with a `userId` is the user's (formats §3.3). `msg` is in force."""
    chain = Chain()
    for n, message in enumerate(objects_of(raw.get("messages"))):
        if "msg" not in message:
            findings.warn("not_a_message", f"messages[{n}]")
            continue
        role: Role = "user" if message.get("userId") else "assistant"
        text = text_of(message.get("msg"))
        texts = [text_of(retry) for retry in list_of(message.get("retries"))]
        texts = texts if text in texts else [text, *texts]
        moment = moment_of(message.get("createdAt"))
        variants = [told(t, role, moment=moment if t == text else None) for t in texts]
        hidden = truth_of(message.get("system")) or truth_of(message.get("ooc"))
        name = first_text(message, "handle", "name")
        chain.add(role, name, variants, message, active=texts.index(text), hidden=hidden)
    header = without(raw, "messages")
    return (Chat("agnai", chain.held, first_text(raw, "name"), header),)
