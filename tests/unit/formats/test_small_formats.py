"""Base64, mojibake and reports."""

import base64
import json

import pytest

from huaben.formats.base64ish import decode_base64, encode_base64
from huaben.formats.mojibake import unbaked
from huaben.formats.report import MAX_NOTES, MAX_TEXT, Findings, Note, Report


@pytest.mark.parametrize("length", range(8))
def test_base64_is_read_however_it_is_written(length: int) -> None:
    """Padding, alphabet, spaces and junk do not matter."""
    data = bytes(range(250, 250 + 6))[:length] if length < 6 else bytes(range(length))
    plain = encode_base64(data)
    assert plain == base64.b64encode(data)
    url_safe = plain.replace(b"+", b"-").replace(b"/", b"_")
    for text in (plain, plain.rstrip(b"="), url_safe, b" \n".join([plain[:1], plain[1:]])):
        assert decode_base64(text) == data
    assert decode_base64(plain.rstrip(b"=") + b"==AAAA\x00\xff") == data


@pytest.mark.parametrize("junk", [b"", b"=", b"A", b"\xff\x00", b"!!!!", b"====AAAA"])
def test_what_is_no_base64_decodes_to_little(junk: bytes) -> None:
    """Nothing is raised."""
    assert decode_base64(junk) == b""


@pytest.mark.parametrize(
    "text", ["Zoë", "你好", "“你好” — Zoë 🌙", "naïve café…", "“CAFÉ”", "ÀÉÎÕÜ", "плохо", "20 °C"]
)
def test_mojibake_of_each_kind_can_be_taken_back(text: str) -> None:
    """Latin-1 and Windows-1252 readings of UTF-8 are recognised, sound text is not."""
    assert unbaked(text) is None
    assert unbaked(text.encode().decode("latin-1")) == text
    baked = "".join(_as_windows(byte) for byte in text.encode())
    assert unbaked(baked) == text


def _as_windows(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def test_plain_text_is_never_mojibake() -> None:
    """ASCII and the empty text have nothing to repair."""
    assert unbaked("") is None
    assert unbaked("hello") is None


def test_a_report_is_json() -> None:
    """Four lists of codes, paths and details, in order of finding."""
    findings = Findings()
    findings.kept("field", "data.name")
    findings.changed("number_as_text", "data.x", "5")
    findings.dropped("private_field", "fav")
    findings.warn("mojibake", "data.name", "ZoÃ«")
    report = findings.report()
    assert report.changed == (Note("number_as_text", "data.x", "5"),)
    assert json.loads(json.dumps(report.to_json()))["dropped"] == [
        {"code": "private_field", "path": "fav", "detail": "", "facts": {}}
    ]


def test_reports_add_up() -> None:
    """The notes of both, in order."""
    one = Report(kept=(Note("asset"),), warnings=(Note("mojibake"),))
    assert one + Report(kept=(Note("blank"),)) == Report(
        kept=(Note("asset"), Note("blank")), warnings=(Note("mojibake"),)
    )


def test_a_report_is_bounded_in_number_and_length() -> None:
    """The same note in a row counts once, later ones are counted, long texts are clipped."""
    findings = Findings()
    findings.kept("extension", "p" * 10_000, "d" * 10_000, value="v" * 10_000, n=7)
    for _ in range(5):
        findings.kept("folder_kept")
    for number in range(MAX_NOTES + 5):
        findings.kept("field", str(number))
    kept = findings.report().kept
    assert len(kept) == MAX_NOTES + 1
    assert kept[-1] == Note("more_notes", "", "7 further notes")
    assert (len(kept[0].path), len(kept[0].detail)) == (MAX_TEXT, MAX_TEXT)
    assert kept[0].facts == {"value": "v" * MAX_TEXT, "n": 7}
