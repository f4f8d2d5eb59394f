//! `majordomoctl servers client …`

use super::{add, servers};
use crate::args::Client;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{HostError, OauthClientDraft, OauthClientView, SetOauthClient};

/// Keeps how Majordomo is known at a server's sign-in, or shows it.
pub(crate) async fn run(
    link: &Link,
    wanted: Client,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let server = wanted.name;
    let view = match wanted.id {
        Some(client_id) => {
            let client_secret = if wanted.secret {
                Some(add::secret_value("the client secret", false)?)
            } else {
                None
            };
            let client = Some(OauthClientDraft {
                client_id,
                client_secret,
                without_person: wanted.without_person,
                keep: add::keep(wanted.session),
            });
            word.ask(link, SetOauthClient { server, client }).await?
        }
        None if wanted.forget => {
            let client = None;
            word.ask(link, SetOauthClient { server, client }).await?
        }
        None => servers::view(link, &server).await?,
    };
    let client = view.sign_in.and_then(|sign_in| sign_in.client);
    if json {
        print::json(&client);
        return Ok(());
    }
    match client {
        Some(OauthClientView {
            client_id,
            has_secret,
            without_person,
        }) => {
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            let cells = vec![client_id, yes(has_secret), yes(without_person)];
            print::table(&["CLIENT ID", "SECRET", "WITHOUT A PERSON"], &[cells]);
        }
        None => print::note("Majordomo registers there automatically."),
    }
    Ok(())
}
