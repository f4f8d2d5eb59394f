/**
 * Keeps a consequential button shut until a person can have seen what it does.
 *
 * Always true here: it opens a moment after it was shown, and shuts again whenever the window comes to the front or what it
 * stands beside changes, so that a click or key meant for something else cannot fall on it.
 */

/** So long a person needs to see what they are about to do. */
export const MOMENT_MS = 700

/** Opens after a moment. Make it while a component is made; it ends with the component. */
export class Arming {
  ready = $state(false)

  readonly #moment: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(moment = MOMENT_MS) {
    this.#moment = moment
    $effect(() => {
      const shut = (): void => this.again()
      shut()
      window.addEventListener('focus', shut)
      document.addEventListener('visibilitychange', shut)
      return () => {
        clearTimeout(this.#timer)
        window.removeEventListener('focus', shut)
        document.removeEventListener('visibilitychange', shut)
      }
    })
  }

  /** Shuts it for another moment. */
  again(): void {
    this.ready = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.ready = true
    }, this.#moment)
  }
}
