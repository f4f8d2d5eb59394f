//! What a command line makes known programs do, read word by word. A name is a hint and never a
//! reason for trust.

/// Programs that run what stands in an argument or in a file of commands, and those that start
/// another one in their place.
const SHELLS: [&str; 22] = [
    "sh",
    "bash",
    "zsh",
    "dash",
    "ash",
    "fish",
    "ksh",
    "csh",
    "tcsh",
    "busybox",
    "cmd",
    "powershell",
    "pwsh",
    "osascript",
    "wscript",
    "cscript",
    "mshta",
    "rundll32",
    "regsvr32",
    "env",
    "awk",
    "gawk",
];

/// Launchers with the arguments after which code stands. One letter also counts inside a cluster
/// (`-Ic`) or with the code attached (`-e1`), if the launcher reads it so.
const INLINE: [(&[&str], &[&str], Clusters); 11] = [
    (
        &["node", "nodejs", "tsx", "ts-node", "bun", "bunx"],
        &["-e", "-p", "-pe", "--eval", "--print"],
        Clusters::No,
    ),
    (&["deno"], &["eval"], Clusters::No),
    (&["python", "pypy", "py", "pythonw"], &["-c"], Clusters::Yes),
    (
        &["npx", "npm", "pnpm", "pnpx", "yarn"],
        &["-c", "--call", "--shell-mode"],
        Clusters::No,
    ),
    (&["perl"], &["-e", "-E"], Clusters::Yes),
    (&["ruby", "jruby"], &["-e"], Clusters::Yes),
    (
        &["php"],
        &[
            "-r",
            "-B",
            "-R",
            "-E",
            "--run",
            "--process-begin",
            "--process-code",
            "--process-end",
        ],
        Clusters::Yes,
    ),
    (
        &["lua", "luajit", "julia", "elixir", "groovy", "scala"],
        &["-e", "-E", "--eval", "--print"],
        Clusters::Yes,
    ),
    (&["r", "rscript"], &["-e"], Clusters::No),
    (
        &["su", "script", "flock", "watch"],
        &["-c", "--command"],
        Clusters::No,
    ),
    (&["find"], &["-exec", "-execdir"], Clusters::No),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Clusters {
    Yes,
    No,
}

/// Programs that run another one with more rights.
const MORE_RIGHTS: [&str; 6] = ["sudo", "doas", "su", "pkexec", "runas", "gsudo"];
/// Programs that download what they run.
const DOWNLOADERS: [&str; 12] = [
    "npx", "uvx", "bunx", "pnpx", "pipx", "npm", "pnpm", "docker", "podman", "dnx", "nerdctl",
    "jbang",
];
/// Programs that run containers.
const CONTAINERS: [&str; 3] = ["docker", "podman", "nerdctl"];
/// Options that take a container's walls away.
const NO_WALLS: [&str; 12] = [
    "--privileged",
    "--privileged=true",
    "--pid=host",
    "--ipc=host",
    "--userns=host",
    "--uts=host",
    "--cap-add=all",
    "--cap-add=sys_admin",
    "--security-opt=seccomp=unconfined",
    "--security-opt=apparmor=unconfined",
    "--security-opt=seccomp:unconfined",
    "--security-opt=label=disable",
];
/// Folders that hold the whole computer, or what rules it.
const WHOLE: [&str; 14] = [
    "/",
    "/etc",
    "/root",
    "/home",
    "/users",
    "/proc",
    "/sys",
    "/dev",
    "/boot",
    "/var",
    "/var/run",
    "/run",
    "c:",
    "//./pipe/docker_engine",
];

/// The bare name of a program: without folders, the ending of a program, and a version.
fn program(word: &str) -> String {
    let file = word
        .trim()
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let stem = [".exe", ".cmd", ".bat", ".com", ".ps1"]
        .iter()
        .find_map(|end| file.strip_suffix(end))
        .unwrap_or(&file);
    stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .to_owned()
}

/// Whether it starts a shell, or passes code on the command line.
pub(super) fn inline_code(words: &[&str]) -> bool {
    // `env`, `sudo` and `npx` pass on to a program that stands further on, so every word is looked
    // at.
    words.iter().enumerate().any(|(index, word)| {
        let name = program(word);
        let rest = &words[index + 1..];
        SHELLS.contains(&name.as_str())
            || INLINE.iter().any(|(programs, flags, clusters)| {
                programs.contains(&name.as_str())
                    && rest.iter().any(|arg| holds_code(arg, flags, *clusters))
            })
    }) || words.iter().skip(1).any(|word| {
        word.trim_start()
            .to_lowercase()
            .contains("data:text/javascript")
    })
}

fn holds_code(arg: &str, flags: &[&str], clusters: Clusters) -> bool {
    flags.iter().any(|flag| {
        let long = flag.starts_with("--") && arg.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='));
        let letter = flag.strip_prefix('-').filter(|letter| letter.len() == 1);
        let cluster = clusters == Clusters::Yes
            && arg.starts_with('-')
            && !arg.starts_with("--")
            // Letters before it are switches of their own; behind it the code may follow at once.
            && letter.is_some_and(|letter| arg[1..].chars().take_while(char::is_ascii_alphanumeric).any(|c| letter.starts_with(c)));
        arg == *flag || long || cluster
    })
}

/// Whether it runs something with more rights.
pub(super) fn more_rights(words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| MORE_RIGHTS.contains(&program(word).as_str()))
}

/// Whether it downloads what it runs.
pub(super) fn downloads(words: &[&str]) -> bool {
    let names: Vec<String> = words.iter().take(2).map(|word| program(word)).collect();
    // `uv` is asked to run a tool, or a package for this once, by its second word or by `--with`.
    let uv = names.first().is_some_and(|name| name == "uv")
        && words
            .iter()
            .any(|word| matches!(*word, "tool" | "x" | "--with" | "--from"));
    names
        .first()
        .is_some_and(|name| DOWNLOADERS.contains(&name.as_str()))
        || uv
}

/// Whether it gives a container the run of the whole computer.
pub(super) fn whole_computer(words: &[&str]) -> bool {
    let Some(start) = words
        .iter()
        .position(|word| CONTAINERS.contains(&program(word).as_str()))
    else {
        return false;
    };
    let args: Vec<String> = words[start + 1..]
        .iter()
        .map(|word| word.trim().to_lowercase())
        .collect();
    args.iter().enumerate().any(|(index, arg)| {
        let next = args.get(index + 1).map_or("", String::as_str);
        // `--pid host` says the same as `--pid=host`.
        let joined = format!("{arg}={next}");
        let mount = match arg.split_once('=') {
            Some(("-v" | "--volume" | "--mount", mount)) => Some(mount),
            _ if matches!(arg.as_str(), "-v" | "--volume" | "--mount") => Some(next),
            _ => arg.strip_prefix("-v"),
        };
        NO_WALLS.contains(&arg.as_str())
            || NO_WALLS.contains(&joined.as_str())
            || mount.is_some_and(|mount| !mount.is_empty() && mounts_the_whole(mount))
    })
}

/// `SOURCE:TARGET`, or `type=bind,source=SOURCE,…`.
fn mounts_the_whole(mount: &str) -> bool {
    let named = mount.split(',').find_map(|part| {
        part.strip_prefix("source=")
            .or_else(|| part.strip_prefix("src="))
    });
    let source = named.unwrap_or_else(|| match mount.strip_prefix("c:") {
        Some(rest) => &mount[..2 + rest.find(':').unwrap_or(rest.len())],
        None => mount.split(':').next().unwrap_or_default(),
    });
    let plain = source.replace('\\', "/");
    let folder = if plain.trim_matches('/').is_empty() {
        "/"
    } else {
        plain.trim_end_matches('/')
    };
    plain.contains("docker.sock")
        || plain.contains("podman.sock")
        || plain.contains("containerd.sock")
        || WHOLE.contains(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<&str> {
        line.split(' ').collect()
    }

    #[test]
    fn code_on_the_command_line_is_seen_behind_any_launcher() {
        for line in [
            "node -e 1",
            "node -p 1",
            "node --eval=1",
            "/tmp/elsewhere/node --print 1",
            "C:\\node\\node.exe -e 1",
            "npx -c id",
            "npx -y --call=id",
            "npm exec -c id",
            "python -c 1",
            "python3.12 -Ic 1",
            "python3 -cimport",
            "uv run python -c 1",
            "bash -c id",
            "sh script",
            "deno eval 1",
            "bun -e 1",
            "ruby -ne 1",
            "perl -e1",
            "php -r 1",
            "pwsh -EncodedCommand AA==",
            "powershell.exe -Command id",
            "cmd /c id",
            "osascript -e 1",
            "env node server.js",
            "node --import data:text/javascript,1",
            "docker run --rm image sh",
        ] {
            assert!(inline_code(&words(line)), "{line}");
        }
    }

    #[test]
    fn a_server_with_options_of_its_own_is_not_code() {
        for line in [
            "node server.js --port 1",
            "npx -y @scope/server -e production",
            "uvx server -c config.toml",
            "python -m server --config c",
            "python3 server.py",
            "docker run -i --rm -e TOKEN image",
            "deno run --allow-net server.ts",
            "php server.php",
            "java -jar server.jar",
        ] {
            assert!(!inline_code(&words(line)), "{line}");
        }
    }

    #[test]
    fn a_container_without_walls_is_seen() {
        for line in [
            "docker run --privileged image",
            "docker run -v /:/host image",
            "docker run -v/:/host image",
            "docker run --volume=/etc:/etc:ro image",
            "docker run --mount type=bind,source=/,target=/host image",
            "docker run -v /var/run/docker.sock:/var/run/docker.sock image",
            "podman run --pid host image",
            "docker run --cap-add SYS_ADMIN image",
            "sudo docker run --pid=host image",
            "docker run -v C:\\:/host image",
        ] {
            assert!(whole_computer(&words(line)), "{line}");
        }
        for line in [
            "docker run -i --rm image",
            "docker run -v /srv/data:/data image",
            "node --privileged",
            "docker run -v name:/data image",
        ] {
            assert!(!whole_computer(&words(line)), "{line}");
        }
    }
}
