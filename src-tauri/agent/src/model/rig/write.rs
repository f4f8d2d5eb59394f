//! A request in the types of the codecs.

use super::not_written;
use crate::model::Failure;
use crate::{CallResult, Message, ModelRef, ReplyPart, Request, ResultPart};
use protocol::ModelService;
use rig_core::completion::{CompletionRequest, GenerationOptions, OnUnsupported, ToolDefinition};
use rig_core::message::{
    self as rig, AssistantContent, AssistantMessage, CallId, ImageMediaType, MimeType as _, Opaque,
    ToolChoice, ToolFunction, ToolName, ToolResultContent, UserContent,
};
use rig_core::providers::ollama::extension::OllamaOptions;
use serde_json::{Value, json};

/// The most that services take as a temperature.
const HOTTEST: f64 = 2.0;
/// The same of the one that takes less.
const HOTTEST_OF_ANTHROPIC: f64 = 1.0;

pub(super) fn completion(request: &Request) -> Result<CompletionRequest, Failure> {
    let wire = request.model.wire;
    let mut history = Vec::new();
    if !request.instructions.is_empty() {
        history.push(rig::Message::system(&request.instructions));
    }
    for message in &request.messages {
        add(&mut history, message, &request.model)?;
    }
    let last = history
        .pop()
        .ok_or_else(|| not_written("nothing was said"))?;
    let mut body = CompletionRequest::new(last)
        .messages(history)
        .max_tokens(request.max_output);
    // Most models behind one of the services think first, and then refuse to be told.
    let temperature = request
        .temperature
        .filter(|_| wire != ModelService::Responses);
    if let Some(temperature) = temperature {
        let most = match wire {
            ModelService::Anthropic => HOTTEST_OF_ANTHROPIC,
            _ => HOTTEST,
        };
        // A model that is known to take none is asked without.
        let options = GenerationOptions::new().on_unsupported(OnUnsupported::Ignore);
        body = body
            .temperature(temperature.clamp(0.0, most))
            .options(options);
    }
    // With one service there is no way but this to have none called.
    let shown = if request.may_call || wire != ModelService::Ollama {
        request.tools.as_slice()
    } else {
        &[]
    };
    for tool in shown {
        let schema = Value::Object(tool.schema.clone());
        body.tools.push(ToolDefinition::new(
            tool_name(&tool.name)?,
            tool.description.clone(),
            schema,
        ));
    }
    if !shown.is_empty() && wire != ModelService::Ollama {
        body = body.tool_choice(if request.may_call {
            ToolChoice::Auto
        } else {
            ToolChoice::None
        });
    }
    Ok(match wire {
        // Nothing is to be kept there.
        ModelService::Responses => body.additional_params(json!({"store": false})),
        ModelService::Ollama => {
            let context = u32::try_from(request.context).unwrap_or(u32::MAX);
            body.provider_option(OllamaOptions::default().num_ctx(context))
        }
        ModelService::Anthropic | ModelService::Chat | ModelService::Gemini => body,
    })
}

fn add(
    history: &mut Vec<rig::Message>,
    message: &Message,
    model: &ModelRef,
) -> Result<(), Failure> {
    match message {
        Message::User { parts } => {
            let content = parts.iter().map(user_content).collect();
            history.push(rig::Message::User { content });
        }
        Message::Assistant {
            model: by,
            parts,
            origin,
        } => {
            let is_own = by == model;
            let content = parts
                .iter()
                .filter_map(|part| assistant_content(part, is_own).transpose());
            let content: Vec<_> = content.collect::<Result<_, _>>()?;
            let origin = origin.as_ref().filter(|_| is_own);
            let origin = origin
                .and_then(|origin| serde_json::from_value::<rig::Origin>(origin.clone()).ok());
            if !content.is_empty() {
                history.push(rig::Message::Assistant(
                    AssistantMessage::new(content).with_origin(origin),
                ));
            }
        }
        Message::Results { results } => {
            let mut content = Vec::new();
            let mut beside = Vec::new();
            for result in results {
                content.push(UserContent::ToolResult(tool_result(
                    result,
                    model.wire,
                    &mut beside,
                )?));
            }
            history.push(rig::Message::User { content });
            if !beside.is_empty() {
                history.push(rig::Message::User { content: beside });
            }
        }
    }
    Ok(())
}

fn user_content(part: &ResultPart) -> UserContent {
    match part {
        ResultPart::Text { text } => UserContent::text(text),
        ResultPart::Image { data, mime_type } => {
            UserContent::image_base64(data, media_type(mime_type), None)
        }
    }
}

fn media_type(mime_type: &str) -> Option<ImageMediaType> {
    ImageMediaType::from_mime_type(mime_type)
}

/// A result. Where a service takes no pictures in it, they stand beside it, said to be its.
fn tool_result(
    result: &CallResult,
    wire: ModelService,
    beside: &mut Vec<UserContent>,
) -> Result<rig::ToolResult, Failure> {
    let takes_images = matches!(wire, ModelService::Anthropic | ModelService::Responses);
    let mut content = Vec::new();
    for part in &result.parts {
        match part {
            ResultPart::Text { text } => content.push(ToolResultContent::text(text)),
            ResultPart::Image { data, mime_type } if takes_images => {
                content.push(ToolResultContent::image_base64(
                    data,
                    media_type(mime_type),
                    None,
                ));
            }
            image @ ResultPart::Image { .. } => {
                let number = beside.len() / 2 + 1;
                content.push(ToolResultContent::text(format!(
                    "(Picture {number} of the next message.)"
                )));
                let name = &result.name;
                beside.push(UserContent::text(format!(
                    "(Picture {number}, out of the result of {name}; data, and not the person's.)"
                )));
                beside.push(user_content(image));
            }
        }
    }
    if content.is_empty() {
        content.push(ToolResultContent::text("(nothing)"));
    }
    Ok(rig::ToolResult {
        call: CallId::from_wire(result.call.as_str()),
        name: tool_name(&result.name)?,
        content,
        is_error: result.is_error,
    })
}

fn tool_name(name: &str) -> Result<ToolName, Failure> {
    ToolName::new(name).map_err(|error| not_written(&error.to_string()))
}

/// A part of an earlier reply. What only its own service can read goes to no other.
fn assistant_content(part: &ReplyPart, is_own: bool) -> Result<Option<AssistantContent>, Failure> {
    let with = |content: AssistantContent, native: &Option<Value>| match native {
        Some(item) if is_own => content.with_native(item.clone()),
        _ => content,
    };
    Ok(match part {
        ReplyPart::Text { text, native } => Some(with(AssistantContent::text(text), native)),
        part if !is_own && part.is_for_its_own_service() => None,
        ReplyPart::Reasoning { text, native } => {
            let native = native.as_ref();
            let redacted = native
                .and_then(|native| native.get("redacted"))
                .and_then(Value::as_bool);
            let reasoning = rig::Reasoning {
                redacted: redacted.unwrap_or(false),
                ..rig::Reasoning::new(text)
            };
            let item = native.and_then(|native| native.get("item")).cloned();
            Some(with(AssistantContent::Reasoning(reasoning), &item))
        }
        ReplyPart::Call(call) => {
            let function = ToolFunction {
                name: tool_name(&call.name)?,
                arguments: call.arguments.clone(),
                invalid_arguments: call.invalid.clone(),
            };
            let id = call.provider_id.clone().unwrap_or_default();
            let content = AssistantContent::ToolCall(rig::ToolCall::from_wire(id, function));
            Some(with(content, &call.native))
        }
        ReplyPart::Image {
            data,
            mime_type,
            native,
        } => {
            let image = rig::Image {
                data: rig::DocumentSourceKind::base64(data),
                media_type: media_type(mime_type),
                ..rig::Image::default()
            };
            Some(with(AssistantContent::Image(image), native))
        }
        ReplyPart::Opaque { native } => serde_json::from_value::<Opaque>(native.clone())
            .ok()
            .map(AssistantContent::Opaque),
    })
}
