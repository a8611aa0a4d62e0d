"""账本的句子，中文；自成一表，与资料库的一样。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "turn.left": "不等账本了，之后会补上。",
    "turn.forsaken": "这一拍之后该做的事没有做完，用 huaben jobs 可以看到原因。",
    "doing.scribe": "场记正在记账",
    "notice.ledger_behind": "账本落后 {n} 拍，之后会补上。",
    "notice.scribe_failed": "场记没有记成这一拍 [{code}]。{told}",
    "ledger.short": "看故事里此刻的事实，或改动它。",
    "ledger.help": """显示项目的账本：此刻的事实，以及出现过谁。给出 --set、--patch、--lock、--unlock 或 --revert 时，
    在故事当前位置写下你自己的一版；每一版都可以撤回。位置用点连成路径：time、location、inventory、
    plot_threads、characters.名字.affinity（或 status、location、notes）、flags.名目。""",
    "ledger.at": "看某一拍时的账本：编号、id 或 latest。",
    "ledger.turn_name": "拍",
    "ledger.history": "改为列出各版，新的在前。",
    "ledger.set": "设定一处，可以给几次。名单用逗号隔开，留空就是删去。",
    "ledger.assignment": "路径=值",
    "ledger.patch": "一次改动几处。",
    "ledger.json_name": "JSON",
    "ledger.lock": "此处不再许模型改动。",
    "ledger.unlock": "此处重新许模型改动。",
    "ledger.path": "路径",
    "ledger.revert": "撤回 --history 所列的第 N 版。",
    "ledger.time": "时间",
    "ledger.location": "地点",
    "ledger.inventory": "随身",
    "ledger.threads": "未了",
    "ledger.roster": "登场",
    "ledger.claimed": "未证实",
    "ledger.locked": "已锁",
    "ledger.empty": "还没有记下什么。",
    "ledger.behind": "账本落后 {n} 拍，下一拍时补记。",
    "ledger.changed": "旧文改过，账本可能没跟上。见 huaben recompute",
    "ledger.version": "{n:>3}  {at}  {author}  {reason}  {node}",
    "ledger.by.user": "读者",
    "ledger.by.scribe": "场记",
    "ledger.bad_assignment": "“{text}”不是“路径=值”的样子。",
    "ledger.bad_json": "补丁不是一个 JSON 对象。",
    "ledger.no_version": "所列各版里没有第 {n} 版。",
    "ledger.build": "补读账本还没有的每一拍（导入的故事）。先报费用，加 --yes 才开始。",
    "ledger.estimate": "要读 {turns} 拍：调用 {model} 同样多次，约读入 {prompt}、写出 {answer} token{cost}。",
    "ledger.estimate_cost": "，约 {amount} {currency}",
    "ledger.built": "已读 {done} 拍，共 {turns} 拍。",
    "ledger.built_part": "没有读成：{what}",
    "ledger.yes": "同 --build 一起用：开始，并等它做完。",
    "recompute.short": "从某一拍起重算账本。",
    "recompute.help": """让场记从项目的某一拍起重新读到当前位置，先列出会有哪些改动；加 --yes 才写入。
    每一拍费一次小的模型调用。""",
    "recompute.yes": "写入重算的结果。",
    "recompute.nothing": "没有改动。",
    "recompute.change": "{path}：{before} → {after}",
    "recompute.applied": "已写入。",
    "recompute.kept": "什么也没有改。加 --yes 才写入。",
    "recompute.failed": "没有读成：{why}",
}
