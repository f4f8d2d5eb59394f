import { expect, test } from 'vitest'
import { rowsInSight } from '../src/kit/table'
import { pieces } from '../src/kit/visible'
import { splitCommand } from '../src/parts/servers/draft'
import { joined } from '../src/parts/servers/output'

const shown = (text: string, ends = false): string =>
  pieces(text, ends)
    .map((piece) => (piece.kind === 'plain' ? piece.text : `[${piece.sign}]`))
    .join('')

test.each([
  ['zero\u200bwidth', 'zero[U+200B]width'],
  ['turn\u202eed', 'turn[U+202E]ed'],
  ['tag\u{e0041}', 'tag[U+E0041]'],
  ['line\nbreak', 'line[↵]break'],
  ['hangul\u3164filler', 'hangul[U+3164]filler'],
  ['no\u00a0break', 'no[⍽]break'],
  ['汉字 and ❤️', '汉字 and ❤️'],
  [`a${'\u200b'.repeat(160)}\u200c\t\tb`, 'a[U+200B × 160][U+200C][⇥][⇥]b'],
  ['\n\n\n\n\n', '[↵][↵][↵][↵][↵]'],
])('what cannot be seen in %j is shown', (text, expected) => {
  expect(shown(text)).toBe(expected)
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})

test('spaces at the ends of an argument are shown, those inside are not', () => {
  expect(shown(' a b ', true)).toBe('[␣]a b[␣]')
  expect(shown('  ', true)).toBe('[␣][␣]')
  expect(shown('    a', true)).toBe('[␣ × 4]a')
})

test('of ten thousand rows only those in sight are drawn', () => {
  const [first, end] = rowsInSight(10_000, 48, 48 * 5_000, 480)
  expect(end - first).toBeLessThan(40)
  expect(first).toBeLessThan(5_000)
  expect(end).toBeGreaterThan(5_010)
  expect(rowsInSight(0, 48, 0, 480)).toEqual([0, 0])
})

test('a command line is split as it was meant, or not at all', () => {
  expect(splitCommand('npx -y "a b" \'c"d\' e""f')).toEqual(['npx', '-y', 'a b', 'c"d', 'ef'])
  expect(splitCommand('npx "open')).toBeNull()
})

test('lines that were told and asked for are not shown twice', () => {
  expect(joined(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd'])
  expect(joined(['a'], ['b'])).toEqual(['a', 'b'])
  expect(joined([], ['b'])).toEqual(['b'])
})
