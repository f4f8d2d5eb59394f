/** Promises of what an application is given: what is shown is what holds, and nothing is given before it is saved. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { clientActs } from '../../src/host/fake/clientActs'
import { fullWorld } from '../../src/host/fake/sample'
import type { ClientChange } from '../../src/host/types.gen'
import { askedFor, open, page, settle } from '../support'

const at = (address: string) => {
  const world = fullWorld()
  return open(App, world, address, clientActs(world))
}
const box = (name: string | RegExp): HTMLInputElement => screen.getByRole('checkbox', { name })
const changes = (host: Parameters<typeof askedFor>[0]): ClientChange[] =>
  askedFor<{ change: ClientChange }>(host, 'change_client').map(({ change }) => change)

it('it says how many of all tools it has, and what they take of the context in both ways', async () => {
  await at('#/clients/claude-code/tools')
  expect(page()).toContain('3 of 9 tools: about 610 tokens if listed, 420 with search.')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Search for tools' }).checked).toBe(
    true,
  )
})

it('the other way of showing tools holds at once, and one that was not taken is taken back', async () => {
  const { host, person } = await at('#/clients/claude-code/tools')
  host.failNext('change_client', 'log_not_writable')
  await person.click(screen.getByRole('radio', { name: 'List all tools' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Search for tools' }).checked).toBe(
    true,
  )
  await person.click(screen.getByRole('radio', { name: 'List all tools' }))
  await settle()
  expect(changes(host).at(-1)).toEqual({ kind: 'mode', mode: 'direct' })
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'List all tools' }).checked).toBe(true)
})

it('servers and tools are checked as they are given, and nothing is given before it is saved', async () => {
  const { host, person } = await at('#/clients/claude-code/tools')
  expect([box('currency').checked, box('mail').checked]).toEqual([true, false])
  expect([box('files').checked, box('files').indeterminate]).toEqual([false, true])
  await person.click(screen.getByRole('button', { name: 'Show tools of files' }))
  const files = within(screen.getByRole('list', { name: 'files' }))
  await person.click(files.getByRole('checkbox', { name: 'read_page' }))
  await person.click(box('currency'))
  expect(page()).toContain('Not saved yet')
  expect(changes(host)).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await settle()
  expect(changes(host)).toEqual([
    {
      kind: 'tools',
      tools: { kind: 'only', parts: [{ server: 'files', tools: ['list_directory', 'read_page'] }] },
    },
  ])
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
})

it('what was not saved is discarded with one press', async () => {
  const { host, person } = await at('#/clients/claude-code/tools')
  await person.click(box('currency'))
  await person.click(box('Also give servers and tools that are added later'))
  await person.click(screen.getByRole('button', { name: 'Discard' }))
  expect(box('currency').checked).toBe(true)
  expect(box('Also give servers and tools that are added later').checked).toBe(false)
  expect(changes(host)).toEqual([])
})

it('who works in another workspace than the one in use has nothing, and it is said', async () => {
  const { host, person } = await at('#/clients/zed/tools')
  expect(page()).toContain('It works in Harbour authority, which is not in use.')
  await person.selectOptions(screen.getByLabelText('Workspace'), 'Whichever is in use')
  await settle()
  expect(changes(host)).toEqual([{ kind: 'workspace', workspace: null }])
  expect(page()).not.toContain('which is not in use')
})

it('the tools of Majordomo itself are offered or not', async () => {
  const { host, person } = await at('#/clients/zed/tools')
  await person.click(box('Offer Majordomo’s own tools'))
  await settle()
  expect(changes(host)).toEqual([{ kind: 'own_tools', on: true }])
  expect(box('Offer Majordomo’s own tools').checked).toBe(true)
})
