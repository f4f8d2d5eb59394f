import { screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import App from '../src/App.svelte'
import { hostError } from '../src/host/error'
import type { Replies } from '../src/host/fake'
import { reviewOf } from '../src/host/fake/launch'
import { fullWorld } from '../src/host/fake/sample'
import type { Launch, ServerDraft } from '../src/host/types.gen'
import { failing, server } from './replies'
import { askedFor, open, page, settle } from './support'

const PLANTED = 'planted-secret-value'

const LAUNCH: Launch = {
  kind: 'stdio',
  command: '/usr/bin/notes',
  args: ['two words'],
  env: [{ name: 'TOKEN', value: { kind: 'secret', secret: 'secret-0000000000000001' } }],
  cwd: null,
}
const NOTES = {
  ...server(fullWorld(), 'files', { on: false, reviewed: false, state: { kind: 'off' } }),
  id: 'notes',
  launch: LAUNCH,
}
const REPLIES: Replies = {
  review_draft: reviewOf('notes', LAUNCH),
  add_server: NOTES,
  edit_server: NOTES,
  review_server: reviewOf('notes', LAUNCH),
  enable_server: { ...NOTES, on: true, reviewed: true, state: { kind: 'ready' } },
}

async function fillIn(person: UserEvent): Promise<HTMLElement> {
  await person.click(screen.getByRole('button', { name: 'Add server' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText(/^Name\s*required/), 'notes')
  await person.type(within(dialog).getByLabelText(/^Command\s*required/), '/usr/bin/notes')
  await person.click(within(dialog).getByRole('button', { name: 'Add argument' }))
  await person.type(within(dialog).getByLabelText('Argument 1'), 'two words')
  await person.click(within(dialog).getByRole('button', { name: 'Add variable' }))
  await person.type(within(dialog).getByLabelText('Name'), 'TOKEN')
  await person.click(within(dialog).getByRole('switch', { name: 'Secret' }))
  await person.type(within(dialog).getByLabelText('Value'), PLANTED)
  return dialog
}

async function review(person: UserEvent, dialog: HTMLElement): Promise<void> {
  await person.click(within(dialog).getByRole('button', { name: 'Continue to review' }))
  await settle()
}

test('a server is added by a form, reviewed, and switched on with what was reviewed', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers', REPLIES)
  const dialog = await fillIn(person)
  await review(person, dialog)
  expect(askedFor(host, 'add_server')).toEqual([])
  expect(dialog.textContent).toContain('This runs a program on your computer, in a sandbox.')
  expect(dialog.textContent).toContain('two words')
  await person.click(within(dialog).getByRole('button', { name: 'Add and switch on' }))
  await settle()
  const [added] = askedFor<{ draft: ServerDraft }>(host, 'add_server')
  expect(added?.draft).toEqual({
    name: 'notes',
    keep: 'keyring',
    target: {
      kind: 'stdio',
      command: '/usr/bin/notes',
      args: ['two words'],
      cwd: null,
      env: [{ name: 'TOKEN', value: { kind: 'new_secret', value: PLANTED } }],
    },
  })
  expect(askedFor(host, 'enable_server')).toEqual([
    { server: 'notes', reviewed: reviewOf('notes', LAUNCH).fingerprint },
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(page()).toContain('notes')
})

test('the review begins on the way back, not on switching on', async () => {
  const { person } = await open(App, fullWorld(), '#/servers', REPLIES)
  const dialog = await fillIn(person)
  await review(person, dialog)
  expect(document.activeElement?.textContent).toContain('Cancel')
})

test('a kept server can be added without running', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers', REPLIES)
  const dialog = await fillIn(person)
  await review(person, dialog)
  await person.click(within(dialog).getByRole('button', { name: 'Add, leave off' }))
  await settle()
  expect(askedFor(host, 'enable_server')).toEqual([])
  expect(askedFor(host, 'add_server')).toHaveLength(1)
  expect(page()).toContain('notes')
})

test('a secret is typed unseen and is nowhere on the screen after saving', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers', REPLIES)
  const dialog = await fillIn(person)
  expect(within(dialog).getByLabelText('Value')).toHaveProperty('type', 'password')
  await review(person, dialog)
  expect(document.body.innerHTML).not.toContain(PLANTED)
  await person.click(within(dialog).getByRole('button', { name: 'Add, leave off' }))
  await settle()
  await person.click(screen.getByRole('tab', { name: 'Details' }))
  await settle()
  expect(page()).toContain('Secret, never shown')
  await person.click(screen.getByRole('button', { name: 'More actions' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Edit…' }))
  await settle()
  const values = [...document.querySelectorAll('input, textarea')].map(
    (input) => (input as HTMLInputElement).value,
  )
  expect(values).not.toContain(PLANTED)
  expect(document.body.innerHTML).not.toContain(PLANTED)
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await settle()
  const [edited] = askedFor<{ draft: ServerDraft }>(host, 'edit_server')
  expect(edited?.draft.target).toMatchObject({
    env: [{ name: 'TOKEN', value: { kind: 'kept_secret' } }],
  })
})

test('without a keyring the secret is kept for the session only if the person wants that', async () => {
  const world = fullWorld()
  world.info.keyring = { kind: 'missing', reason: 'no Secret Service' }
  const { host, person } = await open(App, world, '#/servers', {
    ...REPLIES,
    add_server: ({ draft }) =>
      draft.keep === 'keyring' ? failing(hostError('keyring_missing', 'There is none.'))() : NOTES,
  })
  const dialog = await fillIn(person)
  await review(person, dialog)
  await person.click(within(dialog).getByRole('button', { name: 'Add, leave off' }))
  await settle()
  expect(within(dialog).getByRole('alert').textContent).toContain('There is no keyring')
  expect(screen.getByRole('dialog')).toBe(dialog)
  await person.click(within(dialog).getByRole('button', { name: 'Keep for this session only' }))
  await settle()
  expect(
    askedFor<{ draft: ServerDraft }>(host, 'add_server').map(({ draft }) => draft.keep),
  ).toEqual(['keyring', 'session'])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a name that is taken is said at the name', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers', REPLIES)
  const dialog = await fillIn(person)
  await review(person, dialog)
  host.failNext('add_server', 'name_taken')
  await person.click(within(dialog).getByRole('button', { name: 'Add, leave off' }))
  await settle()
  const name = within(dialog).getByLabelText(/^Name\s*required/)
  expect(name.getAttribute('aria-invalid')).toBe('true')
})

test('where the program is not found, keeping it off stands out, and the command can be split there', async () => {
  const { host, person } = await open(App, fullWorld(), '#/servers', {
    ...REPLIES,
    review_draft: ({ draft }) =>
      draft.target.kind === 'stdio' && draft.target.args.length === 0
        ? reviewOf('notes', LAUNCH, { resolved: null, warnings: [{ kind: 'not_found' }] })
        : reviewOf('notes', LAUNCH),
  })
  await person.click(screen.getByRole('button', { name: 'Add server' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText(/^Name\s*required/), 'notes')
  await person.type(
    within(dialog).getByLabelText(/^Command\s*required/),
    '/usr/bin/notes "two words"',
  )
  await review(person, dialog)
  const button = (name: string) => within(dialog).getByRole('button', { name })
  expect(button('Add, leave off').className).toContain('primary')
  expect(button('Add and switch on').className).not.toContain('primary')
  await person.click(button('Split into arguments'))
  await settle()
  expect(askedFor<{ draft: ServerDraft }>(host, 'review_draft').at(-1)?.draft.target).toMatchObject(
    {
      command: '/usr/bin/notes',
      args: ['two words'],
    },
  )
  expect(button('Add and switch on').className).toContain('primary')
  expect(within(dialog).queryByRole('button', { name: 'Split into arguments' })).toBeNull()
})
