"""Sentences about scenarios and their faults in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "scenario.faults": "{n} faults.",
    "scenario.faults.one": "One fault.",
    "scenario.nearest": "Did you mean {name}?",
    "scenario.broken": "{name} (broken: {what})",
    "scenario.unknown_field": "is not a field that is read.",
    "scenario.must_be_text": "must be a text.",
    "scenario.must_be_bool": "must be true or false.",
    "scenario.must_be_whole": "must be a whole number.",
    "scenario.must_be_number": "must be a number.",
    "scenario.too_deep": "is nested too deeply.",
    "scenario.out_of_range": "must lie between {low} and {high}, not {value}.",
    "scenario.not_a_choice": "must be one of {known}, not {value}.",
    "scenario.unreadable": "cannot be read: {what}",
    "scenario.no_sections": "must be a table of sections.",
}
