/**
 * The rows of the activity list under a filter: pages as they are scrolled to, and changes as they happen.
 *
 * Always true here: an answer to an earlier filter never shows under a later one.
 */
import { asHostError } from '../../state/errors'
import type { Ask } from '../../state/ask'
import type { ActivityFilter, ActivityRow, HostError } from '../../host/types.gen'
import { changed, merged, NO_FILTER } from './rows'

/** Rows that are asked for at once. */
const PAGE = 200
/** How long a burst of changes is collected before the host is asked to search again. */
const COLLECT_MS = 300

export class ActivityList {
  /** Newest first. */
  rows = $state.raw<ActivityRow[]>([])
  /** A page is on its way. */
  loading = $state(false)
  /** The filter's rows were asked for at least once. */
  loaded = $state(false)
  error = $state.raw<HostError | null>(null)
  filter = $state.raw<ActivityFilter>(NO_FILTER)

  /** Where the next page begins; `null` once the oldest row is here. */
  #next: number | null = null
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #ask: Ask
  readonly #page: number

  constructor(ask: Ask, page = PAGE) {
    this.#ask = ask
    this.#page = page
  }

  /** Begins anew with a filter. */
  async show(filter: ActivityFilter): Promise<void> {
    this.filter = filter
    this.#next = null
    await this.#load(null, true)
  }

  /** Brings the next older page, if there is one. */
  async more(): Promise<void> {
    if (this.#next === null || this.loading || this.error !== null) return
    await this.#load(this.#next, false)
  }

  /** Takes a live change in. */
  onRow(row: ActivityRow): void {
    if (!this.loaded) return
    this.rows = changed(this.rows, row, this.filter, this.#next === null)
    // Only the host can tell whether a new row holds the words that are searched for.
    if (this.filter.text !== null && !this.rows.some((other) => other.seq === row.seq)) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#newest(), COLLECT_MS)
    }
  }

  /** Ends what is still to come. */
  leave(): void {
    this.#turn += 1
    clearTimeout(this.#timer)
  }

  async #load(before: number | null, anew: boolean): Promise<void> {
    const turn = ++this.#turn
    this.loading = true
    this.error = null
    try {
      const page = await this.#ask('list_activity', {
        filter: this.filter,
        before,
        limit: this.#page,
      })
      if (turn !== this.#turn) return
      this.rows = anew ? page.rows : merged(this.rows, page.rows)
      this.#next = page.next
      this.loaded = true
    } catch (thrown) {
      if (turn === this.#turn) this.error = asHostError(thrown)
    } finally {
      if (turn === this.#turn) this.loading = false
    }
  }

  async #newest(): Promise<void> {
    const turn = this.#turn
    try {
      const page = await this.#ask('list_activity', {
        filter: this.filter,
        before: null,
        limit: this.#page,
      })
      if (turn === this.#turn) this.rows = merged(this.rows, page.rows)
    } catch (thrown) {
      if (turn === this.#turn) this.error = asHostError(thrown)
    }
  }
}
