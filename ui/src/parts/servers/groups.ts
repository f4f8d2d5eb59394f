/**
 * Servers under headings: by what they are doing, or by where they run. Which was chosen is kept in this browser or window only.
 *
 * Always true here: every server is in exactly one group, no group is empty, and in a group the servers keep their order.
 */
import type { ServerView } from '../../host/types.gen'

export const GROUPINGS = ['none', 'state', 'place'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What waits for the person comes first. */
const STATES = ['needs_you', 'stopped', 'running', 'off'] as const
const PLACES = ['builtin', 'here', 'address'] as const
export type GroupName = (typeof STATES)[number] | (typeof PLACES)[number]

/** A server, or the heading of those below it. */
export type ServerLine =
  { key: string; server: ServerView } | { key: string; group: GroupName; count: number }

const KEPT_AS = 'majordomo.servers-grouped'

/** How the person has the servers grouped. */
export function chosenGrouping(): Grouping {
  const value = localStorage.getItem(KEPT_AS)
  return GROUPINGS.find((grouping) => grouping === value) ?? 'none'
}

/** Keeps how they are grouped. */
export function chooseGrouping(grouping: Grouping): void {
  if (grouping === 'none') localStorage.removeItem(KEPT_AS)
  else localStorage.setItem(KEPT_AS, grouping)
}

/** The lines of a list of servers. */
export function linesOf(servers: readonly ServerView[], grouping: Grouping): ServerLine[] {
  const lines = (some: readonly ServerView[]): ServerLine[] =>
    some.map((server) => ({ key: server.id, server }))
  if (grouping === 'none') return lines(servers)
  const [names, nameOf] =
    grouping === 'state' ? ([STATES, stateOf] as const) : ([PLACES, placeOf] as const)
  return names.flatMap((group) => {
    const some = servers.filter((server) => nameOf(server) === group)
    // No server has a name with a space in it.
    return some.length === 0
      ? []
      : [{ key: `group ${group}`, group, count: some.length }, ...lines(some)]
  })
}

function stateOf({ state, reviewed, waiting }: ServerView): (typeof STATES)[number] {
  if (!reviewed || waiting > 0) return 'needs_you'
  if (state.kind === 'failed' || state.kind === 'waiting') return 'stopped'
  return state.kind === 'off' ? 'off' : 'running'
}

function placeOf({ launch }: ServerView): (typeof PLACES)[number] {
  if (launch.kind === 'builtin') return 'builtin'
  return launch.kind === 'http' ? 'address' : 'here'
}
