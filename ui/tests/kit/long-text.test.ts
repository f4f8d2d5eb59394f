/** Promises of texts of any length: a row stays low, what is left out is told, and nothing that hides is left out silently. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeHost } from '../../src/host/fake'
import LongText from '../../src/kit/LongText.svelte'
import ValueTable from '../../src/kit/ValueTable.svelte'
import { begin, page, render } from '../support'

const LONG = 'x'.repeat(5_000)
const HIDES = 'with invisible characters'

beforeEach(() => void begin(new FakeHost()))
afterEach(cleanup)

it('the rest of a long value is counted, and shown when a person asks', async () => {
  render(ValueTable, { value: { text: LONG }, label: 'Values' })
  expect(page()).toContain('… 4,700 more characters')
  expect(page()).not.toContain(HIDES)
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(page()).toContain(LONG)
  expect(page()).not.toContain('more characters')
})

it('a long name is cut as a long value is', () => {
  render(ValueTable, { value: { [LONG]: 1 }, label: 'Values' })
  expect(page()).toContain('… 4,900 more characters')
  expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy()
})

it('characters that cannot be seen are told of where they are left out', () => {
  render(ValueTable, { value: { text: `${LONG}\u202e` }, label: 'Values' })
  expect(page()).toContain(HIDES)
})

it('marks take as much of a beginning as they are wide, and a run of one is told once', () => {
  const run = '\u200b'.repeat(160)
  render(ValueTable, {
    value: { run: `${run}end`, many: '\u200b\u200c'.repeat(80) },
    label: 'Values',
  })
  expect(page()).toContain('U+200B × 160end')
  const mark = screen.getByRole('img', { name: 'Invisible character U+200B, 160 times' })
  expect(mark.title).toBe('Invisible character U+200B, 160 times')
  expect(page()).toContain('… 110 more characters')
})

it('one of many values is cut to a few lines, and its name, too', () => {
  render(ValueTable, { value: { [LONG]: LONG }, label: 'Values', compact: true })
  expect(page()).toContain('… 4,880 more characters')
  expect(page()).toContain('… 4,960 more characters')
})

it('line breaks are nothing to be told of', () => {
  render(ValueTable, { value: { text: 'line\n'.repeat(90) }, label: 'Values' })
  expect(page()).toContain('more characters')
  expect(page()).not.toContain(HIDES)
})

it('rows that are left out are counted, and told of where something hides in them', () => {
  const values = Array.from({ length: 20 }, (_, at) => (at === 19 ? '\u200b' : `value ${at}`))
  render(ValueTable, { value: values, label: 'Values' })
  expect(page()).toContain('… 8 more values')
  expect(page()).toContain(HIDES)
})

it('what is to be looked at twice is never among the rows that are left out', () => {
  const values = Array.from({ length: 20 }, (_, at) => `value ${at}`)
  render(ValueTable, {
    value: values,
    label: 'Values',
    mark: (path: string) => (path === '[17]' ? 'Check this' : undefined),
  })
  expect(page()).toContain('value 17')
  expect(page()).toContain('Check this')
  expect(page()).not.toContain('value 16')
})

it('a long text is shown whole when a person asks, and keeps the focus', async () => {
  render(LongText, { text: `${LONG}\u202e` })
  expect(page()).toContain('… 4,761 more characters')
  expect(page()).toContain(HIDES)
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(page()).toContain(LONG)
  expect(document.activeElement?.textContent).toContain(LONG)
})

it('a short text is only a text', () => {
  render(LongText, { text: 'short' })
  expect(page()).toBe('short')
})
