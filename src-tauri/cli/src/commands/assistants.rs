//! `majordomoctl assistants …`

use super::{models, or_dash};
use crate::args::{self, SetAssistant};
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    AssistantFile, AssistantView, ErrorCode, ExportAssistant, HostError, ListAssistants,
    ReadAssistant, RemoveAssistant, SaveAssistant,
};
use protocol::{AnswerType, AssistantSettings, AssistantTools, ChosenTool};
use std::path::Path;

/// Lists or changes assistants.
pub(crate) async fn run(
    link: &Link,
    command: args::Assistants,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let saved = match command {
        args::Assistants::List => {
            let all = link.ask(ListAssistants {}).await?;
            if json {
                print::json(&all);
            } else {
                list(&all);
            }
            return Ok(Exit::Done);
        }
        args::Assistants::Show { assistant } => named(link, &assistant).await?,
        args::Assistants::Add { name, settings } => {
            let settings = settings.applied_to(link, empty(name)).await?;
            let new = SaveAssistant {
                assistant: None,
                settings,
            };
            word.ask(link, new).await?
        }
        args::Assistants::Change {
            assistant,
            rename,
            settings,
        } => {
            let before = named(link, &assistant).await?;
            let mut settings = settings.applied_to(link, before.settings).await?;
            if let Some(name) = rename {
                settings.name = name;
            }
            let changed = SaveAssistant {
                assistant: Some(before.id),
                settings,
            };
            word.ask(link, changed).await?
        }
        args::Assistants::Remove { assistant } => {
            let assistant = named(link, &assistant).await?.id;
            link.ask(RemoveAssistant { assistant }).await?;
            if json {
                print::json(&());
            }
            print::note("Removed. Its conversations can still be read.");
            return Ok(Exit::Done);
        }
        args::Assistants::Export { assistant } => {
            let assistant = named(link, &assistant).await?.id;
            let export = link.ask(ExportAssistant { assistant }).await?;
            if json {
                print::json(&export);
            } else {
                print::file(export.text.trim_end());
            }
            return Ok(Exit::Done);
        }
        args::Assistants::Import { file } => {
            let file = AssistantFile { text: text(&file)? };
            let settings = link.ask(ReadAssistant { file }).await?;
            let new = SaveAssistant {
                assistant: None,
                settings,
            };
            word.ask(link, new).await?
        }
    };
    if json {
        print::json(&saved);
    } else {
        show(&saved);
    }
    Ok(Exit::Done)
}

/// The assistant of this name, in whatever case, or of this number. Fails with `unknown_assistant`.
pub(super) async fn named(link: &Link, word: &str) -> Result<AssistantView, HostError> {
    let key = word.to_lowercase();
    let all = link.ask(ListAssistants {}).await?;
    let is_it =
        |one: &AssistantView| one.id.as_str() == word || one.settings.name.to_lowercase() == key;
    all.into_iter().find(is_it).ok_or_else(|| {
        let message = format!("there is no assistant called {word}");
        HostError::of(ErrorCode::UnknownAssistant, message)
    })
}

fn empty(name: String) -> AssistantSettings {
    AssistantSettings {
        name,
        description: String::new(),
        instructions: String::new(),
        model: None,
        tools: AssistantTools::All,
        calculates: false,
        helpers: Vec::new(),
        is_helper: false,
        answer: AnswerType::Text,
    }
}

impl SetAssistant {
    async fn applied_to(
        self,
        link: &Link,
        mut to: AssistantSettings,
    ) -> Result<AssistantSettings, HostError> {
        let Self {
            description,
            instructions,
            instructions_file,
            model,
            tools,
            all_tools,
            no_tools,
            calculates,
            helpers,
            no_helpers,
            is_helper,
            answer_type,
        } = self;
        to.description = description.unwrap_or(to.description);
        to.instructions = match (instructions, &instructions_file) {
            (Some(text), _) => text,
            (None, Some(file)) => text(file)?,
            (None, None) => to.instructions,
        };
        to.model = match model.as_deref() {
            None => to.model,
            Some("any") => None,
            Some(model) => Some(models::named(link, model).await?.id),
        };
        if all_tools {
            to.tools = AssistantTools::All;
        } else if no_tools || !tools.is_empty() {
            let tools = tools.into_iter();
            let tools = tools.map(|(server, tool)| ChosenTool { server, tool });
            to.tools = AssistantTools::Chosen {
                tools: tools.collect(),
            };
        }
        to.calculates = calculates.unwrap_or(to.calculates);
        if no_helpers || !helpers.is_empty() {
            to.helpers.clear();
        }
        for helper in helpers {
            to.helpers.push(named(link, &helper).await?.id);
        }
        to.is_helper = is_helper.unwrap_or(to.is_helper);
        to.answer = answer_type.unwrap_or(to.answer);
        Ok(to)
    }
}

fn text(file: &Path) -> Result<String, HostError> {
    std::fs::read_to_string(file).map_err(|problem| {
        let message = format!("{} cannot be read: {problem}", file.display());
        HostError::of(ErrorCode::BadPath, message)
    })
}

fn list(all: &[AssistantView]) {
    let row = |one: &AssistantView| {
        let settings = &one.settings;
        let is_helper = if settings.is_helper { "yes" } else { "-" };
        vec![
            one.id.to_string(),
            settings.name.clone(),
            tools(&settings.tools),
            is_helper.to_owned(),
            settings.description.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    print::table(&["NUMBER", "NAME", "TOOLS", "HELPER", "FOR"], &rows);
}

fn tools(tools: &AssistantTools) -> String {
    match tools {
        AssistantTools::All => "all".to_owned(),
        AssistantTools::Chosen { tools } => tools.len().to_string(),
    }
}

fn show(AssistantView { id, settings, .. }: &AssistantView) {
    let AssistantSettings {
        name,
        description,
        instructions,
        model,
        tools,
        calculates,
        helpers,
        is_helper,
        answer,
    } = settings;
    let yes = |is: &bool| if *is { "yes" } else { "no" }.to_owned();
    let tools = match tools {
        AssistantTools::All => "all".to_owned(),
        AssistantTools::Chosen { tools } => {
            let names = tools.iter();
            let names = names.map(|one| format!("{}/{}", one.server, one.tool));
            or_dash((!tools.is_empty()).then(|| names.collect::<Vec<_>>().join(", ")))
        }
    };
    let helpers: Vec<&str> = helpers.iter().map(|helper| helper.as_str()).collect();
    let rows = [
        ("name", name.clone()),
        ("for", description.clone()),
        ("model", or_dash(model.as_ref())),
        ("tools", tools),
        ("calculates", yes(calculates)),
        (
            "gives tasks to",
            or_dash((!helpers.is_empty()).then(|| helpers.join(", "))),
        ),
        ("is given tasks in chats", yes(is_helper)),
        ("answers", answer.to_string()),
    ];
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(what, value)| vec![what.to_owned(), value])
        .collect();
    print::table(&["NUMBER", id.as_str()], &rows);
    if !instructions.is_empty() {
        print::note("What it is told:");
        print::result(print::lines(instructions));
    }
}
