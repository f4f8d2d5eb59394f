/**
 * The reviews of several servers, and switching on those that a person has chosen.
 *
 * Always true here: a server is switched on with the fingerprint of the review that was shown; one with a danger can be chosen
 * only after its review was open; one whose review changed meanwhile is not chosen any more.
 */
import type { HostError, Review, ServerId, ServerView } from '../../host/types.gen'
import type { Ask } from '../../state/ask'
import { asHostError } from '../../state/errors'

/** One server among those that are reviewed. */
export class ServerReview {
  review = $state.raw<Review | null>(null)
  error = $state.raw<HostError | null>(null)
  chosen = $state(false)
  open = $state(false)
  /** Its review was open at least once. */
  looked = $state(false)
  busy = $state(false)
  on = $state(false)

  constructor(readonly server: ServerId) {}

  readonly dangers = $derived(this.review?.dangers ?? 0)
  readonly warnings = $derived((this.review?.warnings.length ?? 0) - this.dangers)
  readonly mustLook = $derived(this.dangers > 0 && !this.looked)
  readonly canChoose = $derived(this.review !== null && !this.on && !this.busy && !this.mustLook)

  /** Opens or closes the review. */
  toggle(): void {
    this.open = !this.open
    if (this.open) this.looked = true
  }

  /** Takes in what would run. What can do anything, or cannot start, is not chosen for the person. */
  take(review: Review): void {
    this.review = review
    const missing = review.warnings.some(
      ({ kind }) => kind === 'not_found' || kind === 'runtime_missing',
    )
    this.chosen = review.dangers === 0 && !missing
  }
}

/** The gravest first. */
function byGravity(one: ServerReview, other: ServerReview): number {
  return (
    other.dangers - one.dangers ||
    other.warnings - one.warnings ||
    one.server.localeCompare(other.server, 'en')
  )
}

export class ManyReviews {
  items = $state.raw<ServerReview[]>([])
  loading = $state(true)
  busy = $state(false)
  readonly #ask: Ask
  readonly #put: (server: ServerView) => void

  constructor(ask: Ask, put: (server: ServerView) => void) {
    this.#ask = ask
    this.#put = put
  }

  readonly chosen = $derived(this.items.filter((item) => item.chosen && item.canChoose))
  readonly someOn = $derived(this.items.some((item) => item.on))

  /** Asks what each would run. */
  async load(servers: ServerId[]): Promise<void> {
    const items = servers.map((server) => new ServerReview(server))
    await Promise.all(items.map((item) => this.#look(item)))
    this.items = items.sort(byGravity)
    this.loading = false
  }

  /** Switches the chosen ones on, all at the same time; says whether each of them is on now. */
  async switchOn(): Promise<boolean> {
    this.busy = true
    const chosen = this.chosen
    await Promise.all(chosen.map((item) => this.#switchOn(item)))
    this.busy = false
    return chosen.every((item) => item.on)
  }

  async #look(item: ServerReview): Promise<void> {
    try {
      item.take(await this.#ask('review_server', { server: item.server }))
    } catch (thrown) {
      item.error = asHostError(thrown)
    }
  }

  async #switchOn(item: ServerReview): Promise<void> {
    if (item.review === null) return
    item.busy = true
    item.error = null
    try {
      const reviewed = item.review.fingerprint
      this.#put(await this.#ask('enable_server', { server: item.server, reviewed }))
      item.on = true
    } catch (thrown) {
      const error = asHostError(thrown)
      // Something changed while it was read: what was seen is not what would run.
      if (error.code === 'review_needed') {
        item.looked = item.open
        await this.#look(item)
      }
      item.chosen = false
      item.error = error
    } finally {
      item.busy = false
    }
  }
}
