/** What an answer to a question wants remembered, as a host would write it down. */
import type { Allowed, ArgumentScope, Covered, Decision, Grant, Question } from '../types.gen'
import { fakeFingerprint } from './fingerprint'

/** A choice, with the values that it means. */
function coveredOf(cover: ArgumentScope, shown: Record<string, unknown>): Covered {
  if (cover.kind === 'any') return cover
  if (cover.kind === 'exactly') return { ...cover, fingerprint: fakeFingerprint(shown), shown }
  const same = (value: unknown): Allowed => ({
    kind: 'same',
    fingerprint: fakeFingerprint(value),
    shown: value,
  })
  const limits = cover.limits.map(({ argument, allowed }) => ({
    argument,
    allowed: allowed ?? same(shown[argument]),
  }))
  return { kind: 'within', limits }
}

/** The grant that says what an answer wants remembered; nothing if it wants nothing remembered. */
export function grantOf({ id, server, subject }: Question, answer: Decision): Grant | null {
  if (subject.kind !== 'call' || (answer.kind !== 'allow' && answer.kind !== 'deny')) return null
  if (answer.remember === null) return null
  const { lasting, cover } = answer.remember
  return {
    id: 'grant-0000000000000000',
    effect: answer.kind === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: answer.reason },
    caller: subject.caller,
    server: server ?? '',
    launch_fingerprint: fakeFingerprint(server),
    tool: subject.tool,
    tool_fingerprint: fakeFingerprint(subject.tool),
    arguments: coveredOf(cover, subject.arguments),
    scope: lasting.kind === 'conversation' ? { ...lasting, conversation: 'window' } : lasting,
    workspace: lasting.kind === 'always' ? null : 'workspace-0000000000000001',
    origin: { kind: 'question', question: id },
    made_at: Date.now(),
    used: 1,
    last_used_at: Date.now(),
    revoked_at: null,
  }
}
