/** Promises of the tool bench. */
import { WINDOW } from '../../src/host/fake/callers'
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import type { FakeHost, Replies } from '../../src/host/fake'
import type { World } from '../../src/host/fake/world'
import type { CallResult, RunningCall } from '../../src/host/types.gen'
import ToolBench from '../../src/parts/tools/ToolBench.svelte'
import { claimsOf } from '../../src/parts/tools/claims'
import { answered, connected, leave, toolView } from '../ours'
import { failing, held, refused } from '../replies'
import { askedFor, render, stores, until } from '../support'

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where to write' },
    retries: { type: 'integer', minimum: 0, maximum: 5 },
    overwrite: { type: 'boolean', default: true },
    filter: { description: 'Anything' },
  },
  required: ['path'],
}
const TOOL = toolView({ input_schema: SCHEMA })

const world = (change: World): void => {
  change.tools = [TOOL]
  change.servers = change.servers.slice(0, 1).map((server) => ({
    ...server,
    id: 'files',
    reviewed: true,
    on: true,
    state: { kind: 'ready' },
  }))
}

async function open(
  prefilled: Record<string, unknown> | null = null,
  replies: Replies = { call_tool: text('written') },
): Promise<{ host: FakeHost; user: ReturnType<typeof userEvent.setup> }> {
  const host = await connected(world, replies)
  render(ToolBench, { tool: TOOL, ready: true, prefilled })
  return { host, user: userEvent.setup() }
}

/** The call that was made last, by the number that the page gave it. */
const callId = (host: FakeHost): string =>
  askedFor<{ call: string }>(host, 'call_tool').at(-1)?.call ?? ''
const runningCall = (host: FakeHost, more: Partial<RunningCall>): RunningCall => ({
  call: callId(host),
  caller: WINDOW,
  server: 'files',
  tool: 'write_file',
  since: 0,
  waiting: false,
  task: null,
  ...more,
})

const called = (host: FakeHost) =>
  host.asked
    .filter(({ method }) => method === 'call_tool')
    .map(({ params }) => (params as { arguments: unknown }).arguments)
const run = () => screen.getByRole('button', { name: 'Run write_file' })
const text = (words: string, more: Partial<CallResult> = {}): CallResult =>
  answered({ content: [{ kind: 'text', text: words }], ...more })

afterEach(() => {
  cleanup()
  leave()
})

describe('what the server says about the tool', () => {
  const many = 'Writes a file. '.repeat(60)
  const cut = (is: boolean) => {
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(is ? 200 : 48)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(48)
  }
  afterEach(() => void vi.restoreAllMocks())

  it('is there where the tool is run, and the rest of it opens', async () => {
    cut(true)
    await connected(world)
    render(ToolBench, { tool: toolView({ description: many }), ready: true })
    const words = screen.getByText("In the server's words").closest('figure')
    expect(words?.textContent).toContain('Writes a file.')
    const more = screen.getByRole('button', { name: 'Show more' })
    await userEvent.setup().click(more)
    expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe(
      'true',
    )
  })

  it('has no button where all of it is in sight, and hides no character', async () => {
    cut(false)
    await connected(world)
    render(ToolBench, { tool: toolView({ description: 'Reads\u202e a file' }), ready: true })
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(screen.getByRole('img', { name: /invisible character/i }).textContent).toBe('U+202E')
  })
})

test('hints that say nothing about a tool that only reads are left out, and a danger never', () => {
  const said = (annotations: Record<string, unknown>) => claimsOf(toolView({ annotations }).spec)
  expect(
    said({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }),
  ).toEqual(['only reads', 'reaches outside'])
  expect(said({ readOnlyHint: true, destructiveHint: true })).toEqual(['only reads', 'may destroy'])
  expect(said({ readOnlyHint: false, destructiveHint: false, idempotentHint: true })).toEqual([
    'changes things',
    'only adds',
    'repeatable',
  ])
})

describe('the form', () => {
  it('begins with defaults and sends what was typed, each value in its own type', async () => {
    const { host, user } = await open()
    await user.type(screen.getByLabelText(/^path/), '/home/ada')
    await user.type(screen.getByLabelText('retries'), '3')
    await user.click(run())
    await until(() =>
      expect(called(host)).toEqual([{ path: '/home/ada', retries: 3, overwrite: true }]),
    )
    await screen.findByText('written')
  })

  it('begins with arguments that it was given', async () => {
    const { host, user } = await open({ path: '/tmp', retries: 1 })
    await user.click(run())
    await until(() => expect(called(host)).toEqual([{ path: '/tmp', retries: 1 }]))
  })

  it('calls nothing while a field is wrong, and leads to it', async () => {
    const { host, user } = await open()
    await user.type(screen.getByLabelText('retries'), '9')
    await user.click(run())
    expect(screen.getByText(/this is needed/i)).toBeTruthy()
    expect(screen.getByText(/at most 5/i)).toBeTruthy()
    await until(() => expect(document.activeElement).toBe(screen.getByLabelText(/^path/)))
    expect(called(host)).toEqual([])
  })

  it('can be typed in step by step: a minus, a dot and a nought are kept on the way', async () => {
    const { user } = await open()
    const field = screen.getByLabelText<HTMLInputElement>('retries')
    for (const typed of ['-', '-0', '-0.', '-0.5']) {
      await user.type(field, typed.slice(-1))
      expect(field.value).toBe(typed)
    }
  })

  it('is there again when the person comes back', async () => {
    const { user } = await open()
    await user.type(screen.getByLabelText(/^path/), '/kept')
    cleanup()
    render(ToolBench, { tool: TOOL, ready: true })
    expect(screen.getByLabelText<HTMLInputElement>(/^path/).value).toBe('/kept')
  })
})

describe('form and JSON are two looks at one value', () => {
  const json = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Arguments' })

  async function typeJson(user: ReturnType<typeof userEvent.setup>, words: string): Promise<void> {
    await user.clear(json())
    await user.click(json())
    await user.paste(words)
  }

  it('by the arrow keys, too', async () => {
    const { user } = await open({ path: '/a' })
    const looks = screen.getByRole('radiogroup', { name: 'Show arguments as' })
    screen.getByRole<HTMLInputElement>('radio', { name: 'Form' }).focus()
    await user.keyboard('{ArrowRight}')
    expect(looks.contains(document.activeElement)).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'JSON' }).checked).toBe(true)
    expect(JSON.parse(json().value)).toEqual({ path: '/a' })
  })

  it('in both directions', async () => {
    const { user } = await open({ path: '/a' })
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    expect(JSON.parse(json().value)).toEqual({ path: '/a' })
    await typeJson(user, '{"path": "/b", "extra": [1]}')
    await user.click(screen.getByRole('radio', { name: 'Form' }))
    expect(screen.getByLabelText<HTMLInputElement>(/^path/).value).toBe('/b')
    await user.type(screen.getByLabelText(/^path/), '/c')
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    expect(JSON.parse(json().value)).toEqual({ path: '/b/c', extra: [1] })
  })

  it('broken JSON is said at its place and not lost', async () => {
    const { host, user } = await open({ path: '/a' })
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    await typeJson(user, '{\n  "path": /b\n}')
    expect(screen.getByText(/line 2, character 11/)).toBeTruthy()
    await user.click(run())
    await user.click(screen.getByRole('radio', { name: 'Form' }))
    expect(screen.getByText('The form cannot be shown')).toBeTruthy()
    await user.click(run())
    expect(json().value).toBe('{\n  "path": /b\n}')
    expect(called(host)).toEqual([])
  })

  it('a broken value of one field is said at its place and not lost either', async () => {
    const { host, user } = await open({ path: '/a' })
    await user.click(screen.getByLabelText('filter'))
    await user.paste('{"a": ')
    await user.click(run())
    expect(screen.getByText(/line 1, character 7/)).toBeTruthy()
    expect(called(host)).toEqual([])
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    expect(json().value).toContain('{\\"a\\": ')
    await user.click(screen.getByRole('radio', { name: 'Form' }))
    await user.type(screen.getByLabelText('filter'), '1}')
    await user.click(run())
    await until(() => expect(called(host)).toEqual([{ path: '/a', filter: { a: 1 } }]))
  })

  it('JSON that holds a name twice is said at its place, and neither is chosen', async () => {
    const { host, user } = await open({ path: '/a' })
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    await typeJson(user, '{\n  "path": "/b",\n  "path": "/c"\n}')
    expect(screen.getByText(/used twice .* line 3, character 3/)).toBeTruthy()
    await user.click(run())
    expect(json().value).toContain('"/b"')
    await typeJson(user, '{"path": "/b"}')
    await user.click(screen.getByRole('radio', { name: 'Form' }))
    await user.click(screen.getByLabelText('filter'))
    await user.paste('{"a": 1, "a": 2}')
    await user.click(run())
    expect(screen.getByText(/used twice .* line 1, character 10/)).toBeTruthy()
    expect(called(host)).toEqual([])
  })

  it('arguments are an object', async () => {
    const { host, user } = await open()
    await user.click(screen.getByRole('radio', { name: 'JSON' }))
    await typeJson(user, '[1]')
    expect(screen.getByText(/arguments are a json object/i)).toBeTruthy()
    await user.click(run())
    expect(called(host)).toEqual([])
  })
})

describe('a running call', () => {
  it('says that it waits for the person', async () => {
    const { host, user } = await open({ path: '/a' }, { call_tool: () => held() })
    await user.click(run())
    host.publish({ kind: 'call_changed', call: runningCall(host, { waiting: true }) })
    expect(await screen.findByText(/waiting for your answer in the question window/i)).toBeTruthy()
  })

  it('shows its progress', async () => {
    const call = held<CallResult>()
    const { host, user } = await open({ path: '/a' }, { call_tool: () => call })
    await user.click(run())
    host.publish({
      kind: 'call_progress',
      call: callId(host),
      progress: 3,
      total: 4,
      message: 'three of four',
    })
    const bar = await screen.findByRole<HTMLProgressElement>('progressbar')
    expect([bar.value, bar.max]).toEqual([3, 4])
    expect(screen.getByText(/three of four/)).toBeTruthy()
    call.finish(text('done at last'))
    expect(await screen.findByText('done at last')).toBeTruthy()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('can be cancelled', async () => {
    const call = held<CallResult>()
    const { host, user } = await open({ path: '/a' }, { call_tool: () => call, cancel_call: null })
    await user.click(run())
    await user.click(screen.getByRole('button', { name: /cancel call/i }))
    expect(host.asked.at(-1)).toEqual({ method: 'cancel_call', params: { call: callId(host) } })
    call.fail({ code: 'cancelled', message: 'cancelled', refusal: null })
    expect(await screen.findByText('The call was cancelled.')).toBeTruthy()
  })

  it('leaves the focus on the button that ran it, which runs nothing meanwhile', async () => {
    const call = held<CallResult>()
    const { host, user } = await open({ path: '/a' }, { call_tool: () => call })
    run().focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('button', { name: /cancel call/i })
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(run())
    expect(called(host)).toHaveLength(1)
    call.finish(text('done at last'))
    await screen.findByText('done at last')
    expect(document.activeElement).toBe(run())
    await user.keyboard('{Enter}')
    await until(() => expect(called(host)).toHaveLength(2))
  })

  it('gives the focus back to the button that ran it when it is cancelled', async () => {
    const call = held<CallResult>()
    const { user } = await open({ path: '/a' }, { call_tool: () => call, cancel_call: null })
    await user.click(run())
    screen.getByRole('button', { name: /cancel call/i }).focus()
    await user.keyboard('{Enter}')
    call.fail({ code: 'cancelled', message: 'cancelled', refusal: null })
    await screen.findByText('The call was cancelled.')
    expect(document.activeElement).toBe(run())
  })

  it('goes on while the person looks elsewhere', async () => {
    const call = held<CallResult>()
    const { user } = await open({ path: '/a' }, { call_tool: () => call })
    await user.click(run())
    cleanup()
    call.finish(text('still here'))
    await until(() => expect(stores.bench.runsOf('files', 'write_file')[0]?.ended).not.toBeNull())
    render(ToolBench, { tool: TOOL, ready: true })
    expect(screen.getByText('still here')).toBeTruthy()
  })
})

describe('three ways to fail look different', () => {
  it('the tool reports a failure', async () => {
    const { user } = await open(
      { path: '/a' },
      {
        call_tool: text('no such file', { is_error: true }),
      },
    )
    await user.click(run())
    expect(await screen.findByText('The tool reports a failure')).toBeTruthy()
    expect(screen.getByText('no such file')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('the call fails', async () => {
    const { host, user } = await open({ path: '/a' })
    host.failNext('call_tool', 'connection_lost')
    await user.click(run())
    expect((await screen.findByRole('alert')).textContent).toContain('The connection was lost')
  })

  it('the call is not allowed', async () => {
    const denied = refused({ kind: 'denied_by_person', reason: 'not today' })
    const { user } = await open({ path: '/a' }, { call_tool: failing(denied) })
    await user.click(run())
    expect(await screen.findByText('You denied it: not today')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('arguments that the host refuses are named', async () => {
    const invalid = refused({ kind: 'arguments_invalid', problems: ['/path: too long'] })
    const { user } = await open({ path: '/a' }, { call_tool: failing(invalid) })
    await user.click(run())
    expect(await screen.findByText(/\/path: too long/)).toBeTruthy()
  })
})

it('twenty results of a tool are kept, and an earlier one can be looked at', async () => {
  const { user } = await open(
    { path: '/a' },
    { call_tool: ({ arguments: sent }) => text(JSON.stringify(sent)) },
  )
  for (let turn = 0; turn < 25; turn += 1)
    await stores.bench.run('files', 'write_file', { path: `/${turn}` })
  expect(stores.bench.runsOf('files', 'write_file')).toHaveLength(20)
  const earlier = await screen.findByRole<HTMLSelectElement>('combobox', {
    name: 'Earlier results',
  })
  expect(earlier.options).toHaveLength(20)
  await user.selectOptions(earlier, earlier.options[3]!.value)
  expect(screen.getByText('/21')).toBeTruthy()
})

it('a tool that is off, or whose server does not run, cannot be called', async () => {
  await connected(world)
  const view = render(ToolBench, { tool: { ...TOOL, on: false }, ready: true })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run write_file' }).disabled).toBe(
    true,
  )
  view.unmount()
  render(ToolBench, { tool: TOOL, ready: false })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run write_file' }).disabled).toBe(
    true,
  )
})

it('a call that its server works on as a task says so in the server’s words', async () => {
  const { host, user } = await open({ path: '/tmp' }, { call_tool: () => held() })
  await user.click(run())
  host.publish({
    kind: 'call_changed',
    call: runningCall(host, { task: 'step 2 of 9\u202e' }),
  })
  expect((await screen.findByText(/works on it as a task/)).textContent).toContain('step 2 of 9')
  expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
})

it('an error that is mended at the server leads to its page', async () => {
  const { host, user } = await open({ path: '/tmp' })
  host.failNext('call_tool', 'needs_more_rights')
  await user.click(run())
  const link = await screen.findByRole('link', { name: 'Open the server’s page' })
  expect(link.getAttribute('href')).toBe('#/servers/files')
})
