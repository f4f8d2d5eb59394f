/** Of a row in samples: a call that is about nothing besides its server and its tool. */
import type { ActivityRow } from '../types.gen'

export const NOTHING_MORE: Pick<
  ActivityRow,
  'segment' | 'subject' | 'choice' | 'count' | 'question' | 'grant' | 'rule'
> = {
  segment: 'calls',
  subject: null,
  choice: null,
  count: null,
  question: null,
  grant: null,
  rule: null,
}
