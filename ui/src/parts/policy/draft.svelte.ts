/** A rule while it is clicked together, and what it would look like. */
import { SvelteSet } from 'svelte/reactivity'
import { asHostError } from '../../state/errors'
import { filterOf } from '../../messages/callers'
import type { Ask } from '../../state/ask'
import type {
  Condition,
  FoundWhat,
  EnforcementPoint,
  HostError,
  Rule,
  RuleDraft,
  RuleEffect,
} from '../../host/types.gen'

/** How long typing has to rest before the host is asked. */
const PAUSE_MS = 200

/** Conditions that are only ticked. */
export const TICKED = ['from_strangers', 'consequential', 'secret', 'remote', 'unconfined'] as const
export type Ticked = (typeof TICKED)[number]
export const FOUND: readonly FoundWhat[] = ['instructions', 'credentials', 'personal_numbers']
export const HOOKS: readonly EnforcementPoint[] = ['call', 'discover', 'return', 'egress']
export const EFFECTS: readonly RuleEffect[] = ['forbid', 'ask', 'allow']

/** Whether it is known at a point if a condition of this kind holds. */
export function isKnown(kind: Condition['kind'], hook: EnforcementPoint): boolean {
  switch (kind) {
    case 'from_strangers':
      return hook === 'call' || hook === 'egress'
    case 'to_hosts':
    case 'in_folder':
      return hook !== 'discover'
    case 'found':
      return hook === 'return'
    default:
      return true
  }
}

/** What a rule still needs before it can be made. */
export type Missing = 'effect' | 'subject' | 'hosts' | 'folder'

/** Rules that are often wanted; each leaves out what only the person knows. */
export const TEMPLATES = ['folder', 'ask', 'hosts'] as const
export type Template = (typeof TEMPLATES)[number]

export class DraftState {
  /** Nothing at first: a rule that forbids everything is two clicks away otherwise. */
  effect = $state<RuleEffect | null>(null)
  hook = $state<EnforcementPoint>('call')
  caller = $state('')
  server = $state('')
  tool = $state('')
  readonly ticked = new SvelteSet<Ticked>()
  byHosts = $state(false)
  hosts = $state('')
  byFolder = $state(false)
  folder = $state('')
  found = $state<FoundWhat | ''>('')
  reason = $state('')

  /** The rule as it would be written; absent while it cannot be. */
  preview = $state.raw<Rule | null>(null)
  /** The last one that was known, of whichever draft; kept so that nothing flickers. */
  last = $state.raw<Rule | null>(null)
  /** Why it cannot be written. */
  error = $state.raw<HostError | null>(null)

  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Where the rule stands. Only what forbids can stand anywhere else than before a call. */
  readonly at = $derived<EnforcementPoint>(this.effect === 'forbid' ? this.hook : 'call')

  /** What was clicked together; absent while it is not known what shall happen. */
  readonly draft = $derived.by((): RuleDraft | null => {
    if (this.effect === null) return null
    return {
      effect: this.effect,
      hook: this.at,
      caller: filterOf(this.caller),
      server: this.server === '' ? null : this.server,
      tool: this.server === '' || this.tool === '' ? null : this.tool,
      when: this.#conditions(this.at),
      reason: this.reason.trim() === '' ? null : this.reason.trim(),
    }
  })

  /** What is missing, in the order of the form. */
  readonly missing = $derived.by((): Missing[] => {
    const { draft } = this
    const when = draft?.when ?? this.#conditions(this.at)
    const missing: Missing[] = draft === null ? ['effect'] : []
    if (this.server === '' && this.caller === '' && when.length === 0) missing.push('subject')
    for (const condition of when) {
      if (condition.kind === 'to_hosts' && condition.hosts.length === 0) missing.push('hosts')
      if (condition.kind === 'in_folder' && condition.folder === '') missing.push('folder')
    }
    return missing
  })

  /** Begins anew with a rule that is often wanted. */
  begin(template: Template): void {
    this.effect = template === 'ask' ? 'ask' : 'forbid'
    this.hook = template === 'hosts' ? 'egress' : 'call'
    this.byFolder = template === 'folder'
    this.byHosts = template === 'hosts'
    this.found = ''
    this.ticked.clear()
  }

  /** Ticks a condition, or not. */
  tick(condition: Ticked, on: boolean): void {
    if (on) this.ticked.add(condition)
    else this.ticked.delete(condition)
  }

  /** Asks what the draft would look like, once typing rests; until that is known, nothing is said of it. */
  show(draft: RuleDraft | null, missing: Missing[]): void {
    clearTimeout(this.#timer)
    this.preview = this.error = null
    const turn = ++this.#turn
    if (draft === null || missing.length > 0) {
      this.last = null
      return
    }
    this.#timer = setTimeout(() => void this.#load(draft, turn), PAUSE_MS)
  }

  /** Ends what is still to come. */
  leave(): void {
    clearTimeout(this.#timer)
    this.#turn += 1
  }

  #conditions(hook: EnforcementPoint): Condition[] {
    const hosts = this.hosts.split(/[\s,;，；、]+/).filter(Boolean)
    const all: Condition[] = [
      ...TICKED.filter((kind) => this.ticked.has(kind)).map((kind) => ({ kind })),
      ...(this.byHosts ? [{ kind: 'to_hosts' as const, hosts }] : []),
      ...(this.byFolder ? [{ kind: 'in_folder' as const, folder: this.folder.trim() }] : []),
      ...(this.found === '' ? [] : [{ kind: 'found' as const, what: this.found }]),
    ]
    return all.filter(({ kind }) => isKnown(kind, hook))
  }

  async #load(draft: RuleDraft, turn: number): Promise<void> {
    try {
      const preview = await this.#ask('preview_rule', { draft })
      if (turn === this.#turn) [this.preview, this.last, this.error] = [preview, preview, null]
    } catch (thrown) {
      if (turn === this.#turn) [this.preview, this.error] = [null, asHostError(thrown)]
    }
  }
}
