"""Whether a preset has the model end its prose with choices in a form of its own; apart from the preset,
which is what was read, because this is a judgement about what its texts ask for."""

from __future__ import annotations

import re
from typing import Final

from huaben.domain.preset import Preset, PresetPrompt

_END: Final = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")
_TAG: Final = re.compile(
    r"<\s*(?:choices?|options?|branch(?:es)?|选项|选择|抉择|分支|選択肢)\s*>", re.I
)
_ENGLISH: Final = re.compile(
    r"\b(?:offer|give|provide|present|list|append|add|output|generate|write|include|end|finish"
    r"|conclude|close|suggest)s?\b.{0,120}?(?P<whose>\S*)\s"
    r"(?:choices?|options|courses of action|possible actions)\b",
    re.I,
)
_OWNED: Final = re.compile(r".*['’]s?|their|his|her|its|your|my", re.I)
"""Whose choices they are: somebody's in the story, then, and none that the reader is offered."""
_ENGLISH_FORM: Final = re.compile(
    r"\b(?:\d|two|three|four|five|six|several|numbered|(?:at|in) the end|end (?:of|each|every|your)"
    r"|(?:after|each|every) (?:reply|response|message|turn)|box)",
    re.I,
)
_CHINESE: Final = re.compile(
    r"(?:给出|给予|提供|列出|附上|附加|生成|输出|写出|写下|添加|加上|展示|显示|弹出|呈现|设置|设计|"
    r"給出|給予|列出|輸出|添加|顯示|呈現|提示|出力|表示).{0,24}?(?:选项|选择框|选择支|行动建议|選項|選択肢)"
    r"|(?:选项|选择框|选择支|行动建议|選項|選択肢).{0,12}?(?:提示|出力|表示|结尾|末尾|文末)"
)
_CHINESE_FORM: Final = re.compile(
    r"[0-9一二两三四五六七八九几兩幾]\s*[-~到至—]?\s*[0-9一二两三四五六七八九]?\s*(?:个|種|种|条|條|项|項|则|個|つ)"
    r"|结尾|末尾|最后|最後|文末|結尾|之后|每次|每轮|每輪|每回合|每条|选择框|选项框|毎回"
)
_NOT: Final = re.compile(
    r"\b(?:not|never|no|don't|don’t|avoid|without|refrain|instead of)\b"
    r"|不要|不得|不可|不准|不许|不能|不会|禁止|严禁|避免|无需|无须|不必|切勿|请勿|别给|勿|不給|ない",
    re.I,
)


def brings_choices(preset: Preset) -> str:
    """The name of the first prompt in force that asks for choices written into the prose, "" where none
    does. `ask` is then not offered: the reader would be asked twice, in two ways (`turn.md` §7).

    It goes by the words: a tag as for a box, or a sentence that asks for choices and says how many or
    where, in Chinese, English or Japanese; a sentence that forbids them counts for nothing.
    """
    for listed in preset.order:
        prompt = listed.prompt
        if listed.enabled and prompt.marker is None and _asks(prompt):
            return prompt.name or prompt.identifier
    return ""


def _asks(prompt: PresetPrompt) -> bool:
    return any(_is_asking(sentence) for sentence in _END.split(prompt.content))


def _is_asking(sentence: str) -> bool:
    if _NOT.search(sentence):
        return False
    if _TAG.search(sentence):
        return True
    found = _ENGLISH.search(sentence)
    if found and not _OWNED.fullmatch(found["whose"]) and _ENGLISH_FORM.search(sentence):
        return True
    return bool(_CHINESE.search(sentence) and _CHINESE_FORM.search(sentence))
