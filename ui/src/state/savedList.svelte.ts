/**
 * Things that a person gave a name. Kept in this window only.
 *
 * Always true here: among its like each name stands once, and no more than `MOST` are taken; where the window has no space
 * left, what was kept stays.
 */

/** So many can be kept that are alike. */
export const MOST = 20
/** So long a name can be. */
export const LONGEST_NAME = 60

/** Whether one is among those whose names are told apart, and which are counted together. */
type Alike<T> = (other: T) => boolean

export class SavedList<T extends { name: string }> {
  readonly #keptAs: string
  #all = $state.raw<readonly T[]>([])

  /** What lies under `keptAs` is a mere value: `isOne` knows those that can be used. */
  constructor(keptAs: string, isOne: (value: unknown) => value is T) {
    this.#keptAs = keptAs
    this.#all = kept(keptAs).filter(isOne)
  }

  /** By their names. */
  get all(): readonly T[] {
    return this.#all
  }

  /** Keeps one; the one of the same name makes way. Without room for one more nothing is kept; answers whether it is. */
  save(saved: T, alike: Alike<T> = () => true): boolean {
    const name = saved.name.slice(0, LONGEST_NAME)
    const others = this.#without(name, alike)
    if (name === '' || others.filter(alike).length >= MOST) return false
    return this.#keep(
      [...others, { ...saved, name }].sort((one, other) => one.name.localeCompare(other.name)),
    )
  }

  remove(name: string, alike: Alike<T> = () => true): void {
    this.#keep(this.#without(name, alike))
  }

  #without(name: string, alike: Alike<T>): T[] {
    return this.#all.filter((saved) => saved.name !== name || !alike(saved))
  }

  #keep(all: readonly T[]): boolean {
    try {
      localStorage.setItem(this.#keptAs, JSON.stringify(all))
    } catch {
      // There is no room left for this page.
      return false
    }
    this.#all = all
    return true
  }
}

function kept(keptAs: string): unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keptAs) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
