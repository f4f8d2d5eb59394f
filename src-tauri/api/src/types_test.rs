//! Writes `ui/src/host/types.gen.ts`, and fails when the committed file is not what the types say.

use crate::bounds::TEXT;
use crate::{
    EventEnvelope, MOST_ATTACHED, MOST_ATTACHMENTS, MOST_IMPORTED, Request, Visitor, visit_all,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use ts_rs::{Config, TS, TypeVisitor};

const HEAD: &str = "// Written from Rust (src-tauri/api) by its test. Do not edit: run `UPDATE_TYPES=1 cargo test -p api types`.\n";

struct Types<'a> {
    config: &'a Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        T::visit_generics(self);
        // Only types of our own have a file to be written to; numbers and lists have not.
        if T::output_path().is_none() {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}\n", T::decl(self.config));
        if self.found.insert(T::ident(self.config), text).is_none() {
            T::visit_dependencies(self);
        }
    }
}

/// The table "request → what goes with it, what comes back".
struct Table<'a> {
    types: Types<'a>,
    rows: String,
}

impl Visitor for Table<'_> {
    fn visit<R: Request<Reply: TS> + TS>(&mut self) {
        let config = self.types.config;
        let (name, reply) = (R::name(config), R::Reply::name(config));
        let params = if R::inline(config).contains(':') {
            name
        } else {
            "undefined".to_owned()
        };
        let method = R::METHOD;
        _ = writeln!(
            self.rows,
            "  {method}: {{ params: {params}; reply: {reply} }}"
        );
        if params != "undefined" {
            TypeVisitor::visit::<R>(&mut self.types);
        }
        TypeVisitor::visit::<R::Reply>(&mut self.types);
    }
}

#[test]
fn the_types_of_the_pages_are_those_of_the_contract() {
    let config = Config::new().with_large_int("number");
    let types = Types {
        config: &config,
        found: BTreeMap::new(),
    };
    let mut table = Table {
        types,
        rows: String::new(),
    };
    visit_all(&mut table);
    TypeVisitor::visit::<EventEnvelope>(&mut table.types);
    let mut text = HEAD.to_owned();
    _ = write!(
        text,
        "\n/** Every request by its method: what goes with it, and what comes back. */\nexport interface Contract {{\n{}}}\n",
        table.rows
    );
    _ = write!(
        text,
        "\n/** What the pages refuse before they ask: things by their number, all else in bytes. */\nexport const BOUNDS = {{\n  text: {TEXT},\n  attachments: {MOST_ATTACHMENTS},\n  attached: {MOST_ATTACHED},\n  imported: {MOST_IMPORTED},\n}} as const\n"
    );
    for declaration in table.types.found.values() {
        text.push('\n');
        text.push_str(declaration);
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../ui/src/host/types.gen.ts"
    );
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        committed == text,
        "types.gen.ts is not what the types say; run `UPDATE_TYPES=1 cargo test -p api types`"
    );
}
