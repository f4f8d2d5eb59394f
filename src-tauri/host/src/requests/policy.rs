//! Rules.

use crate::commands::policy;
use ::policy::Rule;
use api::{
    AddRule, DryRunResult, HostError, PolicyView, PreviewRule, RemoveRule, ShowPolicy, TestPolicy,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn show_policy(
    calls: &Calls,
    _: ShowPolicy,
    _: &Surface,
) -> Result<PolicyView, HostError> {
    Ok(calls.rules().view())
}

pub(crate) async fn preview_rule(
    calls: &Calls,
    PreviewRule { draft }: PreviewRule,
    _: &Surface,
) -> Result<Rule, HostError> {
    policy::preview(calls, draft)
}

pub(crate) async fn add_rule(
    calls: &Calls,
    AddRule { draft }: AddRule,
    surface: &Surface,
) -> Result<PolicyView, HostError> {
    policy::add(calls, draft, surface).await
}

pub(crate) async fn remove_rule(
    calls: &Calls,
    RemoveRule { rule }: RemoveRule,
    surface: &Surface,
) -> Result<PolicyView, HostError> {
    policy::remove(calls, &rule, surface).await
}

pub(crate) async fn test_policy(
    calls: &Calls,
    TestPolicy { call }: TestPolicy,
    _: &Surface,
) -> Result<DryRunResult, HostError> {
    policy::suppose(calls, call).await
}
