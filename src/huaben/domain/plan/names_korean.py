"""Personal names in Korean, told from other nouns by the particle, the title or the verb that follows; apart
because particles are written onto the name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from huaben.domain.plan.names_words import COMMON_KOREAN

_SURNAMES: Final = (
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변"
    "염여추도석선설마길연위표명기반왕옥육인맹제모"
)
_PARTICLE: Final = r"(?:이가|이는|께서는?|이|가|은|는)"
_SPEAKS: Final = (
    r"(?=\s[^.!?…]{0,16}?(?:말했|말하|물었|묻|대답|웃었|웃으|속삭|외쳤|중얼|소리쳤|인사했|미소|고개를|한숨|"
    r"끄덕|돌아보|바라보|다가|일어))"
)
_NAMED: Final = (
    r"(?:이?라는\s?(?:이름|사람|자|아이|소녀|소년|남자|여자|노인|청년)|이?라고\s?(?:합니다|해요|했다|한다|불렀|"
    r"불러|부르))"
)
_TITLED: Final = regex.compile(
    r"(?<!\p{Hangul})(\p{Hangul}{2,4})\s?(?:씨|군|양|님)(?=은|는|이|가|을|를|의|에게|도|와|과|,|\.|!|\?|\s|$|”|\")"
)
_SPEAKING: Final = regex.compile(
    rf"(?<!\p{{Hangul}})([{_SURNAMES}]\p{{Hangul}}{{1,2}}){_PARTICLE}{_SPEAKS}"
)
_CALLED: Final = regex.compile(rf"(?<!\p{{Hangul}})(\p{{Hangul}}{{2,4}}?){_NAMED}")
_OWN: Final = regex.compile(
    r"이름은\s[\"“‘']?(\p{Hangul}{2,4}?)(?:이다|이야|이에요|예요|입니다|야|다)[\"”’'.!]"
)
_TO: Final = regex.compile(r"[\"“‘](\p{Hangul}{2,3})[아야][,!?…]")
_LEAST: Final = 2


def korean_names(line: str) -> Iterator[str]:
    """The names in a line of Korean, without their particles; some may come twice."""
    for found in _TITLED.finditer(line):
        whole = found[0].split()[0]
        if whole[-1] in "씨양군님" and _is_word(whole):
            continue
        if not _is_word(found[1]) and (
            found[1][0] in _SURNAMES or found[0][len(found[1]) :].startswith(("씨", " 씨"))
        ):
            yield found[1]
    for pattern in (_SPEAKING, _CALLED, _OWN, _TO):
        for found in pattern.finditer(line):
            if len(found[1]) >= _LEAST and not _is_word(found[1]):
                yield found[1]


def _is_word(name: str) -> bool:
    """Whether it is a common noun, by itself or with the syllable that was taken for a particle."""
    return name in COMMON_KOREAN or any(
        word.startswith(name) and len(word) - len(name) < 2 for word in COMMON_KOREAN
    )
