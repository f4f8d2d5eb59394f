import { screen, within } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import App from '../../src/App.svelte'
import { emptyWorld, fullWorld } from '../../src/host/fake/sample'
import { found, type Place } from '../../src/kit/palette'
import { open, settle } from '../support'

const palette = () => within(screen.getByRole('dialog'))
const options = (): string[] =>
  palette()
    .getAllByRole('option')
    .map((option) => option.textContent.trim())

test('a page, a server and a tool are gone to by typing', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  for (const [words, hash] of [
    ['polic', '#/policy'],
    ['git', '#/servers/git-history'],
    ['exchange curr', '#/tools/currency/get_exchange_rate'],
  ] as const) {
    await person.keyboard('{Control>}k{/Control}')
    await settle()
    await person.keyboard(words)
    await person.keyboard('{Enter}')
    await settle()
    expect(location.hash).toBe(hash)
    expect(screen.queryByRole('dialog')).toBeNull()
  }
})

test('arrow keys point, and Escape leaves everything as it was', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  await person.click(screen.getByRole('button', { name: /Go to…/ }))
  await settle()
  const pointed = (): string => palette().getByRole('option', { selected: true }).textContent
  expect(pointed()).toContain('Chat')
  await person.keyboard('{ArrowDown}')
  expect(pointed()).toContain('Servers')
  await person.keyboard('{ArrowUp}{ArrowUp}')
  expect(pointed()).toBe(palette().getAllByRole('option').at(-1)!.textContent)
  await person.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.hash).toBe('#/servers')
})

test('the palette leads to places only: nothing is asked of the host but lists', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers')
  const before = host.asked.length
  await person.keyboard('{Control>}k{/Control}')
  await settle()
  await person.keyboard('web')
  expect(options().length).toBeGreaterThan(1)
  await person.keyboard('{Enter}')
  await settle()
  const asked = host.asked.slice(before).map(({ method }) => method)
  const looks = /^((list|show|find|review|read)_|server_usage$)/
  expect(asked.filter((method) => !looks.test(method))).toEqual([])
})

test('a name of a tool shows what is hidden in it', async () => {
  const world = fullWorld()
  const tool = world.tools.find(({ server }) => server === 'files')!
  world.tools = [...world.tools, { ...tool, spec: { ...tool.spec, name: 'read\u202efile' } }]
  const { person } = await open(App, world, '#/servers')
  await person.keyboard('{Control>}k{/Control}')
  await settle()
  await person.keyboard('read')
  expect(options().join()).toContain('U+202E')
})

test('a slash leads to the search of the page, and is a letter where a text is typed', async () => {
  const { person } = await open(App, fullWorld(), '#/servers')
  await person.keyboard('/')
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search servers' })
  expect(document.activeElement).toBe(search)
  await person.keyboard('a/?')
  expect(search.value).toBe('a/?')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a question mark shows the keys, which promise to approve nothing', async () => {
  const { person } = await open(App, emptyWorld())
  await person.keyboard('?')
  const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(sheet.textContent).toContain('No key approves, switches on or runs anything.')
  expect(sheet.textContent).toContain('CtrlK')
  await person.keyboard('{Control>}k{/Control}')
  expect(screen.getAllByRole('dialog')).toEqual([sheet])
})

test('of a thousand tools fifty are shown, those that begin with the words first', () => {
  const tool = (name: string): Place => ({
    href: name,
    icon: 'tool',
    name,
    kind: 'Tool',
    searched: true,
  })
  const places = [...Array.from({ length: 1_000 }, (_, at) => tool(`list_${at}`)), tool('at_list')]
  expect(found(places, '')).toEqual([])
  expect(found(places, 'list').length).toBe(50)
  expect(found([tool('at_list'), tool('list_at')], 'list').map(({ name }) => name)).toEqual([
    'list_at',
    'at_list',
  ])
})
