"""Macros that name the people of the scene; apart as one family."""

from __future__ import annotations

from huaben.formats.macros.run import Call, Definition


def _char(call: Call) -> str:
    return call.scene.char


def _user(call: Call) -> str:
    return call.scene.user


def _group(call: Call) -> str:
    return ", ".join(call.scene.group) or call.scene.char


def _group_not_muted(call: Call) -> str:
    return ", ".join(call.scene.group_not_muted) or _group(call)


def _not_char(call: Call) -> str:
    scene = call.scene
    return ", ".join((*(name for name in scene.group if name != scene.char), scene.user))


WHO = {
    "user": Definition(_user),
    "char": Definition(_char),
    "group": Definition(_group),
    "groupNotMuted": Definition(_group_not_muted),
    "charIfNotGroup": Definition(_group),  # documented as empty in groups, but behaves as `group`
    "notChar": Definition(_not_char),
}
