//! Where each application keeps its configuration, on each system. Pure: it names places and looks
//! at none of them.

use api::Application;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    /// Linux.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Os {
    /// The one that this program was built for; others are as Linux is.
    pub fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Linux
        }
    }
}

/// The folders of a person below which applications keep their configurations.
#[derive(Debug, Clone)]
pub struct Folders {
    os: Os,
    home: PathBuf,
    /// `~/.config`.
    config: PathBuf,
    /// Where windowed applications keep theirs: `~/Library/Application Support`, `%APPDATA%`, else
    /// as `config`.
    support: PathBuf,
    /// `%LOCALAPPDATA%`.
    local: PathBuf,
    codex: PathBuf,
    copilot: PathBuf,
}

/// One installation of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    pub application: Application,
    /// Folders, of which at least one is there where it is installed.
    pub homes: Vec<Spot>,
    /// The files in which it may keep its servers. Where none is there, the first is made.
    pub files: Vec<Spot>,
    /// Files of earlier versions, which are only read.
    pub old: Vec<Spot>,
}

/// Files of a project, in its folder, in which applications keep servers for it alone. Teams share
/// them.
pub(crate) const OF_PROJECTS: [(Application, &str); 9] = [
    (Application::ClaudeCode, ".mcp.json"),
    (Application::Cursor, ".cursor/mcp.json"),
    (Application::VsCode, ".vscode/mcp.json"),
    (Application::Codex, ".codex/config.toml"),
    (Application::GeminiCli, ".gemini/settings.json"),
    (Application::Opencode, "opencode.json"),
    (Application::Kiro, ".kiro/settings/mcp.json"),
    (Application::Junie, ".junie/mcp/mcp.json"),
    (Application::RooCode, ".roo/mcp.json"),
];

/// Where a file or folder may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spot {
    /// There.
    At(PathBuf),
    /// Below each folder of `within` whose name begins so. Windows adds a publisher's mark to names
    /// of packages.
    Below {
        within: PathBuf,
        beginning: &'static str,
        rest: PathBuf,
    },
}

impl Folders {
    /// The usual folders below a home.
    pub fn below(os: Os, home: PathBuf) -> Self {
        let config = home.join(".config");
        let support = match os {
            Os::Linux => config.clone(),
            Os::Mac => home.join("Library/Application Support"),
            Os::Windows => home.join("AppData").join("Roaming"),
        };
        let local = home.join("AppData").join("Local");
        Self {
            os,
            config,
            support,
            local,
            codex: home.join(".codex"),
            copilot: home.join(".copilot"),
            home,
        }
    }

    /// The folders of the person who runs this program, as their environment has them.
    pub fn of_this_person() -> Option<Self> {
        let home = directories::BaseDirs::new()?.home_dir().to_owned();
        Some(Self::below(Os::here(), home).moved(|name| std::env::var_os(name)))
    }

    /// Takes folders that a person has moved from their environment. What is no absolute path moves
    /// nothing.
    fn moved(mut self, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let given = |name| {
            variable(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let take = |folder: &mut PathBuf, name| {
            if let Some(given) = given(name) {
                *folder = given;
            }
        };
        take(&mut self.codex, "CODEX_HOME");
        take(&mut self.copilot, "COPILOT_HOME");
        match self.os {
            Os::Windows => {
                take(&mut self.support, "APPDATA");
                take(&mut self.local, "LOCALAPPDATA");
            }
            Os::Mac => take(&mut self.config, "XDG_CONFIG_HOME"),
            Os::Linux => {
                take(&mut self.config, "XDG_CONFIG_HOME");
                self.support = self.config.clone();
            }
        }
        self
    }

    /// The person's own folder.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Every file in which an application may keep which servers it starts, where its name is
    /// known.
    pub(crate) fn configurations(&self) -> Vec<PathBuf> {
        self.installations()
            .into_iter()
            .flat_map(|one| one.files.into_iter().chain(one.old))
            .filter_map(|spot| match spot {
                Spot::At(path) => Some(path),
                Spot::Below { .. } => None,
            })
            .collect()
    }

    /// Every installation there may be, one application after the other.
    pub(crate) fn installations(&self) -> Vec<Installation> {
        use Application as A;
        let Self {
            home,
            config,
            support,
            ..
        } = self;
        let mut all = Vec::new();
        if self.os == Os::Windows {
            all.push(self.packaged_claude_desktop());
        }
        all.extend([
            one(
                A::ClaudeDesktop,
                support.join("Claude"),
                "claude_desktop_config.json",
            ),
            Installation {
                files: vec![Spot::At(home.join(".claude.json"))],
                ..one(A::ClaudeCode, home.join(".claude"), "")
            },
            one(A::Cursor, home.join(".cursor"), "mcp.json"),
        ]);
        for edition in ["Code", "Code - Insiders", "VSCodium"] {
            let user = support.join(edition).join("User");
            let of_extension = |name| user.join("globalStorage").join(name);
            all.extend([
                Installation {
                    old: vec![Spot::At(user.join("settings.json"))],
                    ..one(A::VsCode, user.clone(), "mcp.json")
                },
                one(
                    A::Cline,
                    of_extension("saoudrizwan.claude-dev"),
                    "settings/cline_mcp_settings.json",
                ),
                one(
                    A::RooCode,
                    of_extension("rooveterinaryinc.roo-cline"),
                    "settings/mcp_settings.json",
                ),
            ]);
        }
        // Zed and Goose follow the terminal's customs on macOS.
        let (zed, goose, old_goose) = match self.os {
            Os::Windows => (
                support.join("Zed"),
                support.join("Block/goose/config"),
                vec![Spot::At(support.join("Block/goose/config.yaml"))],
            ),
            Os::Linux | Os::Mac => (config.join("zed"), config.join("goose"), Vec::new()),
        };
        // It was called Windsurf, and not everywhere has it moved.
        let devin = match self.os {
            Os::Windows => support.join("devin"),
            Os::Linux | Os::Mac => config.join("devin"),
        };
        let (windsurf, gemini) = (home.join(".codeium/windsurf"), home.join(".gemini"));
        all.extend([
            one(A::Codex, self.codex.clone(), "config.toml"),
            one(A::Windsurf, windsurf, "mcp_config.json").or(devin, "mcp_config.json"),
            one(A::Zed, zed, "settings.json"),
            one(A::GeminiCli, gemini.clone(), "settings.json"),
            one(A::LmStudio, home.join(".lmstudio"), "mcp.json"),
            Installation {
                old: old_goose,
                ..one(A::Goose, goose, "config.yaml")
            },
            one(A::Opencode, config.join("opencode"), "opencode.json")
                .or(config.join("opencode"), "opencode.jsonc"),
            one(A::Copilot, self.copilot.clone(), "mcp-config.json"),
            one(A::Kiro, home.join(".kiro"), "settings/mcp.json"),
            one(A::Antigravity, gemini.join("config"), "mcp_config.json")
                .or(gemini.join("antigravity"), "mcp_config.json"),
            one(A::Junie, home.join(".junie"), "mcp/mcp.json"),
            one(A::Warp, home.join(".warp"), ".mcp.json"),
            one(A::Amp, config.join("amp"), "settings.json"),
            one(A::Continue, home.join(".continue"), "config.yaml"),
        ]);
        all
    }

    /// The packaged Claude Desktop has a roaming folder of its own, and does not look at the common
    /// one.
    fn packaged_claude_desktop(&self) -> Installation {
        let below = |rest: &str| Spot::Below {
            within: self.local.join("Packages"),
            beginning: "Claude_",
            rest: rest.into(),
        };
        Installation {
            application: Application::ClaudeDesktop,
            homes: vec![below("")],
            files: vec![below(
                "LocalCache/Roaming/Claude/claude_desktop_config.json",
            )],
            old: Vec::new(),
        }
    }
}

/// An application with a folder of its own, and a file in it.
fn one(application: Application, home: PathBuf, file: &str) -> Installation {
    Installation {
        application,
        files: vec![Spot::At(home.join(file))],
        homes: vec![Spot::At(home)],
        old: Vec::new(),
    }
}

impl Installation {
    /// The same with another place for the file, which is used where it is there.
    fn or(mut self, home: PathBuf, file: &str) -> Self {
        self.files.push(Spot::At(home.join(file)));
        self.homes.push(Spot::At(home));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Application as A;

    fn has(folders: &Folders, application: Application, path: &str) -> bool {
        let spot = Spot::At(PathBuf::from(path));
        folders
            .installations()
            .iter()
            .filter(|one| one.application == application)
            .any(|one| one.files.contains(&spot) || one.old.contains(&spot))
    }

    #[test]
    fn every_application_has_a_place_on_every_system() {
        let all = [
            A::ClaudeDesktop,
            A::ClaudeCode,
            A::Cursor,
            A::VsCode,
            A::Codex,
            A::Windsurf,
            A::Zed,
            A::GeminiCli,
            A::LmStudio,
            A::Goose,
            A::Opencode,
            A::Cline,
            A::Copilot,
            A::Kiro,
            A::Antigravity,
            A::Junie,
            A::RooCode,
            A::Warp,
            A::Amp,
            A::Continue,
        ];
        for os in [Os::Linux, Os::Mac, Os::Windows] {
            let known = Folders::below(os, "/home/ada".into()).installations();
            assert!(
                all.iter()
                    .all(|application| known.iter().any(|one| one.application == *application)),
                "{os:?}"
            );
        }
    }

    #[test]
    fn each_system_has_its_own_folders() {
        let linux = Folders::below(Os::Linux, "/home/ada".into());
        assert!(has(
            &linux,
            A::VsCode,
            "/home/ada/.config/Code/User/mcp.json"
        ));
        assert!(has(&linux, A::Goose, "/home/ada/.config/goose/config.yaml"));
        assert!(has(&linux, A::Codex, "/home/ada/.codex/config.toml"));
        let mac = Folders::below(Os::Mac, "/Users/ada".into());
        assert!(has(
            &mac,
            A::ClaudeDesktop,
            "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"
        ));
        assert!(has(
            &mac,
            A::VsCode,
            "/Users/ada/Library/Application Support/Code/User/settings.json"
        ));
        assert!(has(&mac, A::Zed, "/Users/ada/.config/zed/settings.json"));
        let windows = Folders::below(Os::Windows, "C:/Users/ada".into());
        assert!(has(
            &windows,
            A::Zed,
            "C:/Users/ada/AppData/Roaming/Zed/settings.json"
        ));
        assert!(has(
            &windows,
            A::Goose,
            "C:/Users/ada/AppData/Roaming/Block/goose/config/config.yaml"
        ));
        assert!(has(
            &windows,
            A::Windsurf,
            "C:/Users/ada/.codeium/windsurf/mcp_config.json"
        ));
        assert_eq!(
            windows.installations()[0].files,
            [Spot::Below {
                within: "C:/Users/ada/AppData/Local/Packages".into(),
                beginning: "Claude_",
                rest: "LocalCache/Roaming/Claude/claude_desktop_config.json".into()
            }]
        );
        assert!(has(
            &windows,
            A::Windsurf,
            "C:/Users/ada/AppData/Roaming/devin/mcp_config.json"
        ));
        assert!(has(
            &linux,
            A::Windsurf,
            "/home/ada/.config/devin/mcp_config.json"
        ));
    }

    #[test]
    fn folders_that_were_moved_are_followed_and_relative_ones_are_not() {
        let environment = |name: &str| match name {
            "CODEX_HOME" => Some(OsString::from("/data/codex")),
            "XDG_CONFIG_HOME" => Some("/data/config".into()),
            "COPILOT_HOME" => Some("elsewhere".into()),
            _ => None,
        };
        let folders = Folders::below(Os::Linux, "/home/ada".into()).moved(environment);
        assert!(has(&folders, A::Codex, "/data/codex/config.toml"));
        assert!(has(&folders, A::VsCode, "/data/config/Code/User/mcp.json"));
        assert!(has(
            &folders,
            A::Copilot,
            "/home/ada/.copilot/mcp-config.json"
        ));
    }
}
