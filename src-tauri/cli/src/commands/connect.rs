//! `majordomoctl clients found|connect|undo|bypass`: other applications' configurations.

use super::or_dash;
use crate::args::ConnectArgs;
use crate::date;
use crate::link::Link;
use crate::messages::{m, name as key};
use crate::print;
use crate::word::Word;
use api::{
    Application, ApplicationView, Bypass, ConnectApplication, ConnectionChange, ConnectionPlan,
    ConnectionPreview, ConnectionState, DifferenceLine, DisconnectApplication, ErrorCode, FileFate,
    HostError, LineKind, ListApplications, ListBypasses, PreviewConnection, PreviewDisconnection,
    TakesUp,
};
use std::slice;

/// Lists the applications that were found.
pub(super) async fn found(link: &Link, json: bool) -> Result<(), HostError> {
    let all = link.ask(ListApplications {}).await?;
    if json {
        print::json(&all);
        return Ok(());
    }
    list(&all);
    print::note("Connect one with: majordomoctl clients connect APPLICATION");
    Ok(())
}

/// Connects an application, once the difference was shown.
pub(super) async fn connect(
    link: &Link,
    wanted: ConnectArgs,
    without: Vec<String>,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let (application, path) = one(link, &wanted).await?;
    let preview = link
        .ask(PreviewConnection {
            application,
            path: path.clone(),
            without: without.clone(),
        })
        .await?;
    let Some(hash) = shown(&preview) else {
        return Err(unwritten(&preview));
    };
    let label = m(&format!("application.{}", key(&application)), &[]);
    let stays = format!("the configuration of {label} stays as it was");
    word.confirm(link, "Write this?", &stays)?;
    let request = ConnectApplication {
        application,
        path,
        without,
        hash,
    };
    let connected = word.ask(link, request).await?;
    done(&connected, json);
    match connected.takes_up {
        TakesUp::ByItself => print::note(format_args!("{label} takes it up automatically.")),
        TakesUp::NewSession => print::note(format_args!("Begin a new session of {label}.")),
        TakesUp::Restart => print::note(format_args!("Restart {label}.")),
    }
    Ok(())
}

/// Takes a connection back, once the difference was shown.
pub(super) async fn undo(
    link: &Link,
    wanted: ConnectArgs,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let (application, path) = one(link, &wanted).await?;
    let preview = link
        .ask(PreviewDisconnection {
            application,
            path: path.clone(),
        })
        .await?;
    let Some(hash) = shown(&preview) else {
        return Err(unwritten(&preview));
    };
    let label = m(&format!("application.{}", key(&application)), &[]);
    let stays = format!("the configuration of {label} stays as it was");
    word.confirm(link, "Write this?", &stays)?;
    let request = DisconnectApplication {
        application,
        path,
        hash,
    };
    done(&link.ask(request).await?, json);
    Ok(())
}

/// Lists what applications start or call themselves.
pub(super) async fn bypass(link: &Link, json: bool) -> Result<(), HostError> {
    let all = link.ask(ListBypasses {}).await?;
    if json {
        print::json(&all);
        return Ok(());
    }
    let row = |one: &Bypass| {
        vec![
            word_of(one.application),
            one.source_name.clone(),
            or_dash(one.server.as_ref()),
            one.runs.clone(),
            one.path.clone(),
        ]
    };
    print::table(
        &["APPLICATION", "SERVER", "HERE", "COMMAND OR URL", "FILE"],
        &all.iter().map(row).collect::<Vec<_>>(),
    );
    if all.iter().any(|one| one.removable) {
        print::note(
            "Have an application no longer start what is here, too: majordomoctl clients connect APPLICATION --without SERVER",
        );
    }
    if all.iter().any(|one| one.server.is_none()) {
        print::note("Take others over first: majordomoctl servers import --from APPLICATION");
    }
    Ok(())
}

/// The application that is meant. Of several files the one with the given path.
async fn one(link: &Link, wanted: &ConnectArgs) -> Result<(Application, String), HostError> {
    let ConnectArgs { application, path } = wanted;
    // As lists in JSON write it, too.
    let application = application.replace('_', "-");
    let all = link.ask(ListApplications {}).await?;
    let fitting: Vec<&ApplicationView> = all
        .iter()
        .filter(|row| word_of(row.application) == application)
        .filter(|row| path.as_ref().is_none_or(|path| row.path == *path))
        .collect();
    match fitting.as_slice() {
        [row] => Ok((row.application, row.path.clone())),
        [] => Err(HostError::of(
            ErrorCode::BadPath,
            format!(
                "{application} was not found; `majordomoctl clients found` shows those that were"
            ),
        )),
        several => {
            let paths: Vec<&str> = several.iter().map(|row| row.path.as_str()).collect();
            Err(HostError::of(
                ErrorCode::BadPath,
                format!(
                    "{application} has several files: {}; choose one with --path FILE",
                    paths.join(", ")
                ),
            ))
        }
    }
}

/// Shows what would be written, and gives its hash; none where nothing can be.
fn shown(preview: &ConnectionPreview) -> Option<protocol::Fingerprint> {
    let ConnectionPreview {
        application: _,
        path,
        leads_to,
        client: _,
        name: _,
        plan,
        takes_up: _,
    } = preview;
    print::note(print::visible(path));
    if let Some(real) = leads_to {
        print::note(format_args!("leads to {}", print::visible(real)));
    }
    match plan {
        ConnectionPlan::Write {
            file,
            lines,
            more,
            hash,
        } => {
            print::note(match file {
                FileFate::Made => "The file is made:",
                FileFate::Changed => "The file is changed, and a copy of it kept before:",
                FileFate::Restored => "The file is what it was before:",
                FileFate::Removed => "The file was made for the connection, and goes:",
                FileFate::Untouched => "The file stays as it is.",
            });
            lines.iter().for_each(line);
            if *more > 0 {
                print::note(format_args!("and {more} more lines"));
            }
            Some(hash.clone())
        }
        ConnectionPlan::Paste { snippet, .. } => {
            if !snippet.is_empty() {
                print::note(format_args!(
                    "Add this yourself, once `majordomoctl clients add \"{}\"` has let it in:",
                    preview.name
                ));
                snippet.lines().for_each(print::note);
            }
            None
        }
    }
}

fn line(line: &DifferenceLine) {
    let DifferenceLine {
        kind,
        before: _,
        after: _,
        text,
    } = line;
    let mark = match kind {
        LineKind::Same => ' ',
        LineKind::Removed => '-',
        LineKind::Added => '+',
    };
    print::note(format_args!("{mark} {text}"));
}

fn unwritten(preview: &ConnectionPreview) -> HostError {
    let problem = match &preview.plan {
        ConnectionPlan::Paste { problem, .. } => problem.as_str(),
        ConnectionPlan::Write { .. } => "",
    };
    HostError::of(
        ErrorCode::FileNotWritten,
        format!("{} was not written: {problem}", preview.path),
    )
}

fn done(view: &ApplicationView, json: bool) {
    if json {
        print::json(view);
    } else {
        list(slice::from_ref(view));
    }
}

fn list(all: &[ApplicationView]) {
    let row = |row: &ApplicationView| {
        let ApplicationView {
            application,
            path,
            leads_to,
            connection,
            client,
            backup: _,
            takes_up: _,
        } = row;
        let real = leads_to.as_ref().map(|real| format!(" -> {real}"));
        vec![
            word_of(*application),
            stands(connection),
            or_dash(client.as_ref()),
            format!("{path}{}", real.unwrap_or_default()),
        ]
    };
    print::table(
        &["APPLICATION", "CONNECTION", "CLIENT", "FILE"],
        &all.iter().map(row).collect::<Vec<_>>(),
    );
}

fn stands(connection: &ConnectionState) -> String {
    match connection {
        ConnectionState::NotConnected => "-".into(),
        ConnectionState::Written => "written, not seen yet".into(),
        ConnectionState::Connected { seen_at } => {
            format!("connected, last seen {}", date::shown(*seen_at))
        }
        ConnectionState::LeadsHere { seen_at } => {
            let seen = seen_at.map(|at| format!("; its client was last seen {}", date::shown(at)));
            format!("leads here{}", seen.unwrap_or_default())
        }
        ConnectionState::Changed { what } => match what {
            ConnectionChange::Gone => "changed: the entry is gone".into(),
            ConnectionChange::Altered => "changed: the entry says something else".into(),
            ConnectionChange::NotLetIn => {
                "changed: this application may not come in any more".into()
            }
        },
        ConnectionState::Unreadable { problem } => format!("unreadable: {problem}"),
    }
}

/// What an application is called on the command line.
fn word_of(application: Application) -> String {
    key(&application).replace('_', "-")
}
