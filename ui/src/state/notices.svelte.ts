/**
 * Whether and in which words the system tells of questions that wait, and whether Majordomo goes on when its window is closed. Kept in
 * this window only.
 *
 * Always true here: nothing that a server says is among the words.
 */
import type { NoticeWords } from '../host/host'
import { m } from '../messages'

const KEPT_AS = 'majordomo.notices'
const KEEP_KEPT_AS = 'majordomo.keep-running'

export class Notices {
  /** Whether the person wants to be told while they look elsewhere. */
  on = $state(localStorage.getItem(KEPT_AS) !== 'off')
  /** Whether Majordomo goes on in the tray when its window is closed. */
  keep = $state(localStorage.getItem(KEEP_KEPT_AS) === 'on')
  /** Whether there is a tray, as the system said last. */
  hasTray = $state(false)

  /** What the system is to say, in the language of the window. */
  get words(): NoticeWords {
    return {
      on: this.on,
      keep: this.keep,
      one: m('notices.waiting_one', { n: 1 }),
      many: m('notices.waiting_other', { n: '{count}' }),
      text: m('notices.text'),
      none: m('notices.none'),
      open: m('notices.open'),
      next: m('notices.next'),
      quit: m('notices.quit'),
    }
  }

  /** Chooses whether to be told. */
  choose(on: boolean): void {
    this.on = on
    if (on) localStorage.removeItem(KEPT_AS)
    else localStorage.setItem(KEPT_AS, 'off')
  }

  /** Chooses whether to go on in the tray. */
  chooseKeep(keep: boolean): void {
    this.keep = keep
    if (keep) localStorage.setItem(KEEP_KEPT_AS, 'on')
    else localStorage.removeItem(KEEP_KEPT_AS)
  }
}
