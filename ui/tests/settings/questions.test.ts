/** Promises about how long questions wait, and for how long answers are remembered. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { hostError } from '../../src/host/error'
import type { FakeHost, Replies } from '../../src/host/fake'
import Questions from '../../src/parts/settings/Questions.svelte'
import { Remembering } from '../../src/parts/consent/remembering.svelte'
import { connected, leave } from '../ours'
import { failing } from '../replies'
import { render, settle } from '../support'

afterEach(() => {
  cleanup()
  leave()
  localStorage.clear()
})

async function open(replies: Replies = {}): Promise<{ host: FakeHost; person: UserEvent }> {
  const host = await connected(undefined, {
    set_question_time: ({ minutes }) => minutes,
    ...replies,
  })
  render(Questions)
  await screen.findByLabelText('Time to answer')
  return { host, person: userEvent.setup() }
}

const time = (): HTMLSelectElement => screen.getByLabelText('Time to answer')
const shown = (list: HTMLSelectElement): string => list.selectedOptions[0]!.textContent
const chosen = (host: FakeHost): unknown[] =>
  host.asked.filter(({ method }) => method === 'set_question_time').map(({ params }) => params)

test('the time that a person has to answer is shown and chosen', async () => {
  const { host, person } = await open()
  expect(shown(time())).toBe('10 minutes')
  await person.selectOptions(time(), '4 hours')
  await settle()
  expect(chosen(host)).toEqual([{ minutes: 240 }])
  expect(shown(time())).toBe('4 hours')
})

test('a time that was chosen elsewhere stands among the others', async () => {
  await open({ question_time: () => 45 })
  expect(shown(time())).toBe('45 minutes')
  const all = within(time()).getAllByRole('option')
  expect(all.map(({ textContent }) => textContent)).toEqual([
    '1 minute',
    '2 minutes',
    '5 minutes',
    '10 minutes',
    '30 minutes',
    '45 minutes',
    '1 hour',
    '4 hours',
    '24 hours',
  ])
})

test('a time that could not be chosen is not shown as chosen', async () => {
  const { person } = await open({ set_question_time: failing(hostError('disk_full', 'no space')) })
  await person.selectOptions(time(), '30 minutes')
  await settle()
  expect(shown(time())).toBe('10 minutes')
  expect(screen.getByRole('alert')).toBeTruthy()
})

test('answers are remembered for as long as the person usually wants, where they choose that', async () => {
  const remembering = (): Remembering =>
    new Remembering([], {}, { files: [], hosts: [], unread: [] } as never)
  expect(remembering().length).toBe('conversation')
  const { person } = await open()
  await person.selectOptions(screen.getByLabelText('Remember answers for'), 'For an hour')
  expect(remembering().length).toBe('hour')
  localStorage.setItem('majordomo.remember-for', 'for ever')
  expect(remembering().length).toBe('conversation')
})
