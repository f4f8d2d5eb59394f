//! The door that every surface uses.

use crate::{Host, power, requests};
use api::{AnyReply, AnyRequest, HostError, Request};
use futures::future::BoxFuture;
use serde_json::value::RawValue;
use servers::Surface;

impl Host {
    /// Does what a surface asks for; the reply is written once, as it travels.
    ///
    /// Fails with `shutting_down` when the host is about to end, with `too_large` when a field holds
    /// more than it may, and else as each command says.
    pub fn handle<'a>(
        &'a self,
        request: AnyRequest,
        surface: &'a Surface,
    ) -> BoxFuture<'a, Result<Box<RawValue>, HostError>> {
        Box::pin(async move { self.handled(request, surface).await?.written() })
    }

    // Not generic, and boxed: or every crate that asks would compile the host's bodies anew.
    fn reply<'a>(
        &'a self,
        request: AnyRequest,
        surface: &'a Surface,
    ) -> BoxFuture<'a, Result<Box<dyn AnyReply>, HostError>> {
        Box::pin(self.handled(request, surface))
    }

    async fn handled(
        &self,
        request: AnyRequest,
        surface: &Surface,
    ) -> Result<Box<dyn AnyReply>, HostError> {
        let rooms = self.rooms();
        rooms.still_open()?;
        request.check()?;
        let surface = &power::on_whose_word(rooms, &request, surface).await?;
        api::route!(requests, rooms, request, surface)
    }

    /// Does what a surface in this process asks for, which takes the reply as it is.
    pub async fn ask<R: Request>(
        &self,
        request: R,
        surface: &Surface,
    ) -> Result<R::Reply, HostError> {
        let reply = self.reply(request.into(), surface).await?;
        // Who asks from elsewhere must be able to read it.
        debug_assert!(
            reply
                .written()
                .is_ok_and(|written| api::read::<R>(written.get()).is_ok())
        );
        api::taken::<R>(reply)
    }
}
