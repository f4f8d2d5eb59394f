//! What a tier openly does not prevent, and why.

use crate::linux::landlock;
use crate::profile::Tier;
use crate::strength::Strength;

/// Landlock looks at what is opened, and not at what is only named.
const NAMES: &str = "in this tier, names, sizes and times of files can be seen";

/// Why an attempt may succeed on a tier; none if it must not.
pub(super) fn reason(name: &str, tier: Tier, strength: Strength) -> Option<&'static str> {
    match (name, tier) {
        (
            "sees_the_size_of_a_file_outside"
            | "reads_where_a_link_outside_leads"
            | "watches_a_folder_outside"
            | "sees_that_another_process_is_there",
            Tier::Landlock,
        ) => Some(NAMES),
        ("connects_to_a_socket_in_a_folder_that_it_may_read", Tier::Namespaces) => {
            Some("whoever listens in a folder that is given can be spoken with")
        }
        (
            "ends_another_process"
            | "ends_another_process_by_its_descriptor"
            | "stops_another_process"
            | "ends_its_launcher"
            | "stops_its_launcher"
            | "sees_another_process_while_online",
            Tier::Landlock,
        ) if !landlock::has_scopes() => Some("before Linux 6.12, Landlock lets signals through"),
        ("starts_more_processes_than_it_may", _) if !strength.bounds.processes => {
            Some("this system does not let us count the processes of one server")
        }
        ("takes_more_memory_than_it_may", _) if !strength.bounds.memory => {
            Some("this system does not let us bound the memory of one server")
        }
        _ => None,
    }
}
