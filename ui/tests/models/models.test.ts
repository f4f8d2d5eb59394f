/** Promises of setting models up: a key goes in once and never comes back, and what is wrong is said with what to do. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import type { Replies } from '../../src/host/fake'
import { modelActs } from '../../src/host/fake/modelActs'
import { emptyWorld, fullWorld } from '../../src/host/fake/sample'
import type { LocalModels, ModelDraft } from '../../src/host/types.gen'
import { askedFor, open, page, settle, until } from '../support'

const at = (world = fullWorld(), replies: Replies = {}) =>
  open(App, world, '#/settings', { ...modelActs(world), ...replies })
const press = (name: string): HTMLElement => screen.getByRole('button', { name })
const dialog = (): HTMLElement => screen.getByRole('dialog')
const field = (name: RegExp): HTMLElement => within(dialog()).getByLabelText(name)
/** What is proposed for the line that is being typed. */
const proposed = (): (string | null)[] =>
  within(within(dialog()).getByRole('listbox'))
    .getAllByRole('option')
    .map((option) => option.textContent.trim())
const drafts = (host: Parameters<typeof askedFor>[0], method: 'add_model' | 'change_model') =>
  askedFor(host, method).map((params) => (params as { draft: ModelDraft }).draft)

async function change(person: Awaited<ReturnType<typeof at>>['person'], name: string) {
  await person.click(press(`More for ${name}`))
  await settle()
  await person.click(screen.getByRole('menuitem', { name: 'Change' }))
  await settle()
}

it('where there is none, the next step is there', async () => {
  await at(emptyWorld())
  expect(page()).toContain('No model yet')
  expect(press('Add a model')).toBeTruthy()
  expect(press('Look on this computer')).toBeTruthy()
})

it('a pasted key is sent once, for its service only, and the model is tested at once', async () => {
  const { host, person } = await at(emptyWorld())
  await person.click(press('Add a model'))
  await settle()
  expect(dialog().textContent).toContain('https://api.anthropic.com and nowhere else')
  await person.type(field(/^Key/), ' sk-ant-secret ')
  await person.type(field(/^Model/), 'claude-sonnet-4-5')
  await person.click(press('Save and test'))
  await settle()
  expect(drafts(host, 'add_model')).toEqual([
    {
      name: 'claude-sonnet-4-5',
      settings: {
        service: 'anthropic',
        url: 'https://api.anthropic.com',
        name: 'claude-sonnet-4-5',
        context: 200_000,
        sees_images: false,
        plain_nearby: false,
      },
      key: { kind: 'new_secret', value: 'sk-ant-secret' },
      keep: 'keyring',
    },
  ])
  // Whatever else changes afterwards.
  host.publish({ kind: 'models_changed' })
  await settle()
  expect(askedFor(host, 'test_model')).toEqual([{ model: 'model-1' }])
  expect(page()).toContain('Address and key are right, and the model is there')
  expect(page()).not.toContain('sk-ant-secret')
})

it('a model of this computer is found when a person asks, and filled in', async () => {
  const { host, person } = await at()
  expect(askedFor(host, 'find_models')).toEqual([])
  await person.click(press('Look on this computer'))
  await settle()
  expect(page()).toContain('Ollama serves models on this computer')
  await person.click(press('Use gemma3:4b'))
  await settle()
  await person.click(press('Save and test'))
  await settle()
  const [draft] = drafts(host, 'add_model')
  expect(draft?.settings).toMatchObject({ service: 'ollama', name: 'gemma3:4b', context: 8_192 })
  expect(draft?.key).toEqual({ kind: 'none' })
})

it('a model that its program calls by where its file lies is called by the name of the file', async () => {
  const { host, person } = await at()
  const path = '/models/gemma-3-270m.gguf'
  const offered = [{ name: path, context: 8_192 }]
  const place: LocalModels = {
    program: 'llama_server',
    service: 'chat',
    url: 'http://127.0.0.1:8080/v1',
    offered,
  }
  host.reply('find_models', [place])
  await person.click(press('Look on this computer'))
  await settle()
  await person.click(press(`Use ${path}`))
  await settle()
  expect(dialog().textContent).toContain('Usually none is needed.')
  await person.click(press('Save and test'))
  await settle()
  const [draft] = drafts(host, 'add_model')
  expect(draft).toMatchObject({ name: 'gemma-3-270m', settings: { name: path } })
})

it('a form that was not touched changes nothing', async () => {
  const world = fullWorld()
  const before = structuredClone(world.models)
  const { host, person } = await at(world)
  await change(person, 'Claude')
  await person.click(press('Save and test'))
  await settle()
  expect(drafts(host, 'change_model')[0]?.key).toEqual({ kind: 'kept' })
  expect(new Set(world.models)).toEqual(new Set(before))
})

it('a kept key does not go along to another address', async () => {
  const { host, person } = await at()
  await change(person, 'Claude')
  await person.clear(field(/^Address/))
  await person.type(field(/^Address/), 'https://other.example')
  expect(dialog().textContent).toContain('was given for another address and stays there')
  await person.click(press('Save and test'))
  await settle()
  expect(drafts(host, 'change_model')[0]?.key).toEqual({ kind: 'none' })
})

it('plain text to another computer is a choice of its own', async () => {
  const { host, person } = await at()
  await change(person, 'Here')
  expect(screen.queryByLabelText('Send in plain text to this address')).toBeNull()
  await person.clear(field(/^Address/))
  await person.type(field(/^Address/), 'http://192.168.1.7:11434')
  await person.click(screen.getByLabelText('Send in plain text to this address'))
  await person.click(press('Save and test'))
  await settle()
  expect(drafts(host, 'change_model')[0]?.settings.plain_nearby).toBe(true)
})

it('a name that the service does not have is said, with the names that it has', async () => {
  const world = fullWorld()
  world.models = world.models.map((model) => ({
    ...model,
    settings: { ...model.settings, name: 'no-such-model' },
  }))
  const { person } = await at(world)
  const article = within(screen.getByRole('article', { name: 'Claude' }))
  await person.click(article.getByRole('button', { name: 'Test' }))
  await settle()
  expect(page()).toContain('The service has no model called no-such-model')
  await person.click(article.getByRole('button', { name: 'Choose another name' }))
  await settle()
  await person.clear(field(/^Model/))
  await person.type(field(/^Model/), 'haiku')
  await until(() => expect(proposed()).toEqual(['claude-haiku-4-5']))
})

it('a key that is not accepted leads to another one', async () => {
  const { host, person } = await at()
  host.failNext('test_model', 'model_key_refused')
  const article = within(screen.getByRole('article', { name: 'Claude' }))
  await person.click(article.getByRole('button', { name: 'Test' }))
  await settle()
  expect(page()).toContain('The key is not accepted')
  await person.click(article.getByRole('button', { name: 'Enter another key' }))
  await settle()
  expect(dialog().textContent).toContain('Change Claude')
})

it('where nothing answers on this computer, its program is to be started', async () => {
  const { host, person } = await at()
  const press = async (name: string) => {
    host.failNext('test_model', 'unreachable')
    const article = within(screen.getByRole('article', { name }))
    await person.click(article.getByRole('button', { name: 'Test' }))
    await settle()
  }
  await press('Claude')
  expect(page()).toContain('Check the address and your connection.')
  expect(page()).not.toContain('Start the program that serves the model')
  await press('Here')
  expect(page()).toContain('Start the program that serves the model, then try again.')
})

it('without a keyring a key is kept until the end only if the person says so', async () => {
  const { host, person } = await at()
  await change(person, 'Claude')
  await person.type(field(/^Key/), 'sk-other')
  host.failNext('change_model', 'keyring_missing')
  await person.click(press('Save and test'))
  await settle()
  await person.click(within(within(dialog()).getByRole('alert')).getByRole('button', { name: /./ }))
  await settle()
  expect(drafts(host, 'change_model').map(({ keep }) => keep)).toEqual(['keyring', 'session'])
})

it('what is wrong in a form is said where it is wrong, and nothing typed is lost', async () => {
  const { host, person } = await at()
  await change(person, 'Claude')
  await person.clear(field(/^Context/))
  await person.type(field(/^Context/), 'many')
  await person.click(press('Save and test'))
  expect(dialog().textContent).toContain('Give a number of tokens')
  await person.clear(field(/^Context/))
  await person.type(field(/^Context/), '128,000')
  host.failNext('change_model', 'bad_url')
  await person.click(press('Save and test'))
  await settle()
  expect(dialog().textContent).toContain('Use an address that begins with https://')
  expect(drafts(host, 'change_model')[0]?.settings.context).toBe(128_000)
})

it('what goes with a model is said before it is removed', async () => {
  const { host, person } = await at()
  await person.click(press('More for Claude'))
  await settle()
  await person.click(screen.getByRole('menuitem', { name: 'Remove' }))
  await settle()
  expect(dialog().textContent).toContain('Its key is deleted, too')
  expect(askedFor(host, 'remove_model')).toEqual([])
  await person.click(within(dialog()).getByRole('button', { name: 'Remove' }))
  await settle()
  expect(screen.queryByRole('article', { name: 'Claude' })).toBeNull()
})
