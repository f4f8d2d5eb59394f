//! `majordomoctl servers …`

use super::{client, diagnose, import, sampling, sign_in};
use crate::args::{AddServer, EraWord, Servers};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::{ask, print};
use host::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Adds, lists, switches and removes servers.
pub(crate) async fn run(link: &Link, command: Servers, json: bool) -> Result<Exit, HostError> {
    let named = |method: &str, name: &str| json!({"method": method, "params": {"server": name}});
    match command {
        Servers::Add(add) => {
            let draft = draft(add)?;
            let view = link.ask(&json!({"method": "add_server", "params": {"draft": draft}})).await?;
            if json {
                print::json(&view);
            }
            let name = print::text(&view, "/id");
            print::note(format_args!("Added {name}, switched off. Next: majordomoctl servers review {name}"));
        }
        Servers::Import(wanted) => import::run(link, wanted, json).await?,
        Servers::List => {
            let snapshot = link.ask(&json!({"method": "snapshot"})).await?;
            if json { print::json(&snapshot["servers"]) } else { list(&snapshot["servers"]) }
        }
        Servers::Review { name } => review(link, &name, json).await?,
        Servers::Enable { name } => return enable(link, &name, json).await,
        Servers::Disable { name } => {
            let view = link.ask(&named("disable_server", &name)).await?;
            if json {
                print::json(&view);
            }
            print::note(format_args!("{name} is off."));
        }
        Servers::Remove { name } => {
            link.ask(&named("remove_server", &name)).await?;
            if json {
                print::json(&json!({"removed": name}));
            }
            print::note(format_args!("{name} is removed, with its credentials, folders and grants."));
        }
        Servers::Logs { name } => {
            let log = link.ask(&named("server_log", &name)).await?;
            if json {
                print::json(&log);
            } else {
                for line in log["lines"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                    print::result(print::visible(line));
                }
            }
        }
        Servers::SignIn { name, allow } => return sign_in::sign_in(link, &name, &allow, json).await,
        Servers::SignOut { name, account } => sign_in::sign_out(link, &name, account, json).await?,
        Servers::Accounts { name, switch } => sign_in::accounts(link, &name, switch, json).await?,
        Servers::Client(wanted) => client::run(link, wanted, json).await?,
        Servers::Diagnose { name } => return diagnose::run(link, &name, json).await,
        Servers::Sampling(wanted) => sampling::run(link, wanted, json).await?,
        Servers::Era { name, era: wanted } => era(link, &name, wanted, json).await?,
    }
    Ok(Exit::Done)
}

/// Chooses in which era a server is spoken to, or shows it.
async fn era(link: &Link, name: &str, wanted: Option<EraWord>, json: bool) -> Result<(), HostError> {
    let view = match wanted {
        Some(word) => {
            let era = match word {
                EraWord::Auto => "auto",
                EraWord::Modern => "modern",
                EraWord::Legacy => "legacy",
            };
            link.ask(&json!({"method": "set_era", "params": {"server": name, "era": era}})).await?
        }
        None => view(link, name).await?,
    };
    if json {
        print::json(&view["era"]);
    } else {
        print::table(&["CHOSEN", "FOUND"], &[vec![print::text(&view, "/era/choice"), print::text(&view, "/era/found")]]);
    }
    Ok(())
}

/// One server as the host shows it.
pub(crate) async fn view(link: &Link, name: &str) -> Result<Value, HostError> {
    let snapshot = link.ask(&json!({"method": "snapshot"})).await?;
    let mut views = snapshot["servers"].as_array().into_iter().flatten();
    let found = views.find(|view| view["id"].as_str().is_some_and(|id| id.eq_ignore_ascii_case(name))).cloned();
    found.ok_or_else(|| {
        link::error(ErrorCode::UnknownServer, format!("there is no server called {name}"), "See `majordomoctl servers list`.")
    })
}

fn draft(add: AddServer) -> Result<Value, HostError> {
    let keep = if add.session { "session" } else { "keyring" };
    let target = match add.url {
        Some(url) => {
            let mut target = json!({"kind": "http", "url": url, "headers": settings(add.header, add.secret_header, false)?});
            for (name, file) in [("authority", add.authority), ("certificate", add.certificate), ("key", add.key)] {
                if let Some(file) = file {
                    target[name] = json!({"kind": "file", "path": absolute(&file)?});
                }
            }
            target
        }
        None => {
            let mut words = add.command.into_iter();
            let command = words.next().unwrap_or_default();
            let (args, env): (Vec<String>, _) = (words.collect(), settings(add.env, add.secret_env, true)?);
            json!({"kind": "stdio", "command": command, "args": args, "env": env, "cwd": add.cwd})
        }
    };
    Ok(json!({"name": add.name, "target": target, "keep": keep}))
}

fn settings(plain: Vec<String>, secret: Vec<String>, from_environment: bool) -> Result<Vec<Value>, HostError> {
    let mut settings = Vec::new();
    for pair in plain {
        let (name, text) =
            pair.split_once('=').ok_or_else(|| link::error(ErrorCode::BadSetting, format!("{pair:?} has no '='"), "Write NAME=VALUE."))?;
        settings.push(json!({"name": name, "value": {"kind": "plain", "text": text}}));
    }
    for name in secret {
        let value = secret_value(&name, from_environment)?;
        settings.push(json!({"name": name, "value": {"kind": "new_secret", "value": value}}));
    }
    Ok(settings)
}

/// The path from the root of the disk: the host has another working directory.
fn absolute(path: &Path) -> Result<PathBuf, HostError> {
    std::path::absolute(path)
        .map_err(|problem| link::error(ErrorCode::BadSetting, format!("{}: {problem}", path.display()), "Give the path of a file."))
}

/// The value of a secret: never from an argument, which every program on this computer could read.
pub(super) fn secret_value(name: &str, from_environment: bool) -> Result<String, HostError> {
    if let Some(value) = from_environment.then(|| std::env::var(name).ok()).flatten() {
        return Ok(value);
    }
    let unread = |problem: std::io::Error| {
        link::error(ErrorCode::BadSetting, format!("no value for {name}: {problem}"), "Type it when asked, or pass it on standard input.")
    };
    if ask::interactive() {
        return rpassword::prompt_password(format!("Value of {name} (not shown): ")).map_err(unread);
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(unread)?;
    let value = line.trim_end_matches(['\n', '\r']);
    if value.is_empty() {
        return Err(unread(std::io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(value.to_owned())
}

async fn review(link: &Link, name: &str, json: bool) -> Result<(), HostError> {
    let review = link.ask(&json!({"method": "review_server", "params": {"server": name}})).await?;
    if json {
        print::json(&review)
    } else {
        show_review(&review)
    }
    link.ask(&json!({"method": "accept_review", "params": {"server": name, "reviewed": review["fingerprint"]}})).await?;
    print::note(format_args!("Reviewed. Switch it on with: majordomoctl servers enable {name}"));
    Ok(())
}

/// Everything that decides what runs, in full, each part on its own line.
fn show_review(review: &Value) {
    let line = |label: &str, text: String| print::result(format_args!("{label:<20} {}", print::visible(&text)));
    line("name", print::text(review, "/name"));
    match print::text(review, "/launch/kind").as_str() {
        "http" => line("calls", print::text(review, "/launch/url")),
        "builtin" => line("runs", format!("the built-in server {}", print::text(review, "/launch/name"))),
        _ => line("runs", print::text(review, "/launch/command")),
    }
    for arg in review.pointer("/launch/args").and_then(Value::as_array).into_iter().flatten() {
        line("  argument", print::text(arg, ""));
    }
    for key in ["/launch/env", "/launch/headers"] {
        for setting in review.pointer(key).and_then(Value::as_array).into_iter().flatten() {
            let value = setting.pointer("/value/text").map_or_else(|| "(secret)".to_owned(), |text| print::text(text, ""));
            line("  with", format!("{}={value}", print::text(setting, "/name")));
        }
    }
    for (label, place) in [("trusts", "/authority"), ("shows", "/identity/certificate"), ("  with key", "/identity/key")] {
        if let Some(place) = review.pointer(&format!("/launch{place}")) {
            line(label, place["path"].as_str().map_or_else(|| "(secret)".to_owned(), str::to_owned));
        }
    }
    if !review["cwd"].is_null() {
        line("in folder", print::text(review, "/cwd"));
        line("program file", print::text(review, "/resolved"));
        let inherited: Vec<_> = review["inherited"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        line("passed on", inherited.join(" "));
    }
    let text = |pointer: &str| review.pointer(pointer).and_then(Value::as_str).unwrap_or("?").to_owned();
    if review.pointer("/identity/package").is_some() {
        line("package", format!("{} {}", text("/identity/package/name"), text("/identity/package/version")));
    }
    if review.pointer("/identity/script").is_some() {
        line("script", text("/identity/script/path"));
    }
    for change in review["changes"].as_array().into_iter().flatten() {
        let part = |key: &str| print::text(change, key);
        line("CHANGED", format!("{}: {} → {}", part("/piece").replace('_', " "), part("/before"), part("/now")));
    }
    for (label, warning) in warnings(review) {
        line(label, warning);
    }
    if print::text(review, "/launch/kind") != "http" {
        print::note("Switching it on runs this program on your computer with your rights.");
    }
}

/// What to look at twice, dangers first, each with how much it matters.
pub(super) fn warnings(review: &Value) -> impl Iterator<Item = (&'static str, String)> {
    let dangers = review["dangers"].as_u64().unwrap_or(0);
    (0..).zip(review["warnings"].as_array().into_iter().flatten()).map(move |(index, warning): (u64, &Value)| {
        let about = ["name", "place", "runtime"].iter().find_map(|key| warning[*key].as_str()).unwrap_or_default();
        let text = format!("{} {about}", print::text(warning, "/kind").replace('_', " "));
        (if index < dangers { "DANGER" } else { "WARNING" }, text.trim_end().to_owned())
    })
}

/// Switches a server on and says whether it runs.
async fn enable(link: &Link, name: &str, json: bool) -> Result<Exit, HostError> {
    link.ask(&json!({"method": "enable_server", "params": {"server": name, "reviewed": null}})).await?;
    // Waits until the server has started and shown all that it offers, or has failed.
    link.ask(&json!({"method": "review_offers", "params": {"server": name}})).await?;
    let view = view(link, name).await?;
    if json {
        print::json(&view);
    }
    if view.pointer("/state/kind") == Some(&json!("failed")) {
        print::note(format_args!("{name} is on, but does not run: {}", print::visible(&print::text(&view, "/state/error/message"))));
        print::note(format_args!("  {}", print::text(&view, "/state/error/hint")));
        for line in view.pointer("/state/stderr").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            print::note(print::quote(line));
        }
        return Ok(Exit::Server);
    }
    print::note(format_args!("{name} is on, with {} tools.", print::text(&view, "/tools")));
    if view["waiting"] != 0 {
        let waiting = print::text(&view, "/waiting");
        print::note(format_args!("{waiting} of what it offers must be reviewed first: majordomoctl offers review {name}"));
    }
    Ok(Exit::Done)
}

fn list(servers: &Value) {
    let cells: Vec<Vec<String>> = servers
        .as_array()
        .into_iter()
        .flatten()
        .map(|view| {
            let text = |pointer: &str| print::text(view, pointer);
            let what = match text("/launch/kind").as_str() {
                "http" => text("/launch/url"),
                "builtin" => "built in".to_owned(),
                _ => text("/launch/command"),
            };
            let reviewed = if view["reviewed"] == true { "yes" } else { "no" };
            vec![
                text("/id"),
                text("/state/kind"),
                if view["on"] == true { "on" } else { "off" }.to_owned(),
                reviewed.to_owned(),
                text("/tools"),
                what,
            ]
        })
        .collect();
    print::table(&["SERVER", "STATE", "SWITCH", "REVIEWED", "TOOLS", "RUNS OR CALLS"], &cells);
}
