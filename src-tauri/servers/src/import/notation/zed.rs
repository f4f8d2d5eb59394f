//! What Zed writes: as the others do, and before that an object under `command`.

use super::{Meaning, NEITHER, common};
use crate::import::entry::{Inputs, Settings};
use crate::import::fields::Fields;
use api::DraftTarget;
use serde_json::Value;

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Meaning, String> {
    // `custom` against `extension`: whether the command stands here or in an extension.
    let from_extension = fields
        .text("source")?
        .is_some_and(|source| source == "extension");
    if let Some(old) = fields.take("command").and_then(Value::as_object) {
        let mut inner = Fields::new(old);
        let mut env = Settings::default();
        env.map("env", inner.take("env"), &Inputs::default())?;
        let (args, command) = (inner.list("args")?, inner.text("path")?.ok_or(NEITHER)?);
        let (env, refused) = env.into_environment();
        return Ok(Meaning {
            target: DraftTarget::Stdio {
                command,
                args,
                env,
                cwd: None,
            },
            refused,
        });
    }
    common::read(fields, &Inputs::default()).map_err(|problem| {
        if from_extension && problem == NEITHER {
            "it belongs to an extension of Zed, which knows its command".into()
        } else {
            problem
        }
    })
}
