/**
 * Keeps a consequential button shut until a person can have seen what it does.
 *
 * Always true here: it opens a moment after it was shown, and shuts again whenever the window comes to the front, so that a
 * click or key meant for something else cannot fall on it.
 */

const MOMENT_MS = 700

/** Opens after a moment. Make it while a component is made; it ends with the component. */
export class Arming {
  ready = $state(false)

  constructor(moment = MOMENT_MS) {
    $effect(() => {
      let timer: ReturnType<typeof setTimeout>
      const shut = (): void => {
        this.ready = false
        clearTimeout(timer)
        timer = setTimeout(() => {
          this.ready = true
        }, moment)
      }
      shut()
      window.addEventListener('focus', shut)
      document.addEventListener('visibilitychange', shut)
      return () => {
        clearTimeout(timer)
        window.removeEventListener('focus', shut)
        document.removeEventListener('visibilitychange', shut)
      }
    })
  }
}
