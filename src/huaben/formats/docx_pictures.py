"""Pictures inside of Word documents (ECMA-376, DrawingML): files, relations and the places in the text. Apart
because a document without pictures needs none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import quoteattr

from huaben.formats.book import clean
from huaben.formats.illustrations import ENDINGS, Illustration, Illustrations

KNOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif"})
"""What Word shows; it knows no WebP."""
_EMU_PER_PIXEL: Final = 9525
_MAX_WIDTH: Final = 5_731_510
"""The text's width on the page, in English metric units."""
_MAX_HEIGHT: Final = 7_000_000
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture under its number in the document, which counts from 1."""

    number: int
    illustration: Illustration

    @property
    def name(self) -> str:
        return f"picture{self.number}.{ENDINGS[self.illustration.media_type]}"

    @property
    def relation(self) -> str:
        return f"rIdPicture{self.number}"

    def paragraph(self, caption: str) -> str:
        """The picture in a paragraph of its own, no larger than the page; the caption is also what is
        read where it cannot be seen."""
        width, height = self._size()
        told = quoteattr(clean(caption))
        named = f'id="{self.number}" name="{self.name}" descr={told}'
        return (
            '<w:p><w:pPr><w:pStyle w:val="Normal"/><w:keepNext/><w:spacing w:before="240" w:after="120"/>'
            '<w:jc w:val="center"/></w:pPr><w:r><w:drawing>'
            f'<wp:inline xmlns:wp="{_DRAWING}/wordprocessingDrawing"><wp:extent cx="{width}" cy="{height}"/>'
            f'<wp:docPr {named}/><a:graphic xmlns:a="{_DRAWING}/main">'
            f'<a:graphicData uri="{_DRAWING}/picture"><pic:pic xmlns:pic="{_DRAWING}/picture">'
            f"<pic:nvPicPr><pic:cNvPr {named}/><pic:cNvPicPr/></pic:nvPicPr>"
            f'<pic:blipFill><a:blip xmlns:r="{_OFFICE}" r:embed="{self.relation}"/>'
            "<a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
            f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>'
            "</a:graphic></wp:inline></w:drawing></w:r></w:p>"
        )

    def _size(self) -> tuple[int, int]:
        width = max(self.illustration.width, 1) * _EMU_PER_PIXEL
        height = max(self.illustration.height, 1) * _EMU_PER_PIXEL
        share = min(1.0, _MAX_WIDTH / width, _MAX_HEIGHT / height)
        return max(1, int(width * share)), max(1, int(height * share))


def drawings_of(illustrations: Illustrations) -> Mapping[str, Drawing]:
    """The pictures that a document can show, numbered, by id."""
    shown = {image: one for image, one in illustrations.items() if one.media_type in KNOWN}
    return {image: Drawing(number, shown[image]) for number, image in enumerate(shown, 1)}


def type_defaults(drawings: Mapping[str, Drawing]) -> str:
    """What the document says of the endings of its pictures."""
    kinds = sorted({one.illustration.media_type for one in drawings.values()})
    return "".join(
        f'<Default Extension="{ENDINGS[kind]}" ContentType="{kind}"/>\n' for kind in kinds
    )


def relations(drawings: Mapping[str, Drawing]) -> str:
    """Where the document finds its pictures."""
    return "".join(
        f'<Relationship Id="{one.relation}" Type="{_OFFICE}/image" Target="media/{one.name}"/>\n'
        for one in drawings.values()
    )


def media(drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    """The files of the pictures."""
    for one in drawings.values():
        yield f"word/media/{one.name}", one.illustration.content
