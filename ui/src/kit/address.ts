/**
 * Finds the host in a web address, so that it can be emphasised in the address as it was written, and says what an address
 * leads to. Nothing is fetched.
 *
 * Always true here: joined together, the pieces are the address; a host is named only if the browser would go to it.
 */

/** An address in three pieces; without a host all of it is in `before`. */
export interface AddressPieces {
  before: string
  host: string
  after: string
}

/** The pieces of an address. */
export function addressPieces(address: string): AddressPieces {
  const none = { before: address, host: '', after: '' }
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)(.*)$/is.exec(address)
  if (!found) return none
  const [, scheme = '', authority = '', after = ''] = found
  // Everything up to the last @ is a name, however much it looks like a host.
  const name = authority.lastIndexOf('@') + 1
  const host = authority.slice(name)
  const meant = parsed(address)
  if (host === '' || meant === null || meant.host !== parsed(scheme + host)?.host) return none
  return { before: scheme + authority.slice(0, name), host, after }
}

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

function parsed(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}
