/** Promises of titles in a question: a stranger's words, which never stand without the identifier. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Question, ToolSpec } from '../../src/host/types.gen'
import { titlesOf } from '../../src/kit'
import { language } from '../../src/messages'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { callQuestion, deskFor, spec } from '../ours'
import { render } from '../support'

beforeEach(() => language.choose('en'))
afterEach(cleanup)

const rate = (more: Partial<ToolSpec> = {}): ToolSpec =>
  spec({
    name: 'get_exchange_rate',
    title: 'Exchange rate',
    input_schema: {
      type: 'object',
      properties: { base: { type: 'string', title: 'From' }, target: { type: 'string' } },
    },
    ...more,
  })
const show = (question: Question) =>
  render(QuestionView, { question, known: deskFor(question), onanswer: () => undefined })
const sentence = (): string =>
  screen.getByRole('heading', { level: 1 }).textContent.replace(/\s+/g, ' ').trim()
const names = (): string[] =>
  within(screen.getByRole('table', { name: 'This will be sent' }))
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent.replace(/\s+/g, ' ').trim())

describe('the title of a tool', () => {
  it('stands first in the sentence, with the identifier beside it', () => {
    show(callQuestion({ tool: rate() }))
    expect(sentence()).toBe('A terminal wants to run Exchange rate get_exchange_rate on files')
  })

  it('may be the hint that it once was', () => {
    show(callQuestion({ tool: rate({ title: null, annotations: { title: 'Rate' } }) }))
    expect(sentence()).toContain('run Rate get_exchange_rate on')
  })

  it.each([null, '', '  ', 'get_exchange_rate'])(
    'is left out where it says nothing: %j',
    (title) => {
      show(callQuestion({ tool: rate({ title }) }))
      expect(sentence()).toBe('A terminal wants to run get_exchange_rate on files')
    },
  )

  it('hides nothing and pushes nothing away', () => {
    show(callQuestion({ tool: rate({ title: `Rate\u202e ${'a'.repeat(5_000)}` }) }))
    expect(sentence()).toContain('RateU+202E')
    expect(sentence()).toContain('… get_exchange_rate on files')
    expect(sentence().length).toBeLessThan(150)
  })
})

describe('the titles of a schema', () => {
  it('stand before the names of what would be sent, and the names stay', () => {
    show(callQuestion({ tool: rate(), arguments: { base: 'EUR', target: 'USD', hidden: 1 } }))
    expect(names()).toEqual(['From base', 'target', 'hidden'])
  })

  it('stand beside what differs from last time', () => {
    show(
      callQuestion({
        tool: rate(),
        arguments: { base: 'EUR' },
        subject: { last_time: { base: 'CHF' } },
      }),
    )
    expect(
      screen
        .getByText(/differs from last time/)
        .closest('details')
        ?.textContent.replace(/\s+/g, ' '),
    ).toContain('From base changed')
  })
})

test('titles reach into lists and objects, follow references, and name nothing that the schema does not', () => {
  const schema = {
    type: 'object',
    $defs: { box: { type: 'object', properties: { weight: { title: 'Weight (kg)' } } } },
    properties: {
      boxes: { type: 'array', title: 'Boxes', items: { $ref: '#/$defs/box' } },
      to: { anyOf: [{ $ref: '#/$defs/box' }, { type: 'null' }] },
      loop: { $ref: '#/properties/loop' },
      plain: { type: 'object', properties: { name: { type: 'string' } } },
    },
  }
  const value = {
    boxes: [{ weight: 1 }, { weight: 2, 'a b': 3 }],
    to: { weight: 4 },
    loop: { x: 1 },
    plain: { name: 'x', constructor: 'y' },
    other: [1],
  }
  expect(
    [...titlesOf(schema, value)]
      .filter(([path]) => /weight|a b|loop|plain|other/.test(path))
      .toSorted(),
  ).toEqual([
    ['boxes[0].weight', 'Boxes 1 › Weight (kg)'],
    ['boxes[1].weight', 'Boxes 2 › Weight (kg)'],
    ['boxes[1]["a b"]', 'Boxes 2 › a b'],
    ['to.weight', 'to › Weight (kg)'],
  ])
  expect(titlesOf({ properties: 3 }, { a: 1 }).size).toBe(0)
  expect(
    titlesOf({ properties: { a: { title: 'x'.repeat(9_000) } } }, { a: 1 }).get('a'),
  ).toHaveLength(48)
})

test('titles are found in a list of any length', () => {
  const schema = { properties: { weights: { title: 'Weights' } } }
  const weights = Array.from({ length: 300_000 }, () => 1)
  expect(titlesOf(schema, { weights }).get('weights[299999]')).toBe('Weights 300000')
})
