/** Sample approvals: of every length, for every kind of limit. Values are invented. */
import { CLAUDE_CODE, TERMINAL, WINDOW } from './callers'
import type { Allowed, Covered, Grant, Scope, Tightening, ToolView } from '../types.gen'
import { fakeFingerprint } from './fingerprint'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The workspace that a pretended host begins with. */
export const HOME = 'workspace-0000000000000001'

const ANY: Covered = { kind: 'any' }
const within = (limits: Record<string, Allowed>): Covered => ({
  kind: 'within',
  limits: Object.entries(limits).map(([argument, allowed]) => ({ argument, allowed })),
})
const exactly = (shown: Record<string, unknown>): Covered => ({
  kind: 'exactly',
  fingerprint: fakeFingerprint(shown),
  shown,
})

function grant(
  id: number,
  { server, spec, fingerprint }: ToolView,
  covered: Covered,
  scope: Scope,
  more: Partial<Grant> = {},
): Grant {
  return {
    id: `grant-${String(id).padStart(16, '0')}`,
    effect: { kind: 'allow' },
    caller: WINDOW,
    server,
    launch_fingerprint: fakeFingerprint(server),
    tool: spec,
    tool_fingerprint: fingerprint,
    arguments: covered,
    scope,
    workspace: scope.kind === 'always' ? null : HOME,
    origin: { kind: 'question', question: `question-${String(id).padStart(16, '0')}` },
    made_at: NOW - 2 * DAY,
    used: 14,
    last_used_at: NOW - 12 * MINUTE,
    revoked_at: null,
    ...more,
  }
}

/** The approvals of a world that has been lived in. */
export function sampleGrants(files: readonly ToolView[], builtin: readonly ToolView[]): Grant[] {
  const [list, write] = files as [ToolView, ToolView]
  const [rate, , order] = builtin as [ToolView, ToolView, ToolView]
  return [
    grant(1, list, within({ path: { kind: 'under', folder: '/home/ada/Documents' } }), {
      kind: 'workspace',
    }),
    grant(
      2,
      write,
      exactly({ path: '/home/ada/Documents/today.md', content: '# Today' }),
      { kind: 'workspace' },
      { made_at: NOW - 310 * MINUTE, used: 1, last_used_at: NOW - 310 * MINUTE },
    ),
    grant(
      3,
      rate,
      ANY,
      { kind: 'conversation', conversation: 'window' },
      { made_at: NOW - 8 * MINUTE, used: 3 },
    ),
    grant(
      4,
      rate,
      within({ base: { kind: 'one_of', values: ['EUR', 'USD'] }, target: { kind: 'anything' } }),
      { kind: 'always' },
      { caller: TERMINAL },
    ),
    grant(
      5,
      order,
      within({
        num_containers: { kind: 'at_most', number: 5 },
        destination: {
          kind: 'same',
          fingerprint: fakeFingerprint('Rotterdam'),
          shown: 'Rotterdam',
        },
      }),
      { kind: 'times', times: 10 },
      { used: 4 },
    ),
    grant(
      6,
      write,
      within({ path: { kind: 'under', folder: '/home/ada/.ssh' }, content: { kind: 'anything' } }),
      { kind: 'workspace' },
      {
        effect: { kind: 'deny', reason: 'Keep out of my keys.' },
        caller: TERMINAL,
        used: 2,
      },
    ),
    grant(
      7,
      { ...list, spec: { ...list.spec, name: 'fetch' }, server: 'web' },
      within({ url: { kind: 'hosts', hosts: ['docs.example.com', 'example.org'] } }),
      { kind: 'until', at: NOW + 5 * DAY },
      {
        caller: CLAUDE_CODE,
        origin: { kind: 'narrowed', grant: 'grant-0000000000000099' },
      },
    ),
  ]
}

/** Many approvals, for seeing whether a long list stays fluid. */
export function manyGrants(
  count: number,
  files: readonly ToolView[],
  builtin: readonly ToolView[],
): Grant[] {
  const kinds = sampleGrants(files, builtin)
  return Array.from({ length: count }, (_, at) => {
    const like = kinds[at % kinds.length] as Grant
    return {
      ...like,
      id: `grant-${String(1_000 + at).padStart(16, '0')}`,
      tool: { ...like.tool, name: `${like.tool.name}_${at}` },
    }
  })
}

/** What could be narrower. */
export function sampleTightenings(grants: readonly Grant[]): Tightening[] {
  const wide = grants.find(({ id }) => id.endsWith('3'))
  if (!wide) return []
  const values = ['EUR', 'USD']
  return [
    {
      grant: wide,
      arguments: within({
        base: { kind: 'one_of', values: ['USD'] },
        target: { kind: 'one_of', values },
      }),
      covered: 3,
      used: 3,
      seen: [
        {
          argument: 'base',
          values: ['"USD"'],
          different: 1,
          allowed: { kind: 'one_of', values: ['USD'] },
        },
        {
          argument: 'target',
          values: ['"EUR"', '"USD"'],
          different: 2,
          allowed: { kind: 'one_of', values },
        },
      ],
    },
  ]
}
