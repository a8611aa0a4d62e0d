"""Searching lorebooks: by name and by topic, in Chinese and English."""

from huaben.domain.lore import Book, Entry, search

HARBOUR = Book(
    name="Harbour",
    entries=(
        Entry(0, ("地名7",), title="地名7", content="一座小镇。"),
        Entry(1, ("地名77",), title="地名77", content="一座大城。"),
        Entry(2, ("龙王",), title="龙王", content="住在东海，三百岁。"),
        Entry(3, ("Maine",), title="Maine", content="A coast of rocks and lighthouses."),
        Entry(4, ("AI",), title="AI", content="A thinking machine."),
        Entry(5, ("旧伞",), content="龙王送的油纸伞，藏着东海的水。"),
        Entry(6, ("ghost",), title="Ghost", content="Haunts the lighthouse.", enabled=False),
    ),
)


def titles(query: str, limit: int = 3) -> list[str]:
    """The titles found in the harbour's book, best first."""
    return [hit.title for hit in search([HARBOUR], query, limit)]


def test_a_two_character_name_is_found_inside_a_sentence() -> None:
    """The entry of that name first, then the one that speaks of it."""
    assert titles("听说龙王来了吗") == ["龙王", "旧伞"]


def test_a_numbered_name_is_not_another_number() -> None:
    """`地名7` is not `地名77`, the bare name is both, and a number beside a name stays apart."""
    assert titles("地名7") == ["地名7"]
    assert titles("去地名77的路怎么走") == ["地名77"]
    assert titles("地名") == ["地名7", "地名77"]
    assert titles("地名8") == []
    assert titles("龙王3年前在哪里") == ["龙王", "旧伞"]


def test_a_word_inside_another_word_is_not_found() -> None:
    """`AI` is not in Maine, nor `house` in lighthouses."""
    assert titles("AI") == ["AI"]
    assert titles("main") == []
    assert titles("house") == []
    assert titles("what of the Lighthouses?") == ["Maine"]


def test_width_and_case_do_not_matter() -> None:
    """Full-width and upper-case questions find the same."""
    assert titles("ＭＡＩＮＥ") == titles("maine") == ["Maine"]


def test_disabled_entries_and_empty_questions_find_nothing() -> None:
    """Nor does a question of punctuation, or a limit of 0."""
    assert titles("ghost") == []
    assert titles("") == titles("？！…") == titles("龙王", limit=0) == []


def test_a_hit_says_where_it_is_and_what_it_holds() -> None:
    """The reference is the index of the book and the uid of the entry."""
    hits = search([Book("empty"), HARBOUR], "油纸伞", 1)
    assert [(hit.ref, hit.title, hit.content) for hit in hits] == [
        ("1/5", "旧伞", "龙王送的油纸伞，藏着东海的水。")
    ]
    assert hits[0].score > 0


def test_a_hostile_question_is_bounded() -> None:
    """A question as long as a book asks for no more terms than a sentence."""
    assert titles("龙王" * 50_000 + "x" * 50_000)[0] == "龙王"
