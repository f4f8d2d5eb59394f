/** Promises about what servers ask for and are refused without a question. */
import { screen } from '@testing-library/svelte'
import { expect, it, test } from 'vitest'
import App from '../../src/App.svelte'
import type { AskRefusal } from '../../src/host/types.gen'
import { to } from '../../src/state/router.svelte'
import { fullWorld } from '../../src/host/fake/sample'
import { askedFor, open, page, settle } from '../support'

const refused = (server: string, why: AskRefusal, times = 1) => ({
  kind: 'ask_refused' as const,
  server,
  during: [],
  why,
  times,
})
const said = () => page().replace(/\s+/g, ' ')

it('what a server was refused is said wherever the person is, and leads to the activity', async () => {
  const { host, person } = await open(App, fullWorld(), '#/tools')
  host.publish(refused('shipping', 'password'))
  await settle()
  expect(said()).toContain('Not allowed, so you were not asked. shipping asked for a password.')
  const link = screen.getByRole('link', { name: 'See it in the log' })
  expect(link.getAttribute('href')).toBe(to('activity', [], { text: 'ask_refused shipping' }))
  await person.click(link)
  await settle()
  expect(askedFor<{ filter: unknown }>(host, 'list_activity').at(-1)?.filter).toMatchObject({
    text: 'ask_refused shipping',
  })
})

test.each<[AskRefusal, string]>([
  ['bad_address', 'asked to open an address that must not be opened'],
  ['secret_in_address', 'asked to open an address that holds a secret'],
  ['model_off', 'asked for a language model, which it may not use'],
  ['unbidden', 'asked for something on its own, with no call running'],
])('a refusal for %s says why', async (why, words) => {
  const { host } = await open(App, fullWorld(), '#/servers')
  host.publish(refused('web', why))
  await settle()
  expect(said()).toContain(`web ${words}.`)
})

it('a server that asks without end takes one line, and many servers a few', async () => {
  const { host } = await open(App, fullWorld(), '#/servers')
  for (let time = 0; time < 1_000; time += 1) host.publish(refused('web', 'token'))
  await settle()
  expect(screen.getAllByRole('link', { name: 'See it in the log' })).toHaveLength(1)
  expect(said()).toContain('web asked for the token of a sign-in. (1,000 times)')
  // A flood comes as a number.
  host.publish(refused('web', 'token', 19_000))
  await settle()
  expect(said()).toContain('web asked for the token of a sign-in. (20,000 times)')
  for (const server of ['one', 'two', 'three', 'four']) host.publish(refused(server, 'key'))
  await settle()
  expect(screen.getAllByRole('link', { name: 'See it in the log' })).toHaveLength(3)
  expect(said()).toContain('2 more are in the log.')
})

it('it is put away, and comes back with the next refusal', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers')
  host.publish(refused('shipping', 'card'))
  await settle()
  await person.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(said()).not.toContain('Not allowed, so you were not asked')
  host.publish(refused('shipping', 'card'))
  await settle()
  expect(said()).toContain('shipping asked for the number or code of a payment card.')
})
