/**
 * Asks what the usual ways to remember a yes would do, while the list of them is open.
 *
 * Always true here: what the host has not put in words, or would not remember, is not offered; what is offered is said of the
 * call as it stands now.
 */
import type { Decision, DecisionPreview, Grant, Remember } from '../../host/types.gen'
import type { QuickScope } from './quickScopes'

/** A yes that is remembered, and what the host says of it. */
export interface QuickAnswer {
  scope: QuickScope
  answer: Decision
  /** What would be remembered. */
  grant: Grant
  /** So many other questions it answers, too. */
  settles: number
}

interface Sources {
  scopes: () => readonly QuickScope[]
  /** The yes to what would be sent now. */
  yes: (remember: Remember) => Decision
  preview: (answer: Decision) => Promise<DecisionPreview>
  /** What else is said of an answer depends on. */
  beside: () => readonly string[]
}

/** Make it while a component is made. */
export class QuickAnswers {
  open = $state(false)
  #known = $state.raw<{ of: string; answers: QuickAnswer[] } | null>(null)
  readonly #key: () => string

  constructor(sources: Sources) {
    const wanted = $derived(
      sources.scopes().map((scope) => ({ scope, answer: sources.yes(scope.remember) })),
    )
    const key = $derived(JSON.stringify([wanted, sources.beside()]))
    this.#key = () => key
    $effect(() => {
      if (this.open) void this.#load(key, wanted, sources.preview)
    })
  }

  /** Those that can be given; nothing while that is not known. */
  get now(): QuickAnswer[] | null {
    return this.#known?.of === this.#key() ? this.#known.answers : null
  }

  async #load(
    of: string,
    wanted: readonly Pick<QuickAnswer, 'scope' | 'answer'>[],
    preview: Sources['preview'],
  ): Promise<void> {
    const said = await Promise.all(
      // What is not said is not offered.
      wanted.map(async (one) => ({ ...one, said: await preview(one.answer).catch(() => null) })),
    )
    if (of !== this.#key()) return
    const answers = said.flatMap(({ scope, answer, said }) =>
      said?.grant && said.not_remembered === null && said.problems.length === 0
        ? [{ scope, answer, grant: said.grant, settles: said.settles.length }]
        : [],
    )
    this.#known = { of, answers }
  }
}
