"""The draft as it grows on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace

import pytest
from rich.console import Console

from huaben.cli.activity import Activity, doing, quiet_summary
from huaben.cli.helping import columns
from huaben.cli.live import LiveScreen
from huaben.cli.screens import PlainScreen
from huaben.domain.draft import Draft
from huaben.domain.events import (
    Captured,
    DraftChange,
    End,
    Final,
    LedgerChange,
    Notice,
    ScribeChange,
    Status,
    TextPiece,
    ThinkingPiece,
    ToolEnd,
    ToolStart,
    TurnEvent,
)
from huaben.domain.image import marker
from huaben.domain.story import Outcome, Turn
from huaben.domain.turnview import TurnView, replay
from huaben.ports import LoggedEvent
from huaben.services.viewing import TurnShown

BASE = Turn("t", "p", "local", "g", "turn", "t", 1, "", user_text="我推门")


class Stage:
    """A screen on a stream that is no terminal, so that only the prose is in it."""

    def __init__(self) -> None:
        self.file = io.StringIO()
        console = Console(file=self.file, force_terminal=False, width=80)
        self.screen = LiveScreen(console, Activity(console, lambda: 0.0))
        self.view = TurnView()

    async def play(self, events: Iterable[TurnEvent], outcome: Outcome = "sealed") -> str:
        """What stands on the screen when the events are over; without the summary."""
        told = list(events)
        self.screen.begun(BASE, self.view)
        for seq, event in enumerate(told, 1):
            self.screen.event(LoggedEvent(seq, 1, "", event), "t")
        self.view = replay(told, self.view)
        self.screen.over(shown(self.view, outcome))
        return self.file.getvalue().rpartition("0 s")[0]


def shown(view: TurnView, outcome: Outcome) -> TurnShown:
    turn = replace(BASE, run="ended", outcome=outcome)
    return TurnShown(turn, view, Draft(0, ""), view.partial, None, 1, ())


def preview(text: str, offset: int = 0, call: int = 0) -> DraftChange:
    return DraftChange(0, "write", 0, text, preview=True, offset=offset, call=call)


def sealed(text: str, version: int) -> list[TurnEvent]:
    return [Final(text, version), Status("sealed"), End("sealed")]


async def test_prose_is_printed_once_as_it_grows() -> None:
    """A draft that is written, continued and sealed stands on the screen once."""
    text = "雨下了一夜。\n\n门开了。"
    events = [
        preview("雨下"),
        preview("了一夜。", 2),
        DraftChange(1, "write", 0, "雨下了一夜。", call=0),
        ToolStart(0, 0, "c", "draft_write", "{}"),
        ToolEnd(0, 0, "c", "draft_write", ok=True, result="{}"),
        DraftChange(1, "append", 1, "门开", preview=True, offset=0, call=1),
        DraftChange(2, "append", 1, text, call=1),
        *sealed(text, 2),
    ]
    assert await Stage().play(events) == f"{text}\n"


async def test_a_changed_sentence_brings_the_final_text_at_the_end() -> None:
    """What stands above is no longer the text, so the text is printed whole."""
    events = [
        preview("He nods."),
        DraftChange(1, "write", 0, "He nods.", call=0),
        DraftChange(2, "edit", 1, edits=({"start": 3, "end": 7, "text": "smiles"},), call=1),
        *sealed("He smiles.", 2),
    ]
    assert await Stage().play(events) == "He nods.\n— final text —\nHe smiles.\n"


async def test_a_text_that_begins_anew_is_printed_anew() -> None:
    """A rewritten draft stands below the one that it replaces."""
    events = [
        preview("第一稿。"),
        DraftChange(1, "write", 0, "第一稿。", call=0),
        DraftChange(1, "write", 1, "第二", preview=True, offset=0, call=1),
        DraftChange(2, "write", 1, "第二稿。", call=1),
        *sealed("第二稿。", 2),
    ]
    assert await Stage().play(events) == "第一稿。\n\n第二稿。\n"


async def test_spoken_prose_that_is_captured_is_printed_once() -> None:
    """A model without tools is seen as it speaks, and not a second time."""
    events = [
        TextPiece(0, 0, "她点"),
        TextPiece(0, 2, "头。"),
        DraftChange(1, "capture", 0, "她点头。", call=0),
        Captured(0, 1, "write", 4),
        *sealed("她点头。", 1),
    ]
    assert await Stage().play(events) == "她点头。\n"


async def test_what_was_thought_aloud_is_set_apart_from_the_prose() -> None:
    """A remark before the first write stays above the draft."""
    events = [TextPiece(0, 0, "Let me look."), preview("Rain.", call=1),
              DraftChange(1, "write", 0, "Rain.", call=1), *sealed("Rain.", 1)]  # fmt: skip
    assert await Stage().play(events) == "Let me look.\n\nRain.\n"


async def test_a_format_tail_is_added_to_what_stands_there() -> None:
    """Sealing may add to the draft; only the addition is printed."""
    events = [preview("正文。"), DraftChange(1, "write", 0, "正文。", call=0),
              DraftChange(2, "finalize", 1, "正文。\n[状态: 夜]"), *sealed("正文。\n[状态: 夜]", 2)]  # fmt: skip
    assert await Stage().play(events) == "正文。\n[状态: 夜]\n"


async def test_a_picture_is_its_caption() -> None:
    """A terminal shows none, and the address of one tells a reader nothing."""
    text = f"他递伞。\n\n{marker('t-0', '旧伞')}\n\n她接住。"
    events = [preview("他递伞。"), DraftChange(1, "write", 0, "他递伞。", call=0),
              DraftChange(2, "append", 1, text), *sealed(text, 2)]  # fmt: skip
    assert await Stage().play(events) == "他递伞。\n\n[旧伞]\n\n她接住。\n"


async def test_the_draft_of_an_earlier_run_is_shown_first() -> None:
    """Whoever comes back sees what was written before, then what is new."""
    stage = Stage()
    stage.view = replay([DraftChange(1, "write", 0, "昨夜的稿。", call=0)])
    text = "昨夜的稿。\n\n今天的。"
    events = [DraftChange(2, "append", 1, text, call=1), *sealed(text, 2)]
    assert await stage.play(events) == f"{text}\n"


async def test_a_stopped_turn_keeps_what_was_seen() -> None:
    """Nothing is printed twice and nothing is taken away."""
    events = [preview("半句"), DraftChange(1, "partial", 0, "半句", call=0), Status("stopped")]
    assert await Stage().play(events, "stopped") == "半句\n"


async def test_prose_cannot_command_the_terminal() -> None:
    """An escape sequence in a model's prose is shown, not obeyed."""
    events = [
        preview("a\x1b[2Jb"),
        DraftChange(1, "write", 0, "a\x1b[2Jb"),
        *sealed("a\x1b[2Jb", 1),
    ]
    assert await Stage().play(events) == "a␛[2Jb\n"


FAILED = ScribeChange("failed", "t", 2, "scribe_blank", "nothing")


async def test_the_prose_is_whole_before_the_scribe_begins() -> None:
    """What follows the seal is said below it, and the prose is not printed again at the end."""
    change = DraftChange(1, "edit", 1, edits=({"start": 3, "end": 7, "text": "smiles"},), call=1)
    events = [
        Notice("ledger_behind", "1"),
        DraftChange(1, "write", 0, "He nods.", call=0),
        change,
        Final("He smiles.", 2),
        Status("sealed"),
        ScribeChange("running", "t"),
        FAILED,
        ScribeChange("running", "t"),
        LedgerChange("t", 1, "scribe"),
        ScribeChange("done", "t"),
        End("sealed"),
    ]
    assert await Stage().play(events) == (
        "The ledger is 1 turn behind; it will catch up.\n"
        "He nods.\n— final text —\nHe smiles.\n"
        "The scribe could not enter this turn [scribe_blank]."
        " The ledger is 2 turns behind; it will catch up.\n"
    )


def test_a_pipe_gets_the_prose_before_what_follows_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Once, and nothing else in it; what the ledger lacks goes beside it."""
    screen = PlainScreen()
    for text in ("雨停了。", "天亮了。"):
        screen.begun(BASE, TurnView())
        screen.event(LoggedEvent(1, 1, "", Final(text, 1)), "t")
        assert capsys.readouterr().out.strip() == text
        screen.event(LoggedEvent(2, 1, "", FAILED), "t")
        screen.over(shown(replay(sealed(text, 1)), "sealed"))
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith("The scribe could not enter this turn [scribe_blank].")


# ---- the activity line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ThinkingPiece(0, 0, "嗯"), "Thinking"),
        (ToolStart(0, 0, "c", "lorebook_search", '{"query": "旧伞"}'), "Looking up: 旧伞"),
        (ToolStart(0, 0, "c", "draft_edit", '{"version": 1}'), "Changed a passage"),
        (ToolStart(0, 0, "c", "lorebook_search", '{"query": "旧'), "Looking up"),
        (ToolStart(0, 0, "c", "odd\x1btool", "[]"), "odd␛tool"),
        (ScribeChange("running", "t"), "The scribe is keeping the ledger"),
        (ScribeChange("done", "t"), ""),
        (TextPiece(0, 0, "x"), ""),
    ],
)
def test_the_activity_is_told_by_its_event(event: TurnEvent, said: str) -> None:
    """One quiet verb, with what it is about."""
    assert doing(event) == said


async def test_the_activity_line_is_erased_before_anything_is_printed() -> None:
    """The line never stays between two lines of prose, and never wraps."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=20, color_system=None)
    activity = Activity(console, lambda: 0.0)
    activity.start("正在查设定：" + "旧伞" * 20)
    activity.hide()
    activity.stop()
    drawn, erased = file.getvalue().split("\x1b[0m")
    assert erased == "\r\x1b[2K"
    assert columns(drawn.removeprefix("\r\x1b[2K\x1b[2m")) <= 19


def test_a_turn_is_summed_up_in_a_line() -> None:
    """What was looked up and changed, how long it took, how long it is."""
    view = replay(
        [
            ToolStart(0, 0, "a", "lorebook_search", "{}"),
            ToolEnd(0, 0, "a", "lorebook_search", ok=True, result=""),
            ToolStart(1, 0, "b", "draft_edit", "{}"),
            ToolEnd(1, 0, "b", "draft_edit", ok=False, result=""),
            *sealed("雨停了。", 1),
        ]
    )
    assert quiet_summary(shown(view, "sealed"), 2.6) == "1 looked up · 3 s · 4 characters"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("planner_broken", "goes on without its planner"),
        ("plan_unreadable", "The plan cannot be read"),
        ("script_off", "A regex script is off"),
    ],
)
async def test_what_is_broken_beside_a_turn_is_said_aloud(code: str, said: str) -> None:
    """The turn goes on, and the reader hears why it is not as it should be."""
    screen = await Stage().play([Notice(code, "X9"), TextPiece(0, 0, "雨。"), *sealed("雨。", 1)])
    assert said in screen
    assert "X9" in screen
    assert "雨。" in screen
