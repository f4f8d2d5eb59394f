import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import en from '../src/messages/en.json'
import zhCN from '../src/messages/zh-CN.json'
import { isSingle } from '../src/host/callers'
import { MOST_TIMES } from '../src/parts/consent/lengths'

const types = readFileSync('src/host/types.gen.ts', 'utf8')

/** The declaration of a type in the generated file. */
function declaration(name: string): string {
  const found = new RegExp(`export type ${name} = ([\\s\\S]*?);\\n\\n`).exec(`${types}\n\n`)
  if (!found?.[1]) throw new Error(`types.gen.ts has no ${name}`)
  return found[1].replace(/\/\*[\s\S]*?\*\//g, '')
}

const words = (name: string): string[] =>
  [...declaration(name).matchAll(/"(\w+)"/g)].map((match) => match[1] as string)
const kinds = (name: string): string[] =>
  [...declaration(name).matchAll(/"kind": "(\w+)"/g)].map((match) => match[1] as string)

const fields = (name: string): string[] =>
  [...declaration(name).matchAll(/(\w+)\??: boolean/g)].map((match) => match[1] as string)

/** Kinds of callers with words of their own, and what is said of every other; sentences are the same for most. */
const callers = ['window', 'terminal', 'browser', 'client', 'agent', 'view', 'server', 'other']
/** Those of which a stranger chooses the name. */
const named = callers.filter((kind) => !isSingle(kind))
const sentences = ['window', 'terminal', 'browser', 'other']

test('both catalogues have the same texts with the same parameters', () => {
  expect(Object.keys(zhCN)).toEqual(Object.keys(en))
  const parameters = (text: string): string[] =>
    [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort()
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    // A plural form for one may leave its number out.
    if (key.endsWith('_one')) continue
    expect([key, ...parameters(zhCN[key])]).toEqual([key, ...parameters(en[key])])
  }
})

test('no text is empty', () => {
  const empty = Object.entries({ ...en, ...zhCN }).filter(([, text]) => text.trim() === '')
  expect(empty).toEqual([])
})

test('no English title begins with an “It” that nothing has named', () => {
  const isTitle = (key: string, text: string): boolean =>
    key.endsWith('.title') || (text.split(/\s+/).length <= 5 && !text.endsWith('.'))
  const unnamed = Object.entries(en).filter(
    ([key, text]) => isTitle(key, text) && text.startsWith('It '),
  )
  expect(unnamed).toEqual([])
})

test('every plural has all its forms', () => {
  const keys = new Set(Object.keys(en))
  const bases = Object.keys(en)
    .filter((key) => /_(one|other)$/.test(key))
    .map((key) => key.replace(/_(one|other)$/, ''))
  for (const base of bases)
    expect(keys.has(`${base}_one`) && keys.has(`${base}_other`), base).toBe(true)
})

test('every error code has a title, a sentence and a next step', () => {
  const codes = words('ErrorCode')
  expect(codes.length).toBeGreaterThan(40)
  for (const code of codes) {
    expect(en, code).toHaveProperty([`error.${code}.title`])
    expect(en, code).toHaveProperty([`error.${code}.text`])
    expect(en, code).toHaveProperty([`error.${code}.next`])
  }
})

test.each([
  ['refusal', kinds('Refusal')],
  ['reason', kinds('Reason')],
  ['warning', kinds('ReviewWarning')],
  ['scope', kinds('Scope')],
  ['caller', callers],
  ['caller_kind', callers],
  ['caller_named', named],
  ['consent.sentence', sentences],
  ['consent.sentence_as', sentences],
  ['terms.allow', sentences],
  ['terms.deny', sentences],
  ['lasting', [...kinds('Scope').filter((kind) => kind !== 'times'), 'times_one', 'times_other']],
  ['limit', kinds('Allowed')],
  ['limit.choice', kinds('Allowed')],
  ['limit.edit', kinds('Allowed')],
  ['limit.wrong', kinds('Allowed')],
  ['covered', kinds('Covered')],
  ['cover', kinds('ArgumentScope')],
  ['not_remembered', kinds('RememberProblem')],
  ['confinement', words('Confinement')],
  ['sandbox.because', words('PathReason')],
  ['sandbox.choice', kinds('NetworkAccess')],
  ['sandbox.covers', kinds('NetworkAccess')],
  ['sandbox.network', kinds('NetworkAccess').filter((kind) => kind !== 'hosts')],
  ['sandbox.tier', [...words('ConfinementTier'), 'missing']],
  ['approvals.origin', kinds('GrantOrigin')],
  ['ask_rule.effect', words('RuleEffect')],
  ['ask_rule.hook', words('EnforcementPoint')],
  ['ask_rule.if', kinds('Condition').filter((kind) => kind !== 'found')],
  ['ask_rule.if.found', words('FoundWhat')],
  ['refused_ask', words('AskRefusal')],
  ['outcome', words('Outcome')],
  ['part', words('ToolPart')],
  ['standing', kinds('ApprovalStatus')],
  ['standing.why', kinds('ApprovalStatus').filter((kind) => kind !== 'approved')],
  ['decision', words('PinDecision')],
  ['decision', words('PinDecision').map((decision) => `${decision}_why`)],
  ['offers.all', words('PinDecision')],
  ['identity', words('IdentityPiece')],
  ['identity.unread', words('UnreadReason')],
  ['offer_kind', words('FeatureKind')],
  ['change_kind', words('ChangeKind')],
  ['likeness', words('Likeness')],
  ['concern', words('Why')],
  ['worst', words('Why')],
  ['act', words('Act')],
  ['origin', kinds('Source')],
  ['finding.kind', words('FindingKind')],
  ['finding.severity', words('Severity')],
  ['runtime', words('Runtime')],
  ['application', words('Application')],
  ['applications.state', kinds('ConnectionState')],
  ['applications.changed', words('ConnectionChange')],
  ['applications.changed', words('ConnectionChange').map((what) => `${what}_text`)],
  ['applications.fate', words('FileFate')],
  ['applications.takes_up', words('TakesUp')],
  ['conversations.ledger.kind', kinds('RequestPartKind')],
  ['assistants.answer', kinds('AnswerType')],
  ['clients.carrier', words('ClientCarrier')],
  ['clients.mode', words('ToolMode')],
  ['clients.mode', words('ToolMode').map((mode) => `${mode}_text`)],
  ['log.anchor', words('AnchorPlace')],
  ['settings.approver', words('ApproverKind')],
  ['level', words('LogLevel')],
  ['era.choice', words('EraChoice')],
  ['era.covers', words('EraChoice')],
  ['era.found', words('Era')],
  ['runs.choice', words('Runs')],
  ['runs.covers', words('Runs')],
  ['server.state', kinds('ServerState')],
  ['sign_in.state', kinds('SignInStatus')],
  ['approve', fields('SignInApprovals')],
  ['approve', fields('SignInApprovals').map((name) => `${name}_why`)],
  ['finding.kind', words('FindingKind')],
  ['finding.severity', words('Severity')],
  ['confidentiality', words('Confidentiality')],
  ['layer', words('Layer')],
  ['layer', words('Layer').map((layer) => `${layer}_text`)],
  ['hook', words('EnforcementPoint')],
  ['policy.effect', words('RuleEffect')],
  ['policy.effect', words('RuleEffect').map((effect) => `${effect}_text`)],
  [
    'policy.says',
    [...words('RuleEffect'), ...words('EnforcementPoint').filter((hook) => hook !== 'call')],
  ],
  [
    'policy.written',
    [...words('RuleEffect'), ...words('EnforcementPoint').filter((hook) => hook !== 'call')],
  ],
  ['policy.caller', callers],
  ['policy.caller_one', callers],
  ['condition', kinds('Condition').filter((kind) => kind !== 'found')],
  ['condition.found', words('FoundWhat')],
  ['found', words('FoundWhat')],
  ['suppose', kinds('DryRunVerdict')],
  ['log.check', kinds('AnchorCheck')],
  ['sampling.limit', ['requests', 'tokens', 'per_reply']],
  ['doctor.what', words('DoctorWhat')],
  ['doctor.problem', words('DoctorProblem')],
  ['doctor.remedy', words('DoctorProblem')],
])('every %s of the host has words', (family, names) => {
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(en, name).toHaveProperty([`${family}.${name}`])
})

test('every kind of record in the log has words', () => {
  const record = readFileSync('../src-tauri/store/src/audit/record.rs', 'utf8')
  const names = [...record.matchAll(/Self::\w+(?: \{ \.\. \})? => "(\w+)",/g)].map(
    (match) => match[1] as string,
  )
  expect(names.length).toBeGreaterThan(10)
  for (const name of [...names, 'call']) expect(en, name).toHaveProperty([`what.${name}`])
})

test('a number of calls is bound here as it is in the host', () => {
  const remember = readFileSync('../src-tauri/policy/src/remember.rs', 'utf8')
  expect(/MOST_TIMES: u32 = ([\d_]+);/.exec(remember)?.[1]).toBe(
    MOST_TIMES.toLocaleString('en').replace(',', '_'),
  )
})

test('no component holds a text of its own', () => {
  const literal: string[] = []
  for (const file of components('src')) {
    const markup = readFileSync(file, 'utf8').replace(
      /<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g,
      '',
    )
    for (const text of textsOf(markup)) literal.push(`${file}: ${text}`)
  }
  expect(literal).toEqual([])
})

function components(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.svelte'))
    .map((name) => join(folder, name))
}

/** Words between tags, and in attributes that are read aloud, outside of expressions. */
function textsOf(markup: string): string[] {
  const bare = withoutExpressions(markup)
  const spoken = [
    ...bare.matchAll(/\s(?:title|label|alt|placeholder|aria-label)="([^"]*\p{L}{2}[^"]*)"/gu),
  ].map((match) => match[1] as string)
  const between = [...bare.matchAll(/>([^<>]*)</g)]
    .map((match) => (match[1] as string).trim())
    .filter((text) => /\p{L}{2}/u.test(text))
  return [...spoken, ...between]
}

function withoutExpressions(markup: string): string {
  let depth = 0
  let rest = ''
  for (const character of markup) {
    if (character === '{') depth += 1
    if (depth === 0) rest += character
    if (character === '}') depth -= 1
  }
  return rest
}
