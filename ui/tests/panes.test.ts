/** Promises of a list and what was opened from it, where a narrow window shows one of the two. */
import { cleanup, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { conversationActs } from '../src/host/fake/conversationActs'
import { fullWorld } from '../src/host/fake/sample'
import Activity from '../src/views/Activity.svelte'
import Conversations from '../src/views/Conversations.svelte'
import Tools from '../src/views/Tools.svelte'
import { open, stores, until } from './support'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** No style is read here: what is opened hides all that is beside it. */
function narrow(): void {
  vi.spyOn(HTMLElement.prototype, 'checkVisibility').mockImplementation(function (
    this: HTMLElement,
  ) {
    return stores.router.route.path.length === 0 || this.closest('[data-opened]') !== null
  })
}

test.each<[what: string, view: Component, at: string, row: string, back: string]>([
  ['a row of the log', Activity, 'activity', '[data-row]', 'Close'],
  ['a tool', Tools, 'tools', 'nav li a', 'Back'],
  ['a conversation', Conversations, 'conversations', '[data-row]', 'Back'],
])('the focus goes along to %s that hides the list, and back', async (_, view, at, row, back) => {
  const world = fullWorld()
  const { person } = await open(view, world, `#/${at}`, conversationActs(world))
  narrow()
  const opens = await until(() => document.querySelector<HTMLElement>(row)!)
  opens.focus()
  await person.keyboard('{Enter}')
  const away = await screen.findByRole('button', { name: back })
  await until(() => expect(document.activeElement).toBe(away))
  await person.click(away)
  await until(() => expect(document.activeElement).toBe(opens))
})
