//! The whole product without a window, through the front door. Each file is a promise, each test a sentence of it.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod support;

mod a_configuration_is_read_with_care;
mod a_crashing_server_is_alone;
mod a_no_stays_a_no;
mod changes_at_once_are_all_kept;
mod damaged_surroundings_lose_nothing;
mod every_call_leaves_a_trace;
mod every_surface_is_the_same_host;
#[cfg(target_os = "linux")]
mod nothing_is_left_running;
mod nothing_runs_unasked;
mod real_servers_work;
mod results_arrive_whole;
mod secrets_stay_inside;
mod the_log_shows_tampering;
mod the_terminal_does_it_all;
