/** What weighs most of all that is known against a question, for the place that is always in sight. Pure. */
import type { Concern, Finding, Severity, Subject, ToolSpec } from '../../host/types.gen'
import { m } from '../../messages'

/** The worst thing in a few words of ours, and how many others there are that a person should look at. */
export interface Worst {
  tone: 'bad' | 'warn'
  /** How grave it looks, where it was found in a text. */
  severity: Severity | null
  words: string
  more: number
}

/** The worst first; a concern is about this very call and weighs more than what merely looks suspicious. */
const RANKS = ['critical', 'concern', 'high', 'outside', 'medium', 'destroys'] as const

interface Weighed extends Omit<Worst, 'more'> {
  rank: (typeof RANKS)[number]
}

/** The worst thing that is known; nothing where nothing stands out. */
export function worstOf(subject: Subject): Worst | null {
  const all = weighed(subject).sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
  const [first] = all
  if (first === undefined) return null
  const { tone, severity, words } = first
  return { tone, severity, words, more: all.length - 1 }
}

/** Whether something was found that is more than worth knowing. */
export function isGrave(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity !== 'info')
}

function weighed(subject: Subject): Weighed[] {
  if (subject.kind === 'request') return subject.concerns.map(ofConcern)
  if (subject.kind !== 'call') return []
  const outside = subject.touches.files.filter(({ granted }) => !granted)
  return [
    ...subject.concerns.map(ofConcern),
    ...subject.findings.flatMap(ofFinding),
    ...outside.map((): Weighed => ({
      rank: 'outside',
      tone: 'bad',
      severity: null,
      words: m('worst.outside'),
    })),
    ...ofClaims(subject.tool),
  ]
}

/** A claim is believed where it warns. */
function ofClaims({ annotations }: ToolSpec): Weighed[] {
  if (annotations?.['destructiveHint'] !== true) return []
  return [{ rank: 'destroys', tone: 'warn', severity: null, words: m('worst.destroys') }]
}

function ofConcern({ why }: Concern): Weighed {
  return { rank: 'concern', tone: 'bad', severity: null, words: m(`worst.${why}`) }
}

function ofFinding({ severity, kind }: Finding): Weighed[] {
  if (severity === 'info' || severity === 'low') return []
  const tone = severity === 'medium' ? 'warn' : 'bad'
  return [
    { rank: severity, tone, severity, words: m(`finding.kind.${kind}`).replace(/[.。]$/, '') },
  ]
}
