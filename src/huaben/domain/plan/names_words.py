"""Word lists of the name detector: what looks like a name and is none; apart because lists are read and mended
by other people than patterns are."""

from __future__ import annotations

from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TITLES: Final = _set(
    "mr mrs ms miss dr sir lady lord madam captain doctor professor father mother brother sister "
    "king queen prince princess count countess baron duke duchess master mistress uncle aunt sergeant "
    "inspector detective officer colonel general major lieutenant saint judge mayor reverend"
)
NO_NAMES: Final = _set(
    "i i'm i'll i've i'd a an the this that these those he she it we you they his her its our your "
    "their my me him them us who whose what when where why how which if then than and but or so yet "
    "for nor not no yes oh ah well okay ok please thanks thank hello hi hey god gods heaven hell "
    "somebody someone anybody anyone everybody everyone nobody something anything everything nothing "
    "there here now today tomorrow yesterday tonight once after before while until as at by in on "
    "from to with without of off up down out over under again still even only just maybe perhaps "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june "
    "july august september october november december spring summer autumn winter north south east "
    "west christmas easter english french german chinese japanese korean latin spanish russian italian "
    "american british european asian one two three first second let's don't can't won't it's that's "
    "chapter part scene act note ps"
)
NO_PERSON: Final = _set(
    "高兴 高声 白天 白日 白发 白衣 方才 方向 方便 马上 黄昏 常常 明白 明日 明天 明显 安静 安全 安心 平静 "
    "平常 平日 万一 黎明 金色 温柔 温和 温言 温暖 严肃 严厉 谢谢 于是 任何 任由 任凭 成为 尤其 东西 江湖 石阶 "
    "林间 雷声 夏天 夏日 秋天 秋日 连忙 连声 向来 包括 左右 应该 应声 程度 曾经 相信 相互 相视 查看 查问 "
    "苏醒 钟声 顾不 顾自 何必 何况 何处 何时 何等 周围 周遭 张望 厉声 石板 龙王 乌云 松开 水手 池塘 桑叶 "
    "全都 全然 全部 通常 通红 空气 空荡 关切 关怀 古怪 古董 居然 终究 终归 红着 满脸 满意 满足 文雅 富贵 "
    "连连 步步 都督 都城 师爷 易容 容易 容貌 越发 越是 别处 别扭 充满 农夫 尚未 尚且 牛车 寿宴 养父 须臾 "
    "单独 单膝 单薄 高处 高低 高高 怀疑 怀抱 怀里 祝福 经常 毕竟 毕恭 郁郁 余光 余晖 元气 康健 卫兵 卫士 "
    "史书 金银 华丽 严寒 章程 云雾 柳枝 柳条 雷雨 常年 常态 季节 江面 江水 江风 江岸 颜料 盛怒 盛装 钟楼 "
    "田野 胡须 胡乱 胡说 凌晨 凌厉 管事 管家 莫非 莫名 莫要 应允 宗师 洪亮 洪水 包袱 包裹 左侧 左臂 石像 "
    "石壁 程序 荣幸 曲折 封信 松树 松手 秋风 宫殿 宁静 宁愿 仇恨 武器 武功 武士 景色 景象 叶片 司机 印象 "
    "薄雾 白雾 白雪 乔装 阴沉 阴影 苍白 苍老 闻言 闻声 通道 牛皮 温热 别墅 文书 文字 广场 东风 利落 隆重 "
    "冷静 冷淡 简单 简直 沙哑 沙滩 丰盛 关系 相同 红色 红润 游客 游走 权力 权衡 盖住 益发 公然 公差 公道 "
    "章鱼 毛笔 毛驴 毛衣 王府 王宫 王城 曹营 何妨 何苦 何曾 马车 马匹 马夫 马蹄 方桌 常人 石桌 石凳 金鱼 金币 金属 "
    "苗条 花白 张贴 张扬 许久 许诺 许愿 许可 陈旧 陈设 陈列 严密 余下 余地 管道 管教 解药 解释 解决 项链 边缘 包厢 "
    "古老 古琴 古玩 易碎 沙发 桂花 云层 云霄 白瓷 白皙 白马 洪荒 宁可 温酒 温泉 冷汗 冷笑 冷风 游船 关门 关外 "
    "方丈 方圆 江山 江南 季风 路程 路人 路过 童年 童话 林木 雷电 雷鸣 龙虾 龙头 叶子 高楼 高山 高台 高墙 夏衣"
)
COMMON_JAPANESE: Final = _set(
    "お客 客 皆 みな 奥 神 王 姫 母 父 兄 姉 妹 弟 お母 お父 お兄 お姉 お嬢 旦那 若 娘 店員 医者 嫁 婿 爺 婆 "
    "お爺 お婆 叔父 叔母 伯父 伯母 諸 何 殿 貴 君 警備員 運転手 看護師 管理人 主人 ご主人 女王 王女 王子 仏 "
    "先輩 後輩 大家 隣 子 坊 赤 お子 役者 巡査"
)
BORROWED: Final = _set(
    "ドア ランプ ベル マスター メイド ウェイター ウェイトレス ボーイ ガイド リーダー ドクター シスター "
    "ロボット ゴースト モンスター ドラゴン エルフ カラス ネコ イヌ"
)
COMMON_KOREAN: Final = _set(
    "고양이 강아지 주인공 이야기 나머지 여자아이 남자아이 전화기 장난감 한마디 오늘밤 하늘이 정신이 이웃집 "
    "아가씨 아저씨 솜씨 날씨 글씨 말씨 마음씨 불씨 맵시 심지어 도대체 도둑이 조금씩 하인들 손님들 신하들 "
    "안주인 여주인 문지기 지배인 선생님 유모가 노인이 기사가 마녀가 왕자가 공주가 원장이 하나씩 모두가 "
    "주인장 장사꾼 나그네 고아원 오라비 오빠가 동생이 언니가 얘들 애들 여보 선비가 우리는 지금은 이제는 "
    "하지만 그러나 반장이 이방인 한사람 구두쇠 천둥이 마을이 강물이 안개가 이곳은 저녁은 도시가 서로가"
)
