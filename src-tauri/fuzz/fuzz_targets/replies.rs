//! What a model's service sends, in whatever pieces: it is read or refused, it does not matter where
//! the pieces end, and what is read wants no more calls than one reply may.
#![no_main]

use agent::model::{Failure, Frames, Framing, MOST_CALLS, ask};
use agent::{Message, ModelRef, Reply, Request, ResultPart, Wire};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<Vec<u8>>)| {
    let (service, pieces) = input;
    let wires = [
        Wire::Anthropic,
        Wire::Chat,
        Wire::Gemini,
        Wire::Ollama,
        Wire::Responses,
    ];
    let wire = wires[usize::from(service) % wires.len()];
    let whole = pieces.concat();
    for framing in [Framing::Events, Framing::Lines] {
        let in_pieces = frames(framing, pieces.iter().map(Vec::as_slice));
        let at_once = frames(framing, [whole.as_slice()]);
        assert_eq!(in_pieces, at_once);
    }
    let in_pieces = read(wire, pieces.iter().map(Vec::as_slice));
    let at_once = read(wire, [whole.as_slice()]);
    assert_eq!(in_pieces.is_ok(), at_once.is_ok());
    if let Ok(reply) = in_pieces {
        assert!(reply.calls().count() <= MOST_CALLS);
    }
});

fn frames<'a>(framing: Framing, pieces: impl IntoIterator<Item = &'a [u8]>) -> Option<Vec<String>> {
    let mut frames = Frames::new(framing, 64);
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(frames.push(piece).ok()?);
    }
    all.extend(frames.finish());
    Some(all)
}

fn read<'a>(wire: Wire, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Reply, Failure> {
    let model = ModelRef {
        wire,
        name: "m".to_owned(),
    };
    let request = Request {
        model,
        instructions: String::new(),
        messages: vec![Message::User {
            parts: vec![ResultPart::text("hello")],
        }],
        tools: Vec::new(),
        may_call: false,
        max_output: 1_000,
        context: 8_000,
    };
    let (_, mut incoming) = ask(&request)?;
    for piece in pieces {
        incoming.push(piece, &mut Vec::new())?;
    }
    incoming.finish()
}
