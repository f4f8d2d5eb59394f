//! `misbehave MODE [ARGUMENT]`: an MCP server that misbehaves in one chosen way, over standard
//! input and output; `conforming` is the one that does not.
//!
//! The modes are the arms of `main`. They answer like `ok` in everything in which they do not
//! misbehave.

mod answers;
mod asking;
mod besieges;
mod breakout;
mod clock;
mod codex;
mod conforming;
mod content;
mod counting;
mod dying;
mod echo;
mod eras;
mod heard;
mod hostile;
mod lab;
mod leaks;
mod lists;
mod modern;
mod noise;
mod offers;
mod orphan;
mod reaching;
mod rpc;
mod says;
mod schemas;
mod scripted;
mod unbidden;

use std::process::ExitCode;
use test_servers::process_name;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mode, argument) = (words.next().unwrap_or_default(), words.next());
    heard::started(&process_name::own());
    match mode.as_str() {
        "ok" | "same-name" => rpc::serve(echo::Echo),
        "described" => rpc::serve(lists::Described {
            file: argument.unwrap_or_default().into(),
        }),
        "alternates" => rpc::serve(lists::Alternates::default()),
        "restless" => rpc::serve(lists::Restless {
            tools: argument
                .and_then(|number| number.parse().ok())
                .unwrap_or(50),
            listed: 0,
            began: false,
        }),
        "many" => rpc::serve(lists::Many {
            tools: argument
                .and_then(|number| number.parse().ok())
                .unwrap_or(1_000),
        }),
        "endless-cursor" => rpc::serve(lists::Endless::default()),
        "fat-list" => rpc::serve(hostile::FatList),
        "shouts" => rpc::serve(hostile::Shouts),
        "besieges" => besieges::besieges(argument.unwrap_or_default()),
        "counts-values" => rpc::serve(hostile::CountsValues),
        "exits" => return noise::exits(),
        "junk" => noise::junk(),
        "only-junk" => noise::only_junk(),
        "silent" => noise::silent(),
        "stderr-flood" => noise::flood(),
        "huge-line" => rpc::serve(dying::HugeLine),
        "dies-in-call" => rpc::serve(dying::Dies),
        "freezes-in-call" => rpc::serve(dying::Freezes),
        "hangs-in-call" => rpc::serve(dying::Hangs),
        "ignores-eof" => dying::ignores_eof(),
        "ignores-eof-only" => dying::sits_on(),
        "orphan" => orphan::orphan(),
        "kills-launcher" => breakout::break_out("KILL"),
        "stops-launcher" => breakout::break_out("STOP"),
        "asks-roots" => rpc::serve(asking::AsksRoots::waiting_for(argument)),
        "asks-first" => rpc::serve(asking::AsksFirst),
        "elicits" => rpc::serve(asking::Elicits {
            file: argument.map(Into::into),
        }),
        "asks-unbidden" => {
            unbidden::unbidden(argument.and_then(|number| number.parse().ok()).unwrap_or(1))
        }
        "bad-schema" => rpc::serve(schemas::BadSchema),
        "heavy-schemas" => rpc::serve(schemas::HeavySchemas),
        "wrong-structured" => rpc::serve(schemas::WrongStructured),
        "says" => rpc::serve(says::Says),
        "reaches" => rpc::serve(reaching::Reaches::default()),
        "leaks" => leaks::leaks(&argument.unwrap_or_default()),
        "all-content" => rpc::serve(content::AllContent),
        // Servers of 2026-07-28, and how servers of either era meet the first message of the other.
        "modern" => argument
            .map_or_else(modern::Modern::default, modern::Modern::keeping)
            .serve(),
        "endless-rounds" => modern::Modern::endless().serve(),
        "slow-legacy" => {
            eras::wait(argument);
            rpc::serve(echo::Echo);
        }
        "slow-modern" => {
            eras::wait(argument);
            modern::Modern::default().serve();
        }
        "exits-on-probe" => return eras::exits_on_probe(),
        "silent-on-probe" => eras::silent_on_probe(),
        "dies-after-probe" => return eras::dies_after_probe(),
        "pins-era" => eras::pins_era(),
        "only-2024" => rpc::serve(eras::Revision("2024-11-05")),
        "odd-revision" => rpc::serve(eras::Revision("1999-12-31")),
        "names-older" => rpc::serve(eras::NamesOlder),
        "future" => eras::future(),
        "agrees" => rpc::serve(eras::Agrees),
        // Answers in odd forms, at odd times, or after a condition.
        "batches" => {
            rpc::speak_in_batches();
            rpc::serve(answers::Batches);
        }
        "wrong-ids" => rpc::serve(answers::WrongIds),
        "late-answers" => rpc::serve(answers::LateAnswers),
        "url-required" => rpc::serve(answers::UrlRequired::default()),
        "pings" => rpc::serve(answers::Pings),
        "reads-late" => rpc::serve(answers::ReadsLate {
            file: argument.unwrap_or_default().into(),
        }),
        "list-changed-storm" => rpc::serve(answers::Storm::default()),
        "counts" => rpc::serve(counting::Counts {
            file: argument.unwrap_or_default().into(),
        }),
        "clock" => rpc::serve(clock::Clock),
        "codex" => rpc::serve(codex::Codex {
            file: argument.unwrap_or_default().into(),
        }),
        "scripted" => rpc::serve(scripted::Scripted {
            file: argument.unwrap_or_default().into(),
            asked: 0,
        }),
        "conforming" if argument.as_deref() == Some("handshake") => {
            rpc::serve(conforming::Handshake::default())
        }
        "conforming" => modern::serve(conforming::Stateless::default()),
        // The servers of courses on agents.
        "lab-currency" => rpc::serve(lab::Currency::of(argument)),
        "lab-currency-together" => rpc::serve(lab::Currency::together(argument)),
        "lab-images" => rpc::serve(lab::Images::of(argument)),
        "lab-shipping" => rpc::serve(lab::Shipping::of(argument)),
        "lab-shipping-silent" => rpc::serve(lab::Shipping::silent(argument)),
        "lab-shipping-asks" => rpc::serve(lab::Shipping::asking(argument)),
        "lab-shipping-pauses" => modern::serve(lab::PausingShipping::of(argument)),
        "resources-and-prompts" => rpc::serve(offers::Offers::of(argument)),
        _ => {
            rpc::complain(&format!("there is no mode {mode:?}"));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
