/** Whether nothing in particular has the focus: the page as a whole has it, or the room to which it falls. */
export function focusIsLost(): boolean {
  return document.activeElement?.matches('body, main') ?? true
}
