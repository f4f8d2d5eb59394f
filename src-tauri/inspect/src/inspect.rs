//! What a definition or a text holds that a person or policy should know.

use crate::credentials::Credentials;
use crate::instructions::{Context, instructions};
use crate::redact::ToCover;
use crate::spots::Spots;
use crate::texts::{Text, Use, texts};
use crate::{Catalogue, Finding, FindingKind, Inspection, Severity};
use crate::{hidden_places, is_disguised, markup, targets};
use protocol::ToolSpec;

/// The longest text of a definition that a person can be expected to read, in bytes.
const READABLE: usize = 64 * 1024;
/// The most of one text that is inspected, in bytes; more than that is never shown to a model as
/// one text.
const MOST: usize = 8 * 1024 * 1024;

/// Inspects everything that a server says about one tool, among all tools that are known.
pub fn inspect_tool(server: &str, tool: &ToolSpec, catalogue: &Catalogue) -> Inspection {
    let own = tool.name.as_str().to_lowercase();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(|properties| properties.as_object());
    let arguments: Vec<String> = properties
        .into_iter()
        .flat_map(|all| all.keys())
        .map(|key| key.to_lowercase())
        .collect();
    let context = Context {
        own: &own,
        arguments: &arguments,
        alone: false,
    };
    let mut findings = Vec::new();
    for text in texts(tool) {
        let found = of_definition(server, &text, context, catalogue);
        findings.extend(found.into_iter().map(|finding| Finding {
            at: text.at.clone(),
            ..finding
        }));
    }
    Inspection::of(findings)
}

/// Inspects a text that stands alone: a result, a message, a server's instructions.
pub fn inspect_text(text: &str) -> Inspection {
    let text = &text[..text.floor_char_boundary(MOST)];
    inspect_found(text, &ToCover::of(text))
}

/// The same for a text whose credentials and personal numbers are known.
pub(crate) fn inspect_found(text: &str, found: &ToCover) -> Inspection {
    let mut findings: Vec<Finding> = hidden(text).into_iter().collect();
    findings.extend(instructions(
        text,
        Context {
            alone: true,
            ..Context::default()
        },
    ));
    findings.extend(found.credentials.findings(text));
    findings.extend(found.numbers.findings(text));
    // Documents are full of pictures and of names of files: worth knowing, and nothing odd.
    let known = targets::in_spots(text, &found.spots)
        .into_iter()
        .chain(markup::in_spots(text, &found.spots));
    findings.extend(known.map(|finding| {
        if finding.severity == Severity::Low {
            Finding {
                severity: Severity::Info,
                ..finding
            }
        } else {
            finding
        }
    }));
    Inspection::of(findings)
}

fn of_definition(
    server: &str,
    text: &Text<'_>,
    context: Context<'_>,
    catalogue: &Catalogue,
) -> Vec<Finding> {
    let whole = text.text;
    let shown = &whole[..whole.floor_char_boundary(READABLE)];
    let mut findings: Vec<Finding> = hidden(shown).into_iter().collect();
    if shown.len() < whole.len() {
        findings.push(Finding::of(
            FindingKind::TooLarge,
            Severity::Medium,
            whole,
            0..Finding::EVIDENCE,
        ));
    }
    let spots = Spots::of(shown);
    match text.used {
        Use::Name => {
            findings.extend(instructions(&shown.replace(['_', '-'], " "), context));
            if is_disguised(shown) {
                findings.push(Finding::of(
                    FindingKind::LookAlikeName,
                    Severity::High,
                    shown,
                    0..shown.len(),
                ));
            }
        }
        Use::Words => {
            findings.extend(instructions(shown, context));
            findings.extend(catalogue.foreign_tools(server, shown));
            findings.extend(targets::in_spots(shown, &spots));
            findings.extend(
                markup::in_spots(shown, &spots)
                    .into_iter()
                    .filter(|finding| finding.kind == FindingKind::ActiveContent),
            );
        }
        Use::Data => findings.extend(instructions(shown, context)),
    }
    findings.extend(Credentials::of(shown, &spots).findings(shown));
    findings
}

/// One finding for all characters that nobody sees: the first of them and how many there are.
fn hidden(text: &str) -> Option<Finding> {
    let count = hidden_places(text).count();
    if count == 0 {
        return None;
    }
    let first = text
        .char_indices()
        .map(|(index, c)| index..index + c.len_utf8())
        .find(|range| crate::has_hidden(&text[range.clone()]))
        .unwrap_or(0..0);
    let words = format!("{} ({count})", text.get(first.clone()).unwrap_or_default());
    Some(Finding::of(FindingKind::HiddenCharacters, Severity::High, text, first).showing(&words))
}
