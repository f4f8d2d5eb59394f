/** Promises of what could not be loaded: wherever that is said, it can be asked for again. */
import { cleanup, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import { hostError } from '../src/host/error'
import type { Replies } from '../src/host/fake'
import { fullWorld } from '../src/host/fake/sample'
import { showing } from '../src/host/fake/world'
import type { Method } from '../src/host/host'
import Activity from '../src/views/Activity.svelte'
import Policy from '../src/views/Policy.svelte'
import Servers from '../src/views/Servers.svelte'
import Settings from '../src/views/Settings.svelte'
import Tools from '../src/views/Tools.svelte'
import { askedFor, open, until } from './support'

afterEach(cleanup)

/** A host of which one request fails until it is mended. */
function broken(method: Method): { replies: Replies; mend: () => void } {
  const reply = showing(fullWorld())[method]
  let fails = true
  const answer = (params: never, host: never): unknown => {
    if (fails) throw hostError('internal', 'The pipe is broken.')
    return typeof reply === 'function' ? reply(params, host) : reply
  }
  return { replies: { [method]: answer }, mend: () => (fails = false) }
}

const problem = (): HTMLElement => {
  const found = screen
    .getAllByRole('alert')
    .find((alert) => alert.textContent.includes('The pipe is broken.'))
  if (!found) throw new Error('no problem is shown')
  return found
}

test.each<[what: string, method: Method, view: Component, at: string]>([
  ['the prompts of a server', 'list_prompts', Servers, '#/servers/files/prompts'],
  ['the resources of a server', 'list_resources', Servers, '#/servers/files/resources'],
  ['the log of a server', 'list_logs', Servers, '#/servers/files/logs'],
  ['the messages of a server', 'list_exchange', Servers, '#/servers/files/exchange'],
  ['the tools of a server', 'list_tools', Servers, '#/servers/files/tools'],
  ['what a server offers', 'review_offers', Servers, '#/servers/files/review'],
  ['what a server writes', 'server_log', Servers, '#/servers/files/output'],
  ['how a server is reached', 'review_server', Servers, '#/servers/files/details'],
  ['what a server can access', 'review_confinement', Servers, '#/servers/files/details'],
  ['whether a server may ask a model', 'show_sampling', Servers, '#/servers/files/details'],
  ['the tools to choose from', 'list_tools', Tools, '#/tools'],
  ['one tool', 'list_tools', Tools, '#/tools/files/read_file'],
  ['one row of the log', 'show_activity', Activity, '#/activity/1'],
  ['the tools of a call to try', 'list_tools', Policy, '#/policy/try/files/read_file'],
  ['how long questions wait', 'question_time', Settings, '#/settings/general'],
  ['the collector of traces', 'show_telemetry', Settings, '#/settings/telemetry'],
])('where %s could not be loaded, a person can try again', async (_, method, view, at) => {
  const { replies, mend } = broken(method)
  const { host, person } = await open(view, fullWorld(), at, replies)
  await until(problem)
  const before = askedFor(host, method).length
  mend()
  await person.click(within(problem()).getByRole('button', { name: 'Try again' }))
  await until(() => expect(problem).toThrow())
  expect(askedFor(host, method).length).toBeGreaterThan(before)
})
