/** Promises of a server's resources. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, describe, expect, it, test } from 'vitest'
import { fullWorld } from '../../src/host/fake/sample'
import type { ResourceResult, ResourceList } from '../../src/host/types.gen'
import { filledIn, gapsOf } from '../../src/parts/resources/template'
import Servers from '../../src/views/Servers.svelte'
import { askedFor, open, page, settle, until } from '../support'

const TODAY = 'file:///home/ada/Documents/today.md'
const at = (uri?: string): string =>
  `#/servers/files/resources${uri === undefined ? '' : `/${encodeURIComponent(uri)}`}`

/** A text that was read. */
const read = (uri: string, text: string): ResourceResult => ({
  contents: [{ kind: 'resource', uri, mime_type: 'text/plain', text, blob: null }],
  notes: [],
})
const NOTE = 'file:///home/ada/Documents/notes/0.txt'

afterEach(cleanup)

test('nothing is read by looking at the list, nor at one of it', async () => {
  const { host, person } = await open(Servers, fullWorld(), at())
  await person.click(screen.getByText('Today'))
  await settle()
  expect(screen.getByRole('region', { name: 'Address' }).textContent).toBe(TODAY)
  expect(askedFor(host, 'read_resource')).toEqual([])
})

test('what was read is shown as text, with what is hidden in it made visible', async () => {
  const { host, person } = await open(Servers, fullWorld(), at(TODAY), {
    read_resource: read(TODAY, 'What stands at\u200b its address'),
  })
  await person.click(screen.getByRole('button', { name: 'Read' }))
  await settle()
  expect(askedFor(host, 'read_resource')).toEqual([{ server: 'files', uri: TODAY }])
  const contents = screen.getByRole('region', { name: 'Contents' })
  expect(contents.textContent).toContain('What stands at')
  expect(within(contents).getByRole('img', { name: 'Invisible character U+200B' })).toBeTruthy()
})

test('bytes that are no picture are saved, not shown', async () => {
  const { host, person } = await open(
    Servers,
    fullWorld(),
    at('file:///home/ada/Documents/photo.raw'),
    {
      read_resource: ({ uri }) => ({
        contents: [
          {
            kind: 'resource',
            uri,
            mime_type: 'application/octet-stream',
            text: null,
            blob: 'AAECAwQFBgc=',
          },
        ],
        notes: [],
      }),
    },
  )
  await person.click(screen.getByRole('button', { name: 'Read' }))
  await settle()
  await person.click(screen.getByRole('button', { name: /save/i }))
  await settle()
  expect(host.saved).toEqual([{ fileName: 'photo.raw.base64', text: 'AAECAwQFBgc=' }])
})

test('a resource is watched, says when it changed, and is news no more once it was read', async () => {
  const world = fullWorld()
  const { resources, templates, watched } = world.offers['files']!
  const watching: ResourceList = {
    server: 'files',
    resources,
    templates,
    watched: [...watched, NOTE],
  }
  const { host, person } = await open(Servers, world, at(NOTE), {
    watch_resource: watching,
    read_resource: read(NOTE, 'A note.'),
  })
  await person.click(screen.getByRole('switch', { name: 'Tell me when it changes' }))
  await settle()
  expect(askedFor(host, 'watch_resource')).toEqual([{ server: 'files', uri: NOTE, on: true }])
  expect(
    screen.getByRole('switch', { name: 'Tell me when it changes' }).getAttribute('aria-checked'),
  ).toBe('true')
  host.publish({
    kind: 'resource_updated',
    server: 'files',
    uri: NOTE,
  })
  await settle()
  expect(page()).toContain('Changed on the server')
  await person.click(screen.getByRole('button', { name: 'Read again' }))
  await settle()
  expect(page()).not.toContain('Changed on the server')
})

test('a switch that fails stays as it was and says why', async () => {
  const { host, person } = await open(Servers, fullWorld(), at(TODAY))
  host.failNext('watch_resource', 'not_offered')
  await person.click(screen.getByRole('switch', { name: 'Tell me when it changes' }))
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('The server does not offer this')
  expect(
    screen.getByRole('switch', { name: 'Tell me when it changes' }).getAttribute('aria-checked'),
  ).toBe('true')
})

test('a change is marked in the list, and a changed list arrives by itself', async () => {
  const { host } = await open(Servers, fullWorld(), at())
  host.publish({ kind: 'resource_updated', server: 'files', uri: TODAY })
  await settle()
  expect(screen.getByText('Changed')).toBeTruthy()
  host.reply('list_resources', { server: 'files', resources: [], templates: [], watched: [] })
  host.publish({ kind: 'offers_changed', server: 'files' })
  await until(() => expect(page()).toContain('This server lists no resources'))
})

test('the gaps of a template are filled in, with proposals, and the address is shown before it is read', async () => {
  const { host, person } = await open(Servers, fullWorld(), at(), {
    complete: { values: ['Documents', 'Documents/today.md'], total: 2, has_more: false },
    read_resource: read(TODAY, 'What is to be done.'),
  })
  const field = screen.getByRole('combobox', { name: 'path' })
  await person.type(field, 'Do')
  await until(() => expect(screen.getByRole('option', { name: 'Documents/today.md' })).toBeTruthy())
  await person.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(screen.getByRole('region', { name: 'Address to be read' }).textContent).toBe(
    'file:///home/ada/Documents/today.md',
  )
  await person.keyboard('{Enter}')
  await settle()
  expect(askedFor(host, 'read_resource')).toEqual([{ server: 'files', uri: TODAY }])
})

test('ten thousand resources draw only those in sight, and the same address twice is one', async () => {
  const world = fullWorld()
  const [first] = world.offers['files']!.resources
  world.offers['files']!.resources = Array.from({ length: 10_000 }, (_, n) => ({
    ...first!,
    uri: `x://${n}`,
  })).concat([{ ...first!, uri: 'x://1' }])
  await open(Servers, world, at())
  expect(page()).toContain('10,000 resources')
  expect(screen.getAllByRole('row').length).toBeLessThan(80)
})

describe('an address with gaps', () => {
  test.each([
    ['file:///{path}', { path: 'a b/c' }, 'file:///a%20b%2Fc'],
    ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
    ['x://h{?q,limit}', { q: 'a&b', limit: '5' }, 'x://h?q=a%26b&limit=5'],
    ['x://h{?q,limit}', { limit: '5' }, 'x://h?limit=5'],
    ['x://h{?q}', { q: '' }, 'x://h'],
    ['x://h{/a,b}{#c}', { a: '1', b: '2', c: 'd' }, 'x://h/1/2#d'],
    ['x://{constructor}', {}, 'x://'],
    ['x://é{a}', { a: '汉' }, 'x://%C3%A9%E6%B1%89'],
  ])('%s with %j is %s', (template, values, expected) => {
    expect(filledIn(template, values as Record<string, string>)).toBe(expected)
  })

  it('names each gap once, in its order', () => {
    expect(gapsOf('x://{b}{?a,b}{&c*}{d:3}')).toEqual(['b', 'a', 'c', 'd'])
  })

  // One that is read in more than its length would not come back from this before the test is ended.
  test.each(['{', '{+', '{a', '{a,', '{a*', '{a:1', '{%41', '{a:1111:', '%', '{a}', ','])(
    'that is hostile (%s, many times) is none, case 40',
    (unit) => {
      const long = unit.repeat(1_000_000)
      expect(gapsOf(long)).toBeNull()
      expect(filledIn(long, { a: '1' })).toBeNull()
      const short = unit.repeat(Math.floor(4_000 / unit.length))
      expect(filledIn(short, { a: 'x'.repeat(100_000) })?.length ?? 0).toBeLessThan(65_537)
    },
  )

  test.each(['x://{', 'x://}', 'x://{}', 'x://{a', 'x://{a b}', 'x://{{a}}', 'x://{!a}'])(
    'that is malformed (%s) is none',
    (template) => {
      expect(gapsOf(template)).toBeNull()
      expect(filledIn(template, { a: '1' })).toBeNull()
    },
  )

  it('that cannot be encoded is none', () => {
    expect(filledIn('x://{a}', { a: '\ud800' })).toBeNull()
  })
})
