/** Promises of what is seen first in a question, whatever else there is to read. */
import { cleanup, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { touching } from '../../src/host/fake/question'
import type { Concern, Finding, Question, Severity } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { worstOf } from '../../src/parts/consent/worst'
import { callQuestion, deskFor, spec } from '../ours'
import { render } from '../support'

beforeEach(() => language.choose('en'))
afterEach(cleanup)

const finding = (
  severity: Severity,
  kind: Finding['kind'] = 'override',
  evidence = 'Ignore',
): Finding => ({ kind, severity, at: '/description', span: { start: 0, end: 6 }, evidence })
const concern = (why: Concern['why'], value = 'x@y.example'): Concern => ({
  argument: 'to',
  value,
  act: null,
  source: { kind: 'unknown', message: null, at: null },
  why,
})
const changed = (): Question =>
  callQuestion({
    reason: {
      kind: 'tool_changed',
      parts: ['description'],
      before: spec({ description: 'Reads a file.' }),
      allowed_at: 0,
    },
    arguments: { path: '/home/ada/.ssh/config' },
    subject: {
      findings: [finding('high')],
      concerns: [concern('place')],
      touches: touching('/home/ada/.ssh/config', false),
      last_time: { path: '/home/ada/notes.md' },
      left_over: true,
      consequential: true,
    },
  })
const show = (question: Question) =>
  render(QuestionView, { question, known: deskFor(question), onanswer: () => undefined })
const strip = (): string | undefined => {
  const id = screen.getByRole('alertdialog').getAttribute('aria-describedby')
  return id === null
    ? undefined
    : document.getElementById(id)?.textContent.replace(/\s+/g, ' ').trim()
}

describe('a question', () => {
  it('tells why it is asked, what speaks against it, what it touches and what is sent, in this order', () => {
    show(changed())
    const said = document.querySelector('.body')?.textContent ?? ''
    const order = [
      'The tool has changed since you allowed it.',
      'Reasons to be careful',
      'What was found in the tool',
      'Whoever asked for this is gone',
      'You have said of this tool',
      'What it touches',
      'What has changed',
      'Changed: description',
      'This will be sent',
      '1 value differs from last time',
      'About this tool',
    ].filter((words) => said.includes(words))
    const places = order.map((words) => said.indexOf(words))
    expect(order.length).toBeGreaterThan(8)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('names the worst beside its sentence, where nothing scrolls, and how much else there is', () => {
    show(changed())
    expect(strip()).toBe('Works in a place you did not name and 2 more')
    expect(document.querySelector('header')?.textContent).toContain('Works in a place')
  })

  it('says how grave the worst looks where it stands in the definition', () => {
    show(callQuestion({ subject: { findings: [finding('medium'), finding('critical')] } }))
    expect(strip()).toBe('Dangerous Tells the model to disregard its other instructions and 1 more')
  })

  it('names nothing where nothing stands out', () => {
    show(callQuestion({ subject: { findings: [finding('info'), finding('low')] } }))
    expect(strip()).toBeUndefined()
  })

  it('warns of a tool that may destroy something by its own claim, and of no other claim', () => {
    const claims = (annotations: Record<string, unknown>) => {
      show(callQuestion({ tool: spec({ annotations }) }))
      const said = strip()
      cleanup()
      return said
    }
    expect(claims({ destructiveHint: true })).toBe('May delete or overwrite something')
    expect(claims({ destructiveHint: true, readOnlyHint: true })).toBe(
      'May delete or overwrite something',
    )
    expect(claims({ destructiveHint: 'yes' })).toBeUndefined()
    expect(claims({ destructiveHint: false, readOnlyHint: false })).toBeUndefined()
  })

  it('lets no value of a stranger into that line', () => {
    show(
      callQuestion({
        subject: {
          concerns: [concern('recipient', 'harmless '.repeat(500))],
          findings: [finding('high', 'secrecy', 'Nothing to see here')],
        },
      }),
    )
    expect(strip()).toBe('Sends to somebody you did not name and 1 more')
  })
})

test('a danger outweighs a concern, a concern a suspicion, and a way out of the folders what is to be looked at', () => {
  const of = (question: Question) => {
    const worst = worstOf(question.subject)
    return worst && [worst.tone, worst.words]
  }
  const with_ = (severities: Severity[], concerns: Concern[], granted: boolean) =>
    callQuestion({
      subject: {
        findings: severities.map((severity) => finding(severity)),
        concerns,
        touches: touching('/x', granted),
      },
    })
  const override = 'Tells the model to disregard its other instructions'
  expect(of(with_(['high', 'critical'], [concern('site')], false))).toEqual(['bad', override])
  expect(of(with_(['high'], [concern('site')], false))).toEqual([
    'bad',
    'Goes to an address you did not name',
  ])
  expect(of(with_(['medium', 'high'], [], false))).toEqual(['bad', override])
  expect(of(with_(['medium'], [], false))).toEqual([
    'bad',
    'Touches a file outside the folders you gave',
  ])
  expect(of(with_(['medium'], [], true))).toEqual(['warn', override])
  expect(of(with_(['low'], [], true))).toBeNull()
})
