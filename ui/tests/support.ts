/** A window on a pretended host, and the person in front of it. */
import { render } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { Component } from 'svelte'
import { FakeHost, type FakeWorld } from '../src/host/fake'
import { fullWorld } from '../src/host/fake/sample'
import { here } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'

/** Waits until the host has answered what was asked. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

/** Opens a component on a pretended host, at an address. */
export async function open(view: Component, world: FakeWorld = fullWorld(), at = ''): Promise<{ host: FakeHost; person: UserEvent }> {
  const host = new FakeHost(world)
  session.leave()
  session.connect(host)
  here.go(at)
  await settle()
  render(view)
  await settle()
  return { host, person: userEvent.setup() }
}

/** What the person reads in the whole page. */
export const page = (): string => document.body.textContent

/** What was asked of the host, by name. */
export function askedFor<T = unknown>(host: FakeHost, method: string): T[] {
  return host.asked.filter((request) => request.method === method).map((request) => request.params as T)
}
