"""A preset back to a file; apart from reading because it hands out less: nothing of a connection."""

from collections.abc import Mapping
from typing import cast

from huaben.domain.jsonvalue import Json, dump_json
from huaben.formats.presets.connection import sorted_out, without_connection
from huaben.formats.presets.sniff import form_of
from huaben.formats.report import Findings, Report


def write_preset(raw: Mapping[str, Json]) -> tuple[bytes, Report]:
    """The preset as JSON, every field as it came but for the connection's, which the report names."""
    whole = dict(raw)
    handed_out = without_connection(whole)
    findings = Findings()
    for key in whole:
        if key not in handed_out:
            findings.dropped("connection_field", key, "never exported")
    text = dump_json(cast("Json", handed_out), indent=4)  # a dict of JSON is JSON
    return text.encode(), findings.report()


def cleaned(value: Json) -> Json:
    """Any JSON value without what opens a connection, if it is a preset; else the same value."""
    return sorted_out(value).raw if isinstance(value, dict) and form_of(value) else value
