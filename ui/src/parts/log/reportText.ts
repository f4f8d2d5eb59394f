/** What a check of the log has found, in words. */
import type { AnchorCheck, LogReport, Signed } from '../../host/types.gen'
import { dateTime, m, number, plural } from '../../messages'

/** A finding for a notice. */
export interface ReportText {
  tone: 'good' | 'info' | 'warn' | 'bad'
  title: string
  text: string
  detail?: string
}

/** What reading the whole log has found. */
export function reportWords(report: LogReport): ReportText {
  if (report.kind === 'broken') {
    return {
      tone: 'bad',
      title: m('log.broken'),
      text: m('log.broken_text', { record: number(report.record), file: report.file }),
      detail: report.problem,
    }
  }
  const { signed } = report
  const after = report.after_anchor > 0 ? [plural('log.after_anchor', report.after_anchor)] : []
  return {
    // Without a keyring whoever changes the log can change what it is compared with; and what is not signed, they can chain anew.
    tone: report.anchor === 'keyring' && signed?.from === 1 ? 'good' : 'info',
    title: m('log.intact'),
    text: [
      plural('log.records', report.records - report.read_from + 1),
      ...movedOut(report.first, report.read_from),
      m(`log.anchor.${report.anchor}`),
      ...after,
      ...signedWords(signed),
    ].join(' '),
    ...(signed === null ? {} : { detail: m('log.root', { root: signed.root }) }),
  }
}

/** What was moved out of the log, and whether it is still there. */
function movedOut(first: number, readFrom: number): string[] {
  if (first === 1) return []
  return [
    m('log.moved_out', { first: number(first) }),
    readFrom === 1 ? m('log.archive_read') : m('log.archive_missing'),
  ]
}

function signedWords(signed: Signed | null): string[] {
  if (signed === null) return [m('log.unsigned')]
  const sealed =
    signed.sealed > 0
      ? m('log.signed', { from: number(signed.from), sealed: number(signed.sealed) })
      : m('log.signed_open', { from: number(signed.from) })
  return [
    sealed,
    ...(signed.kept === 'memory' ? [m('log.signed_memory')] : []),
    ...(signed.from > 1 ? [m('log.signed_later', { from: number(signed.from) })] : []),
  ]
}

/** How the log stands to an anchor. */
export function anchorWords(check: AnchorCheck): ReportText {
  const title = m(`log.check.${check.kind}`)
  switch (check.kind) {
    case 'continues':
      return {
        tone: 'good',
        title,
        text: m('log.check.continues_text', {
          seq: number(check.seq),
          time: dateTime(check.at),
          since: number(check.since),
        }),
      }
    case 'rolled_back':
      return {
        tone: 'bad',
        title,
        text: m('log.check.rolled_back_text', {
          anchor: number(check.anchor),
          records: number(check.records),
        }),
      }
    case 'differs':
      return { tone: 'bad', title, text: m('log.check.differs_text', { seq: number(check.seq) }) }
    case 'moved_out':
      return {
        tone: 'warn',
        title,
        text: m('log.check.moved_out_text', { seq: number(check.seq), first: number(check.first) }),
      }
    case 'other_log':
      return { tone: 'warn', title, text: m('log.check.other_log_text') }
  }
}
