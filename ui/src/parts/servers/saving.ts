/** Which errors of saving belong to a field of the form, and which to the whole. */
import type { ErrorCode, HostError } from '../../host/types.gen'

const AT_A_FIELD: ErrorCode[] = [
  'bad_name',
  'name_taken',
  'bad_command',
  'command_not_found',
  'not_executable',
  'bad_path',
  'no_working_directory',
  'bad_url',
]

/** Whether the form shows this error at one of its fields. */
export function shownAtField(error: HostError): boolean {
  return AT_A_FIELD.includes(error.code)
}
