/**
 * A list, and what was opened from it, beside each other; a narrow window shows one of the two.
 *
 * Always true here: the focus is never left in what is not shown. It goes on to the first button of what was opened, which
 * leads back, and returns to the row when that is closed, however it was opened.
 */
import { focusIsLost } from './lost'

/** Of a frame whose list marks the open row, and whose other pane has `data-opened`. */
export function followPanes(frame: () => HTMLElement | undefined, opened: () => unknown): void {
  let row: HTMLElement | null = null

  $effect.pre(() => {
    void opened()
    row =
      frame()?.querySelector<HTMLElement>('[role=row][aria-selected=true], [aria-current=page]') ??
      null
  })

  $effect(() => {
    const pane = frame()
    const focused = document.activeElement
    if (opened() === null) {
      if (focusIsLost()) row?.focus({ preventScroll: true })
    } else if (pane?.contains(focused) && !focused?.checkVisibility())
      pane.querySelector<HTMLElement>('[data-opened] button')?.focus()
  })
}
