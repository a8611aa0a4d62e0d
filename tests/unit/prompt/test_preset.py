"""A preset over our three zones: nothing that stands after the chat moves before it, nothing is put where
the preset has no place for it, and whatever is not sent is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.card import CardRole
from huaben.domain.preset import MARKERS, Listed, Preset, PresetPrompt, PresetTexts
from huaben.domain.project import Language
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.inchat import FARTHEST, InChat, before_words
from huaben.prompt.preset import Staging, arrange
from huaben.prompt.segments import Piece, Prompt
from huaben.prompt.stage import CardTexts, Constant, PastTurn, StageScene, UserTexts, compose

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def a_scene(language: Language = "en", **changes: object) -> StageScene:
    values: dict[str, object] = {
        "language": language,
        "words": "我推门。",
        "card": CardTexts("沈砚", "A clerk.", "calm", "A rainy night.", "Ann: hi", rules="RULES"),
        "user": UserTexts(rules="user's rules"),
        "persona_name": "Ann",
        "persona_named": True,
        "persona_text": "A traveller.",
        "constants": (
            Constant("0/1", "Ferry", "One ferry.", "before_char"),
            Constant("0/2", "Inn", "One inn.", "after_char"),
        ),
        "greeting_title": "1",
        "greeting": "“We are closed.”",
        "past": (PastTurn("t1", "words", "told"),),
        "active": (
            ActiveEntry("0/3", "伞", "竹伞。", "key", "before_char"),
            ActiveEntry("0/4", "Lamp", "A lamp.", "key", "at_depth"),
        ),
        "index": (),
        "index_chars": 0,
        "tools": (),
    }
    return StageScene(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def text(name: str, **changes: object) -> PresetPrompt:
    return PresetPrompt(name, name.upper(), **changes)  # pyright: ignore[reportArgumentType] - a builder


def a_preset(*prompts: PresetPrompt | str, **changes: object) -> Preset:
    listed = tuple(
        Listed(text(one) if isinstance(one, str) else one, enabled=True) for one in prompts
    )
    return Preset("p", listed, **changes)  # pyright: ignore[reportArgumentType] - a builder


def staged(preset: Preset, scene: StageScene | None = None, **changes: object) -> Prompt:
    texts = {one.prompt.identifier: f"<{one.prompt.identifier}>" for one in preset.order}
    values: dict[str, object] = {"preset": preset, "texts": texts, **changes}
    staging = Staging(**values)  # pyright: ignore[reportArgumentType] - a builder
    return compose(arrange(scene or a_scene(), staging))


WHOLE = a_preset("main", *MARKERS[:-1], "nsfw", "chatHistory", "jailbreak")


def sources(prompt: Prompt) -> list[str]:
    return [piece.source for piece in prompt.segments[0].pieces]


def out(prompt: Prompt) -> dict[str, str]:
    return {one.source: one.reason for one in prompt.left_out}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_before_the_chat_is_the_system_text_in_order(language: Language) -> None:
    """Slots hold our own blocks; the stage's rules stay, the shipped opening gives way to main."""
    prompt = staged(WHOLE, a_scene(language))
    assert sources(prompt) == [
        "stage",
        "user_rules",
        "preset:main",
        "constants.before",
        "persona.name",
        "persona",
        "card.name",
        "card.description",
        "card.personality",
        "card.scenario",
        "constants",
        "card.examples",
        "preset:nsfw",
    ]
    assert "RULES" not in prompt.segments[0].text


def test_p01_the_post_history_text_is_the_last_before_the_reply() -> None:
    """P01: the card's own takes its place, main is untouched."""
    prompt = staged(WHOLE, card={"jailbreak": "X"})
    last = prompt.segments[-1]
    assert (last.zone, last.role, last.text) == ("tail", "system", "X")
    assert prompt.segments[-2].role == "user"
    assert prompt.segments[-2].text.endswith("我推门。")
    assert "<main>" in prompt.segments[0].text
    assert "<jailbreak>" not in "".join(segment.text for segment in prompt.segments)


@pytest.mark.parametrize("where", ["forbidden", "off", "missing"])
def test_a_cards_text_gives_way(where: str) -> None:
    """To a prompt that forbids it, is off, or is not there; it is named then."""
    jailbreak = text("jailbreak", forbid_overrides=where == "forbidden")
    order = (Listed(text("chatHistory")), Listed(jailbreak, enabled=where != "off"))
    preset = Preset("p", order[:1] if where == "missing" else order)
    prompt = staged(preset, card={"jailbreak": "X", "main": "Y"})
    assert "X" not in prompt.segments[-1].text
    assert {"card.post_history", "card.system_prompt"} <= out(prompt).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_l22_what_the_preset_has_no_slot_for_is_left_out_and_named(language: Language) -> None:
    """L22: never put elsewhere, never in silence; lore at a depth needs no slot."""
    preset = a_preset("main", "charDescription", "chatHistory", "jailbreak")
    prompt = staged(preset, a_scene(language))
    sent = "\n".join(segment.text for segment in prompt.segments)
    assert "One ferry." not in sent
    assert "One inn." not in sent
    assert "竹伞。" not in sent
    assert "A lamp." in sent
    told = out(prompt)
    assert "no such slot" in told["preset:worldInfoBefore"]
    assert "no such slot" in told["preset:personaDescription"]
    assert "worldInfoBefore" in told["lore:0/3 伞"]
    assert "preset:charDescription" not in told


def test_l22_a_slot_that_is_off_is_named_as_off() -> None:
    """And an empty one is no news."""
    order = (Listed(text("worldInfoAfter"), enabled=False), Listed(text("chatHistory")))
    told = out(staged(Preset("p", order)))
    assert "switched off" in told["preset:worldInfoAfter"]
    nothing = a_scene(constants=(), card=None, persona_named=False, persona_text="", active=())
    assert not {key for key in out(staged(Preset("p", order), nothing)) if key != "preset"}


def test_in_chat_prompts_stand_before_the_words_by_depth_and_order() -> None:
    """Each says where it would have stood; depth 0 comes after the words."""
    prompts = [
        text("a", in_chat=True, depth=1, order=200),
        text("b", in_chat=True, depth=4),
        text("c", in_chat=True, depth=1, order=50, role="user"),
        text("d", in_chat=True, depth=0, role="user"),
        text("e", in_chat=True, depth=0, order=1),
    ]
    prompt = staged(a_preset("main", *prompts, "chatHistory", "jailbreak"))
    user, *after = [one for one in prompt.segments if one.zone == "tail"]
    placed = [piece.source for piece in user.pieces if piece.source.startswith("preset:")]
    assert placed == ["preset:b", "preset:c", "preset:a"]
    assert user.pieces[-1].source == "words"
    reasons = {piece.source: piece.reason for piece in user.pieces}
    assert reasons["preset:b"] == "B; depth 4, role system: mapped to before the words"
    assert [(one.role, one.text) for one in after] == [
        ("system", "<e>"),
        ("user", "<d>"),
        ("system", "<jailbreak>"),
    ]


def test_a_last_message_is_never_taken_for_the_beginning_of_the_reply() -> None:
    """A prompt with the role of the assistant is sent as system there, and says so."""
    prompt = staged(a_preset("chatHistory", text("z", role="assistant")))
    last = prompt.segments[-1]
    assert last.role == "system"
    assert last.pieces[0].reason == "Z; role assistant: sent as system"
    inner = staged(a_preset("chatHistory", text("z", role="assistant"), "jailbreak"))
    assert [one.role for one in inner.segments[-2:]] == ["assistant", "system"]


def test_slots_after_the_chat_are_filled_there() -> None:
    """The order is the preset's."""
    prompt = staged(a_preset("main", "chatHistory", "worldInfoAfter", "charDescription"))
    last = prompt.segments[-1]
    assert last.role == "system"
    assert [piece.source for piece in last.pieces] == [
        "constants",
        "card.name",
        "card.description",
    ]
    assert "One inn." not in prompt.segments[0].text


def test_prompts_for_other_kinds_of_generation_stay_out() -> None:
    """The system text is the same for a session: what is not for the usual kind is never in it."""
    rare: tuple[str, ...] = ("swipe",)
    preset = a_preset(text("a", triggers=rare), "chatHistory", text("b", triggers=rare))
    usual, swipe = staged(preset), staged(preset, trigger="swipe")
    assert "<b>" not in usual.segments[-1].text
    assert swipe.segments[-1].text == "<b>"
    assert "<a>" not in swipe.segments[0].text
    assert out(swipe)["preset:a"] == "only for swipe"


def test_a_preset_without_a_place_for_the_chat_still_tells_it() -> None:
    """All of it stands before, which is said."""
    prompt = staged(a_preset("main", "jailbreak"))
    assert [one.role for one in prompt.segments][1:] == ["assistant", "user", "assistant", "user"]
    assert "<jailbreak>" in prompt.segments[0].text
    assert "preset:chatHistory" in out(prompt)


def test_the_users_own_opening_stays_and_the_shipped_one_fills_in() -> None:
    """`SYSTEM.md` before main; without a main text there is an opening all the same."""
    own = staged(WHOLE, a_scene(user=UserTexts(system="MINE")))
    assert own.segments[0].text.startswith("MINE")
    assert "preset:main" in sources(own)
    bare = staged(a_preset("chatHistory"))
    assert sources(bare)[0] == "base"


def test_formats_of_the_preset_are_kept_to() -> None:
    """For personality, scenario and lore; and its texts round chat and examples."""
    preset = replace(WHOLE, texts=PresetTexts(lore_format="[{0}]"))
    prompt = staged(preset, personality="(calm)", new_chat="[begin]", new_example="[e.g.]")
    whole = prompt.segments[0].text
    assert "(calm)" in whole
    assert "[## Ferry" in whole
    assert whole.endswith("[begin]")
    assert whole.index("[e.g.]") < whole.index("Ann: hi")
    empty = staged(preset, a_scene(card=CardTexts("A")), personality="()", new_example="[e.g.]")
    assert "()" not in empty.segments[0].text
    assert "[e.g.]" not in empty.segments[0].text


def test_a_cards_rule_file_takes_the_place_of_its_fields() -> None:
    """At the slot of the description."""
    prompt = staged(WHOLE, a_scene(card=CardTexts("A", "d", own_rules="OWN")))
    assert "card.own_rules" in sources(prompt)
    assert "card.description" not in sources(prompt)


def test_what_the_preset_does_not_send_is_named() -> None:
    """Switched off, unlisted, missing, without counterpart."""
    preset = Preset(
        "p",
        (Listed(text("main"), enabled=False), Listed(text("chatHistory"))),
        unlisted=("x",),
        missing=("y",),
        not_applied=("names_behavior",),
    )
    reasons = [one.reason for one in staged(preset).left_out if one.source == "preset"]
    assert reasons == [
        "switched off: MAIN",
        "in no order: x",
        "in the order without a prompt: y",
        "no counterpart here: names_behavior",
    ]


def test_p10_two_builds_differ_only_after_the_last_stable_message() -> None:
    """P10: system text and past are the same whatever this turn says."""
    deep = text("deep", in_chat=True)
    preset = a_preset("main", *MARKERS[:-1], deep, "chatHistory", "jailbreak")
    first = staged(preset)
    later = staged(
        preset,
        a_scene(words="再敲一次。", active=(), past=(*a_scene().past, PastTurn("t2", "a", "b"))),
    )
    kept = [one for one in first.segments if one.zone != "tail"]
    assert list(later.segments[: len(kept)]) == kept
    assert first.stable == len(kept)


def test_texts_among_the_messages_keep_their_order() -> None:
    """From the farthest to the nearest, of one place system before user before assistant."""
    roles: tuple[CardRole, ...] = ("assistant", "user", "system")
    same = [InChat(Piece(role, role), 2, role=role) for role in roles]
    far = InChat(Piece("note", "n", "due"), FARTHEST)
    near = InChat(Piece("near", "x"), 1, 5)
    placed = before_words([near, *same, far])
    assert [piece.source for piece in placed] == ["note", "system", "user", "assistant", "near"]
    assert (
        placed[0].reason == "due; beside the main prompt, role system: mapped to before the words"
    )
