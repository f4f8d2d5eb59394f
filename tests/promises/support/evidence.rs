//! Everything that came out of a host, to be searched for what must not be in it.

use super::http::Address;
use super::{TestHost, terminal};
use serde_json::{Value, json};
use std::fmt::Debug;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};
use tokio::io::AsyncReadExt as _;

/// What came out of a host, and where.
pub struct Evidence {
    found: Vec<(String, Vec<u8>)>,
    recorder: super::EventRecorder,
    stream: Arc<Mutex<Vec<u8>>>,
    address: Address,
    _serving: loopback::Serving,
}

impl Evidence {
    /// Gathers from now on: events in the process and over loopback, and all that the program
    /// writes about itself.
    pub async fn gather(test: &TestHost) -> Self {
        traces();
        let serving = loopback::serve(test.host.clone(), None, None)
            .await
            .unwrap();
        let address = Address::of_programs(test.dir());
        let stream: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (bearer, place) = (format!("Bearer {}", address.token), address.place());
        let mut events = address
            .open(
                "GET /events",
                &[("Host", &place), ("Authorization", &bearer)],
                "",
            )
            .await;
        let kept = stream.clone();
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = events.read(&mut bytes).await {
                kept.lock().unwrap().extend(&bytes[..length]);
            }
        });
        Self {
            found: Vec::new(),
            recorder: test.listen(),
            stream,
            address,
            _serving: serving,
        }
    }

    /// Keeps whatever came back from a request.
    pub fn keep(&mut self, place: &str, what: &impl Debug) {
        self.found
            .push((place.to_owned(), format!("{what:?}").into_bytes()));
    }

    /// Makes a request over loopback and keeps the answer.
    pub async fn rpc(&mut self, method: &str, params: Value) -> Value {
        let request = if params.is_null() {
            json!({"method": method})
        } else {
            json!({"method": method, "params": params})
        };
        let (_, body) = self.address.rpc(&request, &[]).await;
        let answer = serde_json::from_str(&body).unwrap_or_default();
        self.found
            .push((format!("the answer to {method}"), body.into_bytes()));
        answer
    }

    /// Asks for everything that can be asked for about some servers.
    pub async fn ask_everything(&mut self, servers: &[&str]) {
        for method in ["snapshot", "list_questions", "list_grants", "server_usage"] {
            self.rpc(method, Value::Null).await;
        }
        for server in servers {
            for method in [
                "review_server",
                "review_offers",
                "server_log",
                "list_tools",
                "list_prompts",
                "list_resources",
                "list_logs",
                "list_exchange",
            ] {
                self.rpc(method, json!({"server": server})).await;
            }
        }
        let page = self
            .rpc(
                "list_activity",
                json!({"filter": {}, "before": null, "limit": 500}),
            )
            .await;
        for row in page["rows"].as_array().unwrap() {
            self.rpc("show_activity", json!({"seq": row["seq"]})).await;
        }
        for format in ["jsonl", "csv"] {
            self.rpc("export_log", json!({"format": format})).await;
        }
    }

    /// Takes in what was told and written meanwhile, and every file below the data folder.
    pub fn collect(&mut self, test: &TestHost) {
        for event in self.recorder.heard() {
            self.found
                .push(("an event".into(), serde_json::to_vec(&*event).unwrap()));
        }
        self.found.push((
            "the stream of events".into(),
            self.stream.lock().unwrap().clone(),
        ));
        self.found.push((
            "what the program says about itself".into(),
            traces().lock().unwrap().clone(),
        ));
        for (path, bytes) in terminal::files(test.dir()) {
            self.found.push((path.display().to_string(), bytes));
        }
    }

    /// How much there is, in bytes, at places whose name holds a word.
    pub fn amount(&self, place: &str) -> usize {
        self.found
            .iter()
            .filter(|(found, _)| found.contains(place))
            .map(|(_, bytes)| bytes.len())
            .sum()
    }

    /// Nothing holds the secret, nor a part of it, nor another way to write it.
    pub fn must_not_hold(&self, secret: &str) {
        for (place, bytes) in &self.found {
            for form in forms(secret) {
                let at = bytes
                    .windows(form.len())
                    .position(|window| window == form.as_bytes());
                if let Some(at) = at {
                    let around = &bytes[at.saturating_sub(200)..(at + 200).min(bytes.len())];
                    panic!(
                        "{place} holds {form:?}: …{}…",
                        String::from_utf8_lossy(around)
                    );
                }
            }
        }
    }
}

/// Parts that are long enough to be no chance, and the whole as other encodings begin it.
fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let part = 12;
    let mut forms: Vec<String> = [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - part]
        .map(|from| secret[from..from + part].to_owned())
        .into();
    forms.push(
        bytes[..part]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    );
    forms.push(secret[..part].chars().rev().collect());
    forms
}

/// A secret that nothing else looks like, of a length in bytes.
pub fn secret(length: usize) -> String {
    let mut text = String::from("planted");
    while text.len() < length {
        text += protocol::CallId::random()
            .as_str()
            .trim_start_matches("call-");
    }
    text.truncate(length);
    text
}

/// All that the crates of this program write about themselves, at the lowest level.
fn traces() -> Arc<Mutex<Vec<u8>>> {
    static WRITTEN: OnceLock<Arc<Mutex<Vec<u8>>>> = OnceLock::new();
    let begin = || {
        let written: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (sink, ours) = (
            written.clone(),
            "host=trace,store=trace,connections=trace,loopback=trace,policy=trace,sandbox=trace,cli=trace",
        );
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(ours)
            .with_ansi(false)
            .with_writer(move || Sink(sink.clone()));
        subscriber.init();
        written
    };
    WRITTEN.get_or_init(begin).clone()
}

struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
