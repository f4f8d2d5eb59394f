//! Signing in to servers.

use api::{
    CancelSignIn, Diagnose, DoctorReport, FinishSignIn, HostError, ServerView, SetOauthClient,
    SignIn, SignOut, UseAccount,
};
use calls::Calls;
use servers::{Surface, sign_in};

pub(crate) async fn sign_in(
    calls: &Calls,
    SignIn { server, approved }: SignIn,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::sign_in(calls, &server, approved, surface).await
}

pub(crate) async fn finish_sign_in(
    calls: &Calls,
    FinishSignIn { server, url }: FinishSignIn,
    _: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::finish(calls, &server, url).await
}

pub(crate) async fn cancel_sign_in(
    calls: &Calls,
    CancelSignIn { server }: CancelSignIn,
    _: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::cancel(calls, &server)
}

pub(crate) async fn sign_out(
    calls: &Calls,
    SignOut { server, account }: SignOut,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::sign_out(calls, &server, account, surface).await
}

pub(crate) async fn use_account(
    calls: &Calls,
    UseAccount { server, account }: UseAccount,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::use_account(calls, &server, &account, surface).await
}

pub(crate) async fn set_oauth_client(
    calls: &Calls,
    SetOauthClient { server, client }: SetOauthClient,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    sign_in::set_oauth_client(calls, &server, client, surface).await
}

pub(crate) async fn diagnose(
    calls: &Calls,
    Diagnose { server }: Diagnose,
    _: &Surface,
) -> Result<DoctorReport, HostError> {
    sign_in::diagnose(calls, &server).await
}
