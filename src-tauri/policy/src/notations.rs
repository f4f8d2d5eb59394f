//! The notations of `tests/notations.txt`, filled in.

/// Each notation that has a `gap` in it, with the text that it becomes.
pub(crate) fn with<'a>(
    gap: &'a str,
    path: &'a str,
    host: &'a str,
) -> impl Iterator<Item = (&'a str, String)> {
    include_str!("../tests/notations.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" | "))
        .filter(move |(_, notation)| notation.contains(gap))
        .map(move |(_, notation)| {
            let text = notation.replace("{path}", path).replace("{host}", host);
            (notation, text)
        })
}
