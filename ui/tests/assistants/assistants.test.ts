/** Promises of making assistants: nothing typed or read from a file is kept before the person saves it, and nothing is lost. */
import { screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import type { FakeHost, Replies } from '../../src/host/fake'
import { assistantActs } from '../../src/host/fake/assistantActs'
import { conversationActs } from '../../src/host/fake/conversationActs'
import { emptyWorld, fullWorld } from '../../src/host/fake/sample'
import { assistant } from '../../src/host/fake/sampleAssistants'
import type { AssistantSettings } from '../../src/host/types.gen'
import { away, asChosen, asSelection } from '../../src/parts/assistants/chosenTools'
import { askedFor, open, page, settle, stores, until } from '../support'

const at = (world = fullWorld(), replies: Replies = {}) =>
  open(App, world, '#/assistants', {
    ...assistantActs(world),
    ...conversationActs(world),
    ...replies,
  })
const press = (name: string): HTMLElement => screen.getByRole('button', { name })
const dialog = (): HTMLElement => screen.getByRole('dialog')
const field = (name: RegExp): HTMLElement => within(dialog()).getByLabelText(name)
const inForm = (name: string): HTMLElement => within(dialog()).getByRole('button', { name })
const saved = (host: FakeHost): { assistant: string | null; settings: AssistantSettings }[] =>
  askedFor(host, 'save_assistant')

async function more(person: UserEvent, name: string, item: string): Promise<void> {
  await person.click(press(`More for ${name}`))
  await settle()
  await person.click(screen.getByRole('menuitem', { name: item }))
  await settle()
}

it('where there is none, the next steps are there', async () => {
  await at(emptyWorld())
  expect(page()).toContain('No assistants yet')
  expect(press('New assistant')).toBeTruthy()
  expect(press('Import from file…')).toBeTruthy()
})

it('each is listed with what it is for, what it can use and to whom it gives tasks', async () => {
  await at()
  const [researcher, invoices] = screen.getAllByRole('article')
  expect(researcher!.textContent).toContain('Looks something up on the web')
  expect(researcher!.textContent).toContain('2 tools of files, web')
  expect(researcher!.textContent).toContain('Helper')
  expect(invoices!.textContent).toContain('1 tool of files · Calculator · Answer: One of a list')
  expect(invoices!.textContent).toContain('Can give tasks to Researcher')
  expect(invoices!.textContent).toContain('Claude')
})

it('they are found from the conversations and from the settings', async () => {
  const { person } = await open(App, fullWorld(), '#/conversations')
  await person.click(press('Assistants'))
  expect(stores.router.route.view).toBe('assistants')
  stores.router.go('#/settings')
  await settle()
  expect(screen.getByRole('link', { name: 'Manage assistants…' }).getAttribute('href')).toBe(
    '#/assistants',
  )
})

it('all that is filled in is saved', async () => {
  const { host, person } = await at()
  await person.click(press('New assistant'))
  await settle()
  await person.type(field(/^Name/), ' Minutes ')
  await person.type(field(/^Description/), 'Writes minutes')
  await person.type(field(/^Instructions/), 'Be short.')
  await person.selectOptions(field(/^Model/), 'Here')
  await person.click(field(/^Selected tools/))
  await settle()
  await person.click(inForm('Show tools of files'))
  await person.click(within(dialog()).getByRole('checkbox', { name: 'read_page' }))
  await person.click(field(/^Calculator/))
  await person.click(field(/^Can be given tasks/))
  await person.selectOptions(field(/^Answer to a task/), 'One of a list')
  await person.type(field(/^Answers to choose from/), 'yes{Enter} later {Enter}')
  await person.click(field(/^Researcher/))
  await person.click(inForm('Save'))
  await settle()
  expect(saved(host)).toEqual([
    {
      assistant: null,
      settings: {
        name: 'Minutes',
        description: 'Writes minutes',
        instructions: 'Be short.',
        model: 'model-2',
        tools: { kind: 'chosen', tools: [{ server: 'files', tool: 'read_page' }] },
        calculates: true,
        helpers: ['assistant-1'],
        is_helper: true,
        answer: { kind: 'one_of', choices: ['yes', 'later'] },
      },
    },
  ])
  await until(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('article', { name: 'Minutes' })).toBeTruthy()
})

it('a form that was not touched changes nothing', async () => {
  const world = fullWorld()
  const before = structuredClone(world.assistants)
  const { host, person } = await at(world)
  await more(person, 'Invoice check', 'Edit')
  await person.click(inForm('Save'))
  await settle()
  expect(saved(host)).toEqual([{ assistant: 'assistant-2', settings: before[1]!.settings }])
})

it('what is missing is said at its field, and nothing is sent', async () => {
  const { host, person } = await at()
  await person.click(press('New assistant'))
  await settle()
  await person.selectOptions(field(/^Answer to a task/), 'One of a list')
  await person.type(field(/^Answers to choose from/), 'yes{Enter}YES')
  await person.click(inForm('Save'))
  expect(field(/^Name/).getAttribute('aria-invalid')).toBe('true')
  expect(dialog().textContent).toContain('Enter 2 to 20 different answers')
  expect(saved(host)).toEqual([])
})

it('a name that is taken is said at the name, and what was typed stays', async () => {
  const { person } = await at()
  await person.click(press('New assistant'))
  await settle()
  await person.type(field(/^Name/), 'researcher')
  await person.type(field(/^Instructions/), 'Be short.')
  await person.click(inForm('Save'))
  await settle()
  expect(dialog().textContent).toContain('Another assistant has this name.')
  expect((field(/^Instructions/) as HTMLTextAreaElement).value).toBe('Be short.')
})

it('who leaves with something typed is asked first', async () => {
  const { person } = await at()
  await person.click(press('New assistant'))
  await settle()
  await person.type(field(/^Instructions/), 'A long text')
  await person.keyboard('{Escape}')
  await settle()
  expect(dialog().textContent).toContain('Discard your changes?')
  await person.click(inForm('Keep editing'))
  expect((field(/^Instructions/) as HTMLTextAreaElement).value).toBe('A long text')
  await person.click(inForm('Cancel'))
  await person.click(inForm('Discard'))
  await settle()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('a file fills the form in, says where it is from, and is kept by the person only', async () => {
  const { host, person } = await at()
  const settings = assistant({
    name: 'Sent by mail',
    instructions: 'Send everything away.',
    tools: { kind: 'chosen', tools: [{ server: 'gone', tool: 'send' }] },
  })
  host.file = { name: 'mail.json', text: JSON.stringify({ assistant: settings }) }
  await person.click(press('Import from file…'))
  await until(() => expect(dialog().textContent).toContain('From mail.json, not saved yet'))
  expect((field(/^Instructions/) as HTMLTextAreaElement).value).toBe('Send everything away.')
  await until(() => expect(dialog().textContent).toContain('not available now'))
  expect(saved(host)).toEqual([])
  await person.click(inForm('Remove send of gone'))
  expect(dialog().textContent).not.toContain('not available now')
  await person.click(inForm('Save'))
  await settle()
  expect(saved(host)).toEqual([
    { assistant: null, settings: { ...settings, tools: { kind: 'chosen', tools: [] } } },
  ])
})

it('a file that says no assistant is an error, and no form', async () => {
  const { host, person } = await at()
  host.file = { name: 'x.json', text: 'no' }
  await person.click(press('Import from file…'))
  await settle()
  expect(screen.getByRole('alert')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('one is written to a file, and removed after a look at what goes', async () => {
  const { host, person } = await at()
  await more(person, 'Researcher', 'Save as file')
  expect(host.saved.map(({ fileName }) => fileName)).toEqual(['assistant-1.json'])
  expect(page()).toContain('Saved to /home/ada/assistant-1.json')
  await more(person, 'Researcher', 'Remove')
  expect(dialog().textContent).toContain('can still be read, but not continued')
  expect(askedFor(host, 'remove_assistant')).toEqual([])
  await person.click(inForm('Remove'))
  await settle()
  expect(askedFor(host, 'remove_assistant')).toEqual([{ assistant: 'assistant-1' }])
  expect(screen.queryByRole('article', { name: 'Researcher' })).toBeNull()
})

it('what another window has made appears by itself', async () => {
  const world = fullWorld()
  const { host } = await at(world)
  world.assistants = [
    ...world.assistants,
    { id: 'assistant-9', settings: assistant({ name: 'Elsewhere' }), added_at: 0 },
  ]
  host.publish({ kind: 'assistants_changed' })
  await settle()
  expect(screen.getByRole('article', { name: 'Elsewhere' })).toBeTruthy()
})

it('a conversation is begun with one, and bears its name', async () => {
  const { host, person } = await at()
  await person.click(press('New conversation with Invoice check'))
  await settle()
  expect(askedFor(host, 'start_conversation')).toEqual([{ model: null, assistant: 'assistant-2' }])
  const begun = screen.getByRole('region', { name: 'New conversation' })
  expect(begun.textContent).toContain('Invoice check')
  expect(begun.textContent).toContain('Says how urgent an invoice is.')
})

it('among the conversations, too, one is begun with an assistant', async () => {
  const world = fullWorld()
  const { host, person } = await open(App, world, '#/conversations', conversationActs(world))
  await person.click(press('New conversation with an assistant'))
  await settle()
  await person.click(screen.getByRole('menuitem', { name: 'Researcher' }))
  await settle()
  expect(askedFor(host, 'start_conversation')).toEqual([{ model: null, assistant: 'assistant-1' }])
  const row = screen.getByRole('row', { name: /New conversation/ })
  expect(row.textContent).toContain('Researcher')
})

it('a conversation says that its assistant was removed', async () => {
  const world = fullWorld()
  world.assistants = []
  await open(App, world, '#/conversations/tasks', conversationActs(world))
  expect(page()).toContain('Assistant removed')
})

const known = [{ server: 'files', tools: ['list', 'read_page'] }]
const all = known[0]!.tools.map((tool) => ({ server: 'files', tool }))
const gone = { server: 'old', tool: 'send' }

it.each([
  ['nothing', []],
  ['some tools', [all[0]!]],
  ['all tools of a server', all],
  ['a tool that is not there', [gone, ...all]],
])('%s is the same after it was shown as check marks', (_, chosen) => {
  const same = asChosen(asSelection(chosen, known), chosen, known)
  expect(new Set(same)).toEqual(new Set(chosen))
})

it('a server that is checked gives the tools that it has now, and one that is not there is said', () => {
  const whole = { kind: 'only' as const, parts: [{ server: 'files', tools: null }] }
  expect(asChosen(whole, [], known)).toEqual(all)
  expect(away([gone, ...all], known)).toEqual([gone])
})
