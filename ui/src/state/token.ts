/**
 * Tokens of other applications, drawn where they are shown.
 *
 * Always true here: a token is kept nowhere; the host is told its hash only.
 */
import type { TokenHash } from '../host/types.gen'
import { hex, random } from './hex'

/** A new token: `mjd_` and 64 hexadecimal digits. */
export function drawToken(): string {
  return `mjd_${random(32)}`
}

/** What the host knows a token by: its SHA-256. */
export async function hashOf(token: string): Promise<TokenHash> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return hex(new Uint8Array(digest))
}
