"""Personal names in running Chinese, which has neither capitals nor spaces: a surname and a given name with a
sign beside them; apart from the other languages because the signs are its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from huaben.domain.plan.names_words import NO_PERSON

_SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛奚范"
    "彭郎鲁韦马苗凤方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常傅卞齐康伍余卜顾孟黄穆萧尹"
    "姚邵汪祁毛禹狄米贝臧戴宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季贾路江童颜郭梅盛林钟徐邱骆高夏蔡"
    "田樊胡凌霍虞万柯管卢莫房裘缪解丁宣邓郁杭洪包左石崔吉龚程邢裴陆荣翁荀羊惠甄曲封芮储靳松段"
    "富巫巴车侯宓蓬郗班秋仲伊宁仇栾甘厉戎祖武符刘景詹龙叶司韶黎薄白蒲邰鄂索咸籍赖卓蔺屠蒙乔阴"
    "胥苍闻莘翟谭贡劳姬申扶堵冉宰郦雍桂濮边扈燕冀浦温庄晏瞿阎慕茹习艾鱼古易戈廖庾衡耿寇禄欧殳"
    "沃夔聂敖冷訾辛阚简曾沙鞠巢关蒯荆游逯桓闫肖岳楚涂覃云"
)
_DOUBLE: Final = (
    "欧阳|司马|上官|诸葛|慕容|令狐|皇甫|尉迟|公孙|独孤|南宫|夏侯|东方|长孙|宇文|司徒|端木|百里"
)
# A given name is not made of words that only join others.
_JOINING: Final = (
    "的地得了着过是在不也就都还又很把被和与及而但却才只便要会能可以他她它你我们这那谁什么个吗呢吧啊呀"
    "说道问答笑看听走来去上下里外前后中头身手脸眼心口声人时间边面气向对从给让叫喊有没无再已将所其此"
    "之为于一两三四五六七八九十半每几多少大小老点摇抬回转低轻冷沉忙急怒苦淡好坏着起出进开关到见想知"
    "自然后事物处步眉肩色光影门窗路桥街城船家店房屋国军王爷娘爹妈哥弟姐妹孩子女儿夫妻"
)
_GIVEN: Final = rf"[\p{{Han}}--[{_JOINING}]]"
_FULL: Final = rf"(?:(?:{_DOUBLE}){_GIVEN}{{1,2}}|[{_SURNAMES}]{_GIVEN}{{1,2}})"
_EDGE: Final = (
    r"(?<![\p{Han}--[的了着说见对向问叫和与跟被把让给是那这位个名时后到边里上下前旁只便就而但却听看"
    r"等找请从在由当同为使替往朝诉望住起]])"
)
_MANNER: Final = (
    r"(?:(?:低|轻|沉|高|朗|厉|柔|冷|小|大|齐)声|(?:冷冷|淡淡|微微|缓缓|慢慢|轻轻|默默|静静)地?|忽然|突然|"
    r"连忙|也|又|便|就|却|才|只|没有|没|不|仍|还|正|刚|已经?|苦|微|冷|轻|大)?"
)
_ACTS: Final = (
    r"(?:说|问|道[:：,，「“]|笑|答|喊|叫道|应声|应道|点头|点了|摇头|摇了|抬头|抬起|抬眼|回头|转身|转过|"
    r"走[进出到过来去向]|站[在起住]|坐[在下]|看[着了向]|望[着了向]|推开|接过|递[给来过]|皱眉|皱了|叹|开口|"
    r"摆手|伸手|起身|愣|怔|沉默|沉吟|咬|握|按|拍|拱手|行礼|跪|蹲|的(?:声音|手|脸|目光|眼睛|背影))"
)
_TITLE: Final = (
    r"(?:先生|小姐|姑娘|夫人|太太|公子|少爷|掌柜|老板娘?|师父|师傅|师兄|师姐|师弟|师妹|大人|将军|"
    r"大夫|郎中|医生|老师|教授|捕头|道长|大侠|员外|婆婆|大娘|大叔|大婶|大哥|队长|警官|侦探|经理|主任|博士)"
)
_NAMING: Final = (
    r"(?:名叫|名唤|名为|唤作|叫做|叫作|人称|自称|取名|化名|姓名是|名字是|名字叫|的名字是|我叫|在下)"
)

_SPEAKING: Final = regex.compile(rf"{_EDGE}({_FULL}){_MANNER}(?:{_ACTS})", regex.VERSION1)
_TITLED: Final = regex.compile(
    rf"{_EDGE}((?:{_DOUBLE}|[{_SURNAMES}]){_GIVEN}{{0,2}}{_TITLE})", regex.VERSION1
)
_NAMED: Final = regex.compile(
    rf"{_NAMING}[「『“\"]?((?:[阿小老])?\p{{Han}}{{1,4}}?|{_FULL})"
    r"(?=[「」『』”\"，。、！？,.!?；;：:（）()\s]|的|$)",
    regex.VERSION1,
)
_CALLED: Final = regex.compile(rf"叫([阿小老]\p{{Han}}|{_FULL})的", regex.VERSION1)
_PRESENTED: Final = regex.compile(
    rf"(?:(?:这|那)(?:位|个|人)?|他|她)(?:就|便|正)?是({_FULL})(?=[，。！？」”,.!?])",
    regex.VERSION1,
)
_THINGS: Final = (
    "车马牛羊狗猫鱼鸟树草河灯酒茶饭菜衣帽鞋刀剑枪钱纸书信伞锁雨雪雾云墙梁柱瓦砖驴船笔包布缸"
)
_LOOKED_AT: Final = regex.compile(
    r"(?:[看望转走][向着]|[看遇碰撞]见|[拉拦叫喊扶扯抱]住|对着|朝着|跟着|等着|带着|找到|告诉|叫醒|扶起)"
    rf"({_FULL})(?<![{_SURNAMES}][{_THINGS}])(?=[，。！？、；：」”,.!?]|的|说|问|一起|$)",
    regex.VERSION1,
)
_FAMILIAR: Final = regex.compile(
    rf"{_EDGE}(阿(?![姨爹娘妈公婆爸哥弟姐妹嫂叔伯胶门谀拉富]){_GIVEN})(?!{_GIVEN}?里|斯|尔|弥)"
    rf"(?={_MANNER}{_ACTS}|[，。、！？：」”])",
    regex.VERSION1,
)
_SOUNDS: Final = (
    "艾爱安奥巴贝比彼波伯布查达黛戴丹德登迪丁蒂杜多顿尔恩法菲费芬弗福盖戈格古哈海汉赫亨霍华惠基吉加贾"
    "杰卡凯坎康考科克肯库昆拉莱兰朗劳勒雷蕾里丽利莉丽林琳琉刘卢鲁路露伦罗洛玛马麦曼梅米密莫穆默娜纳南内"
    "尼妮诺欧帕潘佩皮珀普奇契乔琼丘热瑞若萨塞桑瑟莎珊圣史司斯丝苏索塔泰特缇汀图托瓦万威薇韦维魏温文翁沃"
    "乌西希夏谢辛休雪雅亚彦扬耶叶伊茵因英尤约泽扎詹珍芝朱卓兹佐"
)
_FOREIGN: Final = regex.compile(rf"([{_SOUNDS}]{{1,6}}(?:[·・][{_SOUNDS}]{{1,6}})+)")

_SPOKEN_TO: Final = regex.compile(
    rf"[「『“]([{_SURNAMES}]{_GIVEN}{{2}})[！!？?，,…]", regex.VERSION1
)

_PATTERNS: Final = (
    _FOREIGN,
    _SPEAKING,
    _TITLED,
    _NAMED,
    _CALLED,
    _PRESENTED,
    _LOOKED_AT,
    _SPOKEN_TO,
    _FAMILIAR,
)


def chinese_names(line: str) -> Iterator[str]:
    """The names in a line of Chinese; some may come twice."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(line):
            if not _is_word(found[1]):
                yield found[1]


def _is_word(name: str) -> bool:
    """Whether it begins with a common word that only looks like a surname."""
    return name[:2] in NO_PERSON or name in NO_PERSON
