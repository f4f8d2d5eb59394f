/** Promises of what is not known yet: a page says that it loads, and never that there is nothing. */
import { cleanup, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, expect, it, test } from 'vitest'
import App from '../src/App.svelte'
import { conversationActs } from '../src/host/fake/conversationActs'
import { emptyWorld, fullWorld } from '../src/host/fake/sample'
import type { Method } from '../src/host/host'
import Activity from '../src/views/Activity.svelte'
import Clients from '../src/views/Clients.svelte'
import Conversations from '../src/views/Conversations.svelte'
import Servers from '../src/views/Servers.svelte'
import Settings from '../src/views/Settings.svelte'
import Tools from '../src/views/Tools.svelte'
import { open, page, until } from './support'

afterEach(cleanup)

const never = (): never => new Promise(() => undefined) as never

test.each<[what: string, method: Method, view: Component, at: string, nothing: string]>([
  ['tools', 'list_tools', Tools, '#/tools', 'No tool matches'],
  ['the tools of a server', 'list_tools', Servers, '#/servers/files/tools', 'lists no tools'],
  ['what a server writes', 'server_log', Servers, '#/servers/files/output', 'No output'],
  ['calls', 'list_activity', Activity, '#/activity', 'No calls yet'],
  ['applications', 'list_clients', Clients, '#/clients', 'No application'],
  ['models', 'list_models', Conversations, '#/conversations', 'No model yet'],
  ['conversations', 'list_conversations', Conversations, '#/conversations', 'No conversation'],
])(
  'while %s are on their way, nothing says that there are none',
  async (_, method, view, at, nothing) => {
    const world = fullWorld()
    await open(view, world, at, { ...conversationActs(world), [method]: never })
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Loading…')
    expect(page()).not.toContain(nothing)
  },
)

it('whether there is a conversation is known before it is said that there is no model', async () => {
  await open(Conversations, emptyWorld(), '#/conversations', {
    ...conversationActs(emptyWorld()),
    list_conversations: never,
  })
  expect(page()).not.toContain('No model yet')
})

it('conversations are read without a model', async () => {
  const world = fullWorld()
  await open(App, world, '#/conversations', { ...conversationActs(world), list_models: [] })
  await until(() => expect(screen.getByRole('grid', { name: 'Conversations' })).toBeTruthy())
})

it('a setting has its place before it is known', async () => {
  await open(Settings, fullWorld(), '#/settings', { question_time: never })
  expect(screen.getByLabelText('Time to answer')).toHaveProperty('disabled', true)
})
