"""The verbs of a turn: post words, answer, stop, resume, seal, discard, restore a draft, reroll.

Each holds its project's lock, reads the story, and makes one commit; what runs afterwards is the
company's business (`performing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from huaben.agent.tools.asking import answered
from huaben.domain.events import (
    Answered,
    Notice,
    ProjectEvent,
    Status,
    ToolEnd,
    TurnEvent,
)
from huaben.domain.story import UNFINISHED, Exchange, Turn, status_of
from huaben.domain.text import is_blank, scrub
from huaben.domain.turnview import TurnView
from huaben.errors import BadInput, Conflict, NotFound
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Head, Row, Stale
from huaben.services import settle
from huaben.services.discussed import sealed_by_user, stopped_by_user
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.resuming import cleared, cut_calls, note
from huaben.services.scripts_arriving import as_typed, words_arrived
from huaben.services.scripts_run import Arrived
from huaben.services.stories import (
    Story,
    check_standing,
    load_calls,
    load_story,
    load_turn,
    load_view,
    stale,
)
from huaben.services.writing.ending import close_turn
from huaben.services.writing.restoring import commit_move

MAX_WORDS = 200_000
"""Characters of one message; a longer one is refused, never cut."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the user says. `parent` is what they saw as the end of the story; `request_id` makes a
    repeated post the same turn."""

    text: str
    parent: str | None = None
    request_id: str | None = None


async def post_turn(house: House, company: Company, project_id: str, words: Words) -> Turn:
    """Store the user's words durably and start their turn, or queue it.

    Raises `Conflict` (`ask_open`, `head_moved`, `request_reused`), `BadInput` for blank or
    overlong words, `NoConnection` when no model could answer (nothing is stored then).
    """
    text = _checked(words.text)
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        if words.request_id is not None:
            earlier = await house.store.turn_by_request(project_id, words.request_id)
            if earlier is not None:
                return await _same(house, earlier, text)
        house.models.for_role("story", scenario_of(story.project.config).models.story)
        _check_parent(story, words.parent)
        arrived = await words_arrived(house, story.project, text)
        turn = _new_turn(house, story, arrived.text, request_id=words.request_id)
        await _commit_post(house, story, turn, story.head, arrived.notices)
        await company.kick(project_id)
        return await load_turn(house, turn.id)


async def make_variant(
    house: House, company: Company, turn_id: str, text: str | None = None
) -> Turn:
    """Another telling of a turn; with other words it is edit and resend. Raises `Conflict`
    (`turn_running`, `ask_open`, `not_a_turn`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        story = await load_story(house, turn.project_id)
        _check_idle(story)
        turn = await load_turn(house, turn_id)
        if turn.kind != "turn" or turn.parent is None or turn.run != "ended":
            raise Conflict("not_a_turn", "Only a turn that has ended can be told again.")
        if turn.outcome == "discarded":
            raise Conflict("not_a_turn", "The turn was given up; say its words again.")
        check_standing(story, turn.parent)
        house.models.for_role("story", scenario_of(story.project.config).models.story)
        words = turn.user_text if text is None else _checked(text)
        same = words == turn.user_text
        arrived = Arrived(words) if same else await words_arrived(house, story.project, words)
        new = replace(
            _new_turn(house, story, arrived.text),
            parent=turn.parent,
            at_once=True,
            rerolls=turn.id if same else None,
        )
        if same:
            new = replace(new, beat=turn.beat)
        head = Head(turn.project_id, turn.parent)
        await _commit_post(house, story, new, head, arrived.notices)
        await company.kick(turn.project_id)
        return await load_turn(house, new.id)


async def answer(house: House, company: Company, turn_id: str, text: str) -> Turn:
    """Answer the open ask card; the first answer wins. Raises `Conflict` (`no_open_ask`,
    `already_answered`)."""
    turn = await load_turn(house, turn_id)
    if is_blank(text):
        raise BadInput("blank_answer", "The answer is blank.")
    async with house.lock(turn.project_id):
        turn = await load_turn(house, turn_id)
        view = await load_view(house, turn_id)
        ask = view.open_ask
        if turn.run != "waiting" or ask is None:
            raise _no_ask(view)
        reply = scrub(text.strip())
        call_id = next((t.id for t in view.tools if (t.call, t.index) == (ask.call, ask.index)), "")
        events: Sequence[TurnEvent] = (
            Answered(reply),
            ToolEnd(ask.call, ask.index, call_id, "ask", ok=True, result=answered(reply, "user")),
            Status("running"),
        )
        asked = (*turn.asked, Exchange(ask.question, reply))
        started = replace(_taken(house, turn), asked=asked)
        detail = ProjectEvent("turn_answered", turn.id, {"answer": reply})
        await _restart(house, company, turn, started, events, detail)
        return started


async def stop(house: House, company: Company, turn_id: str) -> Turn:
    """Stop a running or waiting turn, or take a queued one back; what was written is kept. A turn
    that ended by itself meanwhile stays as it ended. Raises `Conflict("not_running")`."""
    turn = await load_turn(house, turn_id)
    if turn.run == "ended":
        raise Conflict("not_running", f"The turn is {status_of(turn.run, turn.outcome)}.")
    await company.cancel(turn_id)
    async with house.lock(turn.project_id):
        await company.cancel(turn_id)  # it may have started while we waited
        turn = await load_turn(house, turn_id)
        if turn.run == "ended":
            await company.kick(turn.project_id)
            return turn
        view = await load_view(house, turn_id)
        if turn.run == "queued":
            settled = settle.discard(replace(turn, deleted=True), view, house.now())
        else:
            settled = await stopped_by_user(house, turn, view)
        rows = cut_calls(house.now(), await load_calls(house, turn_id), "stopped")
        rows += await company.fallback(settled.turn)
        await _conclude(house, company, turn, settled, *rows)
        return settled.turn


async def resume(house: House, company: Company, turn_id: str) -> Turn:
    """Go on with an unfinished turn: Resume, Retry and Continue. Recorded calls are not paid again;
    an unfinished write is dropped. Raises `Conflict` (`not_resumable`, `has_children`,
    `turn_running`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        turn = await load_turn(house, turn_id)
        story = await load_story(house, turn.project_id)
        _check_unfinished(story, turn)
        _check_idle(story)
        check_standing(story, turn.id)
        house.models.for_role("story", scenario_of(story.project.config).models.story)
        view = await load_view(house, turn_id)
        calls = await load_calls(house, turn_id)
        events = [
            *cleared(view, calls),
            *note(story.project, turn, view, calls),
            Status("running"),
        ]
        began = ProjectEvent("turn_began", turn.id)
        cut = cut_calls(house.now(), calls, "interrupted")
        head = replace(story.head, turn_id=turn.id)
        started = _taken(house, turn)
        await _restart(house, company, turn, started, events, began, head, *cut)
        return started


async def seal(house: House, company: Company, turn_id: str, *, with_tail: bool = True) -> Turn:
    """Seal an unfinished turn as the user's own act (Seal, Keep). Raises `Conflict`
    (`has_children`, `ask_open`, `no_draft`, `not_resumable`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        turn = await load_turn(house, turn_id)
        story = await load_story(house, turn.project_id)
        _check_unfinished(story, turn)
        view = await load_view(house, turn_id)
        settled = await sealed_by_user(house, story.project, turn, view, with_tail=with_tail)
        if settled is None:
            raise Conflict("no_draft", "There is no prose to seal.", "Retry or discard the turn.")
        await _conclude(house, company, turn, settled)
        await company.kick(turn.project_id)
        return settled.turn


async def discard(house: House, company: Company, turn_id: str) -> Turn:
    """Give an unfinished turn up: the head goes back to its parent, the words to the box. Raises
    `Conflict` (`has_children`, `not_resumable`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        turn = await load_turn(house, turn_id)
        story = await load_story(house, turn.project_id)
        _check_unfinished(story, turn)
        view = await load_view(house, turn_id)
        settled = settle.discard(turn, view, house.now())
        back = turn.rerolls or turn.parent
        rows: list[Row] = []
        if story.head.turn_id == turn.id and back is not None:
            rows.append(replace(story.head, turn_id=back))
        await _conclude(house, company, turn, settled, *rows)
        await company.kick(turn.project_id)
        return settled.turn


async def restore_draft(house: House, turn_id: str, version: int) -> TurnView:
    """Put an earlier version of the draft of an unfinished or waiting turn back, as a new version.
    Raises `Conflict("turn_running")`, `NotFound` for an unknown version."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        turn = await load_turn(house, turn_id)
        if turn.run != "waiting" and not (turn.run == "ended" and turn.outcome in UNFINISHED):
            raise Conflict("turn_running", "The draft can be restored when the turn is idle.")
        view = await load_view(house, turn_id)
        if view.version(version) is None:
            raise NotFound("version_not_found", f"The draft has no version {version}.")
        change = settle.restored(view.draft, view, version)
        if change is None:
            return view
        touched = replace(turn, version=change.version)
        done = await house.store.commit(
            Commit(
                expected={("turn", turn.id): turn.revision},
                rows=(touched,),
                events=((turn.id, change),),
            )
        )
        if isinstance(done, Stale):
            raise stale(done)
        return view.apply(change)


# ---- posting -----------------------------------------------------------------------------------


def _checked(text: str) -> str:
    words = scrub(text)
    if is_blank(words):
        raise BadInput("blank_words", "There are no words to send.")
    if len(words) > MAX_WORDS:
        raise BadInput("words_too_long", f"{len(words)} characters, at most {MAX_WORDS}.")
    return words


async def _same(house: House, earlier: Turn, text: str) -> Turn:
    if text not in (earlier.user_text, await as_typed(house, earlier)):
        raise Conflict("request_reused", "This request id was used with other words.")
    return earlier


def _check_parent(story: Story, parent: str | None) -> None:
    active = story.active
    if active is not None and active.run == "waiting":
        raise Conflict(
            "ask_open", "A question waits for its answer.", "Answer it or stop the turn."
        )
    end = story.queued[-1].id if story.queued else story.head.turn_id
    if parent is not None and parent != end:
        raise Conflict(
            "head_moved",
            "The story has moved on elsewhere.",
            "Look at its present end, or branch from where you were.",
            head=story.head.turn_id,
        )


def _check_idle(story: Story) -> None:
    active = story.active
    if active is None:
        return
    if active.run == "waiting":
        raise Conflict(
            "ask_open", "A question waits for its answer.", "Answer it or stop the turn."
        )
    raise Conflict("turn_running", "A turn is running.", "Wait for its end or stop it.")


def _check_unfinished(story: Story, turn: Turn) -> None:
    if turn.run == "waiting":
        raise Conflict(
            "ask_open", "A question waits for its answer.", "Answer it or stop the turn."
        )
    if turn.run != "ended" or turn.outcome not in UNFINISHED:
        raise Conflict("not_resumable", f"The turn is {status_of(turn.run, turn.outcome)}.")
    if story.tree.has_children(turn.id):
        raise Conflict("has_children", "The story already goes on from this turn.")


def _new_turn(house: House, story: Story, text: str, *, request_id: str | None = None) -> Turn:
    new_id = house.ids.new()
    end = story.queued[-1].id if story.queued else story.head.turn_id
    return Turn(
        id=new_id,
        project_id=story.project.id,
        user_id=story.project.user_id,
        parent=end,
        kind="turn",
        beat=new_id,
        depth=story.head_node.depth + 1 + len(story.queued),
        created_at=house.now(),
        user_text=text,
        at_once=not story.queued and story.active is None,
        request_id=request_id,
        config=story.project.config,
    )


async def _commit_post(
    house: House, story: Story, turn: Turn, head: Head, notices: Sequence[Notice]
) -> None:
    done = await commit_move(
        house,
        Commit(
            expected={("head", story.project.id): story.head.revision, ("turn", turn.id): 0},
            rows=(turn, head),
            events=tuple((turn.id, event) for event in (Status("queued"), *notices)),
            project_events=((story.project.id, ProjectEvent("turn_queued", turn.id)),),
        ),
    )
    if isinstance(done, Stale):
        raise stale(done)


# ---- going on and ending -----------------------------------------------------------------------


def _no_ask(view: TurnView) -> Conflict:
    if view.asks and view.asks[-1].answer is not None:
        given = view.asks[-1].answer
        return Conflict("already_answered", f"It was already answered: {given}", answer=given)
    return Conflict("no_open_ask", "No question waits for an answer.")


def _taken(house: House, turn: Turn) -> Turn:
    """The turn as this process takes it up again."""
    return replace(
        turn,
        run="running",
        outcome=None,
        code="",
        message="",
        owner=house.owner,
        epoch=turn.epoch + 1,
    )


async def _restart(
    house: House,
    company: Company,
    turn: Turn,
    started: Turn,
    events: Sequence[TurnEvent],
    announced: ProjectEvent,
    *rows: Row,
) -> None:
    done = await commit_move(
        house,
        Commit(
            expected={("turn", turn.id): turn.revision},
            rows=(started, *rows),
            events=tuple((turn.id, event) for event in events),
            project_events=((turn.project_id, announced),),
        ),
    )
    if isinstance(done, Stale):
        raise stale(done)
    company.run(replace(started, revision=done.revisions[("turn", turn.id)]))


async def _conclude(
    house: House, company: Company, turn: Turn, settled: settle.Settled, *rows: Row
) -> None:
    await close_turn(house, settled.turn)
    commit = replace(settled.commit(*rows), expected={("turn", turn.id): turn.revision})
    done = await commit_move(house, commit)
    if isinstance(done, Stale):
        raise stale(done)
    company.concluded(turn.id)
