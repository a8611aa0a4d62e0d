"""Macros that stand for texts of the card and the persona; apart as one family, all of them templates."""

from __future__ import annotations

import re

from huaben.formats.macros.run import Call, Definition, Outcome, Refused, Template

_START = re.compile(r"\s*<START>", re.IGNORECASE)


def _description(call: Call) -> Outcome:
    return Template(call.scene.card.description)


def _personality(call: Call) -> Outcome:
    return Template(call.scene.card.personality)


def _scenario(call: Call) -> Outcome:
    return Template(call.scene.card.scenario)


def _persona(call: Call) -> Outcome:
    return Template(call.scene.persona)


def _system_prompt(call: Call) -> Outcome:
    return Template(call.scene.card.system_prompt)


def _post_history(call: Call) -> Outcome:
    return Template(call.scene.card.post_history_instructions)


def _depth_prompt(call: Call) -> Outcome:
    return Template(call.scene.card.depth_prompt)


def _creator_notes(call: Call) -> Outcome:
    return Template(call.scene.card.creator_notes)


def _version(call: Call) -> Outcome:
    return Template(call.scene.card.version)


def _examples_raw(call: Call) -> Outcome:
    return Template(call.scene.card.mes_example)


def _examples(call: Call) -> Outcome:
    """Examples begin with `<START>`; a field that holds nothing else is empty."""
    text = call.scene.card.mes_example
    begun = _START.match(text)
    if not text.strip() or (begun is not None and not text[begun.end() :].strip()):
        return ""
    return Template(text if begun is not None else f"<START>\n{text}")


def _greeting(call: Call) -> Outcome:
    greetings = call.scene.card.greetings
    number = call.args[0] if call.args else "0"
    if re.fullmatch(r"[0-9]{1,6}", number) is None:
        return Refused("invalid_argument")
    return Template(greetings[int(number)]) if int(number) < len(greetings) else ""


def _original(call: Call) -> Outcome:
    """The default that this text replaces: once, then nothing, so it can never contain itself."""
    original = call.scene.original
    if original is None:
        return Refused("no_value")
    if call.run.original_spent:
        return ""
    call.run.original_spent = True
    return Template(original)


CARD = {
    "description": Definition(_description),
    "charDescription": Definition(_description),
    "personality": Definition(_personality),
    "scenario": Definition(_scenario),
    "persona": Definition(_persona),
    "charPrompt": Definition(_system_prompt),
    "charInstruction": Definition(_post_history),
    "charJailbreak": Definition(_post_history),
    "charDepthPrompt": Definition(_depth_prompt),
    "charCreatorNotes": Definition(_creator_notes),
    "creatorNotes": Definition(_creator_notes),
    "charVersion": Definition(_version),
    "version": Definition(_version),
    "char_version": Definition(_version),
    "mesExamples": Definition(_examples),
    "mesExamplesRaw": Definition(_examples_raw),
    "charFirstMessage": Definition(_greeting, most=1),
    "greeting": Definition(_greeting, most=1),
    "original": Definition(_original),
}
