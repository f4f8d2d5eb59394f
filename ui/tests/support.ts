/** A page on a pretended host, and the person in front of it. */
import { cleanup, render as renderAlone } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { Component } from 'svelte'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import App from '../src/App.svelte'
import { FakeHost, type Replies } from '../src/host/fake'
import { fullWorld } from '../src/host/fake/sample'
import { showing, type World } from '../src/host/fake/world'
import type { Host } from '../src/host/host'
import { language } from '../src/messages'
import { loadAhead } from '../src/routes'
import { inContext, makeStores, type Stores } from '../src/state/stores'

/** The stores of the page that is open. */
export let stores: Stores
let end = (): void => undefined

/** Makes a page's stores on a host; `follow` ends with the next page, or with `leave`. */
export function begin(host: Host): Stores {
  leave()
  if (host instanceof FakeHost) written(host)
  stores = makeStores(host)
  return stores
}

/** Follows the host and the address, as the window does. */
export function follow(): void {
  const ends = [stores.session.follow(), stores.router.follow()]
  end = () => ends.forEach((one) => one())
}

/** Ends what the page follows. */
export function leave(): void {
  end()
  end = () => undefined
}

const hosts = new Set<FakeHost>()

/** A host whose replies have to be written. */
export function written(host: FakeHost): FakeHost {
  hosts.add(host)
  return host
}

// A page shows an error of its host and goes on; a test that forgot a reply must not.
afterEach(() => {
  const unwritten = [...hosts].flatMap((host) => host.unwritten)
  hosts.clear()
  expect(unwritten).toEqual([])
})

/** The tests of a file speak English, and time passes when they say so. */
export function onFakeTime(): void {
  beforeEach(() => {
    language.choose('en')
    vi.useFakeTimers()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })
}

/** Shows a component with the stores of the page that is open. */
export const render: typeof renderAlone = (component, options, further) =>
  renderAlone(component, { props: options, context: inContext(stores) } as never, further)

/** Waits until the host has answered what was asked. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

/** Waits until something holds; its end only bounds a failure, since a busy machine is no reason to fail. */
export const until = <T>(holds: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(holds, { timeout: 30_000 })

/** Opens a component at an address, on a host that shows a world and replies to whatever else is asked as written. */
export async function open(
  view: Component,
  world: World = fullWorld(),
  at = '',
  replies: Replies = {},
): Promise<{ host: FakeHost; person: UserEvent }> {
  // Whoever waits in a test waits for the host, not for a room.
  if (view === App) await loadAhead()
  const host = new FakeHost({ ...showing(world), ...replies })
  begin(host)
  follow()
  stores.router.go(at)
  await settle()
  render(view)
  await settle()
  return { host, person: userEvent.setup() }
}

/** What the person reads in the whole page. */
export const page = (): string => document.body.textContent

/** What was asked of the host, by name. */
export function askedFor<T = unknown>(host: FakeHost, method: string): T[] {
  return host.asked
    .filter((request) => request.method === method)
    .map((request) => request.params as T)
}
