/** Sample applications that come in by the gateway. */
import { CLAUDE_CODE } from './callers'
import type { ClientView, GatewayView } from '../types.gen'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const ADDRESS = 'http://127.0.0.1:41807/mcp'

function client(id: string, name: string, more: Partial<ClientView> = {}): ClientView {
  return {
    id,
    name,
    added_at: NOW - 3 * DAY,
    has_token: false,
    seen_at: null,
    connections: [],
    ...more,
  }
}

/** No application yet. */
export const noClients = (): GatewayView => ({ address: null, clients: [] })

/** Applications in every state. */
export function someClients(): GatewayView {
  const since = NOW - 42 * MINUTE
  return {
    address: ADDRESS,
    clients: [
      client(CLAUDE_CODE.id, CLAUDE_CODE.name, {
        seen_at: since,
        connections: [{ by: 'bridge', since, says: 'claude-code 2.1.317' }],
      }),
      client('cursor', 'Cursor', {
        has_token: true,
        seen_at: NOW - 9 * MINUTE,
        connections: [
          { by: 'http', since: NOW - 95 * MINUTE, says: 'cursor-vscode 1.0.0' },
          { by: 'http', since: NOW - 9 * MINUTE, says: null },
        ],
      }),
      client('zed', 'Zed', { seen_at: NOW - 2 * DAY }),
      client('build-server', 'Build server', { has_token: true }),
    ],
  }
}

/** Many applications, every third of them connected. */
export function manyClients(count: number): GatewayView {
  const clients = Array.from({ length: count }, (_, at) =>
    client(`application-${at + 1}`, `Application ${at + 1}`, {
      seen_at: NOW - at * MINUTE,
      connections:
        at % 3 === 0 ? [{ by: 'bridge', since: NOW - at * MINUTE, says: `client/${at}.0` }] : [],
    }),
  )
  return { address: ADDRESS, clients }
}
