"""File names made of any name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.services.filenames import MAX_STEM, ascii_name, safe_name


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("沈砚", "沈砚.png"),
        ("Old Umbrella", "Old Umbrella.png"),
        ("../../etc/passwd", "_.._etc_passwd.png"),
        ("C:\\Users\\x", "C_Users_x.png"),
        ("a\r\nSet-Cookie: b", "a_Set-Cookie_ b.png"),
        ('say "hi"', "say _hi_.png"),
        ("…", "….png"),
        ("", "huaben.png"),
        (" . ", "huaben.png"),
        (".hidden", "hidden.png"),
        ("CON", "_CON.png"),
        ("com1.txt", "_com1.txt.png"),
        ("gnp\u202e.exe", "gnp.exe.png"),
        ("Zoe\u0308", "Zoë.png"),
        ("雨" * 200, "雨" * MAX_STEM + ".png"),
    ],
)
def test_a_name_becomes_a_file_name(name: str, made: str) -> None:
    """Readable where it can be, harmless where it cannot."""
    assert safe_name(name, "png") == made


@given(st.text(st.characters(codec=None)))
def test_any_name_is_a_single_visible_file(name: str) -> None:
    """No folder, no control, no direction mark; it ends as it should and can be written."""
    made = safe_name(name, "json")
    assert made.endswith(".json")
    assert not made.startswith(".")
    assert not set(made) & set('/\\:*?"<>|\n\r\0\u202e')
    assert len(made.encode()) <= 255
    assert ascii_name(made).isascii()
    assert '"' not in ascii_name(made)


def test_who_reads_ascii_gets_a_name_too() -> None:
    """A name of nothing but other characters is not a row of underlines."""
    assert ascii_name("沈砚.png") == "huaben.png"
    assert ascii_name("沈 Yan.png") == "_ Yan.png"
