/** Promises about servers that ask for a model. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { FakeHost } from '../../src/host/fake'
import { emptyWorld } from '../../src/host/fake/sample'
import { noSampling } from '../../src/host/fake/sampleReports'
import type { SamplingView } from '../../src/host/types.gen'
import Sampling from '../../src/parts/servers/Sampling.svelte'
import { connected, leave } from '../ours'
import { render, until } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

async function open(
  view: Partial<SamplingView> = {},
  model: string | null = null,
): Promise<{ host: FakeHost; user: UserEvent }> {
  const shown = { ...noSampling(model), ...view }
  const host = await connected((world) => (world.sampling = shown), {
    set_sampling: ({ settings }) => ({ ...shown, settings }),
  })
  render(Sampling, { server: emptyWorld().servers[0]! })
  await screen.findByRole('switch')
  return { host, user: userEvent.setup() }
}

const set = (host: FakeHost): unknown[] =>
  host.asked
    .filter(({ method }) => method === 'set_sampling')
    .map(({ params }) => (params as { settings: unknown }).settings)
const limit = { requests: 20, tokens: 50_000, per_reply: 2_000 }

it('a server may not ask until a person says so, and shows that there is no model', async () => {
  const { host, user } = await open()
  expect(screen.getByRole('switch', { name: 'May not ask', checked: false })).toBeTruthy()
  expect(screen.getByText('There is no model yet')).toBeTruthy()
  await user.click(screen.getByRole('switch'))
  expect(await screen.findByRole('switch', { name: 'May ask', checked: true })).toBeTruthy()
  expect(set(host)).toEqual([{ on: true, review_replies: true, limit }])
})

it('names the model that would answer', async () => {
  await open({}, 'llama3.3:70b')
  expect(screen.getByText('llama3.3:70b')).toBeTruthy()
  expect(screen.queryByText('There is no model yet')).toBeNull()
})

it('says what is left, and keeps other limits only as whole numbers', async () => {
  const { host, user } = await open({
    settings: { on: true, review_replies: true, limit },
    left: { ...limit, requests: 3 },
  })
  expect(document.body.textContent).toContain('3 left now')
  const requests = screen.getByLabelText('Requests within an hour')
  await user.clear(requests)
  await user.type(requests, '1.5')
  expect(screen.getByText('A whole number.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save the limits' }).disabled).toBe(
    true,
  )
  host.reply('set_sampling', ({ settings }) => ({
    settings,
    left: { ...limit, requests: 23 },
    model: null,
  }))
  await user.clear(requests)
  await user.type(requests, '40{Enter}')
  await until(() => expect(document.body.textContent).toContain('23 left now'))
  expect(set(host)).toEqual([{ on: true, review_replies: true, limit: { ...limit, requests: 40 } }])
})

it('replies can go unseen only if the person says so; a change that fails changes nothing', async () => {
  const { host, user } = await open()
  await user.click(screen.getByLabelText('Show me each reply before the server gets it'))
  await until(() => expect(set(host)).toEqual([{ on: false, review_replies: false, limit }]))
  host.failNext('set_sampling', 'database_locked')
  await user.click(screen.getByRole('switch'))
  expect((await screen.findByRole('alert')).textContent).toContain('The database is locked')
  expect(screen.getByRole('switch', { checked: false })).toBeTruthy()
})

it('what was typed and is not kept yet stays when something else is changed', async () => {
  const { host, user } = await open({
    settings: { on: true, review_replies: true, limit },
    left: limit,
  })
  const requests = screen.getByLabelText<HTMLInputElement>('Requests within an hour')
  await user.clear(requests)
  await user.type(requests, '7')
  await user.click(screen.getByRole('switch'))
  await screen.findByRole('switch', { name: 'May not ask' })
  expect(requests.value).toBe('7')
  expect(set(host)).toEqual([{ on: false, review_replies: true, limit }])
})

it('a box that could not be changed shows what is', async () => {
  const { host, user } = await open()
  const box = screen.getByLabelText<HTMLInputElement>(
    'Show me each reply before the server gets it',
  )
  host.failNext('set_sampling', 'database_locked')
  await user.click(box)
  await screen.findByRole('alert')
  expect(box.checked).toBe(true)
  await user.click(box)
  await until(() => expect(box.checked).toBe(false))
})
