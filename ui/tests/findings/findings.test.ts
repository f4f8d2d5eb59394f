/** Promises of how findings are shown: at their place, nothing lost, the worst first. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Finding } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import FindingList from '../../src/parts/findings/FindingList.svelte'
import { coverOf, stretches } from '../../src/parts/findings/marks'
import MarkedText from '../../src/parts/findings/MarkedText.svelte'

const finding = (more: Partial<Finding> = {}): Finding => ({
  kind: 'secrecy',
  severity: 'high',
  at: '',
  span: { start: 0, end: 1 },
  evidence: 'words',
  ...more,
})
const bytes = (text: string): number => new TextEncoder().encode(text).length
const spanOf = (text: string, part: string): Finding['span'] => {
  const start = bytes(text.slice(0, text.indexOf(part)))
  return { start, end: start + bytes(part) }
}

beforeEach(() => language.choose('en'))
afterEach(cleanup)

describe('a text with marks', () => {
  test.each(['plain', 'é before tell', '中文 tell 中文', '🎩🎩 tell 🎩', 'e\u0301 tell\u200b'])(
    '%j is whole, and marked where it was found',
    (text) => {
      const cut = stretches(
        text,
        text.includes('tell') ? [finding({ span: spanOf(text, 'tell') })] : [],
      )
      expect(cut.map((stretch) => stretch.text).join('')).toBe(text)
      expect(
        cut.filter((stretch) => stretch.findings.length > 0).map((stretch) => stretch.text),
      ).toEqual(text.includes('tell') ? ['tell'] : [])
    },
  )

  it('shows what overlaps by the worst of it', () => {
    const text = 'do not tell the user'
    const cut = stretches(text, [
      finding({ severity: 'low', span: spanOf(text, 'not tell') }),
      finding({ severity: 'critical', span: spanOf(text, 'tell the') }),
    ])
    expect(cut.map(({ text: part, findings }) => [part, findings[0]?.severity])).toEqual([
      ['do ', undefined],
      ['not ', 'low'],
      ['tell', 'critical'],
      [' the', 'critical'],
      [' user', undefined],
    ])
  })

  test.each([
    [{ start: 1, end: 2 }],
    [{ start: 0, end: 99 }],
    [{ start: 5, end: 2 }],
    [{ start: 2, end: 2 }],
  ])('a place that does not lie between characters of it (%j) marks nothing', (span) => {
    expect(stretches('中é', [finding({ span })]).flatMap((stretch) => stretch.findings)).toEqual([])
  })

  it('is drawn with marks, badges and visible signs for what cannot be seen', () => {
    const text = 'key ⟦credential 1⟧\u202e do not tell\nand ⟦credential 9⟧'
    render(MarkedText, {
      text,
      findings: [
        finding({ kind: 'credential', span: spanOf(text, '⟦credential 1⟧') }),
        finding({ span: spanOf(text, 'do not tell') }),
      ],
    })
    const marks = [...document.querySelectorAll('mark')]
    expect(marks.map((mark) => mark.textContent)).toEqual(['credential 1', 'do not tell'])
    expect(marks[1]?.title).toMatch(/keep something from you/)
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
    // Only this host makes badges: what a server writes stays a text.
    expect(document.body.textContent).toContain('⟦credential 9⟧')
  })

  it('names what is covered in the language of the person', () => {
    language.choose('zh-CN')
    const text = 'a ⟦credential 1⟧ b ⟦number 2⟧'
    const findings = [
      finding({ kind: 'credential', span: spanOf(text, '⟦credential 1⟧') }),
      finding({ kind: 'personal_number', span: spanOf(text, '⟦number 2⟧') }),
    ]
    render(MarkedText, { text, findings })
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
      '凭据 1',
      '号码 2',
    ])
  })

  it('takes nothing for a badge that this host has not written', () => {
    const of = (text: string, kind: Finding['kind']): boolean =>
      coverOf({ text, findings: [finding({ kind })] }) !== undefined
    expect(of('⟦number 2⟧', 'personal_number')).toBe(true)
    expect(of('⟦number 2⟧', 'secrecy')).toBe(false)
    expect(of('4539', 'personal_number')).toBe(false)
  })

  it('is cut into few stretches, however long it is', () => {
    const text = 'é'.repeat(200_000)
    const findings = Array.from({ length: 64 }, (_, at) =>
      finding({ span: { start: at * 4_000, end: at * 4_000 + 200 } }),
    )
    expect(stretches(text, findings)).toHaveLength(128)
  })
})

describe('a list of findings', () => {
  it('says the worst first, in a sentence, with the words and their place', () => {
    render(FindingList, {
      findings: [
        finding({ kind: 'data_in_link', severity: 'low', evidence: 'https://a\u200b.example' }),
        finding({ kind: 'override', severity: 'critical', at: '/content/1/text' }),
      ],
      place: (at: string) => (at === '' ? undefined : 'part 2'),
    })
    const items = screen
      .getAllByRole('listitem')
      .map((item) => item.textContent.replace(/\s+/g, ' ').trim())
    expect(items[0]).toMatch(/Dangerous.*disregard its other instructions.*in part 2.*words/)
    expect(items[1]).toMatch(/Odd.*carry data away/)
    expect(screen.getByRole('img', { name: /U\+200B/ })).toBeTruthy()
  })

  it('begins with few', async () => {
    render(FindingList, { findings: Array.from({ length: 9 }, () => finding()) })
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show 4 more' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(9)
  })
})
