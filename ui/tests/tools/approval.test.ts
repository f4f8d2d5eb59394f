/** Promises of tools that a person has not approved as they are. */
import { TERMINAL } from '../../src/host/fake/callers'
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { ToolFlags, ApprovalStatus } from '../../src/host/types.gen'
import ToolBench from '../../src/parts/tools/ToolBench.svelte'
import ToolDetail from '../../src/parts/tools/ToolDetail.svelte'
import ToolList from '../../src/parts/tools/ToolList.svelte'
import { to } from '../../src/state/router.svelte'
import { connected, leave, toolView } from '../ours'
import { askedFor, render, stores } from '../support'

beforeEach(() => connected())
afterEach(() => {
  cleanup()
  leave()
})

const STANDINGS: [ApprovalStatus, RegExp][] = [
  [{ kind: 'new' }, /you have not reviewed it yet/i],
  [{ kind: 'changed' }, /is not what you approved/i],
  [{ kind: 'renamed', from: 'old' }, /another name when you approved it/i],
  [{ kind: 'gone' }, /does not offer it any more/i],
  [{ kind: 'kept_off' }, /you left it off/i],
  [{ kind: 'blocked' }, /you have blocked it/i],
]

describe.each(STANDINGS)('a tool that stands as %o', (standing, why) => {
  it('cannot be run, says why, and leads to the review', async () => {
    render(ToolBench, { tool: toolView({}, { standing }), ready: true })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run write_file' }).disabled).toBe(
      true,
    )
    expect(screen.getByText(why)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Review what it offers' }))
    expect(stores.router.route).toMatchObject({ view: 'servers', path: ['files', 'review'] })
  })

  it('says so beside its definition', () => {
    render(ToolDetail, { tool: toolView({}, { standing }) })
    expect(screen.getByText(why)).toBeTruthy()
  })
})

test('what cannot be run says so before anything is filled in, and beside its button', async () => {
  const shown: [Parameters<typeof toolView>[1], boolean, string, string][] = [
    [{ standing: { kind: 'changed' } }, true, 'Changed', 'Changed'],
    [{ on: false }, true, 'This tool is switched off.', 'Off'],
    [
      {},
      false,
      'The server does not run now. Switch it on to call its tools.',
      'The server does not run now.',
    ],
  ]
  for (const [more, ready, said, beside] of shown) {
    render(ToolBench, { tool: toolView({}, more), ready })
    const notice = screen.getAllByText(said)[0]!
    const form = screen.getByRole('region', { name: 'Arguments' })
    expect(notice.compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    const button = screen.getByRole('button', { name: 'Run write_file', description: beside })
    expect(button).toHaveProperty('disabled', true)
    cleanup()
  }
})

test('the list names how a tool stands, and leads to the review', async () => {
  await connected(
    (world) =>
      (world.tools = [toolView({}, { standing: { kind: 'changed' } }), toolView({ name: 'fine' })]),
  )
  render(ToolList, { server: 'files' })
  expect((await screen.findByRole('link', { name: 'Changed' })).getAttribute('href')).toBe(
    to('servers', ['files', 'review']),
  )
  expect(screen.getAllByRole('link')).toHaveLength(3)
})

test('the list names from whom a rule hides a tool', async () => {
  await connected(
    (world) =>
      (world.tools = [toolView({}, { hidden_from: [TERMINAL] }), toolView({ name: 'fine' })]),
  )
  render(ToolList, { server: 'files' })
  expect(await screen.findByText('Hidden from: The terminal')).toBeTruthy()
  expect(screen.queryAllByText(/^Hidden from/)).toHaveLength(1)
})

test('an approved tool can be run', () => {
  render(ToolBench, { tool: toolView(), ready: true })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run write_file' }).disabled).toBe(
    false,
  )
  expect(screen.queryByRole('button', { name: 'Review what it offers' })).toBeNull()
})

test('a person has a tool always shown to models, and takes it back', async () => {
  const host = await connected(undefined, {
    show_tool_always: ({ on }) => toolView({}, { always_shown: on }),
  })
  const user = userEvent.setup()
  const { rerender } = render(ToolDetail, { tool: toolView() })
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Always show to models' })
  await user.click(box)
  await rerender({ tool: toolView({}, { always_shown: true }) })
  expect(box.checked).toBe(true)
  await user.click(box)
  const of = { server: 'files', tool: 'write_file' }
  expect(askedFor(host, 'show_tool_always')).toEqual([
    { ...of, on: true },
    { ...of, on: false },
  ])
})

test('a person says what a tool does, and takes it back', async () => {
  const host = await connected(undefined, {
    mark_tool: ({ mark }) => toolView({}, { mark }),
  })
  const marked = () => askedFor<{ mark: ToolFlags }>(host, 'mark_tool').at(-1)?.mark
  const user = userEvent.setup()
  const { rerender } = render(ToolDetail, { tool: toolView() })
  await user.click(screen.getByRole('checkbox', { name: 'High-impact' }))
  expect(marked()).toEqual({ consequential: true, secret: false })
  await rerender({ tool: toolView({}, { mark: { consequential: true, secret: false } }) })
  await user.click(screen.getByRole('checkbox', { name: 'Results are secret' }))
  expect(marked()).toEqual({ consequential: true, secret: true })
  await rerender({ tool: toolView({}, { mark: { consequential: true, secret: true } }) })
  await user.click(screen.getByRole('checkbox', { name: 'High-impact' }))
  expect(marked()).toEqual({ consequential: false, secret: true })
})
