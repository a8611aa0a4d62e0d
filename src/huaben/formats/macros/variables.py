"""Macros that read and write variables, and their shorthands; apart as one family."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from huaben.domain.jsonvalue import dump_json, parse_json
from huaben.formats.macros.numbers import number_text, to_number
from huaben.formats.macros.parser import Operator, Shorthand
from huaben.formats.macros.run import STEP_BYTES, Call, Definition, Outcome, Refused, Run
from huaben.formats.macros.scene import Scope

FALSY = ("", "false", "off", "0")
"""SillyTavern's documentation adds `no`, its behaviour does not."""

Ask: TypeAlias = Callable[[], str | Refused]


def is_true(text: str) -> bool:
    return text.strip().lower() not in FALSY


def _verb(scope: Scope, word: str) -> str:
    return word + ("var" if scope == "local" else "globalvar")


def _read(run: Run, scope: Scope, name: str, word: str) -> str | None:
    """The value, reported as volatile unless this same template decided it."""
    if not run.notebook.is_settled(scope, name):
        run.flag(_verb(scope, word))
    return run.notebook.get(scope, name)


def _write(run: Run, scope: Scope, name: str, value: str) -> Refused | None:
    if not run.spend(len(value) // STEP_BYTES):
        return Refused("too_many_steps")
    if not run.notebook.put(scope, name, value):
        return Refused("too_large")
    return None


def _set(run: Run, scope: Scope, name: str, value: str) -> Outcome:
    refused = _write(run, scope, name, value)
    if refused is None:
        run.notebook.settle(scope, name)
    return refused or ""


def added(value: str, amount: str) -> str:
    """What `addvar` makes of a value: numbers are added, a JSON list gets one more item, anything
    else is written behind it. A variable that does not exist is 0 to a number, "" to a text."""
    if value.lstrip().startswith("["):
        items = parse_json(value)
        if isinstance(items, list):
            return dump_json([*items, amount])
    left, right = to_number(value or "0"), to_number(amount or "0")
    if left is None or right is None:
        return value + amount
    return number_text(left + right)


def _add(run: Run, scope: Scope, name: str, amount: str, word: str = "add") -> str | Refused:
    """Adds and gives the new value."""
    value = _read(run, scope, name, word) or ""
    # A list is read and written as a whole, which costs more than copying it.
    if not run.spend(len(value) // 256):
        return Refused("too_many_steps")
    value = added(value, amount)
    return _write(run, scope, name, value) or value


def _subtract(run: Run, scope: Scope, name: str, amount: str) -> Outcome:
    """Subtracts numbers; anything else leaves the variable alone."""
    left = to_number(_read(run, scope, name, "add") or "0")
    right = to_number(amount)
    if left is None or right is None:
        return ""
    return _write(run, scope, name, number_text(left - right)) or ""


def _silent(outcome: str | Refused) -> Outcome:
    return outcome if isinstance(outcome, Refused) else ""


def _drop(run: Run, scope: Scope, name: str) -> Outcome:
    run.notebook.drop(scope, name)
    run.notebook.settle(scope, name)
    return ""


def _has(run: Run, scope: Scope, name: str) -> Outcome:
    return "false" if _read(run, scope, name, "has") is None else "true"


# ---- by name ---------------------------------------------------------------------------------


def _setvar(call: Call) -> Outcome:
    return _set(call.run, "local", call.args[0], call.args[1])


def _setglobalvar(call: Call) -> Outcome:
    return _set(call.run, "global", call.args[0], call.args[1])


def _addvar(call: Call) -> Outcome:
    return _silent(_add(call.run, "local", call.args[0], call.args[1]))


def _addglobalvar(call: Call) -> Outcome:
    return _silent(_add(call.run, "global", call.args[0], call.args[1]))


def _incvar(call: Call) -> Outcome:
    return _add(call.run, "local", call.args[0], "1", "inc")


def _incglobalvar(call: Call) -> Outcome:
    return _add(call.run, "global", call.args[0], "1", "inc")


def _decvar(call: Call) -> Outcome:
    return _add(call.run, "local", call.args[0], "-1", "dec")


def _decglobalvar(call: Call) -> Outcome:
    return _add(call.run, "global", call.args[0], "-1", "dec")


def _getvar(call: Call) -> Outcome:
    return _read(call.run, "local", call.args[0], "get") or ""


def _getglobalvar(call: Call) -> Outcome:
    return _read(call.run, "global", call.args[0], "get") or ""


def _hasvar(call: Call) -> Outcome:
    return _has(call.run, "local", call.args[0])


def _hasglobalvar(call: Call) -> Outcome:
    return _has(call.run, "global", call.args[0])


def _deletevar(call: Call) -> Outcome:
    return _drop(call.run, "local", call.args[0])


def _deleteglobalvar(call: Call) -> Outcome:
    return _drop(call.run, "global", call.args[0])


VARIABLES = {
    "setvar": Definition(_setvar, least=2, most=2),
    "addvar": Definition(_addvar, least=2, most=2),
    "incvar": Definition(_incvar, least=1, most=1),
    "decvar": Definition(_decvar, least=1, most=1),
    "getvar": Definition(_getvar, least=1, most=1),
    "hasvar": Definition(_hasvar, least=1, most=1),
    "varexists": Definition(_hasvar, least=1, most=1),
    "deletevar": Definition(_deletevar, least=1, most=1),
    "flushvar": Definition(_deletevar, least=1, most=1),
    "setglobalvar": Definition(_setglobalvar, least=2, most=2),
    "addglobalvar": Definition(_addglobalvar, least=2, most=2),
    "incglobalvar": Definition(_incglobalvar, least=1, most=1),
    "decglobalvar": Definition(_decglobalvar, least=1, most=1),
    "getglobalvar": Definition(_getglobalvar, least=1, most=1),
    "hasglobalvar": Definition(_hasglobalvar, least=1, most=1),
    "globalvarexists": Definition(_hasglobalvar, least=1, most=1),
    "deleteglobalvar": Definition(_deleteglobalvar, least=1, most=1),
    "flushglobalvar": Definition(_deleteglobalvar, least=1, most=1),
}


# ---- by shorthand ----------------------------------------------------------------------------


def answer(run: Run, node: Shorthand, value: Ask) -> Outcome:
    """Reads or writes a variable as `{{.name operator value}}` says.

    `value` expands the right-hand side and is asked at most once: `||`, `??` and their assigning
    forms ask only if they need it. If it is refused, nothing is written.
    """
    scope, name = node.scope, node.variable
    match node.operator:
        case "":
            return _read(run, scope, name, "get") or ""
        case "++":
            return _add(run, scope, name, "1", "inc")
        case "--":
            return _add(run, scope, name, "-1", "dec")
        case "||" | "??" | "||=" | "??=":
            return _fallback(run, node, value)
        case "=" | "+=" | "-=" | "==" | "!=" | ">" | ">=" | "<" | "<=":
            text = value()
            return text if isinstance(text, Refused) else _applied(run, node, text)
        case _:
            assert_never(node.operator)


def _applied(run: Run, node: Shorthand, text: str) -> Outcome:
    scope, name = node.scope, node.variable
    if node.operator == "=":
        return _set(run, scope, name, text)
    if node.operator == "+=":
        return _silent(_add(run, scope, name, text))
    if node.operator == "-=":
        return _subtract(run, scope, name, text)
    held = _compared(node.operator, _read(run, scope, name, "get") or "", text)
    return "true" if held else "false"


def _fallback(run: Run, node: Shorthand, value: Ask) -> Outcome:
    present = _read(run, node.scope, node.variable, "get")
    if present is not None and (node.operator in ("??", "??=") or is_true(present)):
        return present
    text = value()
    if isinstance(text, str) and node.operator in ("||=", "??="):
        return _write(run, node.scope, node.variable, text) or text
    return text


def _compared(operator: Operator, left: str, right: str) -> bool:
    if operator in ("==", "!="):
        return (left == right) == (operator == "==")
    a, b = to_number(left), to_number(right)
    if a is None or b is None:
        return False
    return a >= b if operator == ">=" else a <= b if operator == "<=" else _strictly(operator, a, b)


def _strictly(operator: Operator, a: float, b: float) -> bool:
    return a > b if operator == ">" else a < b
