/** Promises of connecting applications: what is written was seen first, what goes past Majordomo is said, and all of it can be undone. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { applicationActs } from '../../src/host/fake/clientActs'
import { fullWorld } from '../../src/host/fake/sample'
import {
  sampleApplications,
  sampleBypasses,
  samplePreview,
} from '../../src/host/fake/sampleApplications'
import { fakeFingerprint } from '../../src/host/fake/fingerprint'
import type { Replies } from '../../src/host/fake'
import type { ApplicationView, Bypass, ConnectionPreview } from '../../src/host/types.gen'
import { withBypasses } from '../../src/parts/clients/applicationText'
import { held } from '../replies'
import { askedFor, open, page, settle } from '../support'

const DESKTOP = '/home/ada/.config/Claude/claude_desktop_config.json'
const about = { application: 'claude_desktop', path: DESKTOP }

const at = (replies: Replies = {}) => {
  const world = fullWorld()
  return open(App, world, '#/clients', { ...applicationActs(world), ...replies })
}
const article = (name: string): HTMLElement => screen.getByRole('article', { name })
const press = (name: string): HTMLElement => screen.getByRole('button', { name })
const dialog = (): HTMLElement => screen.getByRole('dialog')
const hashFor = (...without: string[]): string => fakeFingerprint(['claude_desktop', true, without])

it('each application says whether it uses Majordomo, and what has become of that', async () => {
  await at()
  expect(article('Claude Code').textContent).toMatch(/Connected/)
  expect(article('Claude Desktop').textContent).toMatch(/Not connected/)
  expect(article('Zed').textContent).toMatch(/The entry is gone/)
  expect(article('VS Code').textContent).toMatch(/Restart VS Code for the change to take effect/)
  expect(article('Goose').textContent).toMatch(/line 14 has a tab/)
  expect(within(article('Goose')).queryByRole('button')).toBeNull()
})

it('one that leads here and may not be who came is not said to be connected', async () => {
  const seen = { kind: 'leads_here', seen_at: Date.now() } as const
  const views = sampleApplications()
  const [shared, byHand] = [views[0], views[1]] as [ApplicationView, ApplicationView]
  await at({
    list_applications: () => [
      { ...shared, connection: seen, client: 'editor' },
      { ...byHand, connection: { kind: 'leads_here', seen_at: null }, client: null },
    ],
    list_bypasses: () => [],
  })
  const [first, second] = screen.getAllByRole('article') as [HTMLElement, HTMLElement]
  expect(first.textContent).toMatch(/Leads here.*Others name the same application/)
  expect(within(first).getByRole('button', { name: /Undo the connection/ })).toBeTruthy()
  expect(second.textContent).toMatch(/Leads here.*has not written/)
  expect(within(second).queryByRole('button')).toBeNull()
  for (const one of [first, second]) expect(one.textContent).not.toContain('Connected')
})

it('the difference is seen first, with words for what comes and goes, and only that is written', async () => {
  const { host, person } = await at()
  await person.click(press('Connect Claude Desktop'))
  await settle()
  expect(document.activeElement?.textContent).toContain('Cancel')
  expect(askedFor(host, 'connect_application')).toEqual([])
  const difference = screen.getByRole('region', { name: 'What changes in the file' })
  expect(difference.textContent).toMatch(/Added:.*"majordomo"/)
  expect(difference.querySelectorAll('ins')).toHaveLength(4)
  expect(difference.querySelectorAll('del')).toHaveLength(0)
  await person.click(press('Write the change'))
  await settle()
  expect(askedFor(host, 'connect_application')).toEqual([
    { ...about, without: [], hash: hashFor() },
  ])
  expect(dialog().textContent).toContain('Restart Claude Desktop for the change to take effect.')
  expect(dialog().textContent).toContain(`${DESKTOP}.before`)
  expect(dialog().textContent).toContain('Nothing is allowed to it yet')
  await person.click(press('Done'))
  expect(article('Claude Desktop').textContent).toContain('Waiting for its first connection')
})

it('what it starts without Majordomo is said, and goes with the change where it is checked', async () => {
  const { host, person } = await at()
  expect(article('Claude Desktop').textContent).toContain(
    'Claude Desktop starts 1 server without Majordomo',
  )
  await person.click(press('Remove from its configuration…'))
  await settle()
  await person.click(within(dialog()).getByRole('checkbox', { name: /filesystem/ }))
  await settle()
  const difference = screen.getByRole('region', { name: 'What changes in the file' })
  expect(difference.textContent).toMatch(/Removed:.*"filesystem"/)
  await person.click(press('Write the change'))
  await settle()
  expect(askedFor(host, 'connect_application')).toEqual([
    { ...about, without: ['filesystem'], hash: hashFor('filesystem') },
  ])
  await person.click(press('Done'))
  expect(article('Claude Desktop').textContent).not.toContain('without Majordomo')
})

it('what stands in the file of a project has to be taken out by hand, and that is said', async () => {
  await at()
  expect(article('Claude Code').textContent).toContain('Remove the entry yourself')
  expect(article('Claude Code').textContent).toContain('/home/ada/harbour')
  expect(within(article('Claude Code')).queryByRole('button', { name: /Remove from/ })).toBeNull()
})

it('no server that is used without Majordomo is left out, whichever application and file it is of', () => {
  const [view] = sampleApplications() as [ApplicationView]
  const [one] = sampleBypasses() as [Bypass]
  const other = { ...view, path: '/home/ada/.claude-beta.json' }
  const at = (path: string, application = view.application): Bypass => ({
    ...one,
    application,
    path,
  })
  const all = [at(other.path), at('/home/ada/elsewhere.json'), at('/x', 'lm_studio')]
  const { views, others } = withBypasses([view, other], all)
  expect(views.map(({ bypasses }) => bypasses.map(({ path }) => path))).toEqual([
    ['/home/ada/elsewhere.json'],
    [other.path],
  ])
  expect(others).toEqual([['lm_studio', [all[2]]]])
})

it('an application that cannot be connected still says what it does without Majordomo', async () => {
  await at()
  expect(page()).toContain('LM Studio starts 1 server without Majordomo')
})

it('nothing can be written while another difference is on its way', async () => {
  const late = held<ConnectionPreview>()
  const world = fullWorld()
  const view = world.applications.find(({ path }) => path === DESKTOP) as ApplicationView
  const { person } = await at({
    preview_connection: ({ without }) => (without.length === 0 ? samplePreview(view, true) : late),
  })
  await person.click(press('Connect Claude Desktop'))
  await settle()
  await person.click(within(dialog()).getByRole('checkbox', { name: /filesystem/ }))
  await settle()
  expect(press('Write the change')).toHaveProperty('disabled', true)
  late.finish(samplePreview(view, true, ['filesystem']))
  await settle()
  expect(press('Write the change')).toHaveProperty('disabled', false)
})

it('a file that has changed meanwhile is shown again, and nothing is written by itself', async () => {
  const { host, person } = await at()
  host.failNext('connect_application', 'file_changed')
  await person.click(press('Connect Claude Desktop'))
  await settle()
  await person.click(press('Write the change'))
  expect(await screen.findByText('The file has changed meanwhile')).toBeTruthy()
  const before = askedFor(host, 'preview_connection').length
  await person.click(press('Show again'))
  await settle()
  expect(askedFor(host, 'preview_connection')).toHaveLength(before + 1)
  expect(askedFor(host, 'connect_application')).toHaveLength(1)
  expect(screen.queryByText('The file has changed meanwhile')).toBeNull()
})

it('what Majordomo does not write can be pasted', async () => {
  const { host, person } = await at({
    preview_connection: () => ({
      ...about,
      application: 'claude_desktop',
      leads_to: null,
      client: null,
      name: 'Claude Desktop',
      plan: { kind: 'paste', problem: 'It has comments.', snippet: '"majordomo": {}' },
      takes_up: 'restart',
    }),
  })
  await person.click(press('Connect Claude Desktop'))
  await settle()
  expect(dialog().textContent).toContain('It has comments.')
  expect(screen.getByRole('region', { name: 'Entry to paste' }).textContent).toBe('"majordomo": {}')
  expect(screen.queryByRole('button', { name: 'Write the change' })).toBeNull()
  await person.click(press('Done'))
  expect(askedFor(host, 'connect_application')).toEqual([])
})

it('a connection is undone after a look at what that changes', async () => {
  const { host, person } = await at()
  await person.click(press('Undo the connection of Claude Code'))
  await settle()
  expect(dialog().textContent).toContain('The file becomes exactly what it was before')
  expect(document.activeElement?.textContent).toContain('Cancel')
  await person.click(press('Undo the connection'))
  await settle()
  expect(askedFor(host, 'disconnect_application')).toHaveLength(1)
  expect(dialog().textContent).toContain('The connection of Claude Code is undone')
  await person.click(press('Done'))
  expect(article('Claude Code').textContent).toContain('Not connected')
})

it('a preview that fails says why, and can be tried again', async () => {
  const { host, person } = await at()
  host.failNext('preview_connection', 'internal')
  await person.click(press('Connect Claude Desktop'))
  expect(await within(dialog()).findByRole('alert')).toBeTruthy()
  expect(press('Write the change')).toHaveProperty('disabled', true)
  await person.click(within(dialog()).getByRole('button', { name: 'Try again' }))
  await settle()
  expect(page()).toContain('These lines change')
})
