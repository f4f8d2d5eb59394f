/** Sample applications on this computer, connected in every way, and what they start past Majordomo. */
import type { Application, ApplicationView, Bypass, ConnectionPreview } from '../types.gen'
import { CLAUDE_CODE } from './callers'
import { fakeFingerprint } from './fingerprint'

const NOW = Date.UTC(2026, 10, 21, 9, 30)

function found(
  application: Application,
  path: string,
  more: Partial<ApplicationView> = {},
): ApplicationView {
  return {
    application,
    path,
    leads_to: null,
    connection: { kind: 'not_connected' },
    client: null,
    backup: null,
    takes_up: 'restart',
    ...more,
  }
}

/** Applications in every state. */
export function sampleApplications(): ApplicationView[] {
  return [
    found('claude_code', '/home/ada/.claude.json', {
      connection: { kind: 'connected', seen_at: NOW - 2_520_000 },
      client: CLAUDE_CODE.id,
      backup: '/home/ada/.local/share/majordomo/copies/claude-code-1/.claude.json',
      takes_up: 'new_session',
    }),
    found('claude_desktop', '/home/ada/.config/Claude/claude_desktop_config.json'),
    found('zed', '/home/ada/.config/zed/settings.json', {
      connection: { kind: 'changed', what: 'gone' },
      client: 'zed',
      backup: '/home/ada/.local/share/majordomo/copies/zed-1/settings.json',
      takes_up: 'by_itself',
    }),
    found('vs_code', '/home/ada/.config/Code/User/mcp.json', {
      connection: { kind: 'written' },
      client: 'vs-code',
    }),
    found('goose', '/home/ada/.config/goose/config.yaml', {
      leads_to: '/home/ada/dotfiles/goose.yaml',
      connection: { kind: 'unreadable', problem: 'line 14 has a tab where spaces are expected' },
    }),
  ]
}

/** What they start themselves. */
export function sampleBypasses(): Bypass[] {
  return [
    {
      application: 'claude_desktop',
      path: '/home/ada/.config/Claude/claude_desktop_config.json',
      project: null,
      source_name: 'filesystem',
      runs: 'npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents',
      server: 'files',
      removable: true,
    },
    {
      application: 'claude_code',
      path: '/home/ada/harbour/.mcp.json',
      project: '/home/ada/harbour',
      source_name: 'git',
      runs: 'uvx mcp-server-git --repository /home/ada/harbour',
      server: 'git-history',
      removable: false,
    },
    {
      application: 'lm_studio',
      path: '/home/ada/.lmstudio/mcp.json',
      project: null,
      source_name: 'search',
      runs: 'https://search.example.com/mcp',
      server: null,
      removable: false,
    },
  ]
}

/** What would change in a file. */
export function samplePreview(
  view: ApplicationView,
  connects: boolean,
  without: readonly string[] = [],
): ConnectionPreview {
  const { application, path, leads_to, client, takes_up } = view
  const entry = [
    '    "majordomo": {',
    '      "command": "/opt/majordomo/majordomoctl",',
    '      "args": ["bridge", "--client", "claude-desktop"]',
    '    }',
  ]
  const other = ['    "filesystem": { "command": "npx", "args": ["-y", "…"] },']
  const same = (text: string, before: number, after: number) => ({
    kind: 'same' as const,
    before,
    after,
    text,
  })
  const kept = without.length === 0 ? other : []
  const lines = connects
    ? [
        same('{', 1, 1),
        same('  "mcpServers": {', 2, 2),
        ...kept.map((text) => same(text, 3, 3)),
        ...(without.length === 0 ? [] : other).map((text) => ({
          kind: 'removed' as const,
          before: 3,
          after: null,
          text,
        })),
        ...entry.map((text, at) => ({
          kind: 'added' as const,
          before: null,
          after: at + 3 + kept.length,
          text,
        })),
        same('  },', 4, 7 + kept.length),
      ]
    : entry.map((text, at) => ({ kind: 'removed' as const, before: at + 4, after: null, text }))
  return {
    application,
    path,
    leads_to,
    client,
    name: 'Claude Desktop',
    plan: {
      kind: 'write',
      file: connects ? 'changed' : 'restored',
      lines,
      more: 0,
      hash: fakeFingerprint([application, connects, without]),
    },
    takes_up,
  }
}
