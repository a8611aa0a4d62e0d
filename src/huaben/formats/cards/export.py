"""Exports with a report of what a form cannot hold; apart because reading never needs it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, assert_never

from huaben.domain.card import Asset, Card
from huaben.domain.jsonvalue import dump_json
from huaben.formats.cards.charx import write_charx_card
from huaben.formats.cards.outcome import MAX_FILE_BYTES, AssetFile, Refused
from huaben.formats.cards.overlay import json_as, own_json
from huaben.formats.cards.packed import EMBEDDED_SCHEMES, embedded_path, stored_name
from huaben.formats.cards.pictures import picture_ext
from huaben.formats.cards.pngcard import legacy_paths, takes_card, without_cards, write_png_card
from huaben.formats.report import Findings, Report

Form: TypeAlias = Literal["json", "png", "charx"]

_IMAGES = frozenset({"png", "apng", "jpg", "jpeg", "webp", "gif", "avif"})


@dataclass(frozen=True, slots=True)
class Exported:
    """A written file and what was decided about it."""

    data: bytes
    report: Report


def export_card(
    card: Card,
    form: Form,
    *,
    image: bytes | None = None,
    assets: Sequence[AssetFile] = (),
) -> Exported:
    """Writes a card in a form; the report names private marks cleared and all that the form leaves out.

    `image` and `assets` are a card file's own. JSON holds neither; PNG holds the picture, if it is a
    whole PNG, and the assets already in it; CharX holds everything that can be read.
    """
    findings = Findings()
    match form:
        case "json":
            data = dump_json(own_json(card, findings), indent=2).encode()
            if image is not None:
                findings.dropped("picture_left_out", "", "JSON holds no picture")
            _note_left_out(assets, findings)
        case "png":
            data = _png(card, image, assets, findings)
        case "charx":
            data = _charx(card, image, assets, findings)
        case _:
            assert_never(form)
    return Exported(data, findings.report())


def _png(card: Card, image: bytes | None, assets: Sequence[AssetFile], findings: Findings) -> bytes:
    if image is not None and not takes_card(image):
        findings.changed("picture_replaced", "", "not a whole PNG; the default picture is used")
        image = None
    inside = legacy_paths(image) if image is not None else frozenset[str]()
    _note_left_out((asset for asset in assets if asset.path not in inside), findings)
    v2 = dump_json(json_as(card, "v2", findings)).encode()
    v3 = dump_json(json_as(card, "v3", findings)).encode()
    return write_png_card(image, v2, v3)


def _charx(
    card: Card, image: bytes | None, assets: Sequence[AssetFile], findings: Findings
) -> bytes:
    files: dict[str, bytes] = {}
    moved: dict[str, str] = {}
    left = MAX_FILE_BYTES
    for file in assets:
        data = file.read()
        if isinstance(data, Refused):
            findings.dropped("asset_unreadable", file.path, data.detail, fault=data.detail)
        elif len(data) > left:
            findings.dropped("asset_too_large", file.path, "the export would be too large")
        else:
            left -= len(data)
            moved[file.path] = path = _home(file)
            files[path] = data
    declared = tuple(_moved(asset, moved) for asset in card.assets)
    icon = replace(card, assets=declared).main_icon
    if image is not None and embedded_path(icon.uri) not in files:
        ext = picture_ext(image)
        path = f"assets/icon/images/main.{ext}"
        files[path] = without_cards(image)
        portrait = Asset("icon", f"embeded://{path}", "main", ext)
        declared = (portrait, *(asset for asset in declared if asset != icon))
    if declared != card.assets:
        card = replace(card, assets=declared)
    top = json_as(card, "v3", findings)
    return write_charx_card(dump_json(top, indent=2).encode(), files)


def _home(file: AssetFile) -> str:
    """Where a file goes in a CharX: a legacy asset by kind (card V3), any other stays where it was."""
    asset = file.asset
    if asset is None or not asset.uri.startswith("__asset:"):
        return file.path
    name = stored_name(file.path, asset)
    folder = "images" if name.rpartition(".")[2] in _IMAGES else "other"
    kind = asset.kind if asset.kind.isidentifier() else "other"
    return f"assets/{kind}/{folder}/{name}"


def _moved(asset: Asset, moved: dict[str, str]) -> Asset:
    """The asset with the specification's spelling of its address, where its file now is."""
    if asset.uri.startswith(EMBEDDED_SCHEMES):
        path = moved.get(embedded_path(asset.uri) or "")
        if path is not None and asset.uri != f"embeded://{path}":
            return replace(asset, uri=f"embeded://{path}")
    return asset


def _note_left_out(assets: Iterable[AssetFile], findings: Findings) -> None:
    for asset in assets:
        findings.dropped("asset_left_out", asset.path, "only CharX holds files")
