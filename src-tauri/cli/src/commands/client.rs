//! `majordomoctl servers client …`

use super::servers;
use crate::args::Client;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::json;

/// Keeps how Majordomo is known at a server's sign-in, or shows it.
pub(crate) async fn run(link: &Link, wanted: Client, json: bool) -> Result<(), HostError> {
    let name = &wanted.name;
    let set = |client| json!({"method": "set_client", "params": {"server": name, "client": client}});
    let view = match &wanted.id {
        Some(id) => {
            let secret = if wanted.secret { Some(servers::secret_value("the client secret", false)?) } else { None };
            let keep = if wanted.session { "session" } else { "keyring" };
            let client = json!({"client_id": id, "client_secret": secret, "without_person": wanted.without_person, "keep": keep});
            link.ask(&set(client)).await?
        }
        None if wanted.forget => link.ask(&set(json!(null))).await?,
        None => servers::view(link, name).await?,
    };
    if json {
        print::json(view.pointer("/sign_in/client").unwrap_or(&json!(null)));
        return Ok(());
    }
    match view.pointer("/sign_in/client").filter(|client| !client.is_null()) {
        Some(client) => {
            let word = |key: &str| if client[key] == true { "yes" } else { "no" }.to_owned();
            let cells = vec![print::text(client, "/client_id"), word("has_secret"), word("without_person")];
            print::table(&["CLIENT ID", "SECRET", "WITHOUT A PERSON"], &[cells]);
        }
        None => print::note("Majordomo registers there by itself."),
    }
    Ok(())
}
