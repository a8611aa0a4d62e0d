"""What refusals mean, and what is sent differently because of them."""

import json
from dataclasses import replace

import pytest

from huaben.adapters.models.refusals import Refusal, adapted, error_in, refusal_in, refusal_of
from huaben.domain.connection import Connection, ThinkingPolicy
from huaben.domain.jsonvalue import JsonObject

PLAIN = Connection("test", "https://models.example/v1", "m")


@pytest.mark.parametrize(
    ("body", "text", "kind"),
    [
        (
            '{"error":{"message":"No such model","type":"invalid","code":"model_not_found"}}',
            "No such model",
            "model_not_found",
        ),
        ('{"error":"plain words"}', "plain words", ""),
        ('[{"error":{"message":"Gemini says no","status":"INVALID"}}]', "Gemini says no", ""),
        (
            '{"object":"error","message":"vLLM says no","type":"BadRequestError"}',
            "vLLM says no",
            "BadRequestError",
        ),
        ('{"detail":"Not authenticated"}', "Not authenticated", ""),
        (
            '{"detail":[{"loc":["body"],"msg":"field required"}]}',
            '[{"loc": ["body"], "msg": "field required"}]',
            "",
        ),
        ('{"error":{"error":{"message":"nested"}}}', "nested", ""),
        (
            '{"error":{"message":"Provider returned error","metadata":{"raw":"上游错误"}}}',
            "Provider returned error (上游错误)",
            "",
        ),
        ("<h1>502 Bad Gateway</h1>", "<h1>502 Bad Gateway</h1>", ""),
        ("", "", ""),
        ("[" * 10_000, "[" * 10_000, ""),
        ("{}", "{}", ""),
    ],
)
def test_the_providers_words_are_found(body: str, text: str, kind: str) -> None:
    """Whatever wraps an error, its message comes out; plain text is its own message."""
    assert refusal_of(400, body) == Refusal(400, text, kind)


@pytest.mark.parametrize(
    ("refusal", "code", "retryable"),
    [
        (Refusal(401, "no"), "unauthorized", False),
        (Refusal(402, "no"), "payment_required", False),
        (Refusal(404, "no"), "not_found_at_provider", False),
        (Refusal(422, "no"), "request_refused", False),
        (Refusal(429, "slow down"), "rate_limited", True),
        (Refusal(429, "quota", "insufficient_quota"), "payment_required", False),
        (Refusal(400, "maximum context length is 8192 tokens"), "context_too_long", False),
        (Refusal(500, "no"), "provider_unavailable", True),
        (Refusal(529, "no"), "provider_unavailable", True),
        (Refusal(None, "no"), "provider_error", False),
        (Refusal(None, "no", "overloaded_error"), "provider_error", True),
        (Refusal(400, "Your credit balance is too low to access"), "payment_required", False),
    ],
)
def test_each_refusal_has_a_stable_code(refusal: Refusal, code: str, retryable: bool) -> None:
    """Scripts go by the code; whether waiting helps is part of it."""
    assert (refusal.code, refusal.retryable) == (code, retryable)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "registry.ollama.ai/library/tiny:1b does not support tools"),
        (400, "This model doesn't support tool use in streaming mode."),
        (400, "deepseek-reasoner does not support Function Calling"),
        (400, "tool use is not supported"),
        (400, "tools are not supported by this model"),
        (400, "`tool calling` is not supported with this model"),
        (400, "Function calling is not enabled for models/gemma"),
        (422, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "tiny does not support parameters: ['tools'], for model=tiny"),
        (404, 'No endpoints found that support tool use. Try disabling "draft_write".'),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'),
        (500, "tools param requires --jinja flag"),
        (501, "Tools are not supported"),
        (None, "does not support tools"),
        (400, "该模型不支持工具"),
        (400, "当前模型不支持函数调用"),
        (400, "模型暂不支持 function call"),
        (400, "暂未支持工具调用"),
        (400, "工具调用不受支持"),
    ],
)
def test_a_model_without_tools_is_told_from_a_bad_request(status: int | None, text: str) -> None:
    """Waiting never helps, whatever the status; the hint says what does."""
    refusal = Refusal(status, text)
    assert (refusal.code, refusal.retryable) == ("tools_refused", False)
    assert "huaben doctor" in refusal.hint
    assert "json" in refusal.hint
    assert adapted(refusal, PLAIN) is None


@pytest.mark.parametrize(
    ("status", "text", "code"),
    [
        (400, "Thinking mode does not support this tool_choice", "request_refused"),
        (400, "this model does not support tool_choice 'required'", "request_refused"),
        (400, "parallel tool calls are not supported", "request_refused"),
        (
            400,
            "Invalid schema for function 'draft_write': 'format' is not permitted",
            "request_refused",
        ),
        (400, "does not support image input", "request_refused"),
        (400, "模型不支持图片", "request_refused"),
        (401, "Your plan does not support tools", "unauthorized"),
        (429, "does not support tools at this rate", "rate_limited"),
    ],
)
def test_a_refusal_of_something_about_tools_is_another_matter(
    status: int, text: str, code: str
) -> None:
    """One option of a call or one bad schema does not mean that there are no tools."""
    assert Refusal(status, text).code == code


NO_ERRORS: list[JsonObject] = [
    {"choices": [], "error": None},
    {"choices": [], "error": {}},
    {"choices": [], "message": "odd but no error"},
    {"usage": {}, "object": "chat.completion.chunk"},
    {"type": "ping"},
]


@pytest.mark.parametrize("chunk", NO_ERRORS)
def test_ordinary_chunks_are_no_errors(chunk: JsonObject) -> None:
    """An empty error field is no error."""
    assert error_in(chunk) is None


def test_an_error_in_a_stream_names_its_own_status() -> None:
    """After HTTP 200 the status stands inside the error, as number, text or type."""
    errors: list[JsonObject] = [
        {"error": {"message": "full", "code": 503}},
        {"error": {"message": "full", "code": "503"}},
        {"error": {"message": "full", "type": "rate_limit_error"}},
        {"type": "error", "message": "full"},
        {"error": {"message": "full", "code": "²"}},
        {"type": "error", "error": {"message": "full", "type": "overloaded_error"}},
        {"type": "error", "error": {"message": "full", "type": "api_error"}},
    ]
    found = [error_in(chunk) for chunk in errors]
    assert [refusal_in(error).status for error in found if error] == [
        503,
        503,
        429,
        None,
        None,
        529,
        500,
    ]


# ---- sending differently -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (
            500,
            "Jinja Exception: After the optional system message, conversation roles must alternate",
        ),
        (400, "System message must be at the beginning."),
        (400, "First message must be from user"),
        (422, "Only one system message is supported"),
    ],
)
def test_templates_that_demand_an_order_get_it(status: int, text: str) -> None:
    """A complaint about roles makes the next request strict, once (T16)."""
    strict = replace(PLAIN, alternation="strict")
    assert adapted(Refusal(status, text), PLAIN) == strict
    assert adapted(Refusal(status, text), strict) is None


DEMAND = "The `reasoning_content` in the thinking mode must be passed back to the API."
REFUSE = "messages.2.reasoning_content: Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("text", "policy", "then"),
    [
        (DEMAND, "auto", "demanded"),
        (DEMAND, "kept", "demanded"),
        (DEMAND, "demanded", None),
        (DEMAND, "never", None),
        (REFUSE, "auto", "never"),
        (REFUSE, "demanded", "never"),
        (REFUSE, "never", None),
        ("The model some-thinking-reasoner is unknown", "kept", None),
    ],
)
def test_thought_is_demanded_or_refused(
    text: str, policy: ThinkingPolicy, then: ThinkingPolicy | None
) -> None:
    """Each refusal moves the policy one way only, so two providers' rules cannot chase it (T13)."""
    found = adapted(Refusal(400, text), replace(PLAIN, thinking=policy))
    assert (found.thinking if found else None) == then


def test_what_a_provider_does_not_know_is_withheld() -> None:
    """A sampler or option that was refused is not sent again."""
    usage = adapted(Refusal(400, "Unknown parameter: 'stream_options'"), PLAIN)
    assert usage == replace(PLAIN, usage_option=False)
    tokens = adapted(
        Refusal(400, "'max_tokens' is not supported, use 'max_completion_tokens'"), PLAIN
    )
    assert tokens == replace(PLAIN, max_tokens_field="max_completion_tokens")
    named = adapted(Refusal(400, "Unsupported value", "unsupported_value", "temperature"), PLAIN)
    quoted = adapted(Refusal(400, "Unsupported parameter: 'temperature'"), PLAIN)
    assert named == quoted == replace(PLAIN, accepts=PLAIN.accepts - {"temperature"})
    bare = adapted(Refusal(400, "Unrecognized request argument supplied: top_k"), PLAIN)
    assert bare == replace(PLAIN, accepts=PLAIN.accepts - {"top_k"})
    llama = replace(PLAIN, repetition_field="repeat_penalty")
    other = adapted(Refusal(400, "Unsupported parameter: 'repeat_penalty'"), llama)
    assert other == replace(llama, accepts=llama.accepts - {"repetition_penalty"})


def test_a_schema_that_is_refused_is_described_instead() -> None:
    """Once; the answer is then asked for in words."""
    refused = Refusal(400, "This response_format type is unavailable now")
    assert adapted(refused, PLAIN) == replace(PLAIN, schema_option=False)
    assert adapted(refused, replace(PLAIN, schema_option=False)) is None


@pytest.mark.parametrize("status", [401, 404, 429, 502])
def test_other_statuses_change_nothing(status: int) -> None:
    """A wrong key is no matter of shape, whatever the words."""
    assert adapted(Refusal(status, "roles must alternate"), PLAIN) is None


def test_a_routed_refusal_is_understood_by_what_stands_behind_it() -> None:
    """OpenRouter wraps the provider's own words."""
    body = {"error": {"message": "Provider returned error", "metadata": {"raw": DEMAND}}}
    found = adapted(refusal_of(400, json.dumps(body)), PLAIN)
    assert found == replace(PLAIN, thinking="demanded")
