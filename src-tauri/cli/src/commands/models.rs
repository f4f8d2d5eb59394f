//! `majordomoctl models …`

use super::add::{keep, secret_value};
use super::or_dash;
use crate::args;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    AddModel, ChangeModel, DraftKey, ErrorCode, FindModels, HostError, ListModels, LocalModels,
    LocalProgram, ModelCheck, ModelDraft, ModelView, OfferedModel, RemoveModel, TestModel,
};
use protocol::{ModelService, ModelSettings};
use std::slice;

/// Lists, finds, tests or changes models.
pub(crate) async fn run(
    link: &Link,
    command: args::Models,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let changed = match command {
        args::Models::List => {
            let all = link.ask(ListModels {}).await?;
            if json {
                print::json(&all);
            } else {
                list(&all);
            }
            return Ok(Exit::Done);
        }
        args::Models::Found => {
            let found = link.ask(FindModels {}).await?;
            if json {
                print::json(&found);
            } else {
                local(&found);
            }
            return Ok(Exit::Done);
        }
        args::Models::Test { model, all } => {
            let model = named(link, &model).await?;
            let check = link.ask(TestModel { model: model.id }).await?;
            return Ok(tested(&model.settings.name, check, all, json));
        }
        args::Models::Remove { model } => {
            let model = named(link, &model).await?.id;
            link.ask(RemoveModel { model }).await?;
            if json {
                print::json(&());
            }
            print::note("Removed, with its key.");
            return Ok(Exit::Done);
        }
        args::Models::Add(add) => {
            let draft = draft(add)?;
            word.ask(link, AddModel { draft }).await?
        }
        args::Models::Change(change) => {
            let before = named(link, &change.model).await?;
            let model = before.id.clone();
            let draft = with_changes(before, change)?;
            word.ask(link, ChangeModel { model, draft }).await?
        }
        args::Models::Key {
            model,
            remove,
            session,
        } => {
            let ModelView {
                id, name, settings, ..
            } = named(link, &model).await?;
            let key = if remove { DraftKey::None } else { key()? };
            let draft = ModelDraft {
                name,
                settings,
                key,
                keep: keep(session),
            };
            word.ask(link, ChangeModel { model: id, draft }).await?
        }
    };
    if json {
        print::json(&changed);
    } else {
        list(slice::from_ref(&changed));
    }
    print::note(format_args!(
        "Next: majordomoctl models test {}",
        changed.id
    ));
    Ok(Exit::Done)
}

fn draft(add: args::AddModel) -> Result<ModelDraft, HostError> {
    let service = ModelService::from(add.service);
    Ok(ModelDraft {
        name: add.name,
        settings: ModelSettings {
            service,
            url: add.url.unwrap_or_else(|| service.address().to_owned()),
            name: add.model,
            context: add.context,
            sees_images: add.images,
            plain_nearby: add.plain_nearby,
        },
        key: if add.no_key { DraftKey::None } else { key()? },
        keep: keep(add.session),
    })
}

/// A model as it is to be. What is not named stays.
fn with_changes(before: ModelView, change: args::ChangeModel) -> Result<ModelDraft, HostError> {
    let was = before.settings;
    Ok(ModelDraft {
        name: change.name.unwrap_or(before.name),
        settings: ModelSettings {
            service: was.service,
            url: change.url.unwrap_or(was.url),
            name: change.of_service.unwrap_or(was.name),
            context: change.context.unwrap_or(was.context),
            sees_images: change.images.unwrap_or(was.sees_images),
            plain_nearby: change.plain_nearby.unwrap_or(was.plain_nearby),
        },
        key: if change.key { key()? } else { DraftKey::Kept },
        keep: keep(change.session),
    })
}

fn key() -> Result<DraftKey, HostError> {
    let value = secret_value("the key", false)?;
    Ok(DraftKey::NewSecret { value })
}

/// The model of this name, in whatever case, or of this number. Fails with `unknown_model`.
pub(super) async fn named(link: &Link, word: &str) -> Result<ModelView, HostError> {
    let key = word.to_lowercase();
    let all = link.ask(ListModels {}).await?;
    all.into_iter()
        .find(|model| model.id.as_str() == word || model.name.to_lowercase() == key)
        .ok_or_else(|| {
            HostError::of(
                ErrorCode::UnknownModel,
                format!("there is no model called {word}"),
            )
        })
}

fn list(models: &[ModelView]) {
    let row = |model: &ModelView| {
        let ModelView {
            id,
            name,
            settings,
            has_key,
            added_at: _,
        } = model;
        let ModelSettings {
            service,
            url,
            name: model,
            context,
            sees_images,
            plain_nearby,
        } = settings;
        let yes = |is: &bool| if *is { "yes" } else { "-" }.to_owned();
        vec![
            id.to_string(),
            name.clone(),
            service.as_str().to_owned(),
            model.clone(),
            url.clone(),
            context.to_string(),
            yes(sees_images),
            yes(has_key),
            yes(plain_nearby),
        ]
    };
    print::table(
        &[
            "NUMBER",
            "NAME",
            "SERVICE",
            "MODEL",
            "ADDRESS",
            "TOKENS",
            "IMAGES",
            "KEY",
            "PLAIN HTTP NEARBY",
        ],
        &models.iter().map(row).collect::<Vec<_>>(),
    );
}

fn local(found: &[LocalModels]) {
    let rows: Vec<Vec<String>> = found
        .iter()
        .flat_map(|place| {
            let program = match place.program {
                LocalProgram::Ollama => "Ollama",
                LocalProgram::LmStudio => "LM Studio",
                LocalProgram::LlamaServer => "llama-server",
            };
            place.offered.iter().map(move |model| {
                vec![
                    program.to_owned(),
                    place.service.as_str().to_owned(),
                    place.url.clone(),
                    model.name.clone(),
                    or_dash(model.context),
                ]
            })
        })
        .collect();
    print::table(&["PROGRAM", "SERVICE", "ADDRESS", "MODEL", "TOKENS"], &rows);
    if found.is_empty() {
        print::result("Neither Ollama nor LM Studio nor llama-server answers on this computer.");
    } else {
        print::note(
            "Next, with a row of these: majordomoctl models add NAME --service SERVICE --url ADDRESS --model MODEL --context TOKENS --no-key",
        );
    }
}

fn tested(name: &str, check: ModelCheck, all: bool, json: bool) -> Exit {
    if json {
        print::json(&check);
        return Exit::Done;
    }
    let ModelCheck {
        offered,
        is_offered,
    } = check;
    let offered = offered.unwrap_or_default();
    if all {
        let row = |model: &OfferedModel| vec![model.name.clone(), or_dash(model.context)];
        let rows: Vec<Vec<String>> = offered.iter().map(row).collect();
        print::table(&["MODEL", "TOKENS"], &rows);
    }
    match is_offered {
        Some(true) => print::note(format_args!("The service answers, and has {name}.")),
        Some(false) => print::note(format_args!(
            "The service answers, and {name} is not among its {} models.",
            offered.len()
        )),
        None => print::note("The service answers, and has no list of its models."),
    }
    if is_offered != Some(false) {
        print::note("Next: majordomoctl chat");
    }
    Exit::Done
}
