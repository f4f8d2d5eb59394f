/** Promises of answers that are remembered: what is offered, what is said about it, and what is sent. */
import { cleanup, render, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import type { Replies } from '../../src/host/fake'
import { touching, under } from '../../src/host/fake/question'
import { sampleWorkspaces } from '../../src/host/fake/sampleWorkspaces'
import type { Decision, Question, RememberProblem, WorkspaceView } from '../../src/host/types.gen'
import { lastingOf } from '../../src/parts/consent/lengths'
import { beginning, limitsOf, meaning } from '../../src/parts/consent/limits'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { callQuestion, customise, deskFor, spec } from '../ours'
import { optionsOf, previewed, previewing } from '../replies'
import { onFakeTime } from '../support'

const MOMENT = 1_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const covered = () => screen.getByRole('region', { name: 'This would be remembered' })
const PATH = '/home/ada/Documents/notes/today.md'

/** A question about writing a file below the folders that were given. */
const writes = (path = PATH, more: Parameters<typeof callQuestion>[0] = {}): Question =>
  callQuestion({
    arguments: { path },
    options: { path: under(path, path.slice(0, path.lastIndexOf('/')), '/home/ada/Documents') },
    subject: { touches: touching(path) },
    ...more,
  })

/** The panel in which an answer to be remembered is put together. */
async function remember(
  question: Question = writes(),
  replies?: Replies,
  workspaces?: WorkspaceView[],
) {
  const answers: Decision[] = []
  const known = { ...deskFor(question, replies), ...(workspaces && { workspaces }) }
  render(QuestionView, { question, known, onanswer: (answer: Decision) => answers.push(answer) })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  await pass(MOMENT)
  await customise(user)
  await pass(MOMENT)
  return { answers, user, host: known.host }
}

onFakeTime()

describe('what is proposed', () => {
  it('is a limit and an end, not everything for ever', async () => {
    const { answers, user } = await remember()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Within limits' }).checked).toBe(
      true,
    )
    expect(screen.getByLabelText<HTMLInputElement>('The folder').value).toBe(
      '/home/ada/Documents/notes',
    )
    await user.click(button(/allow and remember/i))
    expect(answers).toEqual([
      {
        kind: 'allow',
        arguments: null,
        remember: {
          lasting: { kind: 'conversation' },
          cover: {
            kind: 'within',
            limits: [
              { argument: 'path', allowed: { kind: 'under', folder: '/home/ada/Documents/notes' } },
            ],
          },
        },
      },
    ])
  })

  it('is exactly what is sent where there is nothing to limit', async () => {
    const { answers, user } = await remember(
      callQuestion({ arguments: { deep: { a: 1 } }, options: { deep: [] } }),
    )
    expect(screen.queryByRole('radio', { name: 'Within limits' })).toBeNull()
    await user.click(button(/allow and remember/i))
    expect(answers).toMatchObject([{ remember: { cover: { kind: 'exactly' } } }])
  })

  it('does not widen a way out of the folders that were given', () => {
    const touches = {
      files: [{ of: '/etc/passwd', path: '/etc/passwd', granted: false }],
      hosts: [],
      account: null,
      confinement: 'none' as const,
      unread: [],
    }
    const options = [
      {
        argument: 'path',
        allowed: [
          { kind: 'under' as const, folder: '/etc/passwd' },
          { kind: 'under' as const, folder: '/etc' },
        ],
      },
    ]
    expect(limitsOf(beginning(options, { path: '/etc/passwd' }, touches))).toEqual([
      { argument: 'path', allowed: null },
    ])
  })

  test.each([
    [
      'a host',
      'https://docs.example.com/a',
      [{ kind: 'hosts' as const, hosts: ['docs.example.com'] }],
      { kind: 'hosts', hosts: ['docs.example.com'] },
    ],
    ['a number', 5, [{ kind: 'at_most' as const, number: 5 }], { kind: 'at_most', number: 5 }],
    [
      'a word',
      'USD',
      [{ kind: 'one_of' as const, values: ['USD'] }],
      { kind: 'one_of', values: ['USD'] },
    ],
    [
      'a text that is written',
      'a\nb',
      [{ kind: 'one_of' as const, values: ['a\nb'] }],
      { kind: 'anything' },
    ],
    ['a covered secret', '•••', [], null],
  ])('fits %s', (_, value, allowed, expected) => {
    expect(
      limitsOf(
        beginning(
          [{ argument: 'x', allowed }],
          { x: value },
          { files: [], hosts: [], account: null, confinement: 'own', unread: [] },
        ),
      ),
    ).toEqual([{ argument: 'x', allowed: expected }])
  })
})

describe('what would be covered is said in words', () => {
  it('with the caller, the tool, every limit and the end', async () => {
    await remember()
    const words = covered().textContent.replace(/\s+/g, ' ')
    expect(words).toContain('The terminal may run write_file on files without asking you.')
    expect(words).toContain('path lies in /home/ada/Documents/notes')
    expect(words).toContain('Until Majordomo is closed.')
    expect(words).toContain('nothing uses it for 30 days')
  })

  it('and changes with the choice', async () => {
    const { user, answers } = await remember()
    await user.click(screen.getByRole('radio', { name: 'Any' }))
    await user.selectOptions(screen.getByLabelText('How long'), 'times')
    await pass(MOMENT)
    expect(covered().textContent).toContain('With any arguments.')
    expect(covered().textContent).toContain('For 10 calls in all; 9 left.')
    await user.click(button(/allow and remember/i))
    expect(answers).toEqual([
      {
        kind: 'allow',
        arguments: null,
        remember: { lasting: { kind: 'times', times: 10 }, cover: { kind: 'any' } },
      },
    ])
  })

  it('with the questions that it settles, and the calls that it would have covered', async () => {
    const sent = (at: number, path: string) => ({ call: `call-${at}`, at, arguments: { path } })
    await remember(writes(), {
      preview_answer: previewing(writes(), {
        settles: ['question-0000000000000002'],
        past: [sent(3, PATH), sent(2, '/home/ada/Documents/notes/x.md')],
        past_covered: 2,
        past_all: 3,
      }),
    })
    expect(covered().textContent).toContain('It also answers 1 other question that waits.')
    // A short form: what stands behind is named.
    const more = within(covered()).getByText('When it expires, and past calls').closest('details')
    expect(more?.open).toBe(false)
    expect(more?.textContent).toContain('Expires if the tool or how its server starts changes')
    expect(more?.textContent).toContain('It would have covered 2 of the last 3 calls.')
    expect(
      within(covered())
        .getAllByRole('table', { hidden: true })
        .map((table) => table.textContent),
    ).toEqual([expect.stringContaining('today.md'), expect.stringContaining('x.md')])
  })

  it('before it can be given: an answer that nobody has put in words is not sent', async () => {
    const { answers, user } = await remember()
    await user.selectOptions(screen.getByLabelText('How long'), 'hour')
    expect(button(/allow and remember/i).disabled).toBe(true)
    await user.click(button(/allow and remember/i))
    expect(answers).toEqual([])
    await pass(MOMENT)
    expect(button(/allow and remember/i).disabled).toBe(false)
  })

  it('and where the host does not say it, the answer can be given once only', async () => {
    const question = writes()
    const answers: Decision[] = []
    render(QuestionView, {
      question,
      known: { preview: () => Promise.reject(new Error('gone')), waiting: [], workspaces: [] },
      onanswer: (answer: Decision) => answers.push(answer),
    })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    await customise(user)
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain('What this would cover is not known')
    await user.click(button(/allow and remember/i))
    expect(answers).toEqual([])
    await user.click(button(/^back$/i))
    await pass(MOMENT)
    await user.click(button(/^allow once$/i))
    expect(answers).toEqual([{ kind: 'allow', arguments: null, remember: null }])
  })
})

describe('a limit', () => {
  it('can be changed, and what means nothing is not sent', async () => {
    const { answers, user } = await remember()
    const folder = screen.getByLabelText('The folder')
    await user.clear(folder)
    await user.type(folder, 'notes')
    await pass(MOMENT)
    expect(screen.getByText('This is not the whole path of a folder.')).toBeTruthy()
    expect(button(/allow and remember/i).disabled).toBe(true)
    await user.clear(folder)
    await user.type(folder, '/home/ada/Documents')
    await pass(MOMENT)
    await user.click(button(/allow and remember/i))
    expect(answers).toMatchObject([
      {
        remember: {
          cover: { limits: [{ allowed: { kind: 'under', folder: '/home/ada/Documents' } }] },
        },
      },
    ])
  })

  it('can be one of a list that the person wrote', async () => {
    const { answers, user } = await remember(
      callQuestion({
        arguments: { base: 'USD' },
        options: { base: [{ kind: 'one_of', values: ['USD'] }] },
      }),
    )
    await user.type(screen.getByLabelText('The values, one in each line'), '{Enter}EUR')
    await pass(MOMENT)
    await user.click(button(/allow and remember/i))
    expect(answers).toMatchObject([
      {
        remember: {
          cover: {
            limits: [{ argument: 'base', allowed: { kind: 'one_of', values: ['USD', 'EUR'] } }],
          },
        },
      },
    ])
  })

  it('is given for each argument, however many the tool gets', async () => {
    const { answers, user } = await remember(
      callQuestion({
        arguments: { a: 1, b: 'x', c: { d: 1 } },
        options: {
          a: [{ kind: 'at_most', number: 1 }],
          b: [{ kind: 'one_of', values: ['x'] }],
          c: [],
        },
      }),
    )
    await user.click(button(/allow and remember/i))
    const [answer] = answers
    const cover = answer?.kind === 'allow' ? answer.remember?.cover : null
    expect(cover?.kind === 'within' && cover.limits.map(({ argument }) => argument)).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  test.each([
    ['', undefined],
    ['https://x.example/', undefined],
    ['x.example\ny.example', { kind: 'hosts', hosts: ['x.example', 'y.example'] }],
  ])('on hosts %j means %j', (text, expected) => {
    expect(
      meaning({
        argument: 'u',
        options: [{ kind: 'hosts', hosts: ['x.example'] }],
        pick: '0',
        text,
      }),
    ).toEqual(expected)
  })
})

it('an empty value can be remembered as what it is', async () => {
  const { answers, user } = await remember(
    callQuestion({
      arguments: { note: '' },
      options: { note: [{ kind: 'one_of', values: [''] }] },
    }),
  )
  await user.click(button(/allow and remember/i))
  expect(answers).toMatchObject([
    {
      remember: {
        cover: { limits: [{ argument: 'note', allowed: { kind: 'one_of', values: [''] } }] },
      },
    },
  ])
})

it('what is said of other questions is about those that wait now', async () => {
  const one = writes()
  const two = 'question-0000000000000002'
  const { host, ...known } = deskFor(one)
  const shown = render(QuestionView, { question: one, known, onanswer: () => undefined })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  await customise(user)
  await pass(MOMENT)
  expect(covered().textContent).not.toContain('It also answers')
  host.reply('preview_answer', previewing(one, { settles: [two] }))
  await shown.rerender({ known: { ...known, waiting: [one.id, two] } })
  await pass(MOMENT)
  expect(covered().textContent).toContain('It also answers 1 other question that waits.')
})

describe('how long', () => {
  const NOW = new Date(2026, 10, 22, 10, 0).getTime()
  const typed = { times: '3', date: '2026-11-23T08:30' }

  test.each([
    ['times', { kind: 'times', times: 3 }],
    ['hour', { kind: 'until', at: NOW + 3_600_000 }],
    ['today', { kind: 'until', at: new Date(2026, 10, 23).getTime() }],
    ['week', { kind: 'until', at: NOW + 7 * 86_400_000 }],
    ['date', { kind: 'until', at: new Date(2026, 10, 23, 8, 30).getTime() }],
    ['conversation', { kind: 'conversation' }],
    ['workspace', { kind: 'workspace' }],
    ['always', { kind: 'always' }],
  ] as const)('%s is what it says', (length, expected) => {
    expect(lastingOf(length, typed, NOW)).toEqual(expected)
  })

  test.each([
    ['times', { times: '0', date: '' }],
    ['times', { times: '2.5', date: '' }],
    ['date', { times: '', date: '' }],
    ['date', { times: '', date: '2020-01-01T00:00' }],
  ] as const)('%s of %j means nothing', (length, wrong) => {
    expect(lastingOf(length, wrong, NOW)).toBeNull()
  })

  const lengths = () =>
    [...screen.getByLabelText<HTMLSelectElement>('How long').options].map(({ value }) => value)

  it('offers all workspaces only where there is more than one', async () => {
    await remember()
    expect(lengths()).not.toContain('always')
    cleanup()
    await remember(undefined, undefined, sampleWorkspaces())
    expect(lengths()).toContain('always')
    expect(screen.getByRole('option', { name: /^Always, in the workspace “/ })).toBeTruthy()
  })
})

it('a tool that does something that matters cannot be allowed with any arguments and no end', async () => {
  const question = writes()
  const { user } = await remember(question, {
    preview_answer: ({ answer }) =>
      answer.kind === 'allow' &&
      answer.remember?.cover.kind === 'any' &&
      answer.remember.lasting.kind === 'workspace'
        ? previewed({ not_remembered: { kind: 'endless' } })
        : previewing(question)({ answer }),
  })
  await pass(MOMENT)
  const any = () => screen.queryByRole('radio', { name: 'Any' })
  expect(any()).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('How long'), 'workspace')
  expect(any()).toBeNull()
  expect(screen.getByText(/only with an end here/i)).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('How long'), 'week')
  await user.click(any()!)
  const lengths = [...screen.getByLabelText<HTMLSelectElement>('How long').options].map(
    ({ value }) => value,
  )
  expect(lengths).not.toContain('workspace')
})

describe('an answer that cannot be remembered as it was chosen', () => {
  test.each<[RememberProblem, string]>([
    [{ kind: 'endless' }, 'Choose an end'],
    [{ kind: 'times', most: 1_000 }, 'from 1 to 1,000'],
    [{ kind: 'over' }, 'is over'],
    [{ kind: 'also_without_limits' }, 'within limits only'],
    [{ kind: 'nothing', argument: 'pa\u200bth' }, 'U+200B'],
    [{ kind: 'folder', folder: '/gone/../x' }, '/gone/../x'],
  ])('says why: %j', async (problem, words) => {
    const question = writes()
    const answers: Decision[] = []
    const known = deskFor(question, { preview_answer: previewed({ not_remembered: problem }) })
    render(QuestionView, {
      question,
      known,
      onanswer: (answer: Decision) => answers.push(answer),
    })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    await customise(user)
    await pass(MOMENT)
    expect(
      screen.getByText('This cannot be remembered').closest('[role=status]')?.textContent,
    ).toContain(words)
    await user.click(button(/allow and remember/i))
    expect(answers).toEqual([])
  })

  it('is not said to be a fault of changed arguments', async () => {
    const question = writes(PATH, {
      tool: spec({ input_schema: { type: 'object', properties: { path: { type: 'string' } } } }),
    })
    const folder = { kind: 'folder' as const, folder: '/home/../ada' }
    const { user } = await remember(question, {
      preview_answer: ({ answer }) =>
        JSON.stringify(answer).includes(folder.folder)
          ? previewed({
              not_remembered: folder,
              options: optionsOf({ path: under(PATH, '/home') }),
            })
          : previewing(question)({ answer }),
    })
    await user.click(button(/^edit$/i))
    await user.type(screen.getByLabelText(/^path/), 'x')
    await pass(MOMENT)
    await user.selectOptions(screen.getByLabelText('What “path” may be'), '1')
    await user.clear(screen.getByLabelText('The folder'))
    await user.type(screen.getByLabelText('The folder'), '/home/../ada')
    await pass(MOMENT)
    expect(screen.getByText('This cannot be remembered')).toBeTruthy()
    expect(screen.queryByText('This does not fit the tool')).toBeNull()
  })

  it('because of its number is told beside the number, with the largest one', async () => {
    const { user } = await remember()
    await user.selectOptions(screen.getByLabelText('How long'), 'times')
    for (const wrong of ['1001', '0', '1e3', '2.5']) {
      await user.clear(screen.getByLabelText(/how many calls/i))
      await user.type(screen.getByLabelText(/how many calls/i), wrong)
      await pass(MOMENT)
      expect(screen.getByText('A whole number from 1 to 1,000.'), wrong).toBeTruthy()
      expect(button(/allow and remember/i).disabled, wrong).toBe(true)
    }
    await user.clear(screen.getByLabelText(/how many calls/i))
    await user.type(screen.getByLabelText(/how many calls/i), '1000')
    await pass(MOMENT)
    expect(button(/allow and remember/i).disabled).toBe(false)
  })
})

describe('a no', () => {
  it('is remembered with the same choices, and its words', async () => {
    const { answers, user } = await remember()
    await user.click(screen.getByRole('radio', { name: 'Deny' }))
    await user.type(screen.getByLabelText(/^reason/i), 'not there')
    await pass(MOMENT)
    expect(covered().textContent).toContain(
      'The terminal may not run write_file on files, and you are not asked.',
    )
    expect(screen.queryByRole('button', { name: /allow and remember/i })).toBeNull()
    await user.click(button(/don't allow, and remember/i))
    expect(answers).toEqual([
      {
        kind: 'deny',
        reason: 'not there',
        remember: {
          lasting: { kind: 'conversation' },
          cover: {
            kind: 'within',
            limits: [
              { argument: 'path', allowed: { kind: 'under', folder: '/home/ada/Documents/notes' } },
            ],
          },
        },
      },
    ])
  })

  it('of this once stays one while a yes is put together', async () => {
    const { answers, user } = await remember()
    await user.click(button(/^don't allow$/i))
    expect(answers).toEqual([{ kind: 'deny', reason: null, remember: null }])
  })
})

it('leaving the choice answers nothing', async () => {
  const { answers, user } = await remember()
  screen.getByLabelText('The folder').focus()
  await user.keyboard('{Escape}')
  expect(answers).toEqual([])
  expect(screen.queryByRole('region', { name: /remember my answer/i })).toBeNull()
  expect(document.activeElement).toBe(button(/^remember/i))
  await customise(user)
  await user.click(button(/^back$/i))
  expect(answers).toEqual([])
})
