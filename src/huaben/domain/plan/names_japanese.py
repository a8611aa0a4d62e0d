"""Personal names in Japanese: katakana or kanji with an honorific, a naming phrase or a verb of speech;
apart because katakana also writes every borrowed word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from huaben.domain.plan.names_words import BORROWED, COMMON_JAPANESE

_KATAKANA: Final = r"[\p{Katakana}ー]{2,}"
_FULL: Final = rf"{_KATAKANA}(?:[・=＝]{_KATAKANA})+"
_HONORIFIC: Final = r"(?:さん|さま|様|くん|君|ちゃん|殿|先生|氏|卿|嬢|先輩|隊長|博士|親方)"
_SAYS: Final = (
    r"(?:は|が|も)[^。「」、！？]{0,12}?(?:言っ|言う|答え|笑っ|笑う|頷|うなず|微笑|叫|尋ね|訊|呟|つぶや|囁|"
    r"ささや|振り返|首を|肩を|目を|立ち上が|黙)"
)
_NAMED: Final = r"(?:という名|という(?:男|女|少女|少年|人|者|娘|老人|名前)|と名乗|と申し|と呼ばれ)"
_HONOURED: Final = regex.compile(
    rf"({_FULL}|{_KATAKANA}|(?<![\p{{Han}}お])\p{{Han}}{{1,4}}){_HONORIFIC}", regex.VERSION1
)
_SPEAKING: Final = regex.compile(rf"(?<!\p{{Katakana}})({_FULL}|{_KATAKANA}){_SAYS}")
_CALLED: Final = regex.compile(rf"({_FULL}|{_KATAKANA}|(?<!\p{{Han}})\p{{Han}}{{2,4}}){_NAMED}")
_WHOLE: Final = regex.compile(rf"({_FULL})")


def japanese_names(line: str) -> Iterator[str]:
    """The names in a line of Japanese; some may come twice."""
    for found in _HONOURED.finditer(line):
        if found[1] not in COMMON_JAPANESE and found[1] not in BORROWED:
            yield found[1]
    for pattern in (_SPEAKING, _CALLED):
        for found in pattern.finditer(line):
            if found[1] not in BORROWED and found[1] not in COMMON_JAPANESE:
                yield found[1]
    for found in _WHOLE.finditer(line):
        yield found[1]
