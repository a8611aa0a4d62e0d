"""The page at the address of the server: what is served and whether a model is connected, in the
reader's language. Plain HTML without scripts; nothing on it comes from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import HTMLResponse, Response

from huaben import __version__
from huaben.errors import NotFound
from huaben.web.given import HouseGiven, SettingsGiven
from huaben.web.routes.health import connected_model

router = APIRouter(include_in_schema=False)
Language: TypeAlias = Literal["zh", "en"]

_FILES: Mapping[str, str] = {"page.css": "text/css", "icon.svg": "image/svg+xml"}
_ACCEPTED = re.compile(r"\s*([A-Za-z*]+)(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([0-9.]+))?\s*")

_TEXTS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "title": "话本",
        "other_name": "English",
        "lead": "这里是话本的服务端。故事在这台机器上，由命令行或下面的接口来演。",
        "state_title": "模型",
        "connected": "已接上 {model}。",
        "missing": "还没有接上模型。先看一出排演，或接上模型；已有的故事都能读。",
        "missing_more": "接上模型：设置下面的环境变量，再重新启动。",
        "served_title": "这里有什么",
        "projects": "项目",
        "cards": "角色卡",
        "lorebooks": "设定集",
        "scenarios": "场景配置",
        "health": "运行状态",
        "openapi": "接口说明（OpenAPI）",
        "first_title": "第一拍",
        "first_text": "导入一张角色卡，建一个项目，说第一句话，然后看着这一拍写出来：",
        "rehearsal_title": "排演",
        "rehearsal_text": "台词已备好，不调用模型。开始排演，看提示的话，说出来，然后看着这一拍写出来：",
        "said": "我推开门。",
        "footer": "话本 {version}。每一句确认收到的话都已存好；每一次请求都能按原样打开。",
    },
    "en": {
        "title": "Huaben",
        "other_name": "中文",
        "lead": "This is a Huaben server. The stories are on this machine; they are played from the "
        "command line or through the interface below.",
        "state_title": "Model",
        "connected": "{model} is connected.",
        "missing": "No model is connected. Play the rehearsal, or connect a model; every story can "
        "be read.",
        "missing_more": "To connect a model, set these in the environment and restart.",
        "served_title": "What is served",
        "projects": "Projects",
        "cards": "Cards",
        "lorebooks": "Lorebooks",
        "scenarios": "Scenarios",
        "health": "Health",
        "openapi": "The interface, described (OpenAPI)",
        "first_title": "A first turn",
        "first_text": "Import a card, found a project, say the first words, and follow the turn as "
        "it is written:",
        "rehearsal_title": "Rehearsal",
        "rehearsal_text": "Prepared lines, no model is called. Begin the rehearsal, see its cue, say "
        "it, and follow the turn as it is written:",
        "said": "I push the door open.",
        "footer": "Huaben {version}. Every acknowledged word is stored; every request can be opened "
        "as it was sent.",
    },
}
_SERVED: Mapping[str, str] = {
    "projects": "/api/projects",
    "cards": "/api/cards",
    "lorebooks": "/api/lorebooks",
    "scenarios": "/api/scenarios",
    "health": "/api/ready",
    "openapi": "/api/openapi.json",
}
_CONNECTING = "HUABEN_BASE_URL=http://127.0.0.1:11434/v1\nHUABEN_MODEL=…\nHUABEN_API_KEY=…"
_FIRST = """curl -F file=@card.png {api}/cards
curl {api}/projects --json '{{"title": "", "mode": "roleplay", "card_id": "…"}}'
curl {api}/projects/…/turns --json '{{"text": "{said}"}}'
curl -N {api}/turns/…/events"""
_REHEARSAL = """curl {api}/rehearsal --json '{{"language": "{lang}"}}'
curl {api}/projects/…/cue
curl {api}/projects/…/turns --json '{{"text": "…"}}'
curl -N {api}/turns/…/events"""


@router.api_route("/", methods=["GET", "HEAD"])
async def index(
    request: Request,
    house: HouseGiven,
    settings: SettingsGiven,
    lang: Annotated[Literal["zh", "en"] | None, Query()] = None,
    accept_language: Annotated[str, Header()] = "",
) -> Response:
    """What is served here."""
    language = lang or preferred(accept_language)
    model = connected_model(house)
    html = render(language, model, str(request.base_url).rstrip("/"))
    headers = {"cache-control": "no-store", "content-language": language, "vary": "accept-language"}
    return HTMLResponse(html, headers=headers)


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """A file of the page. Only the files that are named here exist: no path is ever joined."""
    media_type = _FILES.get(name)
    if media_type is None:
        raise NotFound("file_not_found", "The page has no such file.")
    return Response(_packaged(name), media_type=media_type, headers={"cache-control": "no-cache"})


def render(language: Language, model: str | None, base: str) -> str:
    """The page as HTML. `model` is the name of the connected model; every value is escaped."""
    text = _TEXTS[language]
    connected = model is not None
    commands = _FIRST if connected else _REHEARSAL
    first = "first" if connected else "rehearsal"
    other: Language = "en" if language == "zh" else "zh"
    values = {
        "lang": language,
        "other_lang": other,
        "version": __version__,
        "state": text["connected"].format(model=model) if connected else text["missing"],
        "state_class": "connected" if connected else "missing",
        "first_title": text[f"{first}_title"],
        "first_text": text[f"{first}_text"],
        "first_code": commands.format(api=f"{base}/api", said=text["said"], lang=language),
        "footer": text["footer"].format(version=__version__),
        **{name: text[name] for name in ("title", "other_name", "lead")},
        **{name: text[name] for name in ("state_title", "served_title")},
    }
    escaped = {name: escape(value) for name, value in values.items()}
    markup = {"served": _served(text), "state_more": "" if connected else _connecting(text)}
    return Template(_packaged("index.html").decode()).substitute(escaped | markup)


def preferred(accept_language: str) -> Language:
    """Chinese or English by an `Accept-Language` header; English when it names neither."""
    best: tuple[float, Language] = (0.0, "en")
    for part in accept_language[:1000].split(","):
        found = _ACCEPTED.fullmatch(part)
        if found is None:
            continue
        name = found[1].lower()
        language: Language | None = "zh" if name == "zh" else "en" if name == "en" else None
        weight = _weight(found[2])
        if language is not None and weight > best[0]:
            best = (weight, language)
    return best[1]


def _weight(text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0


def _served(text: Mapping[str, str]) -> str:
    rows = (
        f'<dt>{escape(text[name])}</dt><dd><a href="{escape(path)}"><code>{escape(path)}</code></a></dd>'
        for name, path in _SERVED.items()
    )
    return "\n".join(rows)


def _connecting(text: Mapping[str, str]) -> str:
    lines = escape(_CONNECTING)
    return f'<p>{escape(text["missing_more"])}</p>\n<pre tabindex="0"><code>{lines}</code></pre>'


@cache
def _packaged(name: str) -> bytes:
    return (files("huaben.web") / "static" / name).read_bytes()
