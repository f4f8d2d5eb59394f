/**
 * The reviews of several servers, and switching on those that a person has chosen.
 *
 * Always true here: a server is switched on with the fingerprint of the review that was shown; one with a warning can be chosen
 * only after its review was open; one whose review changed meanwhile is not chosen any more, and is looked at anew.
 */
import type { HostError, Review, ServerId, ServerView } from '../../host/types.gen'
import type { Ask } from '../../state/ask'
import { asHostError } from '../../state/errors'
import { giveFolders } from './giveFolders'
import { standsOut, warningCounts } from './warnings'

/** One server among those that are reviewed. */
export class ServerReview {
  review = $state.raw<Review | null>(null)
  error = $state.raw<HostError | null>(null)
  chosen = $state(false)
  open = $state(false)
  /** Its review was open at least once. */
  looked = $state(false)
  /** Another review came since it was shown first. */
  changed = $state(false)
  /** Folders that are given to it with the yes. */
  folders = $state.raw<string[]>([])
  busy = $state(false)
  on = $state(false)
  /** Of the review that was taken in last. */
  #fingerprint: string | null = null

  constructor(readonly server: ServerId) {}

  readonly counts = $derived(warningCounts(this.review))
  readonly mustLook = $derived(
    this.review !== null && !this.looked && (this.changed || standsOut(this.review)),
  )
  readonly canChoose = $derived(this.review !== null && !this.on && !this.busy && !this.mustLook)

  /** Opens or closes the review. */
  toggle(): void {
    this.open = !this.open
    if (this.open) this.looked = true
  }

  /** Takes in what would run. What stands out is not chosen for the person, and no choice outlives what it was made on. */
  take(review: Review): void {
    this.review = review
    this.error = null
    const before = this.#fingerprint
    if (before === review.fingerprint) return
    this.#fingerprint = review.fingerprint
    this.folders = review.folders.map(({ path }) => path)
    this.changed = before !== null
    this.open = false
    this.looked = false
    this.chosen = before === null && !standsOut(review)
  }

  /** What would run is not known. */
  fail(thrown: unknown): void {
    this.error = asHostError(thrown)
    this.review = null
    this.chosen = false
  }
}

/** The gravest first. */
function byGravity(one: ServerReview, other: ServerReview): number {
  return (
    other.counts.dangers - one.counts.dangers ||
    other.counts.warnings - one.counts.warnings ||
    one.server.localeCompare(other.server, 'en')
  )
}

export class ManyReviews {
  items = $state.raw<ServerReview[]>([])
  loading = $state(true)
  busy = $state(false)
  readonly #ask: Ask
  readonly #put: (server: ServerView) => void
  /** What the host told last of each server. */
  #told: Record<ServerId, ServerView> = {}

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

  /** Takes in the servers as the host tells of them now: those that it told of anew are asked about once more. */
  async follow(servers: readonly ServerView[]): Promise<void> {
    const news = servers.filter((server) => this.#told[server.id] !== server)
    for (const server of news) this.#told[server.id] = server
    const items = this.items.filter(
      (item) => !item.on && !item.busy && news.some(({ id }) => id === item.server),
    )
    await Promise.all(items.map((item) => this.#look(item)))
  }

  async #look(item: ServerReview): Promise<void> {
    try {
      item.take(await this.#ask('review_server', { server: item.server }))
    } catch (thrown) {
      item.fail(thrown)
    }
  }

  async #switchOn(item: ServerReview): Promise<void> {
    if (item.review === null) return
    item.busy = true
    item.error = null
    try {
      const reviewed = item.review.fingerprint
      await giveFolders(this.#ask, item.server, item.folders)
      this.#put(await this.#ask('enable_server', { server: item.server, reviewed }))
      item.on = true
    } catch (thrown) {
      const error = asHostError(thrown)
      // Something changed while it was read: what was seen is not what would run.
      if (error.code === 'review_needed') await this.#look(item)
      item.chosen = false
      item.error = error
    } finally {
      item.busy = false
    }
  }
}
