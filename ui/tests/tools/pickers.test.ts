/** Promises of the ways to pick what could also be typed. */
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, test } from 'vitest'
import { dayAndTime, momentText, pickerOf } from '../../src/kit/form/pickers'
import ToolBench from '../../src/parts/tools/ToolBench.svelte'
import { answered, connected, leave, toolView } from '../ours'
import { askedFor, render, until } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

/** The form of a tool with these arguments; `sent` runs it and gives what was sent. */
async function formOf(
  properties: Record<string, unknown>,
  prefilled: Record<string, unknown> | null = null,
  folder: string | null = null,
) {
  const host = await connected(undefined, { call_tool: answered() })
  host.folder = folder
  const tool = toolView({ input_schema: { type: 'object', properties } })
  render(ToolBench, { tool, ready: true, prefilled })
  const user = userEvent.setup()
  const sent = async (): Promise<unknown> => {
    await user.click(screen.getByRole('button', { name: 'Run write_file' }))
    await until(() => expect(askedFor(host, 'call_tool')).toHaveLength(1))
    return askedFor<{ arguments: unknown }>(host, 'call_tool')[0]?.arguments
  }
  return { user, sent }
}

describe('what a text can be picked with', () => {
  test.each([
    ['a day', 'due', { format: 'date' }, 'day'],
    ['a time', 'at', { format: 'time' }, 'time'],
    ['a moment', 'since', { format: 'date-time' }, 'moment'],
    ['a path by its format', 'x', { format: 'path' }, 'folder'],
    ['a path by its name', 'path', {}, 'folder'],
    ['a folder by a longer name', 'outputDir', {}, 'folder'],
    ['a folder by a snake’s name', 'target_folder', {}, 'folder'],
    ['several by their name', 'paths', {}, 'folder'],
    ['a folder by its title', 'x', { title: 'Working directory' }, 'folder'],
    ['no address', 'path', { format: 'uri' }, null],
    ['no pathology', 'sociopath', {}, null],
    ['no text in general', 'name', {}, null],
    ['nothing of nonsense', 'x', { format: 'constructor', title: 3 }, null],
  ])('%s', (_what, name, schema, picker) => {
    expect(pickerOf(schema, name)).toBe(picker)
  })
})

describe('a folder', () => {
  it('is picked in the system’s dialog', async () => {
    const { user, sent } = await formOf({ path: { type: 'string' } }, null, '/home/ada')
    await user.click(screen.getByRole('button', { name: 'Choose folder…: path' }))
    await until(() => expect(screen.getByLabelText<HTMLInputElement>('path').value).not.toBe(''))
    await user.type(screen.getByLabelText('path'), '/notes.txt')
    expect(await sent()).toEqual({ path: '/home/ada/notes.txt' })
  })

  it('stays what was typed where none is picked', async () => {
    const { user, sent } = await formOf({ path: { type: 'string' } }, { path: '/typed' })
    await user.click(screen.getByRole('button', { name: 'Choose folder…: path' }))
    expect(await sent()).toEqual({ path: '/typed' })
  })
})

describe('a day and a time', () => {
  const pick = (label: string, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })

  it('are picked, and typed all the same', async () => {
    const { user, sent } = await formOf({ due: { type: 'string', format: 'date' } })
    await pick('Pick a day for due', '2026-11-27')
    const field = screen.getByLabelText<HTMLInputElement>('due')
    expect(field.value).toBe('2026-11-27')
    await user.clear(field)
    await user.type(field, 'tomorrow')
    expect(await sent()).toEqual({ due: 'tomorrow' })
  })

  it('make a moment with the offset of this computer', async () => {
    const { sent } = await formOf({ since: { type: 'string', format: 'date-time' } })
    await pick('Pick a day for since', '2026-07-01')
    await pick('Pick a time for since', '14:30')
    expect(await sent()).toEqual({ since: momentText('2026-07-01', '14:30') })
  })

  it('that are half picked take nothing away', async () => {
    const { sent } = await formOf(
      { due: { type: 'string', format: 'date' } },
      { due: '2026-11-27' },
    )
    await pick('Pick a day for due', '')
    expect(await sent()).toEqual({ due: '2026-11-27' })
  })

  test.each(['2026-07-01T14:30', '2026-12-31T23:59', '0999-01-01T00:00'])(
    '%s is the same again',
    (text) => {
      const [day = '', time = ''] = text.split('T')
      expect(momentText(day, time)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00[+-]\d{2}:\d{2}$/)
      expect(dayAndTime(momentText(day, time))).toEqual({ day, time })
    },
  )

  test.each(['', 'tomorrow', '2026', '2026-13-45T99:99'])('%j is no moment', (text) => {
    expect(dayAndTime(text)).toEqual({ day: '', time: '' })
  })
})

describe('a list', () => {
  const values = () => screen.getAllByRole<HTMLInputElement>('textbox').map((input) => input.value)
  const TAGS = { tags: { type: 'array', items: { type: 'string' } } }

  it('is put in another order, and the focus goes with the entry', async () => {
    const { user, sent } = await formOf(TAGS, { tags: ['a', 'b', 'c'] })
    await user.click(screen.getByRole('button', { name: 'Move tags, entry 1 down' }))
    expect(values()).toEqual(['b', 'a', 'c'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move tags, entry 2 down')
    await user.keyboard('{Enter}')
    expect(values()).toEqual(['b', 'c', 'a'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move tags, entry 3 up')
    await user.click(screen.getByRole('button', { name: 'Remove tags, entry 1' }))
    expect(await sent()).toEqual({ tags: ['c', 'a'] })
  })

  it('of one entry has nothing to move', async () => {
    await formOf(TAGS, { tags: ['a'] })
    expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
  })

  it('of objects is a group for each, with what it begins with', async () => {
    const point = {
      type: 'object',
      properties: { x: { type: 'number' }, unit: { enum: ['m', 'km'], default: 'm' } },
      required: ['x'],
    }
    const { user, sent } = await formOf({ route: { type: 'array', items: point } })
    await user.click(screen.getByRole('button', { name: 'Add: route' }))
    await user.click(screen.getByRole('button', { name: 'Add: route' }))
    const groups = [1, 2].map((n) => screen.getByRole('group', { name: `route, entry ${n}` }))
    await user.type(within(groups[0]!).getByLabelText(/^x/), '1')
    await user.type(within(groups[1]!).getByLabelText(/^x/), '2')
    await user.selectOptions(within(groups[1]!).getByLabelText('unit'), 'km')
    await user.click(screen.getByRole('button', { name: 'Move route, entry 2 up' }))
    expect(await sent()).toEqual({
      route: [
        { x: 2, unit: 'km' },
        { x: 1, unit: 'm' },
      ],
    })
  })

  it('says at its place what an entry lacks', async () => {
    const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }
    const { user } = await formOf({ route: { type: 'array', items: point } }, { route: [{}] })
    await user.click(screen.getByRole('button', { name: 'Run write_file' }))
    expect(screen.getByText('This is needed.')).toBeTruthy()
    await until(() => expect(document.activeElement).toBe(screen.getByLabelText(/^x/)))
  })
})

it('a password is not to be read by whoever looks on', async () => {
  await formOf({ login: { type: 'string', format: 'password' } }, { login: 'x' })
  expect(screen.getByLabelText<HTMLInputElement>('login').type).toBe('password')
})
