/** Sample rules: those of Majordomo itself, of an administrator and of the person. */
import type { LayerView, PolicyView, Rule, RuleDraft, RuleId } from '../types.gen'

const MADE = Date.UTC(2026, 10, 20, 16, 5)
const FILE = '/etc/majordomo/policy.cedar'

/** A rule that says nothing yet. */
export const ANY: RuleDraft = {
  effect: 'forbid',
  hook: 'call',
  caller: null,
  server: null,
  tool: null,
  when: [],
  reason: null,
}

/** A rule of the person, made of a draft; the text is no more than a sample. */
export function ruleOf(
  id: RuleId,
  draft: RuleDraft,
  text = 'forbid (principal, action == Action::"call", resource);',
): Rule {
  const { effect, hook, reason } = draft
  return { id, layer: 'person', effect, hooks: [hook], text, reason, draft, made_at: MADE }
}

/** No rule of anybody, and no file of an administrator. */
export function noRules(): PolicyView {
  return {
    layers: [
      builtIn(),
      { layer: 'administrator', file: FILE, present: false, broken: null, rules: [] },
      mine([]),
    ],
  }
}

/** Rules of everybody. */
export function someRules(): PolicyView {
  return {
    layers: [
      builtIn(),
      administrator(),
      mine(
        DRAFTS.map(([draft, text], at) =>
          ruleOf(`rule-${String(at + 1).padStart(16, '0')}`, draft, text),
        ),
      ),
    ],
  }
}

/** A file of an administrator that cannot be read. */
export function brokenRules(): PolicyView {
  const problem = {
    place: FILE,
    line: 7,
    column: 12,
    problem: 'unexpected token `principle`, expected `principal`',
  }
  return {
    layers: [
      builtIn(),
      { ...administrator(), broken: problem, rules: [] },
      mine(someRules().layers[2]?.rules ?? []),
    ],
  }
}

/** So many rules of the person. */
export function manyRules(count: number): PolicyView {
  const rules = Array.from({ length: count }, (_, at) => {
    const draft: RuleDraft = {
      ...ANY,
      effect: at % 3 === 0 ? 'ask' : 'forbid',
      server: 'files',
      tool: `tool_${at}`,
      when: at % 2 === 0 ? [{ kind: 'from_strangers' }] : [],
    }
    return ruleOf(`rule-${String(at + 1).padStart(16, '0')}`, draft)
  })
  return { layers: [builtIn(), administrator(), mine(rules)] }
}

const DRAFTS: [RuleDraft, string][] = [
  [
    {
      ...ANY,
      server: 'files',
      tool: 'write_file',
      when: [
        { kind: 'from_strangers' },
        { kind: 'in_folder', folder: '/home/ada/Documents/contracts' },
      ],
      reason: 'Contracts are written by people.',
    },
    '@id("rule-0000000000000001")\n@reason("Contracts are written by people.")\nforbid (\n  principal,\n  action == Action::"call",\n  resource == Tool::"files/write_file"\n)\nwhen { context.from_strangers && context.paths_under.contains("/home/ada/Documents/contracts") };',
  ],
  [
    { ...ANY, effect: 'ask', server: 'mail', when: [{ kind: 'consequential' }] },
    '@id("rule-0000000000000002")\n@effect("ask")\nforbid (\n  principal,\n  action == Action::"call",\n  resource in Server::"mail"\n)\nwhen { context.consequential };',
  ],
  [
    { ...ANY, effect: 'allow', caller: { kind: 'window', id: null }, server: 'currency' },
    '@id("rule-0000000000000003")\npermit (\n  principal == Caller::"window",\n  action == Action::"call",\n  resource in Server::"currency"\n);',
  ],
  [
    { ...ANY, hook: 'discover', caller: { kind: 'terminal', id: null }, server: 'shipping' },
    '@id("rule-0000000000000004")\nforbid (\n  principal == Caller::"terminal",\n  action == Action::"discover",\n  resource in Server::"shipping"\n);',
  ],
  [
    { ...ANY, hook: 'return', when: [{ kind: 'found', what: 'credentials' }] },
    '@id("rule-0000000000000005")\nforbid (\n  principal,\n  action == Action::"return",\n  resource\n)\nwhen { context.found.contains("credentials") };',
  ],
  [
    {
      ...ANY,
      hook: 'egress',
      server: 'files',
      when: [{ kind: 'to_hosts', hosts: ['pastebin.example', 'paste.example.net'] }],
    },
    '@id("rule-0000000000000006")\nforbid (\n  principal,\n  action == Action::"egress",\n  resource in Server::"files"\n)\nwhen { context.hosts.containsAny(["pastebin.example","paste.example.net"]) };',
  ],
]

const mine = (rules: Rule[]): LayerView => ({
  layer: 'person',
  file: null,
  present: true,
  broken: null,
  rules,
})

function builtIn(): LayerView {
  const text =
    '@id("built-in-asked")\npermit (\n    principal,\n    action in [Action::"discover", Action::"call", Action::"return", Action::"egress"],\n    resource\n);'
  return {
    layer: 'built_in',
    file: null,
    present: true,
    broken: null,
    rules: [
      {
        id: 'built-in-asked',
        layer: 'built_in',
        effect: 'allow',
        hooks: ['discover', 'call', 'return', 'egress'],
        text,
        reason: null,
        draft: null,
        made_at: null,
      },
    ],
  }
}

function administrator(): LayerView {
  const text =
    '@id("no-shell")\n@reason("Shells are for the administrators.")\nforbid (\n  principal,\n  action == Action::"call",\n  resource\n)\nwhen { resource.name like "*shell*" };'
  const rule: Rule = {
    id: 'no-shell',
    layer: 'administrator',
    effect: 'forbid',
    hooks: ['call'],
    text,
    reason: 'Shells are for the administrators.',
    draft: null,
    made_at: null,
  }
  return { layer: 'administrator', file: FILE, present: true, broken: null, rules: [rule] }
}
