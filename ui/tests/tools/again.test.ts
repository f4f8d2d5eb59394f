/** Promises of running a tool again, and of comparing what came of it. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { CallResult, Content } from '../../src/host/types.gen'
import ToolBench from '../../src/parts/tools/ToolBench.svelte'
import { comparable } from '../../src/parts/tools/comparable'
import type { Run } from '../../src/state/bench.svelte'
import { answered, connected, leave, toolView } from '../ours'
import { askedFor, render, stores, until } from '../support'

const TOOL = toolView({
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
})
const text = (words: string): CallResult => answered({ content: [{ kind: 'text', text: words }] })

afterEach(() => {
  cleanup()
  leave()
})

/** The bench after calls with these paths, each answered with what it was given and how often it was asked. */
async function after(paths: string[], ready = true) {
  let turn = 0
  const host = await connected(undefined, {
    call_tool: ({ arguments: sent }) => text(`path ${String(sent['path'])}\nturn ${(turn += 1)}`),
  })
  for (const path of paths) await stores.bench.run('files', 'write_file', { path })
  render(ToolBench, { tool: TOOL, ready })
  const sent = () =>
    askedFor<{ arguments: { path: string } }>(host, 'call_tool').map((asked) => asked.arguments)
  return { user: userEvent.setup(), sent }
}

describe('run again', () => {
  it('sends the same arguments, whatever is in the form by now', async () => {
    const { user, sent } = await after(['/a'])
    await user.type(screen.getByLabelText('path'), '/other')
    await user.click(screen.getByRole('button', { name: 'Run again' }))
    await until(() => expect(sent()).toEqual([{ path: '/a' }, { path: '/a' }]))
    expect(await screen.findByText(/turn 2/)).toBeTruthy()
  })

  it('runs the call that is looked at', async () => {
    const { user, sent } = await after(['/a', '/b'])
    const earlier = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Earlier results' })
    await user.selectOptions(earlier, earlier.options[1]!.value)
    await user.click(screen.getByRole('button', { name: 'Run again' }))
    await until(() => expect(sent().at(-1)).toEqual({ path: '/a' }))
  })

  it('is not there for a tool that cannot be run now', async () => {
    await after(['/a'], false)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run again' }).disabled).toBe(true)
  })

  it('is another thing than to have the arguments back in the form', async () => {
    const { user, sent } = await after(['/a'])
    await user.click(screen.getByRole('button', { name: 'Edit arguments' }))
    expect(screen.getByLabelText<HTMLInputElement>('path').value).toBe('/a')
    expect(sent()).toHaveLength(1)
  })
})

describe('compare', () => {
  async function compare(user: ReturnType<typeof userEvent.setup>) {
    await user.click(screen.getByRole('button', { name: 'Compare…' }))
    const dialog = within(await screen.findByRole('dialog'))
    const marked = (kind: 'del' | 'ins'): string =>
      [...document.querySelectorAll(`[role="dialog"] ${kind}`)]
        .map(({ textContent }) => textContent)
        .join('')
    return { dialog, marked }
  }

  it('needs two results', async () => {
    await after(['/a'])
    expect(screen.queryByRole('button', { name: 'Compare…' })).toBeNull()
  })

  it('shows what is different in the arguments and in the results, the earlier before the later', async () => {
    const { user } = await after(['/a', '/b'])
    const { marked } = await compare(user)
    expect(marked('del')).toContain('"path": "/a"')
    expect(marked('ins')).toContain('"path": "/b"')
    expect(marked('del')).toContain('turn 1')
    expect(marked('ins')).toContain('turn 2')
  })

  it('says so where there is no difference, and another can be chosen', async () => {
    const { user } = await after(['/b', '/a', '/a'])
    const { dialog } = await compare(user)
    expect(dialog.getByText('The arguments are the same.')).toBeTruthy()
    const others = dialog.getByRole<HTMLSelectElement>('combobox')
    await user.selectOptions(others, others.options[1]!.value)
    expect(dialog.queryByText('The arguments are the same.')).toBeNull()
  })
})

describe('two results are compared', () => {
  const run = (content: Content[], structured: unknown = null): Run => ({
    call: 'call-1',
    arguments: {},
    began: 0,
    ended: 1,
    answer: answered({ content, structured }),
    error: null,
  })
  const image = (data: string): Content => ({ kind: 'image', data, mime_type: 'image/png' })

  test('by what their JSON means, not by how it is written', () => {
    expect(comparable(run([{ kind: 'text', text: '{"b":1,"a":2}' }]))).toBe(
      comparable(run([{ kind: 'text', text: '{ "a": 2, "b": 1 }' }])),
    )
  })

  test('once where a tool says the same as JSON and as a text', () => {
    expect(comparable(run([{ kind: 'text', text: '{"a":1}' }], { a: 1 }))).toBe('{\n  "a": 1\n}')
  })

  test('by the length and the sum of their bytes', () => {
    const [one, other] = [comparable(run([image('AAAA')])), comparable(run([image('AAAB')]))]
    expect(one).not.toBe(other)
    expect(one).not.toContain('AAAA')
  })

  test('also where one of them failed', () => {
    const failed: Run = {
      ...run([]),
      answer: null,
      error: { code: 'connection_lost', message: 'gone', refusal: null },
    }
    expect(comparable(failed)).toContain('gone')
  })
})
