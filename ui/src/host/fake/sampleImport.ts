/** Sample configurations of other applications, and what one of them holds. Values are invented. */
import type { FoundConfiguration, ImportEntry, ImportPreview, ImportSource } from '../types.gen'
import { reviewOf } from './launch'

/** What was found on this computer. */
export const sampleConfigurations = (): FoundConfiguration[] => [
  {
    application: 'claude_desktop',
    path: '/home/ada/.config/Claude/claude_desktop_config.json',
    servers: 3,
    problem: null,
  },
  { application: 'cursor', path: '/home/ada/.cursor/mcp.json', servers: 1, problem: null },
  { application: 'zed', path: '/home/ada/.config/zed/settings.json', servers: 0, problem: null },
  {
    application: 'codex',
    path: '/home/ada/.codex/config.toml',
    servers: 0,
    problem: 'the configuration is not TOML: invalid key on line 3 column 1',
  },
]

/** An entry that can be kept under its own name; `more` says what is otherwise. */
export function importEntry(
  place: number,
  name: string,
  more: Partial<ImportEntry> = {},
): ImportEntry {
  const review = reviewOf(name, { kind: 'stdio', command: name, args: [], env: [], cwd: null })
  return {
    place,
    source_name: name,
    project: null,
    name,
    review,
    secrets: [],
    ignored: [],
    refused: [],
    problem: null,
    ...more,
  }
}

/** Three servers: one as it should be, one with a secret and a danger, one that cannot be used. */
export const sampleImport = (): ImportPreview => {
  return {
    format: 'mcpServers',
    entries: [
      importEntry(0, 'notes'),
      searching(1),
      importEntry(2, 'old', { review: null, problem: 'it has neither a command nor a url' }),
    ],
  }
}

/** A server with a secret, a danger and a setting that is left out. */
function searching(place: number): ImportEntry {
  const launch = {
    kind: 'stdio' as const,
    command: 'bash',
    args: ['-c', 'npx -y @example/server'],
    env: [
      { name: 'API_KEY', value: { kind: 'secret' as const, secret: 'secret-00000000000000a3' } },
    ],
    cwd: null,
  }
  return importEntry(place, 'search', {
    review: reviewOf('search', launch, { warnings: [{ kind: 'inline_code' }], dangers: 1 }),
    secrets: ['API_KEY'],
    refused: ['NODE_OPTIONS'],
  })
}

/** Nine servers in three applications, of which two want a closer look; one of them is kept by two applications. */
export const manyConfigurations = (): FoundConfiguration[] => [
  {
    application: 'claude_desktop',
    path: '/home/ada/.config/Claude/claude_desktop_config.json',
    servers: 4,
    problem: null,
  },
  { application: 'cursor', path: '/home/ada/.cursor/mcp.json', servers: 3, problem: null },
  {
    application: 'vs_code',
    path: '/home/ada/.config/Code/User/mcp.json',
    servers: 3,
    problem: null,
  },
]

/** What is in one of them, or in a text that was pasted. */
export function importOf(from: ImportSource): ImportPreview {
  if (from.kind === 'text') return sampleImport()
  const all: Partial<Record<FoundConfiguration['application'], ImportEntry[]>> = {
    claude_desktop: [
      packaged(0, 'filesystem', '@modelcontextprotocol/server-filesystem', '/home/ada/Documents'),
      packaged(1, 'memory', '@modelcontextprotocol/server-memory'),
      importEntry(2, 'notes'),
      importEntry(3, 'thinking'),
    ],
    cursor: [
      searching(0),
      importEntry(1, 'github'),
      packaged(2, 'filesystem', '@modelcontextprotocol/server-filesystem', '/home/ada/Documents'),
    ],
    vs_code: [
      importEntry(0, 'playwright'),
      importEntry(1, 'postgres', {
        review: reviewOf(
          'postgres',
          {
            kind: 'stdio',
            command: 'postgres-mcp',
            args: ['--database', 'shop', '--password', 'hunter2'],
            env: [],
            cwd: null,
          },
          { warnings: [{ kind: 'looks_secret', name: '--password' }] },
        ),
      }),
      importEntry(2, 'shell', {
        review: reviewOf(
          'shell',
          { kind: 'stdio', command: 'sudo', args: ['bash', '-i'], env: [], cwd: null },
          { warnings: [{ kind: 'more_rights' }, { kind: 'inline_code' }], dangers: 2 },
        ),
      }),
    ],
  }
  return { format: 'mcpServers', entries: all[from.application] ?? sampleImport().entries }
}

/** A server that `npx` downloads. */
function packaged(place: number, name: string, ...words: string[]): ImportEntry {
  const args = ['-y', ...words]
  const launch = { kind: 'stdio' as const, command: 'npx', args, env: [], cwd: null }
  return importEntry(place, name, {
    review: reviewOf(name, launch, { warnings: [{ kind: 'downloads' }] }),
  })
}
