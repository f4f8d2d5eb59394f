/** Promises of text in Markdown: it is drawn, and does nothing. */
import { describe, expect, test } from 'vitest'
import { Growing, LONGEST } from '../../src/kit/markdown/growing'
import { blocksOf, type Block, type Inline } from '../../src/kit/markdown/tree'

const text = (words: string): Inline => ({ kind: 'text', text: words })
const paragraph = (...inside: Inline[]): Block => ({ kind: 'paragraph', inside })

const SAMPLE = [
  '# A *title*',
  '',
  'Some **bold** and `code`,',
  'two lines  ',
  'and a break.',
  '',
  '- one',
  '- two',
  '  1. inner',
  '',
  '> said',
  '> so',
  '',
  '| a | b |',
  '|:-:|--:|',
  '| 1 | 2 |',
  '',
  '```rust',
  'fn main() {}',
  '',
  '// end',
  '```',
  '',
  'so \\(a_b*c*\\), and $$d$$ for $5',
  '$$',
  '- a',
  '= b',
  '$$',
  '\\[',
  'not closed',
  '',
  '---',
  'the [end](https://a.example/x) ![chart](https://b.example/y.png)',
].join('\n')

/** What a text of any kind is made of. */
const PARTS = [
  ...['$$', '$$', '\\[', '\\]', '\\(', '\\)', '$', 'x', 'y ', ' ', '*', '`', '# '],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '=\n',
    '---',
    '```',
    '~~~\n',
    '|a|',
    '|-|',
    '    ',
  ],
]

/** Numbers below another one that come in the same order each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('every part is read', () => {
  test.each<[string, Block]>([
    [
      '# A *b*',
      { kind: 'heading', level: 1, inside: [text('A '), { kind: 'em', inside: [text('b')] }] },
    ],
    ['~~a~~', paragraph({ kind: 'strike', inside: [text('a')] })],
    ['```js run\nx\n```', { kind: 'code', language: 'js', text: 'x', open: false }],
    ['3. a', { kind: 'list', start: 3, items: [[paragraph(text('a'))]] }],
    [
      '|a|b|\n|-:|:-:|\n|1|2|',
      {
        kind: 'table',
        alignment: ['end', 'center'],
        head: [[text('a')], [text('b')]],
        rows: [[[text('1')], [text('2')]]],
      },
    ],
    ['***', { kind: 'rule' }],
  ])('%j', (source, block) => {
    expect(blocksOf(source)).toEqual([block])
  })
})

describe('code is open until its end has come', () => {
  test.each([
    ['```js', true],
    ['```js\n', true],
    ['```js\nx', true],
    ['```js\nx\n', true],
    ['```js\nx\n\n', true],
    ['```js\nx\n``', true],
    ['```js\nx\n```', false],
    ['```js\n```', false],
    ['```js\n\n```\n', false],
    ['> ~~~\n> x\n\ny', true],
    ['    indented', false],
  ])('%j', (source, open) => {
    const [block] = blocksOf(source)
    expect(block?.kind === 'quote' ? block.inside[0] : block).toMatchObject({ kind: 'code', open })
  })
})

describe('nothing in it does anything', () => {
  test('HTML is text', () => {
    expect(blocksOf('<img src=x onerror=alert(1)> <b>x</b>')).toEqual([
      paragraph(text('<img src=x onerror=alert(1)> <b>x</b>')),
    ])
  })

  test('an address is kept as it was written, whatever it is, for the person to see', () => {
    const [block] = blocksOf('[a](javascript:alert(1)) ![b](https://x.example/?q=secret)')
    expect(block).toEqual(
      paragraph({ kind: 'link', address: 'javascript:alert(1)', inside: [text('a')] }, text(' '), {
        kind: 'image',
        address: 'https://x.example/?q=secret',
        text: 'b',
      }),
    )
  })

  test('a bare address is no link', () => {
    expect(blocksOf('see https://a.example')).toEqual([paragraph(text('see https://a.example'))])
  })

  test.each(['>', '*', '[', '- '])('what lies too deep of %j is read to its end', (sign) => {
    expect(blocksOf(sign.repeat(50_000) + 'x').length).toBeGreaterThan(0)
  })
})

describe('a text that grows', () => {
  test('is read as if it had been there at once, wherever it was cut', () => {
    for (const step of [1, 3, 17]) {
      const growing = new Growing()
      for (let end = 0; end < SAMPLE.length; end += step) growing.read(SAMPLE.slice(0, end))
      expect(growing.read(SAMPLE)).toEqual(blocksOf(SAMPLE))
    }
  })

  test('is at every moment read as all of it would be, whatever it is made of', () => {
    const random = numbers(7)
    for (let round = 0; round < 400; round++) {
      const source = Array.from({ length: 24 }, () => PARTS[random(PARTS.length)]).join('')
      const growing = new Growing()
      for (let end = 0; end <= source.length; end += 1 + random(3)) {
        const sofar = source.slice(0, end)
        expect(growing.read(sofar), JSON.stringify(sofar)).toEqual(blocksOf(sofar))
      }
    }
  })

  test('keeps what is finished as it is, so that it is not drawn again', () => {
    const growing = new Growing()
    const [first, formula] = growing.read('a\n\n$$x$$\n\nb\n')
    const later = growing.read('a\n\n$$x$$\n\nb\n\nc $$')
    expect(later[0]).toBe(first)
    expect(later[1]).toBe(formula)
  })

  test('is read anew where it is another one', () => {
    const growing = new Growing()
    growing.read('a\n\nb\n\nc')
    expect(growing.read('d')).toEqual([paragraph(text('d'))])
  })

  test('never reads more than its last block again', () => {
    const growing = new Growing()
    let whole = ''
    for (let line = 0; line < 2_000; line++) {
      whole += `${'word '.repeat(20)}\n\n`
      growing.read(whole)
    }
    expect(growing.read(whole)).toHaveLength(2_000)
  })

  test('of one block alone begins another one when that is too long', () => {
    const growing = new Growing()
    const long = 'word '.repeat(LONGEST)
    for (let end = 0; end < long.length; end += 500) growing.read(long.slice(0, end))
    expect(growing.read(long).length).toBeGreaterThan(3)
  })
})

/** Made so that parsers take very long for them, or fall over. */
const HOSTILE = {
  'lists in lists': Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'),
  'stars and lines': '*a_ '.repeat(5_000),
  quotes: `${'>'.repeat(5_000)} x`,
  'open brackets': '['.repeat(5_000),
  'open pictures': '![a]('.repeat(5_000),
  'pairs of stars': '**x'.repeat(5_000),
  'ticks of every length': Array.from({ length: 300 }, (_, at) => '`'.repeat(at)).join(' '),
  'open formulas': '\\('.repeat(5_000) + '$$'.repeat(5_001),
  'a wide table': `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|b'.repeat(2_000)}|`,
}

describe('a text that was made to take long', () => {
  test.each(Object.entries(HOSTILE))('is soon read: %s', (name, source) => {
    const from = performance.now()
    expect(blocksOf(source).length, name).toBeGreaterThan(0)
    const growing = new Growing()
    for (let end = 0; end < source.length; end += source.length / 4)
      growing.read(source.slice(0, end))
    growing.read(source)
    // Each takes less than 0.2 s; a parser that does not bear them takes ten.
    expect(performance.now() - from, name).toBeLessThan(3_000)
  })
})
