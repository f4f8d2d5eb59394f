"""What the stub answers, and what a client is to make of it.

A step is written as `tests/servers/src/model/script.rs` reads it.
"""

from dataclasses import dataclass, field

TOOL = {
    "name": "get_weather",
    "description": "Says how the weather is in a city.",
    "schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


@dataclass
class Said:
    """A reply, as all services have it."""

    text: str = ""
    thoughts: str = ""
    #: Names with their arguments.
    calls: list[tuple[str, dict]] = field(default_factory=list)
    #: `end`, `calls`, `length` or `filtered`.
    stop: str = "end"
    #: Tokens read and written.
    usage: tuple[int, int] | None = (100, 10)


@dataclass
class Refused:
    """A status that says no, and in which words."""

    status: int
    message: str
    #: Its word for the kind of refusal, for each service that has one.
    kinds: dict[str, str] = field(default_factory=dict)


@dataclass
class Case:
    """A script, and what comes of it."""

    name: str
    steps: list[dict]
    outcomes: list[Said | Refused]


def answer(*parts: dict, **more) -> dict:
    return {"parts": list(parts), "usage": [100, 10], **more}


def text(words: str) -> dict:
    return {"text": words}


def call(city: str) -> dict:
    return {"call": {"name": TOOL["name"], "arguments": {"city": city}}}


def wants(*cities: str) -> list[tuple[str, dict]]:
    return [(TOOL["name"], {"city": city}) for city in cities]


DONE = answer(text("It rains."))
IT_RAINS = Said("It rains.")

# After a reply with calls the client sends it back as it has read it, with results, and asks again:
# the stub refuses what is not as it was.
CASES = [
    Case("a text", [answer(text("Good day, 你好 🌧."))], [Said("Good day, 你好 🌧.")]),
    Case("two texts", [answer(text("One. "), text("Two."))], [Said("One. Two.")]),
    Case("a call", [answer(call("Oslo")), DONE], [Said(calls=wants("Oslo"), stop="calls"), IT_RAINS]),
    Case(
        "a text and two calls",
        [answer(text("I look."), call("Oslo"), call("上海")), DONE],
        [Said("I look.", calls=wants("Oslo", "上海"), stop="calls"), IT_RAINS],
    ),
    Case(
        "reasoning and a text",
        [answer({"thought": "Where is it?"}, text("In Oslo."))],
        [Said("In Oslo.", "Where is it?")],
    ),
    Case(
        "reasoning and a call",
        [answer({"thought": "Where is it?"}, call("Oslo")), DONE],
        [Said("", "Where is it?", wants("Oslo"), "calls"), IT_RAINS],
    ),
    Case(
        "cut by length",
        [answer(text("Once upon"), stop="length")],
        [Said("Once upon", stop="length")],
    ),
    Case(
        "a refusal",
        [answer(text("I will"), stop="filtered")],
        [Said("I will", stop="filtered")],
    ),
    Case(
        "too many requests",
        [{"status": 429, "retry_after": 7, "message": "slow down"}],
        [
            Refused(
                429,
                "slow down",
                {
                    "anthropic": "rate_limit_error",
                    "responses": "rate_limit_exceeded",
                    "chat": "rate_limit_exceeded",
                    "gemini": "RESOURCE_EXHAUSTED",
                },
            )
        ],
    ),
    Case(
        "overloaded",
        [{"status": 529, "message": "much to do"}],
        [Refused(529, "much to do", {"anthropic": "overloaded_error"})],
    ),
    Case(
        "a failure of the service",
        [{"status": 500, "message": "something broke"}],
        [
            Refused(
                500,
                "something broke",
                {"anthropic": "api_error", "gemini": "INTERNAL"},
            )
        ],
    ),
]
