/**
 * Whether and in which words the system tells of questions that wait. Kept in this window only.
 *
 * Always true here: nothing that a server says is among the words.
 */
import type { NoticeWords } from '../host/host'
import { m } from '../messages'

const KEPT_AS = 'majordomo.notices'

export class Notices {
  /** Whether the person wants to be told while they look elsewhere. */
  on = $state(localStorage.getItem(KEPT_AS) !== 'off')

  /** What the system is to say, in the language of the window. */
  get words(): NoticeWords {
    return {
      on: this.on,
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
}
