"""Every refusal has one form, whatever it comes from."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from structlog.testing import capture_logs

from huaben.domain.project import Project, ProjectKind
from huaben.errors import ReadOnly, StorageFailed
from huaben.ports import LoggedEvent, Page
from huaben.testing.store import MemoryStore
from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem

SECRET = "沈砚合上账本"


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "no_such_route"),
        ("GET", "/nothing", 404, "no_such_route"),
        ("GET", "/static/../app.py", 404, "no_such_route"),
        ("GET", "/static/..%2fapp.py", 404, "no_such_route"),
        ("GET", "/static/index.html", 404, "file_not_found"),
        ("GET", "/api/cards/", 404, "no_such_route"),
        ("PATCH", "/api/projects", 405, "method_not_allowed"),
        ("DELETE", "/api/cards", 405, "method_not_allowed"),
        ("GET", "/api/cards/01900000-0000-7000-8000-000000000000", 404, "card_not_found"),
        ("GET", "/api/lorebooks/unknown", 404, "lorebook_not_found"),
        ("GET", "/api/projects/unknown", 404, "project_not_found"),
        ("GET", "/api/projects/unknown/tree", 404, "project_not_found"),
        ("GET", "/api/projects/unknown/turns", 404, "project_not_found"),
        ("GET", "/api/projects/unknown/events", 404, "project_not_found"),
        ("POST", "/api/projects/unknown/undo", 404, "project_not_found"),
        ("GET", "/api/turns/unknown", 404, "turn_not_found"),
        ("GET", "/api/turns/unknown/events", 404, "turn_not_found"),
        ("GET", "/api/turns/unknown/trace", 404, "turn_not_found"),
        ("POST", "/api/turns/unknown/stop", 404, "turn_not_found"),
        ("DELETE", "/api/turns/unknown", 404, "turn_not_found"),
        ("GET", "/api/turns/%00", 404, "not_found"),
        ("GET", "/api/turns/%E9%9B%A8", 404, "not_found"),
        ("GET", "/api/projects/" + "x" * 200, 404, "not_found"),
        ("GET", "/api/projects?limit=0", 422, "invalid_field"),
        ("GET", "/api/projects?limit=many", 422, "invalid_field"),
        ("GET", "/api/turns/unknown/events?after=9223372036854775808", 422, "invalid_field"),
    ],
)
async def test_what_is_not_there_is_a_problem(
    client: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    """Unknown addresses, methods and ids, and parameters that make no sense."""
    found, told = problem(await client.request(method, path))
    assert (found, told.code) == (status, code)
    assert told.detail
    assert told.title


async def test_a_wrong_method_is_told_the_right_ones(client: httpx.AsyncClient) -> None:
    """The header that HTTP foresees for it is there."""
    answer = await client.delete("/api/projects")
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"titel": "渡口"}, "unknown_field", "titel"),
        ({"persona": {"name": "林", "年纪": 20}}, "unknown_field", "persona.年纪"),
        ({"mode": "opera"}, "invalid_field", "mode"),
        ({"title": 7}, "invalid_field", "title"),
        ({"lorebook_ids": "one"}, "invalid_field", "lorebook_ids"),
        ({"lorebook_ids": ["a", 2]}, "invalid_field", "lorebook_ids.1"),
        (["not", "an", "object"], "invalid_field", "body"),
    ],
)
async def test_a_field_that_is_wrong_is_named(
    client: httpx.AsyncClient, body: object, code: str, field: str
) -> None:
    """A slip of the pen is never ignored: the first wrong field is in the sentence, all in the
    list."""
    status, told = problem(await client.post("/api/projects", json=body))
    assert (status, told.code) == (422, code)
    errors = (told.model_extra or {})["errors"]
    assert errors[0]["field"] == field
    assert field in told.detail or field == "body"


async def test_a_missing_field_is_named(client: httpx.AsyncClient) -> None:
    """As is one that is not there."""
    status, told = problem(await client.post("/api/projects/p/turns", json={}))
    assert (status, told.code) == (422, "missing_field")
    assert told.detail == "The field text is missing."


async def test_a_roleplay_project_needs_a_card(client: httpx.AsyncClient) -> None:
    """Somebody must speak."""
    bare = await client.post("/api/projects", json={"mode": "roleplay", "title": "渡口"})
    assert problem(bare)[1].code == "card_required"


@pytest.mark.parametrize(
    ("content", "kind", "codes"),
    [
        (b'{"title": ', "application/json", {"bad_json"}),
        (b"\xff\xfe{}", "application/json", {"bad_json", "bad_body"}),
        (b"[" * 100_000, "application/json", {"bad_body", "bad_json"}),
        (b'{"title": "x"}', "text/plain", {"invalid_field"}),
        (b"title=x", "application/x-www-form-urlencoded", {"invalid_field"}),
        (b"", "application/json", {"missing_field"}),
    ],
)
async def test_a_body_that_is_no_json_is_a_problem(
    client: httpx.AsyncClient, content: bytes, kind: str, codes: set[str]
) -> None:
    """X07: cut off, in no encoding, endlessly deep, or of another kind: refused, and only that. A
    simple form of a foreign page is never taken for JSON."""
    answer = await client.post("/api/projects", content=content, headers={"content-type": kind})
    status, told = problem(answer)
    assert status in (400, 422)
    assert told.code in codes


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"no form at all", "multipart/form-data; boundary=x"),
        (b"no form at all", "multipart/form-data"),
        (b"{}", "application/json"),
        (b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nno file\r\n--x--\r\n',
         "multipart/form-data; boundary=x"),
    ],
)  # fmt: skip
async def test_an_upload_that_is_no_form_is_a_problem(
    client: httpx.AsyncClient, content: bytes, kind: str
) -> None:
    """A form without a file, or none at all, is refused."""
    answer = await client.post("/api/cards", content=content, headers={"content-type": kind})
    status, _ = problem(answer)
    assert status in (400, 422)


async def test_an_unknown_field_of_an_upload_is_named(client: httpx.AsyncClient) -> None:
    """Forms are as strict as JSON."""
    answer = await client.post("/api/cards", files={"file": ("a", b"x"), "fiel": ("b", b"y")})
    status, told = problem(answer)
    assert (status, told.code) == (422, "unknown_field")
    assert "fiel" in told.detail


# ---- what fails behind the routes ----------------------------------------------------------------


class BrokenStore(MemoryStore):
    """A store whose reads fail as they would on a bad disk, or in a way nobody foresaw."""

    def __init__(self, fault: Exception) -> None:
        super().__init__()
        self.fault: Exception | None = fault

    async def projects(
        self, user_id: str, page: Page, kind: ProjectKind = "story"
    ) -> tuple[list[Project], str | None]:
        if self.fault is not None:
            raise self.fault
        return await super().projects(user_id, page, kind)

    async def project(self, project_id: str) -> Project | None:
        if self.fault is not None:
            raise self.fault
        return await super().project(project_id)

    async def events(
        self, turn_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedEvent]:
        if self.fault is not None:
            raise self.fault
        return await super().events(turn_id, after, limit)


@pytest.mark.parametrize(
    "path",
    ["/api/projects", "/api/projects/p", "/api/projects/p/tree", "/api/projects/p/turns",
     "/api/projects/p/events", "/api/ready"],
)  # fmt: skip
async def test_a_read_that_fails_answers_an_error(path: str) -> None:
    """S01: an error of the disk is never an empty success that a client would save over."""
    broken = BrokenStore(StorageFailed("read_failed", "The database could not be read."))
    async with lobby(broken) as client:
        with capture_logs() as logs:
            status, told = problem(await client.get(path))
        assert (status, told.code) == (500, "read_failed")
        assert [line["event"] for line in logs] == ["failed"]
        broken.fault = None
        assert (await client.get("/api/projects")).status_code == 200


async def test_a_vanished_data_folder_is_said() -> None:
    """S07: the program is read-only then, and every read says why."""
    gone = ReadOnly("data_folder_gone", "The folder is gone.", "Bring it back, then restart.")
    async with lobby(BrokenStore(gone)) as client:
        status, told = problem(await client.get("/api/projects"))
        assert (status, told.code, told.hint) == (503, "data_folder_gone", gone.hint)


async def test_what_nobody_foresaw_is_answered_and_logged_without_words() -> None:
    """The answer holds no traceback, the log the place but nothing that may quote a story."""
    async with lobby(BrokenStore(RuntimeError(SECRET))) as client:
        with capture_logs() as logs:
            answer = await client.get("/api/projects")
        status, told = problem(answer)
        assert (status, told.code) == (500, "unexpected")
        assert "Traceback" not in answer.text
        assert SECRET not in answer.text
        [line] = logs
        assert line["error"] == "RuntimeError"
        assert "test_refusals.py" in str(line["where"])
        assert SECRET not in str(line)
        assert answer.headers["content-security-policy"]
