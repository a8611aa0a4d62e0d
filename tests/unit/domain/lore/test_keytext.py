"""Keys typed as one line: commas part them, but not inside a pattern."""

import pytest

from huaben.domain.lore import split_keys


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("龙王, dragon ,sea", ("龙王", "dragon", "sea")),
        ("/dra(?:gon|ke){1,2}/i", ("/dra(?:gon|ke){1,2}/i",)),
        (" /a,b/gi , c", ("/a,b/gi", "c")),
        ("a, /b\\/,c/, d", ("a", "/b\\/,c/", "d")),
        ("/dragon, sea", ("/dragon", "sea")),
        ("and/or, b", ("and/or", "b")),
        ("/a/b, c", ("/a/b", "c")),
        (" , ,", ()),
        ("", ()),
        ("龙，王、海", ("龙，王、海",)),
    ],
)
def test_l05_a_comma_inside_a_pattern_belongs_to_it(line: str, keys: tuple[str, ...]) -> None:
    """A pattern is one key, whatever it holds; all else is parted and trimmed."""
    assert split_keys(line) == keys


def test_ideographic_commas_part_what_is_typed_in_chinese() -> None:
    """Where a form asks for it, `，` and `、` part keys too."""
    assert split_keys("龙王，/a，b/、海, x", ideographic=True) == ("龙王", "/a，b/", "海", "x")


def test_a_hostile_line_is_split_in_linear_time() -> None:
    """Ten thousand beginnings of patterns that nothing closes."""
    assert len(split_keys("/x," * 50_000)) == 50_000
