"""A chat-completion preset or a prompt manager's export as one value; apart from the forms for text
completion, which are only kept."""

from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.preset import Preset, PresetTexts
from huaben.formats.presets.prompts import (
    OLD_TEXTS,
    arranged,
    read_places,
    read_prompts,
)
from huaben.formats.presets.samplers import NAMES, STOPS, read_sampling
from huaben.formats.report import Findings

TEXTS: Final = {
    "lore_format": "wi_format",
    "scenario_format": "scenario_format",
    "personality_format": "personality_format",
    "new_chat": "new_chat_prompt",
    "new_example": "new_example_chat_prompt",
    "prefill": "assistant_prefill",
    "continue_postfix": "continue_postfix",
}
"""Our texts, and the fields that hold them."""
NOT_APPLIED: Final = (
    "top_a",
    "n",
    "verbosity",
    "openai_max_context",
    "max_context_unlocked",
    "stream_openai",
    "show_thoughts",
    "function_calling",
    "tool_call_recurse_limit",
    "tool_reasoning_mode",
    "enable_web_search",
    "request_images",
    "media_inlining",
    "image_inlining",
    "inline_image_quality",
    "impersonation_prompt",
    "new_group_chat_prompt",
    "continue_nudge_prompt",
    "group_nudge_prompt",
    "send_if_empty",
    "assistant_impersonation",
    "continue_prefill",
    "squash_system_messages",
    "use_sysprompt",
    "claude_use_sysprompt",
    "use_makersuite_sysprompt",
    "names_behavior",
    "names_in_completion",
    "wrap_in_quotes",
    "custom_prompt_post_processing",
)
"""Known fields without a counterpart here: kept, exported, named as not applied."""
USED: Final = (
    "prompts",
    "prompt_order",
    "reasoning_effort",
    "extensions",
    "nsfw_toggle",
    "nsfw_first",
    "jailbreak_system",
    "enhance_definitions",
    *OLD_TEXTS,
    *STOPS,
    *TEXTS.values(),
    *(field for fields in NAMES.values() for field in fields),
)
_IDLE: Final[tuple[Json, ...]] = ("", None, False, [], {}, 0, "auto", "none")
_AS_IT_IS: Final = {
    "wi_format": "{0}",
    "scenario_format": "{{scenario}}",
    "personality_format": "{{personality}}",
}
"""Formats that add nothing."""


def read_chat(raw: JsonObject, name: str, findings: Findings) -> Preset:
    """A preset from its fields, whatever their age; each fate is told."""
    prompts = read_prompts(raw, findings)
    places = read_places(raw, findings)
    order, unlisted, missing = arranged(prompts, places, raw)
    missing = missing if raw.get("prompt_order") else ()
    for identifier in missing:
        findings.warn("order_without_prompt", "prompt_order", identifier, value=identifier)
    if unlisted:
        names = ", ".join(unlisted)
        findings.warn("prompts_not_sent", "prompts", "in no order: " + names, value=names)
    not_applied = _told(raw, findings)
    return Preset(
        name=name,
        order=order,
        unlisted=unlisted,
        missing=missing,
        sampling=read_sampling(raw, findings),
        texts=_texts(raw),
        not_applied=not_applied,
    )


def _texts(raw: JsonObject) -> PresetTexts:
    found: dict[str, str] = {}
    for ours, field in TEXTS.items():
        value = raw.get(field)
        if isinstance(value, str) and value != _AS_IT_IS.get(field):
            found[ours] = value
    return PresetTexts(**found)


def _told(raw: JsonObject, findings: Findings) -> tuple[str, ...]:
    """Notes what is used, what is known and has no counterpart, and what is not known at all."""
    applied_not: list[str] = []
    for key, value in raw.items():
        if key in NOT_APPLIED:
            if value not in _IDLE:
                applied_not.append(key)
                findings.kept("not_applied", key, "kept for export")
        elif key in USED:
            if value not in _IDLE:
                findings.kept("field", key)
        else:
            findings.kept("unknown_field", key, "kept for export")
    return tuple(applied_not)
