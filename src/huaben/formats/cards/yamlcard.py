"""Cards as YAML (name, context, greeting); apart because YAML must be read without its dangers."""

import re
from collections.abc import Callable, Iterable

import yaml

from huaben.domain.jsonvalue import Json, JsonObject, scrub_surrogates
from huaben.formats.cards.outcome import CardFile, Refused
from huaben.formats.cards.payload import card_from_json
from huaben.formats.report import Findings

MAX_YAML_CHARS = 256 * 1024
MAX_NODES = 20_000
MAX_LEVELS = 32

_CARD_KEY = re.compile(r"^(name|char_name|context|greeting|description|spec)[ \t]*:", re.MULTILINE)
_PREVIEW = 20_000
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_parse: Callable[..., Iterable[yaml.Event]] = yaml.parse  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # untyped in its stubs


class _Unfit(Exception):
    """The document uses something that cards do not need."""


def looks_like_yaml_card(text: str) -> bool:
    """Whether a line of the text gives a field that cards have."""
    return _CARD_KEY.search(text, 0, _PREVIEW) is not None


def read_yaml_card(text: str, filename: str, findings: Findings) -> CardFile | Refused:
    """Reads a card from YAML text; every scalar is the text that was typed, so a name may be `No`.

    Aliases are refused (they multiply), and so are depth, size and keys that are not text.
    """
    if len(text) > MAX_YAML_CHARS:
        return Refused("too_large", f"YAML of more than {MAX_YAML_CHARS} characters")
    try:
        value = _document(text)
    except (yaml.YAMLError, _Unfit) as why:
        return Refused("corrupt", f"not YAML that cards use: {why}"[:300])
    if not isinstance(value, dict):
        return Refused("not_a_card", "the text is neither JSON nor a YAML mapping")
    card = card_from_json(value, filename, findings)
    return card if isinstance(card, Refused) else CardFile(card, "yaml", findings.report())


def _document(text: str) -> Json:
    """The first document, built from parser events, so that nothing recurses and nothing is shared."""
    root: list[Json] = []
    open_nodes: list[list[Json] | JsonObject] = [root]
    keys: list[str | None] = [None]
    count = 0
    for event in _parse(text, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise _Unfit("aliases are not supported")
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            open_nodes.pop()
            keys.pop()
            continue
        if isinstance(event, yaml.DocumentEndEvent):
            break
        node: Json
        if isinstance(event, yaml.ScalarEvent):
            node = _scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            node = {}
        elif isinstance(event, yaml.SequenceStartEvent):
            node = []
        else:
            continue
        count += 1
        if count > MAX_NODES or len(open_nodes) > MAX_LEVELS:
            raise _Unfit("too many values or levels")
        _place(node, open_nodes[-1], keys)
        if isinstance(node, dict | list):
            open_nodes.append(node)
            keys.append(None)
    return root[0] if root else None


def _place(node: Json, parent: list[Json] | JsonObject, keys: list[str | None]) -> None:
    """Puts a node into its parent; in a mapping every other node is a key."""
    if isinstance(parent, list):
        parent.append(node)
        return
    key = keys[-1]
    if key is not None:
        parent[key] = node
        keys[-1] = None
    elif isinstance(node, str):
        keys[-1] = node
    else:
        raise _Unfit("a key is not text")


def _scalar(event: yaml.ScalarEvent) -> str | None:
    value = scrub_surrogates(event.value)
    is_plain = event.style in (None, "")
    return None if is_plain and value in ("", "~", "null") else value
