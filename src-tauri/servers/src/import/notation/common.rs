//! What most applications write: `command`, `args`, `env`, or an address under one of three names.

use super::{BOTH, Meaning, NEITHER, known_transport};
use crate::import::entry::{Inputs, Settings};
use crate::import::fields::{Fields, text};
use api::DraftTarget;

pub(super) fn read(fields: &mut Fields<'_>, inputs: &Inputs) -> Result<Meaning, String> {
    known_transport(fields)?;
    let command = fields.text("command")?;
    let args = fields.list("args")?;
    let cwd = fields.text("cwd")?;
    let (mut env, mut headers) = (Settings::default(), Settings::default());
    env.map("env", fields.take("env"), inputs)?;
    headers.map("headers", fields.take("headers"), inputs)?;
    // Gemini CLI prefers the newer transport where both addresses are given.
    let url = fields.first(&["httpUrl", "serverUrl", "url"]);
    match (command, url) {
        (Some(_), Some(_)) => Err(BOTH.into()),
        (Some(command), None) => {
            let (env, refused) = env.into_environment();
            Ok(Meaning {
                target: DraftTarget::Stdio {
                    command,
                    args,
                    env,
                    cwd,
                },
                refused,
            })
        }
        (None, Some((key, url))) => Ok(Meaning::remote(text(key, url)?, headers.kept)),
        (None, None) => Err(NEITHER.into()),
    }
}
