//! The files into which an entry can be written, and where in each it belongs.

use super::document::{Notation, Place};
use super::file;
use crate::applications::{Folders, Installation};
use crate::import::find::{is_there, patiently, spelled_out};
use crate::{Servers, error};
use api::{Application, ErrorCode, HostError, TakesUp};
use std::path::{Path, PathBuf};

/// A file of an application that is installed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub application: Application,
    /// The file, as it is listed. It need not be there.
    pub path: PathBuf,
    /// Where it really lies, if a link leads there.
    pub leads_to: Option<String>,
}

/// Every file into which an entry can be written: of each installation those that are there, or the
/// one that the application would make.
pub(super) fn targets(folders: &Folders) -> Vec<Target> {
    let of_one = |installation: Installation| {
        let Installation {
            application,
            homes,
            files,
            old: _,
        } = installation;
        let paths: Vec<PathBuf> = files.iter().flat_map(spelled_out).collect();
        let there: Vec<PathBuf> = paths
            .iter()
            .filter(|path| is_there(path))
            .cloned()
            .collect();
        let is_installed = || homes.iter().flat_map(spelled_out).any(|home| home.is_dir());
        let written = if !there.is_empty() {
            there
        } else if is_installed() {
            paths.into_iter().take(1).collect()
        } else {
            Vec::new()
        };
        written.into_iter().map(move |path| Target {
            application,
            leads_to: leads_to(&path, folders.home()),
            path,
        })
    };
    folders
        .installations()
        .into_iter()
        .flat_map(of_one)
        .collect()
}

/// The target that a request names. No other file is touched.
///
/// # Errors
/// `bad_path`.
pub(super) async fn named(
    servers: &Servers,
    application: Application,
    path: &str,
) -> Result<Target, HostError> {
    let (folders, wanted) = (servers.folders().cloned(), path.to_owned());
    let found = patiently(move || {
        let mut all = folders.iter().flat_map(targets);
        all.find(|target| target.application == application && target.shown() == wanted)
    });
    found.await?.ok_or_else(|| not_listed(path))
}

pub(super) fn not_listed(path: &str) -> HostError {
    let message = format!("{path} is not the file of an application that was found");
    error::host(ErrorCode::BadPath, message)
}

impl Target {
    /// The file as it is listed.
    pub fn shown(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// How its file is written.
    pub fn notation(&self) -> Notation {
        match self.application {
            Application::Codex => Notation::Toml,
            Application::Goose | Application::Continue => Notation::Yaml,
            _ => Notation::Json,
        }
    }

    /// Where its servers stand in a document. opencode has moved them, so it depends on what is
    /// there.
    pub fn place(&self, document: &serde_json::Value) -> Place {
        let keys: &[&str] = match self.application {
            Application::VsCode => &["servers"],
            Application::Zed => &["context_servers"],
            Application::Codex => &["mcp_servers"],
            Application::Goose => &["extensions"],
            Application::Amp => &["amp.mcpServers"],
            Application::Opencode if has_inner_servers(document) => &["mcp", "servers"],
            Application::Opencode => &["mcp"],
            _ => &["mcpServers"],
        };
        Place {
            keys,
            is_list: self.application == Application::Continue,
        }
    }

    /// What a file begins with that is made.
    pub fn beginning(&self) -> &'static str {
        match (self.application, self.notation()) {
            (Application::Continue, _) => "name: Local Config\nversion: 1.0.0\nschema: v1\n",
            (_, Notation::Json) => "{}\n",
            (_, Notation::Toml | Notation::Yaml) => "",
        }
    }

    /// How the application takes up a change.
    pub fn takes_up(&self) -> TakesUp {
        match self.application {
            Application::Cursor
            | Application::VsCode
            | Application::Zed
            | Application::Cline
            | Application::RooCode
            | Application::Kiro => TakesUp::ByItself,
            Application::ClaudeCode
            | Application::Codex
            | Application::GeminiCli
            | Application::Goose
            | Application::Opencode
            | Application::Copilot
            | Application::Amp => TakesUp::NewSession,
            Application::ClaudeDesktop
            | Application::Windsurf
            | Application::LmStudio
            | Application::Antigravity
            | Application::Junie
            | Application::Warp
            | Application::Continue => TakesUp::Restart,
        }
    }
}

/// Where a file really lies, if a link leads there. Links above the person's own folder are the
/// system's business.
fn leads_to(path: &Path, home: &Path) -> Option<String> {
    let real = file::real(path).ok()?;
    let plain = match (path.strip_prefix(home), home.canonicalize()) {
        (Ok(below), Ok(home)) => home.join(below),
        _ => path.to_owned(),
    };
    (real != plain).then(|| real.to_string_lossy().into_owned())
}

/// Whether opencode's servers stand below `mcp.servers`, as it writes them since its second version.
fn has_inner_servers(document: &serde_json::Value) -> bool {
    let servers = document.get("mcp").and_then(|mcp| mcp.get("servers"));
    // A server may be called that, too.
    servers.is_some_and(|servers| servers.is_object() && servers.get("command").is_none())
}

/// What a person calls an application.
pub fn name(application: Application) -> &'static str {
    match application {
        Application::ClaudeDesktop => "Claude Desktop",
        Application::ClaudeCode => "Claude Code",
        Application::Cursor => "Cursor",
        Application::VsCode => "VS Code",
        Application::Codex => "Codex",
        Application::Windsurf => "Windsurf",
        Application::Zed => "Zed",
        Application::GeminiCli => "Gemini CLI",
        Application::LmStudio => "LM Studio",
        Application::Goose => "Goose",
        Application::Opencode => "opencode",
        Application::Cline => "Cline",
        Application::Copilot => "GitHub Copilot",
        Application::Kiro => "Kiro",
        Application::Antigravity => "Antigravity",
        Application::Junie => "Junie",
        Application::RooCode => "Roo Code",
        Application::Warp => "Warp",
        Application::Amp => "Amp",
        Application::Continue => "Continue",
    }
}
