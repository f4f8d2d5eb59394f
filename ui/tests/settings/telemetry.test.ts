/** Promises about what leaves for a collector: nothing, until a person says where. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { FakeHost } from '../../src/host/fake'
import { someTelemetry } from '../../src/host/fake/sampleReports'
import type { World } from '../../src/host/fake/world'
import Telemetry from '../../src/parts/settings/Telemetry.svelte'
import { connected, leave } from '../ours'
import { render } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

async function open(change?: (world: World) => void): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected(change, {
    set_telemetry: ({ settings }) => ({ settings, sent_at: null, problem: null, dropped: 0 }),
  })
  render(Telemetry)
  await screen.findByLabelText('Address of the collector')
  return { host, user: userEvent.setup() }
}

const set = (host: FakeHost): unknown[] =>
  host.asked.filter(({ method }) => method === 'set_telemetry').map(({ params }) => params)
const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save' })

it('is off, says what would be sent, and saves nothing that was not changed', async () => {
  await open()
  expect(document.body.textContent).toContain('Sends nothing')
  expect(document.body.textContent).toContain('when which tool of which server was called')
  expect(screen.getByLabelText<HTMLInputElement>('Send arguments and results, too').checked).toBe(
    false,
  )
  expect(save().disabled).toBe(true)
})

it('sends to the collector that the person names, without contents unless that is ticked, too', async () => {
  const { host, user } = await open()
  await user.type(
    screen.getByLabelText('Address of the collector'),
    ' https://collector.example:4318 ',
  )
  await user.click(save())
  expect(await screen.findByText('Saved. Traces and metrics are sent from now on.')).toBeTruthy()
  await user.click(screen.getByLabelText('Send arguments and results, too'))
  await user.click(save())
  expect(set(host)).toEqual([
    { settings: { endpoint: 'https://collector.example:4318', contents: false, propagate: false } },
    { settings: { endpoint: 'https://collector.example:4318', contents: true, propagate: false } },
  ])
})

it('stops with one press', async () => {
  const { host, user } = await open((world) => (world.telemetry = someTelemetry(false)))
  await user.click(screen.getByRole('button', { name: 'Send nothing' }))
  expect(await screen.findByText('Saved. Nothing is sent.')).toBeTruthy()
  expect(set(host)).toEqual([{ settings: { endpoint: null, contents: false, propagate: true } }])
})

it('says when something last arrived, and why the last attempt did not', async () => {
  await open((world) => (world.telemetry = someTelemetry(true)))
  expect(document.body.textContent).toContain('Last arrived')
  expect(
    screen.getByText('The last attempt did not arrive').closest('.notice')?.textContent,
  ).toContain('connection refused')
})

it('an address that is none is said, and nothing changes', async () => {
  const { host, user } = await open()
  host.failNext('set_telemetry', 'bad_url')
  await user.type(screen.getByLabelText('Address of the collector'), 'collector')
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain(
    'It has to begin with https:// or http:// and name a host.',
  )
  expect(document.body.textContent).toContain('Sends nothing')
})
