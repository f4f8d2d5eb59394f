/** Promises of looking behind what a model did: how a call came to run, what was exchanged for it, and whose address it names. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import type { Replies } from '../../src/host/fake'
import { conversationActs } from '../../src/host/fake/conversationActs'
import { fullWorld } from '../../src/host/fake/sample'
import type { ActivityDetail, Concern } from '../../src/host/types.gen'
import { askedFor, open, settle } from '../support'

const at = (replies: Replies = {}) => {
  const world = fullWorld()
  const shown = open(App, world, '#/conversations/talk-1', {
    ...conversationActs(world),
    ...replies,
  })
  return { world, shown }
}
const call = (nth: number): HTMLElement => screen.getAllByRole('article')[nth]!
const look = (of: HTMLElement): HTMLElement =>
  within(of).getByText('What was sent, and what came of it')

it('a call unfolds to its question and to what was exchanged for it', async () => {
  const [some] = fullWorld().activity
  const show_call = (): ActivityDetail => ({
    ...some!,
    permission: { kind: 'answer', question: 'question-1', grant: null, changed: false },
  })
  const { host, person } = await at({ show_call }).shown
  expect(askedFor(host, 'show_call')).toEqual([])
  await person.click(look(call(0)))
  await settle()
  expect(askedFor(host, 'show_call')).toHaveLength(1)
  const question = within(call(0)).getByRole('link', {
    name: 'The question and its answer in the log',
  })
  expect(question.getAttribute('href')).toContain('activity')
  expect(within(call(0)).getByRole('link', { name: 'This call in the log' })).toBeTruthy()
  await person.click(within(call(0)).getByText('Messages of this call'))
  await settle()
  expect(askedFor(host, 'list_exchange')).toHaveLength(1)
})

it('a call of which the log knows nothing any more says so', async () => {
  const show_call = (): never => {
    throw hostError('unknown_record', 'the log does not hold the call')
  }
  const { person } = await at({ show_call }).shown
  await person.click(look(call(0)))
  await settle()
  expect(call(0).textContent).toContain('The log holds no more about this call.')
})

it('what speaks against an address of a model is said before it can be opened', async () => {
  const concern: Concern = {
    argument: 'url',
    value: 'https://harbour.example/prices?from=mail',
    act: null,
    source: { kind: 'unknown', message: null, at: null },
    why: 'carries_out',
  }
  const { host, person } = await at({ check_link: () => [concern] }).shown
  await person.click(screen.getByRole('button', { name: 'harbour.example' }))
  await settle()
  expect(askedFor(host, 'check_link')).toEqual([{ conversation: 'talk-1', address: concern.value }])
  expect(screen.getByRole('dialog').textContent).toContain('may carry out what was read')
})

it('an address is not opened before it is known what speaks against it', async () => {
  const check_link = (): never => {
    throw hostError('database_damaged', 'it cannot be read')
  }
  const { host, person } = await at({ check_link }).shown
  await person.click(screen.getByRole('button', { name: 'harbour.example' }))
  await settle()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Open in browser' })
  expect(button.disabled).toBe(true)
  expect(host.opened).toEqual([])
})
