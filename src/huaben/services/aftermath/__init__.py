"""What follows a sealed turn, in its order: scribe, wished-for save, compaction, memory (`turn.md` §1)."""
