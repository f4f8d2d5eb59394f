//! The doctor's steps in the words that message catalogues have sentences for.

use api::{DoctorProblem, DoctorStep, DoctorWhat};
use inspect::Masker;
use oauth::{Doctor, Outcome, Problem, Step, What};
use std::sync::Arc;
use url::Url;

/// A report that is being written.
pub(super) struct Report {
    pub steps: Vec<DoctorStep>,
    /// Whether the server named the place of its metadata.
    named: bool,
    masker: Arc<Masker>,
}

impl Report {
    pub fn new(named: bool, masker: Arc<Masker>) -> Self {
        Self {
            steps: Vec::new(),
            named,
            masker,
        }
    }

    /// Takes over the steps of a discovery.
    pub fn take(&mut self, doctor: &Doctor) {
        for step in doctor.steps() {
            self.step(step);
        }
    }

    /// Takes over the steps behind the search for the server's metadata.
    pub fn take_after_metadata(&mut self, doctor: &Doctor) {
        for step in doctor
            .steps()
            .iter()
            .filter(|step| !matches!(step.what, What::Challenge | What::ResourceMetadata))
        {
            self.step(step);
        }
    }

    /// Adds a step. Words of servers in it are covered.
    pub fn add(
        &mut self,
        what: DoctorWhat,
        url: Option<&Url>,
        ok: Option<bool>,
        problem: Option<DoctorProblem>,
        detail: Option<String>,
    ) {
        let covered = |text: String| self.masker.mask(&text).unwrap_or(text);
        let (url, detail) = (url.map(|url| covered(url.to_string())), detail.map(covered));
        self.steps.push(DoctorStep {
            what,
            url,
            ok,
            problem,
            detail,
        });
    }

    fn step(&mut self, step: &Step) {
        let what = self.what(step);
        let (ok, problem) = match &step.outcome {
            Outcome::Ok => (Some(true), None),
            Outcome::Skipped => (None, None),
            Outcome::Failed { problem } => (Some(false), Some(problem)),
        };
        // That nothing was at any of the places belongs to the last of them.
        if let (Some(problem), None, Some(last)) = (problem, &step.url, self.steps.last_mut())
            && last.what == what
            && last.ok.is_none()
        {
            (last.ok, last.problem, last.detail) =
                (ok, Some(word(problem)), Some(problem.to_string()));
            return;
        }
        self.add(
            what,
            step.url.as_ref(),
            ok,
            problem.map(word),
            problem.map(ToString::to_string),
        );
    }

    fn what(&self, step: &Step) -> DoctorWhat {
        let path = step.url.as_ref().map(Url::path);
        match step.what {
            What::Challenge => DoctorWhat::Challenge,
            What::ResourceMetadata if self.named => DoctorWhat::ResourceMetadataNamed,
            What::ResourceMetadata => match path {
                Some("/.well-known/oauth-protected-resource") => DoctorWhat::ResourceMetadataRoot,
                Some(_) => DoctorWhat::ResourceMetadataPath,
                None => self
                    .steps
                    .last()
                    .map_or(DoctorWhat::ResourceMetadataPath, |last| last.what),
            },
            What::Resource => DoctorWhat::ResourceMatches,
            What::AuthorizationServer => DoctorWhat::AuthorizationServer,
            What::ServerMetadata => match path {
                Some(path) if path.starts_with("/.well-known/openid-configuration") => {
                    DoctorWhat::MetadataOidcPath
                }
                Some(path) if path.ends_with("/.well-known/openid-configuration") => {
                    DoctorWhat::MetadataOidcAppend
                }
                Some(_) => DoctorWhat::MetadataOauthPath,
                None => self
                    .steps
                    .last()
                    .map_or(DoctorWhat::MetadataOauthPath, |last| last.what),
            },
            What::Issuer => DoctorWhat::IssuerMatches,
            What::Endpoints => DoctorWhat::EndpointsSameOrigin,
            What::ProofKey => DoctorWhat::PkceAdvertised,
            What::Registration => DoctorWhat::Registration,
        }
    }
}

fn word(problem: &Problem) -> DoctorProblem {
    match problem {
        Problem::NoResourceMetadata | Problem::NoServerMetadata => DoctorProblem::NotFound,
        Problem::Unreachable { .. } => DoctorProblem::Unreachable,
        Problem::Certificate { .. } => DoctorProblem::Certificate,
        Problem::TimedOut => DoctorProblem::TimedOut,
        Problem::TooLong { .. } => DoctorProblem::TooLong,
        Problem::Forbidden { .. } => DoctorProblem::ForbiddenAddress,
        Problem::Redirected | Problem::BadAddress { .. } => DoctorProblem::UnsafeAddress,
        Problem::Status { .. } => DoctorProblem::HttpStatus,
        Problem::ForeignResourceMetadata | Problem::ForeignEndpoints { .. } => {
            DoctorProblem::ForeignEndpoint
        }
        Problem::OtherResource { .. } => DoctorProblem::WrongResource,
        Problem::OtherIssuer { .. } | Problem::OtherAuthorizationServer { .. } => {
            DoctorProblem::WrongIssuer
        }
        Problem::NoAuthorizationServer
        | Problem::MissingEndpoint { .. }
        | Problem::UnreadableChallenge => DoctorProblem::NoneNamed,
        Problem::NoProofKey => DoctorProblem::NoPkce,
        Problem::RegistrationRefused { .. } | Problem::ClientIdNeeded => {
            DoctorProblem::NoRegistration
        }
        // What cannot be read, and whatever else may be added there.
        _ => DoctorProblem::NotJson,
    }
}
