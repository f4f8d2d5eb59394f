//! Assistants that a person makes.
//!
//! Always true here:
//! - what a person decided about one is in the log before it has an effect;
//! - values of held secrets are covered before anything is kept, and what cannot be seen is refused;
//! - what is read from a file is kept by nobody but the person who has looked at it.

use api::{
    AssistantExport, AssistantView, ErrorCode, HostError, HostEvent, LONGEST_ASSISTANT_NAME,
    LONGEST_DESCRIPTION, LONGEST_INSTRUCTIONS, MOST_ASSISTANTS, room_for_one,
};
use calls::Calls;
use inspect::reveal;
use protocol::{AssistantId, AssistantSettings, is_one_line};
use serde::{Deserialize, Serialize};
use servers::{Surface, error};
use store::{AssistantRow, Event};

/// What programs find at the beginning of a file.
const FORMAT: &str = "majordomo-assistant 1";

/// An assistant in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    format: String,
    assistant: AssistantSettings,
}

/// All that were made.
pub(crate) async fn list(calls: &Calls) -> Result<Vec<AssistantView>, HostError> {
    let rows = calls.store().assistants().all().await?;
    Ok(rows.into_iter().map(view).collect())
}

/// Makes one, or changes one.
pub(crate) async fn save(
    calls: &Calls,
    id: Option<AssistantId>,
    settings: AssistantSettings,
    surface: &Surface,
) -> Result<AssistantView, HostError> {
    let _turn = calls.workspace_turn().await;
    let known = calls.store().assistants().all().await?;
    let settings = checked(calls, settings)?;
    let row = match id {
        None => {
            room_for_one("assistants", known.len(), MOST_ASSISTANTS)?;
            AssistantRow {
                id: AssistantId::random(),
                settings,
                added_at: calls.now(),
            }
        }
        Some(id) => AssistantRow {
            settings,
            ..one(&known, &id)?.clone()
        },
    };
    check_names(calls, &row, &known).await?;
    let event = Event::AssistantSaved {
        assistant: row.id.clone(),
        settings: Box::new(row.settings.clone()),
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    calls.store().assistants().save(row.clone()).await?;
    calls.publish(HostEvent::AssistantsChanged);
    Ok(view(row))
}

/// Removes one. Its conversations stay.
pub(crate) async fn remove(
    calls: &Calls,
    id: &AssistantId,
    surface: &Surface,
) -> Result<(), HostError> {
    let _turn = calls.workspace_turn().await;
    let known = calls.store().assistants().all().await?;
    let event = Event::AssistantRemoved {
        assistant: id.clone(),
        name: one(&known, id)?.settings.name.clone(),
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    calls.store().assistants().remove(id).await?;
    calls.publish(HostEvent::AssistantsChanged);
    Ok(())
}

/// One as a text.
pub(crate) async fn export(calls: &Calls, id: &AssistantId) -> Result<AssistantExport, HostError> {
    let known = calls.store().assistants().all().await?;
    let settings = one(&known, id)?.settings.clone();
    let written = Written {
        format: FORMAT.to_owned(),
        assistant: elsewhere(settings),
    };
    let text = serde_json::to_string_pretty(&written);
    let text = text.map_err(|problem| error::host(ErrorCode::Internal, problem.to_string()))?;
    Ok(AssistantExport {
        file_name: format!("{id}.json"),
        text: format!("{text}\n"),
    })
}

/// What a text says. Fails with `bad_request` where it says nothing of an assistant.
pub(crate) fn read(calls: &Calls, text: &str) -> Result<AssistantSettings, HostError> {
    let wrong = |problem: String| {
        let message = format!("this is no assistant that was exported: {problem}");
        error::host(ErrorCode::BadRequest, message)
    };
    let Written { format, assistant } =
        serde_json::from_str(text).map_err(|problem| wrong(problem.to_string()))?;
    if format != FORMAT {
        return Err(wrong(format!("its format is to be {FORMAT}")));
    }
    checked(calls, elsewhere(assistant))
}

/// The same without what only this computer knows.
fn elsewhere(settings: AssistantSettings) -> AssistantSettings {
    AssistantSettings {
        model: None,
        helpers: Vec::new(),
        is_helper: false,
        ..settings
    }
}

fn one<'a>(known: &'a [AssistantRow], id: &AssistantId) -> Result<&'a AssistantRow, HostError> {
    let found = known.iter().find(|row| row.id == *id);
    found.ok_or_else(|| {
        let message = format!("there is no assistant {id}");
        error::host(ErrorCode::UnknownAssistant, message)
    })
}

fn view(row: AssistantRow) -> AssistantView {
    AssistantView {
        id: row.id,
        settings: row.settings,
        added_at: row.added_at,
    }
}

/// The same as it can be kept. Fails with `bad_name`, and with `bad_request` where a text is too long
/// or holds what cannot be seen.
fn checked(calls: &Calls, settings: AssistantSettings) -> Result<AssistantSettings, HostError> {
    let name = settings.name.trim();
    if !is_one_line(name, LONGEST_ASSISTANT_NAME) {
        let message = format!(
            "the name of an assistant is one line of 1 to {LONGEST_ASSISTANT_NAME} visible characters"
        );
        return Err(error::host(ErrorCode::BadName, message));
    }
    let text = |text: &str, what: &str, longest: usize| {
        let text = text.trim();
        let problem = match (text.chars().count() > longest, reveal(text).is_some()) {
            (true, _) => format!("{what} has more than {longest} characters"),
            (_, true) => format!("{what} holds characters that cannot be seen"),
            _ => return Ok(calls.secrets().masked(text)),
        };
        Err(error::host(ErrorCode::BadRequest, problem))
    };
    if !settings.answer.is_valid() {
        let message = "the answers to choose from are 2 to 20 different lines".to_owned();
        return Err(error::host(ErrorCode::BadRequest, message));
    }
    Ok(AssistantSettings {
        name: calls.secrets().masked(name),
        description: text(
            &settings.description,
            "the description",
            LONGEST_DESCRIPTION,
        )?,
        instructions: text(
            &settings.instructions,
            "what it is told",
            LONGEST_INSTRUCTIONS,
        )?,
        ..settings
    })
}

/// Fails where a name is taken, or where something is named that there is not.
async fn check_names(
    calls: &Calls,
    row: &AssistantRow,
    known: &[AssistantRow],
) -> Result<(), HostError> {
    let AssistantSettings {
        name,
        model,
        helpers,
        ..
    } = &row.settings;
    let key = name.to_lowercase();
    let mut others = known.iter().filter(|other| other.id != row.id);
    if others.any(|other| other.settings.name.to_lowercase() == key) {
        let message = format!("there is an assistant called {name} already");
        return Err(error::host(ErrorCode::NameTaken, message));
    }
    if let Some(model) = model {
        let models = calls.store().models().all().await?;
        if !models.iter().any(|one| one.id == *model) {
            let message = format!("there is no model {model}");
            return Err(error::host(ErrorCode::UnknownModel, message));
        }
    }
    for helper in helpers {
        if *helper == row.id {
            let message = "an assistant gives no tasks to itself";
            return Err(error::host(ErrorCode::BadRequest, message));
        }
        one(known, helper)?;
    }
    Ok(())
}
