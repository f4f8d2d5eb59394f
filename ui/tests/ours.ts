/** Short cuts for tests of tools, questions and activity. */
import { TERMINAL } from '../src/host/fake/callers'
import { screen } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import { FakeHost, type Replies } from '../src/host/fake'
import { callSubject } from '../src/host/fake/question'
import { emptyWorld } from '../src/host/fake/sample'
import { firstWorkspace } from '../src/host/fake/sampleWorkspaces'
import { showing, type World } from '../src/host/fake/world'
import type {
  Allowed,
  CallResult,
  Concern,
  Finding,
  LogReport,
  Question,
  Reason,
  Subject,
  ToolSpec,
  ToolView,
} from '../src/host/types.gen'
import { language } from '../src/messages'
import type { QuestionContext } from '../src/parts/consent/questionContext'
import { optionsOf, previewing } from './replies'
import { begin, follow, stores, until, written } from './support'

/** A host that the page's state follows; it shows a world and replies to whatever else is asked as written. */
export async function connected(
  change: (world: World) => void = () => undefined,
  replies: Replies = {},
): Promise<FakeHost> {
  language.choose('en')
  const world = emptyWorld()
  change(world)
  const host = new FakeHost({ ...showing(world), ...replies })
  begin(host)
  follow()
  await until(() => expect(stores.session.info).not.toBeNull())
  return host
}

/** What a question's window knows beside this question, which alone waits. */
export function deskFor(
  question: Question,
  replies: Replies = { preview_answer: previewing(question) },
): QuestionContext & { host: FakeHost } {
  const host = written(new FakeHost(replies))
  return {
    host,
    preview: (id, answer) => host.previewAnswer(id, answer),
    waiting: [question.id],
    workspaces: [firstWorkspace()],
  }
}

export { leave } from './support'

/** A log in which nothing is missing or changed. */
export const INTACT: LogReport = {
  kind: 'intact',
  records: 1_200,
  anchor: 'keyring',
  after_anchor: 0,
  first: 1,
  read_from: 1,
  signed: null,
}

/** What came of a call. */
export function answered(more: Partial<CallResult> = {}): CallResult {
  return {
    call: 'call-0000000000000001',
    at: Date.now(),
    content: [],
    structured: null,
    is_error: false,
    notes: [],
    findings: [],
    label: {
      origins: [{ kind: 'tool', server: 'files', tool: 'everything' }],
      trust: 'untrusted',
      confidentiality: 'private',
    },
    revealable: false,
    whole_kept: false,
    ran_ms: 40,
    ...more,
  }
}

/** A definition. */
export function spec(more: Partial<ToolSpec> = {}): ToolSpec {
  return {
    name: 'write_file',
    title: null,
    description: 'Writes a file.',
    input_schema: { type: 'object' },
    output_schema: null,
    annotations: null,
    meta: null,
    extra: {},
    ...more,
  }
}

/** A tool of a server that is on. */
export function toolView(more: Partial<ToolSpec> = {}, view: Partial<ToolView> = {}): ToolView {
  return {
    server: 'files',
    spec: spec(more),
    fingerprint: `sha256:${'ab'.repeat(32)}`,
    standing: { kind: 'approved' },
    mark: { consequential: false, secret: false },
    on: true,
    always_shown: false,
    also_on: [],
    schema_problem: null,
    icon: null,
    ...view,
  }
}

type CallSubject = Extract<Subject, { kind: 'call' }>

/** A question about a call. */
export function callQuestion(
  more: {
    id?: string
    arguments?: Record<string, unknown>
    reason?: Reason
    tool?: ToolSpec
    findings?: Finding[]
    concerns?: Concern[]
    /** What may be chosen for each argument. */
    options?: Record<string, Allowed[]>
    subject?: Partial<CallSubject>
  } = {},
): Question {
  return {
    id: more.id ?? 'question-0000000000000001',
    asked_at: Date.now(),
    expires_at: Date.now() + 600_000,
    server: 'files',
    subject: callSubject({
      call: 'call-0000000000000001',
      caller: TERMINAL,
      tool: more.tool ?? spec(),
      arguments: more.arguments ?? { path: '/home/ada/today.md' },
      reason: more.reason ?? { kind: 'not_allowed_yet' },
      findings: more.findings ?? [],
      concerns: more.concerns ?? [],
      options: optionsOf(more.options ?? {}),
      ...more.subject,
    }),
  }
}

/** Opens the form in which an answer to be remembered is put together. */
export async function customise(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Remember…' }))
  const menu = screen.queryByRole('menuitem', { name: 'Customize…' })
  if (menu !== null) await user.click(menu)
}

/** A form that a server wants filled in. */
export function formQuestion(
  properties: Record<string, unknown>,
  required: string[] = [],
): Question {
  return {
    ...callQuestion(),
    server: 'shipping',
    subject: {
      kind: 'form',
      during: [],
      form: {
        message: 'Place this order?',
        schema: { type: 'object', properties, required },
        codex: null,
      },
    },
  }
}
