//! What SECURITY and README say is true: each sentence of "What it protects", and each part of
//! "Works", has a test by name in `what_is_said.txt`, and each of these tests is there.
//!
//! A sentence stands there word for word, with any white space and without `**`. The bold lead-in of
//! a bullet is a heading if it is a sentence of its own. Below, indented, stand its tests: a file and
//! a name. A file without a path lies beside this one, others below `src-tauri`, `tests` or `ui`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const SECURITY: &str = ".github/SECURITY.md";
const README: &str = "README.md";
const TESTS: &str = "tests/promises/what_is_said.txt";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Any white space as one space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The bullets and paragraphs below a heading, up to the next one, each as one line.
fn paragraphs(document: &str, heading: &str) -> Vec<String> {
    let lines = document.lines().skip_while(|line| *line != heading);
    let lines = lines.skip(1).take_while(|line| !line.starts_with("## "));
    let mut found = vec![String::new()];
    for line in lines {
        if line.trim().is_empty() || line.starts_with("- ") {
            found.push(String::new());
        }
        let paragraph = found.last_mut().unwrap();
        paragraph.push(' ');
        paragraph.push_str(line.strip_prefix("- ").unwrap_or(line));
    }
    let found = found.iter().map(|paragraph| folded(paragraph));
    found.filter(|paragraph| !paragraph.is_empty()).collect()
}

/// A paragraph without a lead-in that is a sentence of its own.
fn without_heading(paragraph: &str) -> &str {
    let lead_in = paragraph
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"));
    match lead_in {
        Some((bold, rest)) if bold.ends_with('.') => rest,
        _ => paragraph,
    }
}

/// What SECURITY says that the program does, sentence by sentence.
fn protects(document: &str) -> Vec<String> {
    let paragraphs = paragraphs(document, "## What it protects");
    let sentences = paragraphs.iter().flat_map(|paragraph| {
        let plain = without_heading(paragraph).replace("**", "");
        let sentences = plain.trim().split_inclusive(". ");
        sentences.map(folded).collect::<Vec<_>>()
    });
    sentences.collect()
}

/// What README says that works, part by part.
fn works(document: &str) -> Vec<String> {
    let paragraphs = paragraphs(document, "## What state it is in");
    let parts = paragraphs.iter().filter_map(|paragraph| {
        let parts = paragraph.strip_prefix("**Works**: ")?;
        Some(parts.trim_end_matches('.').split("; ").map(str::to_owned))
    });
    parts.flatten().collect()
}

/// Each sentence of the list, with its tests. An empty line ends both.
fn listed(list: &str) -> Vec<(String, Vec<String>)> {
    let mut found = vec![(String::new(), Vec::new())];
    for line in list.lines() {
        if line.trim().is_empty() {
            found.push((String::new(), Vec::new()));
        }
        let (sentence, tests) = found.last_mut().unwrap();
        if line.starts_with(' ') {
            tests.push(line.trim().to_owned());
        } else {
            *sentence = folded(&format!("{sentence} {line}"));
        }
    }
    found.retain(|(sentence, tests)| !sentence.is_empty() || !tests.is_empty());
    found
}

/// Where a test lies, and its name.
fn place(test: &str) -> Option<(PathBuf, &str)> {
    let (file, name) = test.split_once("::")?;
    let path = match file.split('/').next()? {
        "tests" | "ui" => root().join(file),
        only if only == file => root().join("tests/promises").join(format!("{file}.rs")),
        _ => root().join("src-tauri").join(file),
    };
    Some((path, name))
}

fn is_there(test: &str) -> bool {
    let Some((path, name)) = place(test) else {
        return false;
    };
    let Ok(text) = fs::read_to_string(&path) else {
        return false;
    };
    if path.extension().is_some_and(|kind| kind == "ts") {
        return text.contains(&format!("test('{name}', "));
    }
    // A test whose own program is what is tried has another harness.
    if text.contains(&format!("Trial::test(\"{name}\"")) {
        return true;
    }
    let begin = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let own = line.strip_prefix("async ").unwrap_or(line);
        let above = lines[..at].iter().rev();
        own.starts_with(&begin)
            && above
                .take_while(|line| line.starts_with("#[") || line.starts_with("///"))
                .any(|line| *line == "#[test]" || line.starts_with("#[tokio::test"))
    })
}

/// What is wrong between what is said and the list, each with the sentence or test.
fn problems(said: &[String], list: &[(String, Vec<String>)]) -> Vec<String> {
    let mut times = BTreeMap::<&str, usize>::new();
    for (sentence, _) in list {
        *times.entry(sentence).or_default() += 1;
    }
    let mut problems = Vec::new();
    let missing = said.iter().filter(|one| !times.contains_key(one.as_str()));
    problems.extend(missing.map(|one| format!("has no test: {one}")));
    let twice = times.iter().filter(|(_, times)| **times > 1);
    problems.extend(twice.map(|(one, _)| format!("is listed twice: {one}")));
    for (sentence, tests) in list {
        if !said.contains(sentence) {
            problems.push(format!("is not said any more: {sentence}"));
        }
        if tests.is_empty() {
            problems.push(format!("is listed without a test: {sentence}"));
        }
        let gone = tests.iter().filter(|test| !is_there(test));
        problems.extend(gone.map(|test| format!("there is no test {test}, of: {sentence}")));
    }
    problems
}

#[test]
fn each_sentence_has_a_test_by_name_and_each_of_these_tests_is_there() {
    let (protects, works) = (protects(&read(SECURITY)), works(&read(README)));
    assert!(
        protects.len() >= 35 && works.len() >= 10,
        "not all was found: {protects:#?} {works:#?}"
    );
    let said = [protects, works].concat();
    let problems = problems(&said, &listed(&read(TESTS)));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_sentence_without_a_test_and_a_test_that_is_gone_are_named() {
    let document = "## What it protects\n\nFirst.\n\n- **A heading.** One\n  is `a.b` so. Two.\n- **Three** is\n  bold.\n\n## Next\n\nNo.\n";
    let said = protects(document);
    assert_eq!(
        said,
        ["First.", "One is `a.b` so.", "Two.", "Three is bold."]
    );
    let own = "what_is_said_is_tested::a_sentence_without_a_test_and_a_test_that_is_gone_are_named";
    let list = format!(
        "First.\n    {own}\n\nOne is\n`a.b` so.\n    {own}_not\n    {own}s\n\nTwo.\n\nFour.\n    what_is_said_is_tested::root\n    nowhere::{own}\n\nFirst.\n    {own}\n"
    );
    let found = problems(&said, &listed(&list));
    let named = [
        "has no test: Three is bold.",
        "is listed twice: First.",
        "_not, of: One is `a.b` so.",
        "s, of: One is `a.b` so.",
        "is listed without a test: Two.",
        "is not said any more: Four.",
        "there is no test what_is_said_is_tested::root, of",
        "there is no test nowhere::",
    ];
    assert_eq!(found.len(), named.len(), "{found:#?}");
    for words in named {
        assert!(
            found.iter().any(|one| one.contains(words)),
            "{words}: {found:#?}"
        );
    }
}
