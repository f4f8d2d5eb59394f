/** Promises of what Codex wants to be allowed: it is shown whole, and nothing has to be filled in for a yes. */
import { screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { CodexApproval, Decision, Question } from '../../src/host/types.gen'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { sentenceLine } from '../../src/parts/consent/sentence'
import { deskFor, formQuestion } from '../ours'
import { onFakeTime, render } from '../support'

/** Before that no press counts. */
const MOMENT = 1_000

onFakeTime()

function asks(approval: Partial<CodexApproval>): Question {
  const question = formQuestion({})
  const codex = { command: [], folder: null, changes: {}, writes_in: null, ...approval }
  return question.subject.kind === 'form'
    ? { ...question, subject: { ...question.subject, form: { ...question.subject.form, codex } } }
    : question
}

function show(question: Question) {
  const answers: Decision[] = []
  const onanswer = (answer: Decision): number => answers.push(answer)
  render(QuestionView, { question, known: deskFor(question), onanswer })
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) })
  return { answers, user }
}

const button = (name: RegExp): HTMLElement => screen.getByRole('button', { name })

it('a command is shown with its folder, and allowed with one press', async () => {
  const question = asks({
    command: ['bash', '-lc', 'git push --force'],
    folder: '/home/me/project',
  })
  expect(sentenceLine(question)).toBe('shipping wants your approval')
  const { answers, user } = show(question)
  await vi.advanceTimersByTimeAsync(MOMENT)
  expect(document.body.textContent).toContain('bash -lc "git push --force"')
  expect(document.body.textContent).toContain('/home/me/project')
  expect(document.activeElement).toBe(button(/decline/i))
  await user.click(button(/allow once/i))
  expect(answers).toEqual([{ kind: 'form', answer: { kind: 'accept', content: {} } }])
})

it('changes of files are shown, and what a yes allows beyond them', () => {
  const change = { type: 'add', content: 'hello' }
  show(asks({ changes: { '/home/me/notes.txt': change }, writes_in: '/home/me' }))
  expect(screen.getByRole('table', { name: 'Changes to files' }).textContent).toContain('hello')
  expect(document.body.textContent).toContain('/home/me/notes.txt')
  expect(document.body.textContent).toContain('it can also write in this folder without asking')
})
