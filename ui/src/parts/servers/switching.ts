/** Switching a server on or off. */
import type { ServerView } from '../../host/types.gen'
import type { Ask } from '../../state/ask'

/** Switches it, as it was reviewed before; fails with `review_needed` if that is not what would run. */
export function switchServer(ask: Ask, { id }: ServerView, on: boolean): Promise<ServerView> {
  return on
    ? ask('enable_server', { server: id, reviewed: null })
    : ask('disable_server', { server: id })
}
