//! Measures the detectors on a folder of labelled data: `cargo run --release -p inspect --example
//! evaluate -- FOLDER`.
//!
//! Nothing of the detectors is learned from the data, so each fold by server only shows how far the
//! figures spread: harmless tools of the servers in the fold, and poisoned ones, made by planting
//! texts that carry instructions into harmless tools of that fold. Flagged is what has a finding of
//! low severity or more. The last lines say which limits hold; only unreadable data is a failure.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command for developers that prints figures"
)]

use inspect::{Catalogue, Masker, Severity, credentials, definition, inspect_text, inspect_tool};
use protocol::ToolSpec;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many parts the servers are dealt into.
const FOLDS: usize = 5;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: evaluate FOLDER");
        return ExitCode::from(2);
    };
    match evaluate(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("evaluate: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn evaluate(folder: &Path) -> Result<(), String> {
    let harmless = harmless(&folder.join("benign_tools.json"))?;
    let cases = read(&folder.join("atr_cases.json"))?;
    let poison = poison(&cases)?;
    let measured = by_server(&harmless, &poison);
    let injected = texts(folder, &cases)?;
    secrets(&harmless);
    limits(&measured);
    println!("inspection: results with an injected instruction: {injected}");
    Ok(())
}

/// What the limits are about.
struct Measured {
    harmless: Rates,
    poisoned: Rates,
    /// Of one tool.
    time: Duration,
}

/// Says of each limit whether it holds.
fn limits(measured: &Measured) {
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    let (harmless, poisoned) = (&measured.harmless, &measured.poisoned);
    let (high, any) = (
        share(harmless.high, harmless.all),
        share(harmless.flagged, harmless.all),
    );
    let found = share(poisoned.flagged, poisoned.all);
    let milliseconds = measured.time.as_secs_f64() * 1000.0;
    for (limit, figure, holds) in [
        (
            "at most 1 % of harmless tools high",
            format!("{high:.1} %"),
            high <= 1.0,
        ),
        (
            "at most 3 % of harmless tools flagged",
            format!("{any:.1} %"),
            any <= 3.0,
        ),
        (
            "at least 90 % of poisoned descriptions flagged",
            format!("{found:.1} %"),
            found >= 90.0,
        ),
        (
            "under 0.1 ms a tool",
            format!("{milliseconds:.3} ms"),
            milliseconds < 0.1,
        ),
    ] {
        println!(
            "inspection: {limit}: {figure}, {}",
            if holds { "holds" } else { "DOES NOT HOLD" }
        );
    }
}

/// A tool and its server.
type Listed = (String, ToolSpec);

fn harmless(file: &Path) -> Result<Vec<Listed>, String> {
    let read = read(file)?;
    let one = |item: &Value| {
        let tool = definition(item["tool"].clone()).map_err(|problem| problem.to_string())?;
        Ok((item["server"].as_str().unwrap_or_default().to_owned(), tool))
    };
    read.as_array()
        .ok_or("the harmless tools are no list")?
        .iter()
        .map(one)
        .collect()
}

/// Texts that are labelled as poisoned descriptions, each with the family it belongs to.
fn poison(cases: &Value) -> Result<Vec<(String, String)>, String> {
    let mut poison = Vec::new();
    for case in cases
        .as_array()
        .ok_or("the cases are no list")?
        .iter()
        .filter(|case| case["label"] == "malicious")
    {
        let parsed = case["input"]
            .as_str()
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        let input = parsed.as_ref().unwrap_or(&case["input"]);
        if let Some(description) = input["tool_description"].as_str() {
            poison.push(("labelled cases".to_owned(), description.to_owned()));
        }
    }
    for line in include_str!("../tests/poisoned_descriptions.jsonl").lines() {
        let value: Value = serde_json::from_str(line).map_err(|problem| problem.to_string())?;
        let of = |field: &str| value[field].as_str().unwrap_or_default().to_owned();
        poison.push((of("family"), of("text")));
    }
    Ok(poison)
}

fn by_server(harmless: &[Listed], poison: &[(String, String)]) -> Measured {
    let servers: Vec<&str> = harmless
        .iter()
        .map(|(server, _)| server.as_str())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let catalogue = Catalogue::of(
        harmless
            .iter()
            .map(|(server, tool)| (server.as_str(), tool.name.as_str())),
    );
    println!(
        "harmless tools: {} of {} servers; poisoned descriptions: {}",
        harmless.len(),
        servers.len(),
        poison.len()
    );
    // What is compiled on first use is not a tool's time.
    harmless
        .iter()
        .for_each(|(server, tool)| drop(inspect_tool(server, tool, &catalogue)));
    let (mut all_harmless, mut all_poisoned, mut times) =
        (Rates::default(), Rates::default(), Vec::new());
    let mut families: BTreeMap<&str, Rates> = BTreeMap::new();
    for fold in 0..FOLDS {
        let held_out: BTreeSet<&str> = servers.iter().skip(fold).step_by(FOLDS).copied().collect();
        let tools: Vec<&Listed> = harmless
            .iter()
            .filter(|(server, _)| held_out.contains(server.as_str()))
            .collect();
        let (mut harmless_rates, mut poisoned_rates) = (Rates::default(), Rates::default());
        for (server, tool) in &tools {
            let start = Instant::now();
            let worst = inspect_tool(server, tool, &catalogue).worst();
            times.push(start.elapsed());
            harmless_rates.count(worst);
        }
        for (index, (family, text)) in poison
            .iter()
            .enumerate()
            .filter(|(index, _)| index % FOLDS == fold)
        {
            let Some((server, tool)) = tools.get(index % tools.len().max(1)) else {
                continue;
            };
            let planted = format!("{} {text}", tool.description.as_deref().unwrap_or_default());
            let tool = ToolSpec {
                description: Some(planted),
                ..tool.clone()
            };
            let worst = inspect_tool(server, &tool, &catalogue).worst();
            poisoned_rates.count(worst);
            families.entry(family.as_str()).or_default().count(worst);
        }
        println!(
            "  fold {}: harmless {harmless_rates}; poisoned {poisoned_rates}",
            fold + 1
        );
        all_harmless.add(&harmless_rates);
        all_poisoned.add(&poisoned_rates);
    }
    println!("  all: harmless {all_harmless}; poisoned {all_poisoned}");
    for (family, rates) in &families {
        println!("  poisoned, {family}: {rates}");
    }
    times.sort();
    let mean =
        times.iter().sum::<Duration>() / u32::try_from(times.len().max(1)).unwrap_or(u32::MAX);
    println!(
        "  time a tool: mean {mean:?}, 99 of 100 under {:?}",
        times
            .get(times.len() * 99 / 100)
            .copied()
            .unwrap_or_default()
    );
    Measured {
        harmless: all_harmless,
        poisoned: all_poisoned,
        time: mean,
    }
}

/// Texts that stand alone. Returns the rates of the results with an injected instruction.
fn texts(folder: &Path, cases: &Value) -> Result<Rates, String> {
    let mut rates: BTreeMap<String, Rates> = BTreeMap::new();
    for case in cases.as_array().into_iter().flatten() {
        let text = case["input"]
            .as_str()
            .map_or_else(|| case["input"].to_string(), str::to_owned);
        let name = format!(
            "cases, {} {}",
            case["cat"].as_str().unwrap_or_default(),
            case["label"].as_str().unwrap_or_default()
        );
        rates
            .entry(name)
            .or_default()
            .count(inspect_text(&text).worst());
    }
    let mut injected = Rates::default();
    for name in [
        "injecagent_dh_base",
        "injecagent_dh_enhanced",
        "injecagent_ds_base",
        "injecagent_ds_enhanced",
    ] {
        let here = rates.entry(format!("results, {name}")).or_default();
        for item in read(&folder.join(format!("{name}.json")))?
            .as_array()
            .into_iter()
            .flatten()
        {
            here.count(inspect_text(item["Tool Response"].as_str().unwrap_or_default()).worst());
        }
        injected.add(here);
    }
    for (name, rates) in rates {
        println!("{name}: {rates}");
    }
    Ok(injected)
}

/// How long a text of 16 KiB takes with 100 held secrets, and how many credentials harmless
/// documents seem to hold.
fn secrets(harmless: &[Listed]) {
    let documents: String = harmless
        .iter()
        .map(|(_, tool)| serde_json::to_string(tool).unwrap_or_default() + "\n")
        .collect();
    let found = credentials(&documents).len();
    println!(
        "credentials in {:.1} MiB of harmless definitions: {found}",
        documents.len() as f64 / 1_048_576.0
    );
    let values: Vec<String> = (0..100)
        .map(|index| {
            format!(
                "k{index:02}-{:x}{:x}",
                index * 7_919_u64 * 104_729,
                (index + 3) * 15_485_863
            )
        })
        .collect();
    let masker = Masker::new(values.iter().map(String::as_str));
    let chunks: Vec<&str> = documents
        .as_bytes()
        .chunks(16 * 1024)
        .filter_map(|chunk| std::str::from_utf8(chunk).ok())
        .collect();
    let time = |work: &dyn Fn(&str)| {
        let mut times: Vec<Duration> = chunks
            .iter()
            .cycle()
            .take(1000)
            .map(|chunk| {
                let start = Instant::now();
                work(chunk);
                start.elapsed()
            })
            .collect();
        times.sort();
        format!(
            "mean {:?}, 99 of 100 under {:?}",
            times.iter().sum::<Duration>() / 1000,
            times[990]
        )
    };
    println!(
        "masking 16 KiB with 100 held secrets: {}",
        time(&|chunk| drop(masker.mask(chunk)))
    );
    println!(
        "credentials in 16 KiB: {}",
        time(&|chunk| drop(credentials(chunk)))
    );
    println!(
        "inspecting 16 KiB: {}",
        time(&|chunk| drop(inspect_text(chunk)))
    );
}

/// How many of a set were flagged.
#[derive(Debug, Default)]
struct Rates {
    all: usize,
    /// Of low severity or more.
    flagged: usize,
    high: usize,
}

impl Rates {
    fn count(&mut self, worst: Option<Severity>) {
        self.all += 1;
        self.flagged += usize::from(worst >= Some(Severity::Low));
        self.high += usize::from(worst >= Some(Severity::High));
    }

    fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.flagged += other.flagged;
        self.high += other.high;
    }
}

impl std::fmt::Display for Rates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |count: usize| 100.0 * count as f64 / self.all.max(1) as f64;
        write!(
            f,
            "{} of {} flagged ({:.1} %), high {} ({:.1} %)",
            self.flagged,
            self.all,
            share(self.flagged),
            self.high,
            share(self.high)
        )
    }
}

fn read(file: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|problem| format!("{}: {problem}", file.display()))?;
    serde_json::from_str(&text).map_err(|problem| format!("{}: {problem}", file.display()))
}
