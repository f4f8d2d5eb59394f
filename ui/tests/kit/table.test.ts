/** Promises of tables in which some rows stand above others: those are read, and nothing more. */
import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { createRawSnippet } from 'svelte'
import { expect, it, vi } from 'vitest'
import Table from '../../src/kit/Table.svelte'
import { until } from '../support'

const ROWS = ['# Today', 'one', 'two', '# Yesterday', 'three']

const show = () => {
  const onopen = vi.fn()
  render(Table<string>, {
    rows: ROWS,
    columns: [
      { key: 'name', label: 'Name' },
      { key: 'state', label: 'State', names: true },
      { key: 'again', label: 'Again' },
    ],
    rowKey: (row: string) => row,
    label: 'Days',
    heading: (row: string) => (row.startsWith('# ') ? row.slice(2) : null),
    onopen,
    cell: createRawSnippet<[string, string]>((row, key) => ({
      render: () => `<span>${key() === 'name' ? row() : key()}</span>`,
    })),
  })
  return { onopen, user: userEvent.setup() }
}
const focused = (): string | null | undefined =>
  document.activeElement?.querySelector('[role=gridcell]')?.textContent

it('a heading is one cell over all columns', () => {
  show()
  const [today, yesterday] = screen.getAllByRole('rowheader')
  expect([today?.textContent, yesterday?.textContent]).toEqual(['Today', 'Yesterday'])
  expect(today?.getAttribute('aria-colspan')).toBe('3')
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('6')
})

it('a heading is passed over by the keys, and opens nothing', async () => {
  const { onopen, user } = show()
  await user.tab()
  // The grid itself can have the focus where it scrolls.
  if (focused() !== 'one') await user.tab()
  expect(focused()).toBe('one')
  for (const [key, name] of [
    ['{ArrowUp}', 'one'],
    ['{ArrowDown}', 'two'],
    ['{ArrowDown}', 'three'],
    ['{ArrowUp}', 'two'],
    ['{Home}', 'one'],
    ['{End}', 'three'],
  ] as const) {
    await user.keyboard(key)
    await until(() => expect(focused()).toBe(name))
  }
  await user.keyboard('{Enter}')
  await user.click(screen.getByText('Today'))
  expect(onopen.mock.calls).toEqual([['three']])
})

it('a row that takes the focus is called after what says which one it is, and nothing else', async () => {
  const { user } = show()
  await user.tab()
  if (focused() !== 'one') await user.tab()
  expect(screen.getByRole('row', { name: 'one state' })).toBe(document.activeElement)
})
