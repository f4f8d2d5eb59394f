//! Goes through every step of finding out how to sign in, without signing in.

use super::steps::Report;
use super::{begin, probe, record};
use crate::{Servers, server_egress};
use api::{DoctorProblem, DoctorReport, DoctorWhat, HostError};
use oauth::{Ask, Discovery, Doctor, OAuthError, Problem, RegistrationKind, Way};
use protocol::ServerId;
use store::OauthClientRow;

/// Every step, in the order they were gone. Nobody is registered, and no browser is opened.
pub async fn diagnose(servers: &Servers, id: &ServerId) -> Result<DoctorReport, HostError> {
    let (launch, url) = begin::reviewed(servers, id)?;
    let egress = server_egress::to(servers, id, &launch).await?;
    let (known, client) = servers
        .registry()
        .now(id)
        .map(|now| (now.sign_in.challenge.clone(), now.sign_in.client.clone()))?;
    let challenge = match known {
        Some(challenge) => Some(challenge),
        None => probe::probe(&egress, &url).await,
    };
    let named = challenge
        .as_ref()
        .is_some_and(|challenge| challenge.resource_metadata.is_some());
    let without_person = client.as_ref().is_some_and(|client| client.without_person);
    let way = if without_person {
        Way::Machine
    } else {
        Way::Person
    };
    let ask = Ask {
        way,
        ..Ask::new(&url, challenge.as_ref())
    };
    let mut doctor = Doctor::new();
    let mut found = oauth::discover(&egress, &ask, &mut doctor).await;
    let mut report = Report::new(named, servers.secrets().masker());
    report.take(&doctor);
    if let Err(OAuthError::Discovery {
        problem: Problem::NoResourceMetadata,
        ..
    }) = &found
        && !named
    {
        // What it would be like in the way of revision 2025-03-26, which a person may approve.
        let mut older = Doctor::new();
        found = oauth::discover(
            &egress,
            &Ask {
                legacy_approved: true,
                ..ask
            },
            &mut older,
        )
        .await;
        report.add(
            DoctorWhat::LegacyFallback,
            None,
            Some(found.is_ok()),
            None,
            None,
        );
        report.take_after_metadata(&older);
    }
    if let Ok(discovery) = &found {
        registration(servers, id, &mut report, discovery, client.as_ref()).await;
        let scopes = oauth::choose(challenge.as_ref(), discovery, &[]).join(" ");
        report.add(
            DoctorWhat::Scopes,
            None,
            Some(true),
            None,
            Some(scopes).filter(|scopes| !scopes.is_empty()),
        );
    }
    Ok(DoctorReport {
        server: id.clone(),
        steps: report.steps,
    })
}

/// How an application would become known there.
async fn registration(
    servers: &Servers,
    id: &ServerId,
    report: &mut Report,
    discovery: &Discovery,
    client: Option<&OauthClientRow>,
) {
    let account = servers
        .registry()
        .now(id)
        .map(|now| now.sign_in.account.clone())
        .unwrap_or_default();
    let kept = record::read(servers, id, &account)
        .await
        .ok()
        .flatten()
        .map(|record| record.credentials);
    let is_kept = kept.is_some_and(|kept| {
        kept.belong_to(discovery) && kept.client.kind == RegistrationKind::Dynamic
    });
    let url = discovery.registration_endpoint.as_ref();
    let detail = match client {
        Some(client)
            if client
                .issuer
                .as_ref()
                .is_some_and(|issuer| *issuer != discovery.issuer) =>
        {
            let detail = "the client id was given out by another service".to_owned();
            return report.add(
                DoctorWhat::Registration,
                None,
                Some(false),
                Some(DoctorProblem::WrongIssuer),
                Some(detail),
            );
        }
        Some(_) => "with the client id that was entered",
        None if discovery.client_documents && servers.client_document().is_some() => {
            "by a metadata document"
        }
        None if is_kept => "as it is known there already",
        None if url.is_some() => "by itself",
        None => {
            return report.add(
                DoctorWhat::Registration,
                None,
                Some(false),
                Some(DoctorProblem::NoRegistration),
                None,
            );
        }
    };
    report.add(
        DoctorWhat::Registration,
        url,
        Some(true),
        None,
        Some(detail.to_owned()),
    );
}
