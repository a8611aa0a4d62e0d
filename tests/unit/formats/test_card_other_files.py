"""Cards as WebP and YAML, and pictures that hold no card."""

import pytest

from tests.builders import cards as build
from tests.builders.cards import refused, taken

CARD = build.as_json(build.v1())


@pytest.mark.parametrize(
    "comment",
    [
        b"ASCII\x00\x00\x00" + CARD,
        b"ASCII\x00\x00\x00" + CARD + b"\x00\x00more\x00",
        b"UNICODE\x00" + CARD.decode().encode("utf-16-le"),
        b"\x00" * 8 + CARD,
        b"ASCII\x00\x00\x00" + ",".join(str(byte) for byte in CARD).encode(),
    ],
    ids=["ascii", "trailing bytes", "unicode", "no mark", "codes"],
)
def test_c28_a_webp_card_is_read_from_its_comment(comment: bytes) -> None:
    """C28: the JSON of the EXIF comment is found in each way that programs wrote it."""
    data = build.webp(build.exif_comment(comment))
    file = taken(data)
    assert (file.container, file.card.name) == ("webp", "陆小凤")
    assert file.image == data


def test_c28_a_webp_without_a_card_says_so() -> None:
    """A plain WebP, one with another comment and one that lies are refused."""
    assert refused(build.webp(b"", kind=b"XMP ")).code == "not_a_card"
    assert refused(build.webp(build.exif_comment(b"ASCII\x00\x00\x00{}"))).code == "not_a_card"
    assert refused(build.webp(b"Exif")[:-3] + b"\xff" * 8).code == "not_a_card"
    assert refused(b"RIFF\xff\xff\xff\xffWEBPEXIF\xff\xff\xff\xff").code == "not_a_card"


@pytest.mark.parametrize("data", [build.JPEG, b"GIF89a" + b"\x00" * 20])
def test_pictures_that_cannot_hold_a_card_are_refused(data: bytes) -> None:
    """A JPEG or GIF without an archive behind it holds nothing."""
    assert refused(data).code == "unsupported"


def test_yaml_cards_are_read_with_every_scalar_as_typed() -> None:
    """A name may be No, a version 1.10, a greeting many lines; nothing is guessed."""
    text = 'name: No\ncontext: |\n  四条眉毛。\n  第二行\ngreeting: "Hi\\n{{user}}"\nversion: 1.10\nx: ~\n'
    file = taken(text.encode(), "ann.yaml")
    card = file.card
    assert file.container == "yaml"
    assert (card.name, card.description, card.first_mes) == (
        "No",
        "四条眉毛。\n第二行\n",
        "Hi\n{{user}}",
    )
    assert (card.raw["version"], card.raw["x"]) == ("1.10", None)


def test_a_version_2_card_written_as_yaml_is_read() -> None:
    """Nested objects and lists are read too."""
    text = (
        "spec: chara_card_v2\ndata:\n  name: Ann\n  tags: [a, 'b']\n  alternate_greetings:\n  - x\n"
    )
    card = taken(text.encode()).card
    assert (card.name, card.tags, card.alternate_greetings) == ("Ann", ("a", "b"), ("x",))


@pytest.mark.parametrize(
    "text",
    [
        "name: a\nx: &x [1]\ny: [*x, *x]\n",
        "name: " + "[" * 100_000,
        "name: a\nx: !!python/object/apply:os.system [ls]\n? [a]\n: b\n",
        "name: a\n- b\n",
        "name: a\nx: {",
        "name: a\n" + "- a\n" * 60_000,
        "name: a\n" + "".join(f"k{number}: 1\n" for number in range(25_000)),
    ],
    ids=["alias", "deep", "odd key", "mixed", "open", "long list", "too many"],
)
def test_yaml_that_could_do_harm_is_refused(text: str) -> None:
    """Aliases, depth, size and odd keys end in a refusal."""
    assert refused(text.encode()).code in ("corrupt", "too_large")


def test_a_yaml_tag_is_only_text() -> None:
    """A tag that names code names nothing here."""
    card = taken(b"name: Ann\nx: !!python/name:os.system ''\n").card
    assert card.raw["x"] == ""


def test_yaml_that_is_no_card_is_refused() -> None:
    """A list or another mapping is no card."""
    assert refused(b"- name: Ann\n").code == "not_a_card"
    assert refused(b"description: x\n").code == "not_a_card"
    assert refused(b"name: a\n" + b"#" * 300_000).code == "too_large"
