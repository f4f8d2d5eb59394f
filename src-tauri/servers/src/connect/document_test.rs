//! Entries are written into texts of every shape and taken out again, and nothing else changes.

use super::document::{Change, Notation, Place, edit, read, snippet};
use super::file;
use proptest::prelude::*;
use serde_json::{Value, json};

const SERVERS: Place = Place {
    keys: &["mcpServers"],
    is_list: false,
};
const CODEX: Place = Place {
    keys: &["mcp_servers"],
    is_list: false,
};
const GOOSE: Place = Place {
    keys: &["extensions"],
    is_list: false,
};
const CONTINUE: Place = Place {
    keys: &["mcpServers"],
    is_list: true,
};

fn ours() -> Value {
    json!({"command": "/opt/majordomo/majordomoctl", "args": ["bridge", "--client", "editor"]})
}

fn put(notation: Notation, place: Place, text: &str) -> Result<String, String> {
    edit(notation, text, place, &[Change::Put("majordomo", &ours())])
}

fn take(notation: Notation, place: Place, text: &str) -> Result<String, String> {
    edit(notation, text, place, &[Change::Take("majordomo")])
}

/// Every line of a text stands in another, in the same order, but for commas.
fn keeps_lines(before: &str, after: &str) -> bool {
    let plain = |line: &str| line.trim_end().trim_end_matches(',').trim().to_owned();
    let mut there = after.lines().map(plain);
    before
        .lines()
        .map(plain)
        .all(|line| there.any(|other| other == line))
}

const JSON: [&str; 6] = [
    "{\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\" // mine\n    }\n  }\n}\n",
    "// head\n{\n\t\"theme\": \"One\", /* why */\n\t\"mcpServers\": {\n\t\t// none yet\n\t},\n}\n",
    "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"x\"},\r\n  },\r\n  \"z\": 1\r\n}\r\n",
    "\u{feff}{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}",
    "{\n    \"mcpServers\": {\n        \"a\": {\"command\": \"x\"}\n    }\n}",
    "{\n  \"mcpServers\": {\n    \"majordomo-2\": {\"command\": \"x\"}\n  }\n}\n",
];

const TOML: [&str; 4] = [
    "# mine\nmodel = \"x\"\n\n[mcp_servers.files] # why\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n]\n\n[tui]\ntheme = 'one'\n",
    "[mcp_servers.a]\r\ncommand = \"x\"\r\n\r\n# the end\r\n[projects.\"/srv\"]\r\ntrust = \"no\"\r\n",
    "model = \"x\"\n",
    "\u{feff}[mcp_servers]\n[mcp_servers.a]\ncommand = \"x\"\n",
];

const YAML: [&str; 7] = [
    "# mine\nGOOSE_MODEL: x # why\nextensions:\n  developer: # built in\n    enabled: true\n    type: builtin\n\n# the end\nother: 1\n",
    "extensions:\n    a: &a\n        cmd: x\n    b: *a\n",
    "---\nextensions:\r\n  a:\r\n    cmd: x\r\nz: 1",
    "extensions:\n  a:\n    cmd: x",
    "extensions:\n  a: {cmd: x}\n  # last words\n",
    "extensions:\n  a:\n    about: |\n      # not a comment\n      other:\n    cmd: x\n",
    "other: 1\n",
];

#[test]
fn an_entry_goes_in_and_out_and_everything_else_stays() {
    let all = JSON
        .map(|text| (Notation::Json, SERVERS, text))
        .into_iter()
        .chain(TOML.map(|text| (Notation::Toml, CODEX, text)))
        .chain(YAML.map(|text| (Notation::Yaml, GOOSE, text)));
    for (notation, place, text) in all {
        let with = put(notation, place, text).unwrap_or_else(|why| panic!("{why}: {text:?}"));
        assert!(keeps_lines(text, &with), "{text:?}\n{with:?}");
        assert_eq!(with.contains("\r\n"), text.contains("\r\n"), "{with:?}");
        assert_eq!(with.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        assert_eq!(put(notation, place, &with).unwrap(), with, "twice");
        let without = take(notation, place, &with).unwrap_or_else(|why| panic!("{why}: {with:?}"));
        assert!(keeps_lines(text, &without), "{text:?}\n{without:?}");
        let (before, after) = (
            read(notation, text).unwrap(),
            read(notation, &without).unwrap(),
        );
        if before.get(place.keys[0]).is_some() {
            assert_eq!(before, after);
            // What ended without a line end has one now.
            assert_eq!(without.trim_end(), text.trim_end(), "{with:?}");
        }
    }
}

#[test]
fn a_list_of_servers_that_hold_their_names_is_written_as_one() {
    for text in [
        "name: mine\nmcpServers:\n  - name: a # one\n    command: x\n  - name: b\n    command: y\n\nmodels: []\n",
        "mcpServers:\n- command: x\n  name: a\nz: 1\n",
        "mcpServers: []\n",
        "name: mine\n",
    ] {
        let with = put(Notation::Yaml, CONTINUE, text).unwrap();
        let listed = read(Notation::Yaml, &with).unwrap()["mcpServers"].clone();
        let last = listed.as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["name"], "majordomo", "{with}");
        assert_eq!(last["args"], json!(["bridge", "--client", "editor"]));
        let without = take(Notation::Yaml, CONTINUE, &with).unwrap();
        if text.contains("mcpServers") {
            assert_eq!(without, text, "{with}");
        }
    }
}

#[test]
fn a_table_on_one_line_stays_on_one() {
    let text = "mcp_servers = { a = { command = \"x\" } } # all\n";
    let with = put(Notation::Toml, CODEX, text).unwrap();
    assert!(
        with.starts_with("mcp_servers = { a = ") && with.ends_with("# all\n"),
        "{with}"
    );
    assert_eq!(
        read(Notation::Toml, &with).unwrap()["mcp_servers"]["majordomo"],
        ours()
    );
    assert_eq!(
        take(Notation::Toml, CODEX, &with).unwrap().replace(' ', ""),
        text.replace(' ', "")
    );
}

#[test]
fn what_cannot_be_kept_in_its_form_is_refused() {
    for (notation, place, text) in [
        (Notation::Json, SERVERS, "{ broken"),
        (Notation::Json, SERVERS, "[]"),
        (Notation::Json, SERVERS, "{\"mcpServers\": []}"),
        (
            Notation::Json,
            SERVERS,
            "{\"mcpServers\": {}, \"mcpServers\": {\"a\": 1}}",
        ),
        (Notation::Toml, CODEX, "mcp_servers = 1\n"),
        (Notation::Toml, CODEX, "[mcp_servers.a\n"),
        (Notation::Toml, CODEX, "a = 1\r\nb = 2\n"),
        (Notation::Yaml, GOOSE, "extensions: {a: {cmd: x}}\n"),
        (Notation::Yaml, GOOSE, "{extensions: {}}\n"),
        (Notation::Yaml, GOOSE, "extensions: *a\n"),
        (Notation::Yaml, GOOSE, "a: 1\n---\nb: 2\n"),
    ] {
        assert!(put(notation, place, text).is_err(), "{text:?}");
    }
}

#[test]
fn a_snippet_is_what_would_have_been_written() {
    assert_eq!(
        snippet(Notation::Toml, CODEX, "majordomo", &ours()),
        "[mcp_servers.majordomo]\ncommand = \"/opt/majordomo/majordomoctl\"\nargs = [\"bridge\", \"--client\", \"editor\"]\n"
    );
    let yaml = snippet(Notation::Yaml, GOOSE, "majordomo", &ours());
    assert!(
        yaml.starts_with("extensions:\n  majordomo:\n    command: "),
        "{yaml}"
    );
    let json = snippet(Notation::Json, SERVERS, "majordomo", &ours());
    assert!(json.contains("\n    \"majordomo\": {"), "{json}");
}

/// A text out of pieces that files of this notation are made of, in any order.
fn pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..14).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever the text is: it is refused, or means the same with the entry and nothing else.
    #[test]
    fn no_text_means_anything_else_afterwards(
        json in pieces(&["{", "}", "\"mcpServers\"", "\"majordomo\"", ": ", "\"a\"", ",", "{}", "[]", "1", "\n", "  ", "// x\n", "/* y */", "\r\n", "null"]),
        toml in pieces(&["[mcp_servers.a]\n", "[mcp_servers]\n", "[other]\n", "a = 1\n", "a.b = 2\n", "# x\n", "\r\n", "mcp_servers.z.command = \"x\"\n", "[[list]]\n", "s = '''\nx\n'''\n", "mcp_servers = {}\n"]),
        yaml in pieces(&["extensions:\n", "extensions: {}\n", "  a:\n", "    cmd: x\n", "  majordomo:\n", "    cmd: y\n", "# x\n", "\n", "b: 1\n", "  # y\n", "    t: |\n", "      text\n", "---\n", "- 1\n", "extensions: null # z\n"]),
    ) {
        for (notation, place, text) in [
            (Notation::Json, SERVERS, json),
            (Notation::Toml, CODEX, toml),
            (Notation::Yaml, GOOSE, yaml),
        ] {
            let Ok(with) = put(notation, place, &text) else { continue };
            let mut meant = read(notation, &with).unwrap();
            let servers = meant[place.keys[0]].as_object_mut().unwrap();
            prop_assert_eq!(servers.shift_remove("majordomo"), Some(ours()));
            let mut before = read(notation, &text).unwrap();
            let map = before.as_object_mut().unwrap();
            let there = map.entry(place.keys[0]).or_insert(json!({}));
            if there.is_null() { *there = json!({}); }
            there.as_object_mut().unwrap().shift_remove("majordomo");
            prop_assert_eq!(meant, before);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is in a file: connected and given back it holds the same bytes.
    #[test]
    fn a_file_comes_back_byte_for_byte(
        mark in any::<bool>(),
        json in pieces(&["{\"mcpServers\": {", "}}", "}", "\"a\": {\"command\": \"é\"}", ",", "\n", "\r\n", "\t", "// x\n", "/* y */"]),
        toml in pieces(&["[mcp_servers.a]\n", "[mcp_servers.b]\r\n", "x = 'é'\n", "y = 1\r\n", "# z\n", "\n", "\r\n"]),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings");
        for (notation, place, text) in [(Notation::Json, SERVERS, json), (Notation::Toml, CODEX, toml)] {
            let text = if mark { format!("\u{feff}{text}") } else { text };
            let Ok(with) = put(notation, place, &text) else { continue };
            std::fs::write(&path, &text).unwrap();
            let before = file::read(&path).unwrap();
            file::write(&before, &with).unwrap();
            let now = file::read(&path).unwrap();
            prop_assert_eq!(now.text.as_ref(), Some(&with));
            file::write(&now, before.text.as_ref().unwrap()).unwrap();
            prop_assert_eq!(std::fs::read(&path).unwrap(), text.as_bytes());
        }
    }
}
