/** Promises of the page on which every remembered answer stands. */
import { WINDOW } from '../../src/host/fake/callers'
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, test } from 'vitest'
import { manyGrants, sampleGrants, sampleTightenings } from '../../src/host/fake/sampleGrants'
import { fullWorld } from '../../src/host/fake/sample'
import { NOTHING_MORE } from '../../src/host/fake/nothingMore'
import type { FakeHost, Replies } from '../../src/host/fake'
import type { ActivityRow, Grant, Tightening } from '../../src/host/types.gen'
import { to } from '../../src/state/router.svelte'
import { byServer, lapsesAt } from '../../src/parts/approvals/show'
import { lastingWords } from '../../src/parts/terms/lasting'
import Approvals from '../../src/views/Approvals.svelte'
import { connected, leave } from '../ours'
import { render, stores, until } from '../support'

const DAY = 86_400_000
const files = fullWorld().tools.filter(({ server }) => server === 'files')
const builtin = fullWorld().tools

/** The sample approvals, each gone from the list once it was taken back. */
function revocable(grants: Grant[] = sampleGrants(files, builtin)): Replies {
  const revoke = (id: string): Grant =>
    grants.splice(
      grants.findIndex((grant) => grant.id === id),
      1,
    )[0]!
  return { list_grants: () => grants, revoke_grant: ({ grant }) => revoke(grant) }
}

async function open(
  replies: Replies = revocable(),
): Promise<{ host: FakeHost; user: ReturnType<typeof userEvent.setup> }> {
  const host = await connected(undefined, replies)
  render(Approvals)
  return { host, user: userEvent.setup() }
}

const cards = () => screen.getAllByRole('article')
const card = (words: string) =>
  cards().find((article) => article.textContent.replace(/\s+/g, ' ').includes(words)) as HTMLElement
const said = (article: HTMLElement) => article.textContent.replace(/\s+/g, ' ')

afterEach(() => {
  cleanup()
  leave()
})

describe('every remembered answer', () => {
  it('stands under its server and says what it does, for whom, for which arguments and how long', async () => {
    await open()
    await screen.findByRole('region', { name: /^currency/ })
    expect(
      screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent.trim()),
    ).toEqual(['currency 2 answers', 'files 3 answers', 'shipping 1 answer', 'web 1 answer'])
    for (const [words, ...more] of [
      [
        'You may run list_directory on files from this app without being asked.',
        'path lies in /home/ada/Documents',
        'Until you take it back.',
      ],
      [
        'The terminal may run get_exchange_rate on currency without asking you.',
        'base is one of: EUR, USD',
        'target may be anything',
        'Always',
      ],
      [
        'may run place_shipping_order',
        'num_containers is at most 5',
        'destination is Rotterdam',
        'For 10 calls in all; 6 left.',
      ],
      [
        'The terminal may not run write_file on files, and you are not asked.',
        'Denies',
        'Keep out of my keys.',
      ],
      [
        'may run fetch on web',
        'url leads to: docs.example.com, example.org',
        'Until Nov 26, 2026',
        'Made narrower by you',
      ],
    ] as [string, ...string[]][]) {
      for (const part of more) expect(said(card(words)), words).toContain(part)
    }
  })

  it('says when it was given, how often and when it was used, and when it lapses', async () => {
    await open()
    await screen.findByRole('region', { name: /^shipping/ })
    expect(said(card('place_shipping_order'))).toMatch(
      /Given Nov 19, 2026.* used 4 times, last used Nov 21, 2026.* expires Dec 21, 2026.* if it is not used/,
    )
  })

  it('is taken back with one click', async () => {
    const { host, user } = await open()
    await screen.findByRole('region', { name: /^shipping/ })
    await user.click(
      within(card('place_shipping_order')).getByRole('button', { name: 'Take back' }),
    )
    await until(() => expect(screen.queryByRole('region', { name: /^shipping/ })).toBeNull())
    expect(host.asked.filter(({ method }) => method === 'revoke_grant')).toEqual([
      { method: 'revoke_grant', params: { grant: 'grant-0000000000000005' } },
    ])
  })

  it('that cannot be taken back stays, it is said why, and it can be tried again', async () => {
    const { host, user } = await open()
    await screen.findByRole('region', { name: /^shipping/ })
    host.failNext('revoke_grant', 'log_not_writable')
    await user.click(
      within(card('place_shipping_order')).getByRole('button', { name: 'Take back' }),
    )
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(card('place_shipping_order')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await until(() => expect(screen.queryByRole('region', { name: /^shipping/ })).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(host.asked.filter(({ method }) => method === 'revoke_grant')).toHaveLength(2)
  })

  it('that is taken back leaves the keyboard at the next one, but not on its button', async () => {
    const { user } = await open()
    await screen.findByRole('region', { name: /^shipping/ })
    const [first, second] = cards() as [HTMLElement, HTMLElement]
    const next = said(second)
    await user.click(within(first).getByRole('button', { name: 'Take back' }))
    await until(() => expect(first.isConnected).toBe(false))
    await until(() => expect(said(document.activeElement as HTMLElement)).toBe(next))
  })

  it('leads to the record of the question that it came of, or says that there is none', async () => {
    const row: ActivityRow = {
      seq: 77,
      at: 0,
      what: 'question_answered',
      caller: WINDOW,
      server: 'shipping',
      tool: 'x',
      outcome: 'noted',
      reason: 'allowed',
      approver: 'question_window',
      duration_ms: null,
      waited_ms: null,
      ran_ms: null,
      ...NOTHING_MORE,
      segment: 'decisions',
    }
    const { host, user } = await open({
      ...revocable(),
      list_activity: ({ filter }) => ({
        rows: filter.text === 'question-0000000000000005' ? [row] : [],
        next: null,
      }),
    })
    await screen.findByRole('region', { name: /^shipping/ })
    await user.click(
      within(card('list_directory')).getByRole('button', {
        name: 'The question that you answered',
      }),
    )
    expect(await screen.findByText('The log does not know where it came from')).toBeTruthy()
    await user.click(
      within(card('place_shipping_order')).getByRole('button', {
        name: 'The question that you answered',
      }),
    )
    await until(() => expect(stores.router.route).toMatchObject({ view: 'activity', path: ['77'] }))
    expect(host.asked.filter(({ method }) => method === 'list_activity')).toHaveLength(2)
    stores.router.go('')
  })

  it('is found by its tool and its values', async () => {
    const { user } = await open()
    await screen.findByRole('region', { name: /^files/ })
    await user.type(screen.getByLabelText('Search tools and values'), 'docs.example.com')
    expect(cards()).toHaveLength(1)
    await user.clear(screen.getByLabelText('Search tools and values'))
    await user.selectOptions(screen.getByLabelText('Show'), 'deny')
    expect(cards().map(said)).toEqual([expect.stringContaining('Keep out of my keys.')])
    await user.type(screen.getByLabelText('Search tools and values'), 'nowhere')
    expect(screen.getByText('Nothing fits')).toBeTruthy()
  })

  it('appears and goes with what happens elsewhere', async () => {
    const { host } = await open({ list_grants: [] })
    expect(await screen.findByText('Nothing is remembered')).toBeTruthy()
    const [grant] = sampleGrants(files, builtin)
    host.reply('list_grants', [grant!])
    host.publish({ kind: 'grant_made', grant: grant! })
    expect(await screen.findByRole('region', { name: /^files/ })).toBeTruthy()
    host.reply('list_grants', [])
    host.publish({ kind: 'grant_lapsed', grant: grant!.id })
    expect(await screen.findByText('Nothing is remembered')).toBeTruthy()
  })

  it('is not pretended to be absent where the host does not answer', async () => {
    const host = await connected((world) => (world.grants = sampleGrants(files, builtin)))
    host.failNext('list_grants', 'database_locked')
    render(Approvals)
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.queryByText('Nothing is remembered')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /try again/i }))
    expect(await screen.findByRole('region', { name: /^files/ })).toBeTruthy()
  })
})

it('of many a few are drawn at a time, and all are searched', async () => {
  const { user } = await open({ list_grants: manyGrants(1_000, files, builtin) })
  const drawn = () => document.querySelectorAll('article').length
  await until(() => expect(drawn()).toBeGreaterThan(0))
  const before = drawn()
  expect(before).toBeLessThanOrEqual(100)
  await user.click(screen.getAllByText(/^Show more/)[0]!)
  expect(drawn()).toBe(before + 100)
  await user.click(screen.getByLabelText('Search tools and values'))
  await user.paste('list_directory_994')
  expect(drawn()).toBe(1)
})

it('that a link leads to is drawn, however many there are, marked and in focus', async () => {
  const grants = manyGrants(1_000, files, builtin)
  const oldest = byServer(grants, '', 'all')[0]![1].at(-1)!
  stores.router.go(to('approvals', [oldest.id]))
  await open({ list_grants: grants })
  await until(() => expect(document.activeElement?.className).toContain('chosen'))
  const name = document.activeElement!.getAttribute('aria-labelledby')!
  expect(said(document.getElementById(name)!)).toContain(`${oldest.tool.name} on ${oldest.server}`)
  expect(document.querySelectorAll('article.chosen')).toHaveLength(1)
  expect(screen.queryByText('This approval does not hold any more')).toBeNull()
  stores.router.go('')
})

it('that a link leads to and that has ended is said to have ended', async () => {
  stores.router.go(to('approvals', ['grant-of-old']))
  await open()
  expect(await screen.findByText('This approval does not hold any more')).toBeTruthy()
  expect(document.querySelector('article.chosen')).toBeNull()
  stores.router.go('')
})

test('what is newest stands first, and what lapses is counted from its last use', () => {
  const [one, two] = sampleGrants(files, builtin) as [
    ReturnType<typeof sampleGrants>[number],
    ReturnType<typeof sampleGrants>[number],
  ]
  expect(byServer([one, two], '', 'all')[0]?.[1].map(({ id }) => id)).toEqual([two.id, one.id])
  expect(lapsesAt({ ...one, last_used_at: null })).toBe(one.made_at + 30 * DAY)
  expect(lapsesAt(one)).toBe((one.last_used_at ?? 0) + 30 * DAY)
})

describe('an approval that is wider than its use', () => {
  /** One approval that could be narrower, and is once it was tightened. */
  function tightenable(): Replies {
    const grants = sampleGrants(files, builtin)
    const proposed = sampleTightenings(grants)
    return {
      list_grants: () => grants,
      list_tightenings: () => proposed,
      tighten: (_, host) => {
        const [{ grant, arguments: limits }] = proposed.splice(0) as [Tightening]
        const narrower = { ...grant, id: 'grant-narrower', arguments: limits }
        grants.splice(grants.indexOf(grant), 1, narrower)
        host.publish({ kind: 'grant_made', grant: narrower })
        return narrower
      },
    }
  }

  it('is proposed to be narrower, before and after in words, with the values that were seen', async () => {
    await open(tightenable())
    const words = (
      await screen.findByRole('region', { name: 'Could be narrower' })
    ).textContent.replace(/\s+/g, ' ')
    for (const part of [
      'get_exchange_rate',
      'With any arguments.',
      'base is one of: USD',
      'target is one of: EUR, USD',
      'It would still cover 3 of 3 calls',
      '"EUR"',
      '2 different values',
    ])
      expect(words).toContain(part)
  })

  it('is made narrower with one click', async () => {
    const { host, user } = await open(tightenable())
    const region = await screen.findByRole('region', { name: 'Could be narrower' })
    const name = /^You may run get_exchange_rate on currency/
    expect(within(region).getByRole('listitem', { name })).toBeTruthy()
    expect(screen.getByRole('status').hasAttribute('tabindex')).toBe(false)
    await user.click(within(region).getByRole('button', { name: 'Tighten' }))
    await until(() =>
      expect(screen.queryByRole('region', { name: 'Could be narrower' })).toBeNull(),
    )
    expect(host.asked.filter(({ method }) => method === 'tighten')).toEqual([
      { method: 'tighten', params: { grant: 'grant-0000000000000003' } },
    ])
    expect(said(card('You may run get_exchange_rate'))).toContain('base is one of: USD')
  })

  it('stays as it is where that fails, and it is said why', async () => {
    const { host, user } = await open(tightenable())
    const region = await screen.findByRole('region', { name: 'Could be narrower' })
    host.failNext('tighten', 'nothing_to_tighten')
    await user.click(within(region).getByRole('button', { name: 'Tighten' }))
    expect((await screen.findByRole('alert')).textContent).toContain('There is nothing to tighten')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await until(() =>
      expect(screen.queryByRole('region', { name: 'Could be narrower' })).toBeNull(),
    )
    await until(() =>
      expect(screen.getByRole('status', { name: '1 approval is narrower now.' })).toBe(
        document.activeElement,
      ),
    )
  })
})

test('an approval of one call is counted as one', () => {
  const [grant] = sampleGrants(files, builtin)
  expect(
    lastingWords({ ...grant!, scope: { kind: 'times', times: 1 }, used: 1, workspace: null }, []),
  ).toBe('For 1 call in all; 0 left.')
})

test('the workspace in which it holds is named where there are several, the first one, too', () => {
  const [grant] = sampleGrants(files, builtin)
  const home = { id: grant!.workspace!, name: '', active: true, servers: [], grants: 1, made_at: 0 }
  expect(lastingWords(grant!, [home])).toBe('Until you take it back.')
  expect(lastingWords(grant!, [home, { ...home, id: 'workspace-2', name: 'Work' }])).toBe(
    'Until you take it back. Only in the workspace “First workspace”.',
  )
  expect(
    lastingWords({ ...grant!, scope: { kind: 'always' }, workspace: null }, [home, home]),
  ).toBe('Until you take it back, in every workspace.')
})
