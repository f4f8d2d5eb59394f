/** Other applications in words: whether they are here, and what has to be written into them. */
import type { CallerId, ClientView, ServerId } from '../../host/types.gen'
import type { IconName } from '../../kit'
import { holdsWords } from '../../kit/search'
import { ago, m, plural } from '../../messages'

/** Whether one is connected; the word says it without the colour. */
export function presenceWords({ connections, seen_at }: ClientView): {
  word: string
  tone: 'good' | 'neutral'
  icon: IconName
} {
  if (connections.length > 1)
    return { word: plural('clients.connections', connections.length), tone: 'good', icon: 'check' }
  if (connections.length === 1) return { word: m('clients.connected'), tone: 'good', icon: 'check' }
  const word = m(seen_at === null ? 'clients.never' : 'clients.away')
  return { word, tone: 'neutral', icon: 'off' }
}

/** When it connected, or was here last; empty where it never was. */
export function seenWords({ connections, seen_at }: ClientView, now: number): string {
  const [first] = connections
  if (first !== undefined) return ago(first.since, Math.max(now, first.since))
  return seen_at === null ? '' : m('clients.seen', { time: ago(seen_at, Math.max(now, seen_at)) })
}

/** What it says that it is, as the newest of its connections has said it: a stranger's words. */
export function saysOf({ connections }: ClientView): string | null {
  return connections.findLast(({ says }) => says !== null)?.says ?? null
}

/** The clients that a search finds by their names, their ids and what they say they are. */
export function found(clients: readonly ClientView[], search: string): ClientView[] {
  return clients.filter((client) =>
    holdsWords([client.name, client.id, saysOf(client) ?? ''].join('\n'), search),
  )
}

/** The words that start the bridge, with the tools of all servers or of one. */
function bridgeArguments(client: CallerId, server: ServerId | null): string[] {
  return ['bridge', '--client', client, ...(server === null ? [] : ['--server', server])]
}

/** The command that an application starts. Ids of ours hold nothing that a shell reads. */
export function bridgeCommand(client: CallerId, server: ServerId | null): string {
  return ['majordomoctl', ...bridgeArguments(client, server)].join(' ')
}

/** The entry that most applications take into their configuration. */
export function bridgeEntry(client: CallerId, server: ServerId | null): string {
  const entry = { command: 'majordomoctl', args: bridgeArguments(client, server) }
  return JSON.stringify({ mcpServers: { [server ?? 'majordomo']: entry } }, null, 2)
}

/** The address for all servers, or for one. */
export function addressOf(joint: string, server: ServerId | null): string {
  return server === null ? joint : `${joint}/${server}`
}
