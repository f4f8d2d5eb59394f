/** What the keys of the window mean. */

/** What a key does everywhere. */
export type KeyAction = 'go' | 'search' | 'sheet'

/** What is shown over the page; the glossary has no key of its own. */
export type Overlay = 'go' | 'sheet' | 'glossary'

const APPLE = /Mac|iP(hone|ad)/.test(navigator.userAgent)

/** The key that is held with a letter, as this computer calls it. */
export const MODIFIER = APPLE ? '⌘' : 'Ctrl'

/** What a key that was pressed does; nothing while somebody types a text. */
export function actionOf(event: KeyboardEvent): KeyAction | null {
  const held = APPLE ? event.metaKey : event.ctrlKey
  if (event.isComposing || event.altKey || event.defaultPrevented) return null
  if (held) return event.key.toLowerCase() === 'k' && !event.shiftKey ? 'go' : null
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) return null
  if (event.key === '/') return 'search'
  return event.key === '?' ? 'sheet' : null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable=true]') !== null
  )
}
