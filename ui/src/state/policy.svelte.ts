/**
 * The rules, as the host last told of them, and changes of rules that wait for an answer or have come to an end.
 *
 * Always true here: a change goes on when the person looks elsewhere, and what came of it is there when they come back.
 */
import { asHostError } from '../host/error'
import type { HostError, HostEvent, PolicyView, Rule, RuleDraft, RuleId } from '../host/types.gen'
import type { Ask } from './ask'

/** A rule that is being made or taken back. */
export interface RuleChange {
  number: number
  /** What is made, or taken back. */
  rule: Pick<Rule, 'effect' | 'hooks' | 'layer' | 'draft' | 'id'>
  removing: boolean
  /** `asking`: it is a question first, and that question waits. */
  state: 'asking' | 'writing' | 'done' | 'failed'
  error: HostError | null
}

/** Whether more can happen afterwards; then the host asks the person first. */
export function letsMoreHappen(effect: Rule['effect'], removing: boolean): boolean {
  return removing ? effect !== 'allow' : effect === 'allow'
}

export class Policy {
  readonly #ask: Ask
  /** All rules; absent until they were shown once. */
  view = $state.raw<PolicyView | null>(null)
  /** Why they could not be shown. */
  error = $state.raw<HostError | null>(null)
  /** Counted up whenever the rules may have changed. */
  changed = $state(0)
  /** Changes by this page, newest first. */
  changes = $state.raw<RuleChange[]>([])

  #asked = 0
  #numbers = 0

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The rule of this number. */
  rule(id: RuleId): Rule | undefined {
    return this.#byId.get(id)
  }

  readonly #byId = $derived(
    new Map(
      (this.view?.layers ?? []).flatMap((layer) =>
        layer.rules.map((rule) => [rule.id, rule] as const),
      ),
    ),
  )

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'policy_changed') this.changed += 1
  }

  /** Asks for the rules. */
  async load(): Promise<void> {
    const turn = ++this.#asked
    try {
      const view = await this.#ask('show_policy')
      // An older answer that comes late says less than the newer one.
      if (turn === this.#asked) [this.view, this.error] = [view, null]
    } catch (thrown) {
      if (turn === this.#asked) this.error = asHostError(thrown)
    }
  }

  /** Makes a rule. Answers with whether there is one now; the particulars are in `changes`. */
  make(draft: RuleDraft): Promise<boolean> {
    const rule: RuleChange['rule'] = {
      id: '',
      effect: draft.effect,
      hooks: [draft.hook],
      layer: 'person',
      draft,
    }
    return this.#change(rule, false, () => this.#ask('add_rule', { draft }))
  }

  /** Takes a rule back. */
  remove(rule: Rule): Promise<boolean> {
    return this.#change(rule, true, () => this.#ask('remove_rule', { rule: rule.id }))
  }

  /** What came of a change was read. */
  dismiss(change: RuleChange): void {
    this.changes = this.changes.filter((other) => other.number !== change.number)
  }

  async #change(
    rule: RuleChange['rule'],
    removing: boolean,
    perform: () => Promise<PolicyView>,
  ): Promise<boolean> {
    const begun: RuleChange = {
      number: ++this.#numbers,
      rule,
      removing,
      state: letsMoreHappen(rule.effect, removing) ? 'asking' : 'writing',
      error: null,
    }
    this.changes = [begun, ...this.changes]
    try {
      const view = await perform()
      this.#asked += 1
      this.view = view
      this.#end(begun, { state: 'done' })
      return true
    } catch (thrown) {
      this.#end(begun, { state: 'failed', error: asHostError(thrown) })
      return false
    }
  }

  #end(begun: RuleChange, change: Partial<RuleChange>): void {
    this.changes = this.changes.map((other) =>
      other.number === begun.number ? { ...begun, ...change } : other,
    )
  }
}
