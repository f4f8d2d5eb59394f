/** Gives a server folders, one after the other. */
import type { ServerId, ServerView } from '../../host/types.gen'
import type { Ask } from '../../state/ask'

/** Gives a server folders. Answers with the server as it is then, `null` where there are none. */
export async function giveFolders(
  ask: Ask,
  server: ServerId,
  paths: readonly string[],
): Promise<ServerView | null> {
  let now: ServerView | null = null
  for (const path of paths) now = await ask('add_root', { server, path, accept_protected: false })
  return now
}
