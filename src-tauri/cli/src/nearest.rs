//! The name that a person may have meant.

use crate::args::{Command, Offers, Policy, Roots, Servers, Tools};
use crate::link::Link;
use crate::print;
use api::{ErrorCode, HostError, ListTools, TakeSnapshot};
use protocol::{ServerId, ToolName, name_distance};

/// What a command is about, by the names that were typed.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    server: Option<ServerId>,
    tool: Option<ToolName>,
}

impl Typed {
    /// The names in a command.
    pub(crate) fn of(command: &Command) -> Self {
        let (server, tool) = match command {
            Command::Call(call) => (Some(&call.server), Some(&call.tool)),
            Command::Policy(Policy::Test(call)) => (Some(&call.server), Some(&call.tool)),
            Command::Tools(
                Tools::Show { server, tool }
                | Tools::Enable { server, tool }
                | Tools::Disable { server, tool }
                | Tools::Pin { server, tool }
                | Tools::Unpin { server, tool }
                | Tools::Mark { server, tool, .. },
            ) => (Some(server), Some(tool)),
            Command::Tools(Tools::List { server }) => (server.as_ref(), None),
            Command::Servers(
                Servers::Review { name, .. }
                | Servers::Enable { name }
                | Servers::Disable { name }
                | Servers::Remove { name }
                | Servers::Logs { name }
                | Servers::SignIn { name, .. }
                | Servers::Diagnose { name }
                | Servers::Era { name, .. }
                | Servers::Runs { name, .. },
            ) => (Some(name), None),
            Command::Servers(Servers::Sandbox(wanted)) => (Some(&wanted.name), None),
            Command::Offers(Offers::Review { server, .. }) => (Some(server), None),
            Command::Offers(
                Offers::Approve(decided) | Offers::KeepOff(decided) | Offers::Block(decided),
            ) => (Some(&decided.server), None),
            Command::Roots(
                Roots::List { server } | Roots::Add { server, .. } | Roots::Remove { server, .. },
            ) => (Some(server), None),
            _ => (None, None),
        };
        Self {
            server: server.cloned(),
            tool: tool.cloned(),
        }
    }

    /// The error with the name that may have been meant, where it is about a name that is not there.
    pub(crate) async fn proposed(&self, link: &Link, mut error: HostError) -> HostError {
        let meant = match (error.code, &self.server, &self.tool) {
            (ErrorCode::UnknownServer, Some(server), _) => self.server(link, server).await,
            (ErrorCode::UnknownTool, Some(server), Some(tool)) => {
                let server = server.clone();
                let tools = link.ask(ListTools { server }).await.unwrap_or_default();
                nearest(
                    tool.as_str(),
                    tools.iter().map(|view| view.spec.name.as_str()),
                )
            }
            _ => None,
        };
        if let Some(meant) = meant {
            let meant = print::visible(&meant);
            error.message.push_str(&format!("; did you mean {meant}?"));
        }
        error
    }

    async fn server(&self, link: &Link, server: &ServerId) -> Option<String> {
        let known = link.ask(TakeSnapshot {}).await.ok()?.servers;
        nearest(server.as_str(), known.iter().map(|view| view.id.as_str()))
    }
}

fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .filter_map(|name| Some((name_distance(typed, name)?, name)))
        .min()
        .map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_proposed_only_where_it_is_nearly_the_one_that_was_typed() {
        let names = ["get_exchange_rate", "list_currencies", "convert"];
        let near = |typed| nearest(typed, names.into_iter());
        assert_eq!(
            near("get_exchange_rat").as_deref(),
            Some("get_exchange_rate")
        );
        assert_eq!(near("exchange").as_deref(), None);
        assert_eq!(near("Convert").as_deref(), Some("convert"));
        assert_eq!(near("delete_everything"), None);
    }
}
