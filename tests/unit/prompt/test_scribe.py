"""What the scribe is sent: what is in it, what stays from turn to turn, and how it is asked again."""

import json
from typing import get_args

import pytest

from huaben.domain.evidence import weigh
from huaben.domain.ledger import Character, Ledger, Names, ledger_to_json
from huaben.domain.ledgerpatch import leaves, read_patch
from huaben.domain.project import Language
from huaben.domain.scribereply import FaultCode, ReplyFault, ScribeReply, read_reply
from huaben.prompt.scribe import ScribeScene, ask_again, compose_scribe
from huaben.prompt.texts import phrases

LANGUAGES: list[Language] = ["zh", "en"]
CODES: tuple[FaultCode, ...] = get_args(FaultCode)


def scene(language: Language, words: str = "我递伞。{words}", rules: str = "") -> ScribeScene:
    ledger = Ledger("雨夜", characters={"阿迟": Character(12)})
    return ScribeScene(language, ledger, words, "他接过伞。【正文】{x}", rules, "Ann")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_system_text_is_the_same_for_every_turn(language: Language) -> None:
    """Only the last message differs, so that the head of the prompt can be cached."""
    one, two = compose_scribe(scene(language)), compose_scribe(scene(language, "再来。"))
    assert [part.zone for part in one.segments] == ["prefix", "tail"]
    assert one.segments[0] == two.segments[0]
    assert one.segments[1] != two.segments[1]
    assert one.tools == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_ledger_words_and_prose_are_given_as_they_are(language: Language) -> None:
    """The ledger in the form that a patch has, the turn to the letter: it will be quoted."""
    pieces = {
        piece.source: piece.text for piece in compose_scribe(scene(language)).segments[1].pieces
    }
    assert list(pieces) == ["ledger", "words", "prose", "scribe.close"]
    _, _, ledger = pieces["ledger"].partition("\n")
    assert json.loads(ledger) == ledger_to_json(scene(language).ledger)
    assert pieces["words"].endswith("\n我递伞。{words}")
    assert pieces["prose"].endswith("\n他接过伞。【正文】{x}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_absent_is_left_out(language: Language) -> None:
    """No words, no rules of the card, no name: no heading for them."""
    empty = ScribeScene(language, Ledger(), "", "他走了。")
    sources = [[piece.source for piece in part.pieces] for part in compose_scribe(empty).segments]
    assert sources == [["scribe"], ["ledger", "prose", "scribe.close"]]
    ruled = compose_scribe(scene(language, rules=" {rule} \n")).segments[0]
    assert [piece.source for piece in ruled.pieces] == ["scribe", "card_rules", "reader"]
    assert ruled.pieces[1].text.endswith("\n\n{rule}")
    assert "Ann" in ruled.pieces[2].text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_the_scribe_is_told_what_was_wrong(language: Language, code: FaultCode) -> None:
    """The second attempt extends the first, with the answer and a reason for each kind of fault."""
    prompt = compose_scribe(scene(language))
    reply = "" if code == "blank" else "{oops {0}"
    again = ask_again(prompt, language, reply, ReplyFault(code, "Expecting value at 7"))
    assert again.segments[:2] == prompt.segments
    assert [part.role for part in again.segments[2:]] == (
        ["user"] if code == "blank" else ["assistant", "user"]
    )
    told = again.segments[-1].text
    assert phrases(language, "scribe")[code].format(detail="Expecting value at 7") in told
    assert "patch" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_in_the_prompt_is_one_that_would_be_taken(language: Language) -> None:
    """The form that is asked for can be read, every item in it has its evidence, nothing is dropped."""
    duty = phrases(language, "scribe")["duty"]
    reply = read_reply(duty)
    assert isinstance(reply, ScribeReply)
    patch = read_patch(reply.patch, Names())
    weighed = weigh(patch, reply.evidence, reply.evidence.values(), Names())
    assert (reply.warnings, patch.warnings, weighed.warnings) == ((), (), ())
    assert set(weighed.canon) == set(leaves(patch))
    assert len(weighed.canon) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_say_the_same_things(language: Language) -> None:
    """Every section of the file is there, with the same facts to fill in."""
    mine, other = phrases(language, "scribe"), phrases("en", "scribe")
    assert list(mine) == list(other)
    assert list(phrases(language, "worldstate")) == list(phrases("en", "worldstate"))
    for name in ("`time`", "`location`", "`characters`", "`affinity`", "`status`", "`notes`"):
        assert name in mine["duty"]
    for name in ("`inventory`", "`flags`", "`plot_threads`", "`evidence`", "10", "-100"):
        assert name in mine["duty"]
