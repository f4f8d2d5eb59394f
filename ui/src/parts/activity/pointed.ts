/** Choosing by pointing at a bar: once filters by it, once more undoes that. Pure. */
import { NO_CHOICE, type FilterChoice } from './choice'

/** What a bar filters by; nothing where it is about all. */
export type Pointed = Partial<FilterChoice>

/** Whether it is filtered by this. */
export function isChosen(choice: FilterChoice, pointed: Pointed | null): boolean {
  return (
    pointed !== null &&
    partsOf(pointed).every((part) => JSON.stringify(choice[part]) === JSON.stringify(pointed[part]))
  )
}

/** The choice after a bar was pointed at. */
export function pointedAt(choice: FilterChoice, pointed: Pointed): FilterChoice {
  if (!isChosen(choice, pointed)) return { ...choice, ...pointed }
  // The part of the log stays: calls are what charts are of.
  const undone = partsOf(pointed).filter((part) => part !== 'segment')
  return { ...choice, ...Object.fromEntries(undone.map((part) => [part, NO_CHOICE[part]])) }
}

const partsOf = (pointed: Pointed): (keyof FilterChoice)[] =>
  Object.keys(pointed) as (keyof FilterChoice)[]
