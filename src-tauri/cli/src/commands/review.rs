//! `majordomoctl servers review NAME`: what would be run or called, whole and exact.
//!
//! Always true here: nothing is noted as reviewed without `--accept`, nor before somebody said yes to
//! what was shown.

use super::sandbox;
use crate::link::Link;
use crate::messages::{m, maybe, name as key, plural};
use crate::print;
use crate::sentences;
use crate::word::Word;
use api::{AcceptReview, ArgumentFolder, HostError, Review, ReviewServer, ReviewWarning};
use protocol::{
    FileIdentity, HttpLaunch, Identity, IdentityChange, ImageIdentity, Launch, ModulesIdentity,
    PackageIdentity, PemPlace, ProgramIdentity, ServerId, Setting, SettingValue, StdioLaunch,
};

/// Shows the review of a server, and notes it after a yes. Without a word it is only shown.
pub(super) async fn run(
    link: &Link,
    server: ServerId,
    word: Option<Word>,
    json: bool,
) -> Result<(), HostError> {
    let review = link
        .ask(ReviewServer {
            server: server.clone(),
        })
        .await?;
    if json {
        print::json(&review)
    } else {
        show(&review)
    }
    let Some(word) = word else {
        if !json {
            print::note(format_args!(
                "Accept it with: majordomoctl servers review {server} --accept"
            ));
        }
        return Ok(());
    };
    word.confirm(
        link,
        "Note that you have reviewed this?",
        "it stays unreviewed",
    )?;
    let reviewed = review.fingerprint;
    let view = word.ask(link, AcceptReview { server, reviewed }).await?;
    print::note(format_args!(
        "Reviewed. Switch it on with: majordomoctl servers enable {}",
        view.id
    ));
    Ok(())
}

/// Everything that decides what runs, in full, each part on its own line.
fn show(review: &Review) {
    let Review {
        name,
        launch,
        resolved,
        cwd,
        identity,
        changes,
        inherited,
        warnings: _, // With the dangers, below.
        dangers: _,
        confinement,
        folders,
        fingerprint: _, // Sent back with the yes.
    } = review;
    line("name", name);
    match launch {
        Launch::Builtin { name } => line("runs", &format!("the built-in server {name}")),
        Launch::Stdio(launch) => show_command(launch),
        Launch::Http(launch) => show_address(launch),
    }
    if !matches!(launch, Launch::Http(_)) {
        if let Some(cwd) = cwd {
            line("in folder", cwd);
        }
        let not_found = || m("review.not_found", &[]);
        line("program file", &resolved.clone().unwrap_or_else(not_found));
        show_identity(identity, resolved.as_deref());
        line("inherited", &inherited.join(" "));
    }
    for ArgumentFolder { argument, path } in folders {
        let argument = argument.to_string();
        line(
            "folder",
            &m(
                "review.argument_folder",
                &[("n", &argument), ("path", path)],
            ),
        );
        print::note(format_args!(
            "  To list it as one: majordomoctl roots add {name} {}",
            print::visible(path)
        ));
    }
    if let Some(confinement) = confinement {
        sandbox::show(confinement);
    }
    for IdentityChange { piece, before, now } in changes {
        let now = if now.is_empty() {
            m("review.unknown_now", &[])
        } else {
            now.clone()
        };
        let piece = m(&format!("identity.{}", key(piece)), &[]);
        line("CHANGED", &format!("{piece}: {before} → {now}"));
    }
    for (label, warning) in warnings(review) {
        line(label, &warning);
    }
    if let Launch::Builtin { .. } | Launch::Stdio(_) = launch {
        let confined = confinement
            .as_ref()
            .is_none_or(|view| view.settings.confined);
        let key = if confined {
            "review.runs_sandboxed"
        } else {
            "review.runs"
        };
        print::note(m(key, &[]));
    }
}

fn line(label: &str, text: &str) {
    print::result(format_args!("{label:<20} {}", print::visible(text)));
}

fn show_command(launch: &StdioLaunch) {
    let StdioLaunch {
        command,
        args,
        env,
        cwd: _, // The review has the folder that it really is.
    } = launch;
    line("runs", command);
    for argument in args {
        line("  argument", argument);
    }
    show_settings(env);
}

fn show_address(launch: &HttpLaunch) {
    let HttpLaunch {
        url,
        headers,
        authority,
        identity,
    } = launch;
    line("calls", url);
    show_settings(headers);
    if let Some(authority) = authority {
        line("trusts", &place(authority));
    }
    if let Some(protocol::ClientIdentity { certificate, key }) = identity {
        line("shows", &place(certificate));
        line("  with key", &place(key));
    }
}

fn show_settings(settings: &[Setting]) {
    for Setting { name, value } in settings {
        let value = match value {
            SettingValue::Plain { text } => text,
            SettingValue::Secret { secret: _ } => "(secret)",
        };
        line("  with", &format!("{name}={value}"));
    }
}

fn place(place: &PemPlace) -> String {
    match place {
        PemPlace::File { path } => path.clone(),
        PemPlace::Secret { secret: _ } => "(secret)".to_owned(),
    }
}

/// The files, packages and images that it leads to, and what of them could not be read.
fn show_identity(identity: &Identity, resolved: Option<&str>) {
    let Identity {
        program,
        script,
        modules,
        package,
        image,
        unread,
    } = identity;
    if let Some(ProgramIdentity { path, sha256 }) = program {
        let elsewhere = (resolved != Some(path)).then(|| path.clone());
        show_joined("  of it", [elsewhere, sha256.as_deref().map(content)]);
    }
    if let Some(FileIdentity { path, sha256 }) = script {
        let content = sha256.as_deref().map(content);
        show_joined("script", [Some(path.clone()), content]);
    }
    if let Some(ModulesIdentity { sha256, files }) = modules {
        let files = plural("review.files", *files);
        show_joined("loads", [Some(files), Some(content(sha256))]);
    }
    if let Some(PackageIdentity {
        name,
        version,
        lock_sha256,
        parts,
    }) = package
    {
        let parts = match parts {
            0 => None,
            1 => Some(m("review.parts_one", &[("n", "1")])),
            n => Some(m("review.parts_other", &[("n", &n.to_string())])),
        };
        let named = match version {
            Some(version) => format!("{name} {version}"),
            None => format!("{name} ?"),
        };
        let content = lock_sha256.as_deref().map(content);
        show_joined("package", [Some(named), parts, content]);
    }
    if let Some(ImageIdentity { reference, pinned }) = image {
        let pinned = pinned.then(|| m("identity.pinned", &[]));
        show_joined("container image", [Some(reference.clone()), pinned]);
    }
    for unread in unread {
        line(&m("identity.not_read", &[]), &sentences::unread(unread));
    }
}

/// The beginning of a digest.
fn content(digest: &str) -> String {
    let digest = digest.get(..12).unwrap_or(digest);
    m("review.digest", &[("digest", digest)])
}

fn show_joined<const N: usize>(label: &str, parts: [Option<String>; N]) {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        line(label, &parts.join(" · "));
    }
}

/// What to look at twice, dangers first, each with how much it matters.
pub(super) fn warnings(review: &Review) -> impl Iterator<Item = (&'static str, String)> {
    (0..)
        .zip(&review.warnings)
        .map(|(index, warning): (u32, _)| {
            let label = if index < review.dangers {
                "DANGER"
            } else {
                "WARNING"
            };
            (label, words(warning))
        })
}

/// What a warning says: the sentence that the window has for it.
fn words(warning: &ReviewWarning) -> String {
    let about = match warning {
        ReviewWarning::NotFound
        | ReviewWarning::InlineCode
        | ReviewWarning::MoreRights
        | ReviewWarning::WholeComputer
        | ReviewWarning::Downloads => None,
        ReviewWarning::DangerousEnvironment { name }
        | ReviewWarning::LooksSecret { name }
        | ReviewWarning::LooksLike { name } => Some(("name", name.clone())),
        ReviewWarning::SecretInArgument { argument } => Some(("n", argument.to_string())),
        ReviewWarning::Placeholder { name } => Some(("name", where_in_launch(name))),
        ReviewWarning::HiddenCharacters { place } => Some(("place", where_in_launch(place))),
        ReviewWarning::RuntimeMissing { runtime } => {
            Some(("runtime", runtime.name_and_page().0.to_owned()))
        }
    };
    let about: Vec<(&str, &str)> = about
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let kind = key(warning);
    maybe("warning", &kind, None, &about).unwrap_or(kind)
}

/// Where in a launch: `command`, `argument N`, `folder`, `url`, `certificate`, or the name of a setting, which
/// stays as it is.
fn where_in_launch(place: &str) -> String {
    match place.split_once(' ') {
        Some(("argument", n)) => m("form.args.one", &[("n", n)]),
        _ => match place {
            "command" => m("review.command", &[]),
            "folder" => m("review.cwd", &[]),
            "url" => m("review.url", &[]),
            "certificate" => m("review.certificate", &[]),
            setting => setting.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::Runtime;

    #[test]
    fn a_warning_is_said_in_the_sentences_of_the_window() {
        let name = || "TOKEN".to_owned();
        for (warning, part) in [
            (ReviewWarning::InlineCode, "Read every line."),
            (ReviewWarning::LooksSecret { name: name() }, "TOKEN looks"),
            (
                ReviewWarning::SecretInArgument { argument: 4 },
                "Argument 4",
            ),
            (
                ReviewWarning::HiddenCharacters {
                    place: "argument 2".to_owned(),
                },
                "Argument 2",
            ),
            (
                ReviewWarning::HiddenCharacters {
                    place: "certificate".to_owned(),
                },
                "Certificate file",
            ),
            (
                ReviewWarning::Placeholder {
                    name: "folder".to_owned(),
                },
                "Working folder needs",
            ),
            (
                ReviewWarning::RuntimeMissing {
                    runtime: Runtime::Uv,
                },
                "It needs uv",
            ),
        ] {
            let said = words(&warning);
            assert!(said.contains(part), "{said}");
        }
    }
}
