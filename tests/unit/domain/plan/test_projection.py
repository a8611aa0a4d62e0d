"""What of a plan goes into a prompt (`planner.md` §2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.plan.notes import GROUPS, NoteGroup, PlanNote
from huaben.domain.plan.projection import (
    PLANNER_CHARS,
    LeftOutOfPlan,
    for_planner,
    for_writer,
    planner_state_chars,
)
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.state import headings
from tests.unit.domain.plan.states import LABELS, a_state


def note(
    number: int, group: NoteGroup = "event", text: str = "", *, checked: bool = True
) -> PlanNote:
    return PlanNote(number, group, text or f"第 {number} 条", "", number, checked=checked)


def test_nothing_is_shown_of_nothing() -> None:
    """Before the first commit a writer's block is empty."""
    shown = for_writer(Plan(), "zh", LABELS, 10_000, secrets=False)
    assert shown.text == ""
    assert not shown.left_out.any


def test_a_short_plan_is_shown_whole() -> None:
    """The planner sees references and numbers, the writer neither, and no empty section."""
    state = a_state(s0="- 雨夜 [m1]", s3="- 还伞 [n1]")
    plan = Plan(state, (note(1), note(2, "npc", checked=False)))
    mine, theirs = (
        for_planner(plan, "zh", LABELS),
        for_writer(plan, "zh", LABELS, 9000, secrets=False),
    )
    assert mine.state == state
    assert "- [n1] 第 1 条" in mine.notes
    assert "- [n2] 〔推测〕 第 2 条" in mine.notes
    assert theirs.state == "## 场景与时间\n- 雨夜\n\n## 承诺与伏笔\n- 还伞"
    assert theirs.notes == "（事件）\n- 第 1 条\n（人物）\n- 〔推测〕 第 2 条"
    assert not mine.left_out.any


def test_a_long_state_does_not_push_the_notes_out() -> None:
    """A fifth of the budget is theirs; no line is cut, and what is missing is counted."""
    lines = "\n".join(f"- 第{n:03d}行" + "字" * 90 for n in range(79))
    plan = Plan(
        a_state(s1=lines, s7="- 由用户决定"), tuple(note(n, "npc", "注" * 200) for n in range(1, 7))
    )
    shown = for_planner(plan, "zh", LABELS)
    assert len(shown.text) <= PLANNER_CHARS
    assert shown.notes.count("注" * 200) == 6
    assert "- 由用户决定" in shown.state, "no section starves"
    whole = set(plan.state.splitlines())
    assert all(line in whole for line in shown.state.splitlines())
    assert shown.left_out.lines == 80 - shown.state.count("\n- ")
    assert shown.left_out.notes == 0


def test_what_the_notes_leave_is_the_states() -> None:
    """Without notes a state may fill the budget."""
    state = a_state(s1="\n".join("- " + "字" * 98 for _ in range(60)))
    shown = for_planner(Plan(state), "zh", LABELS)
    assert planner_state_chars() < len(shown.state) <= PLANNER_CHARS
    assert not shown.left_out.any


def test_sixty_six_and_nine_hundred() -> None:
    """The latest sixty, of each group six, each short enough; the rest is counted by its reason."""
    notes = tuple(note(n, "event" if n % 2 else "npc") for n in range(1, 71))
    shown = for_writer(Plan("", notes), "zh", LABELS, 10_000, secrets=False)
    assert [f"第 {n} 条" in shown.notes for n in (58, 59, 60, 69, 70)] == [
        False,
        True,
        True,
        True,
        True,
    ]
    assert shown.left_out == LeftOutOfPlan(old=10, crowded=48)


def test_pinned_notes_come_first_and_dropped_ones_never() -> None:
    """The user's word over recency."""
    old = PlanNote(1, "event", "钉住的", "", 1, checked=True, pinned=True)
    gone = PlanNote(2, "event", "去掉的", "", 1, checked=True, dropped=True)
    plan = Plan("", (old, gone, *(note(n) for n in range(3, 70))))
    shown = for_planner(plan, "zh", LABELS)
    assert "钉住的" in shown.notes
    assert "去掉的" not in shown.notes
    assert shown.notes.count("\n- ") == 6


def test_locked_lines_are_shown_before_all_others() -> None:
    """However long the sections before theirs are."""
    lines = "\n".join("- " + "字" * 200 for _ in range(60))
    state = a_state(s0=lines, s1=f"{lines}\n- 伞在柜台后")
    shown = for_planner(Plan(state, locks=("伞在柜台后",)), "zh", LABELS)
    assert "- 伞在柜台后" in shown.state


def test_secrets_are_kept_from_a_writer_whose_eyes_do_not_know() -> None:
    """A state line and a note; counted; the planner sees them, and a scenario may show them."""

    def plan(eyes: str) -> Plan:
        state = a_state(s0=f"- 视角：{eyes}", s1="- [secret: 沈砚] 他是奸细\n  证据在信里")
        return Plan(state, (note(1, "knowledge", "[secret: 沈砚] 信是假的"), note(2)))

    kept = for_writer(plan("林晚"), "zh", LABELS, 9000, secrets=False)
    assert "奸细" not in kept.text
    assert "信" not in kept.text
    assert kept.left_out == LeftOutOfPlan(secrets=3)
    knows = for_writer(plan("沈砚"), "zh", LABELS, 9000, secrets=False)
    shown = for_writer(plan("林晚"), "zh", LABELS, 9000, secrets=True)
    planner = for_planner(plan("林晚"), "zh", LABELS)
    assert all("奸细" in one.text and "信是假的" in one.text for one in (knows, shown, planner))


_LINES = st.lists(
    st.text(
        st.characters(codec="utf-8", exclude_characters="\x1c\x1d\x1e\x85\u2028\u2029\v\f\r\n"),
        min_size=1,
        max_size=120,
    ),
    max_size=40,
)


@given(
    _LINES,
    _LINES,
    st.lists(st.tuples(st.sampled_from(GROUPS), st.text(min_size=1, max_size=900)), max_size=70),
    st.integers(2000, 12_000),
)
def test_no_budget_is_ever_passed(
    first: list[str], second: list[str], texts: list[tuple[NoteGroup, str]], room: int
) -> None:
    """Whatever a plan holds; and every line that is shown stands in the plan."""
    state = a_state("en", s0="\n".join(first), s6="\n".join(second))
    notes = tuple(note(n, group, text) for n, (group, text) in enumerate(texts, 1))
    shown = for_writer(Plan(state, notes), "en", LABELS, room, secrets=True)
    assert len(shown.text) <= room + 2
    assert all(line in headings("en") or line for line in shown.state.split("\n") if line)
