/** Promises of formulas: what is one, and that one is drawn and does nothing. */
import { fireEvent, render } from '@testing-library/svelte'
import temml from 'temml'
import { describe, expect, test } from 'vitest'
import Markdown from '../../src/kit/Markdown.svelte'
import { mathsElement } from '../../src/kit/markdown/formula'
import { LONGEST_FORMULA, formulaOf } from '../../src/kit/markdown/maths'
import { blocksOf, type Block, type Inline } from '../../src/kit/markdown/tree'
import { until } from '../support'

const text = (words: string): Inline => ({ kind: 'text', text: words })
const maths = (words: string): Inline => ({ kind: 'maths', text: words })
const paragraph = (...inside: Inline[]): Block => ({ kind: 'paragraph', inside })
const formula = (words: string): Block => ({ kind: 'maths', text: words })

describe('a formula on lines of its own', () => {
  test.each<[string, Block[]]>([
    ['$$x^2$$', [formula('$$x^2$$')]],
    ['$$\nx\n$$', [formula('$$\nx\n$$')]],
    ['\\[ x \\]', [formula('\\[ x \\]')]],
    ['\\[\na \\\\[2pt]\n\\]', [formula('\\[\na \\\\[2pt]\n\\]')]],
    ['$$a\n- b\n= c\n# d$$', [formula('$$a\n- b\n= c\n# d$$')]],
    ['so\n$$x$$\nthen', [paragraph(text('so')), formula('$$x$$'), paragraph(text('then'))]],
    ['$$\\text{costs \\$$5}$$', [formula('$$\\text{costs \\$$5}$$')]],
    ['> $$\n> x\n> $$', [{ kind: 'quote', inside: [formula('$$\nx\n$$')] }]],
    [
      '- a\n  \\[\n  x\n  \\]',
      [{ kind: 'list', start: null, items: [[paragraph(text('a')), formula('\\[\nx\n\\]')]] }],
    ],
  ])('%j', (source, blocks) => {
    expect(blocksOf(source)).toEqual(blocks)
  })
})

describe('a formula within a line', () => {
  test.each<[string, Inline[]]>([
    ['so \\(a_b*c*\\).', [text('so '), maths('\\(a_b*c*\\)'), text('.')]],
    ['so $$a$$ and $$b$$', [text('so '), maths('$$a$$'), text(' and '), maths('$$b$$')]],
    ['\\(a\nb\\)', [maths('\\(a\nb\\)')]],
    ['**\\(a\\)**', [{ kind: 'strong', inside: [maths('\\(a\\)')] }]],
    ['[\\(a\\)](b)', [{ kind: 'link', address: 'b', inside: [maths('\\(a\\)')] }]],
    ['\\(a \\\\) b\\)', [maths('\\(a \\\\) b\\)')]],
  ])('%j', (source, inside) => {
    expect(blocksOf(source)).toEqual([paragraph(...inside)])
  })

  test('stands in the cell of a table', () => {
    const [table] = blocksOf('|a|\n|-|\n|\\(x\\)|')
    expect(table).toMatchObject({ rows: [[[maths('\\(x\\)')]]] })
  })
})

describe('what is no formula stays what it is', () => {
  test.each([
    '$5 and $10',
    '$x$',
    'a $$$ b $$$ c',
    '$$$$',
    '$$ $$',
    '\\$$x$$',
    'x $$ not closed',
    '$$\nnot closed\n\n$$',
    'a $$b\nc$$',
    '\\\\(x\\\\)',
    '\\(not closed',
    '\\[1\\] a note',
    '\\(\\)',
    '\\[\na\n\n\\]',
  ])('%j', (source) => {
    expect(kinds(source)).not.toContain('maths')
  })

  test.each([
    '`$$x$$`',
    '`\\(x\\)`',
    '```\n$$x$$\n```',
    '    $$x$$',
    '\\(a `b\\)`',
    '$$\n```\n$$\n```',
  ])('code is never a formula: %j', (source) => {
    expect(kinds(source)).not.toContain('maths')
    expect(kinds(source)).toContain('code')
  })

  test('a formula that is too long is code', () => {
    const long = 'x'.repeat(LONGEST_FORMULA)
    expect(kinds(`$$${long}$$`)).toEqual(['code'])
    expect(kinds(`a \\(${long}\\)`)).toEqual(['paragraph', 'text', 'code'])
  })
})

/** The kinds of all that is read. */
function kinds(source: string): string[] {
  const found: string[] = []
  JSON.stringify(blocksOf(source), (key, value: unknown) => {
    if (key === 'kind') found.push(String(value))
    return value
  })
  return found
}

const MANY = 25_000
const HOSTILE = [
  '$$'.repeat(MANY),
  '$$ '.repeat(MANY),
  '$$a'.repeat(MANY),
  '$$ a\n'.repeat(MANY),
  'a $$\n'.repeat(MANY),
  '\\('.repeat(MANY),
  `${'\\('.repeat(MANY)}\`${'\\)'.repeat(MANY)}`,
  '\\[\n'.repeat(MANY),
  '\\[x\\]\n'.repeat(MANY / 5),
  '> $$\n'.repeat(MANY / 5),
  '- $$\n'.repeat(MANY / 5),
  `$$${'{'.repeat(100_000)}`,
  `\\(${'x'.repeat(100_000)}\\)`,
  '[$$](\\('.repeat(MANY / 5),
  '\\'.repeat(100_000),
]

test.each(HOSTILE)('a hostile text is read to its end, and soon: %#', (source) => {
  blocksOf('warm')
  const from = performance.now()
  expect(blocksOf(source).length).toBeGreaterThan(0)
  expect(performance.now() - from).toBeLessThan(2_000)
})

const DRAWN = [
  'x^2',
  '\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}',
  '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
  '\\begin{align} a &= b \\\\ c &= d \\end{align}',
  '\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}',
  '\\begin{array}{|c|r|} \\hline a & b \\\\ \\hline \\end{array}',
  "\\sum_{i=0}^{n} i = \\int_0^1 f'(x) \\, dx",
  '\\boxed{x} \\cancel{x} \\overline{x} \\vec{v} \\hat{x}',
  '\\color{red} x',
  '\\kern-50em x',
  '\\tiny x \\rule{1em}{100000em}',
  '\\tag{1} x',
]

const NOT_DRAWN = [
  '\\href{javascript:alert(1)}{x}',
  '\\url{https://hostile.example}',
  '\\includegraphics{https://hostile.example/x.png}',
  '\\class{x}{y}',
  '\\id{x}{y}',
  '\\style{background: url(https://hostile.example)}{y}',
  '\\data{x=y}{z}',
  '\\htmlClass{x}{y}',
  '\\eqref{x}',
  '\\char"202E x',
  '\\text{a\u202eb}',
  'x\u200b',
  '\\def\\a{b}\\a',
  '\\newcommand{\\a}{\\a\\a}\\a',
  '\\gdef\\a{b}',
  '\\let\\a=b',
  '\\mathllap{'.repeat(60) + '}'.repeat(60),
  '\\equilibriumLeft{'.repeat(60) + '}'.repeat(60),
  '\\ce{^{'.repeat(30) + '}X}'.repeat(30),
  '\\pu{'.repeat(60) + '}'.repeat(60),
  '\\cancelto{a}{'.repeat(60) + '}'.repeat(60),
  '\\unknown',
  '\\frac{a',
  '}',
  '{'.repeat(4_000),
  `${'{'.repeat(2_000)}${'}'.repeat(2_000)}x^{${'y^{'.repeat(500)}${'}'.repeat(501)}`,
  '\\sqrt{'.repeat(500) + '}'.repeat(500),
  'x'.repeat(100_000),
]

describe('a formula is drawn', () => {
  test.each(DRAWN)('%j, with nothing in it that is not of a formula', (source) => {
    // Some are a line of their own and nothing else.
    const inLine = /align|tag/.test(source) ? [] : [false]
    for (const block of [true, ...inLine]) {
      const element = mathsElement(temml, source, block)
      expect(element?.localName).toBe('math')
      expect(element?.getAttribute('aria-label')).toBe(source)
      expect(strange(element!)).toEqual([])
    }
  })

  test('a matrix keeps its columns apart, and equations stand at their signs', () => {
    expect(markup('\\begin{matrix} a & b \\end{matrix}')).toMatch(
      /mtd style="[^"]*padding-right: ?5/,
    )
    expect(markup('\\begin{aligned} a &= b \\end{aligned}')).toContain('class="tml-right"')
  })

  test('a formula has neither colours nor sizes nor places that hide it', () => {
    expect(markup('\\color{white}{x} \\tiny x \\kern-50em x')).not.toMatch(/color|mathsize|-50/)
  })
})

describe('a formula is not drawn', () => {
  test.each(NOT_DRAWN)('that wants more than that: %#', (source) => {
    const from = performance.now()
    expect(mathsElement(temml, source, true)).toBeNull()
    expect(performance.now() - from).toBeLessThan(2_000)
  })
})

const markup = (source: string): string => mathsElement(temml, source, true)?.innerHTML ?? ''

/** Elements and attributes that no formula needs. */
function strange(root: Element): string[] {
  const found: string[] = []
  for (const element of [root, ...root.querySelectorAll('*')]) {
    if (!/^(math|m[a-z]+|none)$/.test(element.localName)) found.push(element.localName)
    if (element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML') found.push('namespace')
    for (const { name, value } of element.attributes)
      if (
        /^(on.*|href|src|id|xlink.*|actiontype)$/.test(name) ||
        /url|expression|@|:\/\//.test(value)
      )
        found.push(`${element.localName} ${name}=${value}`)
  }
  return found
}

describe('a formula on the page', () => {
  test('is code until it can be drawn, and has its source as its name', async () => {
    const { container } = render(Markdown, {
      text: 'so \\(x^2\\)\n\n$$y$$\n\nand \\(\\href{a}{b}\\)',
    })
    await until(() => expect(container.querySelectorAll('math')).toHaveLength(2))
    expect(container.querySelector('p math')?.getAttribute('aria-label')).toBe('x^2')
    expect(container.querySelector('[role=region] math[display=block]')).not.toBeNull()
    expect(container.querySelector('code:not(.source)')?.textContent).toBe('\\(\\href{a}{b}\\)')
    expect(container.textContent).toContain('\\(x^2\\)')
  })

  test('that is finished is not drawn again when the text grows', async () => {
    const { container, rerender } = render(Markdown, { text: '$$x$$\n\n\\(y\\) and\n' })
    await until(() => expect(container.querySelectorAll('math')).toHaveLength(2))
    const before = [...container.querySelectorAll('math')]
    await rerender({ text: '$$x$$\n\n\\(y\\) and\nmore \\(z\\)' })
    const after = [...container.querySelectorAll('math')]
    expect(after).toHaveLength(3)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
  })

  test('is another one when its source is', async () => {
    const { container, rerender } = render(Markdown, { text: '\\(x\\)' })
    await until(() => expect(container.querySelector('math')?.textContent).toBe('x'))
    await rerender({ text: '\\(y\\)' })
    expect([...container.querySelectorAll('math')].map((one) => one.textContent)).toEqual(['y'])
  })

  test('is copied as its source', async () => {
    const { container, findByRole } = render(Markdown, { text: '$$\nx^2\n$$' })
    await until(() => expect(container.querySelector('math')).not.toBeNull())
    let copied = ''
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: (words: string) => Promise.resolve((copied = words)) },
    })
    await fireEvent.click(await findByRole('button', { name: 'Copy' }))
    expect(formulaOf(copied)).toBe('x^2')
  })
})
