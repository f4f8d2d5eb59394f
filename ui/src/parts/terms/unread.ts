/** Code of a server that could not be read: where it is, and why it is not known. */
import type { Unread } from '../../host/types.gen'
import { m } from '../../messages'

/** Such a piece in one line. */
export function unreadWords({ piece, at, reason }: Unread): string {
  const what = m(`identity.${piece}`)
  return `${at === '' ? what : `${what} (${at})`}: ${m(`identity.unread.${reason}`)}`
}
