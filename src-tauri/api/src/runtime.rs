//! Which runtime a command belongs to, and where to get it.

use crate::Runtime;

impl Runtime {
    /// The runtime of a command that is looked up in PATH. A path names one file, whatever it is
    /// called.
    pub fn of(command: &str) -> Option<Self> {
        let name = command.to_lowercase();
        let name = [".exe", ".cmd", ".bat"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        match name {
            "node" | "npm" | "npx" => Some(Self::Node),
            "uv" | "uvx" => Some(Self::Uv),
            "python" | "python3" | "py" => Some(Self::Python),
            "docker" => Some(Self::Docker),
            "deno" => Some(Self::Deno),
            "bun" | "bunx" => Some(Self::Bun),
            "dotnet" | "dnx" => Some(Self::Dotnet),
            "java" => Some(Self::Java),
            _ => None,
        }
    }

    /// Its name, and the page where its makers offer it.
    pub fn name_and_page(self) -> (&'static str, &'static str) {
        match self {
            Self::Node => ("Node.js", "https://nodejs.org/"),
            Self::Uv => ("uv", "https://docs.astral.sh/uv/"),
            Self::Python => ("Python", "https://www.python.org/downloads/"),
            Self::Docker => ("Docker", "https://docs.docker.com/get-docker/"),
            Self::Deno => ("Deno", "https://deno.com/"),
            Self::Bun => ("Bun", "https://bun.com/"),
            Self::Dotnet => (".NET 10", "https://dotnet.microsoft.com/download"),
            Self::Java => ("Java", "https://adoptium.net/"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_has_a_runtime_and_a_path_has_none() {
        assert_eq!(
            [
                Runtime::of("npx"),
                Runtime::of("NPX.cmd"),
                Runtime::of("uvx")
            ],
            [Some(Runtime::Node), Some(Runtime::Node), Some(Runtime::Uv)]
        );
        assert_eq!(
            [
                Runtime::of("/opt/node/bin/npx"),
                Runtime::of("C:\\node\\npx.cmd"),
                Runtime::of("my-server")
            ],
            [None, None, None]
        );
    }
}
