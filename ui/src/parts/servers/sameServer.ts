/**
 * Whether two descriptions lead to the same server. Pure.
 *
 * Always true here: where secrets lie, and in which order settings are written, tells no servers apart; with secrets, which
 * cannot be compared, the name does, since two accounts of one service are two servers.
 */
import type { Launch, Setting } from '../../host/types.gen'

/** A text that is the same for descriptions of the same server. */
export function sameServer(launch: Launch, name: string): string {
  let secret = false
  const text = JSON.stringify(ordered(launch), (_, value: unknown) => {
    if (!isSecret(value)) return value
    secret = true
    return { kind: 'secret' }
  })
  return secret ? `${text} ${nameKey(name)}` : text
}

function ordered(launch: Launch): Launch {
  switch (launch.kind) {
    case 'stdio':
      return { ...launch, env: byName(launch.env) }
    case 'http':
      return { ...launch, headers: byName(launch.headers) }
    case 'builtin':
      return launch
  }
}

const byName = (settings: Setting[]): Setting[] =>
  [...settings].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

function isSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'secret'
}

/** The host keeps a name with other characters than another application does. */
const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[-._]+|-+$/g, '')
