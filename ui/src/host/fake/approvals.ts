/** What a pretended host says about an answer before it is given, and what it remembers of one. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Method, Params } from '../host'
import type { Allowed, Answer, AnswerPreview, ArgumentOptions, Grant, Lasting, Question, Remember, RememberProblem, Scope, Subject, Touches } from '../types.gen'
import { coveredOf, coversArguments } from './covers'
import { fakeFingerprint } from './launch'

type Call = Extract<Subject, { kind: 'call' }>
type Handlers = { [M in 'preview_answer' | 'answer_questions' | 'list_tightenings' | 'tighten']: (params: Params<M & Method>) => Answers[M & Method] | Promise<Answers[M & Method]> }

/** For so many calls an answer is remembered at most. */
const MOST_TIMES = 1_000

/** A call that touches nothing but the server itself. */
export const NOTHING: Touches = { files: [], hosts: [], account: null, confinement: 'none' }

/** What the arguments of a call touch. */
export function touchesOf(args: Record<string, unknown>, roots: readonly string[], more: Partial<Touches> = {}): Touches {
  const texts = Object.values(args).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value])).filter((value) => typeof value === 'string')
  const files = texts.filter((text) => text.startsWith('/')).map((text) => ({ of: text, path: text, granted: roots.some((root) => text === root || text.startsWith(`${root}/`)) }))
  const hosts = texts.map((text) => /^https?:\/\/([^/]+)/.exec(text)?.[1]).filter((host) => host !== undefined)
  return { ...NOTHING, files, hosts, ...more }
}

/** What may be chosen for each argument, narrowest first. */
export function optionsFor(args: Record<string, unknown>, touches: Touches): ArgumentOptions[] {
  return Object.entries(args).map(([argument, value]) => ({ argument, allowed: allowedFor(value, touches) }))
}

function allowedFor(value: unknown, touches: Touches): Allowed[] {
  if (typeof value === 'number') return [{ kind: 'at_most', number: value }]
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter((text) => typeof text === 'string')
  const first = texts[0]
  if (first === undefined) return []
  const oneOf: Allowed = { kind: 'one_of', values: texts }
  const host = /^https?:\/\/([^/]+)/.exec(first)?.[1]
  if (host !== undefined) return [{ kind: 'hosts', hosts: [host] }, oneOf]
  const file = touches.files.find(({ of }) => of === first)
  return [...(file ? foldersOf(file.path).map((folder): Allowed => ({ kind: 'under', folder })) : []), oneOf]
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.map((_, at) => `/${parts.slice(0, parts.length - at).join('/')}`)
}

/** A question about a call as the host asks it. */
export function callSubject(call: Omit<Call, 'kind' | 'touches' | 'last_time' | 'options' | 'consequential' | 'left_over' | 'findings' | 'concerns'> & Partial<Call>): Call {
  const touches = call.touches ?? touchesOf(call.arguments, ['/home/ada/Documents'])
  return { findings: [], concerns: [], last_time: null, consequential: false, left_over: false, options: optionsFor(call.arguments, touches), ...call, touches, kind: 'call' }
}

const SCOPES: { [K in Lasting['kind']]: (lasting: Extract<Lasting, { kind: K }>) => Scope } = {
  times: ({ times }) => ({ kind: 'times', times }),
  until: ({ at }) => ({ kind: 'until', at }),
  conversation: () => ({ kind: 'conversation', conversation: 'window' }),
  workspace: () => ({ kind: 'workspace' }),
  always: () => ({ kind: 'always' }),
}

/** The grant that comes of an answer; nothing if nothing is to be remembered. */
export function grantOf(question: Question, answer: Answer, number: number): Grant | null {
  const { subject, server } = question
  if (subject.kind !== 'call' || server === null || (answer.kind !== 'allow' && answer.kind !== 'deny') || answer.remember === null) return null
  const { lasting, cover } = answer.remember
  const args = (answer.kind === 'allow' ? answer.arguments : null) ?? subject.arguments
  return {
    id: `grant-${String(number).padStart(16, '0')}`,
    effect: answer.kind === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: answer.reason },
    caller: subject.caller,
    server,
    launch_fingerprint: fakeFingerprint(server),
    tool: subject.tool,
    tool_fingerprint: fakeFingerprint(subject.tool),
    arguments: coveredOf(cover, args),
    scope: (SCOPES[lasting.kind] as (lasting: Lasting) => Scope)(lasting),
    workspace: lasting.kind === 'always' ? null : 'workspace-0000000000000001',
    origin: { kind: 'question', question: question.id },
    made_at: Date.now(),
    used: 1,
    last_used_at: Date.now(),
    revoked_at: null,
  }
}

/** What an answer would do. */
export function previewOf(host: FakeHost, question: Question, answer: Answer): AnswerPreview {
  const { subject } = question
  const none: AnswerPreview = { problems: [], not_remembered: null, options: [], grant: null, settles: [], past: [], past_covered: 0, past_all: 0 }
  if (subject.kind !== 'call') return none
  const args = (answer.kind === 'allow' ? answer.arguments : null) ?? subject.arguments
  const options = optionsFor(args, touchesOf(args, ['/home/ada/Documents'], { confinement: subject.touches.confinement }))
  const problems = problemsOf(subject.tool.input_schema, args)
  const tool = host.world.tools.find((other) => other.server === question.server && other.spec.name === subject.tool.name)
  const mustEnd = answer.kind === 'allow' && (subject.consequential || subject.concerns.length > 0 || tool?.mark.consequential === true)
  const remember = answer.kind === 'allow' || answer.kind === 'deny' ? answer.remember : null
  const not_remembered = remember === null ? null : notRemembered(remember, mustEnd)
  const grant = problems.length > 0 || not_remembered !== null ? null : grantOf(question, answer, 0)
  const past = host.world.activity.filter(({ row }) => row.what === 'call' && row.server === question.server && row.tool === subject.tool.name)
  if (grant === null) return { ...none, options, problems, not_remembered }
  const covered = past.filter((detail) => coversArguments(grant.arguments, detail.arguments ?? {}))
  return {
    problems,
    not_remembered,
    options,
    grant,
    settles: host.world.questions.filter((other) => other.id !== question.id && isSettled(other, question, grant)).map(({ id }) => id),
    past: covered.slice(0, 10).map(({ call, row, arguments: sent }) => ({ call: call ?? '', at: row.at, arguments: sent ?? {} })),
    past_covered: covered.length,
    past_all: past.length,
  }
}

/** What the host checks before it remembers. */
function notRemembered({ lasting, cover }: Remember, mustEnd: boolean): RememberProblem | null {
  if (lasting.kind === 'times' && !(lasting.times >= 1 && lasting.times <= MOST_TIMES)) return { kind: 'times', most: MOST_TIMES }
  if (lasting.kind === 'until' && lasting.at <= Date.now()) return { kind: 'over' }
  const limits = cover.kind === 'within' ? cover.limits : []
  for (const { argument, allowed } of limits) {
    // Where a folder that is left again really lies depends on links.
    if (allowed?.kind === 'under' && (!allowed.folder.startsWith('/') || allowed.folder.split('/').includes('..'))) return { kind: 'folder', folder: allowed.folder }
    if ((allowed?.kind === 'one_of' && allowed.values.length === 0) || (allowed?.kind === 'hosts' && allowed.hosts.length === 0)) return { kind: 'nothing', argument }
  }
  const boundless = cover.kind === 'any' || (limits.length > 0 && limits.every(({ allowed }) => allowed?.kind === 'anything'))
  return mustEnd && boundless && ['workspace', 'always'].includes(lasting.kind) ? { kind: 'endless' } : null
}

function isSettled(other: Question, question: Question, grant: Grant): boolean {
  const [here, there] = [question.subject, other.subject]
  if (there.kind !== 'call' || here.kind !== 'call' || other.server !== question.server) return false
  return there.caller.kind === here.caller.kind && JSON.stringify(there.tool) === JSON.stringify(here.tool) && coversArguments(grant.arguments, there.arguments)
}

/** Enough of the schema's check to see one at work: what is needed, and plain types. */
function problemsOf(schema: Record<string, unknown>, args: Record<string, unknown>): string[] {
  const properties = (schema['properties'] ?? {}) as Record<string, { type?: string; maximum?: number }>
  const missing = ((schema['required'] ?? []) as string[]).filter((name) => !(name in args)).map((name) => `"${name}" is a required property`)
  const wrong = Object.entries(properties).flatMap(([name, { type, maximum }]) => {
    const value = args[name]
    if (type === 'string' && value !== undefined && typeof value !== 'string') return [`/${name}: ${JSON.stringify(value)} is not of type "string"`]
    return maximum !== undefined && typeof value === 'number' && value > maximum ? [`/${name}: ${value} is greater than the maximum of ${maximum}`] : []
  })
  return [...missing, ...wrong]
}

/** What the pretended host does with requests about answers and approvals. */
export function approvalHandlers(host: FakeHost): Handlers {
  const questionOf = (id: string): Question => {
    const question = host.world.questions.find((other) => other.id === id) ?? (host.windowQuestion?.id === id ? host.windowQuestion : undefined)
    if (!question) throw hostError('unknown_question', 'This question does not wait any more.')
    return question
  }
  return {
    preview_answer: ({ question, answer }) => previewOf(host, questionOf(question), answer),
    answer_questions: async ({ answers }) => {
      const outcome: Answers['answer_questions'] = { answered: [], failed: [], grants: [] }
      for (const { question, answer } of answers) {
        try {
          await host.ask('answer_question', { question, answer })
          outcome.answered.push(question)
        } catch {
          outcome.failed.push(question)
        }
      }
      return outcome
    },
    list_tightenings: () => host.world.tightenings,
    tighten: ({ grant: id }) => {
      const tightening = host.world.tightenings.find(({ grant }) => grant.id === id)
      const old = host.world.grants.find((grant) => grant.id === id)
      if (!tightening || !old) throw hostError('nothing_to_tighten', 'This approval is as narrow as it can be.')
      const grant: Grant = { ...old, id: `${id.slice(0, -2)}${String(host.world.grants.length + 1).padStart(2, '0')}`, arguments: tightening.arguments, origin: { kind: 'narrowed', grant: id }, made_at: Date.now() }
      old.revoked_at = Date.now()
      host.world.grants.push(grant)
      host.world.tightenings = host.world.tightenings.filter((other) => other !== tightening)
      host.tell({ kind: 'grant_revoked', grant: id })
      host.tell({ kind: 'grant_made', grant })
      return grant
    },
  }
}
