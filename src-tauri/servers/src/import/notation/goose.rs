//! What Goose writes: `cmd`, `envs`, and `env_keys`, whose values lie in its own keyring and are
//! not read.

use super::{BOTH, Meaning, NEITHER, known_transport};
use crate::import::entry::{Inputs, Settings};
use crate::import::fields::Fields;
use api::DraftTarget;

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Meaning, String> {
    known_transport(fields)?;
    let (command, url) = (fields.text("cmd")?, fields.text("uri")?);
    let (args, cwd) = (fields.list("args")?, fields.text("cwd")?);
    let mut headers = Settings::default();
    headers.map("headers", fields.take("headers"), &Inputs::default())?;
    let mut env = Settings::default();
    env.map("envs", fields.take("envs"), &Inputs::default())?;
    for name in fields.list("env_keys")? {
        env.empty(&name);
    }
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
        (None, Some(url)) => Ok(Meaning::remote(url, headers.kept)),
        (None, None) => Err(NEITHER.into()),
    }
}
