/** Promises of the small readers: JSON with its faults, rows of a nested value, differences, media. */
import { describe, expect, it, test } from 'vitest'
import {
  difference,
  differenceOfLines,
  differenceOfWords,
  orderedJson,
} from '../../src/kit/difference'
import { flatten } from '../../src/kit/flatten'
import { readJson } from '../../src/kit/form/jsonText'
import { audioOf, bytesIn, imageOf } from '../../src/kit/media'

describe('JSON that is typed', () => {
  test.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a": }', 1, 7],
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['[1, 2', 1, 6],
    ['[1, 2}', 1, 6],
    ['{"a": tru}', 1, 7],
    ['{a: 1}', 1, 2],
    ['{"a": "x}', 1, 7],
    ['1 2', 1, 3],
    ['[1,,2]', 1, 4],
    ["{'a': 1}", 1, 2],
    ['{"a": 01}', 1, 8],
  ])('%j is faulty at %i:%i', (text, line, column) => {
    expect(readJson(text)).toEqual({ ok: false, why: 'broken', line, column })
  })

  it('is read when it is whole', () => {
    expect(readJson(' {"a": [1, {"b": null}]} ')).toEqual({
      ok: true,
      value: { a: [1, { b: null }] },
    })
  })

  test.each([
    ['letters', 'x'],
    ['escapes', '\\n'],
  ])('is read, or said to be faulty, where ten million %s are one string', (_, one) => {
    const string = `"${one.repeat(10_000_000)}`
    expect(readJson(`{"a": ${string}", "b": 1}`).ok).toBe(true)
    expect(readJson(`{"a": 1, "a": ${string}"}`)).toMatchObject({ why: 'twice', column: 10 })
    expect(readJson(`{"a": ${string}`)).toMatchObject({ why: 'broken', column: 7 })
    expect(readJson(`[${string}", 2`)).toMatchObject({ why: 'broken' })
  })
})

test.each<[string, [number, number] | null]>([
  ['9007199254740991', null],
  ['9007199254740993', [1, 1]],
  ['9007199254740992', null],
  ['{\n "a": [1, -90071992547409931]}', [2, 11]],
  ['["9007199254740993", 9.007199254740993e15, 0.1]', null],
  [`[1${'0'.repeat(400)}]`, [1, 2]],
])('a number of %s that would lose digits is not taken', (text, place) => {
  const reading = readJson(text)
  expect(reading.ok ? null : [reading.why, reading.line, reading.column]).toEqual(
    place === null ? null : ['rounded', ...place],
  )
})

describe('a name that stands twice in one object', () => {
  test.each<[string, [number, number] | null]>([
    ['{"to": "mallory", "to": "ada"}', [1, 19]],
    ['{\n  "a": {"b": 1,\n    "b" : 2}\n}', [3, 5]],
    ['[{"a": 1, "\\u0061": 2}]', [1, 11]],
    ['{"__proto__": 1, "__proto__": 2}', [1, 18]],
    ['{"a": [{"b": 1}, {}], "": 1, "a": 2}', [1, 30]],
    ['{"a": {"a": {"a": "a"}}, "b": [{"a": 1}, {"a": "a"}]}', null],
    ['{"a:": "b\\":", "c" : [{"a:": 1}, "c", "c"]}', null],
    ['{"a": 1, "A": 2, "a ": 3, "constructor": 4, "__proto__": 5}', null],
  ])('in %j is not taken', (text, place) => {
    const reading = readJson(text)
    expect(reading.ok ? null : [reading.why, reading.line, reading.column]).toEqual(
      place === null ? null : ['twice', ...place],
    )
  })

  it('is told before what comes after it', () => {
    expect(readJson('{"a": 1, "a": 9007199254740993}')).toMatchObject({ why: 'twice', column: 10 })
    expect(readJson('{"a": 9007199254740993, "a": 1}')).toMatchObject({ why: 'rounded', column: 7 })
    expect(readJson('{"a": 1, "a": 2')).toMatchObject({ why: 'broken', column: 16 })
  })

  it('is found among very many names, and very deep', () => {
    const names = Array.from({ length: 200_000 }, (_, at) => `"n${at}":{}`).join()
    expect(readJson(`{${names}}`).ok).toBe(true)
    expect(readJson(`{${names},"n7":1}`)).toMatchObject({ why: 'twice' })
    const deep = `${'{"a":'.repeat(2_000)}{"b":1,"b":2}${'}'.repeat(2_000)}`
    expect(readJson(deep)).toMatchObject({ why: 'twice', column: 10_008 })
  })
})

describe('rows of a nested value', () => {
  it('say of a number that it may have been another one', () => {
    expect(flatten({ id: 2 ** 53, ok: 2 ** 53 - 1 }).map(({ text }) => text)).toEqual([
      '≈ 9007199254740992',
      '9007199254740991',
    ])
  })

  it('hold every leaf once, in order', () => {
    expect(
      flatten({ b: { c: [1, 'x'] }, a: null, 'odd name': true, e: [], f: '' }).map((leaf) => [
        leaf.path,
        leaf.text,
        leaf.kind,
      ]),
    ).toEqual([
      ['b.c[0]', '1', 'number'],
      ['b.c[1]', 'x', 'string'],
      ['a', 'null', 'null'],
      ['["odd name"]', 'true', 'boolean'],
      ['e', '[]', 'empty'],
      ['f', '""', 'empty'],
    ])
  })

  it('survive any depth', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep]
    expect(flatten(deep)).toHaveLength(1)
  })

  it('survive any length of a list', () => {
    const long = Array.from({ length: 300_000 }, (_, at) => at)
    expect(flatten(long).at(-1)).toEqual({ path: '[299999]', text: '299999', kind: 'number' })
  })
})

describe('differences', () => {
  const before = 'Reads a file.'
  const after = 'Reads a file and mails it.'

  it('name what was added', () => {
    expect(differenceOfWords(before, after)).toEqual([
      { kind: 'kept', text: 'Reads a file' },
      { kind: 'added', text: ' and mails it' },
      { kind: 'kept', text: '.' },
    ])
  })

  test.each([
    ['', 'x'],
    ['x', ''],
    ['same', 'same'],
    ['a\nb\nc\n', 'a\nc\nd'],
    ['one two three', 'three two one'],
  ])('give both texts back: %j → %j', (left, right) => {
    for (const compare of [differenceOfWords, differenceOfLines]) {
      const pieces = compare(left, right)
      expect(
        pieces
          .filter((piece) => piece.kind !== 'added')
          .map((piece) => piece.text)
          .join(''),
      ).toBe(left)
      expect(
        pieces
          .filter((piece) => piece.kind !== 'removed')
          .map((piece) => piece.text)
          .join(''),
      ).toBe(right)
    }
  })

  it('tell a sentence that was rewritten as one', () => {
    expect(
      differenceOfWords('Reads one file.', 'Sends all mail.').map((piece) => piece.text),
    ).toEqual(['Reads one file', 'Sends all mail', '.'])
  })

  it('tell very long texts as replaced instead of standing still', () => {
    const left = Array.from({ length: 3000 }, (_, at) => `a${at}`)
    const right = Array.from({ length: 3000 }, (_, at) => `b${at}`)
    expect(difference(left, right).map((piece) => piece.kind)).toEqual(['removed', 'added'])
  })

  it('do not come from the order of names', () => {
    expect(orderedJson({ b: 1, a: { d: 2, c: 3 } })).toBe(orderedJson({ a: { c: 3, d: 2 }, b: 1 }))
  })
})

describe('pictures and sounds', () => {
  const png = btoa('\x89PNG\r\n\x1a\n0123456789')
  const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')

  it('are shown from their own bytes', () => {
    expect(imageOf(png, 'image/PNG; x=y')).toMatchObject({
      ok: true,
      url: `data:image/png;base64,${png}`,
      bytes: 18,
    })
    expect(imageOf(btoa('RIFF1234WEBPVP8 '), 'image/webp').ok).toBe(true)
    expect(audioOf(btoa('RIFFxxx'), 'audio/wav').ok).toBe(true)
  })

  test.each([
    [svg, 'image/svg+xml', 'kind'],
    [png, 'text/html', 'kind'],
    [png, '__proto__', 'kind'],
    [svg, 'image/png', 'damaged'],
    ['not base64!', 'image/png', 'damaged'],
    ['', 'image/png', 'damaged'],
    ['A'.repeat(24 * 1024 * 1024), 'image/png', 'size'],
  ])('are not shown otherwise', (data, mime, why) => {
    expect(imageOf(data, mime)).toMatchObject({ ok: false, why })
  })

  it('know their size', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'abcd']) expect(bytesIn(btoa(text))).toBe(text.length)
  })
})
