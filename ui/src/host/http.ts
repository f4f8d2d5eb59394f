/**
 * The door to a headless host, over loopback with a token.
 *
 * Always true here: the token comes once in the address's fragment, which is never sent, and is taken out of the address
 * at once; it lives as long as this tab.
 */
import { asHostError, hostError, isHostError } from './error'
import type { MethodReplies, Host, Listener, Method, ParamsArgument } from './host'
import { pickTextFile, saveAsDownload } from './browser'
import { readEvents } from './sse'
import type { Decision, BatchDecision, HostError, EventEnvelope, QuestionId } from './types.gen'

const KEPT_AS = 'majordomo.token'

/** Takes the token out of the address, or the one that this tab has kept. */
export function takeToken(): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const given = fragment.get('token')
  if (given === null) return sessionStorage.getItem(KEPT_AS)
  sessionStorage.setItem(KEPT_AS, given)
  history.replaceState(null, '', location.pathname + location.search)
  return given
}

/** Begins anew when the address of a host that was started again is opened in this tab: only its fragment differs. */
export function beginAnewWithNewToken(reload: () => void = () => location.reload()): void {
  window.addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).get('token') === null) return
    takeToken()
    reload()
  })
}

/** The host behind HTTP, on the origin that served this page. */
export function httpHost(token: string, base = location.origin): Host {
  const headers = { Authorization: `Bearer ${token}` }

  async function ask<M extends Method>(
    method: M,
    ...[params]: ParamsArgument<M>
  ): Promise<MethodReplies[M]> {
    const response = await reach(`${base}/rpc`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(params === undefined ? { method } : { method, params }),
    })
    return (await response.json()) as MethodReplies[M]
  }

  return {
    kind: 'headless',
    ask,
    async listen(listener: Listener) {
      const stop = new AbortController()
      const response = await reach(`${base}/events`, { headers, signal: stop.signal })
      if (!response.body) throw hostError('connection_lost', 'The host sent no events.')
      void follow(response.body, listener, stop.signal)
      return () => stop.abort()
    },
    pickConfigFile: () => pickTextFile('.json,.jsonc,.json5,.toml,.yaml,.yml,application/json'),
    saveText: (fileName: string, text: string) => Promise.resolve(saveAsDownload(fileName, text)),
    openLink(url: string) {
      window.open(url, '_blank', 'noopener,noreferrer')
      return Promise.resolve()
    },
    async answerQuestion(question: QuestionId, answer: Decision) {
      await ask('answer_question', { question, answer })
    },
    answerQuestions: (answers: BatchDecision[]) => ask('answer_questions', { answers }),
    previewAnswer: (question: QuestionId, answer: Decision) =>
      ask('preview_answer', { question, answer }),
    workspacesForThisWindow: () => ask('list_workspaces'),
    questionsForThisWindow: () => Promise.resolve([]),
  }
}

async function follow(
  body: ReadableStream<Uint8Array>,
  listener: Listener,
  stopped: AbortSignal,
): Promise<void> {
  try {
    for await (const data of readEvents(body)) listener.event(JSON.parse(data) as EventEnvelope)
    if (!stopped.aborted)
      listener.lost(hostError('connection_lost', 'The host ended the stream of events.'))
  } catch (thrown) {
    if (!stopped.aborted) listener.lost(asHostError(thrown))
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, cache: 'no-store' })
  } catch (thrown) {
    throw hostError('connection_lost', thrown instanceof Error ? thrown.message : String(thrown))
  }
  if (!response.ok) throw await errorOf(response)
  return response
}

async function errorOf(response: Response): Promise<HostError> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (isHostError(body)) return body
  } catch {
    // Not ours, or not JSON: said with the status instead.
  }
  if (response.status === 401)
    return hostError('needs_sign_in', 'The host does not accept the token of this page.')
  return hostError(
    'http_status',
    `The host answered ${response.status} ${response.statusText}`.trim(),
  )
}
