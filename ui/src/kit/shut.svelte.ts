/**
 * A button that cannot be pressed now.
 *
 * Always true here: one that has the focus keeps it, and is only said to be shut, since a browser takes the focus from what is
 * disabled and gives it to nothing. Whichever of the two it is, pressing it does nothing.
 */
import type { HTMLButtonAttributes, MouseEventHandler } from 'svelte/elements'

type Press = MouseEventHandler<HTMLButtonElement> | null | undefined

export class Shut {
  #focused = $state(false)
  readonly #is: () => boolean

  constructor(is: () => boolean) {
    this.#is = is
  }

  /** What the button is given; nothing that shuts it while it can be pressed. */
  readonly attributes = $derived.by((): HTMLButtonAttributes => {
    const shut = this.#is()
    return {
      disabled: shut && !this.#focused,
      ...(shut && this.#focused && { 'aria-disabled': true }),
      onfocus: () => (this.#focused = true),
      onblur: () => (this.#focused = false),
    }
  })

  /** What a press does; a form is not sent by a button that is shut, either. */
  unless(press: Press): MouseEventHandler<HTMLButtonElement> {
    return (event) => {
      if (this.#is()) event.preventDefault()
      else press?.(event)
    }
  }
}
