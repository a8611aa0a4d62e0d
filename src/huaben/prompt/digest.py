"""What a model is sent to put a chapter or an old discussion in short, and the block in which a writing turn is shown
what came of it; apart from the story's summary, which is one text for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from huaben.domain.digest import Digest
from huaben.domain.project import Language
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.stage import PastTurn, words_with_answers
from huaben.prompt.summary import summary_block
from huaben.prompt.texts import phrases


def compose_chapter(language: Language, name: str, text: str) -> Prompt:
    """The prompt that puts a chapter, or a piece of a long one, in short."""
    said = phrases(language, "digest")
    told = f"{said['name'].format(name=name)}\n{text.strip()}"
    return Prompt(
        (
            segment("prefix", "system", Piece("digest.chapter", said["chapter"])),
            segment("tail", "user", Piece(f"chapter:{name}", told)),
        )
    )


def compose_talk(language: Language, former: str, turns: Sequence[PastTurn]) -> Prompt:
    """The prompt that takes turns of the discussion up into its minutes."""
    said = phrases(language, "digest")
    before = f"{said['former']}\n{former.strip()}" if former.strip() else ""
    told = "\n\n".join(line for turn in turns for line in _told(language, turn))
    return Prompt(
        (
            segment("prefix", "system", Piece("digest.talk", said["talk"])),
            segment(
                "tail",
                "user",
                Piece("digest.former", before),
                Piece("digest.turns", f"{said['turns']}\n{told}"),
            ),
        )
    )


def digest_block(language: Language, digest: Digest) -> Piece:
    """What stands for old chapters and old discussion, as the block at the head of the log; empty where nothing
    does."""
    parts = [f"# {one.name}\n{one.text.strip()}" for one in digest.chapters]
    if digest.discussion.strip():
        head = phrases(language, "digest")["discussed"]
        parts.append(f"{head}\n{digest.discussion.strip()}")
    reason = f"{len(digest.chapters)} chapters, {digest.turns} turns, made at {digest.node}"
    return summary_block(language, "\n\n".join(parts), reason if parts else "")


def _told(language: Language, turn: PastTurn) -> Iterator[str]:
    said = phrases(language, "digest")
    yield said["author"].format(text=words_with_answers(language, turn.user_text, turn.asked))
    if turn.final_text.strip():
        yield said["report"].format(text=turn.final_text.strip())
