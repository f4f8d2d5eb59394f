/** Promises of the tree that shows JSON. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { JsonTree } from '../../src/kit'
import { openAtFirst, pathTo, rowsOf, searchIn } from '../../src/kit/json/tree'
import { language } from '../../src/messages'

const ORDER = {
  id: 7,
  paid: true,
  items: [
    { name: 'Lamp', price: 12.5 },
    { name: 'Desk lamp', price: 80 },
  ],
  note: null,
  'ship to': { city: 'Genève' },
}

const show = (value: unknown) => render(JsonTree, { value, label: 'Result' })
const tree = () => screen.getByRole('tree', { name: 'Result' })
const rows = () =>
  screen
    .getAllByRole('treeitem')
    .map(({ textContent }) => textContent.replace(/\s+/g, ' ').replace(/ ?: ?/, ': ').trim())
const current = () =>
  document
    .getElementById(tree().getAttribute('aria-activedescendant') ?? '')
    ?.textContent.replace(/\s+/g, ' ')
    .replace(/ ?: ?/, ': ')
    .trim()
const clipboard = () => navigator.clipboard.readText()

beforeEach(() => language.choose('en'))
afterEach(cleanup)

test.each([
  ['$', 'items', '$.items'],
  ['$.items', 3, '$.items[3]'],
  ['$', 'größe_2', '$.größe_2'],
  ['$', 'ship to', '$["ship to"]'],
  ['$', 'a"b', '$["a\\"b"]'],
  ['$', '3', '$["3"]'],
  ['$', 'x-y', '$["x-y"]'],
])('the path from %s to %j is %s', (from, name, path) => {
  expect(pathTo(from, name)).toBe(path)
})

describe('the tree', () => {
  it('shows a small value whole', () => {
    show(ORDER)
    expect(rows()).toEqual([
      '{ 5 }',
      'id: 7',
      'paid: true',
      'items: [ 2 ]',
      '0: { 2 }',
      'name: "Lamp"',
      'price: 12.5',
      '1: { 2 }',
      'name: "Desk lamp"',
      'price: 80',
      'note: null',
      'ship to: { 1 }',
      'city: "Genève"',
    ])
  })

  it('says of every row how deep it lies and which of how many it is', () => {
    show(ORDER)
    const items = screen.getByRole('treeitem', { name: /items/ })
    expect(items.getAttribute('aria-level')).toBe('2')
    expect(items.getAttribute('aria-posinset')).toBe('3')
    expect(items.getAttribute('aria-setsize')).toBe('5')
    expect(items.getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByRole('treeitem', { name: /note/ }).hasAttribute('aria-expanded')).toBe(false)
  })

  it('is gone through with the keyboard', async () => {
    const user = userEvent.setup()
    show(ORDER)
    await user.tab()
    await user.tab()
    expect(document.activeElement).toBe(tree())
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(current()).toBe('items: [ 2 ]')
    await user.keyboard('{ArrowLeft}')
    expect(rows()).not.toContain('name: "Lamp"')
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(current()).toBe('0: { 2 }')
    await user.keyboard('{ArrowDown}{ArrowLeft}')
    expect(current()).toBe('0: { 2 }')
    await user.keyboard('{End}')
    expect(current()).toBe('city: "Genève"')
    await user.keyboard('{Home}{Enter}')
    expect(rows()).toEqual(['{ 5 }'])
  })

  it('opens and shuts what is pressed', async () => {
    const user = userEvent.setup()
    show(ORDER)
    await user.click(screen.getByRole('treeitem', { name: /ship to/ }))
    expect(rows()).not.toContain('city: "Genève"')
  })

  it('copies the path and the value of the row in use', async () => {
    const user = userEvent.setup()
    show(ORDER)
    await user.click(screen.getByText('Desk lamp', { exact: false }))
    await user.click(screen.getByRole('button', { name: 'Copy path' }))
    expect(await clipboard()).toBe('$.items[1].name')
    await user.click(screen.getByRole('button', { name: 'Copy value' }))
    expect(await clipboard()).toBe('Desk lamp')
    await user.click(screen.getByRole('treeitem', { name: /ship to/ }))
    await user.click(screen.getByRole('button', { name: 'Copy value' }))
    expect(await clipboard()).toBe('{\n  "city": "Genève"\n}')
  })

  it('hides no character, and says where a number was rounded', () => {
    show({ 'a\u202e': 'x\ny', long: Number('12345678901234567890') })
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
    expect(screen.getByText('rounded')).toBeTruthy()
  })

  it('has a long text whole below its row', async () => {
    show({ text: `${'x'.repeat(500)} the end` })
    expect(screen.queryByText(/the end/)).toBeNull()
    await userEvent.setup().click(screen.getByRole('treeitem', { name: /text/ }))
    expect(screen.getByText(/the end/)).toBeTruthy()
  })
})

describe('a search', () => {
  const look = async (text: string) => {
    const user = userEvent.setup()
    await user.type(screen.getByRole('searchbox'), text)
    return user
  }

  it('leaves what was found and what leads to it, marks and counts it', async () => {
    show(ORDER)
    await look('LAMP')
    expect(rows()).toEqual([
      '{ 5 }',
      'items: [ 2 ]',
      '0: { 2 }',
      'name: "Lamp"',
      '1: { 2 }',
      'name: "Desk lamp"',
    ])
    expect(screen.getByRole('status').textContent).toBe('2 matches')
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      'Lamp',
      'lamp',
    ])
  })

  it('finds names, too, and shows all that lies under one', async () => {
    show(ORDER)
    await look('ship')
    expect(rows()).toEqual(['{ 5 }', 'ship to: { 1 }'])
    await userEvent.setup().click(screen.getByRole('treeitem', { name: /ship to/ }))
    expect(rows()).toContain('city: "Genève"')
  })

  it('says that there is nothing, and gives all back when it is cleared', async () => {
    show(ORDER)
    const user = await look('(a+')
    expect(screen.getByRole('status').textContent).toBe('0 matches')
    await user.clear(screen.getByRole('searchbox'))
    expect(rows()).toHaveLength(13)
  })
})

describe('a mebibyte', () => {
  const many = Array.from({ length: 12_000 }, (_, id) => ({
    id,
    name: `entry number ${id}`,
    tags: ['a', 'b', 'c'],
    text: 'some words that make it longer',
  }))

  it('is drawn only where it is in sight', async () => {
    expect(JSON.stringify(many).length).toBeGreaterThan(1_000_000)
    show({ many })
    await userEvent.setup().click(screen.getByRole('treeitem', { name: /many/ }))
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(80)
    expect(screen.getByRole('treeitem', { name: /^0/ }).getAttribute('aria-setsize')).toBe('12000')
  })

  it('is laid out and searched in a moment', () => {
    const began = performance.now()
    expect(rowsOf({ many }, () => true).length).toBe(2 + 12_000 * 8)
    expect(searchIn({ many }, 'number 11999').matches.size).toBe(1)
    expect(openAtFirst({ many }, 40)).toEqual(new Set(['$']))
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('may be as deep as a stranger likes', () => {
    let deep: unknown = 'found'
    for (let depth = 0; depth < 2_000; depth += 1) deep = [deep]
    expect(searchIn(deep, 'found').above.size).toBe(2_000)
    expect(rowsOf(deep, () => true)).toHaveLength(2_001)
  })
})
