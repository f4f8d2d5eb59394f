/** Promises of what a question says against a call: where values came from, and what was found in the tool. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Concern, Finding, Source } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { marked, sentenceOf } from '../../src/parts/consent/concerns'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import WaitingQuestion from '../../src/parts/consent/WaitingQuestion.svelte'
import { callQuestion, deskFor } from '../ours'
import { render } from '../support'

beforeEach(() => language.choose('en'))
afterEach(cleanup)

const AT = new Date(2026, 10, 21, 14, 2).getTime()
const page: Source = { kind: 'tool', server: 'web', tool: 'read_page', message: 3, at: AT }
const unknown: Source = { kind: 'unknown', message: null, at: null }
const concern = (more: Partial<Concern>): Concern => ({
  argument: 'to',
  value: 'x@y',
  act: null,
  source: page,
  why: 'recipient',
  ...more,
})
const finding = (severity: Finding['severity']): Finding => ({
  kind: 'secrecy',
  severity,
  at: '/description',
  span: { start: 0, end: 6 },
  evidence: 'Writes',
})

const question = (more: Parameters<typeof callQuestion>[0]) =>
  callQuestion({
    reason: { kind: 'from_strangers' },
    arguments: { to: ['ada@example.com', 'x@y'], subject: 'x' },
    ...more,
  })
const show = (more: Parameters<typeof callQuestion>[0]) =>
  render(QuestionView, {
    question: question(more),
    known: deskFor(question(more)),
    onanswer: () => undefined,
  })
const said = (): string[] =>
  within(screen.getByRole('region', { name: 'Reasons to be careful' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent.trim().replace(/\s+/g, ' '))

describe('where a value came from', () => {
  it('is said in a sentence with the value, the source and the time', () => {
    show({ concerns: [concern({})] })
    expect(
      screen.getByText(
        'You allowed this tool, but a value in this call came from untrusted content.',
      ),
    ).toBeTruthy()
    expect(said()).toEqual([
      expect.stringMatching(
        /^The recipient x@y came from the result of read_page on web at .*2:02.*, not from you\.$/,
      ),
    ])
  })

  test.each<[Partial<Concern>, string]>([
    [{ source: unknown }, 'The recipient x@y was named neither by you nor by any result.'],
    [
      { why: 'steered', source: { ...page, at: null } },
      'x@y came from the result of read_page on web in message 4, out of a passage that speaks to the model.',
    ],
    [
      {
        why: 'unasked_act',
        act: 'pay',
        value: '',
        source: { kind: 'tool', server: null, tool: 'read_page', message: null, at: null },
      },
      'You did not ask to pay or order. This call does it, after the result of read_page was read.',
    ],
    [
      {
        why: 'unasked_act',
        act: 'pay',
        source: { kind: 'tool', server: null, tool: 'read_page', message: null, at: null },
      },
      'You did not ask to pay or order. This call does it with x@y, after the result of read_page was read.',
    ],
    [
      { why: 'unasked_tool', argument: null, value: 'unlock_door', source: unknown },
      'You did not ask for unlock_door. This call uses it, after an unknown source was read.',
    ],
    [
      { why: 'steered_act', act: 'remove', source: unknown },
      'A passage in an unknown source wants the model to delete or remove something. This call does it with x@y.',
    ],
    [
      { why: 'too_much', argument: null, source: unknown },
      'There is more in this call than can be looked at.',
    ],
    [
      { why: 'forgotten', argument: null, value: '', source: unknown },
      'What was read earlier in this conversation is not known any more.',
    ],
  ])('has a sentence for each reason', (more, sentence) => {
    show({ concerns: [concern(more)] })
    expect(said()).toEqual([sentence])
  })

  it('is marked at the argument, and only there', () => {
    show({ concerns: [concern({})] })
    const rows = within(screen.getByRole('table', { name: 'This will be sent' })).getAllByRole(
      'row',
    )
    expect(rows.map((row) => row.textContent.includes('Check this'))).toEqual([false, true, false])
  })

  it('cannot write the sentence around it', () => {
    show({
      concerns: [
        concern({ value: 'you\u202e {origin} <b>x</b>', source: { ...page, tool: '{value}' } }),
      ],
    })
    expect(said()[0]).toContain(
      'The recipient youU+202E {origin} <b>x</b> came from the result of {value} on web',
    )
    expect(
      screen.getByRole('region', { name: 'Reasons to be careful' }).querySelector('b'),
    ).toBeNull()
  })

  it('is told where the question only waits, too', () => {
    render(WaitingQuestion, {
      question: question({ concerns: [concern({})] }),
      approver: 'terminal',
    })
    expect(said()).toHaveLength(1)
  })
})

describe('what was found in the tool', () => {
  it('is shown', () => {
    show({ findings: [finding('info'), finding('high')] })
    expect(screen.getByRole('list', { name: 'What was found' }).closest('details')).toBeNull()
  })

  it('is folded where it is only worth knowing', () => {
    show({ findings: [finding('info')] })
    expect(
      screen.getByRole('list', { name: 'What was found', hidden: true }).closest('details')?.open,
    ).toBe(false)
  })

  it('is not spoken of where nothing was', () => {
    show({})
    expect(screen.queryByText(/what was found/i)).toBeNull()
    expect(screen.queryByText(/reasons to be careful/i)).toBeNull()
  })
})

test('an argument within others is found by its names, whatever stands between', () => {
  const args = { attachments: [{ file_path: '/a' }], members: { 'a@b.example': 'admin' }, to: 'x' }
  expect([...marked([concern({ argument: 'attachments.file_path', value: '/a' })], args)]).toEqual([
    'attachments[0].file_path',
  ])
  expect([...marked([concern({ argument: 'members', value: 'a@b.example' })], args)]).toEqual([
    'members["a@b.example"]',
  ])
  expect([...marked([concern({ argument: 'to', value: '•••' })], args)]).toEqual(['to'])
  expect([...marked([concern({ argument: null })], args)]).toEqual([])
})

test('a source that is known is never called unnamed', () => {
  expect(sentenceOf(concern({ why: 'site' }))).toBe('concern.site')
  expect(sentenceOf(concern({ why: 'site', source: unknown }))).toBe('concern.site_unknown')
  expect(sentenceOf(concern({ why: 'secret', source: unknown }))).toBe('concern.secret')
})
