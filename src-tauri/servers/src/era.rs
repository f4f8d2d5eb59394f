//! In which era a server is spoken to: what the person chose, else what was found out and is not
//! too old.

use crate::{Servers, Surface, supervise};
use api::{ErrorCode, HostError, ServerView};
use protocol::{Era, EraChoice, Launch, ServerId, Timestamp};
use std::time::Duration;
use store::{Entry, EraRow, Event};

/// How long it is believed that a server is of the older era. That it is of the newer one shows by
/// itself when it is not so any more; the other way round it does not.
const LEGACY_FOR: Duration = Duration::from_secs(7 * 24 * 3600);

/// The era to begin in; none means to find out.
pub(crate) fn to_use(launch: &Launch, known: &EraRow, now: Timestamp) -> Option<Era> {
    // The servers that are shipped inside the program ask back by requests of their own.
    if matches!(launch, Launch::Builtin { .. }) {
        return Some(Era::Legacy);
    }
    match (known.choice, &known.found) {
        (EraChoice::Modern, _) => Some(Era::Modern),
        (EraChoice::Legacy, _) => Some(Era::Legacy),
        (EraChoice::Auto, Some((era, fingerprint, at))) if *fingerprint == launch.fingerprint() => {
            (*era == Era::Modern || now.since(*at) < LEGACY_FOR).then_some(*era)
        }
        (EraChoice::Auto, _) => None,
    }
}

/// Whether the era was found out, and not chosen.
pub(crate) fn is_a_guess(launch: &Launch, known: &EraRow) -> bool {
    known.choice == EraChoice::Auto && !matches!(launch, Launch::Builtin { .. })
}

/// Whether a failure to start may come from speaking in the wrong era.
pub(crate) fn is_contradiction(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::RevisionUnknown
            | ErrorCode::ServerError
            | ErrorCode::NotProtocol
            | ErrorCode::HttpStatus
    )
}

/// Keeps what was found out.
pub(crate) async fn found(servers: &Servers, id: &ServerId, era: Era) {
    let now = servers.now();
    let row = servers.registry().change(id, |server| {
        let fingerprint = server.row.launch.fingerprint();
        let same = server.era.found.as_ref().is_some_and(|(known, of, at)| {
            *known == era
                && *of == fingerprint
                && (era == Era::Modern || now.since(*at) < LEGACY_FOR)
        });
        server.era.found = Some((era, fingerprint, now))
            .filter(|_| !same)
            .or_else(|| server.era.found.take());
        (!same).then(|| server.era.clone())
    });
    if let Ok(Some(row)) = row
        && let Err(error) = servers.store().eras().save(id, row).await
    {
        tracing::warn!(server = %id, %error, "the era of a server could not be kept; it is found out again");
    }
}

/// Takes a person's choice, and starts the server again if it runs.
pub async fn choose(
    servers: &Servers,
    id: &ServerId,
    choice: EraChoice,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let turn = servers.registry().turn(id).await?;
    let (id, row) = servers.registry().now(id).map(|server| {
        (
            server.row.id.clone(),
            EraRow {
                choice,
                found: None,
            },
        )
    })?;
    let decided = surface.decided(servers, Event::EraChosen { era: choice });
    servers
        .record_synced(Entry {
            server: Some(id.clone()),
            ..decided
        })
        .await?;
    servers.store().eras().save(&id, row.clone()).await?;
    let runs = servers.registry().change(&id, |server| {
        server.era = row;
        server.place.on && !server.rests()
    })?;
    drop(turn);
    if runs {
        supervise::stop(servers, &id).await;
        supervise::start(servers, &id);
    }
    servers.tell_changed(&id);
    Ok(servers.registry().now(&id)?.view())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::StdioLaunch;

    fn launch(command: &str) -> Launch {
        Launch::Stdio(StdioLaunch {
            command: command.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        })
    }

    fn known(choice: EraChoice, era: Era) -> EraRow {
        EraRow {
            choice,
            found: Some((era, launch("a").fingerprint(), Timestamp(0))),
        }
    }

    #[test]
    fn a_persons_choice_counts_before_what_was_found() {
        assert_eq!(
            to_use(
                &launch("a"),
                &known(EraChoice::Modern, Era::Legacy),
                Timestamp(1)
            ),
            Some(Era::Modern)
        );
        assert_eq!(
            to_use(
                &launch("a"),
                &known(EraChoice::Legacy, Era::Modern),
                Timestamp(1)
            ),
            Some(Era::Legacy)
        );
    }

    #[test]
    fn what_was_found_holds_for_that_way_of_reaching_the_server_and_the_older_era_for_a_week() {
        let late = Timestamp(0).plus(LEGACY_FOR);
        assert_eq!(
            to_use(
                &launch("a"),
                &known(EraChoice::Auto, Era::Legacy),
                Timestamp(1)
            ),
            Some(Era::Legacy)
        );
        assert_eq!(
            to_use(&launch("a"), &known(EraChoice::Auto, Era::Legacy), late),
            None
        );
        assert_eq!(
            to_use(&launch("a"), &known(EraChoice::Auto, Era::Modern), late),
            Some(Era::Modern)
        );
        assert_eq!(
            to_use(
                &launch("b"),
                &known(EraChoice::Auto, Era::Modern),
                Timestamp(1)
            ),
            None
        );
    }
}
