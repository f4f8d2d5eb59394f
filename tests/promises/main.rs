//! The whole product without a window, through the front door. Each file is a promise, each test a
//! sentence of it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod support;

mod a_branch_keeps_the_old_line;
mod a_call_waits_for_a_person_as_long_as_it_makes_sense;
mod a_configuration_is_read_with_care;
mod a_conversation_survives_everything;
mod a_crash_loses_no_decision;
mod a_crashing_server_is_alone;
mod a_definition_and_its_approval_are_one;
#[cfg(unix)]
mod a_file_outside_its_folders_reaches_no_server;
mod a_hostile_model_needs_a_person;
mod a_hostile_server_fills_no_memory;
#[cfg(target_os = "linux")]
mod a_killed_server_leaves_no_trace;
mod a_link_of_a_model_is_looked_at;
mod a_model_is_talked_to_in_the_terminal;
mod a_model_is_tried_fairly;
mod a_model_is_used_only_with_leave;
mod a_no_stays_a_no;
mod a_person_talks_to_a_model;
mod a_reader_has_no_hands;
mod a_server_cannot_draw_on_the_terminal;
mod a_server_comes_back;
#[cfg(target_os = "linux")]
mod a_server_is_seen_at_a_glance;
#[cfg(target_os = "linux")]
mod a_sudden_end_after_any_write_loses_nothing;
mod addresses_open_only_after_a_yes;
mod an_application_gets_its_own_tools;
mod an_application_never_widens_folders;
mod an_hour_of_work;
mod an_imported_conversation_is_nobodys_word;
mod an_open_round_survives_a_restart;
mod an_order_waits_for_its_yes;
mod anyone_can_measure_the_inspection;
mod applications_are_connected_with_care;
mod approvals_keep_their_bounds;
mod changes_at_once_are_all_kept;
#[cfg(target_os = "linux")]
mod clients_that_misbehave_are_alone;
mod codex_is_answered_in_its_own_words;
mod configurations_are_found_by_themselves;
mod damaged_surroundings_lose_nothing;
mod every_call_leaves_a_trace;
mod every_notation_is_understood;
mod every_surface_is_the_same_host;
mod harmless_tasks_are_left_in_peace;
mod helpers_hold_no_more;
mod imports_are_never_trusted;
mod models_are_set_up_with_care;
mod nobody_is_asked_unbidden;
mod nothing_approves_itself;
mod nothing_hides;
#[cfg(target_os = "linux")]
mod nothing_is_left_running;
#[cfg(target_os = "linux")]
mod nothing_is_open_to_others;
mod nothing_runs_unasked;
mod offers_can_be_used;
#[cfg(unix)]
mod one_server_never_waits_for_another;
mod only_a_person_lets_more_happen;
mod other_applications_batch;
mod other_applications_come_in;
mod other_applications_say_no_more;
mod other_applications_watch;
mod questions_stay_true_while_they_wait;
mod questions_survive_a_restart;
mod real_servers_work;
mod remote_servers;
mod results_are_tamed;
mod results_arrive_whole;
mod results_pass_unchanged;
mod secrets_are_not_asked_for;
mod secrets_stay_inside;
mod servers_are_confined;
mod servers_rest_until_they_are_used;
mod signing_in;
mod signing_in_as_somebody;
mod signing_in_cases;
mod signing_in_in_the_terminal;
mod signing_in_stays_fresh;
mod strangers_do_not_steer;
mod tasks_survive_a_restart;
mod the_administrator_has_the_last_word;
#[cfg(target_os = "linux")]
mod the_bridge_brings_the_host;
mod the_gate_is_for_everything;
mod the_headers_of_a_call_say_what_it_says;
mod the_log_shows_tampering;
#[cfg(unix)]
mod the_loopback_door_is_kept;
mod the_reference_workflows_run;
mod the_terminal_does_it_all;
mod tools_are_found_by_search;
mod tools_are_found_not_granted;
mod traces_arrive;
mod what_is_attached_is_nobodys_word;
mod what_is_kept_is_bounded;
mod what_is_said_is_tested;
mod what_offers_ask_reaches_the_application;
mod what_runs_is_what_was_reviewed;
mod what_servers_ask_reaches_the_application;
mod what_was_taken_back_stays_so;
mod who_asks_is_told_apart;
mod whoever_changed_something_stands_in_the_log;
mod workspaces_keep_apart;
