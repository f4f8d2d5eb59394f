//! Compares what ran when a person agreed with what would run now.
//!
//! Always true here:
//! - what was not known before is adopted; it is never a change;
//! - a package that is not known before a start is not a change yet: it is downloaded again, and
//!   compared when it runs;
//! - everything else that is not equal is a change, a file that can no longer be read included.

use super::{FileIdentity, Identity, IdentityChange, IdentityPiece, Looked, PackageIdentity};

/// Enough of a digest to tell two apart by eye.
const SHOWN: usize = 12;

impl Identity {
    /// What differs between this, the remembered identity, and the one of now; empty if nothing
    /// does.
    pub fn differences(&self, now: &Self, looked: Looked) -> Vec<IdentityChange> {
        let mut changes = Changes(Vec::new());
        if let Some(before) = &self.program {
            let now = now.program.as_ref();
            changes.compare(
                IdentityPiece::ProgramPath,
                Some(&before.path),
                now.map(|now| &now.path),
            );
            changes.digest(
                IdentityPiece::Program,
                before.sha256.as_deref(),
                now.and_then(|now| now.sha256.as_deref()),
            );
        }
        if let Some(before) = &self.script {
            changes.script(before, now.script.as_ref());
        }
        let modules = |identity: &Self| {
            let modules = identity.modules.as_ref();
            modules.map(|modules| modules.sha256.clone())
        };
        changes.digest(
            IdentityPiece::Modules,
            modules(self).as_deref(),
            modules(now).as_deref(),
        );
        if let Some(before) = &self.package {
            changes.package(before, now.package.as_ref(), looked);
        }
        let image = |identity: &Self| identity.image.as_ref().map(|image| image.reference.clone());
        changes.compare(IdentityPiece::Image, image(self), image(now));
        changes.0
    }

    /// What to remember after this and the identity of now were found to be the same, or a person
    /// agreed to the difference: that of now, and before a start also what was known of a package
    /// that is yet to be downloaded again.
    #[must_use]
    pub fn adopting(self, now: Self, looked: Looked) -> Self {
        let package = match (looked, self.package, now.package) {
            (Looked::BeforeStart, Some(before), Some(now)) => Some(adopted_package(before, now)),
            (Looked::BeforeStart, before, None) => before,
            (_, _, now) => now,
        };
        Self { package, ..now }
    }
}

fn adopted_package(before: PackageIdentity, now: PackageIdentity) -> PackageIdentity {
    // The contents of one version say nothing about another.
    let same = before.name == now.name && (now.version.is_none() || now.version == before.version);
    if !same || now.lock_sha256.is_some() {
        return PackageIdentity {
            version: now.version.or(before.version.filter(|_| same)),
            ..now
        };
    }
    PackageIdentity {
        name: now.name,
        ..before
    }
}

struct Changes(Vec<IdentityChange>);

impl Changes {
    fn compare<T: AsRef<str>>(&mut self, piece: IdentityPiece, before: Option<T>, now: Option<T>) {
        let Some(before) = before else { return };
        let now = now.as_ref().map_or("", |now| now.as_ref());
        if before.as_ref() != now {
            self.push(piece, before.as_ref(), now);
        }
    }

    fn digest(&mut self, piece: IdentityPiece, before: Option<&str>, now: Option<&str>) {
        let short = |digest: Option<&str>| {
            digest
                .unwrap_or_default()
                .chars()
                .take(SHOWN)
                .collect::<String>()
        };
        if before.is_some() && before != now {
            self.push(piece, &short(before), &short(now));
        }
    }

    fn push(&mut self, piece: IdentityPiece, before: &str, now: &str) {
        self.0.push(IdentityChange {
            piece,
            before: before.to_owned(),
            now: now.to_owned(),
        });
    }

    fn script(&mut self, before: &FileIdentity, now: Option<&FileIdentity>) {
        match now {
            Some(now) if now.path == before.path => {
                self.digest(
                    IdentityPiece::Script,
                    before.sha256.as_deref(),
                    now.sha256.as_deref(),
                );
            }
            now => self.compare(
                IdentityPiece::Script,
                Some(&before.path),
                now.map(|now| &now.path),
            ),
        }
    }

    fn package(&mut self, before: &PackageIdentity, now: Option<&PackageIdentity>, looked: Looked) {
        let unknown_counts = looked == Looked::Running;
        let version = now.and_then(|now| now.version.as_ref());
        let named = |package: &PackageIdentity| match &package.version {
            Some(version) => format!("{} {version}", package.name),
            None => package.name.clone(),
        };
        if let Some(now) = now.filter(|now| now.name != before.name) {
            return self.push(IdentityPiece::PackageVersion, &named(before), &named(now));
        }
        if before.version.is_some()
            && before.version.as_ref() != version
            && (version.is_some() || unknown_counts)
        {
            // Another version has other contents; saying so as well would be noise.
            return self.compare(
                IdentityPiece::PackageVersion,
                before.version.as_ref(),
                version,
            );
        }
        let contents = now.and_then(|now| now.lock_sha256.as_deref());
        if contents.is_some() || unknown_counts {
            self.digest(
                IdentityPiece::PackageContents,
                before.lock_sha256.as_deref(),
                contents,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ImageIdentity, ModulesIdentity, ProgramIdentity};
    use super::*;
    use proptest::option::of;
    use proptest::prelude::*;

    // Few values, so that equal ones meet.
    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("a".to_owned()),
            Just("b".to_owned()),
            Just("aaaaaaaaaaaaaaaa".to_owned()),
            Just("aaaaaaaaaaaaaaab".to_owned())
        ]
    }

    prop_compose! {
        fn identity()(
            program in of((word(), of(word()))),
            script in of((word(), of(word()))),
            modules in of((word(), 0_u32..3)),
            package in of((word(), of(word()), of(word()), 0_u32..3)),
            image in of(word()),
        ) -> Identity {
            Identity {
                program: program.map(|(path, sha256)| ProgramIdentity { path, sha256 }),
                script: script.map(|(path, sha256)| FileIdentity { path, sha256 }),
                modules: modules.map(|(sha256, files)| ModulesIdentity { sha256, files }),
                package: package.map(|(name, version, lock_sha256, parts)| PackageIdentity { name, version, lock_sha256, parts }),
                image: image.map(|reference| ImageIdentity { reference, pinned: false }),
                unread: Vec::new(),
            }
        }
    }

    fn full() -> Identity {
        let some = |text: &str| Some(text.to_owned());
        Identity {
            program: Some(ProgramIdentity {
                path: "/bin/server".into(),
                sha256: some("aaaaaaaaaaaaaaaa"),
            }),
            script: Some(FileIdentity {
                path: "/srv/server.js".into(),
                sha256: some("bbbb"),
            }),
            modules: Some(ModulesIdentity {
                sha256: "dddd".into(),
                files: 3,
            }),
            package: Some(PackageIdentity {
                name: "postmark-mcp".into(),
                version: some("1.0.15"),
                lock_sha256: some("cccc"),
                parts: 9,
            }),
            image: Some(ImageIdentity {
                reference: "mcp/time".into(),
                pinned: false,
            }),
            unread: Vec::new(),
        }
    }

    fn changed(change: impl FnOnce(&mut Identity)) -> Vec<IdentityChange> {
        let mut now = full();
        change(&mut now);
        full().differences(&now, Looked::BeforeStart)
    }

    #[test]
    fn each_piece_that_is_changed_is_one_change_and_says_what_it_was() {
        type Change = fn(&mut Identity);
        let cases: [(Change, IdentityPiece, &str, &str); 11] = [
            (
                |now| now.program.as_mut().unwrap().path = "/tmp/x".into(),
                IdentityPiece::ProgramPath,
                "/bin/server",
                "/tmp/x",
            ),
            // Equal where it is shown, and still another program.
            (
                |now| now.program.as_mut().unwrap().sha256 = Some("aaaaaaaaaaaaaaab".into()),
                IdentityPiece::Program,
                "aaaaaaaaaaaa",
                "aaaaaaaaaaaa",
            ),
            (
                |now| now.script.as_mut().unwrap().path = "/srv/x.js".into(),
                IdentityPiece::Script,
                "/srv/server.js",
                "/srv/x.js",
            ),
            (
                |now| now.script.as_mut().unwrap().sha256 = Some("x".into()),
                IdentityPiece::Script,
                "bbbb",
                "x",
            ),
            (
                |now| now.script = None,
                IdentityPiece::Script,
                "/srv/server.js",
                "",
            ),
            (
                |now| now.modules.as_mut().unwrap().sha256 = "x".into(),
                IdentityPiece::Modules,
                "dddd",
                "x",
            ),
            (|now| now.modules = None, IdentityPiece::Modules, "dddd", ""),
            (
                |now| now.package.as_mut().unwrap().version = Some("1.0.16".into()),
                IdentityPiece::PackageVersion,
                "1.0.15",
                "1.0.16",
            ),
            (
                |now| now.package.as_mut().unwrap().name = "postmark".into(),
                IdentityPiece::PackageVersion,
                "postmark-mcp 1.0.15",
                "postmark 1.0.15",
            ),
            (
                |now| now.package.as_mut().unwrap().lock_sha256 = Some("x".into()),
                IdentityPiece::PackageContents,
                "cccc",
                "x",
            ),
            (
                |now| now.image.as_mut().unwrap().reference = "mcp/other".into(),
                IdentityPiece::Image,
                "mcp/time",
                "mcp/other",
            ),
        ];
        for (change, piece, before, now) in cases {
            assert_eq!(
                changed(change),
                [IdentityChange {
                    piece,
                    before: before.into(),
                    now: now.into()
                }]
            );
        }
    }

    #[test]
    fn an_empty_cache_is_no_change_before_a_start_and_one_while_it_runs() {
        let now = Identity {
            package: None,
            ..full()
        };
        assert_eq!(full().differences(&now, Looked::BeforeStart), []);
        let running = full().differences(&now, Looked::Running);
        assert_eq!(
            running,
            [IdentityChange {
                piece: IdentityPiece::PackageVersion,
                before: "1.0.15".into(),
                now: String::new()
            }]
        );
        assert_eq!(
            full().adopting(now, Looked::BeforeStart).package,
            full().package
        );
    }

    #[test]
    fn the_contents_of_one_version_are_not_remembered_for_another() {
        let mut now = full();
        now.package = Some(PackageIdentity {
            name: "postmark-mcp".into(),
            version: Some("2".into()),
            lock_sha256: None,
            parts: 0,
        });
        assert_eq!(
            full().adopting(now.clone(), Looked::BeforeStart).package,
            now.package
        );
    }

    #[test]
    fn an_identity_that_was_kept_is_read_again() {
        let text = serde_json::to_string(&full()).unwrap();
        assert_eq!(serde_json::from_str::<Identity>(&text).unwrap(), full());
        assert_eq!(
            serde_json::from_str::<Identity>("{}").unwrap(),
            Identity::default()
        );
    }

    proptest! {
        #[test]
        fn what_is_equal_does_not_differ(identity in identity()) {
            prop_assert_eq!(identity.differences(&identity, Looked::Running), []);
            prop_assert_eq!(identity.clone().adopting(identity.clone(), Looked::BeforeStart), identity);
        }

        #[test]
        fn nothing_known_is_never_a_change(now in identity()) {
            prop_assert_eq!(Identity::default().differences(&now, Looked::Running), []);
            prop_assert_eq!(Identity::default().adopting(now.clone(), Looked::BeforeStart), now);
        }

        #[test]
        fn what_was_agreed_to_is_not_asked_about_again(before in identity(), now in identity()) {
            for looked in [Looked::BeforeStart, Looked::Running] {
                prop_assert_eq!(before.clone().adopting(now.clone(), looked).differences(&now, looked), []);
            }
        }

        #[test]
        fn what_would_be_asked_before_a_start_is_asked_while_it_runs(before in identity(), now in identity()) {
            let early = before.differences(&now, Looked::BeforeStart);
            let late = before.differences(&now, Looked::Running);
            prop_assert!(early.is_empty() || !late.is_empty(), "{:?}", early);
        }
    }
}
