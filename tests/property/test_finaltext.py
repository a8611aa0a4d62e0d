"""What holds for every draft and every speech, however the markup in them is broken."""

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.finaltext import dedupe_blocks, final_text, format_blocks
from huaben.domain.text import is_blank

SCRAPS = st.sampled_from(
    [
        *(
            "雨。",
            "She waits",
            " ",
            "\n",
            "\n\n",
            "\r\n",
            "　　",
            "a < b",
            "<3",
            '"',
            "'",
            "=",
            "/",
            ">",
        ),
        *("<状态>", "</状态>", "<bar x='>'>", "</bar>", "<Bar>", "<img/>", '<a b="', "<", "</"),
        *(
            "<content>",
            "</content>",
            "```\n",
            "\n```",
            "~~~~ x\n",
            "\n~~~~",
            "<!--",
            "-->",
            "<b>",
            "</b>",
        ),
        *("P1", "P2", "\n\nP2", "<th", "ink>", "<i>x</i>"),
    ]
)
BACKSTAGE_TAGS = st.sampled_from(
    [
        *(
            "<think>",
            "</think>",
            "<Thinking a='1'>",
            "</THINKING>",
            "<think/>",
            "<思考>",
            "</思考>",
        ),
        *("<notes>", "</notes>", "<think", "</think", "<system>", "</system>", "<jailbreak>"),
    ]
)
DRAFTS = st.lists(SCRAPS, max_size=12).map("".join)
PIECES = st.lists(SCRAPS | BACKSTAGE_TAGS, max_size=16).map("".join)
SPEECH = st.lists(PIECES, max_size=4)

PROSE = st.text("雨停了ab .，。<>3\n'\"=&", max_size=40).map(lambda s: s.replace("<", "< "))
WORDS = st.text("雨停了ab .，。", max_size=12)
TAGS = st.sampled_from(["状态", "bar", "opt-1"])
THOUGHTS = st.sampled_from(["think", "思考", "Analysis", "notes"])


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """Draw one well-made format block."""
    name, words = draw(TAGS), draw(WORDS)
    return draw(
        st.sampled_from(
            [f"<{name}>{words}</{name}>", f"<{name} x='{words}'/>", f"```\n{words}\n```"]
        )
    )


@given(DRAFTS, SPEECH)
def test_the_draft_stands_in_front(draft: str, spoken: list[str]) -> None:
    """A draft that is not blank is never rewritten."""
    if not is_blank(draft):
        assert final_text(draft, spoken).startswith(draft)


@given(DRAFTS)
def test_silence_changes_nothing(draft: str) -> None:
    """Without speech the final text is the draft."""
    assert final_text(draft, []) == draft


@given(st.text(min_size=1), st.lists(PROSE, max_size=3))
def test_prose_changes_nothing(draft: str, spoken: list[str]) -> None:
    """Speech without tags and fences leaves a written draft as it is."""
    if not is_blank(draft):
        assert final_text(draft, spoken) == draft


@given(SPEECH)
def test_no_hidden_tag_comes_through(spoken: list[str]) -> None:
    """Neither behind a draft nor in place of one does a thinking or prompt tag appear."""
    for draft in ("Rain.", ""):
        whole = final_text(draft, spoken).casefold()
        for name in ("think", "thinking", "思考", "notes", "system", "jailbreak"):
            for end in (">", " ", "/", "<", "\n"):
                assert f"<{name}{end}" not in whole
                assert f"</{name}{end}" not in whole


@given(
    THOUGHTS, st.lists(WORDS | blocks(), max_size=4), st.lists(blocks(), max_size=3), st.booleans()
)
def test_a_thought_takes_all_that_it_holds(
    name: str, inside: list[str], behind: list[str], closed: bool
) -> None:
    """Blocks within a thought are lost, those behind its end are kept, in their order."""
    thought = f"<{name}>\n" + "\n".join(["secret", *inside, "secret"])
    end = f"\n</{name}>\n" if closed else ""
    whole = final_text("P", [thought + end + ("\n".join(behind) if closed else "")])
    kept = list(dict.fromkeys(behind)) if closed else []
    assert whole == "\n\n".join(["P", *kept])


@given(st.lists(blocks(), max_size=5), st.lists(WORDS, min_size=6, max_size=6))
def test_well_made_blocks_are_all_found(made: list[str], words: list[str]) -> None:
    """Blocks between words are found with their places, whatever the words are."""
    text = words[0] + "".join(
        f"\n{block}\n{word}" for block, word in zip(made, words[1:], strict=False)
    )
    found = format_blocks(text)
    assert [block.text for block in found] == made
    assert [text[block.start : block.end] for block in found] == made


@given(PIECES)
def test_blocks_are_in_order_and_apart(text: str) -> None:
    """Places never overlap, and a text without hidden stretches has each block at its place."""
    found = format_blocks(text)
    ends = [0, *(block.end for block in found)]
    assert all(end <= block.start < block.end for end, block in zip(ends, found, strict=False))
    if not any(
        sign in text.casefold() for sign in ("<!--", "think", "思考", "notes", "system", "jail")
    ):
        assert all(text[block.start : block.end] == block.text for block in found)


@given(PROSE, st.lists(blocks(), max_size=4))
def test_a_merge_done_again_adds_nothing(prose: str, made: list[str]) -> None:
    """The same speech behind its own final text leaves it as it is."""
    draft = "雨" + prose
    spoken = ["ok\n" + "\n".join(made)]
    whole = final_text(draft, spoken)
    assert final_text(whole, spoken) == whole


@given(st.lists(blocks() | WORDS, max_size=6))
def test_deduplication_done_again_changes_nothing(lines: list[str]) -> None:
    """Once every block is there once, nothing is left to remove."""
    once = dedupe_blocks("\n".join(lines))
    assert dedupe_blocks(once) == once
    texts = [block.text for block in format_blocks(once)]
    assert len(texts) == len(set(texts))


@given(st.text("雨ab", min_size=1), st.text("雨ab"))
def test_the_overlap_is_the_longest_one(draft: str, words: str) -> None:
    """What a content block keeps is what the plainest search would leave."""
    shared = max(n for n in range(len(words) + 1) if draft.endswith(words[:n]))
    rest = words[shared:]
    tail = f"\n\n<content>{rest}</content>" if rest else ""
    assert final_text(draft, [f"<content>{words}</content>"]) == draft + tail
