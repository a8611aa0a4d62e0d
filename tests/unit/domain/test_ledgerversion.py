"""What a version of the ledger is by a scribe and by the user, and what stays claimed or locked."""

import pytest

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import Character, Ledger, Roster
from huaben.domain.ledgerchange import Change, Warned
from huaben.domain.ledgerversion import (
    NoSuchPlace,
    Rules,
    Standing,
    Version,
    edited,
    reverted,
    scribed,
    standing_from_json,
    standing_to_json,
    version_to_json,
    with_locks,
)
from huaben.domain.scribereply import ScribeReply

TURN = ("我把伞递给他。", "天亮了。阿迟接过伞，左手还裹着布。", "The lamp went out.")
INN = Standing(
    Ledger("雨夜", "渡口客栈", {"阿迟": Character(12)}, flags={"暗号": "伞下无人"}),
    Roster({"阿迟": "雨夜"}),
    claimed=frozenset({("flags", "暗号")}),
)


def scribe(
    patch: JsonObject, evidence: dict[str, str], rules: Rules | None = None, at: Standing = INN
) -> Version:
    return scribed(at, ScribeReply(patch, evidence), TURN, rules)


def claimed(version: Version) -> set[str]:
    return {".".join(path) for path in version.standing.claimed}


# ---- the scribe's --------------------------------------------------------------------------------


def test_what_is_proven_is_canon_and_the_rest_a_claim() -> None:
    """Both are entered; the version keeps what was quoted, well or in vain."""
    version = scribe(
        {"time": "清晨", "characters": {"阿迟": {"affinity": 20, "status": "左手裹布"}}},
        {"time": "天亮了", "characters.阿迟.status": "左手裹着纱"},
    )
    assert version.author == "scribe"
    assert version.standing.ledger.time == "清晨"
    assert version.standing.ledger.characters["阿迟"] == Character(20, "左手裹布")
    assert version.evidence == {("time",): "天亮了"}
    assert version.claims == {
        ("characters", "阿迟", "affinity"): "",
        ("characters", "阿迟", "status"): "左手裹着纱",
    }
    assert claimed(version) == {"characters.阿迟.affinity", "characters.阿迟.status", "flags.暗号"}


def test_without_evidence_an_item_can_be_refused() -> None:
    """The scenario may want proof of everything; then nothing new is claimed."""
    version = scribe(
        {"time": "清晨", "characters": {"沈砚": {"affinity": 5}}, "flags": {"暗号": None}},
        {"time": "天亮了", "flags.暗号": "忘了暗号"},
        Rules(require_evidence=True),
    )
    assert version.standing.ledger == Ledger(
        "清晨", "渡口客栈", {"阿迟": Character(12)}, flags={"暗号": "伞下无人"}
    )
    assert version.warnings == (
        Warned("unsupported", "characters.沈砚.affinity"),
        Warned("unsupported", "flags.暗号", "忘了暗号"),
    )
    assert claimed(version) == {"flags.暗号"}
    assert version.claims == {}


def test_a_claim_becomes_canon_when_it_is_proven() -> None:
    """Also if its value is only said again; a new value without proof stays a claim."""
    again = scribe({"flags": {"暗号": "伞下无人"}}, {"flags.暗号": "接过伞"})
    assert claimed(again) == set()
    assert again.changes == ()
    assert claimed(scribe({"flags": {"暗号": "灯灭"}}, {})) == {"flags.暗号"}
    assert claimed(scribe({"flags": {"暗号": "灯灭"}}, {"flags.暗号": "lamp went out"})) == set()


def test_canon_is_not_lost_by_saying_it_again() -> None:
    """A value that stands already needs no new proof."""
    assert claimed(scribe({"time": "雨夜"}, {})) == {"flags.暗号"}


def test_what_is_gone_is_no_claim() -> None:
    """A flag, a person or a place that was deleted leaves the list."""
    assert claimed(scribe({"flags": {"暗号": None}}, {})) == set()
    there = scribe({"characters": {"沈砚": {"location": "渡口", "notes": "x"}, "Mira": {}}}, {})
    assert claimed(there) == {
        "characters.沈砚.location",
        "characters.沈砚.notes",
        "characters.Mira",
        "flags.暗号",
    }
    without = scribe(
        {"characters": {"沈砚": {"location": None}, "Mira": None}}, {}, at=there.standing
    )
    assert claimed(without) == {"characters.沈砚.notes", "flags.暗号"}


def test_a_model_never_patches_what_is_locked() -> None:
    """What is locked stays, with a warning, and the locks stay too."""
    locked = with_locks(INN, ["characters.阿迟.affinity", "flags"])
    assert isinstance(locked, Standing)
    version = scribe(
        {"characters": {"阿迟": {"affinity": 50, "notes": "x"}}, "flags": {"债": "清"}},
        {"characters.阿迟.affinity": "接过伞"},
        at=locked,
    )
    assert version.standing.ledger.characters["阿迟"] == Character(12, notes="x")
    assert version.standing.ledger.flags == INN.ledger.flags
    assert version.standing.locked == locked.locked
    assert [(w.code, w.path) for w in version.warnings] == [
        ("locked", "characters.阿迟.affinity"),
        ("locked", "flags.债"),
    ]
    assert version.evidence == {}
    assert version.claims == {("characters", "阿迟", "notes"): ""}


def test_aliases_and_story_time_come_from_the_rules() -> None:
    """One person stays one, in patch and evidence; new names are noted under the given time."""
    rules = Rules(aliases={"迟掌柜": "阿迟"}, story_time="第二日")
    version = scribe(
        {"time": "清晨", "characters": {"迟掌柜": {"affinity": 15}}, "inventory": ["灯"]},
        {"characters.迟掌柜.affinity": "接过伞", "time": "天亮", "inventory": "The lamp"},
        rules,
    )
    assert version.standing.ledger.characters == {"阿迟": Character(15)}
    assert version.standing.roster.items == {"灯": "第二日"}
    assert claimed(version) == {"flags.暗号"}


def test_every_warning_reaches_the_version() -> None:
    """Of the reply, of the patch and of the evidence."""
    reply = ScribeReply({"mood": 1}, {"mood": "伞"}, (Warned("unknown_key", "thoughts"),))
    assert [w.path for w in scribed(INN, reply, TURN).warnings] == ["thoughts", "mood", "mood"]


# ---- the user's ----------------------------------------------------------------------------------


def test_what_the_user_writes_holds() -> None:
    """Without evidence, through locks, and it settles what was only claimed."""
    locked = with_locks(INN, ["flags.暗号"])
    assert isinstance(locked, Standing)
    version = edited(
        locked,
        {"flags": {"暗号": "灯灭"}, "characters": {"迟掌柜": {"status": "好"}}},
        {"迟掌柜": "阿迟"},
    )
    assert version.author == "user"
    assert version.standing.ledger.flags == {"暗号": "灯灭"}
    assert version.standing.ledger.characters["阿迟"].status == "好"
    assert claimed(version) == set()
    assert version.standing.locked == locked.locked
    assert (version.evidence, version.claims, version.warnings) == ({}, {}, ())


def test_a_slip_of_the_user_is_named() -> None:
    """What cannot be meant is a warning here too, for the page to refuse."""
    assert edited(INN, {"mood": 1}).warnings == (Warned("unknown_key", "mood"),)
    assert edited(INN, ["time"]).standing == INN


def test_the_user_takes_a_version_back() -> None:
    """What is put back holds, and what was claimed by that version is gone with it."""
    version = scribe({"time": "清晨", "characters": {"沈砚": {"affinity": 5}}}, {})
    back = reverted(version.standing, version.changes)
    assert back.author == "user"
    assert back.standing == INN
    assert Change(("time",), "清晨", "雨夜") in back.changes
    later = edited(version.standing, {"time": "正午"})
    partly = reverted(later.standing, version.changes)
    assert partly.standing.ledger.time == "正午"
    assert partly.warnings == (Warned("changed_since", "time"),)


def test_locks_are_given_by_dotted_paths() -> None:
    """All of them at once, with the names in use; what is no place is refused by name."""
    locked = with_locks(INN, ["time", "characters. 阿迟", "characters.沈砚.notes"])
    assert isinstance(locked, Standing)
    assert locked.locked == {("time",), ("characters", "阿迟"), ("characters", "沈砚", "notes")}
    assert with_locks(locked, []) == INN
    assert with_locks(INN, ["time", "mood"]) == NoSuchPlace("mood")


# ---- as JSON -------------------------------------------------------------------------------------


def test_the_stored_form_of_what_stands() -> None:
    """As the interface shows it: ledger, roster and dotted paths, in order."""
    locked = with_locks(INN, ["time", "characters.J.R."])
    assert isinstance(locked, Standing)
    stored = standing_to_json(locked)
    assert list(stored) == ["ledger", "roster", "claimed", "locked"]
    assert stored["claimed"] == ["flags.暗号"]
    assert stored["locked"] == ["characters.J.R", "time"]
    assert standing_from_json(stored) == locked
    assert standing_from_json({}) == Standing()


@pytest.mark.parametrize(
    "stored", [None, {"claimed": "time"}, {"claimed": [1]}, {"locked": ["mood"]}, {"ledger": 1}]
)
def test_a_damaged_record_is_named(stored: Json) -> None:
    """What the program never writes is not guessed at."""
    with pytest.raises(ValueError, match="stored"):
        standing_from_json(stored)


def test_the_stored_form_of_a_version() -> None:
    """A diff that can be read: who, what, on what grounds, and what was not done."""
    version = scribe({"time": "清晨", "flags": {"债": "清"}, "mood": 1}, {"time": "天亮了"})
    assert version_to_json(version) == {
        "author": "scribe",
        "changes": [
            {"path": ["time"], "before": "雨夜", "after": "清晨"},
            {"path": ["flags", "债"], "before": None, "after": "清"},
        ],
        "evidence": {"time": "天亮了"},
        "claims": {"flags.债": ""},
        "warnings": [{"code": "unknown_key", "path": "mood", "detail": ""}],
    }
