//! Writes `ui/src/host/types.gen.ts`, and fails when the committed file is not what the types say.

use crate::api;
use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

struct Collect<'a> {
    config: &'a Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Collect<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        T::visit_generics(self);
        // Only types of our own have a file to be written to; numbers and lists have not.
        if T::output_path().is_none() {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        if self.found.insert(T::ident(self.config), format!("{docs}export {}\n", T::decl(self.config))).is_none() {
            T::visit_dependencies(self);
        }
    }
}

#[test]
fn the_types_of_the_window_are_those_of_the_host() {
    let config = Config::new().with_large_int("number");
    let mut collect = Collect { config: &config, found: BTreeMap::new() };
    collect.visit::<api::Request>();
    collect.visit::<api::Snapshot>();
    collect.visit::<api::Review>();
    collect.visit::<api::ServerLog>();
    collect.visit::<api::ToolView>();
    collect.visit::<api::OffersReview>();
    collect.visit::<api::FoundConfiguration>();
    collect.visit::<api::ImportPreview>();
    collect.visit::<api::ImportOutcome>();
    collect.visit::<api::ActivityPage>();
    collect.visit::<api::ActivityDetail>();
    collect.visit::<api::LogReport>();
    collect.visit::<api::Export>();
    collect.visit::<api::LogExport>();
    collect.visit::<api::Numbered>();
    collect.visit::<api::Answered>();
    collect.visit::<protocol::ToolAnswer>();
    collect.visit::<api::ResourceList>();
    collect.visit::<protocol::ResourceAnswer>();
    collect.visit::<protocol::PromptAnswer>();
    collect.visit::<protocol::PromptSpec>();
    collect.visit::<protocol::Completion>();
    collect.visit::<api::ProtocolLog>();
    collect.visit::<api::Exchange>();
    collect.visit::<api::DoctorReport>();
    collect.visit::<api::PolicyView>();
    collect.visit::<api::Supposition>();
    collect.visit::<api::AnswerPreview>();
    collect.visit::<api::BatchOutcome>();
    collect.visit::<api::Tightening>();
    collect.visit::<api::SamplingView>();
    collect.visit::<api::AnchorExport>();
    collect.visit::<api::AnchorCheck>();
    collect.visit::<api::Compacted>();
    collect.visit::<api::TelemetryView>();
    let mut text =
        "// Written from Rust (src-tauri/host/src/api.rs) by its test. Do not edit: run `UPDATE_TYPES=1 cargo test -p host types`.\n"
            .to_owned();
    for declaration in collect.found.values() {
        text.push('\n');
        text.push_str(declaration);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/host/types.gen.ts");
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(committed == text, "types.gen.ts is not what the types say; run `UPDATE_TYPES=1 cargo test -p host types`");
}
