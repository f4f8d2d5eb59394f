/** Places to go to, and which of them words lead to. */
import type { IconName } from './icons'
import { holdsWords } from './search'

/** A place of the window. */
export interface Place {
  /** Its address; no two have the same. */
  href: string
  icon: IconName
  name: string
  /** What kind of place it is, in our words. */
  kind: string
  /** Whose it is, where that says more than the kind; can be a stranger's word. */
  of?: string
  /** Shown only once something was typed. */
  searched?: boolean
}

/** So many are shown; whoever wants another types on. */
const MOST = 50

/** The places that hold every word, those whose name begins with the first one before the others. */
export function found(places: Place[], words: string): Place[] {
  const [first = ''] = words.trim().toLowerCase().split(/\s+/)
  if (first === '') return places.filter(({ searched }) => !searched).slice(0, MOST)
  const matching = places.filter(({ name, kind, of = '' }) =>
    holdsWords(`${name}\n${of}\n${kind}`, words),
  )
  const begins = ({ name }: Place): boolean => name.toLowerCase().startsWith(first)
  return [...matching.filter(begins), ...matching.filter((place) => !begins(place))].slice(0, MOST)
}
