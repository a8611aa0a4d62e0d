"""What a browser must fetch before it shows a screen, packed; apart because it reads the built page and
needs neither a server nor a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

APP = Path(__file__).parents[3] / "src" / "huaben" / "web" / "static" / "app"
ASSETS = APP / "assets"
STAGE_BYTES = 340_000
STYLES_BYTES = 45_000
DESK_MORE_BYTES = 160_000
LOCALE_BYTES = 25_000

pytestmark = pytest.mark.skipif(
    not (APP / "index.html").exists(), reason="the page is not built (make page)"
)


def weight(names: set[str], suffix: str) -> int:
    """Bytes of the files of a kind as the server sends them: the packed twin where there is one."""
    files = [ASSETS / name for name in names if name.endswith(suffix)]
    packed = [file.with_name(f"{file.name}.gz") for file in files]
    return sum(
        (twin if twin.exists() else file).stat().st_size
        for file, twin in zip(files, packed, strict=True)
    )


def at_start() -> set[str]:
    """What the page itself names: the entry, what it imports, and the styles."""
    page = (APP / "index.html").read_text("utf-8")
    return set(re.findall(r"/static/assets/([\w.-]+\.(?:js|css))", page))


def brought_by(chunk: str, screen: str) -> set[str]:
    """What a chunk fetches when it loads a screen, by the list that the bundler wrote beside it."""
    text = (ASSETS / chunk).read_text("utf-8")
    listed = re.search(r"\.f=\[([^\]]*)\]", text)
    wanted = re.search(rf"import\([`\"']\./{screen}-[^)]*\),__vite__mapDeps\(\[([\d,]*)\]", text)
    assert listed is not None, chunk
    assert wanted is not None, (chunk, screen)
    every = re.findall(r"assets/([\w.-]+)", listed[1])
    return {every[int(at)] for at in wanted[1].split(",")}


def chunk(start: str, of: set[str]) -> str:
    (found,) = (name for name in of if name.startswith(f"{start}-") and name.endswith(".js"))
    return found


def test_a_reader_waits_for_few_bytes() -> None:
    """The first Stage, what the Desk adds to it, and each language stay within their budgets."""
    start = at_start()
    project = brought_by(chunk("index", start), "ProjectPage")
    inside = chunk("ProjectPage", project)
    stage = start | project | brought_by(inside, "StagePage")
    desk = start | project | brought_by(inside, "DeskPage")
    assert chunk("StagePage", stage)
    assert chunk("DeskPage", desk)
    assert weight(stage, ".js") <= STAGE_BYTES
    assert weight(stage, ".css") <= STYLES_BYTES
    assert weight(desk - stage, ".js") <= DESK_MORE_BYTES
    for language in ("zh", "en"):
        (locale,) = (file.name for file in ASSETS.glob(f"{language}-*.js"))
        assert weight({locale}, ".js") <= LOCALE_BYTES, language
