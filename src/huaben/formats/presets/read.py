"""Any preset's bytes to a preset: decode, recognise, take out what opens a connection; the door to the rest."""

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.formats.bounded import noted_text
from huaben.formats.cards.payload import stem_of
from huaben.formats.presets import connection
from huaben.formats.presets.chat import read_chat
from huaben.formats.presets.file import MAX_BYTES, PLAYED, Form, PresetFile, Refused
from huaben.formats.presets.sniff import form_of
from huaben.formats.report import Findings


def read_preset(data: bytes, filename: str = "") -> PresetFile | Refused:
    """The preset in a file, told by its content, never by its name. `filename` supplies the name of
    one that has none. Any bytes at all end in a `PresetFile` or a `Refused`."""
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    findings = Findings()
    value = parse_json(noted_text(data, "", findings))
    if isinstance(value, JsonFault):
        return Refused("too_large" if value.code == "too_large" else "corrupt", value.detail)
    return read_value(value, filename, findings)


def read_value(
    value: Json, filename: str = "", findings: Findings | None = None
) -> PresetFile | Refused:
    """Reads a preset from a JSON value, such as one that is stored."""
    findings = findings or Findings()
    form = form_of(value)
    if form is None or not isinstance(value, dict):
        return Refused("not_a_preset", "no fields of a known kind of preset")
    found = connection.sorted_out(value)
    connection.note(found, value, findings)
    name = _name(value, filename)
    fields = inner_fields(found.raw, form)
    if form not in PLAYED:
        findings.kept(
            "template_not_used", "", f"{form}: for text completion; kept, not used", value=form
        )
        return PresetFile(form, name, found.raw, None, findings.report())
    plain = {key: item for key, item in fields.items() if key not in (*found.named, "name")}
    preset = read_chat(plain, name, findings)
    return PresetFile(form, name, found.raw, preset, findings.report())


def inner_fields(raw: JsonObject, form: Form) -> JsonObject:
    """Where a preset keeps its fields: at the top, or in a prompt manager's envelope."""
    data = raw.get("data")
    return data if form == "prompt_manager" and isinstance(data, dict) else raw


def _name(value: JsonObject, filename: str) -> str:
    own = value.get("name")
    if isinstance(own, str) and own.strip():
        return own.strip()[:200]
    return stem_of(filename) or "Preset"
