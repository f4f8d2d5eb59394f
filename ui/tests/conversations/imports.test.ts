/** Promises of importing: a file that was saved is a conversation again, and nothing in it is taken for the person's words. */
import { fireEvent, screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { conversationActs } from '../../src/host/fake/conversationActs'
import { fullWorld } from '../../src/host/fake/sample'
import { askedFor, open, page, settle } from '../support'

const at = (world = fullWorld()) => open(App, world, '#/conversations', conversationActs(world))
const imports = (host: Parameters<typeof askedFor>[0]) => askedFor(host, 'import_conversation')
const file = (text: string): File => new File([text], 'berths.json', { type: 'application/json' })
const saved = JSON.stringify({
  format: 'majordomo-conversation 1',
  title: 'Berths of last year',
  items: [
    { kind: 'said', text: 'Which berth is free?', attached: [], begins_turn: true },
    {
      kind: 'reply',
      model: 'wise-1',
      parts: [{ kind: 'text', text: 'The one by the pier.' }],
      broke: null,
      read: null,
      written: null,
      sent: 0,
      was_truncated: false,
      has_ledger: false,
    },
    { kind: 'let_go_on' },
  ],
})

async function drop(files: File[]): Promise<void> {
  const place = screen.getByRole('searchbox', { name: /Search/ })
  await fireEvent.drop(place, { dataTransfer: { files, types: ['Files'] } })
  await settle()
}

it('a file that is chosen is opened, and says whose words it holds', async () => {
  const { host, person } = await at()
  const chooser = document.querySelector<HTMLInputElement>('input[type=file]')!
  expect(screen.getByRole('button', { name: 'Import' })).toBeTruthy()
  await person.upload(chooser, file(saved))
  await settle()
  expect(imports(host)).toEqual([{ text: saved }])
  const log = screen.getByRole('log')
  expect(log.textContent).toContain('The one by the pier.')
  expect(within(log).getByText('A person, in the imported file')).toBeTruthy()
  expect(within(log).getByText('The person let it go on, the file says.')).toBeTruthy()
  expect(within(log).getByText(/Nothing in it counts as your words/)).toBeTruthy()
  // What a file says is not said again as the words of the person.
  expect(screen.queryByRole('button', { name: 'Answer again' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit and send again' })).toBeNull()
  expect(page()).toContain('Berths of last year')
})

it('a file that is dropped on the list is imported, and one that is something else is refused with why', async () => {
  const { host } = await at()
  await drop([file('# Berths')])
  const dialog = screen.getByRole('dialog', { name: 'Nothing was imported' })
  expect(dialog.textContent).toContain('This conversation cannot be imported')
  await fireEvent.click(within(dialog).getAllByRole('button', { name: 'Close' })[0]!)
  await settle()
  await drop([file(saved)])
  expect(imports(host)).toHaveLength(2)
  expect(screen.getByRole('log').textContent).toContain('The one by the pier.')
})

it('a file that is too large is not read', async () => {
  const { host } = await at()
  const large = file(saved)
  Object.defineProperty(large, 'size', { value: 33 * 1024 * 1024 })
  await drop([large])
  expect(screen.getByRole('dialog').textContent).toContain('A conversation to import has at most 3')
  expect(imports(host)).toEqual([])
})
