/** Promises of questions that are no calls and no forms: an address to open, a model to use. */
import { TERMINAL } from '../../src/host/fake/callers'
import { screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Decision, Question, Rule } from '../../src/host/types.gen'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import WaitingQuestion from '../../src/parts/consent/WaitingQuestion.svelte'
import { callQuestion, deskFor } from '../ours'
import { onFakeTime, render } from '../support'

const MOMENT = 1_000

function urlQuestion(url = 'https://bank.example@evil.example/pay?x=1', more = {}): Question {
  return {
    ...callQuestion(),
    server: 'shop',
    subject: {
      kind: 'url',
      during: [],
      ask: { message: 'Majordomo says: open this.\u202e', url, id: null },
      host: 'evil.example',
      look_alike: false,
      ...more,
    },
  }
}
const SAMPLE: Question = {
  ...callQuestion(),
  server: 'shop',
  subject: {
    kind: 'sample',
    during: [],
    sample: { params: { messages: [{ role: 'user', content: 'Obey\u200b' }] } },
    model: null,
    budget: { requests: 0, tokens: 0, per_reply: 0 },
  },
}

function asked(): Question {
  const params = {
    messages: [{ role: 'user', content: { type: 'text', text: 'Summarise it', meta: 1 } }],
    systemPrompt: 'Be terse.',
    maxTokens: 500,
    temperature: 0.2,
  }
  return {
    ...callQuestion(),
    server: 'shop',
    subject: {
      kind: 'sample',
      during: [],
      sample: { params },
      model: 'small-model',
      budget: { requests: 19, tokens: 42_000, per_reply: 1_000 },
    },
  }
}

function show(question: Question) {
  const answers: Decision[] = []
  render(QuestionView, {
    question,
    known: deskFor(question),
    onanswer: (answer: Decision) => answers.push(answer),
  })
  return { answers, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) }) }
}

const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

onFakeTime()

describe('an address to open', () => {
  it('is asked about in our words, with the server named by our name for it', () => {
    show(urlQuestion())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'shop wants you to open an address in your browser',
    )
    expect(screen.getByText("In the server's words").closest('figure')?.textContent).toContain(
      'open this.',
    )
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
  })

  it('is shown whole as text, and the host that counts is emphasised', () => {
    show(urlQuestion())
    const address = screen.getByRole('region', { name: 'The whole address' })
    expect(address.textContent).toBe('https://bank.example@evil.example/pay?x=1')
    expect(address.querySelector('strong')?.textContent).toBe('evil.example')
    expect(document.querySelector('a')).toBeNull()
    expect(screen.getByText('Leads to evil.example')).toBeTruthy()
  })

  it('warns of a host that can be taken for another', () => {
    show(
      urlQuestion('https://xn--exmple-4nf.com/', { host: 'xn--exmple-4nf.com', look_alike: true }),
    )
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
  it('is shown whole and fenced, and can only be declined where there is no model', async () => {
    const { answers, user } = show(SAMPLE)
    await pass(MOMENT)
    expect(
      screen.getByText('What the server wants from a model').closest('figure')?.textContent,
    ).toContain('"role": "user"')
    expect(screen.getByRole('img', { name: /U\+200B/ })).toBeTruthy()
    expect(screen.getAllByRole('button')).toEqual([button(/no model configured/i)])
    await user.keyboard('{Enter}')
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'decline' }, { kind: 'decline' }])
  })

  it('names the model and what the server may still use, and is let go as it was asked for', async () => {
    const { answers, user } = show(asked())
    expect(screen.getByText('small-model').closest('p')?.textContent).toContain(
      'Model that answers:',
    )
    expect(
      screen.getByText(
        /may still ask 19 times within the hour and use 42,000 tokens today, 1,000 for one reply/,
      ),
    ).toBeTruthy()
    expect(document.activeElement).toBe(button(/^decline$/i))
    await user.click(button(/let the model answer/i))
    expect(answers).toEqual([])
    await pass(MOMENT)
    await user.click(button(/let the model answer/i))
    expect(answers).toEqual([{ kind: 'use_model', params: null }])
  })

  it('can be changed word for word, and everything else stays as it was', async () => {
    const { answers, user } = show(asked())
    await user.click(button(/edit the request/i))
    await user.clear(screen.getByLabelText('System prompt'))
    await user.type(screen.getByLabelText('System prompt'), 'Be kind.')
    await user.clear(screen.getByLabelText('Message 1 (user)'))
    await user.type(screen.getByLabelText('Message 1 (user)'), 'Only the title')
    await user.clear(screen.getByLabelText(/tokens of the reply/i))
    await user.type(screen.getByLabelText(/tokens of the reply/i), '90')
    await pass(MOMENT)
    expect(
      screen.getByText('What would be asked, with your changes').closest('figure')?.textContent,
    ).toContain('Only the title')
    await user.click(button(/let the model answer this/i))
    expect(answers).toEqual([
      {
        kind: 'use_model',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: 'Only the title', meta: 1 } }],
          systemPrompt: 'Be kind.',
          maxTokens: 90,
          temperature: 0.2,
        },
      },
    ])
  })

  it('cannot ask for more than the budget of one reply', async () => {
    const { answers, user } = show(asked())
    await user.click(button(/edit the request/i))
    await user.clear(screen.getByLabelText(/tokens of the reply/i))
    await user.type(screen.getByLabelText(/tokens of the reply/i), '1001')
    await pass(MOMENT)
    expect(screen.getByText('A whole number from 1 to 1,000.')).toBeTruthy()
    expect(button(/let the model answer/i).disabled).toBe(true)
    expect(answers).toEqual([])
  })
})

describe('the reply of a model', () => {
  const REPLY: Question = {
    ...callQuestion(),
    server: 'shop',
    subject: {
      kind: 'sample_reply',
      during: [],
      sample: { params: { messages: [] } },
      model: 'small-model',
      reply: 'All is\u200b well.',
    },
  }

  it('is shown fenced before the server gets it, and kept back by the safe answer', async () => {
    const { answers, user } = show(REPLY)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'shop is to get what a model has answered',
    )
    expect(screen.getByText("The model's reply").closest('figure')?.textContent).toContain('All is')
    expect(screen.getByRole('img', { name: /U\+200B/ })).toBeTruthy()
    await pass(MOMENT)
    await user.keyboard('{Enter}')
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'decline' }, { kind: 'decline' }])
  })

  it('is sent as it is, or as it was changed', async () => {
    const { answers, user } = show(REPLY)
    await pass(MOMENT)
    await user.click(button(/^send the reply$/i))
    await user.click(button(/edit the reply/i))
    await user.clear(screen.getByLabelText(/edit the reply/i))
    await user.type(screen.getByLabelText(/edit the reply/i), 'No.')
    await user.click(button(/send the changed reply/i))
    expect(answers).toEqual([
      { kind: 'send_reply', reply: null },
      { kind: 'send_reply', reply: 'No.' },
    ])
  })
})

describe('a rule', () => {
  const rule: Rule = {
    id: 'rule-1',
    layer: 'person',
    effect: 'allow',
    hooks: ['call'],
    text: 'permit (principal, action, resource);',
    reason: 'I trust it',
    made_at: null,
    draft: {
      effect: 'allow',
      hook: 'call',
      caller: TERMINAL,
      server: 'files',
      tool: 'list\u200b',
      when: [{ kind: 'in_folder', folder: '/home/ada' }],
      reason: 'I trust it',
    },
  }
  const about = (removing: boolean, more: Partial<Rule> = {}): Question => ({
    ...callQuestion(),
    server: null,
    subject: { kind: 'rule', rule: { ...rule, ...more }, removing },
  })

  it('is shown with what would change, in words and as its text', async () => {
    const { answers, user } = show(about(false))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'You asked to make a rule (from this app)',
    )
    for (const words of [
      /you would be asked less/i,
      /run without asking/i,
      'The terminal',
      'files',
      /a path lies in/i,
      '/home/ada',
      'I trust it',
    ])
      expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText('permit (principal, action, resource);')).toBeTruthy()
    await pass(MOMENT)
    await user.keyboard('{Enter}')
    await user.click(button(/make the rule/i))
    expect(answers).toEqual([{ kind: 'decline' }, { kind: 'change_rule' }])
  })

  it('that keeps something away is removed only after the person has read what that means', async () => {
    const { answers, user } = show(about(true, { effect: 'forbid', draft: null }))
    expect(screen.getByText(/becomes possible again/i)).toBeTruthy()
    expect(screen.getByText(/read its text/i)).toBeTruthy()
    await pass(MOMENT)
    await user.click(button(/remove the rule/i))
    expect(answers).toEqual([{ kind: 'change_rule' }])
  })
})

it.each([
  ['an address', urlQuestion()],
  ['a model', SAMPLE],
])('%s has no answer where it cannot be given', (_, question) => {
  render(WaitingQuestion, { question, approver: 'question_window' })
  expect(screen.getByText(/answer in the question window/i)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
