/**
 * A host in memory: for tests, and for looking at the window without Rust.
 *
 * Always true here: it keeps the promises of the real one that a screen relies on (events are numbered, a secret's value is
 * dropped on arrival, nothing runs unreviewed, a call waits for an answer), and no built page contains it.
 */
import { hostError } from './error'
import { activityPage } from './fake/activity'
import { answerFor, readableAnswer, WHOLE } from './fake/answers'
import { foundConfiguration, importPreview, sourceText, type FakeConfiguration } from './fake/import'
import { approvalHandlers, callSubject, grantOf, previewOf } from './fake/approvals'
import { covers } from './fake/covers'
import { logHandlers } from './fake/logbook'
import { exchanged, offerHandlers, type FakeOffers } from './fake/offers'
import { policyHandlers } from './fake/policy'
import { reportHandlers } from './fake/reporting'
import { refusalOf, reviewHandlers } from './fake/reviews'
import { signInHandlers, signInView } from './fake/signIn'
import { workspaceHandlers } from './fake/workspaces'
import { fakeFingerprint, launchOf, needKeyring, reviewOf } from './fake/launch'
import type { Answers, Host, HostKind, Listener, Method, NoticeWords, Params, ParamsArgument, PickedFile } from './host'
import type {
  ActivityDetail,
  ActivityRow,
  Answer,
  AnswerPreview,
  Answered,
  BatchAnswer,
  BatchOutcome,
  ErrorCode,
  Grant,
  HostError,
  HostEvent,
  HostInfo,
  OfferView,
  Outcome,
  PolicyView,
  Question,
  QuestionId,
  Refusal,
  RunningCall,
  SamplingView,
  ServerId,
  ServerView,
  TelemetryView,
  Tightening,
  ToolSpec,
  ToolView,
  UnknownCall,
  WorkspaceView,
} from './types.gen'

/** What a fake host begins with. */
export interface FakeWorld {
  info: HostInfo
  servers: ServerView[]
  tools: ToolView[]
  logs: Record<ServerId, string[]>
  grants: Grant[]
  /** Approvals that could be narrower. */
  tightenings: Tightening[]
  workspaces: WorkspaceView[]
  /** Calls of which nobody knows what became of them. */
  unknown: UnknownCall[]
  policy: PolicyView
  telemetry: TelemetryView
  /** What servers may ask a model for, as far as that was ever looked at. */
  sampling: Record<ServerId, SamplingView>
  /** The model that answers servers; there may be none. */
  model: string | null
  questions: Question[]
  activity: ActivityDetail[]
  /** Configurations of other applications on this computer. */
  configurations: FakeConfiguration[]
  /** What servers offer beside tools, and what was said by the protocol. */
  offers: Record<ServerId, FakeOffers>
  /** What servers offer, where not all of it is approved. */
  reviews: Record<ServerId, OfferView[]>
}

/** What the scripted person says; `null` leaves the question waiting. */
export type Person = (question: Question) => Answer | null

type Handler<M extends Method> = (params: Params<M>) => Answers[M] | Promise<Answers[M]>

/** A host in memory. */
export class FakeHost implements Host {
  kind: HostKind = 'fake'
  /** Every request, in order. */
  readonly asked: { method: Method; params: unknown }[] = []
  /** Texts that were saved. */
  readonly saved: { fileName: string; text: string }[] = []
  /** Addresses that were opened. */
  readonly opened: string[] = []
  /** How the system tells of questions that wait. */
  notices: NoticeWords | null = null
  person: Person = () => null
  folder: string | null = '/home/ada/Documents'
  file: PickedFile | null = null
  windowQuestion: Question | null = null

  #seq = 100
  #listeners = new Set<Listener>()
  #failures = new Map<Method, HostError[]>()
  #waiting = new Map<QuestionId, (answer: Answer) => void>()
  #calls = new Map<string, RunningCall>()
  #answers = new Map<string, string>()
  #secrets = 0
  #asides = 0

  constructor(readonly world: FakeWorld) {}

  async ask<M extends Method>(method: M, ...[params]: ParamsArgument<M>): Promise<Answers[M]> {
    this.asked.push({ method, params })
    await Promise.resolve()
    const failure = this.#failures.get(method)?.shift()
    if (failure) throw failure
    const handler = (this.#handlers as unknown as Record<Method, Handler<M>>)[method]
    return structuredClone(await handler(params as Params<M>))
  }

  listen(listener: Listener): Promise<() => void> {
    this.#listeners.add(listener)
    return Promise.resolve(() => this.#listeners.delete(listener))
  }

  pickFolder = (): Promise<string | null> => Promise.resolve(this.folder)
  pickConfigFile = (): Promise<PickedFile | null> => Promise.resolve(this.file)
  saveText(fileName: string, text: string): Promise<string | null> {
    this.saved.push({ fileName, text })
    return Promise.resolve(`/home/ada/${fileName}`)
  }
  openLink(url: string): Promise<void> {
    this.opened.push(url)
    return Promise.resolve()
  }
  setNotices(words: NoticeWords): Promise<void> {
    this.notices = words
    return Promise.resolve()
  }
  async answerQuestion(question: QuestionId, answer: Answer): Promise<void> {
    await this.ask('answer_question', { question, answer })
  }
  answerQuestions = (answers: BatchAnswer[]): Promise<BatchOutcome> => this.ask('answer_questions', { answers })
  previewAnswer = (question: QuestionId, answer: Answer): Promise<AnswerPreview> => this.ask('preview_answer', { question, answer })
  workspacesForThisWindow = (): Promise<WorkspaceView[]> => Promise.resolve(this.world.workspaces)
  /** Questions whose window was brought to the front. */
  readonly shown: QuestionId[] = []
  openQuestion = (question: QuestionId): Promise<void> => {
    this.shown.push(question)
    return Promise.resolve()
  }
  questionsForThisWindow = (): Promise<Question[]> => {
    const here = this.windowQuestion
    return Promise.resolve(here === null ? [] : [here, ...this.world.questions.filter((other) => other.id !== here.id)])
  }

  /** Tells everyone of an event. */
  tell(event: HostEvent): void {
    this.#seq += 1
    const numbered = structuredClone({ seq: this.#seq, event })
    this.#listeners.forEach((listener) => listener.event(numbered))
  }

  /** Loses events: the next one leaves a gap. */
  loseEvents(count: number): void {
    this.#seq += count
  }

  /** Breaks the stream of events. */
  breakStream(): void {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    listeners.forEach((listener) => listener.lost(hostError('connection_lost', 'The stream broke.')))
  }

  /** Lets the next request of this kind fail. */
  failNext(method: Method, code: ErrorCode, message = code): void {
    const failures = this.#failures.get(method) ?? []
    this.#failures.set(method, [...failures, hostError(code, message)])
  }

  /** Changes a server and tells of it. */
  change(id: ServerId, change: Partial<ServerView>): ServerView {
    const server = { ...this.#server(id), ...change }
    this.world.servers = this.world.servers.map((other) => (other.id === id ? server : other))
    this.tell({ kind: 'server_changed', server })
    return server
  }

  #server(id: ServerId): ServerView {
    const server = this.world.servers.find((other) => other.id === id)
    if (!server) throw hostError('unknown_server', `There is no server ${id}.`)
    return server
  }

  #tool(server: ServerId, name: string): ToolView {
    const tool = this.world.tools.find((other) => other.server === server && other.spec.name === name)
    if (!tool) throw hostError('unknown_tool', `${server} has no tool ${name}.`)
    return tool
  }

  #secretId = (): string => `secret-${String(++this.#secrets).padStart(16, '0')}`

  #note(what: string, server: ServerId | null, tool: string | null = null): void {
    this.#record(what, server, tool, 'noted')
  }

  #record(what: string, server: ServerId | null, tool: string | null, outcome: Outcome, more: Partial<ActivityDetail> = {}): ActivityRow {
    const row: ActivityRow = {
      seq: (this.world.activity[0]?.row.seq ?? 0) + 1,
      at: Date.now(),
      what,
      caller: { kind: 'window' },
      server,
      tool,
      outcome,
      duration_ms: null,
    }
    this.world.activity.unshift({ row, call: null, whole_kept: false, arguments: null, permission: null, approver: null, refusal: null, error: null, records: [], ...more })
    this.tell({ kind: 'activity_changed', row })
    return row
  }

  #endCall(detail: ActivityDetail, call: RunningCall, outcome: Outcome, change: Partial<ActivityDetail> = {}): void {
    detail.row.outcome = outcome
    detail.row.duration_ms = Date.now() - detail.row.at
    Object.assign(detail, change)
    detail.records = [JSON.stringify({ kind: 'call_began', tool: call.tool }), JSON.stringify({ kind: 'call_ended', outcome })]
    this.#calls.delete(call.call)
    this.tell({ kind: 'call_ended', call: call.call, outcome })
    this.tell({ kind: 'activity_changed', row: detail.row })
  }

  async #callTool(params: Params<'call_tool'>): Promise<Answered> {
    const server = this.#server(params.server)
    if (server.state.kind !== 'ready') throw hostError('server_off', `${server.id} is off.`)
    const tool = this.#tool(params.server, params.tool)
    const call: RunningCall = {
      call: params.call ?? 'call-00000000000000ff',
      caller: { kind: 'window' },
      server: params.server,
      tool: params.tool,
      since: Date.now(),
      waiting: false,
      task: null,
    }
    this.#calls.set(call.call, call)
    const row = this.#record('call', params.server, params.tool, 'running', { call: call.call, arguments: params.arguments })
    const detail = this.world.activity.find((other) => other.row.seq === row.seq) as ActivityDetail
    const refuse = (refusal: Refusal): HostError => {
      this.#endCall(detail, call, 'refused', { refusal })
      return { ...hostError('refused', 'The call was not allowed.'), refusal }
    }
    this.tell({ kind: 'call_changed', call })
    const refusal = refusalOf(tool.standing)
    if (refusal) throw refuse(refusal)
    if (!tool.on) throw refuse({ kind: 'switched_off' })
    const grant = this.world.grants.find((other) => covers(other, tool, params.arguments))
    if (grant) {
      grant.used += 1
      grant.last_used_at = Date.now()
      if (grant.effect.kind === 'deny') throw refuse({ kind: 'denied_earlier', grant: grant.id, reason: grant.effect.reason })
      detail.permission = { kind: 'grant', grant: grant.id }
    } else {
      const { question, answer } = await this.#askPerson(call, tool.spec, params.arguments)
      const made = this.#remember(question, answer, tool)
      if (answer.kind === 'deny') throw refuse({ kind: 'denied_by_person', reason: answer.reason })
      detail.permission = { kind: 'answer', question: `question-${call.call}`, grant: made?.id ?? null, changed: answer.kind === 'allow' && answer.arguments !== null }
    }
    const answer = answerFor(call.call, params.server, params.tool, params.arguments)
    this.#answers.set(call.call, params.tool)
    detail.whole_kept = answer.whole_kept
    exchanged(this, params.server, call.call, { name: params.tool, arguments: params.arguments }, answer)
    this.#endCall(detail, call, answer.is_error ? 'tool_error' : 'done')
    return answer
  }

  async #askPerson(call: RunningCall, tool: ToolSpec, args: Record<string, unknown>): Promise<{ question: Question; answer: Answer }> {
    const question: Question = {
      id: `question-${call.call}`,
      asked_at: Date.now(),
      expires_at: Date.now() + 600_000,
      server: call.server,
      subject: callSubject({ call: call.call, caller: call.caller, tool, arguments: args, reason: { kind: 'not_allowed_yet' } }),
    }
    call.waiting = true
    this.tell({ kind: 'call_changed', call })
    const answer = await this.#answerTo(question)
    call.waiting = false
    this.tell({ kind: 'call_changed', call })
    this.#note('question_answered', call.server, call.tool)
    return { question, answer }
  }

  /** Asks the person about something that is not a call. */
  askAside(about: Pick<Question, 'server' | 'subject'>): Promise<Answer> {
    const id = `question-${String(++this.#asides).padStart(16, 'a')}`
    return this.#answerTo({ id, asked_at: Date.now(), expires_at: Date.now() + 600_000, ...about })
  }

  async #answerTo(question: Question): Promise<Answer> {
    this.world.questions.push(question)
    this.tell({ kind: 'question_asked', question })
    const said = this.person(question)
    const answer = said ?? (await new Promise<Answer>((resolve) => this.#waiting.set(question.id, resolve)))
    this.world.questions = this.world.questions.filter((other) => other.id !== question.id)
    this.tell({ kind: 'question_closed', question: question.id })
    return answer
  }

  #remember(question: Question, answer: Answer, tool: ToolView): Grant | null {
    const grant = grantOf(question, answer, this.world.grants.length + 1)
    if (!grant) return null
    grant.tool_fingerprint = tool.fingerprint
    this.world.grants.push(grant)
    this.tell({ kind: 'grant_made', grant })
    return grant
  }

  #toolCount = (server: ServerId): number => this.world.tools.filter((tool) => tool.server === server).length

  #handlers: { [M in Method]: Handler<M> } = {
    snapshot: () => ({
      seq: this.#seq,
      info: this.world.info,
      servers: this.world.servers,
      questions: this.world.questions,
      calls: [...this.#calls.values()],
      unknown: this.world.unknown,
      workspaces: this.world.workspaces,
    }),
    review_draft: ({ draft }) => reviewOf(draft.name, launchOf(draft.target, this.#secretId)),
    add_server: ({ draft }) => {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(draft.name)) throw hostError('bad_name', 'This name cannot be used.')
      if (this.world.servers.some((server) => server.id.toLowerCase() === draft.name.toLowerCase())) {
        throw hostError('name_taken', `There is a server ${draft.name} already.`)
      }
      needKeyring(this.world.info, draft)
      const launch = launchOf(draft.target, this.#secretId)
      const server: ServerView = {
        id: draft.name,
        launch,
        fingerprint: fakeFingerprint(launch),
        reviewed: false,
        on: false,
        state: { kind: 'off' },
        roots: [],
        tools: null,
        waiting: 0,
        claims: null,
        abilities: null,
        era: { choice: 'auto', found: null, found_at: null },
        sign_in: launch.kind === 'http' ? signInView({ kind: 'signed_out' }) : null,
        added_at: Date.now(),
      }
      this.world.servers = [...this.world.servers, server].sort((a, b) => a.id.localeCompare(b.id))
      this.tell({ kind: 'server_changed', server })
      this.#note('server_added', server.id)
      return server
    },
    edit_server: ({ server, draft }) => {
      needKeyring(this.world.info, draft)
      const launch = launchOf(draft.target, this.#secretId, this.#server(server).launch)
      return this.change(server, { launch, fingerprint: fakeFingerprint(launch), reviewed: false, on: false, state: { kind: 'off' } })
    },
    review_server: ({ server }) => reviewOf(server, this.#server(server).launch),
    accept_review: ({ server, reviewed }) => {
      if (reviewed !== this.#server(server).fingerprint) throw hostError('review_needed', 'It is not what was reviewed.')
      return this.change(server, { reviewed: true })
    },
    enable_server: ({ server, reviewed }) => {
      const view = this.#server(server)
      if (!view.reviewed && reviewed !== view.fingerprint) throw hostError('review_needed', 'Review it first.')
      this.change(server, { reviewed: true, on: true, state: { kind: 'starting' } })
      this.#note('server_switched', server)
      return this.change(server, { state: { kind: 'ready' }, tools: this.#toolCount(server) })
    },
    disable_server: ({ server }) => this.change(server, { on: false, state: { kind: 'off' } }),
    restart_server: ({ server }) => this.change(server, { state: { kind: 'ready' } }),
    remove_server: ({ server }) => {
      this.#server(server)
      this.world.servers = this.world.servers.filter((other) => other.id !== server)
      this.tell({ kind: 'server_removed', server })
      return null
    },
    server_log: ({ server }) => ({ server, lines: this.world.logs[server] ?? [], dropped: 0 }),
    find_configurations: () => this.world.configurations.map(foundConfiguration),
    preview_import: ({ from }) => importPreview(sourceText(from, this.world.configurations), this.world.servers.map((server) => server.id)),
    import_servers: async ({ from, choices, keep }) => {
      const preview = importPreview(sourceText(from, this.world.configurations), this.world.servers.map((server) => server.id))
      const chosen = choices.map((choice) => ({ choice, entry: preview.entries.find((e) => e.place === choice.place && e.source_name === choice.source_name) }))
      if (this.world.info.keyring.kind === 'missing' && keep === 'keyring' && chosen.some(({ entry }) => entry?.secrets.length)) {
        throw hostError('keyring_missing', 'There is no keyring here.')
      }
      const outcome: Answers['import_servers'] = { added: [], failed: [] }
      for (const { choice, entry } of chosen) {
        const launch = entry?.review?.launch
        if (!launch) {
          outcome.failed.push({ source_name: choice.source_name, error: hostError('bad_command', entry?.problem ?? 'Unknown entry.') })
          continue
        }
        const server = await this.#handlers.add_server({
          draft: { name: choice.name, target: { kind: 'stdio', command: 'x', args: [], env: [], cwd: null }, keep: 'session' },
        })
        outcome.added.push(this.change(server.id, { launch, fingerprint: fakeFingerprint(launch) }))
      }
      return outcome
    },
    add_root: ({ server, path }) => {
      if (!/^(\/|[A-Za-z]:\\)/.test(path)) throw hostError('bad_path', 'This is not an absolute path.')
      const roots = [...this.#server(server).roots, { path, uri: `file://${path}`, present: true }]
      return this.change(server, { roots })
    },
    remove_root: ({ server, path }) =>
      this.change(server, { roots: this.#server(server).roots.filter((root) => root.path !== path) }),
    set_era: ({ server, era }) => this.change(server, { era: { ...this.#server(server).era, choice: era } }),
    ...approvalHandlers(this),
    ...policyHandlers(this),
    ...workspaceHandlers(this),
    ...logHandlers(this),
    ...reportHandlers(this),
    ...offerHandlers(this),
    ...reviewHandlers(this),
    ...signInHandlers(this),
    list_tools: ({ server }) => this.world.tools.filter((tool) => tool.server === server),
    set_tool: ({ server, tool, on }) => {
      const view = this.#tool(server, tool)
      view.on = on
      this.tell({ kind: 'tools_changed', server })
      return view
    },
    mark_tool: ({ server, tool, mark }) => {
      const view = this.#tool(server, tool)
      view.mark = mark
      this.tell({ kind: 'tools_changed', server })
      return view
    },
    call_tool: (params) => this.#callTool(params),
    cancel_call: ({ call }) => {
      this.#waiting.get(`question-${call}`)?.({ kind: 'deny', reason: null, remember: null })
      return null
    },
    reveal_answer: ({ call }) => {
      const tool = this.#answers.get(call)
      if (tool === undefined) throw hostError('unknown_answer', `What was covered in ${call} is not known.`)
      this.#note('answer_revealed', null, tool)
      return readableAnswer(tool)
    },
    full_answer: ({ call }) => ({ file_name: `${call}.txt`, text: WHOLE }),
    list_questions: () => this.world.questions,
    answer_question: ({ question, answer }) => {
      const waiting = this.#waiting.get(question)
      const shown = this.world.questions.some((other) => other.id === question)
      if (!waiting && !shown) throw hostError('unknown_question', 'This question does not wait any more.')
      const asked = this.world.questions.find((other) => other.id === question)
      if (asked && previewOf(this, asked, answer).not_remembered !== null) throw hostError('bad_answer', 'This cannot be remembered.')
      this.#waiting.delete(question)
      if (waiting) waiting(answer)
      else {
        this.world.questions = this.world.questions.filter((other) => other.id !== question)
        this.tell({ kind: 'question_closed', question })
      }
      return null
    },
    list_grants: () => this.world.grants.filter((grant) => grant.revoked_at === null),
    revoke_grant: ({ grant: id }) => {
      const grant = this.world.grants.find((other) => other.id === id)
      if (!grant) throw hostError('unknown_grant', 'This approval was taken back already.')
      grant.revoked_at = Date.now()
      this.tell({ kind: 'grant_revoked', grant: id })
      this.#note('grant_revoked', grant.server, grant.tool.name)
      return grant
    },
    list_activity: (params) => activityPage(this.world.activity, params),
    show_activity: ({ seq }) => {
      const detail = this.world.activity.find(({ row }) => row.seq === seq)
      if (!detail) throw hostError('unknown_record', 'There is no such record.')
      return detail
    },
    verify_log: () => ({ kind: 'intact', records: this.world.activity.length * 2, anchor: 'keyring', after_anchor: 0, first: 1, read_from: 1, signed: null }),
    export_log: ({ format }) => ({ file_name: `majordomo-log.${format}`, text: JSON.stringify(this.world.activity), records: this.world.activity.length, missing: 0 }),
  }
}
