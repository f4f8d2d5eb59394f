/** Sample configurations of other applications, and what one of them holds. Values are invented. */
import type { FoundConfiguration, ImportEntry, ImportPreview } from '../types.gen'
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
  const launch = {
    kind: 'stdio' as const,
    command: 'bash',
    args: ['-c', 'npx -y @example/server'],
    env: [
      { name: 'API_KEY', value: { kind: 'secret' as const, secret: 'secret-00000000000000a3' } },
    ],
    cwd: null,
  }
  return {
    format: 'mcpServers',
    entries: [
      importEntry(0, 'notes'),
      importEntry(1, 'search', {
        review: reviewOf('search', launch, { warnings: [{ kind: 'inline_code' }], dangers: 1 }),
        secrets: ['API_KEY'],
        refused: ['NODE_OPTIONS'],
      }),
      importEntry(2, 'old', { review: null, problem: 'it has neither a command nor a url' }),
    ],
  }
}
