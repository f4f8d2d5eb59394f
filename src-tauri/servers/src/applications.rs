//! Where each application keeps its configuration, on each system. Pure: it names places and looks
//! at none of them.

use api::Application;
use std::ffi::OsString;
use std::path::PathBuf;

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

/// A place where a configuration may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub application: Application,
    pub spot: Spot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// A file.
    File(PathBuf),
    /// A file below each folder of `within` whose name begins so. Windows adds a publisher's mark
    /// to names of packages.
    Below {
        within: PathBuf,
        beginning: &'static str,
        file: PathBuf,
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

    /// Every place, one application after the other.
    pub(super) fn places(&self) -> Vec<Place> {
        use Application as A;
        let Self {
            home,
            config,
            support,
            ..
        } = self;
        let mut files = vec![
            (
                A::ClaudeDesktop,
                support.join("Claude/claude_desktop_config.json"),
            ),
            (A::ClaudeCode, home.join(".claude.json")),
            (A::Cursor, home.join(".cursor/mcp.json")),
        ];
        for edition in ["Code", "Code - Insiders", "VSCodium"] {
            let user = support.join(edition).join("User");
            files.push((A::VsCode, user.join("mcp.json")));
            files.push((A::VsCode, user.join("settings.json")));
            files.push((
                A::Cline,
                user.join("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
            ));
        }
        // Zed and Goose follow the terminal's customs on macOS.
        let (zed, goose) = match self.os {
            Os::Windows => (support.join("Zed"), support.join("Block/goose/config")),
            Os::Linux | Os::Mac => (config.join("zed"), config.join("goose")),
        };
        files.extend([
            (A::Codex, self.codex.join("config.toml")),
            (A::Windsurf, home.join(".codeium/windsurf/mcp_config.json")),
            (A::Zed, zed.join("settings.json")),
            (A::GeminiCli, home.join(".gemini/settings.json")),
            (A::LmStudio, home.join(".lmstudio/mcp.json")),
            (A::Goose, goose.join("config.yaml")),
            (A::Opencode, config.join("opencode/opencode.json")),
            (A::Opencode, config.join("opencode/opencode.jsonc")),
            (A::Copilot, self.copilot.join("mcp-config.json")),
            (A::Kiro, home.join(".kiro/settings/mcp.json")),
            (
                A::Antigravity,
                home.join(".gemini/antigravity/mcp_config.json"),
            ),
            (A::Antigravity, home.join(".gemini/config/mcp_config.json")),
        ]);
        if self.os == Os::Windows {
            files.push((A::Goose, support.join("Block/goose/config.yaml")));
        }
        let mut places: Vec<_> = files
            .into_iter()
            .map(|(application, file)| Place {
                application,
                spot: Spot::File(file),
            })
            .collect();
        if self.os == Os::Windows {
            // The packaged Claude Desktop has a roaming folder of its own, and does not look at the
            // common one.
            let file = PathBuf::from("LocalCache/Roaming/Claude/claude_desktop_config.json");
            let spot = Spot::Below {
                within: self.local.join("Packages"),
                beginning: "Claude_",
                file,
            };
            places.insert(
                0,
                Place {
                    application: A::ClaudeDesktop,
                    spot,
                },
            );
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Application as A;

    fn has(folders: &Folders, application: Application, path: &str) -> bool {
        folders.places().contains(&Place {
            application,
            spot: Spot::File(PathBuf::from(path)),
        })
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
        ];
        for os in [Os::Linux, Os::Mac, Os::Windows] {
            let places = Folders::below(os, "/home/ada".into()).places();
            assert!(
                all.iter().all(|application| places
                    .iter()
                    .any(|place| place.application == *application)),
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
            windows.places()[0].spot,
            Spot::Below {
                within: "C:/Users/ada/AppData/Local/Packages".into(),
                beginning: "Claude_",
                file: "LocalCache/Roaming/Claude/claude_desktop_config.json".into()
            }
        );
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
