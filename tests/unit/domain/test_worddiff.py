"""The difference by words: what is marked, what is left alone, and how far hostile texts get."""

import random

import pytest

from huaben.domain.text import utf16_len, utf16_slice
from huaben.domain.worddiff import diff_words


def marked(old: str, new: str) -> str:
    """The second text with `[-…-]` for what went and `{+…+}` for what came."""
    parts: list[str] = []
    for span in diff_words(old, new):
        before = utf16_slice(old, span.start, span.end)
        after = utf16_slice(new, span.new_start, span.new_end)
        assert isinstance(before, str)
        assert isinstance(after, str)
        shown = {"kept": after, "deleted": f"[-{before}-]", "inserted": f"{{+{after}+}}"}
        parts.append(shown[span.kind])
    return "".join(parts)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("他指尖一紧，走了。", "他不动声色，走了。", "他[-指尖一紧-]{+不动声色+}，走了。"),
        ("他递上旧伞。", "他递上新伞。", "他递上[-旧-]{+新+}伞。"),
        ("她很高兴。", "她很高傲。", "她很[-兴-]{+傲+}。".replace("她很", "她很高")),
        ("雨停了，他走了。", "雨停了。他走了。", "雨停了[-，-]{+。+}他走了。"),
        (
            "沈砚在门口站了很久，手里攥着那封信。",
            "沈砚在廊下站了一夜，手里攥着那封信。",
            "沈砚在[-门口-]{+廊下+}站了[-很久-]{+一夜+}，手里攥着那封信。",
        ),
    ],
)
def test_a_chinese_change_marks_the_changed_characters_and_no_more(
    old: str, new: str, expected: str
) -> None:
    """A change inside a sentence is never widened to the sentence, nor to a guess at its words."""
    assert marked(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The door opens.", "The gate opens.", "The [-door-]{+gate+} opens."),
        ("He walks on", "He walked on", "He [-walks-]{+walked+} on"),
        ("don't stop", "do not stop", "[-don't-]{+do not+} stop"),
        ("the old inn", "the inn", "the [-old -]inn"),
        ("Wait, she said.", "Wait! she said.", "Wait[-,-]{+!+} she said."),
        ("the café", "the cafe", "the [-café-]{+cafe+}"),
        ("Version 2 of it", "Version 21 of it", "Version [-2-]{+21+} of it"),
    ],
)
def test_an_english_change_marks_whole_words_and_punctuation_apart(
    old: str, new: str, expected: str
) -> None:
    """Letters shared by two different words are no common text."""
    assert marked(old, new) == expected


def test_words_changed_side_by_side_are_one_change() -> None:
    """A lone space between two changed words says nothing by itself."""
    assert marked("a quick brown fox", "a slow red fox") == "a [-quick brown-]{+slow red+} fox"


def test_a_character_alike_by_chance_between_two_large_changes_belongs_to_them() -> None:
    """One shared character in the middle of two other sentences is no anchor."""
    assert marked("东边日出的西边雨落", "南山雪盛的北海风起") == (
        "[-东边日出的西边雨落-]{+南山雪盛的北海风起+}"
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("他走了。雨停了。", "他走了。他哭了。雨停了。", "他走了。{+他哭了。+}雨停了。"),
        ("一。二。", "一。甲。二。", "一。{+甲。+}二。"),
        ("A cat. A dog.", "A cat. A bird. A dog.", "A cat. {+A bird. +}A dog."),
        ("雨。", "雪。夜。", "[-雨-]{+雪+}。{+夜。+}"),
        ("雪。夜。", "雨。", "[-雪-]{+雨+}。[-夜。-]"),
        ("It rains.\n", "It snows.\nShe waits.\n", "It [-rains-]{+snows+}.\n{+She waits.\n+}"),
        ("甲。\n\n丙。", "甲。\n\n乙。\n\n丙。", "甲。\n\n{+乙。\n\n+}丙。"),
        ("好，好，好", "好，好", "好，[-好，-]好"),
    ],
)
def test_an_added_sentence_is_marked_from_its_beginning_to_its_end(
    old: str, new: str, expected: str
) -> None:
    """Of places where an insertion could stand equally well, the one at a sentence's end is taken."""
    assert marked(old, new) == expected


def test_equal_paragraphs_tie_the_texts_together() -> None:
    """A paragraph that moved nowhere is kept whole, whatever happened around it."""
    old = "第一段，雨。\n\n第二段，伞。\n\n第三段，门。\n"
    new = "第一段，雪。\n\n新来的一段。\n\n第二段，伞。\n\n第三段，门！\n"
    assert marked(old, new) == (
        "第一段，[-雨-]{+雪+}。\n\n{+新来的一段。\n\n+}第二段，伞。\n\n第三段，门[-。-]{+！+}\n"
    )


def test_no_grapheme_cluster_is_cut() -> None:
    """A family, a flag and a letter with its accent are units, though they share code points."""
    assert marked("👨‍👩‍👧笑", "👨‍👩‍👦笑") == "[-👨‍👩‍👧-]{+👨‍👩‍👦+}笑"
    assert marked("🇨🇳 e", "🇨🇱 e\u0301") == "[-🇨🇳 e-]{+🇨🇱 e\u0301+}"


def test_offsets_are_utf16_units_of_each_text() -> None:
    """A page can slice its own strings by them, characters outside the basic plane included."""
    spans = diff_words("𠮷野🌙家", "𠮷野🌙亮家")
    told = [(s.kind, s.start, s.end, s.new_start, s.new_end) for s in spans]
    assert told == [("kept", 0, 5, 0, 5), ("inserted", 5, 5, 5, 6), ("kept", 5, 6, 6, 7)]


def test_line_ends_of_either_kind_are_units() -> None:
    """Whoever changes line ends sees line ends changed, not the paragraphs."""
    spans = diff_words("甲\r\n乙\r\n", "甲\n乙\n")
    assert [s.kind for s in spans if s.kind != "kept"] == ["deleted", "inserted"] * 2
    assert sum(s.end - s.start for s in spans if s.kind == "deleted") == 4


@pytest.mark.parametrize(("old", "new"), [("", ""), ("一样", "一样"), ("same", "same")])
def test_equal_texts_have_no_change(old: str, new: str) -> None:
    """Nothing, or one kept stretch."""
    assert [span.kind for span in diff_words(old, new)] == (["kept"] if old else [])


def test_one_side_may_be_empty() -> None:
    """A new chapter is all inserted, a removed one all deleted."""
    assert marked("", "新的一章") == "{+新的一章+}"
    assert marked("旧的一章", "") == "[-旧的一章-]"


def chapter(seed: int, chars: int = 50_000) -> str:
    """Prose by chance; paragraphs of 120 characters."""
    draw = random.Random(seed)
    han = "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪的了在是他她不有"
    paragraph = 120
    return "\n\n".join(
        "".join(draw.choices(han + "，。", k=paragraph)) for _ in range(chars // paragraph)
    )


def reworded(text: str, seed: int, share: float) -> str:
    draw = random.Random(seed)
    return "".join("另" if c != "\n" and draw.random() < share else c for c in text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(chapter(1), reworded(chapter(1), 2, 0.01), id="every paragraph changed"),
        pytest.param(chapter(1), chapter(2), id="nothing in common but characters"),
        pytest.param(chapter(1).replace("\n", ""), reworded(chapter(1), 2, 0.05), id="one line"),
        pytest.param("甲乙" * 25_000, "乙甲丙" * 17_000, id="periodic"),
        pytest.param("a\n" * 50_000, "b\na\n" * 25_000, id="fifty thousand lines"),
        pytest.param("一" * 50_000, "一" * 40_000 + "二" + "一" * 10_000, id="one character"),
    ],
)
def test_long_texts_are_covered_whatever_they_are_like(old: str, new: str) -> None:
    """Hostile or unlike, two chapters give spans that cover both of them."""
    spans = diff_words(old, new)
    assert spans[-1].end == utf16_len(old)
    assert spans[-1].new_end == utf16_len(new)


def test_a_single_change_in_a_long_chapter_is_a_single_change() -> None:
    """However long the text, the mark is as long as the change."""
    text = chapter(3)
    at = 20_000 + text[20_000:].index("灯")
    spans = diff_words(text, text[:at] + "烛" + text[at + 1 :])
    assert [(s.kind, s.end - s.start, s.new_end - s.new_start) for s in spans] == [
        ("kept", at, at),
        ("deleted", 1, 0),
        ("inserted", 0, 1),
        ("kept", len(text) - at - 1, len(text) - at - 1),
    ]
