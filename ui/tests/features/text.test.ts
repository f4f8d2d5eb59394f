/** Promises of how what a server offers is read, ordered and named. */
import { beforeEach, describe, expect, it, test } from 'vitest'
import { offerView } from '../../src/host/fake/reviews'
import type { Finding, FeatureView, Severity } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { argumentsOf, MOST_ARGUMENTS } from '../../src/parts/features/definition'
import { differing } from '../../src/parts/features/differing'
import { grouped, isNotable, together } from '../../src/parts/features/order'
import { placeWords } from '../../src/parts/findings/place'

beforeEach(() => language.choose('en'))

const tool = (name: string, more: Partial<FeatureView> = {}): FeatureView =>
  offerView({ kind: 'tool', name }, { name }, more)
const finding = (severity: Severity): Finding => ({
  kind: 'secrecy',
  severity,
  at: '/description',
  span: { start: 0, end: 1 },
  evidence: 'x',
})
const found = (severity: Severity): Partial<FeatureView> => ({
  inspection: { findings: [finding(severity)], held_back: false },
})

test('every offer is in one group, and what needs eyes comes first', () => {
  const offers = [
    tool('plain'),
    tool('odd', found('low')),
    tool('gone', { standing: { kind: 'gone' } }),
    tool('suspicious', found('high')),
    tool('changed', {
      standing: { kind: 'changed' },
      changes: [{ at: '/title', before: 'a', now: 'b', kind: 'cosmetic' }],
    }),
    tool('held', { held_back: true }),
    tool('blocked', { standing: { kind: 'blocked' } }),
  ]
  const groups = grouped(offers)
  const names = (list: FeatureView[]): string[] => list.map(({ key }) => key.name)
  expect(names(groups.first)).toEqual(['held', 'changed', 'suspicious', 'gone'])
  expect(names(groups.rest)).toEqual(['plain', 'odd'])
  expect(names(groups.decided)).toEqual(['blocked'])
})

test('a no for all is about everything that waits; a yes leaves out what is held back', () => {
  const offers = [
    tool('a'),
    tool('b', { held_back: true }),
    tool('c', { standing: { kind: 'approved' } }),
  ]
  expect(together(offers, 'approve').map(({ key }) => key.name)).toEqual(['a'])
  expect(together(offers, 'keep_off').map(({ key }) => key.name)).toEqual(['a', 'b'])
})

test('what its inspection holds back stands out, and no yes for many reaches it', () => {
  const held = tool('held', { inspection: { findings: [], held_back: true } })
  expect(isNotable(held)).toBe(true)
  expect(grouped([tool('a'), held]).first).toEqual([held])
  expect(together([tool('a'), held], 'approve').map(({ key }) => key.name)).toEqual(['a'])
})

describe('what a tool takes', () => {
  it('is read with what lies within', () => {
    const inputSchema = {
      properties: {
        to: { type: 'array', items: { type: 'string' } },
        mode: { enum: ['a', 1] },
        deep: {
          type: 'object',
          properties: { 'x/y': { type: ['string', 'null'], description: 'why' } },
          required: ['x/y'],
        },
      },
      required: ['to'],
    }
    expect(argumentsOf({ inputSchema })).toEqual([
      {
        name: 'to',
        at: '/inputSchema/properties/to',
        type: 'string[]',
        required: true,
        description: '',
      },
      {
        name: 'mode',
        at: '/inputSchema/properties/mode',
        type: '"a" | 1',
        required: false,
        description: '',
      },
      {
        name: 'deep',
        at: '/inputSchema/properties/deep',
        type: 'object',
        required: false,
        description: '',
      },
      {
        name: 'deep.x/y',
        at: '/inputSchema/properties/deep/properties/x~1y',
        type: 'string | null',
        required: true,
        description: 'why',
      },
    ])
  })

  it('stays bounded, and nothing malformed breaks it', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, {}]))
    expect(argumentsOf({ inputSchema: { properties: many } })).toHaveLength(MOST_ARGUMENTS)
    for (const inputSchema of [
      null,
      5,
      [],
      { properties: [] },
      { properties: { a: null, b: 5 }, required: 'a' },
    ])
      expect(() => argumentsOf({ inputSchema })).not.toThrow()
  })
})

test('a place is named in our words, and what the server named in its own', () => {
  expect(placeWords('')).toBe('the whole definition')
  expect(placeWords('/description')).toBe('description')
  expect(placeWords('/inputSchema/properties/path/description')).toBe(
    'arguments › path › description',
  )
  expect(placeWords('/inputSchema/properties/properties/maxLength')).toBe(
    'arguments › properties › maxLength',
  )
  expect(placeWords('/x\u200by')).toBe('x⟨U+200B⟩y')
})

test('characters in which a name differs are told apart, and those that deceive are written out', () => {
  expect(differing('p\u0430y', 'pay')).toEqual([
    { text: 'p', differs: false, codes: '' },
    { text: '\u0430', differs: true, codes: 'U+0430' },
    { text: 'y', differs: false, codes: '' },
  ])
  expect(differing('pay', 'pay')).toEqual([{ text: 'pay', differs: false, codes: '' }])
})

test('a field with an unlucky name is the server’s word', () => {
  for (const name of ['constructor', '__proto__', 'whole'])
    expect(placeWords(`/${name}`)).toBe(name)
})
