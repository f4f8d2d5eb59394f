/** Short cuts for tests of tools, questions and activity. */
import { expect, vi } from 'vitest'
import { FakeHost, type FakeWorld } from '../src/host/fake'
import { callSubject } from '../src/host/fake/approvals'
import type { Desk } from '../src/parts/consent/desk'
import { emptyWorld } from '../src/host/fake/sample'
import type { Answered, Concern, Finding, Question, Reason, Subject, ToolSpec, ToolView } from '../src/host/types.gen'
import { language } from '../src/messages'
import { bench } from '../src/state/bench.svelte'
import { session } from '../src/state/session.svelte'
import { tools } from '../src/state/tools.svelte'

/** A host that the page's state follows. */
export async function connected(change: (world: FakeWorld) => void = () => undefined): Promise<FakeHost> {
  language.choose('en')
  const world = emptyWorld()
  change(world)
  const host = new FakeHost(world)
  session.connect(host)
  await vi.waitFor(() => expect(session.info).not.toBeNull())
  return host
}

/** What a question's window knows beside this question, on a host in which only it waits. */
export function deskFor(question: Question, change: (world: FakeWorld) => void = () => undefined): Desk & { host: FakeHost } {
  const world = { ...emptyWorld(), questions: [question] }
  change(world)
  const host = new FakeHost(world)
  return { host, preview: (id, answer) => host.previewAnswer(id, answer), waiting: world.questions.map(({ id }) => id), workspaces: world.workspaces }
}

/** Ends the connection, and forgets what tests before have done. */
export function leave(): void {
  session.leave()
  bench.clear()
  tools.clear()
}

/** What came of a call. */
export function answered(more: Partial<Answered> = {}): Answered {
  return {
    call: 'call-0000000000000001',
    at: Date.now(),
    content: [],
    structured: null,
    is_error: false,
    notes: [],
    findings: [],
    label: { origins: [{ kind: 'tool', server: 'files', tool: 'everything' }], trust: 'untrusted', confidentiality: 'private' },
    revealable: false,
    whole_kept: false,
    ...more,
  }
}

/** A definition. */
export function spec(more: Partial<ToolSpec> = {}): ToolSpec {
  return { name: 'write_file', title: null, description: 'Writes a file.', input_schema: { type: 'object' }, output_schema: null, annotations: null, meta: null, extra: {}, ...more }
}

/** A tool of a server that is on. */
export function toolView(more: Partial<ToolSpec> = {}, view: Partial<ToolView> = {}): ToolView {
  return { server: 'files', spec: spec(more), fingerprint: `sha256:${'ab'.repeat(32)}`, standing: { kind: 'approved' }, mark: { consequential: false, secret: false }, on: true, also_on: [], schema_problem: null, icon: null, ...view }
}

type CallSubject = Extract<Subject, { kind: 'call' }>

/** A question about a call. */
export function callQuestion(more: { id?: string; arguments?: Record<string, unknown>; reason?: Reason; tool?: ToolSpec; findings?: Finding[]; concerns?: Concern[]; subject?: Partial<CallSubject> } = {}): Question {
  return {
    id: more.id ?? 'question-0000000000000001',
    asked_at: Date.now(),
    expires_at: Date.now() + 600_000,
    server: 'files',
    subject: callSubject({
      call: 'call-0000000000000001',
      caller: { kind: 'terminal' },
      tool: more.tool ?? spec(),
      arguments: more.arguments ?? { path: '/home/ada/today.md' },
      reason: more.reason ?? { kind: 'not_allowed_yet' },
      findings: more.findings ?? [],
      concerns: more.concerns ?? [],
      ...more.subject,
    }),
  }
}

/** A form that a server wants filled in. */
export function formQuestion(properties: Record<string, unknown>, required: string[] = []): Question {
  return {
    ...callQuestion(),
    server: 'shipping',
    subject: { kind: 'form', during: [], form: { message: 'Place this order?', schema: { type: 'object', properties, required } } },
  }
}
