"""The final text of a turn, draft plus format tail: apart, as it alone decides what history keeps."""

from huaben.domain.finaltext.markup import Block, BlockKind
from huaben.domain.finaltext.merge import dedupe_blocks, final_text, format_blocks

__all__ = ["Block", "BlockKind", "dedupe_blocks", "final_text", "format_blocks"]
