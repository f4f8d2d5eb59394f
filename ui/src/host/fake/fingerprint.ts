/** A stand-in for a fingerprint: equal values have equal ones. */
import type { Fingerprint } from '../types.gen'

/** The stand-in of a value. */
export function fakeFingerprint(value: unknown): Fingerprint {
  let hash = 2166136261
  for (const character of JSON.stringify(value))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return `sha256:${(hash >>> 0).toString(16).padStart(8, '0').repeat(8)}`
}
