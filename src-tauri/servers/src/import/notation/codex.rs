//! What Codex writes: names of variables whose values it takes from its own environment. These are
//! not read; the values are left to be filled in.

use super::{BOTH, Meaning, NEITHER};
use crate::import::entry::{Inputs, Settings};
use crate::import::fields::{Fields, text};
use api::DraftTarget;
use serde_json::Value;

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Meaning, String> {
    let (command, url) = (fields.text("command")?, fields.text("url")?);
    match (command, url) {
        (Some(_), Some(_)) => Err(BOTH.into()),
        (Some(command), None) => {
            let mut env = Settings::default();
            env.map("env", fields.take("env"), &Inputs::default())?;
            for item in fields
                .take("env_vars")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let name = text("env_vars", item.get("name").unwrap_or(item))?;
                // What every server gets anyway need not be given.
                if !connections::inherited().contains(&name.as_str()) {
                    env.empty(&name);
                }
            }
            let (args, cwd) = (fields.list("args")?, fields.text("cwd")?);
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
        (None, Some(url)) => {
            let mut headers = Settings::default();
            headers.map(
                "http_headers",
                fields.take("http_headers"),
                &Inputs::default(),
            )?;
            if fields.take("bearer_token_env_var").is_some() {
                headers.empty("Authorization");
            }
            for name in fields
                .take("env_http_headers")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|map| map.keys())
            {
                headers.empty(name);
            }
            Ok(Meaning::remote(url, headers.kept))
        }
        (None, None) => Err(NEITHER.into()),
    }
}
