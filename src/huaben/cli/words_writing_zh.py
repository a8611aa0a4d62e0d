"""关于书稿的语句，中文；与库的语句一样单成一表。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "write.short": "和模型一起写书：一章就是一个文件。",
    "write.help": """商量 PROJECT 的书稿；模型读各章、改各章。

    你说的是商量，它答的是交代；正文只进文件，每次改动都能撤回（huaben checkpoints）。
    用 --say 时每句是一拍；不用而又在终端里，就一句一句地问你。""",
    "write.new": "用这个书名新建一个写作项目。",
    "write.card": "与 --new 同用：库里的一张角色卡，作为对书稿的要求；写 rehearsal 不用模型。",
    "write.greeting": "与 --new 同用：卡片的开场白作为第一章。",
    "write.say": "说这句话，自成一拍；可以多次。",
    "write.only_new": "--card、--greeting 和 --from 只用于新项目：请加上 --new。",
    "chapters.short": "看书稿有哪些章，或把文件收进来作章。",
    "chapters.help": """列出 PROJECT 的各章，显示一章，或把文件收进来。

    各章是数据文件夹里的 Markdown 文件，可以用任何编辑器改；这样的改动会被发现，另成检查点。""",
    "chapters.name": "章",
    "chapters.show": "显示一章，按文件名。",
    "chapters.import": "把一个 Markdown 或文本文件收在最后一章之后；可以多次。",
    "chapters.apart": "与 --import 同用：按标题把文件拆成几章。",
    "chapters.imported": "收进来了：{name}",
    "chapters.row": "{name}  {chars} 字  {changed}",
    "chapters.bytes": "不是 UTF-8",
    "chapters.left_out": "没有算作章：{name}（{reason}）",
    "chapters.none": "还没有一章。",
    "replace.short": "在书稿各章里查找，替换。",
    "replace.help": """列出 OLD 在 PROJECT 各章里的所在，和替换后的样子。

    不加 --yes 什么也不改；加了就全部替换，存成一个检查点，可以再退回去（huaben checkpoints）。""",
    "replace.old": "旧文",
    "replace.new": "新文",
    "replace.in": "只在这一章里；可以多次。",
    "replace.pattern": "旧文是正则表达式；新文里可用 $1、$<名字> 和 $&。",
    "replace.whole_words": "只要整个的词（词间有空格的文字）。",
    "replace.ignore_case": "不分大小写。",
    "replace.yes": "找到的全部替换。",
    "replace.more": "{name}：还有 {n} 处",
    "replace.none": "没有找到。",
    "replace.shown": "找到 {n} 处，都没有改。加 --yes 就替换。",
    "replace.done": "替换了 {n} 处，是第 {checkpoint} 个检查点。",
    "checkpoints.short": "看书稿的历史，回到其中一处。",
    "checkpoints.help": """列出 PROJECT 的检查点，新的在前；给一个取名，或恢复一个。

    CHECKPOINT 是编号、编号的开头、序号或名字。恢复本身也是一个检查点，手改过的会先存一个：什么也不会找不回来。""",
    "checkpoints.id": "检查点",
    "checkpoints.rename_names": "检查点 名字",
    "checkpoints.make": "现在存一个检查点，取这个名字。",
    "checkpoints.rename": "给一个检查点取名。",
    "checkpoints.restore": "让各章回到那个检查点的样子；商量不动。",
    "checkpoints.undo_turn": "撤回那个检查点的一拍和其后的全部，商量和各章一起。",
    "checkpoints.force": "与 --undo-turn 同用：之后手改过的章也照样撤回。",
    "checkpoints.row": "{number}  {at}  {author}  {changed}  {id}",
    "checkpoints.by_user": "你",
    "checkpoints.by_agent": "模型",
    "checkpoints.aborted": "（停下的）",
    "checkpoints.restored": "（恢复）",
    "checkpoints.more": "{shown} 等，另有 {n} 章",
    "checkpoints.same": "书稿已经和那个检查点一样。",
    "checkpoints.undone": "已撤回；你说过：{words}",
    "checkpoints.no_turn": "那是你自己的检查点，没有哪一拍可撤。",
    "checkpoints.none": "还没有检查点。",
    "checkpoints.missing": "没有检查点 {name}。",
    "checkpoints.ambiguous": "{name} 不止一个：{ids}",
    "export.no_book": "{name} 不是书稿，只有书稿能导出成 {form}。",
    "export.no_book_hint": "huaben write 书名 --new --from 故事，可以由一个故事做成书稿。",
    "write.from": "与 --new 同用：由一个故事做成，一拍一章。",
    "why.no_reply": "模型什么也没有说，什么也没有改。",
    "why.manuscript_gone": "书稿的文件夹不见了。",
    "why.no_tools": "这个模型不能调用工具，写书稿要能调用工具的模型。",
    "doing.read": "在读",
    "doing.grep": "在书稿里找",
    "doing.find": "在找章",
    "doing.ls": "在看有哪些章",
    "doing.edit": "改了",
    "doing.write": "写了",
    "doing.rename": "改名",
    "doing.remove": "拿掉",
}
