/** Promises of the host that other tests are written on. */
import { expect, it } from 'vitest'
import { FakeHost, type Replies } from '../src/host/fake'
import type { EventEnvelope } from '../src/host/types.gen'

it('a request is replied with what was written for it, and noted', async () => {
  const host = new FakeHost({
    cancel_call: null,
    set_log_level: ({ server, level }) => ({ server, level, lines: [], dropped: 0 }),
  })
  expect(await host.ask('cancel_call', { call: 'call-1' })).toBeNull()
  expect(await host.ask('set_log_level', { server: 'files', level: 'info' })).toMatchObject({
    level: 'info',
  })
  expect(host.asked.map(({ method }) => method)).toEqual(['cancel_call', 'set_log_level'])
})

it('a request for which nothing was written is an error that names it', async () => {
  const host = new FakeHost()
  await expect(host.ask('list_grants')).rejects.toMatchObject({
    message: expect.stringContaining('list_grants'),
  })
  expect(host.unwritten).toEqual(['list_grants'])
})

it('a reply that the contract does not know does not type-check', () => {
  // @ts-expect-error -- Approvals are a list.
  const wrong: Replies = { list_grants: null }
  // @ts-expect-error -- There is no such request.
  const unknown: Replies = { list_everything: [] }
  expect([wrong, unknown]).toHaveLength(2)
})

it('what is written later is replied from then on, and a failure once', async () => {
  const host = new FakeHost({ list_grants: [] })
  host.failNext('list_grants', 'database_locked')
  await expect(host.ask('list_grants')).rejects.toMatchObject({ code: 'database_locked' })
  expect(await host.ask('list_grants')).toEqual([])
  host.reply('remove_server', null)
  expect(await host.ask('remove_server', { server: 'files' })).toBeNull()
})

it('a reply is a copy: what a page does to it reaches nobody else', async () => {
  const host = new FakeHost({ list_grants: [] })
  const first = await host.ask('list_grants')
  first.length = 1
  expect(await host.ask('list_grants')).toEqual([])
})

it('events have numbers without a gap, unless some are lost', async () => {
  const host = new FakeHost()
  const heard: EventEnvelope[] = []
  await host.listen({ event: (envelope) => heard.push(envelope), lost: () => undefined })
  host.publish({ kind: 'policy_changed' })
  host.publish({ kind: 'policy_changed' })
  host.loseEvents(2)
  host.publish({ kind: 'policy_changed' })
  expect(heard.map(({ seq }) => seq)).toEqual([101, 102, 105])
})
