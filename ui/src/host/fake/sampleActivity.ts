/** What happened, in samples: calls of several callers over some days, and what a person decided meanwhile. */
import { CLAUDE_CODE, RESEARCH, TERMINAL, WINDOW } from './callers'
import { segmentOf } from './figures'
import { NOTHING_MORE } from './nothingMore'
import { sampleConfinements } from './sampleConfinement'
import type { ActivityDetail, ActivityReason, ActivityRow, Caller, Outcome } from '../types.gen'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const MINUTE = 60_000
/** So many decisions of one kind make one record. */
const MANY = 1_000
/** Only so many of the newest rows have a record with all names. */
const WITH_NAMES = 60

/** One thing that happened, as far as it is not like every other. */
type Happening = Pick<ActivityRow, 'what'> &
  Partial<ActivityRow> & {
    /** What its record holds besides. */
    record?: () => object
  }

const call = (
  server: string,
  tool: string,
  caller: Caller,
  outcome: Outcome = 'done',
  reason: ActivityReason = outcome === 'refused' ? 'denied' : 'allowed_earlier',
): Happening => ({ what: 'call', server, tool, caller, outcome, reason })

const HAPPENED: Happening[] = [
  call('files', 'list_directory', TERMINAL),
  call('files', 'write_file', CLAUDE_CODE, 'refused'),
  {
    what: 'question_answered',
    server: 'files',
    tool: 'write_file',
    reason: 'allowed',
    approver: 'question_window',
    question: 'question-0000000000000001',
  },
  call('currency', 'get_exchange_rate', WINDOW, 'tool_error'),
  {
    what: 'grant_made',
    server: 'files',
    tool: 'list_directory',
    choice: 'allow',
    grant: 'grant-0000000000000001',
  },
  call('git-history', 'git_log', RESEARCH, 'failed'),
  call('files', 'list_directory', WINDOW, 'interrupted'),
  { what: 'server_added', server: 'issues-remote' },
  {
    what: 'confinement_chosen',
    server: 'files',
    record: () => ({ settings: sampleConfinements(null).files?.settings }),
  },
  call('currency', 'get_exchange_rate', RESEARCH, 'done', 'allowed'),
  call('files', 'read_page', CLAUDE_CODE),
  {
    what: 'offers_decided',
    server: 'notebook',
    choice: 'approve',
    count: MANY,
    record: () => ({
      decided: Array.from({ length: MANY }, (_, at) => ({
        kind: at % 40 === 39 ? 'prompt' : 'tool',
        name: `note_${String(at + 1).padStart(4, '0')}`,
        decision: 'approve',
      })),
    }),
  },
  call('currency', 'get_exchange_rate', CLAUDE_CODE),
  call('files', 'list_directory', CLAUDE_CODE),
  { what: 'root_added', server: 'files', subject: '/home/ada/Documents' },
  { what: 'server_switched', server: 'files', choice: 'on' },
  call('shipping', 'place_shipping_order', RESEARCH, 'done', 'allowed'),
  {
    what: 'rule_made',
    server: 'mail',
    subject: 'forbid (principal, action == Action::"call", resource in Server::"mail");',
    rule: 'rule-0000000000000002',
  },
  {
    what: 'offer_quarantined',
    server: 'notebook',
    subject: 'note_0001',
    count: 3,
    approver: null,
    record: () => ({
      kind: 'tool',
      name: 'note_0001',
      others: 2,
      also: [
        { kind: 'tool', name: 'note_0002' },
        { kind: 'tool', name: 'note_0003' },
      ],
    }),
  },
  { what: 'host_started', subject: '0.1.0', approver: null },
]

/** So many things that happened, newest first. */
export function manyHappenings(count: number): ActivityDetail[] {
  return Array.from({ length: count }, (_, index): ActivityDetail => {
    const { record, ...happened } = HAPPENED[index % HAPPENED.length] as Happening
    const isCall = happened.what === 'call'
    const seq = Math.max(1000, count * 2 + 2) - index * 2
    const row = rowOf(seq, NOW - index * 41 * MINUTE, happened, index)
    const { server, tool, outcome } = row
    return {
      row,
      call: isCall ? `call-${String(seq).padStart(16, '0')}` : null,
      whole_kept: index === 0,
      arguments: isCall ? { path: `/home/ada/Documents/${index}` } : null,
      permission: outcome === 'done' ? { kind: 'grant', grant: 'grant-0000000000000001' } : null,
      approver: outcome === 'done' ? 'question_window' : row.approver,
      refusal: outcome === 'refused' ? { kind: 'denied_by_person', reason: 'not today' } : null,
      error: outcome === 'failed' ? 'The server ended in the middle of the call.' : null,
      records: [
        JSON.stringify({
          seq,
          event: happened.what,
          server,
          tool,
          ...(index < WITH_NAMES ? record?.() : {}),
        }),
        ...(isCall ? [JSON.stringify({ seq: seq + 1, event: 'call_closed', outcome })] : []),
      ],
    }
  })
}

function rowOf(seq: number, at: number, happened: Happening, index: number): ActivityRow {
  const isCall = happened.what === 'call'
  const wasAsked = happened.reason === 'allowed' || happened.reason === 'denied'
  const waited = wasAsked ? 9_000 + ((index * 7_919) % 180_000) : index % 5
  const ran = 18 + ((index * 397) % (happened.server === 'files' ? 240 : 4_100))
  const ends = isCall && happened.outcome !== 'running'
  const ranAtAll = ends && happened.outcome !== 'refused' && happened.outcome !== 'interrupted'
  return {
    seq,
    at,
    caller: WINDOW,
    server: null,
    tool: null,
    outcome: 'noted',
    reason: null,
    approver: isCall ? (wasAsked ? 'question_window' : null) : 'window',
    duration_ms: ends ? waited + (ranAtAll ? ran : 0) : null,
    waited_ms: ends ? waited : null,
    ran_ms: ranAtAll ? ran : null,
    ...NOTHING_MORE,
    segment: segmentOf(happened.what),
    grant: isCall && happened.reason === 'allowed_earlier' ? 'grant-0000000000000001' : null,
    ...happened,
  }
}
