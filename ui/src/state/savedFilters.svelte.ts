/**
 * Filters that a person gave a name. Kept in this window only.
 *
 * Always true here: at most `MOST`, each name once; what was kept is a mere value, which whoever shows it has to understand.
 */
const KEPT_AS = 'majordomo.filters'

/** So many can be kept. */
export const MOST = 20
/** So long a name can be. */
export const LONGEST_NAME = 60

/** A filter with its name. */
export interface SavedFilter {
  name: string
  choice: Record<string, unknown>
}

export class SavedFilters {
  /** By their names. */
  list = $state.raw<readonly SavedFilter[]>(kept())

  /** Keeps a filter; one of the same name makes way. Without room for one more nothing is kept. */
  save(name: string, choice: object): void {
    const others = this.list.filter((saved) => saved.name !== name)
    if (name === '' || others.length >= MOST) return
    const saved = { name: name.slice(0, LONGEST_NAME), choice: { ...choice } }
    this.#keep([...others, saved].sort((one, other) => one.name.localeCompare(other.name)))
  }

  remove(name: string): void {
    this.#keep(this.list.filter((saved) => saved.name !== name))
  }

  #keep(list: readonly SavedFilter[]): void {
    this.list = list
    localStorage.setItem(KEPT_AS, JSON.stringify(list))
  }
}

function kept(): SavedFilter[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]')
    return Array.isArray(value) ? value.filter(isSaved).slice(0, MOST) : []
  } catch {
    return []
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false
  const { name, choice } = value as Partial<Record<keyof SavedFilter, unknown>>
  return typeof name === 'string' && typeof choice === 'object' && choice !== null
}
