"""错误的中文：按错误码取用；与语句分开，因为英文的话写在错误发生之处，不在这里。"""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, tuple[str, str]] = {
    "tools_refused": (
        "{message}",
        "这个模型不能调用工具：用 huaben doctor 测一测这个连接，或把它设为 tools = json。",
    ),
    "no_connection": (
        "还没有接上模型。",
        "请设服务商的密钥（DEEPSEEK_API_KEY、OPENAI_API_KEY 等），或设 HUABEN_BASE_URL、HUABEN_MODEL，"
        "需要时再设 HUABEN_API_KEY；huaben doctor 会在本机找模型。也可以先看一出排演。",
    ),
    "no_model_chosen": (
        "连接 {connection} 有密钥，还没有选模型。",
        "用 HUABEN_MODEL 指名一个，或在连接里选一个。",
    ),
    "connection_not_found": ("没有这个连接：{message}", ""),
    "bad_prices": ("价格表不对：{message}", ""),
    "secrets_unreadable": ("密钥文件读不了：{message}", "改好它，或把它移开，再把密钥重填一遍。"),
    "secrets_unwritable": ("密钥存不下来：{message}", ""),
    "secrets_not_ours": (
        "密钥文件里有会丢失的内容：{message}",
        "把那一项拿出来，或自己动手填写密钥。",
    ),
    "data_folder_in_use": (
        "数据文件夹 {folder} 正被另一个程序使用（进程 {pid}）。",
        "先停下那个程序，或用 --data 换一个文件夹。",
    ),
    "data_folder_gone": (
        "数据文件夹已不在原处，或被换过；什么也没有存。",
        "把数据文件夹放回来，再重新运行。",
    ),
    "no_library": ("这个数据文件夹里还没有库。", "用 huaben play 或 huaben import 建一个。"),
    "ask_open": ("有一个提问正等你回答。", "先回答，或停下这一拍。"),
    "no_open_ask": ("没有等着回答的提问。", ""),
    "already_answered": ("这个提问已经答过：{answer}", ""),
    "turn_running": ("有一拍正在演。", "等它结束，或停下它。"),
    "not_resumable": ("这一拍不能接着演。", ""),
    "not_running": ("这一拍没有在演。", ""),
    "not_a_turn": ("只有演过的一拍才能另演。", ""),
    "has_children": ("故事已经从这一拍往下走了。", ""),
    "no_draft": ("没有可以收笔的正文。", "可以重试，或丢弃这一拍。"),
    "nothing_to_undo": ("故事就在开头。", ""),
    "nothing_to_redo": ("这里没有撤回过什么。", ""),
    "head_moved": ("故事在别处走了一拍。", ""),
    "stale": ("故事刚刚有了变化。", "再试一次。"),
    "blank_words": ("没有可说的话。", ""),
    "blank_answer": ("回答是空白的。", ""),
    "scenario_not_found": ("没有这个场景配置：{message}", ""),
    "no_lorebook": ("这张角色卡没有自带的设定集。", ""),
    "card_not_found": ("没有这张角色卡：{message}", ""),
    "lorebook_not_found": ("没有这部设定集：{message}", ""),
    "blank_name": ("存档要有个名字。", ""),
    "name_too_long": ("名字有 {chars} 个字，最多 {limit} 个。", ""),
    "not_per_card": ("SYSTEM.md 对所有角色卡都一样。", "单张卡可以写 APPEND_SYSTEM.md。"),
    "too_long": ("太长：{message}", ""),
    "bad_setting": ("设置不对：{message}", ""),
    "not_a_card": ("不是角色卡：{message}", ""),
    "lorebook_file": ("是设定集，不是角色卡：{message}", ""),
    "card_file": ("是角色卡，不是设定集：{message}", ""),
    "not_a_lorebook": ("不是设定集：{message}", ""),
    "not_a_chat": ("不是聊天记录：{message}", ""),
    "no_card_for_chat": (
        "库里没有这份聊天记录所需的角色卡：{message}",
        "先收入卡片，或用 --card、--project 指明去处，或加 --bare 建一张只有名字的卡。",
    ),
    "chat_unreadable": ("聊天记录如今读不成原样：{message}", ""),
    "corrupt": ("文件有损坏：{message}", ""),
    "too_large": ("太大：{message}", ""),
    "too_deep": ("套得太深：{message}", ""),
    "unsupported": ("还读不了这种文件：{message}", ""),
    "encrypted_archive": ("文件加了密：{message}", ""),
    "encrypted_risu": ("卡片加了密：{message}", ""),
    "password_required": ("对外开放须有口令。", "请设 HUABEN_PASSWORD，或改用 127.0.0.1。"),
    "address_unavailable": (
        "地址用不了：{message}",
        "程序是否已经在运行？也可用 --port 换一个端口。",
    ),
    "unauthorized": ("{message}", "检查这个连接的密钥。"),
    "payment_required": ("{message}", "在服务商那里的余额或额度用完了。"),
    "not_found_at_provider": ("{message}", "检查这个连接的地址与模型名。"),
    "rate_limited": ("{message}", "服务商限制了频率；等一等，或换一个连接。"),
    "context_too_long": ("{message}", "请求比模型的窗口还长；换一个窗口更大的模型。"),
    "provider_unavailable": ("{message}", "服务商那边有问题，过一会儿再试。"),
}
"""中文的错误：码 → （说明，办法）。没有列出的照英文原话显示。英文的话写在错误发生之处。"""
