/** Promises of the question's own window. */
import { screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import { hostError } from '../../src/host/error'
import { FakeHost } from '../../src/host/fake'
import { touching, under } from '../../src/host/fake/question'
import type { Decision, Question, Reason } from '../../src/host/types.gen'
import { secretFields } from '../../src/parts/consent/secretFields'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import WaitingQuestion from '../../src/parts/consent/WaitingQuestion.svelte'
import Approvals from '../../src/views/Approvals.svelte'
import QuestionWindow from '../../src/views/Question.svelte'
import { callQuestion, connected, customise, deskFor, formQuestion, leave, spec } from '../ours'
import { begin, onFakeTime, render, until } from '../support'

const MOMENT = 1_000

function show(question: Question) {
  const answers: Decision[] = []
  const view = render(QuestionView, {
    question,
    known: deskFor(question),
    onanswer: (answer: Decision) => answers.push(answer),
  })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  return { answers, user, view }
}

const button = (name: RegExp) => screen.getByRole('button', { name })
const isShut = (element: HTMLElement) => (element as HTMLButtonElement).disabled
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

onFakeTime()

describe('the safe answer comes first', () => {
  it('has the focus', () => {
    show(callQuestion())
    expect(document.activeElement).toBe(button(/don't allow/i))
  })

  it('is what Enter means there', async () => {
    const { answers, user } = show(callQuestion())
    await pass(MOMENT)
    await user.keyboard('{Enter}')
    expect(answers).toEqual([{ kind: 'deny', reason: null, remember: null }])
  })

  it('is what Escape means there; among fields and differences it only leads there', async () => {
    const { answers, user } = show(
      callQuestion({ subject: { last_time: { path: '/home/ada/yesterday.md' } } }),
    )
    await pass(MOMENT)
    for (const inside of [
      screen.getByLabelText(/^reason/i),
      screen.getByRole('region', { name: /difference to last time/i }),
    ]) {
      inside.focus()
      await user.keyboard('{Escape}')
      expect(answers).toEqual([])
      expect(document.activeElement).toBe(button(/don't allow/i))
    }
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'deny', reason: null, remember: null }])
  })

  it('does not come of the first key or click, either', async () => {
    const { answers, user } = show(callQuestion())
    await user.keyboard('{Enter}{Escape} ')
    await user.click(button(/don't allow/i))
    expect(answers).toEqual([])
    await pass(MOMENT)
    window.dispatchEvent(new Event('focus'))
    await user.click(button(/don't allow/i))
    expect(answers).toEqual([])
  })

  it('takes a reason along', async () => {
    const { answers, user } = show(callQuestion())
    await pass(MOMENT)
    await user.type(screen.getByLabelText(/^reason/i), 'wrong folder')
    await user.click(button(/don't allow/i))
    expect(answers).toEqual([{ kind: 'deny', reason: 'wrong folder', remember: null }])
  })
})

describe('a yes is never an accident', () => {
  it('cannot be said in the first moment', async () => {
    const { answers, user } = show(callQuestion())
    expect(isShut(button(/^allow/i))).toBe(true)
    await user.click(button(/^allow/i))
    expect(answers).toEqual([])
    await pass(MOMENT)
    await user.click(button(/^allow/i))
    expect(answers).toEqual([{ kind: 'allow', arguments: null, remember: null }])
  })

  it('has to wait again when the window comes to the front', async () => {
    show(callQuestion())
    await pass(MOMENT)
    expect(isShut(button(/^allow/i))).toBe(false)
    window.dispatchEvent(new Event('focus'))
    await pass(1)
    expect(isShut(button(/^allow/i))).toBe(true)
    await pass(MOMENT)
    expect(isShut(button(/^allow/i))).toBe(false)
  })

  it('is not meant by Enter in another place', async () => {
    const { answers, user } = show(
      callQuestion({
        arguments: { path: '/home/ada/Documents/today.md' },
        options: { path: under('/home/ada/Documents/today.md', '/home/ada/Documents') },
        subject: { touches: touching('/home/ada/Documents/today.md') },
      }),
    )
    await pass(MOMENT)
    await customise(user)
    await pass(MOMENT)
    screen.getByRole('radio', { name: /^any$/i }).focus()
    await user.keyboard('{Enter}')
    await user.type(screen.getByLabelText(/^reason/i), 'x{Enter}')
    await user.type(screen.getByLabelText(/the folder/i), '{Enter}')
    expect(answers).toEqual([])
  })

  test.each([
    [{ content: 'x'.repeat(2_000) }],
    [{ content: 'line\n'.repeat(40) }],
    [Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, at]))],
  ])('needs everything to have been shown', async (args) => {
    const { answers, user } = show(callQuestion({ arguments: args }))
    await pass(MOMENT)
    expect(isShut(button(/^allow/i))).toBe(true)
    expect(screen.getByText(/some values are folded/i)).toBeTruthy()
    await user.click(button(/show all of it/i))
    expect(isShut(button(/^allow/i))).toBe(false)
    const shown = screen.getByRole('table', { name: /this will be sent/i }).textContent ?? ''
    for (const [name, value] of Object.entries(args)) {
      expect(shown).toContain(name)
      expect(shown.replace(/\s/g, '')).toContain(String(value).replace(/\s/g, ''))
    }
    await user.click(button(/^allow/i))
    expect(answers).toEqual([{ kind: 'allow', arguments: null, remember: null }])
  })

  it('is not carried over from one question to the next', async () => {
    const { answers, user, view } = show(callQuestion())
    await pass(MOMENT)
    await customise(user)
    await user.type(screen.getByLabelText(/^reason/i), 'never')
    await view.rerender({ question: callQuestion({ id: 'question-0000000000000002' }) })
    await pass(1)
    expect(screen.queryByRole('region', { name: /remember my answer/i })).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>(/^reason/i).value).toBe('')
    expect(isShut(button(/^allow/i))).toBe(true)
    expect(document.activeElement).toBe(button(/don't allow/i))
    // A click that was meant for the first does not reach the second.
    await user.click(button(/don't allow/i))
    expect(answers).toEqual([])
  })
})

describe('the person is told everything', () => {
  it('who asks, which tool, which server, in our words', () => {
    show(callQuestion())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'A terminal wants to run write_file on files',
    )
  })

  it('which code of the server nobody could read', () => {
    show(
      callQuestion({
        subject: {
          touches: {
            files: [],
            hosts: [],
            account: null,
            confinement: 'none',
            unread: [{ piece: 'script', at: 'sh -c', reason: 'not_followed' }],
          },
        },
      }),
    )
    expect(screen.getByText('Code that Majordomo could not read')).toBeTruthy()
    expect(screen.getByText(/sh -c.*only when it starts/)).toBeTruthy()
  })

  it('in whose name', () => {
    show(
      callQuestion({
        subject: {
          touches: { files: [], hosts: [], account: 'work', confinement: 'elsewhere', unread: [] },
        },
      }),
    )
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'A terminal wants to run write_file on files as work',
    )
  })

  it('what the call touches, and that a file lies outside of what was given', () => {
    show(
      callQuestion({
        subject: {
          touches: {
            files: [
              { of: 'today.md', path: '/home/ada/.ssh/id', granted: false },
              { of: '/a', path: '/a', granted: true },
            ],
            hosts: ['mail.example.com'],
            account: 'work',
            confinement: 'none',
            unread: [],
          },
        },
      }),
    )
    const touched = screen.getByRole('region', { name: /what it touches/i })
    const [outside, given] = within(touched).getAllByRole('listitem') as [HTMLElement, HTMLElement]
    expect(outside.textContent).toContain('/home/ada/.ssh/id')
    expect(outside.textContent).toContain('Outside of the folders you gave')
    expect(outside.textContent).toContain('today.md')
    expect(given.textContent).not.toContain('Outside')
    for (const words of ['mail.example.com', 'work', 'can do whatever you can'])
      expect(touched.textContent).toContain(words)
  })

  it('is said quietly where the server is not held at all, and explained on demand', () => {
    show(callQuestion({ subject: { touches: touching('/a') } }))
    const line = screen.getByText('Runs with your full permissions')
    expect(line.closest('dd')?.className).not.toContain('none')
    expect(line.closest('details')?.open).toBe(false)
    expect(line.closest('details')?.textContent).toContain('can do whatever you can')
  })

  test.each([
    ['elsewhere', /another computer/],
    ['own', /Part of Majordomo/],
    ['none', /No sandbox/],
    ['confined', /starts with only the files/],
    ['namespaces', /only the files, folders and hosts/],
    ['landlock', /weaker/],
    ['seatbelt', /Sandboxed by macOS/],
    ['app_container', /Sandboxed by Windows/],
  ] as const)('how strongly the server is held: %s', (confinement, words) => {
    show(
      callQuestion({
        subject: { touches: { files: [], hosts: [], account: null, confinement, unread: [] } },
      }),
    )
    const said = screen.getByText(words)
    expect(said.classList.contains('none')).toBe(false)
    expect(said.classList.contains('weak')).toBe(confinement === 'landlock')
  })

  it('what differs from last time', () => {
    show(
      callQuestion({
        arguments: { path: '/a/new.md', count: 1 },
        subject: { last_time: { path: '/a/old.md', mode: 'x' } },
      }),
    )
    expect(screen.getByText('3 values differ from last time')).toBeTruthy()
    const difference = (name: string) =>
      screen.getByRole('region', { name: `Difference to last time: ${name}` })
    expect([
      difference('path').querySelector('del')?.textContent,
      difference('path').querySelector('ins')?.textContent,
    ]).toEqual(['old', 'new'])
    expect(difference('count').querySelector('ins')?.textContent).toBe('1')
    expect(difference('mode').querySelector('del')?.textContent).toBe('x')
  })

  it('that nothing differs', () => {
    show(callQuestion({ subject: { last_time: { path: '/home/ada/today.md' } } }))
    expect(screen.getByText('The same as last time.')).toBeTruthy()
  })

  it.each([true, false])(
    'that they marked the tool as one that does something that matters, if they did (%s)',
    (consequential) => {
      show(callQuestion({ subject: { consequential } }))
      expect(screen.queryAllByText('You marked this tool as high-impact')).toHaveLength(
        consequential ? 1 : 0,
      )
    },
  )

  it('that whoever asked is gone', () => {
    show(callQuestion({ subject: { left_over: true } }))
    expect(screen.getByText(/whoever asked for this is gone/i)).toBeTruthy()
  })

  test.each<[Reason, RegExp]>([
    [{ kind: 'rule_asks', rules: ['r'] }, /a rule wants you to be asked/i],
    [{ kind: 'other_arguments' }, /with other arguments only/i],
    [{ kind: 'repeated', times: 7 }, /called 7 times within a minute/i],
  ])('why: %j', (reason, words) => {
    show(callQuestion({ reason }))
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('what has changed, before and after', () => {
    const before = spec({
      description: 'Writes a file.',
      input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    })
    const now = spec({
      description: 'Writes a file and mails it.',
      input_schema: {
        type: 'object',
        properties: { path: { type: 'string' }, to: { type: 'string' } },
      },
    })
    show(
      callQuestion({
        tool: now,
        reason: {
          kind: 'tool_changed',
          parts: ['description', 'input_schema'],
          before,
          allowed_at: 0,
        },
      }),
    )
    const changes = screen.getByRole('region', { name: /what has changed/i })
    expect(within(changes).getByText('Changed: description')).toBeTruthy()
    expect(within(changes).getByText('Changed: arguments')).toBeTruthy()
    expect([...changes.querySelectorAll('ins')].map((piece) => piece.textContent?.trim())).toEqual([
      'and mails it',
      expect.stringContaining('"to"'),
    ])
    expect(changes.querySelectorAll('del')).toHaveLength(0)
  })

  it('that the server is reached in another way', () => {
    show(callQuestion({ reason: { kind: 'server_changed', allowed_at: 0 } }))
    expect(screen.getByText(/reached has changed/i)).toBeTruthy()
  })

  it('characters that cannot be seen', () => {
    show(callQuestion({ arguments: { 'pa\u200bth': '/home/\u202eada' } }))
    expect(
      within(screen.getByRole('table', { name: /this will be sent/i }))
        .getAllByRole('img', { name: /invisible character/i })
        .map((mark) => mark.textContent),
    ).toEqual(['U+200B', 'U+202E'])
  })

  it('and a stranger\u2019s markup stays text', () => {
    show(
      callQuestion({
        tool: spec({ name: '<b>tool</b>', description: '<img src=x onerror=alert(1)>' }),
        arguments: { a: '<script>1</script>' },
      }),
    )
    expect(document.querySelector('.frame img, .frame b, .frame script')).toBeNull()
  })
})

describe('a form of a server', () => {
  const properties = {
    approve: { type: 'boolean', title: 'Place the order', default: true },
    note: { type: 'string', title: 'Note' },
    count: { type: 'integer', title: 'Containers', minimum: 1, default: 8 },
  }

  it('begins with its defaults and is sent as filled in', async () => {
    const { answers, user } = show(formQuestion(properties, ['approve']))
    await pass(MOMENT)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'shipping wants you to fill in a form',
    )
    expect(screen.getByLabelText<HTMLInputElement>('Containers').value).toBe('8')
    await user.type(screen.getByLabelText('Note'), 'careful')
    await user.click(button(/^send$/i))
    expect(answers).toEqual([
      {
        kind: 'form',
        answer: { kind: 'accept', content: { approve: true, count: 8, note: 'careful' } },
      },
    ])
  })

  it('is not sent while something is wrong', async () => {
    const { answers, user } = show(
      formQuestion({ count: { type: 'integer', title: 'Containers', minimum: 1 } }, ['count']),
    )
    await pass(MOMENT)
    await user.click(button(/^send$/i))
    expect(answers).toEqual([])
    expect(screen.getByText(/this is needed/i)).toBeTruthy()
    await user.type(screen.getByLabelText(/containers/i), '0')
    await user.click(button(/^send$/i))
    expect(screen.getByText(/at least 1/i)).toBeTruthy()
    expect(answers).toEqual([])
  })

  it('can be declined and cancelled, and Escape cancels', async () => {
    const { answers, user } = show(formQuestion(properties))
    expect(document.activeElement).toBe(button(/decline/i))
    await pass(MOMENT)
    await user.click(button(/decline/i))
    await user.click(button(/^cancel$/i))
    await user.keyboard('{Escape}')
    expect(
      answers.map((answer) => (answer.kind === 'form' ? answer.answer.kind : answer.kind)),
    ).toEqual(['decline', 'cancel', 'cancel'])
  })

  it('that asks for a password can only be declined', async () => {
    const { answers, user } = show(formQuestion({ pw: { type: 'string', title: 'Your Password' } }))
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain('Your Password')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /send/i })).toBeNull()
    await user.keyboard('{Escape}')
    expect(answers).toEqual([{ kind: 'form', answer: { kind: 'decline' } }])
  })

  test.each([
    ['api_key', {}, true],
    ['apiKey', {}, true],
    ['x', { title: 'Card number' }, true],
    ['x', { format: 'password' }, true],
    ['x', { title: '密码' }, true],
    ['cvv', {}, true],
    ['pin', {}, true],
    ['spinner', {}, false],
    ['discard', {}, false],
    ['note', { title: 'Note' }, false],
    ['use_token', { type: 'boolean' }, false],
  ])('field %s %j asks for a secret: %s', (name, more, expected) => {
    expect(
      secretFields({ type: 'object', properties: { [name]: { type: 'string', ...more } } }).length >
        0,
    ).toBe(expected)
  })
})

describe('the window', () => {
  async function open(questions: Question[]) {
    const host = new FakeHost({ answer_question: null })
    host.questionsHere = questions
    const closed = vi.fn()
    begin(host)
    render(QuestionWindow, { onclosed: closed })
    await pass(MOMENT)
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    return { host, closed, user }
  }

  it('says what is asked in its title, once that is there to see', async () => {
    document.title = 'Majordomo'
    const opening = open([callQuestion({ subject: { tool: spec({ name: 'write\u202efile' }) } })])
    expect(document.title).toBe('Majordomo')
    await opening
    expect(document.title).toMatch(/^Majordomo asks: write.+file$/)
    expect(document.title).not.toContain('\u202e')
  })

  it('has a title of one line, whatever the tool is called', async () => {
    await open([callQuestion({ subject: { tool: spec({ name: 'write\n\nAll is well' }) } })])
    expect(document.title).toMatch(/^Majordomo asks: write⟨↵⟩⟨↵⟩All is well$/)
  })

  it('names no tool in its title while all that wait are shown', async () => {
    const { user } = await open([callQuestion(), callQuestion({ id: 'question-2' })])
    expect(document.title).toBe('Majordomo asks: write_file')
    await user.click(button(/^see all$/i))
    expect(document.title).toBe('Majordomo asks')
    await user.click(button(/back/i))
    expect(document.title).toBe('Majordomo asks: write_file')
  })

  it('has its title once there is an error to see, even where nothing could be asked', async () => {
    document.title = 'Majordomo'
    const host = new FakeHost({})
    host.listen = () => Promise.reject(hostError('shutting_down', 'It is closing.'))
    begin(host)
    render(QuestionWindow, { onclosed: () => undefined })
    await pass(MOMENT)
    expect(screen.getByRole('alert')).toBeTruthy()
    expect(document.title).toBe('Majordomo asks')
  })

  it('has no title of its own while there is nothing to see', async () => {
    document.title = 'Majordomo'
    await open([])
    expect(document.title).toBe('Majordomo')
  })

  it('answers, and shuts', async () => {
    const { host, closed, user } = await open([callQuestion()])
    await user.click(button(/^allow/i))
    await pass(1)
    expect(host.asked.filter(({ method }) => method === 'answer_question')).toEqual([
      {
        method: 'answer_question',
        params: {
          question: 'question-0000000000000001',
          answer: { kind: 'allow', arguments: null, remember: null },
        },
      },
    ])
    expect(closed).toHaveBeenCalled()
  })

  it('shuts when the question is answered elsewhere or lapses', async () => {
    const { host, closed } = await open([callQuestion()])
    expect(closed).not.toHaveBeenCalled()
    host.questionsHere = []
    host.publish({ kind: 'question_closed', question: 'question-0000000000000001' })
    await pass(1)
    expect(closed).toHaveBeenCalled()
    expect(screen.queryByRole('button', { name: /allow/i })).toBeNull()
  })

  it('says how many wait', async () => {
    const { host } = await open([callQuestion(), callQuestion({ id: 'question-0000000000000002' })])
    expect(screen.getByText('1 of 2')).toBeTruthy()
    host.publish({
      kind: 'question_asked',
      question: callQuestion({ id: 'question-0000000000000003' }),
    })
    await pass(1)
    expect(screen.getByText('1 of 3')).toBeTruthy()
  })

  it('asks for nothing that its window is not let through with', async () => {
    const { host } = await open([callQuestion()])
    expect(host.asked).toEqual([])
  })

  it('shows why an answer did not arrive, and lets the person try again', async () => {
    const { host, user } = await open([callQuestion()])
    host.failNext('answer_question', 'log_not_writable')
    await user.click(button(/^allow/i))
    await pass(1)
    expect(screen.getByRole('alert').textContent).toContain('The answer did not arrive')
    expect(isShut(button(/^allow/i))).toBe(false)
  })
})

it('a window that may not answer shows the question without answers', () => {
  render(WaitingQuestion, { question: callQuestion(), approver: 'question_window' })
  expect(screen.getByText(/answer in the question window/i)).toBeTruthy()
  expect(screen.getByRole('table', { name: /this will be sent/i }).textContent).toContain(
    '/home/ada/today.md',
  )
  expect(screen.queryByRole('button')).toBeNull()
})

it('the main window lists what waits, and asks nothing of the host that would answer it', async () => {
  vi.useRealTimers()
  const host = await connected(
    (world) =>
      (world.questions = [
        callQuestion(),
        { ...formQuestion({}), id: 'question-0000000000000002' },
      ]),
  )
  render(Approvals)
  const region = await screen.findByRole('region', { name: /waiting questions/i })
  expect(region.querySelectorAll('article')).toHaveLength(2)
  expect(within(region).queryByRole('button', { name: /allow|send|decline|select/i })).toBeNull()
  expect(within(region).queryByRole('checkbox')).toBeNull()
  await userEvent.click(within(region).getAllByRole('button', { name: 'Open' })[0]!)
  expect(host.shown).toEqual(['question-0000000000000001'])
  host.publish({ kind: 'question_closed', question: 'question-0000000000000001' })
  await until(() => expect(region.querySelectorAll('article')).toHaveLength(1))
  expect(host.asked.some(({ method }) => method.startsWith('answer_'))).toBe(false)
  leave()
})
