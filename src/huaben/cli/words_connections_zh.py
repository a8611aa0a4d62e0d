"""关于连接的语句；与设定集一样单列一表。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "doctor.short": "寻找模型，看每个连接能做什么。",
    "doctor.help": """测试连接：不指名就先在本机找一遍模型服务，再逐个测试；指了 NAMES 就只测那几个。
    每次测试是几次很短的调用，服务商可能收费；结果会记下来，据此决定模型怎样用工具。有一个用不了，
    退出码就是 1。""",
    "doctor.names": "[名称...]",
    "doctor.doing": "正在测试",
    "doctor.none": "没有连接，本机也没有模型服务。请设服务商的密钥（DEEPSEEK_API_KEY、OPENAI_API_KEY 等），或设 HUABEN_BASE_URL 和 HUABEN_MODEL。",
    "doctor.no_model": "（未选模型）",
    "doctor.reachable": "能连上",
    "doctor.streams": "流式",
    "doctor.tools": "工具",
    "doctor.json": "JSON",
    "doctor.thinks": "思考",
    "doctor.usage": "报用量",
    "doctor.cache": "报缓存",
    "doctor.native": "自己会用工具",
    "doctor.by_json": "用 JSON 来用工具",
    "doctor.without": "不用工具：一拍一次生成",
    "doctor.window": "窗口 {n}",
    "doctor.first_token": "{n} 毫秒出第一个字",
    "doctor.models": "可用的模型：{names}",
    "inspect.cost": "{amount} {currency}",
}
