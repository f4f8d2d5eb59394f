/** A promise of what is shown on hovering: no text from outside hides a character there. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import App from '../src/App.svelte'
import { FakeHost } from '../src/host/fake'
import { reviewOf } from '../src/host/fake/launch'
import { fullWorld } from '../src/host/fake/sample'
import { importEntry } from '../src/host/fake/sampleImport'
import { IconButton } from '../src/kit'
import { pieces } from '../src/kit/visible'
import { begin, open, render, settle } from './support'

const HIDDEN = 'a\u202eb'
const launch = { kind: 'stdio' as const, command: 'run', args: [HIDDEN], env: [], cwd: null }

afterEach(cleanup)

const shown = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[title]')]
    .map(({ title }) => title)
    .filter((title) => /a.*b/s.test(title) && title.includes('202E'))
const hiding = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[title]')]
    .map(({ title }) => title)
    .filter((title) => pieces(title).some(({ kind, text }) => kind === 'mark' && text !== '\n'))

test.each<[string, () => Promise<unknown>]>([
  [
    'what a server runs, and what it wrote last',
    async () => {
      const world = fullWorld()
      world.servers = world.servers.map((server) => ({ ...server, launch }))
      const [failed] = world.servers.filter(({ state }) => state.kind === 'failed')
      if (failed?.state.kind === 'failed') failed.state.stderr = [HIDDEN]
      await open(App, world, '#/servers')
    },
  ],
  [
    'where a configuration lies',
    async () => {
      const world = fullWorld()
      world.configurations = [
        { application: 'cursor', path: `/home/${HIDDEN}`, servers: 1, problem: null },
      ]
      const { person } = await open(App, world, '#/servers')
      await person.click(screen.getByRole('button', { name: 'Add server' }))
      await person.click(screen.getByRole('tab', { name: 'Import configuration' }))
      await settle()
    },
  ],
  [
    'what an entry of a configuration runs',
    async () => {
      const entries = [importEntry(0, 'x', { review: reviewOf('x', launch) })]
      const { person } = await open(App, fullWorld(), '#/servers', {
        preview_import: { format: 'mcpServers', entries },
      })
      await person.click(screen.getByRole('button', { name: 'Add server' }))
      await person.click(screen.getByRole('tab', { name: 'Import configuration' }))
      await settle()
      const [show] = within(screen.getByRole('dialog')).getAllByRole('button', {
        name: /^Show servers/,
      })
      await person.click(show!)
      await settle()
    },
  ],
  [
    'where a resource lies',
    async () => {
      const world = fullWorld()
      for (const { resources } of Object.values(world.offers))
        for (const resource of resources ?? []) resource.uri = `file:///${HIDDEN}`
      await open(App, world, '#/servers/files/resources')
    },
  ],
  [
    'who did what in the activity',
    async () => {
      const world = fullWorld()
      world.activity = world.activity.map((detail) => ({
        ...detail,
        row: {
          ...detail.row,
          tool: HIDDEN,
          caller: { kind: 'client', id: 'editor', name: HIDDEN },
        },
      }))
      const { person } = await open(App, world, '#/activity')
      await person.click(screen.getByRole('button', { name: 'Charts' }))
      await settle()
    },
  ],
  [
    'a button that is only a drawing',
    async () => {
      begin(new FakeHost({}))
      render(IconButton, { icon: 'close', label: `Remove ${HIDDEN}` })
      await settle()
    },
  ],
])('%s', async (_, see) => {
  await see()
  expect(hiding()).toEqual([])
  expect(shown().length).toBeGreaterThan(0)
})
