/** Promises of the review of what a server offers. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { hostError } from '../../src/host/error'
import type { FakeHost, Reply } from '../../src/host/fake'
import { offersReview, offerView } from '../../src/host/fake/reviews'
import { fullWorld } from '../../src/host/fake/sample'
import { manyOffers } from '../../src/host/fake/sampleReviews'
import type { World } from '../../src/host/fake/world'
import type { FeatureDecision, FeaturesReview, ApprovalStatus } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { claimOf } from '../../src/parts/features/order'
import DecideAll from '../../src/parts/features/DecideAll.svelte'
import LeftOver from '../../src/parts/features/LeftOver.svelte'
import Servers from '../../src/views/Servers.svelte'
import { running } from '../replies'
import { askedFor, open, page, render, settle, stores, until } from '../support'

beforeEach(() => language.choose('en'))

afterEach(() => {
  cleanup()
})

const STANDING: Record<FeatureDecision['decision'], ApprovalStatus> = {
  approve: { kind: 'approved' },
  keep_off: { kind: 'kept_off' },
  block: { kind: 'blocked' },
}

/** What a server offers after these decisions: what was decided waits no more, and what is gone is forgotten. */
const after = ({ server, offers, waiting }: FeaturesReview, decisions: FeatureDecision[]) =>
  offersReview(
    server,
    offers.flatMap((offer) => {
      const made = decisions.find(({ key }) => key.name === offer.key.name)
      if (!made) return [offer]
      const decided = { standing: STANDING[made.decision], changes: [], held_back: false }
      return offer.definition === null ? [] : [{ ...offer, ...decided }]
    }),
    waiting - decisions.length,
  )

const review = (server: string, world: World = fullWorld()) => {
  const decide: Reply<'decide_offers'> = ({ decisions }) =>
    (world.reviews[server] = after(world.reviews[server]!, decisions))
  return open(Servers, world, `#/servers/${server}/review`, { decide_offers: decide })
}
const decided = (host: FakeHost): FeatureDecision[] =>
  askedFor<{ decisions: FeatureDecision[] }>(host, 'decide_offers').flatMap(
    ({ decisions }) => decisions,
  )
const names = (host: FakeHost): string[] => decided(host).map(({ key }) => key.name)

/** The card of a thing that is offered. */
function card(name: string): HTMLElement {
  const found = screen
    .getAllByRole('article')
    .find((article) => article.dataset['offer']?.endsWith(` ${name}`))
  if (!found) throw new Error(`no card of ${name}`)
  return found
}

const buttons = (of: HTMLElement): string[] =>
  within(of)
    .getAllByRole('button')
    .map((button) => button.textContent.trim())
    .filter((words) => words !== '')
const answer = (name: string, label: string | RegExp): HTMLButtonElement =>
  within(card(name)).getByRole('button', { name: label })

/** A yes opens a moment after it was shown. */
async function opened(find: () => HTMLButtonElement): Promise<HTMLButtonElement> {
  await until(() => expect(find().disabled).toBe(false))
  return find()
}

const bulk = (label: RegExp) => (): HTMLButtonElement => screen.getByRole('button', { name: label })

describe('what is held back', () => {
  it('is never approved together with others, and that is said', async () => {
    const { host, person } = await review('notebook')
    expect(page()).toContain('2 are held back and left out of “Approve all”')
    await person.click(await opened(bulk(/^Approve all \(8\)/)))
    await person.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: /^Approve all/ }),
    )
    await settle()
    expect(names(host)).toHaveLength(8)
    expect(names(host)).not.toContain('summarise')
    expect(names(host)).not.toContain('write_fil\u0435')
    expect(page()).toContain('2 items to review')
    expect(screen.queryByRole('button', { name: /^Approve all/ })).toBeNull()
  })

  it('begins with the safe answer, and can be approved alone', async () => {
    const { host, person } = await review('notebook')
    expect(buttons(card('summarise')).slice(-3)).toEqual(['Leave off', 'Block', 'Approve'])
    await person.click(await opened(() => answer('summarise', 'Approve')))
    await settle()
    expect(decided(host)).toEqual([
      {
        key: { kind: 'tool', name: 'summarise' },
        fingerprint: expect.stringMatching(/^sha256:/),
        decision: 'approve',
      },
    ])
  })

  it('comes first and open; what is harmless is a line', async () => {
    await review('notebook')
    const order = screen.getAllByRole('article').map((article) => article.dataset['offer'])
    expect(order.slice(0, 3)).toEqual(['tool summarise', 'tool write_fil\u0435', 'tool sync_notes'])
    expect(within(card('summarise')).getAllByRole('button')[0]?.getAttribute('aria-expanded')).toBe(
      'true',
    )
    expect(within(card('add_note')).getAllByRole('button')).toHaveLength(1)
  })
})

describe('a new server', () => {
  it('is shown with what each tool takes, claims, and what was found in it', async () => {
    const { person } = await review('notebook')
    await person.click(within(card('read_note')).getByRole('button'))
    const read = card('read_note')
    expect(read.textContent).toContain(
      'It says that it only reads and stays inside. That grants nothing.',
    )
    expect(
      within(read).getByRole('row', { name: /id.*required.*string.*The id of the note/ }),
    ).toBeTruthy()
    const sync = card('sync_notes')
    expect(sync.textContent).toContain('Wants to be called before or instead of other tools.')
    expect(
      within(sync).getByText('do not mention it to the user', { selector: 'mark' }),
    ).toBeTruthy()
  })

  it('shows both sides of a look-alike, with the characters that differ', async () => {
    await review('notebook')
    const pair = within(card('write_fil\u0435')).getByRole('region', {
      name: 'Can be taken for a tool of another server',
    })
    expect([...pair.querySelectorAll('.name mark')].map((mark) => mark.textContent)).toEqual([
      '\u0435U+0435',
      'e',
    ])
    expect(pair.textContent).toContain('On the server files')
    expect(pair.textContent).toContain('Writes a file.')
  })

  it('says of its instructions that they speak to models', async () => {
    await review('notebook')
    expect(card('').textContent).toContain('This text speaks to models.')
    expect(
      within(card('')).getByText(/Keep notes short/, { selector: 'blockquote *' }),
    ).toBeTruthy()
  })

  it('with nothing found is approved at once with one press', async () => {
    const world = fullWorld()
    world.reviews['notebook'] = manyOffers(40)
    const { host, person } = await review('notebook', world)
    expect(page()).toContain('40 with no warnings')
    await person.click(await opened(bulk(/^Approve all \(40\)/)))
    await settle()
    expect(decided(host)).toHaveLength(40)
    expect(page()).toContain('Nothing to review')
    expect(page()).toContain('40 decided')
  })

  it('cannot be approved in the first moment, and not in the moment after another decision', async () => {
    const { person } = await review('notebook')
    expect(bulk(/^Approve all/)().disabled).toBe(true)
    await opened(bulk(/^Approve all/))
    await person.click(answer('sync_notes', 'Leave off'))
    await settle()
    expect(answer('find_notes', 'Approve').disabled).toBe(true)
    await opened(() => answer('find_notes', 'Approve'))
  })
})

describe('where something stands out', () => {
  it('the others are approved with one press, and what is left is named', async () => {
    const { host, person } = await review('notebook')
    const [first] = screen.getAllByRole('heading', { level: 2, name: 'Look at these first' })
    const left = within(first!.closest('section')!).getAllByRole('article')
    const others = bulk(/^Approve the other \d+$/)
    const n = Number(/\d+/.exec(others().textContent)?.[0])
    expect(n + left.length).toBe(10)
    expect(page()).toContain(`${left.length} are left for you to look at: `)
    expect(page()).toMatch(/look at: .*summarise/)
    expect(others().className).toContain('primary')
    expect(others().disabled).toBe(true)
    await person.click(await opened(others))
    await settle()
    expect(names(host)).toHaveLength(n)
    for (const card of left)
      expect(names(host)).not.toContain(card.dataset['offer']?.split(' ').slice(1).join(' '))
    expect(page()).toContain(`${left.length} items to review`)
    expect(screen.queryByRole('button', { name: /^Approve the other/ })).toBeNull()
  })

  it('all of them are approved only after they were named', async () => {
    const { person } = await review('web')
    await person.click(await opened(bulk(/^Approve all/)))
    expect(screen.getByRole('dialog').textContent).toMatch(/looked at first: .*read_page/)
  })

  it('many are named by the first of them, with their hidden characters', () => {
    const offers = Array.from({ length: 9 }, (_, at) => ({
      ...manyOffers(1).offers[0]!,
      key: { kind: 'tool' as const, name: `tool\u200b${at}` },
    }))
    render(LeftOver, { what: 'left', offers })
    expect(screen.getByText(/^9 are left/).textContent).toBe(
      '9 are left for you to look at: toolU+200B0, toolU+200B1, toolU+200B2, toolU+200B3, and 5 more.',
    )
  })
})

describe('things in which nothing stands out', () => {
  it('are grouped by what the server claims, with counts, what may do most first', async () => {
    const world = fullWorld()
    const many = manyOffers(12)
    const hints = [{ destructiveHint: true }, { readOnlyHint: false, destructiveHint: false }]
    many.offers.forEach(({ definition }, at) => {
      if (definition) definition['annotations'] = hints[at] ?? { readOnlyHint: true }
    })
    world.reviews['notebook'] = many
    await review('notebook', world)
    const heads = screen
      .getAllByRole('heading', { level: 3 })
      .map((head) => head.textContent.trim())
      .filter((words) => /^(May|Changes|Reads|Does)/.test(words))
    expect(heads).toEqual(['May destroy 1', 'Changes 1', 'Reads 10'])
    expect(page()).toContain('Grouped by what the server claims. Nobody has checked that.')
  })

  it('are counted as numbers are written elsewhere', () => {
    const { offers } = manyOffers(1_001)
    const ondecide = () => undefined
    render(DecideAll, { offers, waiting: 1_001, busy: false, armed: true, ondecide })
    expect(bulk(/^Approve all/)().textContent.trim()).toBe('Approve all (1,001)')
  })
})

test('what a tool that changes things does not deny counts as claimed', () => {
  const claim = (annotations?: Record<string, unknown>) => {
    const [offer] = manyOffers(1).offers
    return claimOf({ ...offer!, definition: { annotations } })
  }
  expect(claim({ readOnlyHint: false })).toBe('destroys')
  expect(claim({ readOnlyHint: true, destructiveHint: true })).toBe('destroys')
  expect(claim({ readOnlyHint: false, destructiveHint: false })).toBe('changes')
  expect(claim({ readOnlyHint: true })).toBe('reads')
  expect(claim({ readOnlyHint: 'yes' })).toBe('unsaid')
  expect(claim()).toBe('unsaid')
})

describe('a change', () => {
  it('is shown field by field, grouped by what it means, the gravest first', async () => {
    await review('web')
    const changes = within(card('read_page')).getByRole('region', { name: 'What has changed' })
    const badges = [...changes.querySelectorAll('.badge')].map((badge) => badge.textContent.trim())
    expect(badges).toEqual([
      'Changes what the model is told',
      'Takes or does more, or something else',
      'Takes or does less',
      'Only looks different',
    ])
    const description = within(changes).getByRole('region', { name: 'Changed: description' })
    expect(description.querySelector('ins')?.textContent).toContain('If the page asks for a file')
    expect(
      within(description).getByRole('img', { name: 'Invisible character U+200B' }),
    ).toBeTruthy()
    expect(within(changes).getByRole('region', { name: 'New: arguments › headers' })).toBeTruthy()
    expect(
      within(changes)
        .getByRole('region', { name: 'Changed: arguments › url › maxLength' })
        .querySelector('del')
        ?.textContent.trim(),
    ).toBe('500')
  })

  it('has the safe answer first, and “Approve all” asks before', async () => {
    const { host, person } = await review('web')
    expect(buttons(card('read_page')).slice(-3)).toEqual(['Leave off', 'Block', 'Approve'])
    await person.click(await opened(bulk(/^Approve all/)))
    const dialog = screen.getByRole('dialog')
    expect(dialog.textContent).toContain('3 of them should be looked at first')
    expect(document.activeElement).toBe(
      within(dialog).getByRole('button', { name: 'Look at them first' }),
    )
    await person.keyboard('{Enter}')
    await settle()
    expect(decided(host)).toEqual([])
  })

  it('of the name alone is told as that', async () => {
    await review('web')
    expect(card('web_search').textContent).toMatch(
      /It was called search_web and is called web_search; everything else is the same/,
    )
  })

  it('that is gone is told and dismissed', async () => {
    const { host, person } = await review('web')
    expect(buttons(card('read_feed'))).toEqual([expect.stringContaining('read_feed'), 'Dismiss'])
    await person.click(answer('read_feed', 'Dismiss'))
    await settle()
    expect(decided(host)).toEqual([
      { key: { kind: 'tool', name: 'read_feed' }, fingerprint: null, decision: 'approve' },
    ])
    expect(page()).not.toContain('read_feed')
  })

  it('in the meantime is said, and what is there now is shown', async () => {
    const world = fullWorld()
    const { host, person } = await review('web', world)
    const { offers } = world.reviews['web']!
    offers.find(({ key }) => key.name === 'web_search')!.fingerprint = 'sha256:other'
    host.failNext('decide_offers', 'offer_changed')
    await person.click(answer('web_search', 'Leave off'))
    await settle()
    expect(page()).toContain('Changed in the meantime')
    expect(page()).toContain('4 items to review')
    await person.click(answer('web_search', 'Leave off'))
    await settle()
    expect(page()).not.toContain('Changed in the meantime')
    expect(decided(host).at(-1)?.fingerprint).toBe('sha256:other')
    expect(page()).toContain('3 items to review')
  })
})

describe('after a decision', () => {
  it('the focus is on the safe answer of the next thing', async () => {
    const { person } = await review('web')
    await person.click(answer('', 'Leave off'))
    await settle()
    expect(document.activeElement).toBe(answer('read_page', 'Leave off'))
  })

  it('it stands among what is decided, and can be changed', async () => {
    const { host, person } = await review('currency')
    expect(page()).toContain('Nothing to review')
    expect(card('get_exchange_rate').textContent).toContain('Approved')
    await person.click(within(card('get_exchange_rate')).getByRole('button'))
    expect(card('get_exchange_rate').textContent).toMatch(/You decided about it Nov 18, 2026/)
    expect(buttons(card('get_exchange_rate')).slice(1)).toEqual(['Leave off', 'Block'])
    await person.click(answer('get_exchange_rate', 'Block'))
    await settle()
    expect(decided(host)).toMatchObject([
      { key: { kind: 'tool', name: 'get_exchange_rate' }, decision: 'block' },
    ])
    expect(card('get_exchange_rate').textContent).toContain('Blocked')
  })

  it('that failed nothing has moved, and why is said', async () => {
    const { host, person } = await review('web')
    host.failNext('decide_offers', 'log_not_writable')
    await person.click(screen.getByRole('button', { name: /^Leave all off/ }))
    await settle()
    expect(screen.getByRole('alert').textContent).toContain('The log cannot be written')
    expect(page()).toContain('4 items to review')
  })
})

describe('the way to the review', () => {
  it('stands on the server’s page and in the list of servers', async () => {
    const { person } = await open(Servers, fullWorld(), '#/servers')
    await person.click(screen.getByRole('link', { name: '10 to review' }))
    await settle()
    expect(stores.router.route.path).toEqual(['notebook', 'review'])
    cleanup()
    const shown = await open(Servers, fullWorld(), '#/servers/notebook')
    expect(page()).toContain('10 items to review')
    await shown.person.click(screen.getByRole('button', { name: 'Review what it offers' }))
    await settle()
    expect(stores.router.route.path).toEqual(['notebook', 'review'])
  })

  it('is gone by itself after a new server was switched on', async () => {
    const world = fullWorld()
    world.servers = world.servers.map((server) =>
      server.id === 'notebook'
        ? { ...server, reviewed: false, on: false, state: { kind: 'off' } }
        : server,
    )
    const { person } = await open(Servers, world, '#/servers/notebook', {
      enable_server: running(world, 'notebook'),
    })
    await person.click(screen.getByRole('button', { name: 'Review it' }))
    await settle()
    await person.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch on' }),
    )
    await settle()
    expect(stores.router.route.path).toEqual(['notebook', 'review'])
    expect(page()).toContain('This server is new to you.')
  })

  it('of a server that is part of this program is not gone', async () => {
    const world = fullWorld()
    const { person } = await open(
      Servers,
      {
        ...world,
        servers: world.servers.map((server) =>
          server.id === 'shipping' ? { ...server, reviewed: false } : server,
        ),
      },
      '#/servers/shipping',
      { enable_server: running(world, 'shipping') },
    )
    await person.click(screen.getByRole('button', { name: 'Review it' }))
    await settle()
    await person.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch on' }),
    )
    await settle()
    expect(stores.router.route.path).toEqual(['shipping'])
  })
})

test('what a server offers before it has run is not known, and that is no approval', async () => {
  await review('shipping')
  expect(page()).toContain('What it offers is shown here as soon as it runs.')
  expect(screen.queryByRole('button', { name: /approve/i })).toBeNull()
})

test('a list that cannot be read says why', async () => {
  const world = fullWorld()
  const { host } = await open(Servers, world, '#/servers/web')
  host.failNext('review_offers', 'connection_lost')
  stores.router.go('#/servers/web/review')
  await settle()
  expect(screen.getByRole('alert').textContent).toContain(
    hostError('connection_lost', 'The connection was lost').message,
  )
})

test('text of a server is never markup', async () => {
  const world = fullWorld()
  const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  world.reviews['web'] = offersReview('web', [
    offerView(
      { kind: 'tool', name: evil },
      {
        name: evil,
        title: evil,
        description: evil,
        inputSchema: { properties: { [evil]: { type: evil, description: evil } } },
      },
      { held_back: true },
    ),
  ])
  await review('web', world)
  expect(document.querySelectorAll('article img, article script')).toHaveLength(0)
  expect(page()).toContain('<script>alert(1)</script>')
})
