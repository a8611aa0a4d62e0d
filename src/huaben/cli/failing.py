"""How the program ends: exit codes, and every error as one readable line with a hint; the one place of
the command line that catches whatever comes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence

import click

from huaben.cli.helping import Invocation
from huaben.cli.speaking import one_line, voice
from huaben.errors import HuabenError

_REASONS = {
    errno.ENOENT: "why.file_missing",
    errno.EACCES: "why.file_denied",
    errno.EPERM: "why.file_denied",
    errno.EISDIR: "why.file_folder",
    errno.ENOSPC: "why.disk_full",
    errno.EDQUOT: "why.disk_full",
    errno.EFBIG: "why.disk_full",
}
FINE = 0
FAILED = 1
WRONG_USAGE = 2


class Told(HuabenError):
    """A failure that the command line itself found, already in the user's language."""


class Quit(Exception):
    """The program was told to end by a signal; everything has been closed in good order."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


def guarded(work: Callable[[], int], invocation: Invocation) -> int:
    """Run the program and turn every way to end into an exit code: 0 fine, 1 the work failed,
    2 wrong usage, 128 + the signal's number when it was told to end."""
    try:
        code = work()
        sys.stdout.flush()
        return code
    except click.UsageError as error:
        _write(usage_lines(error))
        return WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        return 128 + 2
    except Quit as told:
        return 128 + told.signum
    except BrokenPipeError:
        _leave_pipe()
        return FAILED
    except HuabenError as error:
        _write(line_of(error), invocation)
        return FAILED
    except OSError as error:
        _write(_system_line(error), invocation)
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last boundary of the command line
        said = one_line(f"{type(error).__name__}: {error}")
        hint = "" if invocation.debug else voice().say("fail.debug_hint")
        _write(voice().join(voice().say("fail.unexpected", what=said), hint), invocation)
        return FAILED


def line_of(error: HuabenError) -> str:
    """What happened, what to do, and the stable code, on one line in the user's language."""
    message, hint = sentences(error)
    return one_line(f"{voice().join(message, hint)} [{error.code}]")


def sentences(error: HuabenError) -> tuple[str, str]:
    """Message and hint in the user's language. Errors are written in English where they arise;
    a code without a translation keeps its English words rather than losing them."""
    if isinstance(error, Told) or voice().language == "en":
        return error.message, error.hint
    from huaben.cli.errors_zh import ERRORS

    message, hint = ERRORS.get(error.code, ("", ""))
    facts = _Facts({**error.facts, "message": error.message})
    return (message or "{message}").format_map(facts), hint or error.hint


def hint_of(code: str, hint: str) -> str:
    """What to do about an error of that code, in the user's language where it is known there."""
    if voice().language == "en":
        return hint
    from huaben.cli.errors_zh import ERRORS

    return ERRORS.get(code, ("", ""))[1] or hint


def usage_lines(error: click.UsageError) -> str:
    """What is wrong with the command line, and where its usage is explained."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    path = error.ctx.command_path if error.ctx else "huaben"
    hint = voice().say("usage.hint", command=path)
    return f"huaben: {voice().join(_usage_message(error), hint)}"


# ---- parts of a line ---------------------------------------------------------------------------


class _Facts(dict[str, str | int | tuple[str, ...] | None]):
    """Facts by name; one that an error does not carry leaves a gap instead of a second error."""

    def __missing__(self, key: str) -> str:
        return "…"


def _usage_message(error: click.UsageError) -> str:
    say = voice().say
    match error:
        case click.MissingParameter(param=click.Argument()):
            return say("usage.missing_argument", name=_name_of(error))
        case click.MissingParameter():
            return say("usage.missing_option", name=_name_of(error))
        case click.exceptions.NoSuchCommand():
            return _nearest("usage.no_command", error.command_name, error.possibilities)
        case click.NoSuchOption():
            return _nearest("usage.no_option", error.option_name, error.possibilities)
        case click.BadParameter():
            return say("usage.bad_value", name=_name_of(error), what=_wrong(error))
        case _:
            return one_line(error.format_message())


def _wrong(error: click.BadParameter) -> str:
    kind = error.param.type if error.param else None
    if not isinstance(kind, click.IntRange):
        return one_line(error.message)
    if kind.max is None:
        return voice().say("usage.not_a_number", low=kind.min or 0)
    return voice().say("usage.not_in_range", low=kind.min or 0, high=kind.max)


def _name_of(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    is_argument = isinstance(error.param, click.Argument)
    return error.param.human_readable_name if is_argument else error.param.opts[0]


def _nearest(key: str, name: str, possibilities: Sequence[str] | None) -> str:
    message = voice().say(key, name=one_line(name))
    if not possibilities:
        return message
    return voice().join(message, voice().say("usage.nearest", name=possibilities[0]))


def system_reason(error: OSError) -> str:
    """Why the system refused, in the user's language where it is one of the usual reasons."""
    key = _REASONS.get(error.errno or 0)
    return voice().say(key) if key else error.strerror or str(error)


def _system_line(error: OSError) -> str:
    what = system_reason(error)
    key = "fail.file" if error.filename else "fail.system"
    return voice().say(key, path=one_line(str(error.filename)), what=what)


def _write(line: str, invocation: Invocation | None = None) -> None:
    if invocation is not None and invocation.debug:
        import traceback

        traceback.print_exc()
    prefix = "" if line.startswith("huaben: ") or "\n" in line else "huaben: "
    try:
        print(f"{prefix}{line}", file=sys.stderr, flush=True)
    except OSError:  # a closed pipe or terminal: there is nobody to tell
        _leave_pipe()


def _leave_pipe() -> None:
    """Nobody reads any more. What is still buffered must not raise when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):
            continue
