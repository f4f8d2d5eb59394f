/**
 * What a link of a server leads to. Nothing is fetched, and only web addresses can be opened.
 */

export interface LinkTarget {
  /** Where it leads: the host of a web address, otherwise the scheme. */
  host: string
  /** Whether the system's browser may be asked to open it, after the person was. */
  opens: boolean
}

/** Reads an address as a person should see it. */
export function linkTarget(uri: string): LinkTarget {
  const url = parsed(uri)
  if (url === null) return { host: '', opens: false }
  const web = url.protocol === 'https:' || url.protocol === 'http:'
  // A name before the host (https://bank.example@evil.example) only serves to mislead.
  const plain = url.username === '' && url.password === ''
  return { host: web ? url.host : url.protocol, opens: web && plain && url.hostname !== '' }
}

function parsed(uri: string): URL | null {
  try {
    return new URL(uri)
  } catch {
    return null
  }
}
