"""存档、备份与恢复的中文句子；自成一表，和库的那张一样。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "saves.short": "给故事的某一处起名存档，回到存档处。",
    "saves.help": """列出一个项目的存档，新的在前；也可增改。

    存档是某一拍的名字。回到存档只是把现在移过去，什么也不丢；删除存档不动那一拍，存档在回收站里留三十天。指明存档可以用编号、编号的开头，或名字。""",
    "saves.name": "名字",
    "saves.turn_name": "拍",
    "saves.save_name": "存档",
    "saves.rename_names": "存档 名字",
    "saves.add": "在故事现在的位置存一个这个名字的档。",
    "saves.turn": "与 --add 合用：存在这一拍，用拍数、编号或 latest 指明。",
    "saves.rename": "给存档改名。",
    "saves.delete": "把存档放进回收站。",
    "saves.go": "把现在移到存档处。",
    "saves.row": "{number}  {name}  {id}",
    "saves.aside": "在另一条线上",
    "saves.lost": "那一拍已经搁下",
    "saves.by_model": "模型存的",
    "saves.none": "这个故事没有存档。",
    "saves.added": "已存为「{name}」（{id}）。",
    "saves.renamed": "现在叫「{name}」（{id}）。",
    "saves.deleted": "「{name}」已放进回收站（{id}）。",
    "saves.gone": "故事现在在「{name}」处。",
    "saves.missing": "这个故事没有存档「{name}」。",
    "saves.ambiguous": "有几个存档都叫「{name}」：{ids}。",
    "backup.short": "把整个库写成一个文件。",
    "backup.help": """把故事、角色卡、设定集以及与之相关的一切写进一个文件，不给文件名就放进数据文件夹的 backups 里。程序运行时也能备份；文件写完先读一遍核对，才取它的名字。可以在别的机器、别的数据库上恢复。

    连接的密钥不在其中。""",
    "backup.force": "文件已存在也照写。",
    "backup.list": "列出数据文件夹里的备份，并说上次备份在多久以前。",
    "backup.doing": "正在备份",
    "backup.done": "已备份：{path}（{size}）",
    "backup.no_keys": "连接的密钥不在其中。",
    "backup.left_out": "没有带上（已损坏，或文件名别的系统不收）：{name}",
    "backup.more_left_out": "还有 {n} 个",
    "backup.stories": "{n} 个故事",
    "backup.turns": "{n} 拍",
    "backup.cards": "{n} 张角色卡",
    "backup.lorebooks": "{n} 部设定集",
    "backup.before_restore": "（恢复之前）",
    "backup.never": "还没有备份过。",
    "backup.turns_in_all": "一共 {n} 拍。",
    "backup.today": "上次备份还不到一天（{path}）。",
    "backup.days_ago": "上次备份在 {n} 天前（{path}）。",
    "backup.turns_since": "此后 {n} 拍。",
    "restore.short": "用一个备份换下整个库。",
    "restore.help": """用文件里的库换下现在的库：要么全换，要么不动。文件是路径，或 huaben backup --list 列出的名字。

    先说明现在有而备份里没有的。改动之前，现在的库先备份到 backups 文件夹，所以恢复也可以用另一次恢复撤回。程序不能正在运行。""",
    "restore.preview": "只说会怎样，不动手。",
    "restore.yes": "不必再问。",
    "restore.looking": "正在读备份",
    "restore.doing": "正在恢复",
    "restore.archive": "{path}：{at}（{size}）",
    "restore.nothing_newer": "现在有的，备份里都有。",
    "restore.newer": "现在有而备份里没有的：",
    "restore.project": "故事「{title}」，{n} 拍",
    "restore.turns": "「{title}」的 {n} 拍",
    "restore.more": "还有 {n} 个故事",
    "restore.cards": "{n} 张角色卡",
    "restore.lorebooks": "{n} 部设定集",
    "restore.confirm": "用这个备份换下现在的库？[y/N] ",
    "restore.unconfirmed": "没有恢复。",
    "restore.unconfirmed_hint": "没人可问的地方，加上 --yes。",
    "restore.done": "已恢复。原来的库备份在：{path}",
}
