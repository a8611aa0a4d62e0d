"""Dice that fall the same way for the same turn, apart so that nothing else draws at random.

Each roll is named: adding an entry to a book changes no other entry's luck.
"""

from hashlib import blake2b

_SCALE = float(2**53)


def roll(seed: int, *names: str) -> float:
    """A number from 0 up to but not including 1, evenly spread, decided by the seed and the names."""
    digest = blake2b(repr((seed, names)).encode("utf-8", "replace"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / _SCALE


def passes(probability: float, rolled: float) -> bool:
    """Whether a roll passes a probability in percent: 0 never, 100 always (formats §2.6)."""
    return probability >= 100 or rolled * 100 < probability
