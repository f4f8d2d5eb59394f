/** Promises of saying something in another way, of what a model was sent, and of what is kept at the top. */
import { fireEvent, screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import type { FakeHost, Replies } from '../../src/host/fake'
import { callActs } from '../../src/host/fake/callActs'
import { conversationActs } from '../../src/host/fake/conversationActs'
import { modelActs } from '../../src/host/fake/modelActs'
import { fullWorld } from '../../src/host/fake/sample'
import { conversation, sampleLedger } from '../../src/host/fake/sampleConversations'
import type { ChangeModel } from '../../src/host/types.gen'
import { held } from '../replies'
import { askedFor, open, settle, stores, until } from '../support'

const at = (where = 'talk-1', world = fullWorld(), replies: Replies = {}) =>
  open(App, world, `#/conversations/${where}`, { ...conversationActs(world), ...replies })
const press = (name: string): HTMLElement => screen.getByRole('button', { name })
const log = (): HTMLElement => screen.getByRole('log')
const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Say something' })
const edited = (): HTMLTextAreaElement =>
  screen.getByRole('textbox', { name: 'Your edited message' })
const opened = (): string | undefined => stores.router.route.path[0]
const rows = (): (string | null)[] =>
  [...screen.getByRole('grid').querySelectorAll('strong')].map((title) => title.textContent)

/** Begins to edit what was said first, and writes something else. */
async function edit(person: UserEvent, text: string): Promise<void> {
  await person.click(screen.getAllByRole('button', { name: 'Edit and send again' })[0]!)
  await person.clear(edited())
  await person.type(edited(), text)
}

/** What was branched and what was said, in the order in which it was asked. */
const asked = (host: FakeHost): unknown[] =>
  host.asked.filter(({ method }) => /branch|say/.test(method)).map(({ params }) => params)

it('what is edited is said in a branch, and the old line stays as it is', async () => {
  const world = fullWorld()
  const before = structuredClone(world.said['talk-1'])
  const { host, person } = await at('talk-1', world)
  await edit(person, 'And in dollars?{Enter}')
  await settle()
  expect(asked(host)).toEqual([
    { conversation: 'talk-1', before: 0 },
    { conversation: 'talk-6', text: 'And in dollars?', attachments: [], model: null },
  ])
  expect(opened()).toBe('talk-6')
  expect(log().textContent).toContain('You said: And in dollars?')
  expect(world.said['talk-1']).toEqual(before)
})

it('the branch says what it was branched from, and leads there', async () => {
  const { person } = await at('talk-4')
  const origin = screen.getByRole('link', { name: 'What does the harbour cost in crowns?' })
  expect(origin.parentElement?.textContent).toContain('Branched from')
  await person.click(origin)
  await until(() => expect(opened()).toBe('talk-1'))
})

it('a branch of a conversation that is deleted says so', async () => {
  const world = fullWorld()
  const { host } = await at('talk-4', world)
  world.conversations = world.conversations.filter(({ id }) => id !== 'talk-1')
  host.publish({ kind: 'conversation_deleted', conversation: 'talk-1' })
  await settle()
  expect(document.body.textContent).toContain('Branched from a conversation that was deleted')
})

it('what is looked for in the list does not make a conversation seem deleted', async () => {
  const { person } = await at('talk-4')
  await person.type(screen.getByRole('searchbox', { name: 'Search in conversations' }), 'Tidy')
  await until(() => expect(rows()).toEqual(['Tidy the notes of last week']))
  expect(screen.getByRole('link', { name: /crowns/ })).toBeTruthy()
})

it('of a long conversation a branch begins at the number of what was said', async () => {
  const { host, person } = await at('talk-3')
  await edit(person, 'Another{Enter}')
  await settle()
  expect(askedFor(host, 'branch_conversation')).toEqual([{ conversation: 'talk-3', before: 140 }])
})

it('Escape leaves the editing, sends nothing, and gives the focus back', async () => {
  const { host, person } = await at()
  await edit(person, 'Never{Escape}')
  await settle()
  expect(screen.queryByRole('textbox', { name: 'Your edited message' })).toBeNull()
  expect(document.activeElement).toBe(press('Edit and send again'))
  expect(asked(host)).toEqual([])
})

it('Enter of an input method sends nothing', async () => {
  const { host, person } = await at()
  await edit(person, 'ni hao')
  await fireEvent.keyDown(edited(), { key: 'Enter', isComposing: true })
  await fireEvent.keyDown(edited(), { key: 'Enter', keyCode: 229 })
  await fireEvent.keyDown(edited(), { key: 'Escape', isComposing: true })
  await settle()
  expect(edited().value).toBe('ni hao')
  expect(asked(host)).toEqual([])
})

it('only what begins a turn can be said in another way', async () => {
  const world = fullWorld()
  world.said['talk-1'] = [
    { kind: 'said', text: 'In crowns, too', attached: [], begins_turn: false },
  ]
  await at('talk-1', world)
  expect(log().textContent).toContain('In crowns, too')
  expect(screen.queryByRole('button', { name: 'Edit and send again' })).toBeNull()
})

it('where no branch can be made the edited text stays in its box, and the problem is shown', async () => {
  const { host, person } = await at()
  host.failNext('branch_conversation', 'disk_full')
  await edit(person, 'Keep this{Enter}')
  await settle()
  expect(edited().value).toBe('Keep this')
  expect(within(log()).getByRole('alert')).toBeTruthy()
  expect(opened()).toBe('talk-1')
})

it('where the branch is made and nothing can be said there, the text is its draft', async () => {
  const { host, person } = await at()
  host.failNext('say_in_conversation', 'disk_full')
  await edit(person, 'Keep this{Enter}')
  await settle()
  expect(opened()).toBe('talk-6')
  expect(box().value).toBe('Keep this')
  expect(document.activeElement).toBe(box())
  expect(screen.getByRole('alert')).toBeTruthy()
  await person.type(box(), '{Enter}')
  await settle()
  expect(log().textContent).toContain('You said: Keep this')
  expect(box().value).toBe('')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('what was begun in one conversation is there when the person comes back to it', async () => {
  const { person } = await at('talk-1')
  await person.type(box(), 'Half a')
  stores.router.go('#/conversations/talk-4')
  await settle()
  expect(box().value).toBe('')
  stores.router.go('#/conversations/talk-1')
  await settle()
  expect(box().value).toBe('Half a')
})

it('the last turn is answered again in a branch, with the same words', async () => {
  const { host, person } = await at('talk-4')
  await person.click(press('Answer again'))
  await settle()
  expect(asked(host)).toEqual([
    { conversation: 'talk-4', before: 0 },
    {
      conversation: 'talk-6',
      text: 'What does the berth in the mail from the harbour cost in dollars?',
      attachments: [],
      model: null,
    },
  ])
  expect(opened()).toBe('talk-6')
})

it('the model that is chosen answers again', async () => {
  const { host, person } = await at('talk-4')
  const models = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Model' })
  const other = [...models.options].find(({ value }) => value !== models.value)!
  await person.selectOptions(models, other)
  await person.click(press('Answer again'))
  await settle()
  expect(askedFor(host, 'say_in_conversation')).toMatchObject([{ model: other.value }])
})

it('who goes elsewhere while a branch is made stays there', async () => {
  const world = fullWorld()
  const branch = held<never>()
  const { person } = await at('talk-4', world, { branch_conversation: () => branch })
  await person.click(press('Answer again'))
  stores.router.go('#/conversations/talk-2')
  await settle()
  branch.finish(conversation('talk-6', 'A branch') as never)
  await settle()
  expect(opened()).toBe('talk-2')
})

it('nothing is answered again while something goes on', async () => {
  const world = fullWorld()
  world.conversations = [conversation('talk-1', 'Berths', { state: { kind: 'asking' } })]
  await at('talk-1', world)
  expect(screen.queryByRole('button', { name: 'Answer again' })).toBeNull()
  expect(press('Edit and send again')).toBeTruthy()
})

it('what the model was sent is shown part by part, with whose it is and what was left out', async () => {
  const { host, person } = await at()
  await person.click(screen.getAllByRole('button', { name: 'What the model was sent' }).at(-1)!)
  await settle()
  expect(askedFor(host, 'read_ledger')).toEqual([{ conversation: 'talk-1', reply: 2 }])
  const table = within(screen.getByRole('dialog')).getByRole('table')
  const cells = (name: RegExp): (string | undefined)[] =>
    [...within(table).getByRole('row', { name }).querySelectorAll('td')].map((cell) =>
      cell.textContent.trim(),
    )
  expect(cells(/^Tool results from mail/)).toEqual(['12', '6,980', '4', '5'])
  expect(cells(/^Tool definitions of currency/)).toEqual(['2', '410', '0', '0'])
  expect(cells(/^Total/)).toEqual(['9,260', '4', '5'])
  expect(within(table).getByText('tries to steer a model')).toBeTruthy()
})

it('of a server some of whose tools were not shown, a person chooses those that always are', async () => {
  const world = fullWorld()
  const { host, person } = await at('talk-1', world, callActs(world))
  const ledger = sampleLedger()
  const parts = ledger.parts.map((part) =>
    part.kind.kind === 'definitions' ? { ...part, left_out: 1 } : part,
  )
  host.reply('read_ledger', () => ({ ...ledger, parts }))
  await person.click(screen.getAllByRole('button', { name: 'What the model was sent' }).at(-1)!)
  await settle()
  await person.click(press('Choose tools of currency to always show'))
  await settle()
  const rate = screen.getByRole<HTMLInputElement>('checkbox', { name: 'get_exchange_rate' })
  await person.click(rate)
  await settle()
  const always = { server: 'currency', tool: 'get_exchange_rate', on: true }
  expect(askedFor(host, 'show_tool_always')).toEqual([always])
  expect(rate.checked).toBe(true)
})

it('where all tools of a server were shown, there is nothing to choose', async () => {
  const { person } = await at()
  await person.click(screen.getAllByRole('button', { name: 'What the model was sent' }).at(-1)!)
  await settle()
  expect(screen.queryByRole('button', { name: /to always show$/ })).toBeNull()
})

it('where it was not kept what the model was sent, the host says why', async () => {
  const { host, person } = await at('talk-4')
  host.reply('read_ledger', () => {
    throw hostError('bad_request', 'what its request held was not kept')
  })
  await person.click(press('What the model was sent'))
  await settle()
  expect(screen.getByRole('dialog').textContent).toContain('what its request held was not kept')
})

it('a pinned conversation stands at the top until it is unpinned', async () => {
  const { host, person } = await at('talk-2')
  expect(rows()[0]).toBe('A long one')
  const menu = async (name: string): Promise<void> => {
    await person.click(screen.getByRole('button', { name: /^More for “/ }))
    await settle()
    await person.click(screen.getByRole('menuitem', { name }))
    await settle()
  }
  await menu('Pin')
  expect(rows().slice(0, 2)).toEqual(['Tidy the notes of last week', 'A long one'])
  await menu('Unpin')
  expect(rows()[0]).toBe('A long one')
  expect(askedFor(host, 'pin_conversation')).toEqual([
    { conversation: 'talk-2', is_pinned: true },
    { conversation: 'talk-2', is_pinned: false },
  ])
})

it('the list says which ones are pinned, and which are branches', async () => {
  await at('')
  expect(screen.getByRole('row', { name: /A long one/ }).textContent).toContain('Pinned')
  expect(screen.getByRole('row', { name: /in dollars/ }).textContent).toContain('Branch of')
  expect(screen.getByRole('row', { name: /in crowns/ }).textContent).not.toContain('Branch of')
})

it('what a conversation has read is said, and a branch from before it is free of it', async () => {
  const { host, person } = await at('talk-2')
  await person.click(press('Has read text from web that tries to steer the model'))
  const dialog = screen.getByRole('dialog', { name: 'What this conversation has read' })
  expect(dialog.textContent).toContain('tries to steer a model')
  await person.click(within(dialog).getByRole('button', { name: 'Branch from before web' }))
  await settle()
  expect(askedFor(host, 'branch_conversation')).toEqual([{ conversation: 'talk-2', before: 0 }])
  expect(opened()).toBe('talk-6')
  expect(screen.queryByRole('button', { name: /^Has read/ })).toBeNull()
})

it('a service that has not read all that it was sent is named, with the way to the models', async () => {
  await at('talk-2')
  expect(log().textContent).toContain('It has read 4,096 of about 9,800 tokens')
  expect(screen.getByRole('link', { name: 'Models…' }).getAttribute('href')).toBe(
    '#/settings/models',
  )
})

it('where the service takes its context from here, it is raised with a press', async () => {
  const world = fullWorld()
  const of = world.conversations.find(({ id }) => id === 'talk-2')!
  const model = world.models.find(({ id }) => id === of.model)!
  const settings = { ...model.settings, service: 'ollama' as const, context: 4_096 }
  world.models = world.models.map((one) => (one === model ? { ...one, settings } : one))
  world.said['talk-2'] = world.said['talk-2']!.map((item) =>
    item.kind === 'reply' ? { ...item, model: settings.name } : item,
  )
  const { host, person } = await at('talk-2', world, modelActs(world))
  await person.click(screen.getByRole('button', { name: 'Have it read up to 16,384 tokens' }))
  await settle()
  const [changed] = askedFor<ChangeModel>(host, 'change_model')
  expect(changed!.model).toBe(model.id)
  expect(changed!.draft.settings).toEqual({ ...settings, context: 16_384 })
  expect(changed!.draft.key.kind).not.toBe('new_secret')
  expect(log().textContent).toContain('It reads up to 16,384 tokens from the next request on.')
})

it('of a reply whose request was not kept nothing is offered', async () => {
  const world = fullWorld()
  world.said['talk-4'] = world.said['talk-4']!.map((item) => ({ ...item, has_ledger: false }))
  await at('talk-4', world)
  expect(screen.queryByRole('button', { name: 'What the model was sent' })).toBeNull()
})
