/** Questions about a call, as the host asks them. */
import type { Allowed, Subject, AffectedResources } from '../types.gen'

type Call = Extract<Subject, { kind: 'call' }>

/** A call that touches nothing but the server itself. */
export const NOTHING: AffectedResources = {
  files: [],
  hosts: [],
  account: null,
  confinement: 'none',
  unread: [],
}

/** A call that touches this file, in a folder that was given or outside of all. */
export const touching = (path: string, granted = true): AffectedResources => ({
  ...NOTHING,
  files: [{ of: path, path, granted }],
})

/** What may be chosen for an argument: that it lies in one of these folders. */
export const under = (...folders: string[]): Allowed[] =>
  folders.map((folder) => ({ kind: 'under', folder }))

/** A call that touches nothing, with nothing to choose for its arguments; `call` says what is otherwise. */
export function callSubject(
  call: Pick<Call, 'call' | 'caller' | 'tool' | 'arguments' | 'reason'> & Partial<Call>,
): Call {
  return {
    conversation: null,
    findings: [],
    concerns: [],
    sources: [],
    last_time: null,
    consequential: false,
    left_over: false,
    touches: NOTHING,
    options: [],
    ...call,
    kind: 'call',
  }
}
