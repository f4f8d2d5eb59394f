/** Promises of answering several questions at once, and of staying with the one that was meant. */
import { WINDOW } from '../../src/host/fake/callers'
import { screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import { FakeHost, type Reply } from '../../src/host/fake'
import { touching } from '../../src/host/fake/question'
import type { BatchDecision, Question } from '../../src/host/types.gen'
import { canGoAlong, grouped } from '../../src/parts/consent/groups'
import QuestionWindow from '../../src/views/Question.svelte'
import { callQuestion, formQuestion, spec } from '../ours'
import { begin, onFakeTime, render } from '../support'

const MOMENT = 1_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const calm = (
  n: number,
  args: Record<string, unknown> = { path: `/home/ada/Documents/${n}.md` },
): Question => callQuestion({ id: `question-${String(n).padStart(16, '0')}`, arguments: args })
const idsOf = (answers: BatchDecision[]): string[] => answers.map(({ question }) => question)
/** Takes none of the answers. */
const takesNone: Reply<'answer_questions'> = ({ answers }) => ({
  answered: [],
  failed: idsOf(answers),
  grants: [],
})
const form = (): Question => ({ ...formQuestion({}), id: 'question-0000000000000009' })

async function open(questions: Question[]) {
  const host = new FakeHost({
    answer_question: null,
    // What was answered does not wait any more.
    answer_questions: ({ answers }) => {
      const answered = idsOf(answers)
      host.questionsHere = host.questionsHere.filter(({ id }) => !answered.includes(id))
      return { answered, failed: [], grants: [] }
    },
  })
  host.questionsHere = questions
  const closed = vi.fn()
  begin(host)
  render(QuestionWindow, { onclosed: closed })
  await pass(MOMENT)
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  return { host, closed, user }
}

async function openAll(questions: Question[]) {
  const opened = await open(questions)
  await opened.user.click(button(/^see all$/i))
  await pass(MOMENT)
  return opened
}

onFakeTime()

describe('several questions', () => {
  it('stand by server and caller, each with its tool and what would be sent', async () => {
    await openAll([calm(1), calm(2), { ...formQuestion({}), id: 'question-0000000000000009' }])
    expect(
      screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent.trim()),
    ).toEqual(['files From: The terminal', 'shipping'])
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3)
    expect(screen.getAllByRole('table')).toHaveLength(2)
  })

  it('are told apart by the account that they would use', async () => {
    const works = { touches: { ...touching('/home/ada/today.md'), account: 'work' } }
    await openAll([callQuestion({ subject: works }), calm(2)])
    const titles = screen.getAllByRole('heading', { level: 3 })
    expect(titles.map(({ textContent }) => textContent.trim())).toEqual([
      'write_file Account: work',
      'write_file',
    ])
  })

  it('have one countdown, of the one that ends first', async () => {
    const soon = { ...calm(2), expires_at: Date.now() + 90_000 }
    await openAll([calm(1), soon, calm(3)])
    expect(screen.getAllByRole('timer').map((timer) => timer.textContent)).toEqual([
      expect.stringMatching(/^The first is denied automatically in 1:\d\d$/),
    ])
  })

  it('that can be selected come first; each of the others says why it needs its own answer', async () => {
    const outside = callQuestion({
      id: 'question-0000000000000007',
      tool: spec({ name: 'delete_file', title: 'Delete a file' }),
      arguments: { path: '/etc/passwd' },
      subject: { touches: touching('/etc/passwd', false) },
    })
    const again = callQuestion({
      id: 'question-0000000000000008',
      reason: { kind: 'repeated', times: 7 },
    })
    await openAll([outside, again, calm(1), form()])
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent.replace(/\s+/g, ' '))
    expect(rows[0]).toContain('/home/ada/Documents/1.md')
    expect(rows[1]).toMatch(
      /Delete a file delete_file.*Needs its own answer\. Touches a file outside the folders you gave/,
    )
    expect(rows[2]).toContain('Exactly this was called 7 times within a minute.')
    expect(rows[3]).toMatch(/fill in a form.*Needs its own answer/)
    expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  })

  it('that need their own answer are opened from the list, which answers nothing', async () => {
    const again = callQuestion({
      id: 'question-0000000000000008',
      reason: { kind: 'repeated', times: 7 },
    })
    const { host, user } = await openAll([again, calm(1), form()])
    const opens = screen.getAllByRole('button', { name: 'Open' })
    expect(opens.map((open) => open.getAttribute('aria-describedby'))).toEqual(
      screen
        .getAllByRole('heading', { level: 3 })
        .map(({ id }) => id)
        .slice(1),
    )
    await user.click(opens[1]!)
    expect(host.shown).toEqual([form().id])
    // This window is that question's own.
    await user.click(opens[0]!)
    expect(host.shown).toEqual([form().id])
    expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('Waiting questions')
    expect(host.asked.filter(({ method }) => method.startsWith('answer'))).toEqual([])
  })

  it('cannot be opened where questions have no window', async () => {
    const closed = vi.fn()
    const host = new FakeHost()
    host.questionsHere = [form(), calm(1)]
    begin(Object.assign(host, { openQuestion: undefined }))
    render(QuestionWindow, { onclosed: closed })
    await pass(MOMENT)
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    await user.click(button(/^see all$/i))
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull()
  })

  it('are answered alike with one scope, and only those that were selected', async () => {
    const { host, user } = await openAll([calm(1), calm(2), calm(3)])
    const [first, , third] = screen.getAllByRole('checkbox') as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ]
    await user.click(first)
    await user.click(third)
    await user.selectOptions(screen.getByLabelText('How long'), 'exactly_conversation')
    expect(button(/^allow these 2/i).disabled).toBe(true)
    await pass(MOMENT)
    await user.click(button(/^allow these 2/i))
    await pass(1)
    const answer = {
      kind: 'allow',
      arguments: null,
      remember: { lasting: { kind: 'conversation' }, cover: { kind: 'exactly' } },
    }
    expect(
      host.asked.filter(({ method }) => method === 'answer_questions').map(({ params }) => params),
    ).toEqual([
      {
        answers: [
          { question: 'question-0000000000000001', answer },
          { question: 'question-0000000000000003', answer },
        ],
      },
    ])
  })

  it('are never answered by a key that means away, or by one that comes too early', async () => {
    const { host, user } = await openAll([calm(1), calm(2)])
    await user.click(screen.getAllByRole('checkbox')[0]!)
    await user.click(button(/don't allow 1/i))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('wants to run')
    expect(host.asked).toEqual([])
  })

  it('of which a part is folded need to be shown first', async () => {
    const { host, user } = await openAll([calm(1), calm(2, { path: 'x'.repeat(5_000) })])
    for (const box of screen.getAllByRole('checkbox')) await user.click(box)
    await pass(MOMENT)
    expect(button(/^allow these 2/i).disabled).toBe(true)
    await user.click(button(/show all of it/i))
    await pass(MOMENT)
    await user.click(button(/^allow these 2/i))
    await pass(1)
    expect(host.asked.some(({ method }) => method === 'answer_questions')).toBe(true)
  })

  it('that are gone are not answered', async () => {
    const { host, user } = await openAll([calm(1), calm(2), calm(3)])
    for (const box of screen.getAllByRole('checkbox')) await user.click(box)
    host.publish({ kind: 'question_closed', question: 'question-0000000000000002' })
    await pass(MOMENT)
    await user.click(button(/^allow these 2/i))
    await pass(1)
    const [asked] = host.asked.filter(({ method }) => method === 'answer_questions')
    expect(
      (asked?.params as { answers: { question: string }[] }).answers.map(
        ({ question }) => question,
      ),
    ).toEqual(['question-0000000000000001', 'question-0000000000000003'])
  })
})

describe('a second press of the same button', () => {
  it('answers no other group that comes to stand in its place', async () => {
    const other = calm(2)
    if (other.subject.kind === 'call') other.subject.caller = WINDOW
    const { host, user } = await openAll([form(), calm(1), other])
    for (const box of screen.getAllByRole('checkbox')) await user.click(box)
    await pass(MOMENT)
    const [first] = screen.getAllByRole('button', { name: /^allow 1$/i })
    await user.click(first!)
    await pass(1)
    await user.click(screen.getByRole('button', { name: /^allow 1$/i }))
    await user.click(screen.getByRole('button', { name: /^don't allow 1$/i }))
    expect(host.asked.filter(({ method }) => method === 'answer_questions')).toHaveLength(1)
    await pass(MOMENT)
    await user.click(screen.getByRole('button', { name: /^allow 1$/i }))
    await pass(1)
    expect(host.asked.filter(({ method }) => method === 'answer_questions')).toHaveLength(2)
  })

  it('answers nothing right after an answer that did not arrive', async () => {
    const { host, user } = await openAll([form(), calm(1), calm(2)])
    await user.click(screen.getAllByRole('checkbox')[0]!)
    await pass(MOMENT)
    host.failNext('answer_questions', 'database_locked')
    await user.click(button(/^allow 1$/i))
    await pass(1)
    expect(screen.getByRole('alert').textContent).toContain('The answer did not arrive')
    await user.click(button(/^allow 1$/i))
    expect(host.asked.filter(({ method }) => method === 'answer_questions')).toHaveLength(1)
  })

  it('answers nothing where one question has taken the place of another', async () => {
    const { host, user } = await openAll([calm(1), calm(2), calm(3)])
    await user.click(screen.getAllByRole('checkbox')[0]!)
    await pass(MOMENT)
    host.publish({ kind: 'question_closed', question: calm(2).id })
    host.publish({ kind: 'question_asked', question: calm(4) })
    await pass(1)
    await user.click(button(/^allow 1$/i))
    expect(host.asked.filter(({ method }) => method === 'answer_questions')).toEqual([])
  })
})

describe('answers that were not taken', () => {
  it('are counted, and said before the window shuts', async () => {
    const { host, user, closed } = await openAll([calm(1), calm(2)])
    for (const box of screen.getAllByRole('checkbox')) await user.click(box)
    await pass(MOMENT)
    host.reply('answer_questions', takesNone)
    await user.click(button(/^allow these 2/i))
    await pass(1)
    expect(screen.getByRole('alert').textContent).toContain('2 answers were not taken')
    expect(closed).not.toHaveBeenCalled()
    expect(screen.getAllByRole('checkbox')).toHaveLength(2)
    await user.click(button(/^back to the question$/i))
    expect(screen.queryByText(/were not taken/)).toBeNull()
  })

  it('are said where nothing waits any more', async () => {
    const { host, user, closed } = await openAll([calm(1), calm(2)])
    for (const box of screen.getAllByRole('checkbox')) await user.click(box)
    await pass(MOMENT)
    host.questionsHere = []
    host.reply('answer_questions', takesNone)
    await user.click(button(/^allow these 2/i))
    await pass(1)
    expect(screen.getByRole('alert').textContent).toContain('2 answers were not taken')
    await user.click(button(/^close$/i))
    expect(closed).toHaveBeenCalled()
  })
})

it('the keyboard goes on with what is left', async () => {
  const { user } = await openAll([form(), calm(1), calm(2)])
  await user.click(screen.getAllByRole('checkbox')[0]!)
  await pass(MOMENT)
  await user.click(button(/^allow 1$/i))
  await pass(MOMENT)
  expect(screen.getAllByRole('checkbox')).toContain(document.activeElement)
})

it('a window that cannot follow the host says so, and can try again', async () => {
  const host = new FakeHost()
  host.questionsHere = [calm(1)]
  const listen = vi.spyOn(host, 'listen').mockRejectedValueOnce(new Error('gone'))
  begin(host)
  render(QuestionWindow, {})
  await pass(MOMENT)
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    .click(button(/^try again$/i))
  await pass(MOMENT)
  expect(listen).toHaveBeenCalledTimes(2)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('wants to run')
})

test.each<[string, Question, boolean]>([
  ['a plain call', calm(1), true],
  ['a form', formQuestion({}), false],
  [
    'a call out of its folders',
    callQuestion({ subject: { touches: touching('/etc/passwd', false) } }),
    false,
  ],
  [
    'a call with a value of a stranger',
    callQuestion({
      concerns: [
        {
          argument: 'to',
          value: 'x',
          act: null,
          source: { kind: 'unknown', message: null, at: null },
          why: 'recipient',
        },
      ],
    }),
    false,
  ],
  ['a call without arguments', callQuestion({ arguments: {} }), true],
  [
    'a call of a tool that does something that matters',
    callQuestion({ arguments: {}, subject: { consequential: true } }),
    false,
  ],
  [
    'a call that nobody waits for any more',
    callQuestion({ arguments: {}, subject: { left_over: true } }),
    false,
  ],
  ['a changed tool', callQuestion({ reason: { kind: 'server_changed', allowed_at: 0 } }), false],
])('%s can be answered with others: %s', (_, question, expected) => {
  expect(canGoAlong(question)).toBe(expected)
})

it('two callers of one server are two groups', () => {
  const other = calm(2)
  if (other.subject.kind === 'call') other.subject.caller = WINDOW
  expect(grouped([calm(1), other, calm(3)]).map(({ questions }) => questions.length)).toEqual([
    2, 1,
  ])
})

describe('the window stays with the question that it shows', () => {
  it('when others come before or behind it', async () => {
    const { host, user } = await open([calm(1), calm(2)])
    host.publish({ kind: 'question_asked', question: calm(3) })
    host.publish({ kind: 'question_closed', question: 'question-0000000000000002' })
    await pass(1)
    await user.click(button(/^allow once$/i))
    await pass(1)
    expect(
      host.asked
        .filter(({ method }) => method === 'answer_question')
        .map(({ params }) => (params as { question: string }).question),
    ).toEqual(['question-0000000000000001'])
  })

  it('and an answer to a question that has gone reaches no other', async () => {
    const { host, user } = await open([calm(1), calm(2)])
    const allow = button(/^allow once$/i)
    host.questionsHere = [calm(2)]
    host.publish({ kind: 'question_closed', question: 'question-0000000000000001' })
    await pass(1)
    expect(allow.isConnected).toBe(false)
    await user.click(button(/^allow once$/i))
    await user.keyboard('{Enter}{Escape}')
    expect(host.asked).toEqual([])
  })

  it('and shuts when whoever asked has gone', async () => {
    const { host, closed } = await open([calm(1)])
    host.questionsHere = []
    host.publish({ kind: 'question_closed', question: 'question-0000000000000001' })
    await pass(1)
    expect(closed).toHaveBeenCalled()
  })
})
