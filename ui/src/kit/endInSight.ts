/** What scrolls, in pixels. */
type Scrolled = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>

/**
 * Keeps the end of what scrolls in sight while it grows, until the person scrolls up to read, and again once they are back at the
 * end. A browser tells of a movement later than it made it: what has grown meanwhile is nobody's scrolling up.
 */
export class EndInSight {
  /** Whether the end is kept in sight. */
  kept = true
  #top = 0
  #height = 0

  /** So near to the end, in pixels, it counts as being there. */
  constructor(private readonly near: number) {}

  /** It was told that this has moved. */
  moved(box: Scrolled): void {
    const shrunk = Math.max(0, this.#height - box.scrollHeight)
    if (box.scrollHeight - box.scrollTop - box.clientHeight < this.near) this.kept = true
    else if (box.scrollTop < this.#top - shrunk) this.kept = false
    this.#note(box)
  }

  /** This may have grown. */
  grown(box: Scrolled): void {
    if (!this.kept) return
    box.scrollTop = box.scrollHeight
    this.#note(box)
  }

  #note(box: Scrolled): void {
    this.#top = box.scrollTop
    this.#height = box.scrollHeight
  }
}
