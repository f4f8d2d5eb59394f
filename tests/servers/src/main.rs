//! `misbehave MODE [ARGUMENT]`: an MCP server that misbehaves in one chosen way, over standard input and output.
//!
//! The modes are the arms of `main`. They answer like `ok` in everything in which they do not misbehave.

mod asking;
mod content;
mod dying;
mod echo;
mod leaks;
mod lists;
mod noise;
mod orphan;
mod rpc;
mod schemas;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mode, argument) = (words.next().unwrap_or_default(), words.next());
    match mode.as_str() {
        "ok" | "same-name" => rpc::serve(echo::Echo),
        "described" => rpc::serve(lists::Described { file: argument.unwrap_or_default().into() }),
        "many" => rpc::serve(lists::Many { tools: argument.and_then(|number| number.parse().ok()).unwrap_or(1_000) }),
        "endless-cursor" => rpc::serve(lists::Endless::default()),
        "exits" => return noise::exits(),
        "junk" => noise::junk(),
        "only-junk" => noise::only_junk(),
        "silent" => noise::silent(),
        "stderr-flood" => noise::flood(),
        "huge-line" => rpc::serve(dying::HugeLine),
        "dies-in-call" => rpc::serve(dying::Dies),
        "hangs-in-call" => rpc::serve(dying::Hangs),
        "ignores-eof" => dying::ignores_eof(),
        "ignores-eof-only" => dying::sits_on(),
        "orphan" => orphan::orphan(),
        "asks-roots" => rpc::serve(asking::AsksRoots::default()),
        "elicits" => rpc::serve(asking::Elicits),
        "bad-schema" => rpc::serve(schemas::BadSchema),
        "wrong-structured" => rpc::serve(schemas::WrongStructured),
        "leaks" => leaks::leaks(&argument.unwrap_or_default()),
        "all-content" => rpc::serve(content::AllContent),
        _ => {
            rpc::complain(&format!("there is no mode {mode:?}"));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
