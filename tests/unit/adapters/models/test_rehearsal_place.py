"""Where a story stands, told from its history."""

from __future__ import annotations

import pytest

from huaben.adapters.models.rehearsal.engine import next_cue
from huaben.adapters.models.rehearsal.place import hits, nearest_way, path_of, way_of
from huaben.adapters.models.rehearsal.script import load_story, whole

ZH, EN = load_story("zh"), load_story("en")
ARRIVE, LEDGER, HANDLE, LETTER = ZH.turns[:4]


def told(number: int) -> tuple[str, str]:
    """A turn of the Chinese story as history has it."""
    turn = ZH.turns[number]
    return turn.cue, whole(turn.steps, ())


def test_it_begins_at_the_opening() -> None:
    """No history, the first cue; in either language."""
    assert path_of(ZH, ()) == ("opening",)
    assert next_cue("zh", ()) == ARRIVE.cue
    assert next_cue("en", ()) == EN.turns[0].cue


def test_a_changed_text_is_still_its_scene() -> None:
    """One sentence is enough to know it by."""
    words, text = told(0)
    for change in ZH.changes:
        text = text.replace(change.old, change.new)
    assert path_of(ZH, [(words, text)]) == ("opening", "arrive")
    assert path_of(ZH, [(words, text.splitlines()[-1])]) == ("opening", "arrive")


def test_a_rewritten_text_is_known_by_the_words_before_it() -> None:
    """The reader may replace all of it; the cue has been said and the story has moved."""
    assert path_of(ZH, [(ARRIVE.cue, "全是我自己写的。")]) == ("opening", "arrive")
    assert path_of(ZH, [("我掏出手机。", "全是我自己写的。")]) == ("opening",)


@pytest.mark.parametrize("number", [0, 1])
def test_a_rewritten_fork_is_known_by_its_answer(number: int) -> None:
    """History folds question and answer into the words; only the answer counts."""
    way = LETTER.ways[number]
    words = f"{LETTER.cue}\n\n（当时问：{LETTER.question} 读者答：{way.option}）"
    past = [told(0), told(1), told(2), (words, "全是我自己写的。")]
    assert path_of(ZH, past)[-1] == way.scene


def test_honest_sentences_move_nothing() -> None:
    """Also when the words before them were a cue."""
    lines = ZH.lines
    for line in (lines.off_script, lines.over, lines.changed, lines.unchanged, lines.lost):
        assert path_of(ZH, [(ARRIVE.cue, line.replace("{cue}", ARRIVE.cue))]) == ("opening",)


def test_the_end_has_no_cue() -> None:
    """Nothing is offered that would lead nowhere."""
    turn = next(turn for turn in ZH.turns if turn.scene == "dawn")
    assert next_cue("zh", [(turn.cue, whole(turn.steps, ()))]) == ""


@pytest.mark.parametrize(
    ("words", "keys", "count"),
    [
        ("我想住一晚", ("住", "房"), 1),
        ("不要拆开", ("拆开", "不 拆", "不要"), 3),
        ("Now open it", ("no", "open"), 1),
        ("I know. Opening it!", ("no", "now", "open"), 1),
        ("DON’T open it", ("don't open", "don't", "open"), 3),
        ("reopen", ("open",), 0),
        ("", ("open", "开"), 0),
    ],
)
def test_keys(words: str, keys: tuple[str, ...], count: int) -> None:
    """All parts of a key must be there; Latin ones at the start of a word, short ones alone."""
    assert hits(words, keys) == count


@pytest.mark.parametrize(
    ("answer", "scene"),
    [
        ("拆", None),
        ("拆开", "opened"),
        ("不打开", "kept"),
        ("还是别看了", "kept"),
        ("拆开，看看外婆写了什么！", "opened"),
        ("我想想", None),
    ],
)
def test_an_answer_means_a_way_or_none(answer: str, scene: str | None) -> None:
    """Clearly one way, or none: a doubtful answer is never guessed at first."""
    way = way_of(LETTER, answer)
    assert (way.scene if way else None) == scene


def test_the_nearest_way_shares_most_with_the_answer() -> None:
    """And the first of equals."""
    assert nearest_way(LETTER, "留给人家").scene == "kept"
    assert nearest_way(LETTER, "???").scene == LETTER.ways[0].scene
