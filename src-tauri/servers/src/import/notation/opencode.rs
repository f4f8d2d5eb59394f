//! What opencode writes: the command with its arguments as one list, and `environment`.

use super::{BOTH, Meaning, NEITHER, known_transport};
use crate::import::entry::{Inputs, Settings};
use crate::import::fields::{Fields, list, text};
use api::DraftTarget;
use serde_json::Value;

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Meaning, String> {
    known_transport(fields)?;
    let (command, url) = (fields.take("command"), fields.text("url")?);
    let (mut env, mut headers) = (Settings::default(), Settings::default());
    for key in ["environment", "env"] {
        env.map(key, fields.take(key), &Inputs::default())?;
    }
    headers.map("headers", fields.take("headers"), &Inputs::default())?;
    match (command, url) {
        (Some(_), Some(_)) => Err(BOTH.into()),
        (Some(command), None) => {
            let mut words = match command {
                Value::Array(_) => list("command", command)?,
                _ => vec![text("command", command)?],
            };
            words.extend(fields.list("args")?);
            let mut words = words.into_iter();
            let command = words.next().ok_or("its command is an empty list")?;
            let (env, refused) = env.into_environment();
            Ok(Meaning {
                target: DraftTarget::Stdio {
                    command,
                    args: words.collect(),
                    env,
                    cwd: fields.text("cwd")?,
                },
                refused,
            })
        }
        (None, Some(url)) => Ok(Meaning::remote(url, headers.kept)),
        (None, None) => Err(NEITHER.into()),
    }
}
