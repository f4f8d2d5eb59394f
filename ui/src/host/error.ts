/** Makes a `HostError` of whatever was thrown, so that nothing else reaches a screen. */
import type { ErrorCode, HostError } from './types.gen'

/** An error that this side of the door has found itself. */
export function hostError(code: ErrorCode, message: string): HostError {
  return { code, message, refusal: null }
}

/** Whether a value has the shape of a `HostError`. */
export function isHostError(value: unknown): value is HostError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'message' in value &&
    typeof value.code === 'string'
  )
}

/** A `HostError` as it is; anything else as `internal`, with what it says. */
export function asHostError(thrown: unknown): HostError {
  if (isHostError(thrown)) return thrown
  return hostError('internal', thrown instanceof Error ? thrown.message : String(thrown))
}
