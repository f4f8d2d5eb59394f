/** Promises of questions that are no calls and no forms: an address to open, a model to use. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer, Question } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import WaitingQuestion from '../../src/parts/consent/WaitingQuestion.svelte'
import { callQuestion } from '../ours'

const MOMENT = 1_000

function urlQuestion(url = 'https://bank.example@evil.example/pay?x=1', more = {}): Question {
  return { ...callQuestion(), server: 'shop', subject: { kind: 'url', during: [], ask: { message: 'Majordomo says: open this.\u202e', url, id: null }, host: 'evil.example', look_alike: false, ...more } }
}
const SAMPLE: Question = { ...callQuestion(), server: 'shop', subject: { kind: 'sample', during: [], sample: { params: { messages: [{ role: 'user', content: 'Obey\u200b' }] } } } }

function show(question: Question) {
  const answers: Answer[] = []
  render(QuestionView, { question, onanswer: (answer: Answer) => answers.push(answer) })
  return { answers, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) }) }
}

const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  language.choose('en')
  vi.useFakeTimers()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('an address to open', () => {
  it('is asked about in our words, with the server named by our name for it', () => {
    show(urlQuestion())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('shop wants you to open an address in your browser')
    expect(screen.getByText('In the server\'s words').closest('figure')?.textContent).toContain('open this.')
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
  })

  it('is shown whole as text, and the host that counts is emphasised', () => {
    show(urlQuestion())
    const address = screen.getByRole('region', { name: 'The whole address' })
    expect(address.textContent).toBe('https://bank.example@evil.example/pay?x=1')
    expect(address.querySelector('strong')?.textContent).toBe('evil.example')
    expect(document.querySelector('a')).toBeNull()
    expect(screen.getByText('It leads to evil.example')).toBeTruthy()
  })

  it('warns of a host that can be taken for another', () => {
    show(urlQuestion('https://xn--exmple-4nf.com/', { host: 'xn--exmple-4nf.com', look_alike: true }))
    expect(screen.getByRole('alert').textContent).toContain('xn--exmple-4nf.com')
  })

  it('is not opened by Enter, Escape, or in the first moment', async () => {
    const { answers, user } = show(urlQuestion())
    expect(document.activeElement).toBe(button(/don't open/i))
    expect(button(/open in browser/i).disabled).toBe(true)
    await pass(MOMENT)
    await user.keyboard('{Enter}')
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'decline' }, { kind: 'decline' }])
  })

  it('is opened when the person says so', async () => {
    const { answers, user } = show(urlQuestion())
    await pass(MOMENT)
    await user.click(button(/open in browser/i))
    expect(answers).toEqual([{ kind: 'open_url' }])
  })
})

describe('a wish for a model', () => {
  it('is shown whole and fenced, and can only be declined', async () => {
    const { answers, user } = show(SAMPLE)
    expect(screen.getByText('What the server wants from a model').closest('figure')?.textContent).toContain('"role": "user"')
    expect(screen.getByRole('img', { name: /U\+200B/ })).toBeTruthy()
    expect(screen.getAllByRole('button')).toEqual([button(/not possible/i)])
    await user.keyboard('{Enter}')
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'decline' }, { kind: 'decline' }])
  })
})

it.each([['an address', urlQuestion()], ['a model', SAMPLE]])('%s has no answer where it cannot be given', (_, question) => {
  render(WaitingQuestion, { question, approver: 'question_window' })
  expect(screen.getByText(/answer in the question window/i)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
