/** Promises about calls whose outcome nobody knows, and about on whose word a call ran. */
import { screen, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import App from '../../src/App.svelte'
import { fullWorld } from '../../src/host/fake/sample'
import { sampleUnknown } from '../../src/host/fake/sampleLog'
import type { World } from '../../src/host/fake/world'
import type { ActivityDetail } from '../../src/host/types.gen'
import { to } from '../../src/state/router.svelte'
import { askedFor, open, page, settle } from '../support'

function worldWith(change: (world: World) => void): World {
  const world = fullWorld()
  change(world)
  return world
}

/** A world in which the newest call has these particulars. */
const called = (
  more: Partial<ActivityDetail>,
  outcome: ActivityDetail['row']['outcome'] = 'done',
): World =>
  worldWith((world) => {
    const newest = world.activity[0]!
    world.activity[0] = {
      ...newest,
      permission: null,
      refusal: null,
      ...more,
      row: { ...newest.row, outcome },
    }
  })
const openCalled = async (world: World) => {
  const opened = await open(App, world, to('activity', [1000]), { revoke_grant: world.grants[0]! })
  await settle()
  return { ...opened, panel: screen.getByRole('complementary', { name: 'Details' }) }
}

it('calls with an unknown outcome are said wherever the person is, with what was sent, until each was seen', async () => {
  const { host, person } = await open(
    App,
    worldWith((world) => (world.unknown = sampleUnknown())),
    '#/servers',
    { note_unknown: null },
  )
  expect(page()).toContain(
    'The outcome of 2 calls is not known. Nothing is repeated automatically.',
  )
  await person.click(screen.getByRole('button', { name: 'Check it' }))
  const dialog = screen.getByRole('dialog')
  for (const said of [
    'place_shipping_order',
    'Rotterdam',
    'The terminal',
    'It is never repeated automatically',
  ])
    expect(dialog.textContent).toContain(said)
  await person.click(within(dialog).getByRole('button', { name: 'I have seen it: list_directory' }))
  await settle()
  expect(page()).toContain('The outcome of 1 call is not known.')
  await person.click(
    within(dialog).getByRole('button', { name: 'I have seen it: place_shipping_order' }),
  )
  await settle()
  expect(askedFor<{ call: string }>(host, 'note_unknown').map(({ call }) => call)).toEqual(
    sampleUnknown().map(({ call }) => call),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(page()).not.toContain('is not known')
  expect(askedFor(host, 'call_tool')).toEqual([])
})

it('a call that is lost while the window is open is said at once', async () => {
  const { host } = await open(App, fullWorld(), '#/tools')
  host.publish({ kind: 'unknown_changed', unknown: sampleUnknown(), more: 0 })
  await settle()
  expect(page()).toContain('The outcome of 2 calls is not known.')
})

it('of very many the oldest are shown, and how many more there are', async () => {
  const { host, person } = await open(App, fullWorld(), '#/tools')
  host.publish({ kind: 'unknown_changed', unknown: sampleUnknown(), more: 40 })
  await settle()
  expect(page()).toContain('The outcome of 42 calls is not known.')
  await person.click(screen.getByRole('button', { name: 'Check it' }))
  await settle()
  expect(screen.getByRole('dialog').textContent).toContain('40 more are shown once you have seen')
})

it('its row says so in full, and can be put to rest there', async () => {
  const { host, person } = await open(
    App,
    worldWith((world) => (world.unknown = sampleUnknown())),
    to('activity', [988]),
    { note_unknown: null },
  )
  await settle()
  const panel = screen.getByRole('complementary', { name: 'Details' })
  expect(panel.textContent).toContain('What became of this call is not known')
  await person.click(within(panel).getByRole('button', { name: 'I have seen it' }))
  await settle()
  expect(askedFor(host, 'note_unknown')).toEqual([{ call: 'call-0000000000000988' }])
  expect(panel.textContent).toContain('What became of this call is not known')
  expect(within(panel).queryByRole('button', { name: 'I have seen it' })).toBeNull()
})

it('an approval is taken back from the row of a call that it let through', async () => {
  const grant = fullWorld().grants[0]!.id
  const { host, person, panel } = await openCalled(called({ permission: { kind: 'grant', grant } }))
  expect(within(panel).getByRole('link', { name: 'See this approval' }).getAttribute('href')).toBe(
    to('approvals', [grant]),
  )
  expect(within(panel).getByRole('status').hasAttribute('tabindex')).toBe(false)
  await person.click(within(panel).getByRole('button', { name: 'Take this approval back' }))
  await settle()
  expect(askedFor(host, 'revoke_grant')).toEqual([{ grant }])
  const said = within(panel).getByRole('status', { name: 'Taken back. The next call asks again.' })
  expect(document.activeElement).toBe(said)
  expect(said.textContent).toBe('Taken back. The next call asks again.')
})

it('an approval that is over cannot be taken back', async () => {
  const { panel } = await openCalled(
    called({ permission: { kind: 'grant', grant: 'grant-of-old' } }),
  )
  expect(panel.textContent).toContain('This approval does not hold any more.')
  expect(within(panel).queryByRole('button', { name: 'Take this approval back' })).toBeNull()
})

it('an answer leads to its question in the log', async () => {
  const { host, person, panel } = await openCalled(
    called({
      permission: {
        kind: 'answer',
        question: 'question-0000000000000042',
        grant: null,
        changed: false,
      },
    }),
  )
  await person.click(
    within(panel).getByRole('link', { name: 'The question and its answer in the log' }),
  )
  await settle()
  expect(askedFor<{ filter: unknown }>(host, 'list_activity').at(-1)?.filter).toMatchObject({
    text: 'question-0000000000000042',
    server: null,
  })
  expect(screen.getByLabelText<HTMLInputElement>('Search').value).toBe('question-0000000000000042')
})

it.each([true, false])(
  'arguments that the person changed, or not (%s), are said',
  async (changed) => {
    const { panel } = await openCalled(
      called({
        permission: { kind: 'answer', question: 'question-0000000000000042', grant: null, changed },
      }),
    )
    expect(panel.textContent.includes('Changed by you before it was sent')).toBe(changed)
  },
)

it('rules that let a call through, or forbade it, are linked', async () => {
  const rules = ['rule-0000000000000001', 'no-shell', 'rule-9']
  const { panel } = await openCalled(called({ permission: { kind: 'rules', rules } }))
  const links = rules.map((rule) =>
    within(panel)
      .getAllByRole('link')
      .find((link) => link.getAttribute('href') === to('policy', ['rules', rule])),
  )
  // One that was made here is told in its own words, every other one by its number, too.
  const [own, written, gone] = links.map((link) => link?.textContent.replace(/\s+/g, ' ').trim())
  expect(own).toMatch(/^Never run write_file of files, if /)
  expect(own).not.toContain('rule-')
  expect(written).toMatch(/ Rule no-shell$/)
  expect(gone).toBe('Rule rule-9')
})

it('a refusal by a rule leads to that rule', async () => {
  const { panel } = await openCalled(
    called(
      { refusal: { kind: 'forbidden', rules: ['no-shell'], by: 'administrator', reason: null } },
      'refused',
    ),
  )
  expect(
    within(panel)
      .getByRole('link', { name: /no-shell/ })
      .getAttribute('href'),
  ).toBe(to('policy', ['rules', 'no-shell']))
  // What forbids a call has not authorized it.
  expect(within(panel).getByText('Denied by')).toBeTruthy()
  expect(within(panel).queryByText('Authorized by')).toBeNull()
})
