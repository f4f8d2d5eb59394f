/** How an answer is to be remembered, while a person chooses. */
import type { ArgumentOptions, Remember, AffectedResources } from '../../host/types.gen'
import { beginning, limitsOf, type Choice } from './limits'
import { lastingOf, type Length } from './lengths'
import { usualLength } from '../terms/usualLength'

export type CoverKind = 'within' | 'exactly' | 'any'

export class Remembering {
  length = $state<Length>(usualLength())
  times = $state('10')
  date = $state('')
  cover = $state<CoverKind>('exactly')
  choices = $state<Choice[]>([])
  /** Times count from here, so that a choice does not change while it is looked at. */
  readonly #now = Date.now()
  readonly #touches: AffectedResources

  constructor(
    options: readonly ArgumentOptions[],
    args: Record<string, unknown>,
    touches: AffectedResources,
  ) {
    this.#touches = touches
    this.choices = beginning(options, args, touches)
    this.cover = this.canLimit ? 'within' : 'exactly'
  }

  /** Whether there is anything to choose between "exactly these" and "any". */
  get canLimit(): boolean {
    return this.choices.some(({ options }) => options.length > 0)
  }

  /** Begins the limits anew, for arguments that were changed. */
  rebase(options: readonly ArgumentOptions[], args: Record<string, unknown>): void {
    this.choices = beginning(options, args, this.#touches)
    if (!this.canLimit && this.cover === 'within') this.cover = 'exactly'
  }

  /** Whether it ends by itself. */
  get ends(): boolean {
    return this.length !== 'workspace' && this.length !== 'always'
  }

  /** What to remember; nothing while what was typed means nothing. */
  get value(): Remember | null {
    const lasting = lastingOf(this.length, this, this.#now)
    if (lasting === null) return null
    if (this.cover !== 'within') return { lasting, cover: { kind: this.cover } }
    const limits = limitsOf(this.choices)
    return limits === null ? null : { lasting, cover: { kind: 'within', limits } }
  }
}
