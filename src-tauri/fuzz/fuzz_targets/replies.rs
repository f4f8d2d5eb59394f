//! What a model's service sends, in whatever pieces: it is read or refused, it does not matter where
//! the pieces end, what is read wants no more calls than one reply may, and is not much larger than
//! what came. Time and memory are bounded by how it is run (`README.md`).
#![no_main]

use agent::model::{Failure, Frames, Framing, Incoming, MOST_CALLS, StreamEvent, ask};
use agent::{ModelRef, Reply, Request};
use libfuzzer_sys::fuzz_target;
use protocol::{ModelId, ModelService};

// The bodies in `agent/tests/wire` are such inputs, as they are.
fuzz_target!(|body: &[u8]| {
    let length = body.first().map_or(1, |first| usize::from(*first) + 1);
    for framing in [Framing::Events, Framing::Lines] {
        assert_eq!(
            frames(framing, body.chunks(length)),
            frames(framing, [body])
        );
    }
    for wire in ModelService::ALL {
        let (in_pieces, events) = read(wire, body.chunks(length));
        let (at_once, same_events) = read(wire, [body]);
        assert_eq!(in_pieces.is_ok(), at_once.is_ok());
        assert_eq!(text(&events), text(&same_events));
        if let Ok(reply) = in_pieces {
            assert!(reply.calls().count() <= MOST_CALLS);
            let size = serde_json::to_vec(&reply).map_or(0, |json| json.len());
            assert!(size <= 64 * body.len() + 4_096, "{size} of {}", body.len());
        }
    }
});

fn frames<'a>(framing: Framing, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<String>, bool) {
    let mut frames = Frames::new(framing, 64);
    let mut all = Vec::new();
    for piece in pieces {
        if frames.push(piece, &mut all).is_err() {
            return (all, false);
        }
    }
    all.extend(frames.finish());
    (all, true)
}

fn read<'a>(
    wire: ModelService,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Result<Reply, Failure>, Vec<StreamEvent>) {
    let model = ModelRef {
        id: ModelId::from("model-1"),
        wire,
        name: "m".to_owned(),
    };
    let mut events = Vec::new();
    let pushed = |mut incoming: Incoming| {
        for piece in pieces {
            incoming.push(piece, &mut events)?;
        }
        Ok(incoming)
    };
    let (_, incoming) = match ask(&Request::of_text(model, "hello")) {
        Ok(asked) => asked,
        Err(failure) => return (Err(failure), Vec::new()),
    };
    let reply = pushed(incoming).and_then(Incoming::finish);
    (reply, events)
}

/// The words of a reply; how many come at once does not matter.
fn text(events: &[StreamEvent]) -> String {
    let words = events.iter().filter_map(|event| match event {
        StreamEvent::Text(text) => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}
