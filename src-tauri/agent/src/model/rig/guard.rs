//! What an event could make its codec do, looked at before the codec sees it.
//!
//! Always true here, whatever a service sends:
//! - no number in an event says how much memory is taken;
//! - what a codec goes over again and again is counted, and bounded for a reply ([`MOST_WORK`]);
//! - what cannot be read here is left to the codec, which cannot read it either.
//!
//! What is named here is where the codecs of `rig-core` 0.44 walk lists, or what they hold, once more
//! for each event. A part that they tell of is counted where they do (`read.rs`).

mod text;

use super::super::{Failure, MOST_PARTS};
use protocol::ModelService;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use text::{Call, Text};

/// The most values that one event may hold: a service may say back every tool that it was shown.
const MOST_VALUES: usize = 100_000;
/// The values of an event that are not counted among those of its reply: a text comes in many small
/// pieces.
const FREE_VALUES: usize = 64;
/// The most others that the events of a reply may hold together.
const MOST_VALUES_OF_REPLY: usize = 400_000;
/// The most that a codec may go over once more in a reply, in bytes that it copies. Arguments of
/// 250,000 characters, in pieces of four, are within it at the service with the dearest codec.
const MOST_WORK: u64 = 8 << 30;
/// So much dearer than to copy it is to parse what has come, or to look for an end of what is blank.
const PARSED: u64 = 16;
const BLANK: u64 = 256;
/// The most sources that a reply may name.
const MOST_SOURCES: usize = 2_000;
/// The most that sources which are named again and again may take, in bytes.
const MOST_COPIED: usize = 64 << 20;
/// How often a call may begin, for all that is known of what a codec makes of it.
const MOST_BEGINNINGS: usize = 2_000;
/// The highest number of tokens: up to here JSON's numbers are exact, and their sums are small.
const MOST_TOKENS: f64 = 9_007_199_254_740_992.0;

/// Looks at the events of a reply, one after the other.
pub(super) struct Guard {
    service: ModelService,
    /// The service has said that this is the end.
    has_end: bool,
    /// The service has given a reason to end.
    has_reason: bool,
    bytes: usize,
    values: usize,
    work: u64,
    parts: usize,
    beginnings: usize,
    sources: usize,
    /// In bytes of the events that they came in.
    source_bytes: usize,
    outputs: HashSet<u64>,
    calls: HashMap<Call, Text>,
    content: Text,
}

impl Guard {
    pub(super) fn new(service: ModelService) -> Self {
        Self {
            service,
            // The codecs of the others go on until there is such a message.
            has_end: service != ModelService::Anthropic,
            has_reason: false,
            bytes: 0,
            values: 0,
            work: 0,
            parts: 0,
            beginnings: 0,
            sources: 0,
            source_bytes: 0,
            outputs: HashSet::new(),
            calls: HashMap::new(),
            content: Text::default(),
        }
    }

    /// Whether there was the end that Anthropic's codec does not wait for.
    pub(super) fn has_end(&self) -> bool {
        self.has_end
    }

    /// Takes an event in.
    ///
    /// # Errors
    /// [`Failure::TooManyParts`], [`Failure::TooCostly`], and [`Failure::Unreadable`] for more tokens
    /// than there are.
    pub(super) fn look(&mut self, event: &str) -> Result<(), Failure> {
        let values = values(event);
        self.bytes += event.len();
        self.values += values.saturating_sub(FREE_VALUES);
        if values > MOST_VALUES || self.values > MOST_VALUES_OF_REPLY {
            return Err(Failure::TooCostly);
        }
        let Ok(body) = serde_json::from_str::<Value>(event) else {
            return Ok(());
        };
        self.tokens(&body)?;
        match self.service {
            ModelService::Anthropic => self.anthropic(&body, event.len())?,
            ModelService::Responses => self.responses(&body)?,
            ModelService::Chat => self.chat(&body, event.len())?,
            ModelService::Gemini => self.gemini(&body, event.len())?,
            ModelService::Ollama => self.ollama(&body)?,
        }
        if self.work > MOST_WORK {
            return Err(Failure::TooCostly);
        }
        Ok(())
    }

    fn anthropic(&mut self, body: &Value, length: usize) -> Result<(), Failure> {
        index(body.get("index"))?;
        list(body.get("content"))?;
        list(body.pointer("/message/content"))?;
        match text(body.get("type")) {
            "message_stop" => self.has_end = true,
            "content_block_start" => {
                self.add_part()?;
                let sources = list(body.pointer("/content_block/citations"))?;
                self.add_sources(sources.len(), length)?;
            }
            "content_block_delta" => match text(body.pointer("/delta/type")) {
                "citations_delta" => self.add_sources(1, length)?,
                "input_json_delta" => {
                    let call = Call::At(number(body.get("index")).unwrap_or_default() as u64);
                    let piece = text(body.pointer("/delta/partial_json")).to_owned();
                    self.add_arguments(call, &piece)?;
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn responses(&mut self, body: &Value) -> Result<(), Failure> {
        list(body.get("output"))?;
        list(body.pointer("/response/output"))?;
        match text(body.get("type")) {
            "response.output_item.added" => self.add_part()?,
            "response.output_item.done" => {
                let at = number(body.get("output_index")).map(|at| at as u64);
                if at.is_none_or(|at| self.outputs.insert(at)) {
                    self.add_part()?;
                }
            }
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                // Which call it is for, the codec guesses; it copies what has come of it.
                self.add_arguments(Call::Unnamed, text(body.get("delta")))?;
                let so_far = self.calls.get(&Call::Unnamed);
                self.work += so_far.map_or(0, |text| text.length as u64);
            }
            _ => {}
        }
        Ok(())
    }

    fn chat(&mut self, body: &Value, length: usize) -> Result<(), Failure> {
        for field in ["citations", "search_results", "web_search"] {
            list(body.get(field))?;
        }
        if self.has_reason {
            // Every call is parsed, in case it is whole.
            let so_far: usize = self.calls.values().map(|text| text.length).sum();
            self.work += so_far as u64 * PARSED;
        }
        for choice in list(body.get("choices"))? {
            index(choice.get("index"))?;
            self.has_reason |= !text(choice.get("finish_reason")).is_empty();
            for message in [choice.get("delta"), choice.get("message")] {
                let field = |name| message.and_then(|message| message.get(name));
                list(field("content"))?;
                list(field("images"))?;
                self.add_sources(list(field("annotations"))?.len(), length)?;
                for call in list(field("tool_calls"))? {
                    self.chat_call(call)?;
                }
            }
        }
        Ok(())
    }

    /// A piece of a call. Which call it continues, the codec finds out by what it holds of it.
    fn chat_call(&mut self, piece: &Value) -> Result<(), Failure> {
        let arguments = match piece.pointer("/function/arguments") {
            Some(Value::String(arguments)) => arguments.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let id = match piece.get("id") {
            Some(Value::String(id)) if !id.is_empty() && id != "null" => Some(id.clone()),
            Some(id @ Value::Number(_)) => Some(id.to_string()),
            _ => None,
        };
        let call = match (piece.get("index").and_then(Value::as_u64), &id) {
            (Some(at), _) => Call::At(at),
            (None, Some(id)) => Call::Id(id.clone()),
            (None, None) => Call::Unnamed,
        };
        let so_far = self.calls.get(&call);
        let is_other = id.is_some() && so_far.is_some_and(|so_far| so_far.id != id);
        if call == Call::Unnamed || is_other {
            self.work += so_far.map_or(0, |so_far| so_far.length as u64) * PARSED;
            self.beginnings += usize::from(so_far.is_none_or(Text::may_be_whole));
        }
        if self.beginnings > MOST_BEGINNINGS {
            return Err(Failure::TooCostly);
        }
        self.add_arguments(call, &arguments)?.id = id;
        Ok(())
    }

    fn gemini(&mut self, body: &Value, length: usize) -> Result<(), Failure> {
        for candidate in list(body.get("candidates"))? {
            index(candidate.get("index"))?;
            list(candidate.pointer("/content/parts"))?;
            let supports = list(candidate.pointer("/groundingMetadata/groundingSupports"))?;
            let named = supports.iter().map(|support| {
                let sources = support.get("groundingChunkIndices");
                sources.and_then(Value::as_array).map_or(0, Vec::len)
            });
            // Each of them is a copy of a source, and is looked for in the whole text.
            if named.sum::<usize>().saturating_mul(length) > MOST_COPIED {
                return Err(Failure::TooCostly);
            }
            self.work += supports.len() as u64 * self.bytes as u64;
            for field in ["citationSources", "citations"] {
                let sources = candidate.pointer("/citationMetadata");
                let sources = list(sources.and_then(|metadata| metadata.get(field)))?;
                self.add_sources(sources.len(), length)?;
            }
        }
        Ok(())
    }

    fn ollama(&mut self, body: &Value) -> Result<(), Failure> {
        list(body.pointer("/message/tool_calls"))?;
        self.content.add(text(body.pointer("/message/content")));
        self.work += self.content.blank as u64 * BLANK;
        Ok(())
    }

    fn tokens(&self, body: &Value) -> Result<(), Failure> {
        let mut counts = vec![
            body.get("usage"),
            body.get("usageMetadata"),
            body.pointer("/message/usage"),
            body.pointer("/response/usage"),
        ];
        if self.service == ModelService::Ollama {
            let fields = [
                "prompt_eval_count",
                "prompt_eval_cached_count",
                "eval_count",
            ];
            counts.extend(fields.map(|field| body.get(field)));
        }
        if self.service == ModelService::Chat {
            let choices = list(body.get("choices"))?.iter();
            counts.extend(choices.map(|choice| choice.get("usage")));
        }
        if counts.into_iter().flatten().any(is_beyond) {
            return Err(Failure::Unreadable {
                problem: "it counts more tokens than there are".to_owned(),
            });
        }
        Ok(())
    }

    pub(super) fn add_part(&mut self) -> Result<(), Failure> {
        self.parts += 1;
        bounded(self.parts, MOST_PARTS)
    }

    /// Sources are copied with those before them, and their place may be looked for in the text.
    fn add_sources(&mut self, count: usize, length: usize) -> Result<(), Failure> {
        if count == 0 {
            return Ok(());
        }
        self.sources += count;
        self.source_bytes += length;
        self.work += count as u64 * (self.bytes as u64 + self.source_bytes as u64);
        bounded(self.sources, MOST_SOURCES)
    }

    fn add_arguments(&mut self, call: Call, piece: &str) -> Result<&mut Text, Failure> {
        let calls = self.calls.len() + usize::from(!self.calls.contains_key(&call));
        bounded(calls, MOST_PARTS)?;
        let so_far = self.calls.entry(call).or_default();
        so_far.add(piece);
        self.work += so_far.blank as u64 * BLANK;
        Ok(so_far)
    }
}

/// How many values a JSON text holds at most: each but the first stands behind one of these.
fn values(json: &str) -> usize {
    let (mut is_text, mut is_escaped, mut count) = (false, false, 1);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

fn bounded(count: usize, limit: usize) -> Result<(), Failure> {
    (count <= limit)
        .then_some(())
        .ok_or(Failure::TooManyParts { limit })
}

/// The entries of a list that may be absent.
fn list(value: Option<&Value>) -> Result<&[Value], Failure> {
    let list = value.and_then(Value::as_array).map(Vec::as_slice);
    let list = list.unwrap_or_default();
    bounded(list.len(), MOST_PARTS).map(|()| list)
}

/// The place of something in a list, which a codec may make as long as that.
fn index(value: Option<&Value>) -> Result<(), Failure> {
    let limit = MOST_PARTS;
    match number(value) {
        Some(index) if index >= limit as f64 => Err(Failure::TooManyParts { limit }),
        _ => Ok(()),
    }
}

/// A number, as leniently as codecs read one.
fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Whether there is a number in it that is no number of tokens.
fn is_beyond(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(is_beyond),
        Value::Object(map) => map.values().any(is_beyond),
        other => number(Some(other)).is_some_and(|number| number > MOST_TOKENS),
    }
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
