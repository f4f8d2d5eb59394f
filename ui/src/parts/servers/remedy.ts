/** What can be done about a server's error with one click. */
import type { ErrorCode } from '../../host/types.gen'

/** A next step. */
export type Remedy = 'edit' | 'restart' | 'review' | 'switch_on'

const REMEDIES: Partial<Record<ErrorCode, Remedy>> = {
  bad_command: 'edit',
  bad_url: 'edit',
  bad_setting: 'edit',
  bad_path: 'edit',
  secret_lost: 'edit',
  command_not_found: 'edit',
  not_executable: 'edit',
  no_working_directory: 'edit',
  not_protocol: 'edit',
  needs_sign_in: 'edit',
  http_status: 'edit',
  review_needed: 'review',
  server_off: 'switch_on',
  keyring_missing: 'edit',
  keyring_failed: 'restart',
  exited_at_start: 'restart',
  start_timed_out: 'restart',
  unreachable: 'restart',
  connection_lost: 'restart',
  timed_out: 'restart',
  message_too_long: 'restart',
  server_error: 'restart',
  internal: 'restart',
}

/** The next step for an error; a built-in server cannot be edited. */
export function remedyOf(code: ErrorCode, builtin: boolean): Remedy | undefined {
  const remedy = REMEDIES[code]
  return builtin && remedy === 'edit' ? 'restart' : remedy
}
