"""Sentences about moving in, in Chinese; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "move.short": "把整套旧安装搬进来。",
    "move.help": """列出 FOLDER（SillyTavern 的数据文件夹）里有什么，再收进来。

    先收角色卡，再收设定集、身份（连同图片）与正则脚本、预设与模板、快捷回复，然后是聊天记录（各归其文件夹的卡），
    最后是群聊。整件事是一项后台任务，中断了下次启动接着做；再搬一次什么也不添。密钥从不打开，
    FOLDER 里什么也不改。""",
    "move.folder_name": "FOLDER",
    "move.only": "只收这几类，用逗号隔开：{kinds}。",
    "move.only_name": "KINDS",
    "move.yes": "不问。",
    "move.bad_kind": "没有「{kind}」这一类；有 {kinds}。",
    "move.root": "{root} 里有：",
    "move.part": "{kind}：{files} 件（{size}）",
    "move.left_heading": "留在原处的：",
    "move.left": "{place}：{files} 件（{size}），{reason}",
    "move.link": "{place}：链接，不跟过去",
    "moving.cards": "角色卡",
    "moving.lorebooks": "设定集",
    "moving.settings": "设置，内有身份与正则脚本",
    "moving.avatars": "身份的图片",
    "moving.presets": "预设",
    "moving.templates": "模板",
    "moving.quick_replies": "快捷回复",
    "moving.chats": "聊天记录",
    "moving.groups": "群聊",
    "moving.secret": "密钥从不打开",
    "moving.made_again": "要用时再做",
    "moving.backup": "是这里内容的副本",
    "moving.appearance": "是另一个程序的外观",
    "moving.picture": "图片这里还没有地方放",
    "moving.program": "另一个程序的代码不运行",
    "moving.group_rules": "只看群里有谁；怎样轮流说话不搬",
    "moving.unknown": "不认识",
    "move.confirm": "收进来吗？[y/N] ",
    "move.unconfirmed": "什么也没有收。",
    "move.unconfirmed_hint": "要收，加 --yes。",
    "move.storing": "正在存放",
    "move.taking": "正在收入",
    "move.goes_on": "已存好的不会丢；下次启动接着搬。",
    "move.refused": "{place}：{message}",
    "move.total": "{kind}：新收 {imported} 件，早已有 {already} 件，没收 {refused} 件",
    "jobs.move": "搬家",
}
