/** Tells once that an element has come into sight. */
import type { Attachment } from 'svelte/attachments'

export function whenSeen(onseen: () => void): Attachment {
  return (element) => {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      watch.disconnect()
      onseen()
    })
    watch.observe(element)
    return () => watch.disconnect()
  }
}
