"""Presets of other programs: every age of them read, nothing lost, nothing of a connection kept."""

from __future__ import annotations

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.preset import Preset
from huaben.formats.presets.file import PresetFile, Refused
from huaben.formats.presets.read import read_preset, read_value
from huaben.formats.presets.write import cleaned, write_preset

ORDER: list[JsonObject] = [
    {"identifier": "main", "enabled": True},
    {"identifier": "worldInfoBefore", "enabled": True},
    {"identifier": "charDescription", "enabled": True},
    {"identifier": "style", "enabled": False},
    {"identifier": "chatHistory", "enabled": True},
    {"identifier": "jailbreak", "enabled": True},
]
PROMPTS: list[JsonObject] = [
    {"identifier": "main", "name": "Main", "role": "system", "content": "写{{char}}的故事。"},
    {"identifier": "style", "name": "文风", "role": "user", "content": "Short sentences."},
    {"identifier": "jailbreak", "name": "Post", "role": "system", "content": "Stay in scene."},
    {"identifier": "worldInfoBefore", "marker": True},
    {"identifier": "charDescription", "marker": True},
    {"identifier": "chatHistory", "marker": True},
]


def a_preset(**changes: object) -> JsonObject:
    values: dict[str, object] = {
        "temperature": 0.9,
        "openai_max_tokens": 900,
        "prompts": PROMPTS,
        "prompt_order": [{"character_id": 100001, "order": ORDER}],
    }
    return cast("JsonObject", values | changes)  # built of JSON


def read(value: object, filename: str = "夜.json") -> PresetFile:
    found = read_preset(json.dumps(value).encode(), filename)
    assert isinstance(found, PresetFile), found
    return found


def played(value: object) -> Preset:
    preset = read(value).preset
    assert preset is not None
    return preset


def codes(file: PresetFile, of: str) -> list[tuple[str, str]]:
    return [(note.code, note.path) for note in getattr(file.report, of)]


def sent(preset: Preset) -> list[str]:
    return [one.prompt.identifier for one in preset.order if one.enabled]


def test_prompts_stand_in_their_order() -> None:
    """With role, text and whether they are on."""
    preset = played(a_preset())
    assert sent(preset) == [
        "main",
        "worldInfoBefore",
        "charDescription",
        "chatHistory",
        "jailbreak",
    ]
    style = preset.prompt("style")
    assert style is not None
    assert (style.enabled, style.prompt.role, style.prompt.name) == (False, "user", "文风")
    assert preset.sampling.temperature == 0.9
    assert preset.sampling.max_tokens == 900
    assert preset.name == "夜"


@pytest.mark.parametrize("ids", [[100000, 100001], [100001, 100000], [7, 100001], [100001]])
def test_p04_the_global_order_wins(ids: list[int]) -> None:
    """P04: 100001 before 100000 and before any other, wherever it stands."""
    other = [{"identifier": "jailbreak", "enabled": True}]
    lists = [{"character_id": n, "order": ORDER if n == 100001 else other} for n in ids]
    assert sent(played(a_preset(prompt_order=lists)))[0] == "main"


@pytest.mark.parametrize("only", [100000, 42, "100001", None])
def test_p04_an_only_order_is_used(only: object) -> None:
    """P04: whatever its id."""
    preset = played(a_preset(prompt_order=[{"character_id": only, "order": ORDER}]))
    assert len(sent(preset)) == 5


def test_p04_of_several_unknown_orders_the_first_counts() -> None:
    """Before the legacy one."""
    lists = [
        {"character_id": 100000, "order": ORDER},
        {"character_id": 3, "order": [{"identifier": "style", "enabled": True}]},
        {"character_id": 4, "order": ORDER},
    ]
    assert sent(played(a_preset(prompt_order=lists))) == ["style"]


def test_p05_the_last_of_two_prompts_counts() -> None:
    """P05: duplicates, missing prompts, a slot with text, a prompt without role."""
    prompts = [
        *PROMPTS,
        {"identifier": "main", "content": "second"},
        {"identifier": "charDescription", "marker": True, "content": "not sent"},
    ]
    order = [*ORDER, {"identifier": "nowhere", "enabled": True}, {"identifier": "main"}]
    file = read(a_preset(prompts=prompts, prompt_order=[{"character_id": 1, "order": order}]))
    assert file.preset is not None
    main, slot = file.preset.prompt("main"), file.preset.prompt("charDescription")
    assert main is not None
    assert slot is not None
    assert (main.prompt.content, main.prompt.role) == ("second", "system")
    assert slot.prompt.content == ""
    assert file.preset.missing == ("nowhere",)
    assert ("order_without_prompt", "prompt_order") in codes(file, "warnings")
    assert [one.prompt.identifier for one in file.preset.order].count("main") == 1
    assert ("prompt_twice", "prompts[6]") in codes(file, "changed")


def test_a_preset_without_order_takes_the_usual_one() -> None:
    """And names what it then does not send."""
    file = read(a_preset(prompt_order=[]))
    assert file.preset is not None
    assert sent(file.preset)[0] == "main"
    assert sent(file.preset)[-1] == "jailbreak"
    assert file.preset.unlisted == ("文风",)
    assert file.preset.missing == ()


def test_the_first_presets_are_read_too() -> None:
    """Three texts and three switches in place of prompts."""
    old = {
        "temperature": 1,
        "openai_max_tokens": 300,
        "main_prompt": "Write on.",
        "nsfw_prompt": "附加",
        "jailbreak_prompt": "Last word",
        "nsfw_toggle": False,
        "jailbreak_system": True,
        "nsfw_first": False,
        "enhance_definitions": True,
    }
    preset = played(old)
    assert "nsfw" not in sent(preset)
    assert {"main", "enhanceDefinitions", "jailbreak"} <= set(sent(preset))
    assert sent(preset).index("jailbreak") > sent(preset).index("chatHistory")
    last = preset.prompt("jailbreak")
    assert last is not None
    assert last.prompt.content == "Last word"
    first = played({**old, "nsfw_toggle": True, "nsfw_first": True})
    assert sent(first)[0] == "nsfw"


def test_a_prompt_managers_export_is_a_preset() -> None:
    """Its envelope is kept; the order may lie bare in it."""
    for order in (ORDER, [{"character_id": 100001, "order": ORDER}]):
        envelope = {
            "version": 1,
            "type": "full",
            "data": {"prompts": PROMPTS, "prompt_order": order},
        }
        file = read(envelope)
        assert (file.form, file.raw) == ("prompt_manager", envelope)
        assert file.preset is not None
        assert sent(file.preset)[0] == "main"


def test_in_chat_prompts_keep_their_depth() -> None:
    """Depth and order may be text or missing."""
    prompts = [
        {"identifier": "a", "content": "x", "injection_position": 1, "injection_depth": "2"},
        {"identifier": "b", "content": "y", "injection_position": 1, "injection_depth": ""},
        {
            "identifier": "c",
            "content": "z",
            "injection_trigger": ["continue"],
            "injection_order": 7,
        },
    ]
    order = [{"identifier": one["identifier"], "enabled": True} for one in prompts]
    preset = played({"prompts": prompts, "prompt_order": [{"character_id": 1, "order": order}]})
    found = [one.prompt for one in preset.order]
    assert [(one.in_chat, one.depth, one.order) for one in found] == [
        (True, 2, 100),
        (True, 4, 100),
        (False, 4, 7),
    ]
    assert not found[2].is_for("normal")
    assert found[0].is_for("swipe")


# ---- P02 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "sends"),
    [("auto", None), ("min", "minimal"), ("low", "low"), ("high", "high"), ("max", "high")],
)
def test_p02_reasoning_keeps_its_word(word: str, sends: str | None) -> None:
    """P02: `auto` is not sent, the others are not turned off; the file keeps what it said."""
    file = read(a_preset(reasoning_effort=word))
    assert file.preset is not None
    assert file.preset.sampling.reasoning_effort == sends
    assert file.raw["reasoning_effort"] == word


@pytest.mark.parametrize(
    "fields",
    [
        {"stop": ["\nAnn:", "###"]},
        {"custom_stopping_strings": '["\\nAnn:", "###"]'},
        {"stop_sequences": ["\nAnn:"], "stopping_strings": "###"},
    ],
)
def test_p02_stop_strings_survive(fields: dict[str, object]) -> None:
    """P02: however they are written."""
    assert played(a_preset(**fields)).sampling.stop == ("\nAnn:", "###")


def test_p02_prefill_and_postfix_survive() -> None:
    """P02: and custom parameters stay in the file."""
    file = read(
        a_preset(
            assistant_prefill="她说：",
            continue_postfix="\n",
            custom_include_body="min_p: 0.1",
            my_own={"x": [1]},
        )
    )
    assert file.preset is not None
    assert file.preset.texts.prefill == "她说："
    assert file.preset.texts.continue_postfix == "\n"
    assert file.raw["custom_include_body"] == "min_p: 0.1"
    assert ("unknown_field", "my_own") in codes(file, "kept")


def test_what_changes_nothing_is_not_sent() -> None:
    """The neutral values of samplers, and a seed of -1."""
    sampling = played(
        a_preset(
            top_p=1, top_k=0, min_p=0, frequency_penalty=0, presence_penalty=0,
            repetition_penalty=1, seed=-1,
        )
    ).sampling  # fmt: skip
    assert (sampling.top_p, sampling.top_k, sampling.min_p, sampling.seed) == (None,) * 4
    assert sampling.repetition_penalty is None
    by_settings = played({"temp_openai": "0.7", "top_k_openai": 40, **a_preset(temperature=None)})
    assert (by_settings.sampling.temperature, by_settings.sampling.top_k) == (0.7, 40)


def test_a_sampler_out_of_range_is_named() -> None:
    """And not sent."""
    file = read(a_preset(temperature=99, min_p="no"))
    assert file.preset is not None
    assert file.preset.sampling.temperature is None
    assert ("sampler_out_of_range", "temperature") in codes(file, "warnings")
    assert ("unreadable_field", "min_p") in codes(file, "warnings")


# ---- connections -------------------------------------------------------------------------------

SECRETS = {
    "reverse_proxy": "https://proxy.example/v1",
    "proxy_password": "hunter2",
    "custom_url": "http://10.0.0.1:5000",
    "custom_include_headers": "Authorization: Bearer hunter2",
    "api_key_custom": "hunter2",
    "azure_base_url": "https://hunter2.example",
}


def test_a_proxy_and_password_are_shown_and_neither_kept_nor_exported() -> None:
    """Their names are told; their values are in nothing that is stored or handed out."""
    deeper: Json = {"other": [{"api_key": "hunter2", "key": "a word"}]}
    about: JsonObject = {"chat_completion_source": "openai", "openai_model": "m-1"}
    file = read(a_preset(**SECRETS, **about, extensions=deeper))
    paths = {*SECRETS, "extensions.other[0].api_key"}
    assert set(codes(file, "dropped")) == {("connection_field", path) for path in paths}
    assert file.raw["extensions"] == {"other": [{"key": "a word"}]}
    assert "hunter2" not in json.dumps([file.raw, file.report.to_json()])
    assert file.raw["openai_model"] == "m-1"
    exported, report = write_preset(file.raw)
    assert b"m-1" not in exported
    assert {note.path for note in report.dropped} == {"chat_completion_source", "openai_model"}
    assert "hunter2" not in json.dumps(cleaned(a_preset(**SECRETS)))


def test_empty_connection_fields_are_not_news() -> None:
    """Most presets carry them empty."""
    file = read(a_preset(reverse_proxy="", proxy_password=""))
    assert codes(file, "dropped") == []


def test_what_is_no_connection_is_not_taken_for_one() -> None:
    """Tokens are also what is counted."""
    file = read(a_preset(openai_max_tokens=5, banned_tokens="x", max_tokens_second=1))
    assert file.raw["banned_tokens"] == "x"
    assert file.raw["max_tokens_second"] == 1


# ---- other forms -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("instruct", {"input_sequence": "<u>", "output_sequence": "<a>", "name": "Plain"}),
        ("context", {"story_string": "{{#if system}}{{system}}{{/if}}", "name": "甲"}),
        ("sysprompt", {"name": "s", "content": "Write."}),
        ("reasoning", {"name": "t", "prefix": "<think>", "suffix": "</think>", "separator": ""}),
        ("text_completion", {"temp": 1, "top_p": 0.9, "rep_pen": 1.1, "sampler_order": [1]}),
        ("master", {"instruct": {"input_sequence": ""}, "sysprompt": {"content": "x"}}),
    ],
)
def test_templates_are_kept_and_named_as_not_used(form: str, value: JsonObject) -> None:
    """They are for text completion; a file of another kind is none of them."""
    file = read(value)
    assert (file.form, file.preset, file.raw) == (form, None, value)
    assert ("template_not_used", "") in codes(file, "kept")


@pytest.mark.parametrize(
    "value",
    [
        {"name": "A", "description": "d", "first_mes": "m"},
        {"spec": "chara_card_v2", "data": {"name": "x"}, "prompts": []},
        {"entries": {"0": {"key": ["x"], "content": "y"}}},
        {"findRegex": "/a/", "scriptName": "x", "prompts": []},
        {"instruct": {}, "messages": []},
        [],
        "text",
        {},
    ],
)
def test_other_files_are_no_presets(value: object) -> None:
    """A card, a lorebook, a script, a chat."""
    assert isinstance(read_preset(json.dumps(value).encode()), Refused)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"{", b"[" * 10_000, b'{"prompts": [NaN]}'])
def test_any_bytes_end_in_a_reason(data: bytes) -> None:
    """Nothing raises."""
    assert isinstance(read_preset(data), Refused)


def test_odd_shapes_of_prompts_are_read() -> None:
    """An object in place of a list, members that are no objects, hostile keys."""
    odd: JsonObject = {
        "prompts": {"0": PROMPTS[0], "1": 7, "2": {"content": "no id"}},
        "prompt_order": [{"character_id": 100001, "order": [*ORDER, 5, {"identifier": 3}]}],
        "openai_max_tokens": 1,
        "openai_max_context": 2,
        "__proto__": {"constructor": 1},
    }
    file = read(odd)
    assert file.preset is not None
    assert sent(file.preset)[0] == "main"
    assert ("prompt_unnamed", "prompts[2]") in codes(file, "warnings")
    unreadable: JsonObject = {**a_preset(), "prompt_order": ["x", {"order": 3}]}
    assert sent(played(unreadable))[0] == "main"


# ---- nothing is lost ---------------------------------------------------------------------------

scalars: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5)
)
values: st.SearchStrategy[Json] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)  # fmt: skip
FIELDS = (
    "prompts prompt_order temperature top_k stop wi_format 名 extensions reasoning_effort"
    " openai_max_tokens openai_max_context main_prompt data type"
)
fields = st.sampled_from(FIELDS.split())


@given(st.dictionaries(fields | st.text(max_size=6), values, max_size=8))
def test_export_keeps_every_field(value: JsonObject) -> None:
    """What is no connection's comes out as it went in, and reads the same again."""
    whole: JsonObject = {**value, "openai_max_tokens": 1, "openai_max_context": 2}
    for foreign in ("spec", "entries", "findRegex"):
        whole.pop(foreign, None)
    file = read_value(whole)
    assert isinstance(file, PresetFile)
    exported, _ = write_preset(file.raw)
    assert json.loads(exported) == file.raw
    again = read_value(json.loads(exported))
    assert isinstance(again, PresetFile)
    assert (again.preset, again.raw) == (file.preset, file.raw)
