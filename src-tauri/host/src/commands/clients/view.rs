//! An application as every surface shows it: with how many tools it has, and what these cost.

use crate::commands::tools;
use api::{ClientView, ToolCosts, ToolCounts, own_tools};
use calls::{Calls, ClientNow, rules};
use policy::{KnownTool, Target};
use protocol::{Caller, CallerKind, ServerId, ToolSpec};
use std::sync::Arc;
use store::GatewayClientRow;

/// A tool that can be used now, whoever asks.
type Usable = (ServerId, Arc<KnownTool>);

/// All of them, oldest first.
pub(super) fn all(calls: &Calls) -> Vec<ClientView> {
    let usable = usable(calls);
    let all = calls.clients().all(calls.now()).into_iter();
    all.map(|now| of(calls, now, &usable)).collect()
}

/// One of them.
pub(super) fn view(calls: &Calls, now: ClientNow) -> ClientView {
    of(calls, now, &usable(calls))
}

fn usable(calls: &Calls) -> Vec<Usable> {
    let mut usable = Vec::new();
    tools::each_on(calls, None, |server, tool| {
        usable.push((server.clone(), tool.known.clone()));
    });
    usable
}

fn of(calls: &Calls, now: ClientNow, usable: &[Usable]) -> ClientView {
    let ClientNow { row, connections } = now;
    let GatewayClientRow {
        id,
        name,
        added_at,
        token_hash,
        seen_at,
        settings,
    } = row;
    let caller = Caller::new(CallerKind::Client, id.clone(), &name);
    let has: Vec<&KnownTool> = usable
        .iter()
        .filter(|(server, tool)| {
            !rules::hides(calls, &caller, server, Target::Tool(&tool.spec().name))
        })
        .map(|(_, tool)| tool.as_ref())
        .collect();
    let own = match settings.own_tools {
        true => tokens(&own_tools::own_tools()),
        false => 0,
    };
    ClientView {
        id,
        name,
        added_at,
        has_token: token_hash.is_some(),
        seen_at,
        connections,
        settings,
        counts: ToolCounts {
            has: number(has.len()),
            of: number(usable.len()),
        },
        costs: ToolCosts {
            direct: has
                .iter()
                .map(|tool| tool.tokens())
                .fold(own, u32::saturating_add),
            search: tokens(&own_tools::search_tools()).saturating_add(own),
        },
    }
}

fn tokens(tools: &[ToolSpec]) -> u32 {
    let known = tools.iter().cloned().map(KnownTool::new);
    known.map(|tool| tool.tokens()).fold(0, u32::saturating_add)
}

fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
