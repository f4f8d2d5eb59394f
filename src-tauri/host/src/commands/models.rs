//! Models that a person sets up.
//!
//! Always true here:
//! - what a person decided about one is in the log before it has an effect;
//! - a key comes in and never goes out again; one that is kept stays with the origin that it was
//!   given for.

use crate::chat;
use crate::models::{Line, checked, credential, find, offered, origin};
use api::{
    DraftKey, ErrorCode, HostError, HostEvent, KeepSecrets, LocalModels, MOST_MODELS, ModelCheck,
    ModelDraft, ModelView, room_for_one,
};
use calls::Calls;
use protocol::{ModelId, ModelService, ModelSettings, Secret, SecretId, is_one_line};
use servers::held_secrets::check_length;
use servers::{Surface, error};
use std::time::Duration;
use store::{Event, Keep, ModelRow};

/// The longest name that a person gives a model, in characters.
const LONGEST_NAME: usize = 64;
/// How long the service of a model is waited for.
const WAIT: Duration = Duration::from_secs(20);

/// All that were set up.
pub(crate) async fn list(calls: &Calls) -> Result<Vec<ModelView>, HostError> {
    let rows = calls.store().models().all().await?;
    Ok(rows.iter().map(view).collect())
}

/// Programs on this computer that serve models.
pub(crate) async fn found(calls: &Calls) -> Vec<LocalModels> {
    find(calls).await
}

/// Sets one up.
pub(crate) async fn add(
    calls: &Calls,
    draft: ModelDraft,
    surface: &Surface,
) -> Result<ModelView, HostError> {
    let _turn = calls.workspace_turn().await;
    let known = calls.store().models().all().await?;
    room_for_one("models", known.len(), MOST_MODELS)?;
    let name = named(&draft.name, None, &known)?;
    let settings = checked(draft.settings)?;
    let key = put(calls, settings.service, draft.key, draft.keep, None).await?;
    let row = ModelRow {
        id: ModelId::random(),
        name,
        settings,
        key,
        added_at: calls.now(),
    };
    let event = Event::ModelAdded {
        model: row.id.clone(),
        name: row.name.clone(),
        settings: logged(calls, &row.settings),
        has_key: row.key.is_some(),
    };
    keep(calls, row, None, event, surface).await
}

/// Changes one.
pub(crate) async fn change(
    calls: &Calls,
    id: &ModelId,
    draft: ModelDraft,
    surface: &Surface,
) -> Result<ModelView, HostError> {
    let _turn = calls.workspace_turn().await;
    let known = calls.store().models().all().await?;
    let before = one(&known, id)?;
    let name = named(&draft.name, Some(id), &known)?;
    let settings = checked(draft.settings)?;
    let moves = origin(&settings) != origin(&before.settings);
    if moves && before.key.is_some() && matches!(draft.key, DraftKey::Kept) {
        return Err(error::host(
            ErrorCode::SecretElsewhere,
            format!(
                "the key of {} was given for {}",
                before.name,
                origin(&before.settings)
            ),
        ));
    }
    let key = put(
        calls,
        settings.service,
        draft.key,
        draft.keep,
        before.key.clone(),
    )
    .await?;
    let event = Event::ModelChanged {
        model: id.clone(),
        name: name.clone(),
        settings: logged(calls, &settings),
        has_key: key.is_some(),
    };
    let row = ModelRow {
        name,
        settings,
        key,
        ..before.clone()
    };
    keep(calls, row, before.key.clone(), event, surface).await
}

/// Removes one, with its key.
pub(crate) async fn remove(
    calls: &Calls,
    id: &ModelId,
    surface: &Surface,
) -> Result<(), HostError> {
    let _turn = calls.workspace_turn().await;
    let known = calls.store().models().all().await?;
    let row = one(&known, id)?;
    let event = Event::ModelRemoved {
        model: id.clone(),
        name: row.name.clone(),
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    calls.store().models().remove(id).await?;
    forget(calls, row.key.as_ref()).await;
    changed(calls).await;
    Ok(())
}

/// Asks the service of one which models it has.
pub(crate) async fn test(calls: &Calls, id: &ModelId) -> Result<ModelCheck, HostError> {
    let known = calls.store().models().all().await?;
    let row = one(&known, id)?;
    let key = match &row.key {
        Some(secret) => {
            let value = calls.store().vault().get(secret).await?;
            calls.secrets().hold(secret.clone(), value.clone());
            Some(value)
        }
        None => None,
    };
    let service = row.settings.service;
    let line = Line::to(calls, &row.settings, key)?;
    let mut offered = offered(&line, service, WAIT).await?;
    // A service could answer with what it was sent.
    let masker = calls.secrets().masker();
    if let Some(offered) = &mut offered {
        offered.retain(|model| masker.mask(&model.name).is_none());
    }
    let is_it = |name: &str| is_called(service, name, &row.settings.name);
    Ok(ModelCheck {
        is_offered: offered
            .as_ref()
            .map(|offered| offered.iter().any(|model| is_it(&model.name))),
        offered,
    })
}

/// Whether a model that is offered as `name` is the one that is `wanted`.
fn is_called(service: ModelService, name: &str, wanted: &str) -> bool {
    // Which is what Ollama means where nothing is said.
    let is_ollama = service == ModelService::Ollama;
    name == wanted || (is_ollama && name.strip_suffix(":latest") == Some(wanted))
}

fn view(row: &ModelRow) -> ModelView {
    ModelView {
        id: row.id.clone(),
        name: row.name.clone(),
        settings: row.settings.clone(),
        has_key: row.key.is_some(),
        added_at: row.added_at,
    }
}

fn one<'a>(known: &'a [ModelRow], id: &ModelId) -> Result<&'a ModelRow, HostError> {
    let found = known.iter().find(|row| row.id == *id);
    found.ok_or_else(|| error::host(ErrorCode::UnknownModel, format!("there is no model {id}")))
}

/// The name that a model is to have, unless another one has it.
fn named(name: &str, of: Option<&ModelId>, known: &[ModelRow]) -> Result<String, HostError> {
    let name = name.trim();
    if !is_one_line(name, LONGEST_NAME) {
        return Err(error::host(
            ErrorCode::BadName,
            format!("the name of a model is one line of 1 to {LONGEST_NAME} visible characters"),
        ));
    }
    let key = name.to_lowercase();
    let mut others = known.iter().filter(|row| Some(&row.id) != of);
    if others.any(|row| row.name.to_lowercase() == key) {
        return Err(error::host(
            ErrorCode::NameTaken,
            format!("there is a model called {name} already"),
        ));
    }
    Ok(name.to_owned())
}

/// Where the key lies that a form says.
async fn put(
    calls: &Calls,
    service: ModelService,
    key: DraftKey,
    keep: KeepSecrets,
    before: Option<SecretId>,
) -> Result<Option<SecretId>, HostError> {
    let value = match key {
        DraftKey::None => return Ok(None),
        DraftKey::Kept => return Ok(before),
        // With what was pasted around it.
        DraftKey::NewSecret { value } => Secret::new(value.expose().trim().to_owned()),
    };
    check_length("the key", &value)?;
    credential(service, &value)?;
    let keep = match keep {
        KeepSecrets::Session => Keep::Session,
        KeepSecrets::Keyring => Keep::Keyring,
    };
    let id = calls.store().vault().put(&value, keep).await?;
    calls.secrets().hold(id.clone(), value);
    Ok(Some(id))
}

/// Keeps a model, once what was decided about it is in the log, and lets go of the key that it has
/// no more.
async fn keep(
    calls: &Calls,
    row: ModelRow,
    before: Option<SecretId>,
    event: Event,
    surface: &Surface,
) -> Result<ModelView, HostError> {
    let (view, key) = (view(&row), row.key.clone());
    let kept = async {
        calls.record_synced(surface.decided(calls, event)).await?;
        Ok::<_, HostError>(calls.store().models().save(row).await?)
    };
    let kept = kept.await;
    let (used, unused) = match &kept {
        Ok(()) => (key, before),
        Err(_) => (before, key),
    };
    if used != unused {
        forget(calls, unused.as_ref()).await;
    }
    kept?;
    changed(calls).await;
    Ok(view)
}

/// Other models are set up than before.
async fn changed(calls: &Calls) {
    chat::answer_servers(calls).await;
    calls.publish(HostEvent::ModelsChanged);
}

async fn forget(calls: &Calls, key: Option<&SecretId>) {
    let Some(key) = key else { return };
    if let Err(problem) = calls.store().vault().remove(key).await {
        tracing::warn!(%problem, "the key of a model could not be removed");
    }
}

/// Settings as the log has them.
fn logged(calls: &Calls, settings: &ModelSettings) -> ModelSettings {
    ModelSettings {
        url: calls.secrets().masked(&settings.url),
        name: calls.secrets().masked(&settings.name),
        ..settings.clone()
    }
}
