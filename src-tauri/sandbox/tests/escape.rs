//! Runs the escape suite on both tiers, as whoever runs the test and, if that is root, as a user
//! without any power, too. This program is the jail, and everybody in the scenes.
//!
//! It fails if anything gets out, and if something could not be tried that can be on every Linux:
//! then it has shown nothing. A tier that this computer does not have is said to be missing.

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
#[path = "escape/starts.rs"]
#[expect(clippy::print_stdout, reason = "a test without a harness")]
mod starts;

#[cfg(target_os = "linux")]
#[expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a test without a harness"
)]
mod linux {
    use crate::starts;
    use libtest_mimic::{Arguments, Failed, Trial};
    use sandbox::escape::{self, Doable, Results, Row, Verdict};
    use sandbox::profile::Tier;
    use std::fs;
    use std::io::ErrorKind;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};
    use std::process::ExitCode;

    /// Nobody in particular.
    const USER: (u32, u32) = (65534, 65534);
    const JAIL: &str = "majordomo-jail";

    pub(crate) fn main() -> ExitCode {
        if is_jail() {
            return sandbox::launch::main();
        }
        let trials = vec![
            Trial::test("nothing_gets_out_of_namespaces", || {
                nothing_gets_out(Tier::Namespaces)
            }),
            Trial::test("nothing_gets_out_of_landlock", || {
                nothing_gets_out(Tier::Landlock)
            }),
            Trial::test("nothing_is_changed_through_a_link", || {
                starts::nothing_is_changed_through_a_link(&Jail::make().path)
            }),
            Trial::test("hosts_are_listed_on_a_network_of_its_own_only", || {
                starts::hosts_are_listed_on_a_network_of_its_own_only(&Jail::make().path)
            }),
            Trial::test("what_landlock_cannot_hide_is_not_given", || {
                starts::what_landlock_cannot_hide_is_not_given(&Jail::make().path)
            }),
        ];
        // What one of them takes of the computer would be felt by the other.
        let arguments = Arguments {
            test_threads: Some(1),
            ..Arguments::from_args()
        };
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    /// As whoever runs the test and, if that is root, as a user without any power, too. A tier that
    /// this computer does not have is said to be missing.
    fn nothing_gets_out(tier: Tier) -> Result<(), Failed> {
        let jail = Jail::make();
        let is_root = fs::metadata("/proc/self")?.uid() == 0;
        let own = if is_root { "root" } else { "a user" };
        let another = is_root.then_some(("a user", Some(USER)));
        for (who, user) in [(own, None)].into_iter().chain(another) {
            match escape::run(&jail.path, tier, user) {
                Ok(results) if check(&results, who) => {}
                Ok(_) => return Err(format!("{} as {who} does not hold", tier.word()).into()),
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    println!("{} as {who}: {error}", tier.word());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Whether this program was called by the name of the jail, or by itself.
    fn is_jail() -> bool {
        let called = std::env::args_os().next().map(PathBuf::from);
        let name = called.as_deref().and_then(Path::file_name);
        name.is_some_and(|name| name == JAIL || name == "exe")
    }

    /// Says what came of it, and whether it is as it should be.
    fn check(results: &Results, who: &str) -> bool {
        let is_wrong = |row: &&Row| match (row.verdict, row.doable) {
            (Verdict::Escaped, _) | (Verdict::NotTried, Doable::ByAnyone) => true,
            (Verdict::NotTried, Doable::ByRoot) => who == "root",
            _ => false,
        };
        let wrong: Vec<&Row> = results.rows.iter().filter(is_wrong).collect();
        for row in &wrong {
            println!("{row:?}");
        }
        println!(
            "{} as {who}: {} of {} attempts denied, of {} in all",
            results.tier.word(),
            results.denied(),
            results.counted(),
            results.rows.len()
        );
        wrong.is_empty()
    }

    /// This program, where everybody can run it.
    struct Jail {
        folder: PathBuf,
        path: PathBuf,
    }

    impl Jail {
        fn make() -> Self {
            let folder = std::env::temp_dir().join(format!("escape-{}", std::process::id()));
            fs::create_dir(&folder).expect("a folder");
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("its mode");
            let path = folder.join(JAIL);
            let own = std::env::current_exe().expect("this program");
            fs::copy(own, &path).expect("a copy");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
            Self { folder, path }
        }
    }

    impl Drop for Jail {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
