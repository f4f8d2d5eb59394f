/** Sample applications that come in by the gateway. */
import { CLAUDE_CODE } from './callers'
import type { ClientView, GatewayView } from '../types.gen'
import { HOME } from './sampleGrants'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const ADDRESS = 'http://127.0.0.1:41807/mcp'

/** One of them, which has done nothing yet. */
export function newClient(id: string, name: string, more: Partial<ClientView> = {}): ClientView {
  return {
    id,
    name,
    added_at: NOW - 3 * DAY,
    has_token: false,
    seen_at: null,
    connections: [],
    settings: { mode: 'direct', tools: { kind: 'all' }, workspace: null, own_tools: true },
    counts: { has: 9, of: 9 },
    costs: { direct: 1_480, search: 420 },
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
      newClient(CLAUDE_CODE.id, CLAUDE_CODE.name, {
        seen_at: since,
        connections: [{ by: 'bridge', since, says: 'claude-code 2.1.317' }],
        settings: {
          mode: 'search',
          tools: {
            kind: 'only',
            parts: [
              { server: 'currency', tools: null },
              { server: 'files', tools: ['list_directory'] },
            ],
          },
          workspace: HOME,
          own_tools: true,
        },
        counts: { has: 3, of: 9 },
        costs: { direct: 610, search: 420 },
      }),
      newClient('cursor', 'Cursor', {
        has_token: true,
        seen_at: NOW - 9 * MINUTE,
        connections: [
          { by: 'http', since: NOW - 95 * MINUTE, says: 'cursor-vscode 1.0.0' },
          { by: 'http', since: NOW - 9 * MINUTE, says: null },
        ],
      }),
      newClient('zed', 'Zed', {
        seen_at: NOW - 2 * DAY,
        settings: {
          mode: 'direct',
          tools: { kind: 'except', parts: [{ server: 'files', tools: ['write_file'] }] },
          workspace: 'workspace-0000000000000002',
          own_tools: false,
        },
        counts: { has: 0, of: 9 },
        costs: { direct: 0, search: 310 },
      }),
      newClient('build-server', 'Build server', { has_token: true }),
    ],
  }
}

/** Many applications, every third of them connected. */
export function manyClients(count: number): GatewayView {
  const clients = Array.from({ length: count }, (_, at) =>
    newClient(`application-${at + 1}`, `Application ${at + 1}`, {
      seen_at: NOW - at * MINUTE,
      connections:
        at % 3 === 0 ? [{ by: 'bridge', since: NOW - at * MINUTE, says: `client/${at}.0` }] : [],
    }),
  )
  return { address: ADDRESS, clients }
}
