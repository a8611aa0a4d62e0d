"""Which kind of preset a JSON value is; apart because eight kinds of file share one ending."""

from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.presets.file import Form

_CHAT: Final = frozenset(
    {
        "prompt_order",
        "openai_max_context",
        "openai_max_tokens",
        "chat_completion_source",
        "impersonation_prompt",
        "new_chat_prompt",
        "main_prompt",
        "nsfw_prompt",
        "jailbreak_prompt",
        "assistant_prefill",
        "stream_openai",
        "wi_format",
        "squash_system_messages",
    }
)
_SAMPLERS: Final = frozenset(
    {"temp", "rep_pen", "rep_pen_range", "rep_pen_slope", "top_a", "tfs", "typical", "typical_p"}
    | {"min_p", "top_k", "top_p", "freq_pen", "presence_pen", "sampler_order", "sampler_priority"}
    | {
        "samplers",
        "dynatemp",
        "smoothing_factor",
        "mirostat_mode",
        "mirostat_tau",
        "dry_multiplier",
    }
    | {"xtc_threshold", "xtc_probability", "temperature_last", "banned_tokens", "genamt"}
    | {"max_length", "add_bos_token", "ban_eos_token", "skip_special_tokens", "grammar_string"}
    | {"tail_free_sampling", "repetition_penalty_range", "repetition_penalty_slope", "cfg_scale"}
)
_ENOUGH: Final = 4
_MASTER: Final = ("instruct", "context", "sysprompt", "preset", "reasoning", "srw")
_SYSPROMPT: Final = frozenset({"name", "content", "post_history"})
_REASONING: Final = frozenset({"name", "prefix", "suffix", "separator"})


def form_of(value: Json) -> Form | None:
    """The kind of preset, or None for what is none. A card, a lorebook, a chat, a regex script are
    none of these."""
    if not isinstance(value, dict):
        return None
    return _marked(value) or _by_fields(value)


def _marked(value: JsonObject) -> Form | None:
    if "spec" in value or "entries" in value or "findRegex" in value:
        return None
    data = value.get("data")
    if isinstance(data, dict) and isinstance(data.get("prompts"), list) and "type" in value:
        return "prompt_manager"
    if isinstance(value.get("prompts"), list) or len(_CHAT & value.keys()) >= 2:
        return "chat_completion"
    if "input_sequence" in value and "output_sequence" in value:
        return "instruct"
    if isinstance(value.get("story_string"), str):
        return "context"
    parts = [key for key in _MASTER if isinstance(value.get(key), dict)]
    return "master" if parts and len(parts) == len(value.keys() - {"name"}) else None


def _by_fields(value: JsonObject) -> Form | None:
    """Kinds without a field of their own."""
    keys = value.keys()
    if "content" in keys and keys <= _SYSPROMPT and isinstance(value["content"], str):
        return "sysprompt"
    if {"prefix", "suffix"} <= keys <= _REASONING:
        return "reasoning"
    if len(_SAMPLERS & keys) >= _ENOUGH and "description" not in keys:
        return "text_completion"
    return None
