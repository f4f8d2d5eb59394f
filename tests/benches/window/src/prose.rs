//! What a model might answer: Markdown with everything in it that replies have.

use load::prose::sentence;

/// Markdown of about so many bytes, the same each time.
pub fn markdown(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1_024);
    let mut number = 0;
    while text.len() < bytes {
        text += &block(number);
        text += "\n\n";
        number += 1;
    }
    text.truncate(bytes);
    text
}

fn block(number: u64) -> String {
    let said = |many: u64| (0..many).map(|nth| sentence(number * 10 + nth));
    match number % 8 {
        0 => format!("## {}", sentence(number)),
        3 => said(4)
            .map(|item| format!("- **{number}** {item}\n"))
            .collect(),
        5 => {
            let lines = said(6).map(|line| format!("    say(\"{line}\");\n"));
            format!(
                "```rust\nfn number_{number}() {{\n{}}}\n```",
                lines.collect::<String>()
            )
        }
        7 => {
            let rows = said(3).map(|cell| format!("| {number} | {cell} |\n"));
            format!("| n | what |\n|---|---|\n{}", rows.collect::<String>())
        }
        _ => said(6).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_long_as_was_asked_for_and_has_everything_in_it() {
        let text = markdown(20_000);
        assert_eq!(text.len(), 20_000);
        for part in ["## ", "- **", "```rust", "| n | what |"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
