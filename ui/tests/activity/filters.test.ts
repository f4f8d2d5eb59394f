/** Promises of what the list shows: parts of the log, links that lead to a filter, filters under names, and ways from a row. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CLAUDE_CODE } from '../../src/host/fake/callers'
import type { FakeHost } from '../../src/host/fake'
import type { ActivityDetail, ListActivity } from '../../src/host/types.gen'
import { choiceFrom, filterFor, NO_CHOICE } from '../../src/parts/activity/choice'
import { to } from '../../src/state/router.svelte'
import { SavedFilters } from '../../src/state/savedFilters'
import { LONGEST_NAME, MOST } from '../../src/state/savedList.svelte'
import Activity from '../../src/views/Activity.svelte'
import { connected, leave } from '../ours'
import { askedFor, render, stores, until } from '../support'
import { decided, decidedInFull, detail } from './happened'

afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
  leave()
})

const ALL = [
  detail(9),
  decidedInFull(decided(8, 'server_switched', { choice: 'on' })),
  decidedInFull(decided(7, 'host_started', { segment: 'system', server: null, approver: null })),
  detail(6, { caller: CLAUDE_CODE, server: 'currency' }),
]

async function open(
  address: string = to('activity'),
  activity: ActivityDetail[] = ALL,
): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected((world) => (world.activity = activity))
  stores.router.go(address)
  render(Activity)
  await screen.findByRole('grid')
  return { host, user: userEvent.setup() }
}

const grid = (): string => screen.getByRole('grid').textContent
const filters = (host: FakeHost) =>
  askedFor<ListActivity>(host, 'list_activity').map(({ filter }) => filter)
const part = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })

describe('the parts of the log', () => {
  it('begin with calls, and each is a choice away', async () => {
    const { host, user } = await open()
    expect(part('Calls').checked).toBe(true)
    expect(grid()).toContain('You ran tool_9 of files')
    expect(grid()).not.toContain('switched')
    await user.click(part('Decisions'))
    await until(() => expect(grid()).toContain('You switched files on'))
    expect(grid()).not.toContain('tool_9')
    await user.click(part('System'))
    await until(() => expect(grid()).toContain('Majordomo started'))
    await user.click(part('All'))
    await until(() => expect(grid()).toMatch(/tool_9.*switched.*started/s))
    expect(filters(host).map(({ segment }) => segment)).toEqual([
      'calls',
      'decisions',
      'system',
      null,
    ])
  })

  it('show no outcome beside what was merely written down', async () => {
    await open(to('activity', [], { segment: 'all' }))
    expect(grid()).toContain('Done')
    expect(grid()).not.toContain('Recorded')
  })

  it('are chosen by a link that needs another one, and a row that is open stays open', async () => {
    const { user } = await open(to('activity', [8], { segment: 'decisions' }))
    expect(part('Decisions').checked).toBe(true)
    const panel = await screen.findByRole('complementary', { name: 'Details' })
    await until(() => expect(panel.textContent).toContain('You switched files on'))
    await user.click(part('Calls'))
    await until(() => expect(grid()).toContain('tool_9'))
    expect(screen.getByRole('complementary', { name: 'Details' }).textContent).toContain(
      'You switched files on',
    )
  })

  it('stay as they are when filters are cleared', async () => {
    const { user } = await open(to('activity', [], { segment: 'all', server: 'files' }))
    await until(() => expect(grid()).not.toContain('started'))
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await until(() => expect(grid()).toContain('Majordomo started'))
    expect(part('All').checked).toBe(true)
  })

  it('are all of them for words, which can be anywhere', () => {
    expect(choiceFrom({ text: 'question-1' }).segment).toBe('all')
    expect(choiceFrom({ outcome: 'noted' }).segment).toBe('all')
    expect(choiceFrom({ server: 'files' }).segment).toBe('calls')
    expect(choiceFrom({ server: 'files', segment: 'system' }).segment).toBe('system')
  })
})

it('what a link or a kept filter says that cannot be understood is as if it was not there', () => {
  const odd = { segment: 'x', outcome: 7, caller: null, span: 'exact', between: [1, 'b'], from: {} }
  expect(choiceFrom(odd)).toEqual(NO_CHOICE)
  expect(choiceFrom({ ...NO_CHOICE })).toEqual(NO_CHOICE)
})

it('a span moves with the clock, and an exact one does not', () => {
  const hour = filterFor({ ...NO_CHOICE, span: 'hour' }, 7_200_000)
  expect([hour.from, hour.to]).toEqual([3_600_000, null])
  const exact = filterFor({ ...NO_CHOICE, span: 'exact', between: [5, 9] }, 7_200_000)
  expect([exact.from, exact.to]).toEqual([5, 9])
})

describe('a filter under a name', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Saved filters' }))
  const openSaved = (user: UserEvent) =>
    user.click(screen.getByRole('button', { name: 'Saved filters' }))

  it('is kept, found again by a later page, and removed', async () => {
    const { user } = await open()
    await user.click(part('All'))
    await user.selectOptions(screen.getByLabelText('When'), 'week')
    await openSaved(user)
    await user.type(dialog().getByLabelText('Name of this filter'), ' This week ')
    await user.click(dialog().getByRole('button', { name: 'Save' }))
    cleanup()
    leave()

    const { host, user: later } = await open()
    expect(part('Calls').checked).toBe(true)
    await openSaved(later)
    await later.click(dialog().getByRole('button', { name: 'This week' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await until(() => expect(part('All').checked).toBe(true))
    const last = filters(host).at(-1)
    expect(last?.segment).toBeNull()
    expect(Date.now() - (last?.from ?? 0)).toBeLessThan(8 * 86_400_000)

    await openSaved(later)
    await later.click(dialog().getByRole('button', { name: 'Remove the saved filter This week' }))
    expect(dialog().queryByRole('button', { name: 'This week' })).toBeNull()
    expect(new SavedFilters().list).toEqual([])
  })

  it('takes the place of one with the same name, and there are at most twenty', async () => {
    const saved = new SavedFilters()
    for (let at = 0; at < MOST + 5; at += 1) saved.save(`filter ${at}`, NO_CHOICE)
    expect(saved.list).toHaveLength(MOST)
    saved.save('filter 3', { ...NO_CHOICE, server: 'files' })
    expect(saved.list).toHaveLength(MOST)
    expect(saved.list.find(({ name }) => name === 'filter 3')?.choice['server']).toBe('files')
    const { user } = await open()
    await openSaved(user)
    await user.type(dialog().getByLabelText('Name of this filter'), 'one more')
    expect(dialog().getByText(/already 20|20 saved filters/)).toBeTruthy()
    expect(dialog().getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await user.clear(dialog().getByLabelText('Name of this filter'))
    await user.type(dialog().getByLabelText('Name of this filter'), 'filter 3')
    expect(dialog().getByRole('button', { name: 'Replace' })).toHaveProperty('disabled', false)
  })

  it('stands once, however long the name is that was given', () => {
    const saved = new SavedFilters()
    saved.save('x'.repeat(200), NO_CHOICE)
    saved.save('x'.repeat(200), { ...NO_CHOICE, server: 'files' })
    expect(saved.list.map(({ name, choice }) => [name.length, choice['server']])).toEqual([
      [LONGEST_NAME, 'files'],
    ])
  })

  it('is not kept where there is no space left, and that is said', async () => {
    const { user } = await open()
    await openSaved(user)
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await user.type(dialog().getByLabelText('Name of this filter'), 'mine')
    await user.click(dialog().getByRole('button', { name: 'Save' }))
    full.mockRestore()
    expect(dialog().getByText(/no space left/)).toBeTruthy()
    expect(dialog().queryByRole('button', { name: 'mine' })).toBeNull()
    await user.click(dialog().getByRole('button', { name: 'Save' }))
    expect(new SavedFilters().list.map(({ name }) => name)).toEqual(['mine'])
  })

  it('that was damaged is none', () => {
    for (const damaged of ['{', '7', '[{"name":1}]', '[null]']) {
      localStorage.setItem('majordomo.filters', damaged)
      expect(new SavedFilters().list).toEqual([])
    }
  })
})

describe('the ways from a row', () => {
  const link = async (name: string | RegExp) =>
    (
      await within(await screen.findByRole('complementary', { name: 'Details' })).findByRole(
        'link',
        {
          name,
        },
      )
    ).getAttribute('href')

  it('lead to its server, its tool, and calls like it', async () => {
    const host = await connected((world) => {
      world.activity = [detail(6, { caller: CLAUDE_CODE, server: 'currency' })]
    })
    stores.router.go(to('activity', [6]))
    render(Activity)
    expect(await link('currency')).toBe(to('servers', ['currency']))
    expect(await link('See this tool')).toBe(to('tools', ['currency', 'tool_6']))
    const user = userEvent.setup()
    await user.click(screen.getByRole('link', { name: 'Show calls like this' }))
    await until(() =>
      expect(filters(host).at(-1)).toMatchObject({
        segment: 'calls',
        server: 'currency',
        tool: 'tool_6',
        caller: { kind: 'client', id: 'claude-code' },
      }),
    )
    expect(screen.getByLabelText('Who asked')).toHaveProperty('value', 'client:claude-code')
  })

  it.each([
    [
      'question_answered',
      { question: 'question-7' },
      'The question and its answer in the log',
      to('activity', [], { text: 'question-7', segment: 'all' }),
    ],
    ['grant_made', { grant: 'grant-7' }, 'See this approval', to('approvals', ['grant-7'])],
    ['rule_made', { rule: 'rule-7' }, 'See this rule', to('policy', ['rules', 'rule-7'])],
  ] as const)('lead from a %s to what it is about', async (what, more, name, address) => {
    await open(to('activity', [8]), [decidedInFull(decided(8, what, more)), detail(7)])
    expect(await link(name)).toBe(address)
  })
})

describe('many decisions that are one record', () => {
  const many = (decisions: string[]) => {
    const row = decided(8, 'offers_decided', { choice: 'approve', count: decisions.length })
    const named = decisions.map((decision, at) => ({
      kind: 'tool',
      name: `tool-${at}`,
      decision,
      fingerprint: null,
    }))
    return decidedInFull(row, { records: [JSON.stringify({ seq: 8, decided: named })] })
  }

  it('are one row, which opens to the names, however many', async () => {
    await open(to('activity', [8], { segment: 'decisions' }), [
      many(Array.from({ length: 1_000 }, () => 'approve')),
    ])
    expect(grid()).toContain('You approved 1,000 items of files')
    expect(await screen.findByText('1,000 approved')).toBeTruthy()
    expect(screen.getByText('tool-0')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Decided about' })).toBeTruthy()
  })

  it('are told apart by what was decided, and a record that cannot be read says nothing', async () => {
    const torn = decidedInFull(decided(7, 'offers_decided', { count: 2 }), { records: ['torn'] })
    await open(to('activity', [8]), [many(['approve', 'block', 'approve']), torn, detail(6)])
    expect(await screen.findByText('2 approved')).toBeTruthy()
    expect(screen.getByText('1 blocked')).toBeTruthy()
    stores.router.go(to('activity', [7]))
    await screen.findByText('torn')
    expect(screen.queryByRole('heading', { name: 'Decided about' })).toBeNull()
  })

  it('say how many the record does not name', async () => {
    const row = decided(8, 'offer_quarantined', { segment: 'system', subject: 'a', count: 40 })
    const record = { kind: 'tool', name: 'a', others: 39, also: [{ kind: 'prompt', name: 'b' }] }
    await open(to('activity', [8]), [
      decidedInFull(row, { records: [JSON.stringify(record)] }),
      detail(6),
    ])
    expect(await screen.findByRole('heading', { name: 'What has changed' })).toBeTruthy()
    expect(screen.getByText('38 more are not named in the record.')).toBeTruthy()
  })
})
