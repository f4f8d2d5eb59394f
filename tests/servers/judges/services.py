"""The five services, each as its official client sees it.

A service has a conversation: `ask` streams the next reply, and `give` sends back what came of the
calls in it. `event` judges one event of a reply, and `body` a request of ours.
"""

import json

import anthropic
import ollama
import openai
from anthropic.types import RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from google import genai
from google.genai import types
from ollama._types import ChatRequest
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses import ResponseStreamEvent
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming

from cases import TOOL, Refused, Said
from typed import of_union, problems

HELLO = "How is the weather?"
RESULT = "rain"


class Anthropic:
    name = "anthropic"
    package = "anthropic"

    def __init__(self, address: str):
        self.client = anthropic.Anthropic(base_url=address, api_key="key", max_retries=0)
        self.messages = [{"role": "user", "content": HELLO}]

    def ask(self) -> Said:
        tool = {"name": TOOL["name"], "description": TOOL["description"], "input_schema": TOOL["schema"]}
        with self.client.messages.stream(
            model="stub", max_tokens=100, messages=self.messages, tools=[tool]
        ) as stream:
            reply = stream.get_final_message()
        self.messages.append({"role": "assistant", "content": reply.content})
        said = Said(usage=(reply.usage.input_tokens, reply.usage.output_tokens))
        for block in reply.content:
            match block:
                case anthropic.types.TextBlock():
                    said.text += block.text
                case anthropic.types.ThinkingBlock():
                    said.thoughts += block.thinking
                case anthropic.types.ToolUseBlock():
                    said.calls.append((block.name, block.input))
        stops = {"end_turn": "end", "tool_use": "calls", "max_tokens": "length", "refusal": "filtered"}
        said.stop = stops.get(reply.stop_reason, reply.stop_reason)
        return said

    def give(self):
        ids = [block.id for block in self.messages[-1]["content"] if block.type == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": id, "content": RESULT} for id in ids]
        self.messages.append({"role": "user", "content": results})

    errors = anthropic.APIStatusError

    @staticmethod
    def refused(error: anthropic.APIStatusError) -> tuple[Refused, str]:
        said = error.body["error"]
        return Refused(error.status_code, said["message"]), said["type"]

    @staticmethod
    def event(event: dict) -> list[str]:
        # The client skips these before they have a type.
        return [] if event == {"type": "ping"} else of_union(RawMessageStreamEvent, event)

    @staticmethod
    def body(body: dict) -> list[str]:
        return problems(MessageCreateParamsStreaming, body)


class Responses:
    name = "responses"
    package = "openai"

    def __init__(self, address: str):
        self.client = openai.OpenAI(base_url=address, api_key="key", max_retries=0)
        self.input = [{"role": "user", "content": HELLO}]
        self.calls = []

    def ask(self) -> Said:
        tool = {
            "type": "function",
            "name": TOOL["name"],
            "description": TOOL["description"],
            "parameters": TOOL["schema"],
            "strict": False,
        }
        with self.client.responses.stream(
            model="stub",
            max_output_tokens=100,
            input=self.input,
            tools=[tool],
            store=False,
            include=["reasoning.encrypted_content"],
        ) as stream:
            said, last = self.follow(stream)
        # What was read bit by bit is what stands in the whole.
        assert last.output_text == said.text, (last.output_text, said.text)
        self.input += [item.to_dict() for item in last.output]
        for item in last.output:
            if item.type == "function_call":
                self.calls.append(item.call_id)
                said.calls.append((item.name, json.loads(item.arguments)))
            elif item.type == "reasoning":
                whole = "".join(part.text for part in item.summary)
                assert whole == said.thoughts, (whole, said.thoughts)
        if last.usage:
            said.usage = (last.usage.input_tokens, last.usage.output_tokens)
        reason = last.incomplete_details and last.incomplete_details.reason
        stops = {"max_output_tokens": "length", "content_filter": "filtered", None: "end"}
        said.stop = stops.get(reason, reason)
        if said.stop == "end" and said.calls:
            said.stop = "calls"
        return said

    @staticmethod
    def follow(stream):
        """Every delta of it, and the response as it is at the end."""
        said, last = Said(usage=None), None
        for event in stream:
            match event.type:
                case "response.output_text.delta":
                    said.text += event.delta
                case "response.reasoning_summary_text.delta":
                    said.thoughts += event.delta
                case "response.completed" | "response.incomplete":
                    last = event.response
        assert last is not None, "the response has no end"
        return said, last

    def give(self):
        self.input += [
            {"type": "function_call_output", "call_id": id, "output": RESULT} for id in self.calls
        ]

    errors = openai.APIStatusError

    @staticmethod
    def refused(error: openai.APIStatusError) -> tuple[Refused, str]:
        return Refused(error.status_code, error.body["message"]), error.code

    @staticmethod
    def event(event: dict) -> list[str]:
        return of_union(ResponseStreamEvent, event)

    @staticmethod
    def body(body: dict) -> list[str]:
        return problems(ResponseCreateParamsStreaming, body)


class Chat:
    name = "chat"
    package = "openai"

    def __init__(self, address: str):
        self.client = openai.OpenAI(base_url=address, api_key="key", max_retries=0)
        self.messages = [{"role": "user", "content": HELLO}]

    def ask(self) -> Said:
        function = {
            "name": TOOL["name"],
            "description": TOOL["description"],
            "parameters": TOOL["schema"],
        }
        said = Said(usage=None)
        with self.client.chat.completions.stream(
            model="stub",
            max_tokens=100,
            messages=self.messages,
            tools=[{"type": "function", "function": function}],
            stream_options={"include_usage": True},
        ) as stream:
            for event in stream:
                if event.type == "chunk":
                    for choice in event.chunk.choices:
                        # Not of this service, but of many that speak as it does.
                        extra = choice.delta.model_extra or {}
                        said.thoughts += extra.get("reasoning_content", "")
                    if event.chunk.usage:
                        usage = event.chunk.usage
                        said.usage = (usage.prompt_tokens, usage.completion_tokens)
            choice = self.finished(stream)
        self.messages.append({"role": "assistant", **choice.message.to_dict()})
        said.text = choice.message.content or ""
        for call in choice.message.tool_calls or []:
            said.calls.append((call.function.name, json.loads(call.function.arguments)))
        stops = {"stop": "end", "tool_calls": "calls", "content_filter": "filtered"}
        said.stop = stops.get(choice.finish_reason, choice.finish_reason)
        return said

    @staticmethod
    def finished(stream):
        try:
            return stream.get_final_completion().choices[0]
        except (openai.LengthFinishReasonError, openai.ContentFilterFinishReasonError):
            # It says so with an error instead of the reply that it has read.
            return stream.current_completion_snapshot.choices[0]

    def give(self):
        ids = [call["id"] for call in self.messages[-1]["tool_calls"]]
        self.messages += [{"role": "tool", "tool_call_id": id, "content": RESULT} for id in ids]

    errors = openai.APIStatusError
    refused = staticmethod(Responses.refused)

    @staticmethod
    def event(event: dict) -> list[str]:
        known = "choices.0.delta.reasoning_content: not a field of ChoiceDelta"
        return [one for one in problems(ChatCompletionChunk, event) if one != known]

    @staticmethod
    def body(body: dict) -> list[str]:
        return problems(CompletionCreateParamsStreaming, body)


class Gemini:
    name = "gemini"
    package = "google-genai"

    def __init__(self, address: str):
        options = types.HttpOptions(base_url=address)
        self.client = genai.Client(api_key="key", http_options=options)
        self.contents = [types.Content(role="user", parts=[types.Part(text=HELLO)])]

    def ask(self) -> Said:
        tool = types.FunctionDeclaration(
            name=TOOL["name"],
            description=TOOL["description"],
            parameters_json_schema=TOOL["schema"],
        )
        config = types.GenerateContentConfig(
            max_output_tokens=100,
            tools=[types.Tool(function_declarations=[tool])],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        said, parts, reason = Said(usage=None), [], None
        for chunk in self.client.models.generate_content_stream(
            model="stub", contents=self.contents, config=config
        ):
            candidate = chunk.candidates[0]
            reason = candidate.finish_reason or reason
            if chunk.usage_metadata:
                usage = chunk.usage_metadata
                said.usage = (usage.prompt_token_count, usage.candidates_token_count)
            parts += candidate.content.parts
        for part in parts:
            if part.function_call:
                said.calls.append((part.function_call.name, part.function_call.args))
            elif part.thought:
                said.thoughts += part.text
            else:
                said.text += part.text
        self.contents.append(types.Content(role="model", parts=parts))
        stops = {"STOP": "end", "MAX_TOKENS": "length", "SAFETY": "filtered"}
        said.stop = stops.get(reason and reason.value, reason)
        if said.stop == "end" and said.calls:
            said.stop = "calls"
        return said

    def give(self):
        calls = [part.function_call for part in self.contents[-1].parts if part.function_call]
        results = [
            types.Part.from_function_response(name=call.name, response={"result": RESULT})
            for call in calls
        ]
        self.contents.append(types.Content(role="user", parts=results))

    errors = genai.errors.APIError

    @staticmethod
    def refused(error: genai.errors.APIError) -> tuple[Refused, str]:
        return Refused(error.code, error.message), error.status

    @staticmethod
    def event(event: dict) -> list[str]:
        return problems(types.GenerateContentResponse, event)

    @staticmethod
    def body(body: dict) -> list[str]:
        # The client has no type for the whole of it, but for each of its parts.
        kinds = {
            "contents": types.Content,
            "generationConfig": types.GenerationConfig,
            "safetySettings": types.SafetySetting,
            "systemInstruction": types.Content,
            "toolConfig": types.ToolConfig,
            "tools": types.Tool,
        }
        found = [f"{name}: not a field of the request" for name in body.keys() - kinds.keys()]
        for name, value in body.items():
            for one in value if isinstance(value, list) else [value]:
                if name in kinds and one is not None:
                    found += [f"{name}.{problem}" for problem in problems(kinds[name], one)]
        return found


class Ollama:
    name = "ollama"
    package = "ollama"

    def __init__(self, address: str):
        self.client = ollama.Client(host=address)
        self.messages = [{"role": "user", "content": HELLO}]

    def ask(self) -> Said:
        function = {
            "name": TOOL["name"],
            "description": TOOL["description"],
            "parameters": TOOL["schema"],
        }
        said = Said(usage=None)
        reply = {"role": "assistant", "content": "", "tool_calls": []}
        for chunk in self.client.chat(
            model="stub",
            messages=self.messages,
            tools=[{"type": "function", "function": function}],
            options={"num_ctx": 8_000, "num_predict": 100},
            stream=True,
        ):
            said.text += chunk.message.content or ""
            said.thoughts += chunk.message.thinking or ""
            for call in chunk.message.tool_calls or []:
                said.calls.append((call.function.name, dict(call.function.arguments)))
                reply["tool_calls"].append(call)
            if chunk.done:
                said.usage = (chunk.prompt_eval_count, chunk.eval_count)
                stops = {"stop": "calls" if said.calls else "end"}
                said.stop = stops.get(chunk.done_reason, chunk.done_reason)
        reply["content"] = said.text
        self.messages.append(reply)
        return said

    def give(self):
        calls = self.messages[-1]["tool_calls"]
        self.messages += [
            {"role": "tool", "tool_name": call.function.name, "content": RESULT} for call in calls
        ]

    errors = ollama.ResponseError

    @staticmethod
    def refused(error: ollama.ResponseError) -> tuple[Refused, str | None]:
        return Refused(error.status_code, error.error), None

    @staticmethod
    def event(event: dict) -> list[str]:
        return problems(ollama.ChatResponse, event)

    @staticmethod
    def body(body: dict) -> list[str]:
        # The client takes any mapping for a message or for options, so each is judged by itself.
        rest = {name: value for name, value in body.items() if name not in ("messages", "options")}
        found = problems(ChatRequest, rest) + problems(ollama.Options, body["options"])
        for message in body["messages"]:
            # A picture is a type that is written as its Base64.
            pictures = [{"value": picture} for picture in message.get("images", [])]
            found += problems(ollama.Message, message | ({"images": pictures} if pictures else {}))
        # The service has numbers for calls since its version 0.12; its client does not know them yet.
        newer = ("tool_call_id: not a field of Message", ".id: not a field of ToolCall")
        return [problem for problem in found if not problem.endswith(newer)]


ALL = [Anthropic, Responses, Chat, Gemini, Ollama]
