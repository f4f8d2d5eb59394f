/** Pretended rules: kept, shown, and asked about calls that are only thought of. What lets more happen is a question first. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { Condition, Hook, HookVerdict, HostError, LayerView, PolicyView, Rule, RuleDraft, RuleId, Supposed, Supposition, SupposedVerdict, ToolView } from '../types.gen'
import { covers } from './covers'

type PolicyMethod = 'show_policy' | 'preview_rule' | 'add_rule' | 'remove_rule' | 'test_policy'

const HOOKS: readonly Hook[] = ['discover', 'call', 'return', 'egress']

/** A rule of the person. */
export function ruleOf(id: RuleId, draft: RuleDraft, made_at: number): Rule {
  return { id, layer: 'person', effect: draft.effect, hooks: [draft.hook], text: textOf(id, draft), reason: draft.reason, draft, made_at }
}

/** The text of a rule, much as the real host writes it. */
function textOf(id: RuleId, draft: RuleDraft): string {
  const principal = draft.caller === null ? 'principal' : `principal == Caller::"${draft.caller.kind}"`
  const tool = draft.tool === null ? `resource in Server::"${draft.server}"` : `resource == Tool::"${draft.server}/${draft.tool}"`
  const resource = draft.server === null ? 'resource' : tool
  const when = draft.when.length === 0 ? '' : `\nwhen { ${draft.when.map(conditionText).join(' && ')} }`
  const marks = [`@id("${id}")`, ...(draft.effect === 'ask' ? ['@effect("ask")'] : []), ...(draft.reason === null ? [] : [`@reason(${JSON.stringify(draft.reason)})`])]
  return `${marks.join('\n')}\n${draft.effect === 'allow' ? 'permit' : 'forbid'} (\n  ${principal},\n  action == Action::"${draft.hook}",\n  ${resource}\n)${when};`
}

function conditionText(condition: Condition): string {
  if (condition.kind === 'to_hosts') return `context.hosts.containsAny(${JSON.stringify(condition.hosts)})`
  if (condition.kind === 'in_folder') return `context.paths_under.contains(${JSON.stringify(condition.folder)})`
  return condition.kind === 'found' ? `context.found.contains("${condition.what}")` : `context.${condition.kind}`
}

function applies(draft: RuleDraft, hook: Hook, call: Supposed, tool: ToolView | undefined): boolean {
  if (draft.hook !== hook || (draft.caller !== null && draft.caller.kind !== call.caller.kind)) return false
  if ((draft.server !== null && draft.server !== call.server) || (draft.tool !== null && draft.tool !== call.tool)) return false
  const said = JSON.stringify(call.arguments)
  return draft.when.every((condition) => {
    if (condition.kind === 'from_strangers') return call.from_strangers
    if (condition.kind === 'consequential' || condition.kind === 'secret') return tool?.mark[condition.kind] ?? false
    if (condition.kind === 'to_hosts') return condition.hosts.some((host) => said.includes(host))
    return condition.kind === 'in_folder' && said.includes(condition.folder)
  })
}

/** Answers all requests about rules. */
export function policyHandlers(host: FakeHost): { [M in PolicyMethod]: (params: Params<M>) => Answers[M] | Promise<Answers[M]> } {
  const view = (): PolicyView => host.world.policy
  const mine = (): LayerView => view().layers.find((layer) => layer.layer === 'person') as LayerView
  const all = (): Rule[] => view().layers.flatMap((layer) => layer.rules)
  const written = (rules: Rule[]): PolicyView => {
    mine().rules = rules
    host.tell({ kind: 'policy_changed' })
    return view()
  }
  const preview = (draft: RuleDraft): Rule => {
    const wrong = whatIsWrong(draft)
    if (wrong !== null) throw hostError('bad_rule', wrong)
    return ruleOf(`rule-${String(all().length + 1).padStart(16, '0')}`, draft, Date.now())
  }
  const needYes = async (rule: Rule, removing: boolean): Promise<void> => {
    const answer = await host.askAside({ server: null, subject: { kind: 'rule', rule, removing } })
    if (answer.kind === 'deny' || answer.kind === 'decline') {
      const refused: HostError = { ...hostError('refused', 'The rule was not changed.'), refusal: { kind: 'denied_by_person', reason: null } }
      throw refused
    }
  }
  return {
    show_policy: view,
    preview_rule: ({ draft }) => preview(draft),
    add_rule: async ({ draft }) => {
      const rule = preview(draft)
      if (draft.effect === 'allow') await needYes(rule, false)
      return written([...mine().rules, rule])
    },
    remove_rule: async ({ rule: id }) => {
      const rule = mine().rules.find((other) => other.id === id)
      if (!rule) throw hostError('unknown_rule', `There is no rule ${id} of yours.`)
      if (rule.effect !== 'allow') await needYes(rule, true)
      return written(mine().rules.filter((other) => other.id !== id))
    },
    test_policy: ({ call }) => supposition(host, call, all()),
  }
}

function whatIsWrong(draft: RuleDraft): string | null {
  if (draft.effect !== 'forbid' && draft.hook !== 'call') return 'Only a rule that forbids can stand at this hook.'
  if (draft.tool !== null && draft.server === null) return 'A tool needs a server.'
  if (draft.effect === 'allow' && draft.server === null && draft.when.length === 0) return 'A rule that allows must say for which server, or under which condition.'
  const empty = draft.when.some((condition) => (condition.kind === 'to_hosts' && condition.hosts.length === 0) || (condition.kind === 'in_folder' && !condition.folder.startsWith('/')))
  return empty ? 'A condition says nothing yet: it needs a host, or an absolute path.' : null
}

function supposition(host: FakeHost, call: Supposed, rules: Rule[]): Supposition {
  const tool = host.world.tools.find((other) => other.server === call.server && other.spec.name === call.tool)
  const hooks = HOOKS.map((hook): HookVerdict => {
    const ids = (effect: Rule['effect']): RuleId[] => rules.filter((rule) => rule.effect === effect && rule.draft !== null && applies(rule.draft, hook, call, tool)).map((rule) => rule.id)
    return { hook, forbid: ids('forbid'), ask: ids('ask'), allow: ids('allow') }
  })
  const grant = host.world.grants.find((other) => tool && covers(other, tool, call.arguments)) ?? null
  return { verdict: verdictOf(host, call, hooks, rules, grant !== null), hooks, grant }
}

function verdictOf(host: FakeHost, call: Supposed, hooks: HookVerdict[], rules: Rule[], granted: boolean): SupposedVerdict {
  const problem = host.world.policy.layers.find((layer) => layer.broken !== null)?.broken
  if (problem) return { kind: 'deny', refusal: { kind: 'rules_broken', problem } }
  const before = hooks.filter(({ hook }) => hook === 'discover' || hook === 'call' || hook === 'egress')
  const forbidding = before.flatMap((hook) => hook.forbid)
  const first = rules.find((rule) => rule.id === forbidding[0])
  if (first) return { kind: 'deny', refusal: { kind: 'forbidden', rules: forbidding, by: first.layer, reason: first.reason } }
  const asking = before.flatMap((hook) => hook.ask)
  if (asking.length > 0) return { kind: 'ask', reason: { kind: 'rule_asks', rules: asking } }
  if (call.from_strangers) return { kind: 'ask', reason: { kind: 'from_strangers' } }
  if (granted || before.some((hook) => hook.allow.length > 0)) return { kind: 'allow' }
  return { kind: 'ask', reason: { kind: 'not_allowed_yet' } }
}
