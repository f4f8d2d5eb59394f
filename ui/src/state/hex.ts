/** Bytes as hexadecimal digits. */

/** Two small digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** So many bytes that nobody can guess, as digits. */
export function random(bytes: number): string {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)))
}
