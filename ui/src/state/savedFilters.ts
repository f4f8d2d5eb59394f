/** Filters that a person gave a name. What was kept is a mere value, which whoever shows it has to understand. */
import { SavedList } from './savedList.svelte'

/** A filter with its name. */
export interface SavedFilter {
  name: string
  choice: Record<string, unknown>
}

export class SavedFilters {
  readonly #saved = new SavedList('majordomo.filters', isSaved)

  /** By their names. */
  get list(): readonly SavedFilter[] {
    return this.#saved.all
  }

  /** Keeps a filter; one of the same name makes way. Answers whether it is kept: there may be no room. */
  save(name: string, choice: object): boolean {
    return this.#saved.save({ name, choice: { ...choice } })
  }

  remove(name: string): void {
    this.#saved.remove(name)
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false
  const { name, choice } = value as Partial<Record<keyof SavedFilter, unknown>>
  return typeof name === 'string' && typeof choice === 'object' && choice !== null
}
