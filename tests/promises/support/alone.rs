//! A test in a process of its own, for what is counted by process.

use std::process::Command;

const ALONE: &str = "MAJORDOMO_TEST_ALONE";

/// Whether this process runs nothing but the test of this name (its modules included). If not, such
/// a process is run now, and the test has passed if it passes there.
pub fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        // As our programs do when they begin.
        sandbox::memory::give_back();
        return true;
    }
    let done = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    false
}
