//! Which image a container is made of. Nothing is asked of the container engine.

use super::command_line::{self, Follows};
use protocol::ImageIdentity;

/// Programs that run containers.
const ENGINES: [&str; 3] = ["docker", "podman", "nerdctl"];
/// Options before `run` whose value is the next word.
const VALUES: [&str; 10] = [
    "--config",
    "-c",
    "--context",
    "-H",
    "--host",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
];
/// Options of `run` that take no value. It has many times as many that do.
const SWITCHES: [&str; 23] = [
    "--detach",
    "--disable-content-trust",
    "--env-host",
    "--help",
    "--http-proxy",
    "--init",
    "--interactive",
    "--no-healthcheck",
    "--no-hostname",
    "--no-hosts",
    "--oom-kill-disable",
    "--passwd",
    "--privileged",
    "--publish-all",
    "--quiet",
    "--read-only",
    "--read-only-tmpfs",
    "--replace",
    "--rm",
    "--rmi",
    "--sig-proxy",
    "--tls-verify",
    "--tty",
];
/// The same in one letter.
const LETTERS: &str = "diPqt";

/// Whether a program of this bare name runs containers.
pub(crate) fn is_engine(program: &str) -> bool {
    ENGINES.contains(&program)
}

/// The image that `docker run` and its like are told to run.
pub(super) fn of(line: &[&str]) -> Option<ImageIdentity> {
    let (first, rest) = line.split_first()?;
    if !is_engine(&command_line::program(first)) {
        return None;
    }
    let before = |word: &str| {
        if VALUES.contains(&word) {
            Follows::Value
        } else {
            Follows::Nothing
        }
    };
    let command = match command_line::split(rest, before).1 {
        ["container", "run", command @ ..] | ["run", command @ ..] => command,
        _ => return None,
    };
    let image = command_line::split(command, option).1.first()?;
    let digest = image.split_once("@sha256:").map(|(_, digest)| digest);
    let pinned = digest.is_some_and(|digest| {
        digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    Some(ImageIdentity {
        reference: (*image).to_owned(),
        pinned,
    })
}

fn option(word: &str) -> Follows {
    if word.starts_with("--") {
        return if SWITCHES.contains(&word) {
            Follows::Nothing
        } else {
            Follows::Value
        };
    }
    // The first letter that takes a value takes the rest of the word, or the next word if there is
    // no rest.
    let mut letters = word[1..]
        .chars()
        .skip_while(|letter| LETTERS.contains(*letter));
    if letters.next().is_some() && letters.next().is_none() {
        Follows::Value
    } else {
        Follows::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(line: &str) -> Option<(String, bool)> {
        of(&line.split(' ').collect::<Vec<_>>()).map(|image| (image.reference, image.pinned))
    }

    #[test]
    fn the_image_is_found_behind_options_and_their_values() {
        for line in [
            "docker run image",
            "docker run -i --rm image --flag",
            "docker run -it -e TOKEN -v /a:/b --name=x image cmd",
            "docker run -eTOKEN=1 -ite TOKEN image",
            "docker --context c container run --network none image",
            "podman run --replace --mount type=bind,source=/a,target=/b image",
            "/usr/bin/docker.exe run -- image",
        ] {
            assert_eq!(image(line), Some(("image".to_owned(), false)), "{line}");
        }
        for line in [
            "docker ps",
            "docker run",
            "docker run -e",
            "node run image",
            "docker compose run x",
        ] {
            assert_eq!(image(line), None, "{line}");
        }
    }

    #[test]
    fn only_a_whole_digest_pins() {
        let digest = "ab".repeat(32);
        for (reference, pinned) in [
            (format!("a/b@sha256:{digest}"), true),
            (format!("a/b:1@sha256:{digest}"), true),
            (format!("a/b@sha256:{}", &digest[1..]), false),
            ("a/b:1.2.3".to_owned(), false),
        ] {
            assert_eq!(
                image(&format!("docker run {reference}")),
                Some((reference.clone(), pinned))
            );
        }
    }
}
