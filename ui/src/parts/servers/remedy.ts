/** What can be done about a server's error with one click. */
import type { ErrorCode } from '../../host/types.gen'

/** A next step. */
export type Remedy =
  'edit' | 'restart' | 'review' | 'sandbox' | 'switch_on' | 'sign_in' | 'client' | 'diagnose'

const REMEDIES: Partial<Record<ErrorCode, Remedy>> = {
  bad_command: 'edit',
  bad_url: 'edit',
  leads_here: 'edit',
  bad_setting: 'edit',
  bad_path: 'edit',
  secret_lost: 'edit',
  command_not_found: 'edit',
  runtime_missing: 'restart',
  not_executable: 'edit',
  no_working_directory: 'edit',
  not_protocol: 'edit',
  needs_sign_in: 'sign_in',
  needs_more_rights: 'sign_in',
  sign_in_expired: 'sign_in',
  sign_in_refused: 'sign_in',
  sign_in_forged: 'sign_in',
  sign_in_timed_out: 'sign_in',
  browser_failed: 'sign_in',
  client_id_needed: 'client',
  registration_refused: 'client',
  sign_in_not_found: 'diagnose',
  sign_in_mismatch: 'diagnose',
  sign_in_unsafe: 'diagnose',
  sign_in_elsewhere: 'diagnose',
  sign_in_unprotected: 'diagnose',
  bad_certificate: 'edit',
  address_forbidden: 'edit',
  redirected: 'edit',
  revision_unknown: 'edit',
  proxy_failed: 'restart',
  session_lost: 'restart',
  http_status: 'edit',
  review_needed: 'review',
  program_changed: 'review',
  not_confined: 'sandbox',
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

const AT_SIGN_IN: readonly Remedy[] = ['sign_in', 'client', 'diagnose']

/** What can be done with a server: a built-in one cannot be edited, one without an address knows no sign-in. */
export interface Possible {
  builtin: boolean
  signsIn: boolean
}

/** The next step for an error. */
export function remedyOf(code: ErrorCode, { builtin, signsIn }: Possible): Remedy | undefined {
  const remedy = REMEDIES[code]
  if (remedy !== undefined && !signsIn && AT_SIGN_IN.includes(remedy))
    return builtin ? 'restart' : 'edit'
  return builtin && remedy === 'edit' ? 'restart' : remedy
}
