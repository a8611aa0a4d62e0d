"""Manuscripts over HTTP, on real files: chapters with their guards, the timeline, and going back."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from huaben.domain.checkpoint import delta_of
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, say
from huaben.web import schemas, schemas_writing
from tests.integration.web.table import Table, problem, read, serve


def digest(text: str | bytes) -> str:
    content = text.encode() if isinstance(text, str) else text
    return hashlib.sha256(content).hexdigest()


@dataclass
class Desk:
    """A writing project, and short words for what a client does with it."""

    table: Table
    project: schemas.ProjectFounded
    folder: Path

    @property
    def path(self) -> str:
        return f"/api/projects/{self.project.id}"

    async def put(
        self, name: str, text: str, seen: str | None = None
    ) -> schemas_writing.ChapterTold:
        guard = {"If-None-Match": "*"} if seen is None else {"If-Match": f'"{seen}"'}
        answer = await self.table.client.put(
            f"{self.path}/chapters/{name}", json={"text": text}, headers=guard
        )
        assert answer.status_code == (201 if seen is None else 200), answer.text
        return schemas_writing.ChapterTold.model_validate_json(answer.content)

    async def chapter(self, name: str) -> schemas_writing.ChapterTold:
        answer = await self.table.client.get(f"{self.path}/chapters/{name}")
        assert answer.status_code == 200, answer.text
        told = schemas_writing.ChapterTold.model_validate_json(answer.content)
        assert answer.headers["etag"] == f'"{told.hash}"'
        return told

    async def chapters(self) -> schemas_writing.ChapterList:
        answer = await self.table.client.get(f"{self.path}/chapters")
        assert answer.status_code == 200, answer.text
        return schemas_writing.ChapterList.model_validate_json(answer.content)

    async def timeline(self) -> list[schemas_writing.CheckpointTold]:
        answer = await self.table.client.get(f"{self.path}/checkpoints")
        assert answer.status_code == 200, answer.text
        return schemas_writing.CheckpointPage.model_validate_json(answer.content).items


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path / "资料", endpoint) as table:
        wish = {"title": "渡口", "mode": "writing"}
        project = schemas.ProjectFounded.model_validate(await table.told("/api/projects", wish))
        folder = tmp_path / "资料" / "projects" / project.id / "manuscript"
        yield Desk(table, project, folder)


async def test_a_writing_project_begins_with_an_empty_manuscript(desk: Desk) -> None:
    """Without a card, a chapter or a checkpoint; its folder is there."""
    listed = await desk.chapters()
    assert (listed.items, listed.left_out, listed.checkpoint) == ([], [], None)
    assert desk.folder.is_dir()
    assert await desk.timeline() == []
    assert (await desk.table.project(desk.project.id)).mode == "writing"


async def test_a_card_s_greeting_can_be_the_first_chapter(tmp_path: Path) -> None:
    """Macros expanded, before all others, and in the history from the beginning."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        found = await table.found(mode="writing", greeting_chapter=True)
        answer = await table.client.get(f"/api/projects/{found.id}/chapters")
        (chapter,) = schemas_writing.ChapterList.model_validate_json(answer.content).items
        assert chapter.name.startswith("000-")
        file = tmp_path / "projects" / found.id / "manuscript" / chapter.name
        assert file.read_text("utf-8").startswith("雨下了一夜。沈砚抬起头")
        plain = await table.found(mode="writing")
        answer = await table.client.get(f"/api/projects/{plain.id}/chapters")
        assert read(answer)["items"] == []


async def test_a_chapter_is_saved_exactly_as_sent(desk: Desk) -> None:
    """Line ends, a missing last one, a mark at the beginning: byte for byte on the disk, with a checkpoint
    by the user before it is answered."""
    for name, text in (
        ("001-雨夜.md", "雨下了一夜。\r\n\r\n他没有睡。"),
        ("002-a.md", "\ufeffone\n\n\ntwo\n"),
        ("003-empty.md", ""),
    ):
        saved = await desk.put(name, text)
        assert saved.hash == digest(text)
        assert (desk.folder / name).read_bytes() == text.encode()
        assert await desk.chapter(name) == saved
        made = (await desk.timeline())[0]
        assert (made.author, made.turn, made.changed.added) == ("user", None, [name])
        assert made.files[name] == digest(text)
    listed = await desk.chapters()
    assert [(c.name, c.title, c.chars) for c in listed.items] == [
        ("001-雨夜.md", "雨夜", 15),
        ("002-a.md", "a", 11),
        ("003-empty.md", "empty", 0),
    ]


async def test_a_save_over_what_somebody_else_wrote_is_refused(desk: Desk) -> None:
    """With the hash that is there now; without a hash it is refused too, and nothing is lost."""
    first = await desk.put("a.md", "一")
    second = await desk.put("a.md", "二", first.hash)
    client, path = desk.table.client, f"{desk.path}/chapters/a.md"
    late = await client.put(path, json={"text": "三"}, headers={"If-Match": f'"{first.hash}"'})
    status, told = problem(late)
    assert (status, told.code) == (412, "chapter_changed")
    assert (told.model_extra or {})["hash"] == second.hash
    again = await client.put(path, json={"text": "三"}, headers={"If-None-Match": "*"})
    assert (problem(again)[0], problem(again)[1].code) == (412, "chapter_exists")
    for headers in ({}, {"If-Match": "*"}):
        blind = await client.put(path, json={"text": "三"}, headers=headers)
        assert (problem(blind)[0], problem(blind)[1].code) == (412, "hash_required")
    strange = await client.put(path, json={"text": "三"}, headers={"If-Match": "x"})
    assert problem(strange)[0] == 412
    assert (await desk.chapter("a.md")).text == "二"
    assert len(await desk.timeline()) == 2
    unchanged = await desk.put("a.md", "二", second.hash)
    assert unchanged.hash == second.hash
    assert len(await desk.timeline()) == 2


async def test_a_chapter_is_deleted_and_renamed_under_its_hash(desk: Desk) -> None:
    """Each with a checkpoint that tells it as such."""
    saved = await desk.put("001-雨.md", "雨")
    other = await desk.put("002-雪.md", "雪")
    client, path = desk.table.client, f"{desk.path}/chapters"
    guard = {"If-Match": f'"{saved.hash}"'}
    renamed = await client.post(
        f"{path}/001-雨.md/rename", json={"to": "003-雨停.md"}, headers=guard
    )
    assert renamed.status_code == 200, renamed.text
    assert read(renamed) == {"name": "003-雨停.md", "text": "雨", "hash": saved.hash}
    taken = await client.post(f"{path}/003-雨停.md/rename", json={"to": "002-雪.md"}, headers=guard)
    assert (problem(taken)[0], problem(taken)[1].code) == (409, "name_taken")
    case = await client.post(
        f"{path}/003-雨停.md/rename", json={"to": "003-雨停.MD"}, headers=guard
    )
    assert problem(case)[1].code == "bad_chapter_name"
    gone = await client.delete(f"{path}/002-雪.md", headers={"If-Match": f'"{other.hash}"'})
    assert gone.status_code == 204
    assert problem(await client.delete(f"{path}/002-雪.md", headers=guard))[0] == 404
    assert sorted(one.name for one in desk.folder.iterdir()) == ["003-雨停.md"]
    timeline = await desk.timeline()
    assert timeline[0].changed.removed == ["002-雪.md"]
    assert timeline[1].changed.renamed == [("001-雨.md", "003-雨停.md")]


@pytest.mark.parametrize(
    "name",
    ["%2E%2E", "a.txt", ".hidden.md", "con.md", "a%00.md", "a%3Ab.md", "%20.md", "huaben.db"],
)
async def test_a_name_that_is_none_makes_no_file(desk: Desk, name: str) -> None:
    """It is refused with the reason, and nothing appears anywhere."""
    answer = await desk.table.client.put(
        f"{desk.path}/chapters/{name}", json={"text": "x"}, headers={"If-None-Match": "*"}
    )
    assert answer.status_code in (404, 405, 422), answer.text
    assert list(desk.folder.iterdir()) == []
    assert (await desk.table.client.get(f"{desk.path}/chapters/{name}")).status_code in (
        404,
        405,
        422,
    )


@pytest.mark.parametrize("name", ["..%2F..%2Fhuaben.db", "..%5Cx.md", "%2Fetc%2Fpasswd.md"])
async def test_a_path_is_no_name(desk: Desk, name: str) -> None:
    """Neither for reading nor for writing, however it is spelt."""
    path = f"{desk.path}/chapters/{name}"
    assert (await desk.table.client.get(path)).status_code in (404, 422)
    put = await desk.table.client.put(path, json={"text": "x"}, headers={"If-None-Match": "*"})
    assert put.status_code in (404, 405, 422)
    assert list(desk.folder.iterdir()) == []


async def test_a_name_that_differs_only_in_case_is_refused(desk: Desk) -> None:
    """On some systems the two would be one file."""
    await desk.put("Rain.md", "一")
    answer = await desk.table.client.put(
        f"{desk.path}/chapters/rain.md", json={"text": "二"}, headers={"If-None-Match": "*"}
    )
    assert (problem(answer)[0], problem(answer)[1].code) == (409, "name_taken")


async def test_what_is_no_chapter_keeps_its_name(desk: Desk) -> None:
    """A folder or a link that ends in .md is neither written through nor in place of, and is told as what is there."""
    (desk.folder / "旧稿.md").mkdir()
    (desk.folder / "link.md").symlink_to(desk.folder.parent / "elsewhere.md")
    one = await desk.put("001.md", "雨。")
    for name in ("旧稿.md", "link.md", "LINK.md"):
        answer = await desk.table.client.put(
            f"{desk.path}/chapters/{name}", json={"text": "x"}, headers={"If-None-Match": "*"}
        )
        assert (answer.status_code, problem(answer)[1].code) == (409, "name_taken")
        renamed = await desk.table.client.post(
            f"{desk.path}/chapters/001.md/rename", json={"to": name}, headers={"If-Match": one.hash}
        )
        assert (renamed.status_code, problem(renamed)[1].code) == (409, "name_taken")
    assert not (desk.folder.parent / "elsewhere.md").exists()
    assert (desk.folder / "001.md").read_text("utf-8") == "雨。"


async def test_edits_by_hand_are_noticed_and_kept(desk: Desk) -> None:
    """A file changed, added, renamed and removed in another editor: each look gives them a checkpoint by the
    user, and so does a save of another chapter, before its own."""
    saved = await desk.put("a.md", "甲")
    (desk.folder / "a.md").write_text("甲，手改", "utf-8")
    (desk.folder / "b.md").write_text("乙", "utf-8")
    assert [one.name for one in (await desk.chapters()).items] == ["a.md", "b.md"]
    noticed = (await desk.timeline())[0]
    assert (noticed.author, noticed.changed.added, noticed.changed.modified) == (
        "user",
        ["b.md"],
        ["a.md"],
    )
    late = await desk.table.client.put(
        f"{desk.path}/chapters/a.md", json={"text": "丙"}, headers={"If-Match": f'"{saved.hash}"'}
    )
    assert problem(late)[0] == 412
    (desk.folder / "b.md").rename(desk.folder / "c.md")
    await desk.put("d.md", "丁")
    newest, before = (await desk.timeline())[:2]
    assert newest.changed.added == ["d.md"]
    assert before.changed.renamed == [("b.md", "c.md")]


async def test_a_chapter_that_is_no_text_is_kept_as_bytes(desk: Desk) -> None:
    """It is listed and in the history; reading it as text says why not, with its hash."""
    latin = b"caf\xe9\r\n"
    (desk.folder / "latin.md").write_bytes(latin)
    (listed,) = (await desk.chapters()).items
    assert (listed.chars, listed.bytes, listed.hash) == (None, 6, digest(latin))
    status, told = problem(await desk.table.client.get(f"{desk.path}/chapters/latin.md"))
    assert (status, told.code) == (409, "not_utf8")
    assert (told.model_extra or {})["hash"] == digest(latin)
    await desk.put("latin.md", "café", digest(latin))
    first = (await desk.timeline())[-1]
    assert (await restore(desk, first.id)).status_code == 200
    assert (desk.folder / "latin.md").read_bytes() == latin


async def restore(desk: Desk, checkpoint: str, **more: object) -> httpx.Response:
    path = f"{desk.path}/checkpoints/{checkpoint}/restore"
    return await desk.table.client.post(path, json={"scope": "files", **more})


async def test_restoring_files_makes_the_manuscript_what_it_was(desk: Desk) -> None:
    """Hand edits get a checkpoint first, the restore is one itself and can be taken back the same way; what
    is the same already makes none."""
    first = await desk.put("a.md", "一")
    await desk.put("b.md", "二")
    then = (await desk.timeline())[0]
    await desk.put("a.md", "一，改", first.hash)
    (desk.folder / "b.md").unlink()
    (desk.folder / "c.md").write_text("手写", "utf-8")
    answer = await restore(desk, then.id)
    assert answer.status_code == 200, answer.text
    told = schemas_writing.Restored.model_validate_json(answer.content)
    assert told.checkpoint is not None
    assert (told.checkpoint.restored_from, told.checkpoint.files) == (then.id, then.files)
    assert {one.name: one.read_text("utf-8") for one in desk.folder.iterdir()} == {
        "a.md": "一",
        "b.md": "二",
    }
    timeline = await desk.timeline()
    by_hand = timeline[1]
    assert (by_hand.author, by_hand.changed.added, by_hand.changed.removed) == (
        "user",
        ["c.md"],
        ["b.md"],
    )
    again = await restore(desk, then.id)
    assert again.status_code == 200
    assert len(await desk.timeline()) == len(timeline)
    assert (await restore(desk, by_hand.id)).status_code == 200
    assert (desk.folder / "c.md").read_text("utf-8") == "手写"


async def test_a_lost_object_refuses_before_anything_is_touched(desk: Desk) -> None:
    """The restore names the chapter; the files stay as they are."""
    first = await desk.put("a.md", "一")
    then = (await desk.timeline())[0]
    await desk.put("a.md", "二", first.hash)
    await desk.put("b.md", "乙")
    objects = desk.folder.parent / "history" / "objects"
    (objects / digest("一")).write_bytes(b"altered")
    status, told = problem(await restore(desk, then.id))
    assert (status, told.code) == (500, "object_missing")
    (objects / digest("一")).unlink()
    status, told = problem(await restore(desk, then.id))
    assert (told.code, (told.model_extra or {})["files"]) == ("object_missing", ["a.md"])
    assert (desk.folder / "a.md").read_text("utf-8") == "二"
    assert (desk.folder / "b.md").exists()


async def test_a_checkpoint_of_the_user_has_no_turn_to_take_back(desk: Desk) -> None:
    """And one that is not there is not found."""
    await desk.put("a.md", "一")
    (made,) = await desk.timeline()
    status, told = problem(await restore(desk, made.id, scope="turn"))
    assert (status, told.code) == (409, "not_a_turn")
    assert problem(await restore(desk, "missing"))[0] == 404


async def test_checkpoints_are_named_made_by_hand_and_compared(desk: Desk) -> None:
    """A name comes and goes; one made by hand may change nothing."""
    await desk.put("a.md", "一")
    made = await desk.table.told(f"{desk.path}/checkpoints", {"name": "  初稿 "})
    assert (made["name"], made["changed"]) == (
        "初稿",
        {"added": [], "modified": [], "renamed": [], "removed": []},
    )
    path = f"{desk.path}/checkpoints/{made['id']}"
    renamed = await desk.table.client.patch(path, json={"name": "The first draft"})
    assert read(renamed)["name"] == "The first draft"
    assert read(await desk.table.client.patch(path, json={"name": " "}))["name"] == ""
    await desk.put("b.md", "二")
    newest = (await desk.timeline())[0]
    compared = await desk.table.client.get(f"{path}/compare/{newest.id}")
    assert read(compared)["changed"] == {
        "added": ["b.md"],
        "modified": [],
        "renamed": [],
        "removed": [],
    }


async def test_the_timeline_is_paged(desk: Desk) -> None:
    """From the newest on, each record with the files of its moment."""
    for number in range(5):
        await desk.put(f"{number}.md", str(number))
    first = await desk.table.client.get(f"{desk.path}/checkpoints", params={"limit": 3})
    page = schemas_writing.CheckpointPage.model_validate_json(first.content)
    assert [one.number for one in page.items] == [5, 4, 3]
    rest = await desk.table.client.get(
        f"{desk.path}/checkpoints", params={"limit": 3, "after": str(page.next)}
    )
    page = schemas_writing.CheckpointPage.model_validate_json(rest.content)
    assert [one.number for one in page.items] == [2, 1]
    assert page.next is None
    assert sorted(page.items[0].files) == ["0.md", "1.md"]


async def test_a_roleplay_project_has_no_chapters(tmp_path: Path) -> None:
    """It says so, with a code."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        found = await table.found()
        for path in ("chapters", "checkpoints"):
            status, told = problem(await table.client.get(f"/api/projects/{found.id}/{path}"))
            assert (status, told.code) == (409, "no_manuscript")


async def test_a_manuscript_folder_that_is_gone_is_no_deletion(desk: Desk) -> None:
    """Nothing is recorded of it; restoring brings everything back."""
    await desk.put("a.md", "一")
    (made,) = await desk.timeline()
    (desk.folder / "a.md").unlink()
    desk.folder.rmdir()
    status, told = problem(await desk.table.client.get(f"{desk.path}/chapters"))
    assert (status, told.code) == (409, "manuscript_gone")
    assert (await restore(desk, made.id)).status_code == 200
    assert (desk.folder / "a.md").read_text("utf-8") == "一"


async def test_a_second_client_hears_of_every_change(desk: Desk) -> None:
    """The project's stream tells the checkpoint, its author and the files."""
    await desk.put("a.md", "一")
    events = await desk.table.theatre.house.store.project_events(desk.project.id)
    told = events[-1].event
    assert told.kind == "chapters_changed"
    assert told.detail is not None
    assert (told.detail["author"], told.detail["added"]) == ("user", ["a.md"])


async def test_a_chapter_of_five_megabytes_is_saved(desk: Desk) -> None:
    """Byte for byte; it is no limit of the interface."""
    text = "雨下了一夜，渡口没有人。\n" * 140_000
    assert len(text.encode()) > 5_000_000
    saved = await desk.put("long.md", text)
    assert saved.hash == digest(text)
    assert (desk.folder / "long.md").stat().st_size == len(text.encode())


async def test_chapters_and_checkpoints_are_compared_word_by_word(desk: Desk) -> None:
    """As they are now, as they were, and whole manuscripts file by file."""
    first = await desk.put("001-雨.md", "雨停了，他走了。")
    await desk.put("002-雪.md", "雪")
    then = (await desk.timeline())[0]
    await desk.put("001-雨.md", "雨停了，他留下了。", first.hash)
    (desk.folder / "002-雪.md").rename(desk.folder / "003-雪.md")
    (desk.folder / "latin.md").write_bytes(b"caf\xe9")
    now = (await desk.timeline())[0]

    async def differ(old: str, new: str) -> schemas_writing.DiffTold:
        answer = await desk.table.client.get(f"{desk.path}/diff", params={"from": old, "to": new})
        assert answer.status_code == 200, answer.text
        return schemas_writing.DiffTold.model_validate_json(answer.content)

    for new in (
        "chapter:001-雨.md",
        f"chapter:001-雨.md@{now.id}",
        f"object:{digest('雨停了，他留下了。')}",
    ):
        told = await differ(f"chapter:001-雨.md@{then.id}", new)
        assert [one.kind for one in told.spans] == ["kept", "deleted", "inserted", "kept"]
        assert (told.spans[1].in_old, told.spans[2].in_new) == ((5, 6), (5, 7))
    whole = await differ(f"checkpoint:{then.id}", f"checkpoint:{now.id}")
    assert whole.files is not None
    assert [(one.was, one.name, one.spans is None) for one in whole.files] == [
        ("001-雨.md", "001-雨.md", False),
        ("002-雪.md", "003-雪.md", False),
        (None, "latin.md", True),
    ]
    for reference, status in (
        ("chapter:none.md", 404),
        (f"chapter:none.md@{then.id}", 404),
        ("chapter:001-雨.md@missing", 404),
        (f"object:{digest('never')}", 404),
        ("chapter:", 422),
        (f"checkpoint:{then.id}", 422),
    ):
        params = {"from": "chapter:001-雨.md", "to": reference}
        answer = await desk.table.client.get(f"{desk.path}/diff", params=params)
        assert answer.status_code == status, (reference, answer.text)


async def test_words_are_replaced_across_chapters_after_a_preview(desk: Desk) -> None:
    """The preview changes nothing; what changed since is refused; the replacement is one checkpoint."""
    await desk.put("001.md", "旧伞在门后。\n\n他拿了旧伞。")
    await desk.put("002.md", "新的一天。")
    await desk.put("003.md", "又见旧伞。")
    before = len(await desk.timeline())
    path, words = f"{desk.path}/chapters/replace", {"find": "旧伞", "replace": "花伞"}
    shown = schemas_writing.Replacing.model_validate(await desk.table.told(path, words))
    assert [(one.name, one.count) for one in shown.files] == [("001.md", 2), ("003.md", 1)]
    assert (shown.count, shown.checkpoint) == (3, None)
    assert shown.files[0].places[1].after == "他拿了花伞。"
    assert len(await desk.timeline()) == before
    files = {one.name: one.hash for one in shown.files}
    await desk.put("003.md", "又见旧伞！", files["003.md"])
    status, told = await desk.table.refused(path, {**words, "files": files})
    assert (status, told.code) == (412, "chapter_changed")
    again = schemas_writing.Replacing.model_validate(await desk.table.told(path, words))
    files = {one.name: one.hash for one in again.files}
    done = schemas_writing.Replacing.model_validate(
        await desk.table.told(path, {**words, "files": files})
    )
    newest = (await desk.timeline())[0]
    assert (done.count, done.checkpoint) == (3, newest.id)
    assert newest.changed.modified == ["001.md", "003.md"]
    assert (await desk.chapter("001.md")).text == "花伞在门后。\n\n他拿了花伞。"
    only = await desk.table.told(path, {"find": "花伞", "replace": "伞", "names": ["003.md"]})
    assert only["count"] == 1
    assert (await desk.table.refused(path, {"find": "", "replace": "x"}))[0] == 422


async def test_chosen_places_are_replaced_by_pattern_or_by_whole_words(desk: Desk) -> None:
    """What was left out stays; a pattern that is none, or too slow, is refused with a code."""
    seen = (await desk.put("001.md", "🌙第1章，第2章，第3章。 cat concat")).hash
    path = f"{desk.path}/chapters/replace"
    wish = {"find": r"第(\d)章", "replace": "$1.", "pattern": True}
    shown = schemas_writing.Replacing.model_validate(await desk.table.told(path, wish))
    assert [(p.start, p.at, p.put) for p in shown.files[0].places] == [
        (2, 2, "1."),
        (6, 6, "2."),
        (10, 10, "3."),
    ]
    middle = shown.files[0].places[1].start
    chosen = {**wish, "files": {"001.md": seen}, "left_out": {"001.md": [middle]}}
    assert (await desk.table.told(path, chosen))["count"] == 2
    chapter = await desk.chapter("001.md")
    assert chapter.text == "🌙1.，第2章，3.。 cat concat"
    whole = {"find": "cat", "replace": "dog", "whole_words": True}
    await desk.table.told(path, {**whole, "files": {"001.md": chapter.hash}})
    assert (await desk.chapter("001.md")).text.endswith("dog concat")
    status, told = await desk.table.refused(path, {**wish, "find": "("})
    assert (status, told.code) == (422, "bad_pattern")


async def test_the_timeline_says_what_made_each_checkpoint(desk: Desk) -> None:
    """A save, an edit found on the disk, a replacement, a wish and a restore are told apart."""
    saved = await desk.put("001.md", "旧伞。")
    first = (await desk.timeline())[0]
    (desk.folder / "001.md").write_text("旧伞，旧伞。", "utf-8")
    seen = (await desk.chapters()).items[0].hash
    words = {"find": "旧伞", "replace": "新伞", "files": {"001.md": seen}}
    await desk.table.told(f"{desk.path}/chapters/replace", words)
    await desk.table.told(f"{desk.path}/checkpoints", {"name": "初稿"})
    await desk.table.told(f"{desk.path}/checkpoints/{first.id}/restore", {})
    told = [(one.cause, one.author) for one in await desk.timeline()]
    answer = await desk.table.client.get(f"{desk.path}/checkpoints?files=false&limit=1")
    (bare,) = schemas_writing.CheckpointPage.model_validate_json(answer.content).items
    assert (bare.files, bare.changed.modified) == ({}, ["001.md"])
    causes = ("restored", "asked", "replaced", "found", "saved")
    assert told == [(cause, "user") for cause in causes]
    assert (await desk.chapter("001.md")).hash == saved.hash


async def test_files_are_imported_as_chapters(desk: Desk) -> None:
    """Each a chapter under its own name or the next number, or taken apart at its headings; one checkpoint,
    and a report of what was changed."""
    await desk.put("001-a.md", "甲")
    long = "第一章 雨夜\n雨。\n第二章 渡口\n没有人。\n".encode()
    upload = [
        ("files", ("雨停.md", "# 雨停\r\n".encode(), "text/markdown")),
        ("files", ("001-a.md", "另一个甲。".encode(), "text/markdown")),
        (
            "files",
            ("旧稿.txt", "雨下了一夜，渡口没有人，灯还亮着。".encode("gb18030"), "text/plain"),
        ),
        ("files", ("空.txt", b" \n", "text/plain")),
    ]
    path = f"{desk.path}/chapters/import"
    answer = await desk.table.client.post(path, files=upload)
    assert answer.status_code == 201, answer.text
    told = schemas_writing.ChaptersImported.model_validate_json(answer.content)
    assert told.names == ["雨停.md", "002-a.md", "003-旧稿.md"]
    assert (desk.folder / "雨停.md").read_bytes() == "# 雨停\r\n".encode()
    assert (await desk.chapter("003-旧稿.md")).text == "雨下了一夜，渡口没有人，灯还亮着。"
    assert [one.code for one in told.report.changed] == ["encoding", "renamed"]
    assert [one.path for one in told.report.dropped] == ["空.txt"]
    newest = (await desk.timeline())[0]
    assert (newest.id, newest.changed.added) == (told.checkpoint, sorted(told.names))
    apart = await desk.table.client.post(
        path, files=[("files", ("长篇.txt", long, "text/plain"))], params={"apart": True}
    )
    assert read(apart)["names"] == ["004-第一章-雨夜.md", "005-第二章-渡口.md"]
    nothing = await desk.table.client.post(path, files=[upload[3]])
    assert problem(nothing)[1].code == "nothing_in_it"
    bare = await desk.table.client.post(
        path, files=[("files", ("稿.docx", b"PK no", "text/plain"))]
    )
    assert "稿.docx: " in (problem(bare)[1].detail or "")


async def test_a_manuscript_leaves_as_one_file_in_four_forms(desk: Desk) -> None:
    """The Markdown is the chapters to the letter; each is a download with a name; what is no text is left out
    and told; a checkpoint can be exported too."""
    texts = {"001-雨夜.md": "# 雨夜\n\n雨下了一夜。\n", "002-渡口.md": "渡口没有人。"}
    for name, text in texts.items():
        await desk.put(name, text)
    (desk.folder / "003-latin.md").write_bytes(b"caf\xe9")
    path = f"{desk.path}/manuscript"

    async def exported(**params: str) -> httpx.Response:
        answer = await desk.table.client.get(path, params=params)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].startswith("attachment")
        return answer

    assert (await exported()).text == "# 雨夜\n\n雨下了一夜。\n\n渡口没有人。\n"
    assert (await exported(to="txt")).text == "雨夜\n\n雨下了一夜。\n\n渡口\n\n渡口没有人。\n"
    epub = await exported(to="epub")
    assert epub.headers["content-type"] == "application/epub+zip"
    assert epub.content[30:58] == b"mimetypeapplication/epub+zip"
    assert (await exported(to="docx")).content.startswith(b"PK")
    report = read(await desk.table.client.get(f"{path}/report", params={"to": "epub"}))
    assert "003-latin.md" in str(report["dropped"])
    first = (await desk.timeline())[-1]
    assert (await exported(at=first.id)).text == "# 雨夜\n\n雨下了一夜。\n"
    assert (await desk.table.client.get(path, params={"at": "missing"})).status_code == 404


async def test_the_exported_document_can_be_imported_again(desk: Desk) -> None:
    """As chapters, taken apart at its headings."""
    await desk.put("001-雨夜.md", "# 雨夜\n\n雨下了**一夜**。\n")
    await desk.put("002-渡口.md", "# 渡口\n\n没有人。\n")
    docx = await desk.table.client.get(f"{desk.path}/manuscript", params={"to": "docx"})
    upload = [("files", ("书.docx", docx.content, "application/octet-stream"))]
    answer = await desk.table.client.post(
        f"{desk.path}/chapters/import", files=upload, params={"apart": True}
    )
    told = schemas_writing.ChaptersImported.model_validate_json(answer.content)
    assert [one.code for one in told.report.changed] == ["converted"]
    texts = [(await desk.chapter(name)).text for name in told.names]
    assert texts[1:] == ["# 雨夜\n\n雨下了**一夜**。\n\n", "# 渡口\n\n没有人。\n"]


async def test_a_story_becomes_a_manuscript(tmp_path: Path) -> None:
    """A chapter for the opening and each turn, or all in one; the story stays, the card comes along."""
    script = [say("他推开了门。"), say("雨停了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        story = await table.found()
        first = await table.play(story.id, "我推门。")
        await table.play(story.id, "然后呢？")
        path = f"/api/projects/{story.id}/manuscript"
        made = schemas.ProjectFounded.model_validate(await table.told(path, {"title": "雨夜"}))
        project = await table.project(made.id)
        assert (project.mode, project.title) == ("writing", "雨夜")
        assert project.card_id == (await table.project(story.id)).card_id
        folder = tmp_path / "projects" / made.id / "manuscript"
        texts = [one.read_text("utf-8") for one in sorted(folder.iterdir())]
        assert texts[1:] == ["他推开了门。\n", "雨停了。\n"]
        assert texts[0].startswith("雨下了一夜")
        (checkpoint,) = schemas_writing.CheckpointPage.model_validate_json(
            (await table.client.get(f"/api/projects/{made.id}/checkpoints")).content
        ).items
        assert len(checkpoint.changed.added) == 3
        wish = {"form": "merged", "at": first.id, "words": True}
        merged = schemas.ProjectFounded.model_validate(await table.told(path, wish))
        (file,) = (tmp_path / "projects" / merged.id / "manuscript").iterdir()
        assert file.read_text("utf-8").endswith("\n\n> 我推门。\n\n他推开了门。\n")
        again = await table.refused(f"/api/projects/{made.id}/manuscript", {})
        assert (again[0], again[1].code) == (409, "not_a_story")


async def test_a_writing_turn_over_http(tmp_path: Path) -> None:
    """Followed as it happens: each edit is an event with the hashes before and after, which can be compared;
    restoring its checkpoint as a turn gives the words back."""
    script = [
        call("write", path="manuscript/001-雨.md", content="雨下了一夜。\n"),
        call("edit", path="manuscript/001-雨.md", oldText="一夜", newText="三天"),
        say("写好了。"),
    ]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        found = await table.found(mode="writing")
        turn = await table.play(found.id, "写第一章。")
        assert (turn.status, turn.final_text, turn.draft.version) == ("done", "写好了。", 0)
        screen = await table.over(turn.id)
        delta = delta_of((screen.view.tools[1].effect or {})["files"])
        assert delta is not None
        before, after = delta["001-雨.md"].before, delta["001-雨.md"].after
        path = f"/api/projects/{found.id}"
        params = {"from": f"object:{before}", "to": f"object:{after}"}
        told = schemas_writing.DiffTold.model_validate_json(
            (await table.client.get(f"{path}/diff", params=params)).content
        )
        assert [span.kind for span in told.spans] == ["kept", "deleted", "inserted", "kept"]
        (made,) = schemas_writing.CheckpointPage.model_validate_json(
            (await table.client.get(f"{path}/checkpoints")).content
        ).items
        assert (made.author, made.turn, made.message) == ("agent", turn.id, "写第一章。")
        undone = schemas_writing.Restored.model_validate(
            await table.told(f"{path}/checkpoints/{made.id}/restore", {"scope": "turn"})
        )
        assert (undone.text, undone.head) == ("写第一章。", found.head)
        assert undone.checkpoint is not None
        assert undone.checkpoint.files == {}
        redone = await table.told(f"{path}/redo")
        assert redone["head"] == turn.id
        chapter = await table.client.get(f"{path}/chapters/001-雨.md")
        assert read(chapter)["text"] == "雨下了三天。\n"
        file = tmp_path / "projects" / found.id / "manuscript" / "001-雨.md"
        file.write_text("那年雨下了三天。\n", "utf-8")
        hands = read(await table.client.get(f"{path}/chapters/001-雨.md/hands"))
        assert hands["hash"] == digest("那年雨下了三天。\n")
        assert hands["stretches"] == [
            {"start": 0, "end": 2, "author": "user"},
            {"start": 2, "end": 9, "author": "agent"},
        ]
