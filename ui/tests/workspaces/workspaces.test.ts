/** Promises of workspaces: one press uses another, and what goes with one is said before it goes. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import type { FakeHost } from '../../src/host/fake'
import { fullWorld } from '../../src/host/fake/sample'
import { firstWorkspace, sampleWorkspaces } from '../../src/host/fake/sampleWorkspaces'
import type { WorkspaceView } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { server } from '../replies'
import { askedFor, open, page, settle, stores } from '../support'

const HARBOUR = 'workspace-0000000000000002'
const [HOME, OTHER, FAMILY] = sampleWorkspaces() as [WorkspaceView, WorkspaceView, WorkspaceView]

/** Tells of the workspaces as they are now, and replies. */
const telling =
  <T>(reply: T, ...workspaces: WorkspaceView[]) =>
  (_: unknown, host: FakeHost): T => {
    host.publish({ kind: 'workspaces_changed', workspaces })
    return reply
  }

const switcher = (): HTMLElement => screen.getByRole('region', { name: 'Workspaces' })
const names = (): (string | undefined)[] =>
  within(switcher())
    .getAllByRole('button')
    .map((button) => button.textContent.trim())

it('one press uses another workspace, and its servers are the ones that run', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/servers', {
    switch_workspace: (_, fake) => {
      fake.publish({ kind: 'server_changed', server: server(world, 'mail', { on: false }) })
      return { ...OTHER, active: true }
    },
  })
  expect(names()).toEqual(['First workspace', 'Harbour authority', '家里'])
  expect(within(switcher()).getByRole('button', { current: true }).textContent).toContain(
    'First workspace',
  )
  await person.click(within(switcher()).getByRole('button', { name: 'Harbour authority' }))
  await settle()
  expect(askedFor(host, 'switch_workspace')).toEqual([{ workspace: HARBOUR }])
  expect(within(switcher()).getByRole('button', { current: true }).textContent).toContain(
    'Harbour authority',
  )
  expect(stores.servers.get('mail')?.on).toBe(false)
})

it('the one in use is not switched to again', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers')
  await person.click(within(switcher()).getByRole('button', { name: 'First workspace' }))
  expect(askedFor(host, 'switch_workspace')).toEqual([])
})

it('a switch that fails is said, and the one before stays', async () => {
  const { host, person } = await open(App, fullWorld(), '#/tools')
  host.failNext('switch_workspace', 'unknown_workspace')
  await person.click(within(switcher()).getByRole('button', { name: 'Harbour authority' }))
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('The workspace was not switched')
  expect(within(switcher()).getByRole('button', { current: true }).textContent).toContain(
    'First workspace',
  )
})

it('the first one is called by our word in the language of the window, until it has a name', async () => {
  const world = fullWorld()
  world.workspaces = [firstWorkspace()]
  const { host } = await open(App, world, '#/servers')
  language.choose('zh-CN')
  await settle()
  expect(page()).toContain('首个工作区')
  language.choose('en')
  host.publish({
    kind: 'workspaces_changed',
    workspaces: [{ ...firstWorkspace(), name: 'Everyday' }],
  })
  await settle()
  expect(names()).toEqual(['Everyday'])
})

it('each shows its servers, folders and tools that are off', async () => {
  await open(App, fullWorld(), '#/workspaces')
  const card = screen.getByRole('article', { name: 'Harbour authority' })
  expect(card.textContent).toContain('2 approvals hold in it')
  const rows = within(card).getAllByRole('row').slice(1)
  const cells = rows.map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()),
  )
  expect(cells).toEqual([
    ['filesOn', '/home/ada/clients/harbour', 'write_fileeverything'],
    ['git-historyOn', '/home/ada/clients/harbour', 'None'],
  ])
})

it('one is added like another, and named', async () => {
  const second = { ...OTHER, id: 'workspace-4', name: 'Harbour authority 2', grants: 0 }
  const { host, person } = await open(App, fullWorld(), '#/workspaces', {
    add_workspace: telling(second, HOME, OTHER, second, FAMILY),
  })
  host.failNext('add_workspace', 'name_taken')
  await person.click(screen.getByRole('button', { name: 'Add a workspace' }))
  await person.type(screen.getByLabelText(/^Name/), 'Harbour authority')
  await person.selectOptions(screen.getByLabelText('Begins'), HARBOUR)
  await person.click(screen.getByRole('button', { name: 'Add' }))
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('Another workspace is called that.')
  await person.type(screen.getByLabelText(/^Name/), ' 2{Enter}')
  await settle()
  expect(askedFor(host, 'add_workspace').at(-1)).toEqual({
    name: 'Harbour authority 2',
    like: HARBOUR,
  })
  expect(
    within(screen.getByRole('article', { name: 'Harbour authority 2' })).getByText(
      '0 approvals hold in it',
      { exact: false },
    ),
  ).toBeTruthy()
})

it('one is called something else', async () => {
  const named = { ...HOME, name: 'Everyday' }
  const { host, person } = await open(App, fullWorld(), '#/workspaces', {
    rename_workspace: telling(named, named, OTHER),
  })
  await person.click(screen.getByRole('button', { name: 'Rename First workspace' }))
  await person.type(screen.getByLabelText(/^Name/), 'Everyday{Enter}')
  await settle()
  expect(askedFor(host, 'rename_workspace')).toEqual([
    { workspace: firstWorkspace().id, name: 'Everyday' },
  ])
  expect(screen.getByRole('article', { name: 'Everyday' })).toBeTruthy()
})

it('removing says what goes with it, and the one in use cannot be removed', async () => {
  const { host, person } = await open(App, fullWorld(), '#/workspaces', {
    remove_workspace: telling(null, HOME, FAMILY),
  })
  expect(screen.queryByRole('button', { name: 'Remove First workspace' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Remove Harbour authority' }))
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('every approval that holds only in it go with it')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.click(within(dialog).getByRole('button', { name: 'Remove it with its approvals' }))
  await settle()
  expect(askedFor(host, 'remove_workspace')).toEqual([{ workspace: HARBOUR }])
  expect(screen.queryByRole('article', { name: 'Harbour authority' })).toBeNull()
})
