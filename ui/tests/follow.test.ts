import { expect, test } from 'vitest'
import { FakeHost } from '../src/host/fake'
import { fullWorld } from '../src/host/fake/sample'
import { showing } from '../src/host/fake/world'
import { follow } from '../src/host/follow'
import type { HostEvent, Snapshot } from '../src/host/types.gen'

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const toolsChanged = (server: string): HostEvent => ({ kind: 'tools_changed', server })

interface Heard {
  host: FakeHost
  snapshots: Snapshot[]
  events: HostEvent[]
  errors: string[]
  end: () => void
}

async function following(): Promise<Heard> {
  const heard: Heard = {
    host: new FakeHost(showing(fullWorld())),
    snapshots: [],
    events: [],
    errors: [],
    end: () => undefined,
  }
  heard.end = follow(
    heard.host,
    {
      snapshot: (snapshot) => heard.snapshots.push(snapshot),
      event: (event) => heard.events.push(event),
      lost: (error) => heard.errors.push(error.code),
    },
    1,
  )
  await settle()
  return heard
}

test('events in order are given one by one after one snapshot', async () => {
  const heard = await following()
  heard.host.publish(toolsChanged('files'))
  heard.host.publish(toolsChanged('currency'))
  expect(heard.events).toEqual([toolsChanged('files'), toolsChanged('currency')])
  expect(heard.snapshots).toHaveLength(1)
})

test('a gap in the numbers asks for a new snapshot, which includes what was missed', async () => {
  const heard = await following()
  heard.host.loseEvents(1)
  heard.host.publish(toolsChanged('files'))
  expect(heard.events).toEqual([])
  await settle()
  expect(heard.snapshots).toHaveLength(2)
  heard.host.publish(toolsChanged('currency'))
  expect(heard.events).toEqual([toolsChanged('currency')])
})

test('an event that comes while the snapshot is made is neither lost nor given twice', async () => {
  const host = new FakeHost(showing(fullWorld()))
  const events: HostEvent[] = []
  const end = follow(host, {
    snapshot: () => undefined,
    event: (event) => events.push(event),
    lost: () => undefined,
  })
  await Promise.resolve()
  host.publish(toolsChanged('files'))
  await settle()
  host.publish(toolsChanged('currency'))
  // The first is either in the snapshot or given: only the second must be given once.
  expect(
    events.filter((event) => event.kind === 'tools_changed' && event.server === 'currency'),
  ).toHaveLength(1)
  expect(
    events.filter((event) => event.kind === 'tools_changed' && event.server === 'files').length,
  ).toBeLessThan(2)
  end()
})

test('a broken stream is said and followed again from a new snapshot', async () => {
  const heard = await following()
  heard.host.breakStream()
  expect(heard.errors).toEqual(['connection_lost'])
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(heard.snapshots).toHaveLength(2)
  heard.host.publish(toolsChanged('files'))
  expect(heard.events).toEqual([toolsChanged('files')])
})

test('nothing is heard after the end', async () => {
  const heard = await following()
  heard.end()
  heard.host.publish(toolsChanged('files'))
  expect(heard.events).toEqual([])
})
