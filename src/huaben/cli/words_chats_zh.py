"""聊天记录的中文语句；另成一表，与库的语句表一样。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "import.project_name": "故事",
    "import.card_name": "卡片",
    "import.project": "聊天记录成为这个故事的分支：可写 id、id 的开头、标题或 latest。",
    "import.card_option": "聊天记录成为这张卡的新故事：可写 id、id 的开头或名字。",
    "import.bare": "没有卡片叫聊天里角色的名字时，建一张只有名字的卡。",
    "import.one_target": "聊天记录的去处，故事和卡片只能指定一个。",
    "chat.planting": "正在收入「{title}」",
    "chat.founded": "聊天记录「{title}」，新故事（{project}）：{counts}",
    "chat.added": "聊天记录「{title}」，故事 {project} 的分支：{counts}",
    "chat.already": "聊天记录「{title}」早已收过（{project}）：{counts}",
    "chat.counts": "{messages} 条消息，{turns} 拍",
    "chat.hidden": "{n} 条不给模型看",
    "chat.quarantined": "{n} 行读不出，原样留着",
    "jobs.chat": "导入聊天记录",
    "export.at": "导出故事时：到这一拍为止的分支，可写序号、id 或 latest。",
    "note.torn_line": "残缺的一行：留着，导出时写回原处",
    "note.not_a_message": "不是消息：留着，导出时写回原处",
    "note.too_deep": "嵌套太深：留着，导出时写回原处",
    "note.swipe_mended": "各版本与正文不一致，以正文为准",
    "note.text_mended": "正文不是文字",
    "note.date_not_understood": "看不懂的日期，原样留着",
    "note.date_without_zone": "日期没有写时区",
    "note.media_not_shown": "指向别处的文件；留着，不显示",
    "note.roles_guessed": "谁是用户是猜的",
    "note.visible_text_read": "读的是显示用的文字",
    "note.greeting_missing": "开场不在文件里，卡片也没有这一条",
    "note.orphan_recovered": "失了位置，另挂一条分支",
    "note.beginning_missing": "故事的开头不见了",
    "note.current_missing": "原来停在哪里不见了，改停在最新的末尾",
    "note.doubled_id": "重复的 id",
    "note.chat_file_missing": "导入的文件不在了，各行由拍写成",
    "note.other_branches": "别的分支不在这个文件里",
    "note.reply_unfinished": "没写完的回复不在这个文件里",
    "note.hidden_left_out": "不给模型看的不在这个文件里",
    "note.quarantine_without_place": "读不出、又没了位置的行",
}
