/** Which approvals are shown, and in which order. */
import type { Grant } from '../../host/types.gen'
import { holdsWords } from '../../kit/search'

/** A grant that nobody uses for so long is over. The host decides; this only says when. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000

export type Which = 'all' | 'allow' | 'deny'

/** Kept, so that a search through thousands of approvals takes no longer with every letter. */
const searched = new WeakMap<Grant, string>()

/** What is searched through: every name and value that a card shows. */
function wordsOf(grant: Grant): string {
  const { effect } = grant
  const words =
    searched.get(grant) ??
    [
      grant.server,
      grant.tool.name,
      effect.kind === 'deny' ? effect.reason : '',
      JSON.stringify(grant.arguments),
    ].join('\n')
  searched.set(grant, words)
  return words
}

/** The approvals that hold all words, newest first, by server. */
export function byServer(
  grants: readonly Grant[],
  text: string,
  which: Which,
): [server: string, grants: Grant[]][] {
  const found = grants.filter(
    (grant) =>
      (which === 'all' || grant.effect.kind === which) &&
      (text.trim() === '' || holdsWords(wordsOf(grant), text)),
  )
  const groups = new Map<string, Grant[]>()
  for (const grant of found) {
    const list = groups.get(grant.server)
    if (list) list.push(grant)
    else groups.set(grant.server, [grant])
  }
  return [...groups]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([server, list]) => [server, list.sort((left, right) => right.made_at - left.made_at)])
}

/** When it is over if nobody uses it until then. */
export function lapsesAt({ last_used_at, made_at }: Grant): number {
  return (last_used_at ?? made_at) + UNUSED_MS
}
