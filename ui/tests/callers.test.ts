/** Promises about who asks: every kind has words, and one that is not known is shown as what it is. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeHost } from '../src/host/fake'
import { TERMINAL, WINDOW } from '../src/host/fake/callers'
import type { Caller } from '../src/host/types.gen'
import { language } from '../src/messages'
import { callerOptions, callerWords, filterOf, filterWords } from '../src/messages/callers'
import { plain, draftSentence } from '../src/parts/policy/sentence'
import { Callers } from '../src/state/callers.svelte'
import QuestionWindow from '../src/views/Question.svelte'
import { callQuestion } from './ours'
import { begin, render } from './support'

const EDITOR: Caller = { kind: 'client', id: 'editor-1', name: 'Editor' }
const UNKNOWN: Caller = { kind: 'orchestrator', id: 'night-7', name: 'Night shift' }

beforeEach(() => language.choose('en'))
afterEach(() => vi.useRealTimers())

it('a kind that is not known is said as what it is', () => {
  expect(callerWords(UNKNOWN)).toBe(
    'Something of the kind “orchestrator” called “Night shift” (night-7)',
  )
  expect(filterWords({ kind: 'orchestrator', id: null })).toBe(
    'Anything of the kind “orchestrator”',
  )
})

it('beside the name that a stranger has chosen stands the id that it has not', () => {
  const called = (kind: string, id: string, name: string) => callerWords({ kind, id, name })
  expect(callerWords(EDITOR)).toBe('The application “Editor” (editor-1)')
  for (const kind of ['client', 'agent', 'view', 'server', 'orchestrator']) {
    expect(called(kind, 'a', 'Editor'), kind).toMatch(/“Editor” \(a\)$/)
    expect(called(kind, 'a', 'Editor'), kind).not.toBe(called(kind, 'b', 'Editor'))
    expect(called(kind, 'a', 'a'), kind).toMatch(/“a”$/)
  }
  expect(callerWords(WINDOW)).toBe('You, in Majordomo')
  expect(callerWords({ ...TERMINAL, name: 'Something else' })).toBe('The terminal')
  language.choose('zh-CN')
  expect(callerWords(UNKNOWN)).toBe('类型为“orchestrator”的调用方“Night shift”（night-7）')
})

it('one of a kind that may have more is listed, whatever its id', () => {
  const client: Caller = { kind: 'client', id: 'client', name: 'Editor' }
  expect(callerOptions([TERMINAL, client]).map(({ value }) => value)).toEqual([
    'terminal',
    'client',
    'client:client',
  ])
})

it('lists are made of who is there: each kind, and each one of it', () => {
  const options = callerOptions([WINDOW, TERMINAL, EDITOR, UNKNOWN])
  expect(options.map(({ value }) => value)).toEqual([
    'window',
    'terminal',
    'client',
    'client:editor-1',
    'orchestrator',
    'orchestrator:night-7',
  ])
  expect(filterOf('client:editor-1')).toEqual({ kind: 'client', id: 'editor-1' })
  expect(filterOf('client')).toEqual({ kind: 'client', id: null })
  expect(filterOf('')).toBeNull()
})

it('whoever asks for the first time can be chosen at once, and once', () => {
  const callers = new Callers()
  const call = {
    call: 'call-0000000000000001',
    caller: EDITOR,
    server: 'files',
    tool: 'read',
    since: 0,
    waiting: false,
    task: null,
  }
  callers.onEvent({ kind: 'call_changed', call })
  callers.onEvent({ kind: 'call_changed', call: { ...call, caller: { ...EDITOR, name: 'New' } } })
  expect(callers.list).toEqual([EDITOR])
})

it('a rule for one of a kind and a rule for a kind are different sentences', () => {
  const draft = {
    effect: 'forbid',
    hook: 'call',
    server: null,
    tool: null,
    when: [],
    reason: null,
  } as const
  const says = (kind: string, id: string | null) =>
    plain(draftSentence({ ...draft, when: [], caller: { kind, id } }))
  expect(says('client', null)).toContain('any application')
  expect(says('client', 'editor-1')).toContain('the application “editor-1”')
  expect(says('orchestrator', null)).toContain('anything of the kind “orchestrator”')
})

it('the question says who asks, whatever the kind', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const question = callQuestion({ subject: { caller: UNKNOWN } })
  const host = new FakeHost()
  host.questionsHere = [question]
  begin(host)
  const { container } = render(QuestionWindow, { onclosed: vi.fn() })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(container.textContent).toContain(
    'Something of the kind “orchestrator” called “Night shift” (night-7) wants to run',
  )
})
