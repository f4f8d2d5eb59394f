/** What is offered, in words. */
import type { Alike, FeatureView, ApprovalStatus } from '../../host/types.gen'
import type { IconName } from '../../kit'
import { allOf, m, maybe } from '../../messages'
import { textOf } from './definition'

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

/** How it stands, as a badge; nothing for what is new, which is said once for all. */
export function approvalBadge(
  standing: ApprovalStatus,
): { word: string; tone: Tone; icon: IconName } | null {
  const word = m(`standing.${standing.kind}`)
  switch (standing.kind) {
    case 'new':
      return null
    case 'approved':
      return { word, tone: 'good', icon: 'check' }
    case 'changed':
    case 'renamed':
      return { word, tone: 'warn', icon: 'edit' }
    case 'gone':
      return { word, tone: 'neutral', icon: 'off' }
    case 'kept_off':
      return { word, tone: 'neutral', icon: 'off' }
    case 'blocked':
      return { word, tone: 'bad', icon: 'close' }
  }
}

/** Its first words, on one line. */
export function firstWords(offer: FeatureView): string {
  const said = offer.definition ?? offer.before ?? {}
  const words =
    offer.key.kind === 'about'
      ? textOf(said, 'instructions') || textOf(said, 'title') || textOf(said, 'name')
      : textOf(said, 'description') || textOf(said, 'title')
  return words.split('\n', 1)[0]?.slice(0, 200) ?? ''
}

/** In what two tools are alike. */
export function alikeWords(how: Alike): string {
  return how.kind === 'name'
    ? m(`likeness.${how.likeness}`)
    : m('offers.alike_purpose', { percent: how.percent })
}

/** What its hints say, in a list of the language. */
export function hintWords(hints: readonly string[]): string | undefined {
  const known = hints
    .map((hint) => maybe('offers.hint', hint))
    .filter((words) => words !== undefined)
  if (known.length === 0) return undefined
  return m('offers.says_that_it', {
    hints: allOf(known),
  })
}
