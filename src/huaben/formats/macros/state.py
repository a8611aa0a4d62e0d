"""Macros that tell of the model call and the prompt settings; apart as one family."""

from __future__ import annotations

from huaben.formats.macros.run import Call, Definition, Outcome, Template


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _model(call: Call) -> str:
    return call.scene.model.name


def _max_prompt(call: Call) -> str:
    return _number(call.scene.model.max_prompt)


def _max_context(call: Call) -> str:
    return _number(call.scene.model.max_context)


def _max_response(call: Call) -> str:
    return _number(call.scene.model.max_response)


def _mobile(call: Call) -> str:
    return "true" if call.scene.model.mobile else "false"


def _kind(call: Call) -> str:
    return call.scene.model.kind


def _has_extension(call: Call) -> str:
    return "true" if call.args[0] in call.scene.model.extensions else "false"


def _setting(call: Call) -> Outcome:
    return Template(call.scene.texts.get(call.name.lower(), ""))


STATE = {
    "model": Definition(_model),
    "maxPrompt": Definition(_max_prompt),
    "maxContext": Definition(_max_context),
    "maxResponse": Definition(_max_response),
    "isMobile": Definition(_mobile),
    "lastGenerationType": Definition(_kind, volatile=True),
    "hasExtension": Definition(_has_extension, least=1, most=1),
    "authorsNote": Definition(_setting),
    "charAuthorsNote": Definition(_setting),
    "defaultAuthorsNote": Definition(_setting),
    "charPrefix": Definition(_setting),
    "charNegativePrefix": Definition(_setting),
    "reasoningPrefix": Definition(_setting),
    "reasoningSuffix": Definition(_setting),
    "reasoningSeparator": Definition(_setting),
    "systemPrompt": Definition(_setting),
    "defaultSystemPrompt": Definition(_setting),
    "chatStart": Definition(_setting),
    "chatSeparator": Definition(_setting),
    "exampleSeparator": Definition(_setting),
    "instructStoryStringPrefix": Definition(_setting),
    "instructStoryStringSuffix": Definition(_setting),
    "instructSystemPrompt": Definition(_setting),
    "instructSystemPromptPrefix": Definition(_setting),
    "instructSystemPromptSuffix": Definition(_setting),
    "instructUserPrefix": Definition(_setting),
    "instructUserSuffix": Definition(_setting),
    "instructAssistantPrefix": Definition(_setting),
    "instructAssistantSuffix": Definition(_setting),
    "instructSystemPrefix": Definition(_setting),
    "instructSystemSuffix": Definition(_setting),
    "instructFirstAssistantPrefix": Definition(_setting),
    "instructLastAssistantPrefix": Definition(_setting),
    "instructFirstUserPrefix": Definition(_setting),
    "instructLastUserPrefix": Definition(_setting),
    "instructSystemInstructionPrefix": Definition(_setting),
    "instructSeparator": Definition(_setting),
    "instructUserFiller": Definition(_setting),
    "instructStop": Definition(_setting),
}
