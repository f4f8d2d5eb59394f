/** Who stands behind a row, as a drawing with words. */
import type { IconName } from '../../kit'
import { callerWords } from '../../messages/callers'
import type { ActivityRow } from '../../host/types.gen'
import { approverWords } from './rowText'

const OF_CALLERS: Record<string, IconName> = {
  window: 'person',
  terminal: 'command',
  browser: 'person',
  agent: 'conversation',
  client: 'plug',
  server: 'server',
  view: 'eye',
}

const OF_APPROVERS: Record<string, IconName> = {
  question_window: 'person',
  window: 'person',
  browser: 'person',
  terminal: 'command',
  unattended: 'command',
  approver_token: 'key',
  majordomo: 'info',
}

/** The drawing for a kind of callers. */
export function callerIcon(kind: string): IconName {
  return OF_CALLERS[kind] ?? 'question'
}

/** Who asked, or who decided; nothing where nobody did. */
export function callerMarkOf(row: ActivityRow): { icon: IconName; words: string } | null {
  const { segment, caller, approver } = row
  if (approver !== null && (segment !== 'calls' || caller === null)) {
    const icon = OF_APPROVERS[approver] ?? callerIcon(approver.split(':')[0] ?? '')
    return { icon, words: approverWords(approver) }
  }
  return caller === null ? null : { icon: callerIcon(caller.kind), words: callerWords(caller) }
}
