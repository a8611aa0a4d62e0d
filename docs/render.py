"""The documents as pages that open without a server; apart because only `make docs` needs it.

Every link to a file of the repository is followed first: a dead one fails the whole.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
PICTURES = frozenset({".svg", ".png"})
PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ max-width: 44rem; margin: 3rem auto; padding: 0 1rem; font: 1.05rem/1.65 Georgia, serif;
       color: #23201b; background: #fbf8f2; }}
pre, code {{ font: .9rem/1.5 ui-monospace, monospace; background: #f0ebe1; }}
pre {{ padding: .8rem 1rem; overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ border-bottom: 1px solid #d9d0c0; padding: .35rem .8rem .35rem 0; text-align: left;
         vertical-align: top; }}
img {{ max-width: 100%; }}
a {{ color: #7a2e1d; }}
</style>
<main>
{body}</main>
"""


def sources() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def links(tokens: list[Token]) -> list[tuple[Token, str]]:
    """Each token that points somewhere, with the attribute that does."""
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {"link_open": "href", "image": "src"}
    return [(token, kinds[token.type]) for token in inner if token.type in kinds]


def is_local(target: str) -> bool:
    return not target.startswith(("http://", "https://", "mailto:", "#"))


def dead_links(source: Path, tokens: list[Token]) -> list[str]:
    """The links of one document that lead to no file, each with the place it stands in."""
    targets = [str(token.attrGet(attribute) or "") for token, attribute in links(tokens)]
    return [
        f"{source.relative_to(ROOT)}: {target}"
        for target in targets
        if is_local(target) and not (source.parent / target.partition("#")[0]).exists()
    ]


def point_to_pages(tokens: list[Token]) -> None:
    for token, attribute in links(tokens):
        target = str(token.attrGet(attribute) or "")
        if is_local(target):
            token.attrSet(attribute, target.replace(".md", ".html"))


def title(tokens: list[Token]) -> str:
    headings = (i + 1 for i, token in enumerate(tokens) if token.type == "heading_open")
    return tokens[next(headings)].content if tokens else ""


def main(out: Path) -> int:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    parsed = {source: markdown.parse(source.read_text("utf-8")) for source in sources()}
    dead = [line for source, tokens in parsed.items() for line in dead_links(source, tokens)]
    for line in dead:
        print(f"dead link in {line}", file=sys.stderr)
    if dead:
        return 1
    shutil.rmtree(out, ignore_errors=True)
    for source, tokens in parsed.items():
        point_to_pages(tokens)
        page = out / source.relative_to(ROOT).with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        body = markdown.renderer.render(tokens, markdown.options, {})
        language = "zh" if "zh" in source.parts else "en"
        page.write_text(PAGE.format(language=language, title=title(tokens), body=body), "utf-8")
    for picture in (p for p in (ROOT / "docs").rglob("*") if p.suffix in PICTURES):
        copied = out / picture.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, copied)
    print(f"{len(parsed)} pages in {out}; start with {out / 'README.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
