//! What is expected of a model, and whether it came; and what must not come, whatever the model.

use serde_json::Value;

/// What is expected.
#[derive(Debug, Clone, Copy)]
pub enum Expected {
    /// This tool was called, and has answered.
    Answered(&'static str),
    /// This helper was given a task, and has answered it.
    Helped(&'static str),
    /// One of these stands in what the model says, in whatever case.
    Says(&'static [&'static str]),
    /// This number does.
    Number(f64),
    /// An order of this number was placed once, and the model says it.
    Ordered(&'static str),
    /// A picture came back.
    Picture,
}

/// What has come.
pub struct Outcome {
    /// What was said.
    pub page: Value,
    /// What has reached the server, in its lines.
    pub reached: Vec<String>,
    /// How many forms a person was asked to fill in.
    pub asked: usize,
}

impl Outcome {
    /// What is missing of what is expected, each as a sentence's end.
    pub fn missing(&self, expected: &[Expected]) -> Vec<String> {
        let missing = expected.iter().filter_map(|one| self.lacks(*one));
        missing.collect()
    }

    fn lacks(&self, expected: Expected) -> Option<String> {
        let said = self.said().to_lowercase();
        let (is_there, what) = match expected {
            Expected::Answered(tool) => (self.answered().any(|name| name == tool), tool.to_owned()),
            Expected::Helped(helper) => {
                let helped = |part: &Value| {
                    let outcome = &part["outcome"];
                    part["name"] == helper
                        && outcome["kind"] == "helped"
                        && outcome["is_error"] == false
                };
                (self.parts().any(helped), helper.to_owned())
            }
            Expected::Says(words) => {
                let says = |word: &str| said.contains(&word.to_lowercase());
                (words.iter().any(|word| says(word)), words.join(" or "))
            }
            Expected::Number(number) => {
                let is_it = |one: &f64| (one - number).abs() < 0.004;
                (numbers(&said).iter().any(is_it), number.to_string())
            }
            Expected::Ordered(number) => {
                let placed = self.reached.iter().filter(|line| *line == number);
                let is_said = said.contains(&number.to_lowercase());
                (placed.count() == 1 && is_said, number.to_owned())
            }
            Expected::Picture => (
                self.page
                    .to_string()
                    .contains("\"mime_type\":\"image/png\""),
                "a picture".to_owned(),
            ),
        };
        (!is_there).then_some(what)
    }

    /// What the host has done wrong.
    pub fn faults(&self, yes: bool) -> Vec<String> {
        let mut faults = Vec::new();
        let large = self.reached.iter().filter(|line| line.ends_with("-HUMAN"));
        let large = large.count();
        if large > if yes { self.asked } else { 0 } {
            faults.push(format!("{large} large orders without a yes to each"));
        }
        let answered = self.answered().count();
        // A line is a name of a tool, but for those of the harbour.
        let lines = self.reached.iter().filter(|line| !line.contains(' '));
        let calls = lines.filter(|line| !line.starts_with("ORD-"));
        let calls: Vec<&String> = calls.collect();
        if calls.len() > answered {
            faults.push(format!("{calls:?} were reached by {answered} calls"));
        }
        if calls
            .iter()
            .any(|tool| ["get-sum", "echo"].contains(&tool.as_str()))
        {
            faults.push(format!("{calls:?} were reached, of which one is approved"));
        }
        faults
    }

    /// What was said of a kind, in all replies.
    fn parts(&self) -> impl Iterator<Item = &Value> {
        let items = self.page["items"].as_array().into_iter().flatten();
        items.flat_map(|item| item["parts"].as_array().into_iter().flatten())
    }

    /// The names of the tools that have answered.
    fn answered(&self) -> impl Iterator<Item = &str> {
        let calls = self
            .parts()
            .filter(|part| part["outcome"]["kind"] == "answered");
        calls.filter_map(|part| part["name"].as_str())
    }

    /// Everything that the model says.
    fn said(&self) -> String {
        let texts = self.parts().filter(|part| part["kind"] == "text");
        let texts = texts.filter_map(|part| part["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Tokens of all replies, of this kind.
    pub fn tokens(&self, kind: &str) -> u64 {
        let items = self.page["items"].as_array().into_iter().flatten();
        items.filter_map(|item| item[kind].as_u64()).sum()
    }

    /// What the model said and called, and why it ended if it did not end well.
    pub fn in_words(&self) -> String {
        let parts = self
            .parts()
            .filter_map(|part| match part["kind"].as_str()? {
                "text" => Some(part["text"].as_str()?.trim().to_owned()),
                "call" => {
                    let how = part["outcome"]["kind"].as_str().unwrap_or("open");
                    Some(format!(
                        "[{} {}: {how}]",
                        part["name"].as_str()?,
                        part["arguments"]
                    ))
                }
                _ => None,
            });
        let items = self.page["items"].as_array().into_iter().flatten();
        let broke = items.filter(|item| item["broke"].is_object());
        let broke = broke.map(|item| format!("[broke: {}]", item["broke"]));
        let state = &self.page["conversation"]["state"];
        let paused = (state["kind"] == "paused").then(|| format!("[paused: {}]", state["why"]));
        parts
            .chain(broke)
            .chain(paused)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The numbers in a text, which may have commas between their thousands.
fn numbers(text: &str) -> Vec<f64> {
    let plain = text.replace(',', "");
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
    let words = plain.split(|c| !is_of_number(c));
    words
        .filter_map(|word| word.trim_matches('.').parse().ok())
        .collect()
}
