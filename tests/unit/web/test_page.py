"""The page at the address of the server."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from huaben.web.routes.page import Language, preferred, render

LANGUAGES: tuple[Language, ...] = ("zh", "en")
BASE = "http://127.0.0.1:8720"


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(html)
    return parser.seen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("model", [None, "qwen"])
def test_the_page_needs_no_script_and_nothing_from_elsewhere(
    language: Language, model: str | None
) -> None:
    """No script, no inline style, no address of another host: the strictest policy holds."""
    for tag, attributes in elements(render(language, model, BASE)):
        assert tag not in ("script", "style", "iframe", "form", "img")
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        for name in ("href", "src"):
            target = attributes.get(name)
            assert target is None or re.match(r"/(?!/)", target)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_whether_a_model_is_connected(language: Language) -> None:
    """With one it is named; without one the three settings are, and the rehearsal is offered."""
    connected = render(language, "qwen-max", BASE)
    assert "qwen-max" in connected
    assert "/api/rehearsal" not in connected
    without = render(language, None, BASE)
    assert f"{BASE}/api/rehearsal" in without
    assert "HUABEN_BASE_URL" in without
    assert 'class="state missing"' in without


def test_a_name_is_shown_and_never_run() -> None:
    """X04: the name of a model, like any text from elsewhere, is text."""
    html = render("en", "<img src=x onerror=alert(1)>{version}$lead", BASE)
    assert "&lt;img src=x onerror=alert(1)&gt;{version}$lead" in html
    assert not [tag for tag, _ in elements(html) if tag == "img"]


def test_both_languages_say_the_same() -> None:
    """The same structure in Chinese and English, each marked as what it is."""
    zh, en = (elements(render(language, None, BASE)) for language in LANGUAGES)
    assert [tag for tag, _ in zh] == [tag for tag, _ in en]
    assert zh[0] == ("html", {"lang": "zh"})
    assert en[0] == ("html", {"lang": "en"})


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("zh-Hant-TW", "zh"),
        ("fr, zh;q=0.3, en;q=0.2", "zh"),
        ("fr", "en"),
        ("zh;q=0", "en"),
        ("zh;q=nonsense", "en"),
        ("*", "en"),
        ("", "en"),
        (",;q=,," * 5000, "en"),
    ],
)
def test_the_language_is_the_readers(header: str, language: Language) -> None:
    """By the weights of the header; English when it names neither."""
    assert preferred(header) == language


def test_text_colours_can_be_read_on_their_paper() -> None:
    """Every role has at least 4.5 to 1 against the page, light and dark."""
    css = (files("huaben.web") / "static" / "page.css").read_text("utf-8")
    light, dark = css.split("@media (prefers-color-scheme: dark)")[0:2]
    for paper in (light, dark.split("* { box-sizing")[0]):
        colours = dict(re.findall(r"--(\w+): (#[0-9A-F]{6})", paper))
        for role in ("narration", "dialogue", "user", "system", "action"):
            assert contrast(colours[role], colours["page"]) >= 4.5, role


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
