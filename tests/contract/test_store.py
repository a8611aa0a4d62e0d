"""What every store promises about rows, revisions and refusals; logs and calls have own suites."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from huaben.domain.events import Notice, Status
from huaben.domain.project import RECORD, Guidance, Project, ProjectKind
from huaben.domain.story import Exchange, node_of, told_of
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed, Effect, Fence, Head, Page, Row, Stale, Store, Visit
from tests.contract.samples import (
    a_beginning,
    a_book,
    a_card,
    a_full_turn,
    a_project,
    a_turn,
    new_id,
)


async def stored(store: Store, *rows: Row) -> Committed:
    answer = await store.commit(Commit(rows=rows))
    assert isinstance(answer, Committed)
    return answer


# ---- rows come back as they were given ---------------------------------------------------------


async def test_a_project_comes_back_whole(store: Store) -> None:
    """Every field of a project survives, its configuration included."""
    project = a_project(card_id=new_id(), lorebook_ids=(new_id(), new_id()))
    await stored(store, project)
    assert await store.project(project.id) == replace(project, revision=1)
    assert await store.project("missing") is None


async def test_what_was_passed_on_is_no_story(store: Store) -> None:
    """Its record is listed by its own kind alone, and no other project is."""
    story, record = a_project(user_id="kinds"), a_project(user_id="kinds", id=RECORD + "kinds")
    await stored(store, story, record)
    kinds: list[tuple[ProjectKind, Project]] = [("story", story), ("precompiled", record)]
    for kind, one in kinds:
        found, _ = await store.projects("kinds", Page(), kind)
        assert [project.id for project in found] == [one.id]


async def test_a_turn_comes_back_whole(store: Store) -> None:
    """Every field of a turn survives, used or not."""
    project = a_project()
    plain, full = a_turn(project), a_full_turn(project)
    await stored(store, project, plain, full)
    assert await store.turn(plain.id) == replace(plain, revision=1)
    assert await store.turn(full.id) == replace(full, revision=1)
    assert await store.turn("missing") is None


@pytest.mark.parametrize(
    "words",
    [
        "",
        "灯\r\n\t灯",
        "nul \0 nul",
        "\ud83d half",
        "🏮👍🏽 é ß İ",
        "\x1bjson:",
        '\x1bjson:"x"',
        "x" * 300_000,
    ],
)
async def test_any_words_survive(store: Store, words: str) -> None:
    """No string that Python can hold is refused or changed, in any column of words."""
    project = a_project(title=words)
    turn = a_turn(project, user_text=words, final_text=words, asked=(Exchange(words, words),))
    events = ((turn.id, Notice("n", words)),)
    await store.commit(Commit(rows=(project, turn), events=events))
    found = await store.turn(turn.id)
    assert found == replace(turn, revision=1)
    assert await store.project(project.id) == replace(project, revision=1)
    assert [logged.event for logged in await store.events(turn.id)] == [Notice("n", words)]


async def test_cards_and_lorebooks_come_back_whole(store: Store) -> None:
    """The library keeps the content and the report of an import as they were."""
    card, book = a_card(), a_book()
    await stored(store, card, book)
    assert await store.card(card.id) == replace(card, revision=1)
    assert await store.lorebook(book.id) == replace(book, revision=1)
    assert await store.card(book.id) is None
    assert await store.lorebook(card.id) is None


async def test_the_same_bytes_are_found_again_by_their_owner(store: Store) -> None:
    """An import finds an earlier one of the same bytes, not another user's, not a deleted one."""
    card, book = a_card(), a_book()
    await stored(store, card, book)
    found = await store.find_card(card.user_id, card.object_hash)
    assert found is not None
    assert found.id == card.id
    assert await store.find_card("somebody else", card.object_hash) is None
    await stored(store, replace(card, deleted=True))
    assert await store.find_card(card.user_id, card.object_hash) is None
    found_book = await store.find_lorebook(book.user_id, book.object_hash)
    assert found_book is not None
    assert found_book.id == book.id


async def test_guidance_of_all_cards_comes_before_that_of_one(store: Store) -> None:
    """The texts that apply to a card: those for every card, then its own; nobody else's."""
    texts = [
        Guidance("local", "", "SYSTEM.md", "写得慢一点。"),
        Guidance("local", "card-1", "AGENTS.md", "She never lies."),
        Guidance("local", "card-2", "AGENTS.md", "other"),
        Guidance("other", "card-1", "AGENTS.md", "other"),
    ]
    await stored(store, *texts)
    applying = [replace(text, revision=1) for text in texts[:2]]
    assert await store.guidance("local", "card-1") == applying
    assert await store.guidance("local", "") == applying[:1]


async def test_pages_go_from_the_newest_to_the_oldest(store: Store) -> None:
    """Following `next` meets each row once; the deleted and other people's are left out."""
    cards = [a_card(name=f"卡 {n}") for n in range(7)]
    await stored(store, *cards, a_card(deleted=True), a_card(user_id="other"))
    seen: list[str] = []
    after: str | None = None
    while True:
        page, after = await store.cards("local", Page(after, 3))
        seen += [card.id for card in page]
        if after is None:
            break
    assert seen == [card.id for card in reversed(cards)]


async def test_a_page_is_never_empty_or_endless(store: Store) -> None:
    """The limit of a page is clamped to 1–200."""
    await stored(store, *(a_project() for _ in range(3)))
    page, following = await store.projects("local", Page(limit=0))
    assert len(page) == 1
    assert following == page[0].id
    everything, following = await store.projects("local", Page(limit=10_000))
    assert len(everything) == 3
    assert following is None


async def test_the_latest_project_of_a_card_is_the_youngest(store: Store) -> None:
    """Playing a card again goes on with the newest of its projects that is not deleted."""
    card = new_id()
    projects = [a_project(card_id=card) for _ in range(3)]
    await stored(store, *projects, a_project(card_id=new_id()))
    latest = await store.latest_project("local", card)
    assert latest is not None
    assert latest.id == projects[2].id
    await stored(store, replace(projects[2], deleted=True))
    latest = await store.latest_project("local", card)
    assert latest is not None
    assert latest.id == projects[1].id
    assert await store.latest_project("other", card) is None


async def test_the_skeleton_is_the_tree_without_its_words(store: Store) -> None:
    """All nodes of the project and of no other, oldest first, with the way that Redo goes."""
    project, greeting, beginning = a_beginning()
    child = a_turn(project, parent=greeting.id)
    full = a_full_turn(project)
    await store.commit(beginning)
    await stored(store, child, full, Visit(greeting.id, full.id))
    await stored(store, Visit(greeting.id, child.id))
    other, _, elsewhere = a_beginning()
    await store.commit(elsewhere)
    skeleton = await store.skeleton(project.id)
    assert skeleton == [node_of(greeting, child.id), node_of(child), node_of(full)]
    assert len(await store.skeleton(other.id)) == 1


async def test_many_turns_are_read_at_once(store: Store) -> None:
    """Turns come back under their ids, unknown ids are left out."""
    project = a_project()
    turns = [a_turn(project, user_text=f"第 {n} 拍") for n in range(600)]
    await stored(store, project, *turns)
    found = await store.turns([turn.id for turn in turns] + ["missing"])
    assert found == {turn.id: replace(turn, revision=1) for turn in turns}


async def test_the_words_of_many_turns_are_read_without_the_rest(store: Store) -> None:
    """Words, answers and revisions as the turns have them, under their ids; unknown ids are left
    out."""
    project = a_project()
    told = [a_turn(project, user_text=f"第 {n} 拍", final_text="雨\0停") for n in range(600)]
    full = a_full_turn(project)
    await stored(store, project, *told, full)
    found = await store.told([*(turn.id for turn in told), full.id, "missing"])
    assert list(found.values()) == [told_of(turn) for turn in (*told, full)]


async def test_a_start_finds_what_has_not_ended(store: Store) -> None:
    """Queued, running and waiting turns of all projects, oldest first."""
    one, two = a_project(), a_project()
    turns = [
        a_turn(one, run="waiting"),
        a_turn(two, run="running"),
        a_turn(one, run="ended", outcome="sealed"),
        a_turn(one, run="queued"),
        a_turn(one, run="queued", deleted=True),
    ]
    await stored(store, one, two, *turns)
    assert [turn.id for turn in await store.unended()] == [turns[n].id for n in (0, 1, 3)]


# ---- revisions ---------------------------------------------------------------------------------


async def test_each_write_of_a_row_counts_its_revision(store: Store) -> None:
    """Revisions begin at 1 and grow by one, whatever number the row itself carries."""
    project = a_project(revision=40)
    key = ("project", project.id)
    assert (await stored(store, project)).revisions == {key: 1}
    assert (await stored(store, replace(project, title="二"))).revisions == {key: 2}
    found = await store.project(project.id)
    assert found is not None
    assert (found.title, found.revision) == ("二", 2)


async def test_a_stale_revision_is_refused_whole(store: Store) -> None:
    """Two tabs that saw the same revision: the second one's commit changes nothing at all (S04)."""
    project, greeting, beginning = a_beginning()
    await store.commit(beginning)
    first = await store.commit(
        Commit({("head", project.id): 1}, rows=(Head(project.id, greeting.id),))
    )
    assert isinstance(first, Committed)
    assert first.revisions == {("head", project.id): 2}
    late = a_turn(project, parent=greeting.id)
    second = await store.commit(
        Commit(
            {("head", project.id): 1},
            rows=(late, Head(project.id, late.id)),
            events=((greeting.id, Notice("late")),),
        )
    )
    assert second == Stale("head", project.id, 1, 2)
    assert await store.turn(late.id) is None
    assert await store.head(project.id) == Head(project.id, greeting.id, 2)
    assert await store.events(greeting.id) == []


async def test_an_expectation_holds_without_a_row(store: Store) -> None:
    """A commit can depend on a row that it does not write."""
    project, _, beginning = a_beginning()
    await store.commit(beginning)
    card = a_card()
    refused = await store.commit(Commit({("project", project.id): 9}, rows=(card,)))
    assert refused == Stale("project", project.id, 9, 1)
    assert await store.card(card.id) is None
    accepted = await store.commit(Commit({("project", project.id): 1}, rows=(card,)))
    assert isinstance(accepted, Committed)


async def test_a_missing_row_is_a_conflict_not_a_pass(store: Store) -> None:
    """Who expects a revision of what is not there is refused, not let through (S02)."""
    project = a_project()
    answer = await store.commit(Commit({("project", project.id): 3}, rows=(project,)))
    assert answer == Stale("project", project.id, 3, 0)
    assert await store.project(project.id) is None


async def test_what_must_be_new_is_not_replaced(store: Store) -> None:
    """Revision 0 means: it must not exist yet."""
    text = Guidance("local", "", "SYSTEM.md", "one")
    key = ("guidance", "local//SYSTEM.md")
    made = await store.commit(Commit({key: 0}, rows=(text,)))
    assert isinstance(made, Committed)
    again = await store.commit(Commit({key: 0}, rows=(replace(text, text="two"),)))
    assert again == Stale("guidance", "local//SYSTEM.md", 0, 1)
    assert (await store.guidance("local", ""))[0].text == "one"


async def test_no_update_is_lost_between_eight_writers(store: Store) -> None:
    """Eight writers that compare and set one head: each accepted change follows the one before."""
    project, greeting, beginning = a_beginning()
    await store.commit(beginning)

    async def write(times: int) -> None:
        while times:
            head = await store.head(project.id)
            assert head is not None
            answer = await store.commit(
                Commit(
                    {("head", project.id): head.revision},
                    rows=(Head(project.id, greeting.id),),
                    events=((greeting.id, Notice(str(head.revision))),),
                )
            )
            times -= isinstance(answer, Committed)

    await asyncio.gather(*(write(12) for _ in range(8)))
    head = await store.head(project.id)
    assert head is not None
    assert head.revision == 97
    log = await store.events(greeting.id)
    assert [logged.event for logged in log] == [Notice(str(n)) for n in range(1, 97)]


async def test_a_request_id_is_one_turn_of_its_project(store: Store) -> None:
    """The same request twice makes one turn; another project may use the same id."""
    project, other = a_project(), a_project()
    turn = a_turn(project, request_id="r-1")
    await stored(store, project, other, turn)
    again = await store.commit(Commit(rows=(a_turn(project, request_id="r-1"),)))
    assert again == Stale("request", "r-1", 0, 1)
    assert [node.id for node in await store.skeleton(project.id)] == [turn.id]
    await stored(store, a_turn(other, request_id="r-1"), replace(turn, run="running"))
    found = await store.turn_by_request(project.id, "r-1")
    assert found is not None
    assert (found.id, found.run) == (turn.id, "running")
    assert await store.turn_by_request(project.id, "r-2") is None


async def test_an_old_run_cannot_write_any_more(store: Store) -> None:
    """Once a turn has begun a new epoch, commits fenced by the old one are refused whole."""
    project = a_project()
    turn = a_turn(project, epoch=1, run="running")
    await stored(store, project, turn)
    event = ((turn.id, Notice("n")),)
    assert isinstance(await store.commit(Commit(fence=Fence(turn.id, 1), events=event)), Committed)
    await stored(store, replace(turn, epoch=2))
    refused = await store.commit(Commit(fence=Fence(turn.id, 1), events=event))
    assert refused == Stale("epoch", turn.id, 1, 2)
    assert len(await store.events(turn.id)) == 1
    nowhere = await store.commit(Commit(fence=Fence("missing", 1)))
    assert nowhere == Stale("epoch", "missing", 1, -1)


async def test_a_fenced_commit_may_begin_the_next_epoch(store: Store) -> None:
    """The fence is compared with what was there before; the events carry the new epoch."""
    project = a_project()
    turn = a_turn(project, epoch=1)
    await stored(store, project, turn)
    answer = await store.commit(
        Commit(
            fence=Fence(turn.id, 1),
            rows=(replace(turn, epoch=2),),
            events=((turn.id, Status("running")),),
        )
    )
    assert isinstance(answer, Committed)
    assert [logged.epoch for logged in await store.events(turn.id)] == [2]


async def test_an_effect_is_recorded_once(store: Store) -> None:
    """A rerun reads the recorded effect back; recording it again is refused whole."""
    effect = Effect("scribe:t1", {"patch": {"time": "夜"}, "n": 1})
    await stored(store, effect)
    assert await store.effect("scribe:t1") == effect
    assert await store.effect("scribe:t2") is None
    card = a_card()
    again = await store.commit(Commit(rows=(card, Effect("scribe:t1", {"patch": {}}))))
    assert again == Stale("effect", "scribe:t1", 0, 1)
    assert await store.card(card.id) is None
    assert await store.effect("scribe:t1") == effect


async def test_a_row_of_nothing_is_refused_whole(store: Store) -> None:
    """A turn of a project that does not exist, an event of no turn: a fault, and nothing stays."""
    card = a_card()
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(card, a_turn(a_project()))))
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(card,), events=(("missing", Notice("n")),)))
    assert await store.card(card.id) is None


async def test_commits_at_the_same_moment_stand_or_fall_alone(store: Store) -> None:
    """Among commits that share a transaction a refusal and a fault leave the others standing."""
    project, greeting, beginning = a_beginning()
    await store.commit(beginning)
    good = [Commit(rows=(a_card(),), events=((greeting.id, Notice(str(n))),)) for n in range(20)]
    stale = Commit({("project", project.id): 7}, rows=(a_card(),))
    broken = Commit(rows=(a_card(), a_turn(a_project())))
    answers = await asyncio.gather(
        *(store.commit(commit) for commit in (*good[:10], stale, broken, *good[10:])),
        return_exceptions=True,
    )
    assert answers[10] == Stale("project", project.id, 7, 1)
    assert isinstance(answers[11], StorageFailed)
    committed = [answer for answer in answers if isinstance(answer, Committed)]
    assert sorted(seq for answer in committed for seq in answer.seqs) == list(range(1, 21))
    page, _ = await store.cards("local", Page(limit=200))
    assert len(page) == 20


async def test_a_closed_store_refuses(store: Store) -> None:
    """After `close` nothing is written, and closing again does no harm."""
    await store.close()
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_card(),)))
    await store.close()
