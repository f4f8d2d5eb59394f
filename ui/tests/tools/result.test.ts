/** Promises of the view of a result: every kind is shown, nothing is active, nothing is fetched. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { CallResult, Content, Finding } from '../../src/host/types.gen'
import ResultView from '../../src/parts/tools/ResultView.svelte'
import { fileName } from '../../src/parts/tools/fileName'
import { linkTarget } from '../../src/kit/address'
import { jsonIn } from '../../src/parts/tools/jsonIn'
import { looksLikeMarkdown } from '../../src/parts/tools/looksLikeMarkdown'
import { placeWords } from '../../src/parts/tools/placeWords'
import { tablesIn } from '../../src/parts/tools/structured'
import { answered, connected, leave } from '../ours'
import { askedFor, render, until } from '../support'

const PNG = btoa('\x89PNG\r\n\x1a\n0123456789')
const SVG = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

const ALL: Content[] = [
  {
    kind: 'text',
    text: '<img src="https://example.com/x.png" onerror="alert(1)"> with \u202e marks',
  },
  { kind: 'text', text: '{"a":[1,2]}' },
  { kind: 'image', data: PNG, mime_type: 'image/png' },
  { kind: 'image', data: SVG, mime_type: 'image/svg+xml' },
  { kind: 'audio', data: btoa('RIFFxxxx'), mime_type: 'audio/wav' },
  {
    kind: 'resource_link',
    uri: 'https://example.com/report',
    name: 'report',
    title: 'The report',
    description: 'All of it',
    mime_type: 'text/html',
  },
  {
    kind: 'resource_link',
    uri: 'file:///etc/passwd',
    name: 'passwd',
    title: null,
    description: null,
    mime_type: null,
  },
  {
    kind: 'resource',
    uri: 'file:///home/ada/notes.txt',
    mime_type: 'text/plain',
    text: 'Remember the milk.',
    blob: null,
  },
  {
    kind: 'resource',
    uri: 'file:///home/ada/data.bin',
    mime_type: null,
    text: null,
    blob: btoa('0123'),
  },
  {
    kind: 'resource',
    uri: 'ui://page',
    mime_type: 'text/html',
    text: '<script>alert(1)</script>',
    blob: null,
  },
  { kind: 'unknown', value: { type: 'hologram' } },
]

const show = (content: Content[], more: Partial<CallResult> = {}) =>
  render(ResultView, {
    server: 'files',
    tool: 'everything',
    answer: answered({ content, ...more }),
  })

const plain = ({ textContent }: Element): string =>
  textContent.replace(/\s+/g, ' ').replace(/ ?: ?/, ': ').trim()

beforeEach(async () => {
  await connected()
})

afterEach(() => {
  cleanup()
  leave()
  vi.unstubAllGlobals()
})

it('says what the server asked for meanwhile and was refused, each once', () => {
  show([], { refused_asks: ['password', 'model_off', 'password'] })
  const lines = screen
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent.replace(/\s+/g, ' ').replace(/ ?: ?/, ': ').trim())
  expect(lines).toEqual([
    'files asked for a password. (2 times)',
    'files asked for a language model, which it may not use.',
  ])
  expect(screen.getByText('Not allowed, so you were not asked.')).toBeTruthy()
})

describe('every kind of content', () => {
  it('is shown', () => {
    show(ALL)
    expect(screen.getByText(/with/).textContent).toContain('<img src=')
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
    expect(screen.getAllByRole('treeitem').map(plain)).toEqual([
      '{ 1 }',
      'a: [ 2 ]',
      '0: 1',
      '1: 2',
    ])
    expect(
      screen.getByRole<HTMLImageElement>('img', { name: /picture from the server/i }).src,
    ).toBe(`data:image/png;base64,${PNG}`)
    expect(screen.getByText(/image\/svg\+xml is not a kind that is safe/)).toBeTruthy()
    expect(document.querySelector('audio')?.getAttribute('src')).toMatch(/^data:audio\/wav;/)
    expect(screen.getByText(/leads to example\.com/i)).toBeTruthy()
    expect(screen.getByText('Remember the milk.')).toBeTruthy()
    expect(screen.getByText(/4 bytes/)).toBeTruthy()
    expect(screen.getByText(/"hologram"/)).toBeTruthy()
  })

  it('makes no request and nothing active', () => {
    const asked = vi.fn()
    vi.stubGlobal('fetch', asked)
    vi.stubGlobal('XMLHttpRequest', asked)
    vi.stubGlobal('Image', asked)
    show(ALL, { structured: { page: '<iframe src="https://example.com">' } })
    expect(asked).not.toHaveBeenCalled()
    expect(
      document.querySelectorAll('iframe, object, embed, link[href], script, video, form, a[href]'),
    ).toHaveLength(0)
    const addresses = [
      ...document.querySelectorAll('[src], [href], [srcset], [poster], [data]'),
    ].map((element) => element.getAttribute('src'))
    expect(
      addresses.every(
        (address) =>
          address?.startsWith('data:image/png;') || address?.startsWith('data:audio/wav;'),
      ),
    ).toBe(true)
    const handlers = [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    )
    expect(handlers).toEqual([])
  })

  it('says when there is nothing', () => {
    show([])
    expect(screen.getByText(/returned nothing/i)).toBeTruthy()
  })

  it('names what this host did to it', () => {
    show([{ kind: 'text', text: 'x' }], {
      notes: [
        { kind: 'secrets_masked' },
        { kind: 'hidden_characters', count: 3 },
        { kind: 'cut', bytes: 2_000_000, kept: 1_000_000 },
        { kind: 'structured_invalid', problem: '/rate: not a number' },
        { kind: 'structured_missing' },
      ],
    })
    for (const words of [
      /secrets in it are covered/i,
      /3 hidden characters/i,
      /1,000,000 of 2,000,000 bytes/i,
      /does not fit/i,
      /rate: not a number/,
      /sent none/i,
    ]) {
      expect(screen.getByText(words)).toBeTruthy()
    }
  })

  it('begins cut where it is very long, with a way to all of it', async () => {
    show([{ kind: 'text', text: `${'x'.repeat(80_000)}the end` }])
    expect(screen.queryByText(/the end/)).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: /show all/i }))
    expect(screen.getByText(/the end/)).toBeTruthy()
  })
})

describe('links', () => {
  it('open only after the person was asked', async () => {
    const host = await connected()
    const user = userEvent.setup()
    show([ALL[5]!])
    await user.click(screen.getByRole('button', { name: /open…/i }))
    expect(host.opened).toEqual([])
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('https://example.com/report')
    await until(() => expect(document.activeElement?.textContent).toContain('Cancel'))
    await user.click(screen.getByRole('button', { name: /open in browser/i }))
    expect(host.opened).toEqual(['https://example.com/report'])
  })

  test.each([
    ['https://example.com:8443/a?b', 'example.com:8443', true],
    ['http://localhost/', 'localhost', true],
    ['https://bank.example@evil.example/', 'evil.example', false],
    ['javascript:alert(1)', 'javascript:', false],
    ['data:text/html,x', 'data:', false],
    ['file:///etc/passwd', 'file:', false],
    ['not an address', '', false],
  ])('%s leads to %s and opens: %s', (uri, host, opens) => {
    expect(linkTarget(uri)).toEqual({ host, opens })
  })
})

it('resources are saved under a harmless name', async () => {
  const host = await connected()
  show([ALL[7]!, ALL[8]!])
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Save…' }))
  await user.click(screen.getByRole('button', { name: /base64/i }))
  expect(host.saved).toEqual([
    { fileName: 'notes.txt', text: 'Remember the milk.' },
    { fileName: 'data.bin.base64', text: btoa('0123') },
  ])
  expect(fileName('file:///x/..', 'tool', '')).toBe('result')
  expect(fileName('https://example.com/a%2F..%2Fb.sh?x', 'tool', '')).not.toMatch(/[/\\]|^\./)
})

describe('structured results', () => {
  const look = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
  const PAGE = {
    items: [
      { id: 1, name: 'first' },
      { id: 2, extra: null },
    ],
    total: 2,
  }

  it('are a tree, a table where they hold a list of flat objects, and text', async () => {
    const user = userEvent.setup()
    show([], { structured: PAGE })
    expect(look('Tree').checked).toBe(true)
    expect(screen.getAllByRole('treeitem').map(plain)).toContain('total: 2')
    await user.click(look('Table'))
    const table = screen.getByRole('table')
    expect([...table.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual([
      'id',
      'name',
      'extra',
    ])
    expect([...table.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
      '1',
      'first',
      '',
      '2',
      '',
      'null',
    ])
    await user.click(look('Text'))
    expect(screen.getByText(/"total": 2/)).toBeTruthy()
  })

  it('begin as a table only where it leaves nothing out', () => {
    show([], { structured: PAGE.items })
    expect(look('Table').checked).toBe(true)
    cleanup()
    show([], { structured: { items: PAGE.items } })
    expect(look('Table').checked).toBe(true)
  })

  it('are drawn some rows at a time', async () => {
    show([], { structured: Array.from({ length: 250 }, (_, id) => ({ id })) })
    expect(screen.getAllByRole('row')).toHaveLength(101)
    expect(screen.getByText(/150 more rows/)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show more' }))
    expect(screen.getAllByRole('row')).toHaveLength(201)
  })

  it('are not shown twice where a text only repeats them', async () => {
    show([{ kind: 'text', text: '{"total":2,"a":{"c":1,"b":2}}' }], {
      structured: { a: { b: 2, c: 1 }, total: 2 },
    })
    const again = screen.getByText('The same again, as text').closest('details')
    expect(again?.open).toBe(false)
    cleanup()
    show([{ kind: 'text', text: '{"total":3}' }], { structured: { total: 2 } })
    expect(screen.queryByText('The same again, as text')).toBeNull()
  })

  it('that came as a text have the text as it came beside them', async () => {
    show([{ kind: 'text', text: '{"a":[1,2]}' }])
    await userEvent.setup().click(look('Text'))
    expect(screen.getByText('{"a":[1,2]}')).toBeTruthy()
  })

  test.each([
    [[{ a: 1 }], 1],
    [[{ a: { b: 1 } }], 0],
    [[1, 2], 0],
    [[], 0],
    ['text', 0],
    [{ one: [{ a: 1 }], two: [{ b: 2 }] }, 2],
  ])('%j holds %i tables', (value, count) => {
    expect(tablesIn(value)).toHaveLength(count)
  })
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['  [1]  ', [1]],
  ['[0.30000000000000004]', [0.30000000000000004]],
  ['"text"', null],
  ['[INFO] started', null],
  ['{broken', null],
  ['{"id":12345678901234567890}', null],
  ['{"to":"mallory","to":"ada"}', null],
  ['[{"a":{"b":1,"\\u0062":2}}]', null],
  ['{"a:":"b\\":", "c" : [{"a:":1}]}', { 'a:': 'b":', c: [{ 'a:': 1 }] }],
])('%j holds %j', (text, expected) => {
  expect(jsonIn(text)?.value ?? null).toEqual(expected)
})

describe('a text in Markdown', () => {
  const FEES =
    '## Fees\n\n| method | fee |\n|---|---|\n| card | 2 % |\n\n**Mind** the [terms](https://a.example/x).'
  const look = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })

  it('is laid out within a frame that says whose words they are, and is inert', async () => {
    show([{ kind: 'text', text: `${FEES} ![map](https://a.example/p.png)<b>bold</b>` }])
    const frame = screen.getByText("In the server's words").closest('figure')
    const heading = await screen.findByRole('heading', { name: 'Fees' })
    expect(frame?.contains(heading)).toBe(true)
    expect(frame?.querySelectorAll('td')).toHaveLength(2)
    expect(frame?.textContent).toContain('<b>bold</b>')
    expect(document.querySelectorAll('a, img, b')).toHaveLength(0)
  })

  it('is there as it came after one press', async () => {
    show([{ kind: 'text', text: FEES }])
    expect(screen.queryByText(/\|---\|/)).toBeNull()
    await userEvent.setup().click(look('Text'))
    expect(screen.getByText(/\|---\|/)).toBeTruthy()
  })

  it('begins as it came where something in it is marked, or where it is only a guess', () => {
    const span = { start: 3, end: 7 }
    show([{ kind: 'text', text: FEES }], {
      findings: [
        { kind: 'secrecy', severity: 'high', at: '/content/0/text', span, evidence: 'Fees' },
      ],
    })
    expect(look('Text').checked).toBe(true)
    cleanup()
    show([{ kind: 'text', text: 'first:\n- a\n- b' }])
    expect(look('Text').checked).toBe(true)
  })

  test.each([
    ['Nothing special, 3 * 4 * 5 and a_b_c.', 'no'],
    ['# comment\nport: 80\n# another\n', 'no'],
    ['hosts:\n- a\n- b\n', 'maybe'],
    ['# Title\n\nWords.\n\n- a\n- b', 'clear'],
    ['See:\n\n```sh\nls\n```\n', 'clear'],
    ['a | b\n--- | ---\n1 | 2', 'clear'],
    [`**much** of [it](x)${' more'.repeat(20_000)}`, 'no'],
  ])('%j: %s', (text, expected) => {
    expect(looksLikeMarkdown(text)).toBe(expected)
  })

  it('is recognised in a moment, whatever a stranger writes', () => {
    const began = performance.now()
    for (const text of ['**', '[', '- a\n', '```\n', '|---', '# a\n', '-'])
      looksLikeMarkdown(text.repeat(60_000 / text.length))
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

describe('what this host knows about a result', () => {
  const said: Finding = {
    kind: 'secrecy',
    severity: 'high',
    at: '/content/0/text',
    span: { start: 4, end: 15 },
    evidence: 'do not tell',
  }
  const cover: Finding = {
    kind: 'credential',
    severity: 'high',
    at: '/content/0/text',
    span: { start: 0, end: 18 },
    evidence: 'GitHub',
  }

  it('is whose words they are and how far to believe them', () => {
    show([{ kind: 'text', text: 'x' }])
    const line = screen.getByText('Text from files, not checked').closest('details')
    expect(line?.open).toBe(false)
    expect(line?.textContent).toContain('try to steer a model')
    expect(line?.textContent).toContain('this text counts as private')
    expect(document.querySelector('.badge')).toBeNull()
  })

  it.each([
    ['private' as const, []],
    ['secret' as const, ['tries to steer a model', 'secret']],
  ])('stands out only where it is unusual: %s', (confidentiality, words) => {
    show([{ kind: 'text', text: 'x' }], {
      label: {
        origins: [{ kind: 'tool', server: 'web', tool: 'read' }],
        trust: confidentiality === 'secret' ? 'steering' : 'untrusted',
        confidentiality,
      },
    })
    expect([...document.querySelectorAll('.badge')].map((badge) => badge.textContent)).toEqual(
      words,
    )
  })

  it('is said with the place in the text where it speaks to a model', () => {
    const label = {
      origins: [{ kind: 'tool' as const, server: 'web', tool: 'read' }],
      trust: 'steering' as const,
      confidentiality: 'private' as const,
    }
    show([{ kind: 'text', text: 'Now do not tell anybody' }], { findings: [said], label })
    expect(screen.getByText(/tries to give orders to a model/i)).toBeTruthy()
    expect(screen.getByRole('list', { name: 'What was found' }).textContent).toContain(
      'keep something from you',
    )
    expect(document.querySelector('mark')?.textContent).toBe('do not tell')
  })

  it('is shown uncovered after one press, and covered again after another', async () => {
    const host = await connected(undefined, {
      reveal_answer: {
        content: [{ kind: 'text', text: 'token-in-the-clear' }],
        structured: null,
        is_error: false,
        notes: [],
      },
    })
    const user = userEvent.setup()
    show([{ kind: 'text', text: '⟦credential 1⟧' }], {
      notes: [{ kind: 'covered', credentials: 1, numbers: 2 }],
      findings: [cover],
      revealable: true,
    })
    expect(
      screen.getByText('1 credential is covered. 2 personal numbers are covered.'),
    ).toBeTruthy()
    expect(document.querySelector('mark')?.textContent).toBe('credential 1')
    expect(screen.queryByRole('list', { name: 'What was found' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show what was covered' }))
    expect(askedFor(host, 'reveal_answer')).toEqual([{ call: 'call-0000000000000001' }])
    expect(await screen.findByText('token-in-the-clear')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cover it again' }))
    expect(screen.queryByText('token-in-the-clear')).toBeNull()
  })

  it('says so where what was covered is not known any more', async () => {
    const host = await connected()
    host.failNext('reveal_answer', 'unknown_answer')
    show([{ kind: 'text', text: '⟦credential 1⟧' }], { findings: [cover], revealable: true })
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show what was covered' }))
    expect(await screen.findByText(/not known any more/)).toBeTruthy()
  })

  it('offers the whole text to be saved and read where only a part is here', async () => {
    const text = 'A line that goes on and on.\n'.repeat(6_000)
    const host = await connected(undefined, {
      full_answer: ({ call }) => ({ file_name: `${call}.txt`, text, result: null }),
    })
    const user = userEvent.setup()
    show([{ kind: 'text', text: 'the beginning' }], { whole_kept: true })
    await user.click(screen.getByRole('button', { name: 'Save the whole text…' }))
    await until(() => expect(host.saved[0]?.fileName).toBe('call-0000000000000001.txt'))
    await user.click(screen.getByRole('button', { name: 'Show the whole result' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('Piece 1 of 3')
    await user.click(screen.getByRole('button', { name: 'Further' }))
    expect(dialog.textContent).toContain('Piece 2 of 3')
  })

  test.each([
    ['/content/0/text', 1, undefined],
    ['/content/1/text', 3, 'part 2'],
    ['/structured', 1, 'the structured result'],
    ['/structured/a~1b/0', 1, 'the structured result at a/b / 0'],
  ])('names %s of %i parts', (at, parts, words) => {
    expect(placeWords(at, parts)).toBe(words)
  })
})
