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
}
