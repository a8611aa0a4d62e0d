"""Sentences about connections in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "doctor.short": "Find models, and test what each connection can do.",
    "doctor.help": """Test connections: all of them, after a look for model servers on this machine, or
    those NAMES. Each test is a handful of small calls, which a provider may charge for; what it
    finds is kept and decides how the model calls tools. The exit code is 1 when one of them cannot
    be used.""",
    "doctor.names": "[NAMES...]",
    "doctor.doing": "testing",
    "doctor.none": "There is no connection, and no model server on this machine. Set a provider's key (DEEPSEEK_API_KEY, OPENAI_API_KEY …), or HUABEN_BASE_URL and HUABEN_MODEL.",
    "doctor.no_model": "(no model)",
    "doctor.reachable": "reachable",
    "doctor.streams": "streams",
    "doctor.tools": "tools",
    "doctor.json": "JSON",
    "doctor.thinks": "thinks",
    "doctor.usage": "counts tokens",
    "doctor.cache": "tells of its cache",
    "doctor.native": "calls tools by itself",
    "doctor.by_json": "calls tools by JSON",
    "doctor.without": "no tools: each turn is one generation",
    "doctor.window": "window {n}",
    "doctor.first_token": "first token after {n} ms",
    "doctor.models": "It lists: {names}",
    "inspect.cost": "{amount} {currency}",
}
