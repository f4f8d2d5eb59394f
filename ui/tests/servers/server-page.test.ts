/** Promises of a server's page: its tabs, starting again, and the era it is spoken to in. */
import { cleanup, screen } from '@testing-library/svelte'
import { afterEach, describe, expect, it, test } from 'vitest'
import { reviewOf } from '../../src/host/fake/launch'
import { fullWorld } from '../../src/host/fake/sample'
import type { ErrorCode } from '../../src/host/types.gen'
import { remedyOf } from '../../src/parts/servers/remedy'
import Servers from '../../src/views/Servers.svelte'
import { running, server } from '../replies'
import { askedFor, open, page, settle } from '../support'

const tabs = (): string[] =>
  screen.getAllByRole('tab').map((tab) => tab.textContent.replace(/\d+$/, ''))

afterEach(cleanup)

test('a server has a page for what it offers, and none for what it does not', async () => {
  await open(Servers, fullWorld(), '#/servers/files')
  expect(tabs()).toEqual([
    'Tools',
    'Resources',
    'Prompts',
    'Review',
    'Folders',
    'Log',
    'Messages',
    'Output',
    'Details',
  ])
  cleanup()
  await open(Servers, fullWorld(), '#/servers/mail')
  expect(tabs()).toEqual(['Tools', 'Resources', 'Review', 'Folders', 'Messages', 'Details'])
})

test('the address of a page that a server does not have leads to its tools', async () => {
  await open(Servers, fullWorld(), '#/servers/currency/prompts')
  expect(screen.getByRole('tab', { selected: true }).textContent).toContain('Tools')
})

test('a server that is started again says when, after how many failures, and need not be waited for', async () => {
  const world = fullWorld()
  const calendar = world.servers.find((server) => server.id === 'calendar')!
  if (calendar.state.kind === 'waiting') calendar.state.until = Date.now() + 8_000
  const { host, person } = await open(Servers, world, '#/servers/calendar', {
    restart_server: running(world, 'calendar'),
  })
  expect(screen.getByRole('timer').textContent).toMatch(/Starts again in [78] sec/)
  expect(page()).toContain('It has failed 3 times in a row.')
  expect(page()).toContain('database is locked')
  await person.click(screen.getByRole('button', { name: 'Start now' }))
  await settle()
  expect(askedFor(host, 'restart_server')).toEqual([{ server: 'calendar' }])
  expect(page()).not.toContain('in a row')
})

test('the era that was found is said with its revisions, and another is chosen', async () => {
  const world = fullWorld()
  const era = { choice: 'modern' as const, found: 'legacy' as const, found_at: 0 }
  const { host, person } = await open(Servers, world, '#/servers/files/details', {
    set_era: server(world, 'files', { era }),
  })
  expect(page()).toContain('handshake (2024-11-05 to 2025-11-25)')
  await person.click(screen.getByRole('radio', { name: 'Stateless (2026-07-28)' }))
  await settle()
  expect(askedFor(host, 'set_era')).toEqual([{ server: 'files', era: 'modern' }])
})

test('a server that rests says that it runs when used, and can be kept running', async () => {
  const world = fullWorld()
  world.servers.find((one) => one.id === 'files')!.state = { kind: 'idle' }
  const { host, person } = await open(Servers, world, '#/servers/files/details', {
    set_runs: server(world, 'files', { runs: 'always' }),
  })
  expect(page()).toContain('Runs when used')
  await person.click(screen.getByRole('radio', { name: 'Always' }))
  await settle()
  expect(askedFor(host, 'set_runs')).toEqual([{ server: 'files', runs: 'always' }])
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Always' }).checked).toBe(true)
})

test('a choice of era that fails stays as it was', async () => {
  const { host, person } = await open(Servers, fullWorld(), '#/servers/files/details')
  host.failNext('set_era', 'database_locked')
  await person.click(screen.getByRole('radio', { name: 'Handshake (2024–2025)' }))
  await settle()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Find out' }).checked).toBe(true)
  expect(screen.getByRole('alert').textContent).toContain('The database is locked')
})

describe('the next step for an error', () => {
  test.each<[ErrorCode, string | undefined]>([
    ['needs_sign_in', 'sign_in'],
    ['needs_more_rights', 'sign_in'],
    ['sign_in_expired', 'sign_in'],
    ['client_id_needed', 'client'],
    ['registration_refused', 'client'],
    ['sign_in_not_found', 'diagnose'],
    ['session_lost', 'restart'],
    ['connection_lost', 'restart'],
    ['bad_certificate', 'edit'],
    ['redirected', 'edit'],
    ['proxy_failed', 'restart'],
    ['not_confined', 'sandbox'],
  ])('%s is %s', (code, remedy) => {
    expect(remedyOf(code, { builtin: false, signsIn: true })).toBe(remedy)
  })

  it('is no sign-in where there is none', () => {
    expect(remedyOf('needs_sign_in', { builtin: false, signsIn: false })).toBe('edit')
    expect(remedyOf('needs_sign_in', { builtin: true, signsIn: false })).toBe('restart')
  })
})

test('a download says what is fetched, for how long and with which newest line, and can be ended', async () => {
  const world = fullWorld()
  const download = { package: 'mcp-server-tea', since: Date.now() - 12_000 }
  const files = world.servers.find((server) => server.id === 'files')!
  Object.assign(files, { state: { kind: 'starting' }, download })
  const { host, person } = await open(Servers, world, '#/servers/files', {
    disable_server: server(world, 'files', { on: false, state: { kind: 'off' }, download: null }),
  })
  host.publish({ kind: 'server_wrote', server: 'files', lines: ['fetching 1', 'fetching 2'] })
  await settle()
  expect(page()).toContain('Downloading mcp-server-tea')
  expect(screen.getByRole('timer').textContent).toMatch(/1[23] sec/)
  expect(page()).toContain('fetching 2')
  expect(page()).not.toContain('fetching 1')
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await settle()
  expect(askedFor(host, 'disable_server')).toEqual([{ server: 'files' }])
  expect(page()).not.toContain('Downloading')
})

test('a folder that an argument names is given with the yes, unless the person says otherwise', async () => {
  const world = fullWorld()
  const files = world.servers.find((server) => server.id === 'files')!
  if (files.launch.kind !== 'stdio') throw new Error('files runs a command')
  files.launch.args = ['-y', '/home/ada/notes', '/home/ada/letters']
  Object.assign(files, { reviewed: false, on: false, state: { kind: 'off' } })
  const { host, person } = await open(Servers, world, '#/servers/files', {
    review_server: reviewOf('files', files.launch),
    add_root: server(world, 'files'),
    enable_server: running(world, 'files'),
  })
  await person.click(screen.getByRole('button', { name: 'Review it' }))
  await settle()
  await person.click(screen.getByRole('checkbox', { name: /letters/ }))
  await person.click(screen.getByRole('button', { name: 'Switch on' }))
  await settle()
  expect(askedFor(host, 'add_root')).toEqual([
    { server: 'files', path: '/home/ada/notes', accept_protected: false },
  ])
  expect(askedFor(host, 'enable_server')).toHaveLength(1)
})
