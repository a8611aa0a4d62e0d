"""Proper names in four languages: found where something says so, and nowhere else."""

from __future__ import annotations

import pytest

from huaben.domain.plan.names import new_names


def names(text: str, known: str = "") -> tuple[str, ...]:
    return new_names([text], known)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("雨停了，沈砚说：「你来了。」", "沈砚"),
        ("那位陆先生坐在窗边。", "陆先生"),
        ("我叫阿迟，是船工。", "阿迟"),
        ("看见一个叫阿迟的船工。", "阿迟"),
        ("他名叫顾长风，从北边来。", "顾长风"),
        ("「这位是苏大夫。」", "苏大夫"),
        ("只见林晚秋转身走了。", "林晚秋"),
        ("众人一齐看向沈砚。", "沈砚"),
        ("阿迟点了点头。", "阿迟"),
        ("艾琳·沃斯推开门。", "艾琳·沃斯"),
        ("他对面坐着 Mira，没有说话。", "Mira"),
        ("“Who is there?” Mira asked.", "Mira"),
        ("He looked at Mira Voss and smiled.", "Mira Voss"),
        ("Then Captain Holt came in.", "Holt"),
        ("It was Mr. Pike.", "Pike"),
        ("“Come in,” said Tobias.", "Tobias"),
        ('"Well, Anna, you came."', "Anna"),
        ("Two days later, Wren arrived.", "Wren"),
        ("「ミラさん、こちらです」", "ミラ"),
        ("アルトは静かに言った。", "アルト"),
        ("エレン・フォスターが立っていた。", "エレン・フォスター"),
        ("佐藤さんが笑った。", "佐藤"),
        ("カイという少年がいた。", "カイ"),
        ("김서연이 조용히 말했다.", "김서연"),
        ("민수 씨, 안녕하세요.", "민수"),
        ("한지우라는 소녀가 있었다.", "한지우"),
        ("제 이름은 박도윤입니다.", "박도윤"),
        ("“서연아, 어디 가?”", "서연"),
    ],
)
def test_a_name_is_found_by_what_stands_beside_it(text: str, name: str) -> None:
    """A title, a verb of speech, a naming phrase, a capital within a sentence, a particle."""
    assert names(text) == (name,)
    assert names(text, f"- {name} 在场") == ()


@pytest.mark.parametrize(
    "text",
    [
        "她高兴地说：「好。」",
        "黄昏走到尽头，白天过去。",
        "马上说清楚，何必问呢。",
        "他温言道：「别怕。」",
        "石阶上站着一个人，任何人都说不清他是谁。",
        "小二问道：「打尖还是住店？」老板说：「都不是。」",
        "江面上看见了船，他望着马车，又望着石桌。",
        "叫人心疼的声音，叫不出名字的花。",
        "Rain fell on the roof. The door opened. Suddenly he stopped.",
        "Rose petals fell. She rose. Morning turned to noon.",
        "God knows. It was Monday, and I'm fine. He speaks English and French.",
        "Nobody said anything. Everything smiled at him.",
        "STOP! he cried. NOBODY moves.",
        "## The Inn At The Ford",
        "The Inn At The Ford",
        "ランプが揺れた。ドアが開いた。コーヒーを飲んだ。",
        "お客様、どうぞ。皆さん、聞いてください。母さんが言った。",
        "고양이가 웃었다. 강아지가 다가왔다.",
        "오늘 날씨가 좋다. 그 아가씨가 말했다. 선생님이 대답했다.",
        "",
    ],
)
def test_other_words_are_no_names(text: str) -> None:
    """Neither a word at the start of a sentence, nor a noun that begins like a surname, nor a
    borrowed word."""
    assert names(text) == ()


def test_each_name_comes_once() -> None:
    """Also in several texts, in a shorter form and in another case."""
    texts = [
        "He met Mira Voss.",
        "Then Mira nodded, and MIRA was gone.",
        "沈砚说：“Mira。”",
        "沈砚笑了。",
    ]
    assert new_names(texts, "") == ("Mira Voss", "沈砚")


def test_a_name_is_known_as_a_whole_word() -> None:
    """Tom is not in tomorrow; of a full name one part is enough."""
    assert names("He saw Tom.", "tomorrow") == ("Tom",)
    assert names("He saw Tom Pike.", "- Pike waits") == ()
