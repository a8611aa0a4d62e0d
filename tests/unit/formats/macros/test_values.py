"""What the macros of the people, the card, the chat, the settings and plain text say."""

import pytest

from huaben.formats.macros import CardTexts, ChatFacts, Generation, ModelFacts, Scene, expand

SCENE = Scene(
    char="林夏",
    user="Ann",
    persona="{{user}}, 一名邮差",
    card=CardTexts(
        description="{{char}}守着灯塔。",
        personality="quiet",
        scenario="雨夜，{{user}}敲门。",
        system_prompt="You are {{char}}.",
        post_history_instructions="短句。",
        depth_prompt="depth",
        creator_notes="notes",
        version="1.2",
        mes_example="{{char}}: 谁？",
        greetings=("灯亮着。", "{{user}}，请进。"),
    ),
    chat=ChatFacts(
        last_message="晚安",
        last_user_message="再见",
        last_char_message="晚安",
        last_message_id=7,
        first_included_id=2,
        first_displayed_id=0,
        last_swipe=3,
        current_swipe=2,
        summary="她留下了。",
        input="草稿",
    ),
    model=ModelFacts(
        name="m-1", max_prompt=3000, max_context=4096, max_response=1096, kind="swipe",
        extensions=frozenset({"notes"}),
    ),
    texts={"authorsnote": "记住{{char}}怕雷。", "instructuserprefix": "### User:"},
    outlets={"Door": "门外有{{char}}。"},
)  # fmt: skip


@pytest.mark.parametrize("generation", ["two", "legacy"])
@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{char}}/{{user}}/{{group}}/{{charIfNotGroup}}", "林夏/Ann/林夏/林夏"),
        ("{{groupNotMuted}}/{{notChar}}", "林夏/Ann"),
        ("{{description}}|{{charDescription}}", "林夏守着灯塔。|林夏守着灯塔。"),
        ("{{personality}}|{{scenario}}", "quiet|雨夜，Ann敲门。"),
        ("{{persona}}", "Ann, 一名邮差"),
        ("{{charPrompt}}|{{charInstruction}}|{{charJailbreak}}", "You are 林夏.|短句。|短句。"),
        ("{{charDepthPrompt}}|{{charCreatorNotes}}|{{creatorNotes}}", "depth|notes|notes"),
        ("{{charVersion}}{{version}}{{char_version}}", "1.21.21.2"),
        ("{{mesExamplesRaw}}", "林夏: 谁？"),
        ("{{mesExamples}}", "<START>\n林夏: 谁？"),
        ("{{charFirstMessage}}|{{greeting::1}}|{{greeting::9}}", "灯亮着。|Ann，请进。|"),
        ("{{lastMessage}}{{lastUserMessage}}{{lastCharMessage}}", "晚安再见晚安"),
        ("{{lastMessageId}},{{firstIncludedMessageId}},{{firstDisplayedMessageId}}", "7,2,0"),
        ("{{lastSwipeId}}/{{currentSwipeId}}/{{allChatRange}}", "3/2/0-7"),
        ("{{summary}}{{input}}", "她留下了。草稿"),
        ("{{model}} {{maxPrompt}} {{maxContext}} {{maxResponse}}", "m-1 3000 4096 1096"),
        ("{{isMobile}} {{lastGenerationType}}", "false swipe"),
        ("{{hasExtension::notes}} {{hasExtension::x}}", "true false"),
        ("{{authorsNote}}{{instructUserPrefix}}{{chatStart}}", "记住林夏怕雷。### User:"),
        ("{{outlet::Door}}|{{outlet::door}}", "门外有{{char}}。|"),
        ("a{{newline}}b{{newline::2}}c", "a\nb\n\nc"),
        ("{{noop}}{{banned x}}", ""),
    ],
)
def test_macros_say_what_the_scene_holds(
    template: str, expected: str, generation: Generation
) -> None:
    """Card and settings texts are templates, names and chat texts are not; both generations agree."""
    assert expand(template, SCENE, generation=generation).text == expected


def test_a_group_lists_its_members() -> None:
    """In a group the list names everyone, and `notChar` everyone but the speaker."""
    scene = Scene(char="林夏", user="Ann", group=("林夏", "Bob", "Cid"), group_not_muted=("Bob",))

    assert expand("{{group}}|{{charIfNotGroup}}|{{groupNotMuted}}|{{notChar}}", scene).text == (
        "林夏, Bob, Cid|林夏, Bob, Cid|Bob|Bob, Cid, Ann"
    )


def test_an_empty_scene_says_nothing() -> None:
    """Facts that are not known come out empty, not as words for nothing."""
    template = (
        "{{lastMessageId}}{{allChatRange}}{{maxPrompt}}{{mesExamples}}{{greeting}}{{lastSwipeId}}"
    )

    assert expand(template, Scene()).text == ""


@pytest.mark.parametrize("field", ["", "  ", "<START>", " <start> \n"])
def test_examples_that_hold_nothing_are_empty(field: str) -> None:
    """A field of nothing but `<START>` counts as no examples."""
    assert expand("{{mesExamples}}", Scene(card=CardTexts(mes_example=field))).text == ""


def test_examples_keep_their_own_start() -> None:
    """`<START>` is put in front only where it is missing."""
    scene = Scene(card=CardTexts(mes_example="<start>\na: 1"))
    assert expand("{{mesExamples}}", scene).text == "<start>\na: 1"


def test_space_repeats() -> None:
    """`space` takes a number like `newline`; what is no number is left as typed."""
    assert expand("[{{space}}{{space::3}}{{space::x}}]", Scene()).text == "[    {{space::x}}]"


@pytest.mark.parametrize("generation", ["two", "legacy"])
def test_a_text_that_contains_itself_stops_there(generation: Generation) -> None:
    """A cycle through card texts is cut where it closes, and named."""
    scene = Scene(card=CardTexts(description="A {{scenario}}", scenario="B {{description}}"))
    found = expand("{{description}}", scene, generation=generation)

    assert found.text == "A B {{description}}"
    assert [warning.code for warning in found.warnings] == ["cycle"]


def test_the_same_text_may_stand_in_two_places() -> None:
    """Using a text twice, or two fields with equal texts, is no cycle."""
    scene = Scene(char="林夏", card=CardTexts(description="{{char}}!", scenario="{{char}}!"))

    assert expand("{{description}}{{description}}{{scenario}}", scene).text == "林夏!林夏!林夏!"


def test_what_moves_between_builds_is_named_once_in_order() -> None:
    """`volatile` lists each macro in use that would break a stable prefix."""
    found = expand("{{lastMessage}}{{char}}{{random::a::b}}{{lastMessage}}{{pick::a::b}}", SCENE)

    assert found.volatile == ("lastMessage", "random")
